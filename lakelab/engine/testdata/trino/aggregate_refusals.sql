-- DISTINCT, ORDER BY and FILTER of aggregates, grouping() and what recursive queries may hold.
SELECT <<array_agg ;; count ;; sum ;; max ;; string_agg ;; approx_distinct>>(DISTINCT a ORDER BY <<a ;; b ;; a, b ;; a + 1 ;; a DESC NULLS FIRST>>) FROM (VALUES (1, 2), (3, 4)) t(a, b)
SELECT array_agg(DISTINCT a + 1 ORDER BY a<< ;;  + 1 ;;  + 2>>) FROM (VALUES (1, 2), (3, 4)) t(a, b)
SELECT listagg(DISTINCT c, ',') WITHIN GROUP (ORDER BY <<c ;; a ;; c DESC>>) FROM (VALUES (1, 'x'), (3, 'y')) t(a, c)
SELECT map_agg(DISTINCT a, b ORDER BY <<a ;; b ;; a, b ;; a * 2>>) FROM (VALUES (1, 2)) t(a, b)
SELECT b, array_agg(DISTINCT a ORDER BY b) FROM (VALUES (1, 2), (3, 4)) t(a, b) GROUP BY b
SELECT array_agg(DISTINCT a ORDER BY b) OVER () FROM (VALUES (1, 2), (3, 4)) t(a, b)
SELECT count(DISTINCT *) FROM (VALUES 1) t(a)
SELECT <<count(DISTINCT a, b) ;; sum(DISTINCT a) FILTER (WHERE a > 1) ;; count(*) FILTER (WHERE a) ;; sum(sum(a)) ;; sum(row_number() OVER ()) ;; sum(grouping(a)) ;; array_agg(a ORDER BY 1) ;; array_agg(a ORDER BY z) ;; abs(a ORDER BY a) ;; abs(DISTINCT a) ;; upper(DISTINCT 'a') ;; abs(a) FILTER (WHERE true) ;; row_number(DISTINCT a) OVER () ;; lag(DISTINCT a) OVER (ORDER BY a) ;; rank(ORDER BY a) OVER () ;; abs(*) ;; sum(*) ;; max(*) ;; count(a, b) ;; abs(a) OVER () ;; row_number() ;; lag(a) ;; first_value(a) ;; sum(a) IGNORE NULLS ;; sum(a) IGNORE NULLS OVER () ;; abs(a) IGNORE NULLS OVER () ;; row_number() FILTER (WHERE true) OVER () ;; lag(a ORDER BY a) OVER (ORDER BY a) ;; sum(a) WITHIN GROUP (ORDER BY a) ;; listagg(a) WITHIN GROUP (ORDER BY a) ;; listagg('a') ;; count(DISTINCT a) OVER () ;; max(DISTINCT a, 2) ;; a, sum(b) ;; any_value(DISTINCT a) ;; coalesce(DISTINCT a) ;; if(DISTINCT a) ;; try(DISTINCT a)>> FROM (VALUES (1, 2), (3, 4)) t(a, b)
SELECT <<grouping(a) ;; grouping(b) ;; grouping(a, b) ;; grouping(a + 1) ;; grouping(z) ;; sum(a), grouping(a)>> FROM (VALUES (1, 2)) t(a, b)
SELECT <<grouping(a) ;; grouping(b) ;; grouping(a, b) ;; grouping(a + 1) ;; grouping(z) ;; grouping(1)>> FROM (VALUES (1, 2)) t(a, b) GROUP BY a
SELECT count(*) FROM (VALUES (1, 2)) t(a, b) <<WHERE grouping(a) = 0 ;; ORDER BY grouping(a) ;; HAVING grouping(a) = 0 ;; GROUP BY grouping(a) ;; GROUP BY a HAVING grouping(a) = 0 ;; GROUP BY a ORDER BY grouping(a) ;; GROUP BY sum(a) ;; GROUP BY row_number() OVER () ;; WHERE sum(a) > 1 ;; WHERE row_number() OVER () = 1 ;; GROUP BY 5 ;; GROUP BY 1 ;; GROUP BY 0 ;; HAVING row_number() OVER () = 1 ;; GROUP BY ROLLUP (sum(a)) ;; GROUP BY CUBE (a + 1) ;; GROUP BY GROUPING SETS (a, (a, b), ())>>
WITH RECURSIVE t AS (SELECT 1 UNION ALL SELECT 2) SELECT * FROM t
WITH RECURSIVE t AS (SELECT 1 a UNION ALL SELECT a + 1 FROM t WHERE a < 3) SELECT * FROM t
WITH RECURSIVE t AS (SELECT 1 a) SELECT * FROM t
WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 3) SELECT * FROM t ORDER BY 1
WITH RECURSIVE t(a, b) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 3) SELECT * FROM t
WITH RECURSIVE t(a) AS (SELECT 1 <<INTERSECT ;; EXCEPT ;; EXCEPT ALL>> SELECT a + 1 FROM t WHERE a < 3) SELECT * FROM t
WITH RECURSIVE t(a) AS (SELECT a + 1 FROM t) SELECT * FROM t
WITH RECURSIVE t(a) AS (SELECT a FROM t UNION ALL SELECT 1) SELECT * FROM t
WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL <<SELECT 'x' FROM t ;; SELECT a + 1e0 FROM t ;; SELECT a, a FROM t ;; SELECT sum(a) FROM t ;; SELECT count(*) FROM t ;; SELECT DISTINCT a FROM t WHERE a < 0 ;; SELECT a FROM t LIMIT 1 ;; SELECT a FROM t ORDER BY a ;; SELECT a FROM t OFFSET 1 ;; SELECT x.a FROM t x, t y ;; SELECT t.a FROM t LEFT JOIN (VALUES 1) v(b) ON a = b ;; SELECT t.a FROM (VALUES 1) v(b) LEFT JOIN t ON a = b ;; SELECT t.a FROM (VALUES 1) v(b) RIGHT JOIN t ON a = b ;; SELECT t.a FROM (VALUES 1) v(b) FULL JOIN t ON a = b ;; SELECT a FROM t WHERE a IN (SELECT a FROM t) ;; SELECT a FROM t GROUP BY a ;; SELECT (SELECT max(a) FROM t) ;; SELECT row_number() OVER () FROM t WHERE a < 0 ;; SELECT a FROM (SELECT a + 1 a FROM t WHERE a < 3) ;; SELECT a FROM t UNION ALL SELECT a FROM t ;; SELECT a FROM t INTERSECT SELECT 1 ;; SELECT a FROM t EXCEPT SELECT 1 ;; TABLE t ;; VALUES 2 ;; SELECT z FROM t ;; SELECT b FROM (VALUES 7) v(b) ;; SELECT a + 1 FROM t>>) SELECT * FROM t
WITH RECURSIVE t(a) AS ((SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 3) <<ORDER BY a ;; LIMIT 2 ;; OFFSET 1>>) SELECT * FROM t
WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 3 <<ORDER BY a ;; LIMIT 2 ;; FETCH FIRST ROW ONLY>>) SELECT * FROM t
WITH RECURSIVE t(a) AS (WITH u AS (SELECT 1 b) SELECT b FROM u UNION ALL SELECT a + 1 FROM t WHERE a < 3) SELECT * FROM t
WITH RECURSIVE t(a) AS (WITH t AS (SELECT 1 b) SELECT b FROM t UNION ALL SELECT 2 FROM t) SELECT * FROM t
WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT y FROM b), b(y) AS (SELECT 2 UNION ALL SELECT x FROM a) SELECT * FROM a
WITH RECURSIVE t(a) AS (SELECT CAST('a' AS varchar(1)) UNION ALL SELECT a || 'b' FROM t WHERE length(a) < 3) SELECT * FROM t
WITH RECURSIVE t(a) AS (SELECT DECIMAL '1.0' UNION ALL SELECT a * 2 FROM t WHERE a < 3) SELECT * FROM t
WITH RECURSIVE t(a, a) AS (SELECT 1, 2 UNION ALL SELECT 1, 2 FROM t) SELECT 1 FROM t
WITH t(a) AS (SELECT 1 UNION ALL SELECT a FROM t) SELECT * FROM t
WITH t(a) AS (SELECT 1), T(b) AS (SELECT 2) SELECT * FROM t
WITH t(a, b) AS (SELECT 1) SELECT * FROM t
