-- WITH TIES, all fields of a row, regexp_replace with a function, functions of a query, JSON_TABLE
SELECT x, y FROM (VALUES (1, 'a'), (1, 'b'), (2, 'c'), (2, 'd'), (3, 'e')) t(x, y) ORDER BY x FETCH FIRST <<1 ROW ;; ROW ;; 2 ROWS ;; 3 ROWS ;; 100 ROWS>> WITH TIES
SELECT count(*) FROM (SELECT y FROM (VALUES (1, 'a'), (1, 'b'), (2, 'c'), (2, 'd'), (3, 'e')) t(x, y) ORDER BY x FETCH NEXT 3 ROWS WITH TIES)
SELECT x FROM (VALUES 1, 1, 2, 2, 3) t(x) ORDER BY x DESC OFFSET 1 ROW FETCH FIRST <<1 ROW ;; 2 ROWS>> WITH TIES
SELECT sum(x), sum(n) FROM (SELECT x, count(*) AS n FROM (VALUES 1, 1, 2, 2, 3) t(x) GROUP BY x ORDER BY count(*) DESC FETCH FIRST 1 ROW WITH TIES)
SELECT DISTINCT x FROM (VALUES 1, 1, 2, NULL) t(x) ORDER BY x NULLS FIRST FETCH FIRST 1 ROW WITH TIES
SELECT 1 AS x UNION ALL SELECT 1 UNION ALL SELECT 2 ORDER BY x FETCH FIRST 1 ROW WITH TIES
SELECT x FROM (VALUES 1, 2) t(x) FETCH FIRST 1 ROW WITH TIES
SELECT x FROM (VALUES 1, 2) t(x) ORDER BY x FETCH FIRST 0 ROWS WITH TIES
VALUES 3, 1, 1 ORDER BY 1 FETCH FIRST 1 ROWS WITH TIES
SELECT ROW(1, 'x').*
SELECT CAST(ROW(1, 2) AS ROW(p integer, q integer)).*
SELECT (SELECT CAST(ROW(1, 'a') AS ROW(p integer, q varchar))).* AS (u, v)
SELECT ROW(1, 2).* AS (a, b, c)
SELECT (1).*
SELECT t.r.* FROM (SELECT CAST(ROW(1, 2) AS ROW(p integer, q integer)) r) t
SELECT t.r.* AS (x, y), 5 FROM (SELECT CAST(ROW(1, 2) AS ROW(p integer, q integer)) r) t
SELECT array_agg(CAST(ROW(x, x + 1) AS ROW(p integer, q integer)))[1].* FROM (VALUES 1) t(x)
SELECT regexp_replace('<<new york ;;  ;; xyz>>', '(\w)(\w*)', x -> upper(x[1]) || lower(x[2]))
SELECT regexp_replace('a1b22', '(\d)(\d)?', x -> coalesce(x[2], '-'))
SELECT regexp_replace('a1b22', '\d', x -> 'd'), regexp_replace('a1b22', '(\d+)', x -> CAST(length(x[1]) AS varchar)), regexp_replace('abc', '(b)', x -> NULL)
SELECT regexp_replace(x, '(\w)', y -> y[1] || z) FROM (VALUES ('ab', '-'), (NULL, '+'), ('c', NULL)) t(x, z)
SELECT regexp_replace('abc', '(', x -> 'd')
SELECT regexp_replace('abc', 'b', x -> 1)
SELECT regexp_replace('abc', 'b', (x, y) -> 'd')
WITH FUNCTION twice(x integer) RETURNS integer RETURN x * 2 SELECT twice(21), twice(NULL), twice(SMALLINT '4')
WITH FUNCTION a() RETURNS bigint RETURN 7, FUNCTION b(x bigint) RETURNS bigint RETURN a() + x SELECT b(1)
WITH FUNCTION a() RETURNS bigint RETURN 7 WITH t AS (SELECT a() AS x) SELECT x, a() FROM t
WITH FUNCTION hello(name varchar) RETURNS varchar RETURN format('Hello %s!', name) SELECT hello(n) FROM (VALUES 'a', NULL) t(n)
WITH FUNCTION f(x double) RETURNS double DETERMINISTIC RETURN sqrt(x) SELECT f(16), typeof(f(4))
WITH FUNCTION f(x integer) RETURNS varchar LANGUAGE SQL RETURNS NULL ON NULL INPUT RETURN coalesce(CAST(x AS varchar), 'null') SELECT f(1), f(NULL)
WITH FUNCTION f(x integer) RETURNS varchar CALLED ON NULL INPUT COMMENT 'c' RETURN coalesce(CAST(x AS varchar), 'null') SELECT f(1), f(NULL)
WITH FUNCTION f(x integer) RETURNS integer RETURN x SELECT f('a')
WITH FUNCTION f(x integer) RETURNS integer RETURN x SELECT f(1, 2)
WITH FUNCTION f(x integer) RETURNS integer RETURN y SELECT f(1)
WITH FUNCTION f(x integer) RETURNS integer RETURN 'a' SELECT f(1)
WITH FUNCTION f(x integer) RETURNS bigint RETURN x SELECT f(1), typeof(f(1))
WITH FUNCTION f(x integer) RETURNS integer RETURN (SELECT max(x) FROM (VALUES 1) t(x)) SELECT f(1)
WITH FUNCTION upper(x varchar) RETURNS varchar RETURN 'mine' SELECT upper('a')
WITH FUNCTION f() RETURNS integer BEGIN RETURN 1; END SELECT f()
WITH FUNCTION f(n integer) RETURNS integer BEGIN DECLARE a integer DEFAULT 1; SET a = a + n; IF a > 5 THEN RETURN 5; END IF; RETURN a; END SELECT f(1), f(10)
CREATE FUNCTION meaning() RETURNS bigint RETURN 42
DROP FUNCTION meaning()
SELECT a, b FROM JSON_TABLE('[{"a": 1, "b": "x"}, {"a": 2}]', 'lax $[*]' COLUMNS (a integer PATH 'lax $.a', b varchar PATH 'lax $.b'))
SELECT * FROM JSON_TABLE('[{"a": 1, "b": "x"}, {"a": 2}]', 'lax $[*]' COLUMNS (a integer, "b" varchar(5), c boolean))
SELECT * FROM JSON_TABLE('{"a": [1, 2]}', 'lax $.a[*]' COLUMNS (n FOR ORDINALITY, v bigint PATH 'lax $')) AS t(i, j)
SELECT * FROM JSON_TABLE('{"a": {"b": 1}}', 'lax $' COLUMNS (x varchar FORMAT JSON PATH 'lax $.a', y varchar FORMAT JSON PATH 'lax $.a' WITH WRAPPER, z varchar PATH 'lax $.q' DEFAULT 'none' ON EMPTY))
SELECT * FROM JSON_TABLE('[{"id": 1, "tags": ["p", "q"]}, {"id": 2, "tags": []}]', 'lax $[*]' COLUMNS (id integer, NESTED PATH 'lax $.tags[*]' COLUMNS (tag varchar PATH 'lax $', k FOR ORDINALITY)))
SELECT * FROM JSON_TABLE('[{"a": [1, 2], "b": [3]}]', 'lax $[*]' COLUMNS (NESTED PATH 'lax $.a[*]' COLUMNS (x integer PATH 'lax $'), NESTED PATH 'lax $.b[*]' COLUMNS (y integer PATH 'lax $')))
SELECT * FROM JSON_TABLE('bad', 'lax $' COLUMNS (a integer))
SELECT * FROM JSON_TABLE('bad', 'lax $' COLUMNS (a integer) ERROR ON ERROR)
SELECT * FROM JSON_TABLE('[1, "x"]', 'lax $[*]' COLUMNS (a integer PATH 'lax $' DEFAULT -1 ON ERROR))
SELECT * FROM JSON_TABLE('[1, "x"]', 'lax $[*]' COLUMNS (a integer PATH 'lax $' ERROR ON ERROR))
SELECT t.id, j.v FROM (VALUES (1, '[10, 20]'), (2, '[]'), (3, NULL)) t(id, doc) LEFT JOIN JSON_TABLE(doc, 'lax $[*]' COLUMNS (v integer PATH 'lax $')) AS j ON true ORDER BY 1, 2
SELECT t.id, j.v FROM (VALUES (1, '[10, 20]'), (2, '[]')) t(id, doc), JSON_TABLE(doc, 'lax $[*]' COLUMNS (v integer PATH 'lax $')) AS j ORDER BY 1, 2
SELECT * FROM JSON_TABLE('[1, 2, 3]', 'lax $[$i to last]' PASSING 1 AS "i" COLUMNS (v integer PATH 'lax $'))
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' AS root COLUMNS (v integer PATH 'lax $'))
SELECT j.* FROM JSON_TABLE('[{"a": true, "b": 1.5, "c": "2024-01-01"}]', 'lax $[*]' COLUMNS (a boolean, b double, c date)) j
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (v integer PATH 'lax $', v varchar PATH 'lax $'))
SELECT count(*) FROM JSON_TABLE('[{"a": [{"b": [1, 2]}, {"b": [3]}]}]', 'lax $[*]' COLUMNS (NESTED 'lax $.a[*]' COLUMNS (NESTED PATH 'lax $.b[*]' COLUMNS (x integer PATH 'lax $'))))
SELECT * FROM JSON_TABLE('{}', 'lax $' COLUMNS (a integer) PLAN DEFAULT (INNER))
SELECT * FROM JSON_TABLE(JSON '[1]', 'lax $[*]' COLUMNS (v integer PATH 'lax $'))
SELECT * FROM JSON_TABLE(to_utf8('[1]') FORMAT JSON ENCODING UTF8, 'lax $[*]' COLUMNS (v integer PATH 'lax $'))
-- recursion
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < <<10 ;; 11 ;; 12>>) SELECT max(n), count(*) FROM t
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t
SET SESSION max_recursion_depth = 20
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 15) SELECT max(n) FROM t
WITH RECURSIVE t(n, m) AS (VALUES (1, 'a'), (5, 'b') UNION ALL SELECT n + 1, m || 'x' FROM t WHERE n < 7) SELECT m, max(n) FROM t GROUP BY m ORDER BY 1
RESET SESSION max_recursion_depth
SELECT <<min_by(x, y, 2) ;; max_by(x, y, 3) ;; corr(x, y) ;; covar_samp(x, y) ;; covar_pop(x, y) ;; regr_slope(x, y)>> FROM (VALUES (1, 2), (2, 3), (2, 5), (4, 4), (NULL, 1)) t(x, y)
