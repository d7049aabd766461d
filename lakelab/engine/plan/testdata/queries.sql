-- Names of columns that have no alias.
SELECT a, a + b, a - 1, -a, +a, a * b / 2, a % 3, a DIV 2 FROM t1
SELECT 1, 1L, 1.5, 2.0D, 'x', NULL, TRUE, -5, -2.50, DATE '2024-01-31', 1e3, X'CAFE' 
SELECT a = b, a <> b, a < b, a <= b, a > b, a >= b, a <=> b, NOT a = b FROM t1
SELECT a = 1 AND b = 2, a = 1 OR b = 2 AND c = 'x', a = 1 AND b = 2 AND c = 'x' AND a < 9, (a = 1 OR b = 2) OR c = 'y' FROM t1
SELECT a IN (1, 2), a NOT IN (1, 2), c IN ('x'), a BETWEEN 1 AND 5, a NOT BETWEEN 1 AND 5 FROM t1
SELECT a IS NULL, a IS NOT NULL, c LIKE 'x%', c NOT LIKE '%y', a IS DISTINCT FROM b, (a > 1) IS TRUE FROM t1
SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END, CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' END, CASE WHEN a > 1 THEN b END FROM t1
SELECT CAST(a AS STRING), CAST(a + 1 AS BIGINT), CAST('1' AS INT), TRY_CAST(c AS INT), a::STRING, CAST(trips.tip AS INT) FROM t1, trips
SELECT A, t1.A, t1.a + T1.B FROM t1
SELECT a AS `x y`, b `from`, a z FROM t1
SELECT count(*), count(1), count(a), count(DISTINCT a), count(DISTINCT a, b), COUNT(*) FILTER (WHERE a > 1) FROM t1
SELECT sum(a), sum(a + 1), avg(a), min(c), max(a), SUM(DISTINCT a), sum(a) + 1, sum(tip), avg(tip), sum(fare_amount) FROM t1, trips
SELECT upper(c), LOWER(c), length(c), concat(c, 'x'), c || 'x', coalesce(c, 'none'), substring(c, 1, 2), trim(c) FROM t1
SELECT abs(a), round(a, 2), if(a > 1, 'x', 'y'), nullif(a, 1), year(day), month(day), to_date('2024-01-31') FROM t1, trips
SELECT current_date, current_date(), current_timestamp() IS NULL
SELECT current_catalog(), current_schema(), current_database()
SELECT (SELECT max(a) FROM t1), EXISTS (SELECT 1 FROM t1), 1 IN (SELECT a FROM t1), 1 NOT IN (SELECT a FROM t1)
SELECT a, (SELECT max(b) FROM t2 WHERE t2.a = t1.a) FROM t1
SELECT a, (SELECT max(b) FROM t2 WHERE t2.a = t1.a AND t2.d = t1.c) AS m FROM t1
SELECT home.city, home.geo.lat, people.home.geo.lon, home.CITY FROM people
SELECT home.geo.lat + 1, upper(home.city), CAST(home.geo.lat AS INT) FROM people
SELECT tags[0], attrs['x'], attrs.x, jobs.title, jobs[0].title, home['city'] FROM people
SELECT home.*, id FROM people
SELECT row_number() OVER (PARTITION BY c ORDER BY a), rank() OVER (ORDER BY a DESC), sum(a) OVER (PARTITION BY c) FROM t1
SELECT sum(a) OVER (ORDER BY b), avg(a) OVER (ORDER BY b ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), lag(a) OVER (ORDER BY b), lead(a, 2) OVER (ORDER BY b) FROM t1
SELECT sum(a) OVER w AS s, max(a) OVER w FROM t1 WINDOW w AS (PARTITION BY c ORDER BY b)
SELECT c, sum(sum(a)) OVER (ORDER BY c) FROM t1 GROUP BY c
SELECT sum(a) OVER w1, max(a) OVER w2 FROM t1 WINDOW w1 AS (PARTITION BY c), w2 AS (ORDER BY b)
SELECT extract(YEAR FROM day), extract(HOUR FROM pickup_at), date_part('month', day) FROM trips
SELECT a FROM t1 WHERE c LIKE ANY ('x%', 'y%') AND a NOT BETWEEN 1 AND 2
-- Stars.
SELECT * FROM t1
SELECT t1.*, t2.b FROM t1 JOIN t2 ON t1.a = t2.a
SELECT * EXCEPT (b) FROM t1
SELECT *, a + 1 FROM t1
SELECT x.* FROM t1 AS x
SELECT lakehouse.default.t1.a, default.t1.b, t1.c FROM lakehouse.default.t1
SELECT a, a FROM t1 ORDER BY a
-- Aliases: lateral, in GROUP BY, HAVING and ORDER BY.
SELECT a + 1 AS x, x * 2 AS y, y FROM t1
SELECT a + 1 AS x, x FROM t1
SELECT a + 1 AS x, x + 1 FROM t1
SELECT a % 2 AS parity, count(*) FROM t1 GROUP BY parity
SELECT a % 2 AS parity, count(*) AS n FROM t1 GROUP BY parity HAVING n > 1 ORDER BY n DESC
SELECT a, count(*) FROM t1 GROUP BY 1 ORDER BY 2
SELECT a, b, count(*) FROM t1 GROUP BY ALL
SELECT c FROM t1 ORDER BY a
SELECT a + 1 AS b FROM t1 ORDER BY b
SELECT * FROM t1 ORDER BY ALL
SELECT c, sum(a) FROM t1 GROUP BY c ORDER BY sum(b) DESC
SELECT c FROM t1 GROUP BY c HAVING count(*) > 1
SELECT c, a + b FROM t1 GROUP BY c, a + b
SELECT c, a + b + 1 FROM t1 GROUP BY c, a + b
SELECT upper(c), count(*) FROM t1 GROUP BY upper(c)
SELECT DISTINCT c FROM t1 ORDER BY c
SELECT count(*) FROM t1 HAVING count(*) > 0
SELECT 1 FROM t1 HAVING true
-- Grouping sets.
SELECT a, b, sum(b) FROM t1 GROUP BY a, b WITH ROLLUP
SELECT a, b, count(*) FROM t1 GROUP BY CUBE(a, b)
SELECT a, c, count(*) FROM t1 GROUP BY GROUPING SETS ((a), (c), ())
SELECT a, grouping(a), grouping_id(), count(*) FROM t1 GROUP BY ROLLUP(a)
SELECT pickup_borough, day, sum(fare_amount) FROM trips GROUP BY ROLLUP(pickup_borough, day)
-- Joins.
SELECT * FROM t1 JOIN t2 USING (a)
SELECT t1.a, t2.a, a FROM t1 JOIN t2 USING (a)
SELECT * FROM t1 LEFT JOIN t2 USING (a)
SELECT * FROM t1 RIGHT JOIN t2 USING (a)
SELECT * FROM t1 FULL JOIN t2 USING (a)
SELECT * FROM t1 NATURAL JOIN t2
SELECT * FROM t1 LEFT SEMI JOIN t2 ON t1.a = t2.a
SELECT * FROM t1 LEFT ANTI JOIN t2 ON t1.a = t2.a
SELECT * FROM t1 CROSS JOIN zones
SELECT trip_id, zone FROM trips t LEFT JOIN zones z ON t.pickup_borough = z.borough
SELECT trip_id, zone FROM trips t RIGHT JOIN zones z ON t.pickup_borough = z.borough
SELECT trip_id, zone_id FROM trips t FULL OUTER JOIN zones z ON t.pickup_borough = z.borough
SELECT * FROM t1, LATERAL (SELECT t1.a + 1 AS n)
SELECT * FROM t1 JOIN LATERAL (SELECT max(b) AS m FROM t2 WHERE t2.a = t1.a)
-- Set operations.
SELECT a FROM t1 UNION SELECT a FROM t2
SELECT a, c FROM t1 UNION ALL SELECT b, d FROM t2
SELECT a FROM t1 INTERSECT SELECT a FROM t2
SELECT trip_id FROM trips EXCEPT SELECT a FROM t2
SELECT trip_id FROM trips UNION ALL SELECT zone_id FROM zones
SELECT trip_id, day FROM trips UNION ALL SELECT NULL, day FROM trips
SELECT a FROM t1 UNION SELECT a FROM t2 ORDER BY a LIMIT 3
-- VALUES, CTEs, subqueries.
VALUES (1, 'x'), (2, NULL)
SELECT * FROM VALUES (1, 'x'), (2.5, 'y') AS v(n, s)
WITH x AS (SELECT a, b FROM t1) SELECT x.a, b FROM x
WITH x(p, q) AS (SELECT a, b FROM t1), y AS (SELECT p FROM x) SELECT * FROM y
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r
SELECT * FROM (SELECT a + 1 AS n FROM t1) WHERE n > 1
SELECT s.n FROM (SELECT a + 1 AS n FROM t1) AS s
SELECT s.x FROM (SELECT a, b FROM t1) AS s(x, y)
SELECT * FROM t1 WHERE a IN (SELECT a FROM t2)
SELECT * FROM t1 WHERE (a, c) IN (SELECT a, d FROM t2)
SELECT * FROM t1 WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a)
SELECT * FROM range(5)
SELECT id * 2 AS dbl FROM range(1, 10, 2) AS r
TABLE t1
-- Generators.
SELECT id, explode(tags) FROM people
SELECT id, explode(tags) AS tag FROM people
SELECT id, explode(attrs) FROM people
SELECT id, explode(attrs) AS (k, v) FROM people
SELECT posexplode(tags) FROM people
SELECT explode_outer(tags) FROM people
SELECT inline(jobs) FROM people
SELECT stack(2, 1, 'x', 2, 'y')
SELECT id, tag FROM people LATERAL VIEW explode(tags) t AS tag
SELECT id, t.tag, pos FROM people LATERAL VIEW OUTER posexplode(tags) t AS pos, tag
SELECT id, j.title FROM people LATERAL VIEW explode(jobs) x AS j
SELECT * FROM explode(array(1, 2))
SELECT id, col FROM people, LATERAL explode(tags)
SELECT count(*), tag FROM people LATERAL VIEW explode(tags) t AS tag GROUP BY tag
-- PIVOT, UNPIVOT, TABLESAMPLE, pipes.
SELECT * FROM (SELECT pickup_borough, passengers, fare_amount FROM trips) PIVOT (sum(fare_amount) FOR passengers IN (1, 2 AS two))
SELECT * FROM (SELECT pickup_borough, passengers, fare_amount FROM trips) PIVOT (sum(fare_amount) AS s, count(*) AS n FOR passengers IN (1, 2))
SELECT * FROM t1 UNPIVOT (v FOR name IN (a, b))
SELECT * FROM t1 UNPIVOT INCLUDE NULLS (v FOR name IN (a AS x, b AS y))
SELECT * FROM t1 TABLESAMPLE (10 PERCENT)
FROM t1 |> WHERE a > 1 |> AGGREGATE sum(b) AS s GROUP BY c |> ORDER BY s DESC |> LIMIT 3
FROM t1 |> EXTEND a + 1 AS x |> DROP b |> SET a = 5
-- Errors.
SELECT loaded_at FROM t1
SELECT x.a FROM t1
SELECT fare FROM trips
SELECT trips.fare FROM trips JOIN zones ON true
SELECT zon FROM trips t, zones z
SELECT nothing
SELECT pickup_boro FROM trips WHERE day > '2024-01-01'
SELECT * FROM trips WHERE fare > 1
SELECT c FROM t1 ORDER BY nope
SELECT c FROM t1 GROUP BY nope
SELECT a FROM t1, t2
SELECT t1.a FROM t1, t1
SELECT a AS x, b AS x, x + 1 FROM t1
SELECT * FROM nope
SELECT * FROM default.nope
SELECT nope.* FROM t1
SELECT * EXCEPT (nope) FROM t1
SELECT home.town FROM people
SELECT a.x FROM t1
SELECT frobnicate(a) FROM t1
SELECT a, count(*) FROM t1
SELECT a, count(*) FROM t1 GROUP BY c
SELECT a + b, count(*) FROM t1 GROUP BY a
SELECT sum(b) FROM t1 GROUP BY c ORDER BY a
SELECT sum(b) FROM t1 GROUP BY c HAVING a > 1
SELECT * FROM t1 WHERE sum(a) > 1
SELECT * FROM t1 WHERE row_number() OVER (ORDER BY a) = 1
SELECT sum(sum(a)) FROM t1
SELECT count(*) FROM t1 GROUP BY count(*)
SELECT sum(a) AS s FROM t1 GROUP BY s
SELECT a, sum(b) FROM t1 GROUP BY 2
SELECT a FROM t1 GROUP BY 5
SELECT a FROM t1 ORDER BY 3
SELECT a FROM t1 WHERE a
SELECT a FROM t1 UNION SELECT a, b FROM t2
SELECT a FROM t1 UNION SELECT a, b FROM t2 UNION SELECT 1
SELECT home FROM people UNION ALL SELECT a FROM t1
SELECT * FROM t1 LIMIT -1
SELECT * FROM t1 LIMIT a
SELECT * FROM t1 LIMIT 'x'
SELECT * FROM t1 JOIN t2 USING (d)
SELECT rank() FROM t1
SELECT sum(a) OVER w FROM t1
SELECT (SELECT a, b FROM t1)
SELECT DISTINCT a FROM t1 ORDER BY b
SELECT * FROM (SELECT a, b FROM t1) AS s(x)
VALUES (1, 2), (3)
SELECT * FROM VALUES (1), (array(1)) AS v(x)
SELECT explode(a) FROM t1
SELECT 1 + explode(tags) FROM people
SELECT explode(tags), explode(tags) FROM people
SELECT explode(attrs) AS (k, v, w) FROM people
SELECT grouping(a) FROM t1 GROUP BY a
SELECT a + c, tags + 1 FROM t1, people
SELECT CAST(tags AS INT) FROM people
SELECT CAST(day AS INT) FROM trips
SELECT a AND b FROM t1
SELECT NOT a FROM t1
SELECT array(1, 'x', tags) FROM people
SELECT CASE WHEN a > 1 THEN tags ELSE 1 END FROM t1, people
SELECT upper() FROM t1
SELECT upper(c, c) FROM t1
SELECT current_timestamp() + 1 FROM t1
SELECT a FROM t1 WHERE c = tags
SELECT tags[1.5] FROM people
SELECT explode(tags) + 1 FROM people
SELECT transform(tags, x -> upper(x)), filter(tags, x -> x > 'a'), exists(tags, x -> x IS NULL) FROM people
SELECT dense_rank() OVER (ORDER BY a), percent_rank() OVER (ORDER BY a), ntile(4) OVER (ORDER BY a), cume_dist() OVER (ORDER BY a), first_value(a) OVER (ORDER BY b) FROM t1
SELECT int(c), string(a), date('2024-01-31'), double(a) FROM t1
SELECT struct(a, b), named_struct('x', a), map('k', a), array(a, b), element_at(tags, 1), size(tags) FROM t1, people
SELECT date_add(day, 1), datediff(day, DATE '2024-01-01'), date_trunc('hour', pickup_at), day + 1, day - DATE '2024-01-01', pickup_at + INTERVAL 1 HOUR FROM trips
SELECT tip * 2, tip / 3, tip + passengers, -tip, sum(tip) OVER () FROM trips
SELECT collect_list(c), max_by(a, b), count_if(a > 1), median(a), stddev(a), approx_count_distinct(a) FROM t1
