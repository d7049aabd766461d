-- Joins, subqueries, set operations, WITH, ORDER BY, LIMIT and friends, over lakehouse tables and VALUES.
CREATE TABLE trips (id bigint, city varchar, fare decimal(10, 2), ts timestamp(6), day date, tags array(varchar), attrs map(varchar, integer), pos ROW(lat double, lon double))
INSERT INTO trips VALUES (1, 'Oslo', DECIMAL '12.50', TIMESTAMP '2024-01-01 10:00:00.123456', DATE '2024-01-01', ARRAY['a', 'b'], MAP(ARRAY['k'], ARRAY[1]), ROW(59.9, 10.7)), (2, 'Bergen', DECIMAL '8.00', TIMESTAMP '2024-01-02 11:00:00', DATE '2024-01-02', ARRAY[], MAP(), NULL), (3, 'Oslo', DECIMAL '99.99', NULL, DATE '2024-01-02', NULL, NULL, NULL), (4, NULL, NULL, NULL, DATE '2024-01-03', NULL, NULL, NULL)
CREATE TABLE cities AS SELECT * FROM (VALUES ('Oslo', 'Norway', 700000), ('Bergen', 'Norway', 280000), ('Paris', 'France', 2100000)) t(name, country, people)
SELECT * FROM trips ORDER BY id
SELECT id, city FROM trips ORDER BY <<city, id ;; city DESC, id ;; city NULLS FIRST, id ;; 2, 1 DESC ;; fare * -1, id ;; lower(city), id ;; 3 ;; nosuch>>
SELECT id FROM trips ORDER BY id <<LIMIT 2 ;; OFFSET 2 ;; OFFSET 1 LIMIT 2 ;; FETCH FIRST 2 ROWS ONLY ;; FETCH FIRST ROW ONLY ;; OFFSET 1 ROW FETCH NEXT 1 ROW ONLY ;; LIMIT ALL ;; LIMIT 0 ;; LIMIT -1>>
SELECT city, id FROM trips ORDER BY city FETCH FIRST 2 ROWS WITH TIES
SELECT count(*) FROM trips WHERE <<city = 'Oslo' ;; city <> 'Oslo' ;; city IS NULL ;; fare > 10 ;; day >= DATE '2024-01-02' ;; ts > TIMESTAMP '2024-01-01 12:00:00' ;; city IN ('Oslo', 'Paris') ;; city LIKE 'B%' ;; contains(tags, 'a') ;; attrs['k'] = 1 ;; pos.lat > 50 ;; id BETWEEN 2 AND 3 ;; id = 'x' ;; city ;; CITY = 'Oslo' ;; "city" = 'Oslo' ;; "CITY" = 'Oslo' ;; nosuch = 1 ;; trips.id = 1 ;; suite.trips.id = 1 ;; lakehouse.suite.trips.id = 1 ;; x.id = 1>>
SELECT t.id, c.country FROM trips t <<JOIN ;; LEFT JOIN ;; RIGHT JOIN ;; FULL JOIN ;; INNER JOIN ;; LEFT OUTER JOIN>> cities c ON t.city = c.name ORDER BY t.id, c.country
SELECT count(*) FROM trips <<CROSS JOIN cities ;; , cities ;; JOIN cities ON true ;; t JOIN trips u ON t.id < u.id>>
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) t(k, x) <<JOIN ;; LEFT JOIN ;; FULL JOIN>> (VALUES (1, 'c'), (3, 'd')) u(k, y) USING (k) ORDER BY 1
SELECT * FROM (VALUES (1, 'a')) t(k, x) NATURAL JOIN (VALUES (1, 'c')) u(k, y)
SELECT * FROM (VALUES 1) t(k) JOIN (VALUES 1) u(k) USING (z)
SELECT t.id FROM trips t JOIN cities c ON t.nosuch = c.name
SELECT id FROM trips a, trips b
SELECT id FROM trips WHERE city IN (SELECT name FROM cities WHERE people > 500000) ORDER BY id
SELECT id FROM trips WHERE city NOT IN (SELECT name FROM cities WHERE people > 500000) ORDER BY id
SELECT name FROM cities c WHERE <<EXISTS ;; NOT EXISTS>> (SELECT 1 FROM trips t WHERE t.city = c.name) ORDER BY name
SELECT id, (SELECT country FROM cities WHERE name = city) FROM trips ORDER BY id
SELECT (SELECT id FROM trips)
SELECT (SELECT id, city FROM trips WHERE id = 1)
SELECT (SELECT max(fare) FROM trips), (SELECT 1 WHERE false)
SELECT name, (SELECT count(*) FROM trips t WHERE t.city = c.name) n FROM cities c ORDER BY name
SELECT id IN (SELECT 1) FROM trips ORDER BY id
SELECT * FROM trips t, LATERAL (SELECT max(people) p FROM cities c WHERE c.name = t.city) u ORDER BY t.id LIMIT 1
WITH t AS (SELECT id, fare FROM trips), u(n) AS (SELECT count(*) FROM t) SELECT n FROM u
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT sum(n) FROM r
WITH t AS (SELECT 1 AS x), t AS (SELECT 2 AS x) SELECT * FROM t
WITH t(a, b) AS (SELECT 1) SELECT * FROM t
SELECT 1 AS x <<UNION ;; UNION ALL ;; INTERSECT ;; EXCEPT ;; INTERSECT ALL ;; EXCEPT ALL>> SELECT 1
SELECT x FROM (SELECT 1 AS x UNION ALL SELECT 2.5 UNION ALL SELECT NULL) ORDER BY x
SELECT 'a' UNION SELECT 'bcd' ORDER BY 1
SELECT 1 UNION SELECT <<'a' ;; 1, 2>>
(SELECT 1 AS a UNION ALL SELECT 2) ORDER BY a DESC LIMIT 1
SELECT * FROM (SELECT 1 UNION ALL VALUES 2, 3) t(x) ORDER BY x
TABLE cities
SELECT * FROM TABLE(sequence(start => 1, stop => 5, step => 2))
SELECT c.* FROM cities c ORDER BY people DESC LIMIT 1
SELECT c.*, people + 1 FROM cities c WHERE name = 'Oslo'
SELECT *, 1 FROM cities WHERE false
SELECT x.* FROM cities c
SELECT *
SELECT count(*) FROM trips TABLESAMPLE BERNOULLI (100)
SELECT city, sum(fare) AS total, avg(fare), min(day), max(ts) FROM trips GROUP BY city ORDER BY total DESC
SELECT day, count(*) FROM trips GROUP BY day HAVING count(*) > 1
SELECT date_trunc('month', ts) m, count(*) FROM trips WHERE ts IS NOT NULL GROUP BY 1
SELECT id, t.x FROM trips CROSS JOIN UNNEST(tags) AS t(x) ORDER BY 1, 2
SELECT id, pos.lat, pos FROM trips WHERE id = 1
SELECT pos.nosuch FROM trips
SELECT attrs['zzz'] FROM trips WHERE id = 1
SELECT city.x FROM trips
SELECT t.nosuch FROM trips t
SELECT * FROM <<nosuch ;; suite.nosuch ;; lakehouse.nosuch.trips ;; nocat.suite.trips ;; a.b.c.d ;; "trips$nosuch" ;; "Trips">>
SELECT id FROM trips t WHERE t.id IN (1, 2) AND (t.city = 'Oslo' OR t.fare < 10) ORDER BY id
SELECT id FROM trips FOR VERSION AS OF <<1 ;; 1234567890123456789 ;; 'nosuch' ;; 1.5>>
SELECT count(*) FROM trips FOR TIMESTAMP AS OF TIMESTAMP '2001-01-01 00:00:00 UTC'
SELECT snapshot_id IS NOT NULL, parent_id IS NULL, operation FROM "trips$snapshots" ORDER BY committed_at
SELECT is_current_ancestor FROM "trips$history" ORDER BY made_current_at
SELECT sum(record_count), min(file_format) FROM "trips$files"
DESCRIBE "trips$<<snapshots ;; history ;; files ;; manifests ;; partitions ;; refs ;; properties ;; metadata_log_entries ;; all_manifests ;; entries ;; all_entries>>"
SELECT "$path" IS NOT NULL, "$file_modified_time" IS NOT NULL FROM cities LIMIT 1
SELEC 1
SELECT * FROM
SELECT 1 FROM cities WHERE
SELECT 'abc
SELECT 1 +
SELECT 1; SELECT 2
SELECT (1
SELECT a b c
SELECT FROM x
SELECT 1 GROUP
SELECT count( FROM cities
SELECT CASE WHEN 1 THEN
SELECT CAST(1 AS)
CREATE TABLE
INSERT cities VALUES 1
DROP cities
SHOW
SELECT * FROM cities LIMIT x
SELECT * FROM cities ORDER name
SELECT `a`
SELECT @x
SELECT "abc
SELECT 1 /* unfinished
