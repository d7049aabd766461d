-- Which functions take a frame.
SELECT a, <<rank ;; dense_rank ;; row_number ;; percent_rank ;; cume_dist>>() OVER (ORDER BY a ROWS 1 PRECEDING) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, <<ntile(2) ;; lag(a) ;; lead(a) ;; first_value(a) ;; last_value(a) ;; nth_value(a, 1) ;; count(a) ;; array_agg(a)>> OVER (ORDER BY a ROWS 1 PRECEDING) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, <<lag ;; lead ;; first_value>>(a) OVER () FROM (VALUES 1) t(a)
SELECT a, <<ntile(2) ;; row_number()>> OVER (PARTITION BY a RANGE UNBOUNDED PRECEDING) FROM (VALUES 1) t(a)
-- Frames of a named window.
SELECT a, <<rank() ;; sum(a)>> OVER w FROM (VALUES 1, 2) t(a) WINDOW w AS (ORDER BY a ROWS 1 PRECEDING) ORDER BY a
SELECT a, sum(a) OVER (w RANGE 1 PRECEDING) FROM (VALUES 1, 2) t(a) WINDOW w AS <<(ORDER BY a) ;; () ;; (ORDER BY a, a) ;; (ORDER BY a ROWS 1 PRECEDING) ;; (PARTITION BY a ORDER BY a)>> ORDER BY a
SELECT a, sum(a) OVER <<w ;; (w ORDER BY a) ;; (w PARTITION BY a) ;; v>> FROM (VALUES 1, 2) t(a) WINDOW w AS (ORDER BY a) ORDER BY a
SELECT a, sum(a) OVER (w) FROM (VALUES 1, 2) t(a) WINDOW w AS (ORDER BY a), <<v AS (w ROWS 1 PRECEDING) ;; w AS (PARTITION BY a) ;; W AS () ;; v AS (ORDER BY a RANGE 'x' PRECEDING) ;; v AS (u)>> ORDER BY a
SELECT a, sum(a) OVER (v) FROM (VALUES 1, 2) t(a) WINDOW w AS (ORDER BY a DESC), v AS (w <<ROWS UNBOUNDED PRECEDING>>) ORDER BY a
-- The order of the checks.
SELECT a, sum(a) OVER (ORDER BY a ROWS BETWEEN UNBOUNDED FOLLOWING AND 'x' PRECEDING) FROM (VALUES 1, 2) t(a)
SELECT a, sum(a) OVER (RANGE BETWEEN 'x' FOLLOWING AND b FOLLOWING) FROM (VALUES 1, 2) t(a)
SELECT a, rank() FILTER (WHERE true) OVER (ORDER BY a ROWS 'x' PRECEDING) FROM (VALUES 1, 2) t(a)
SELECT a, rank() OVER (ORDER BY a ROWS 'x' PRECEDING) FROM (VALUES 1, 2) t(a)
SELECT a, sum(a) FILTER (WHERE true) OVER (), nosuch FROM (VALUES 1, 2) t(a)
SELECT * FROM (SELECT a, sum(a) FILTER (WHERE true) OVER () FROM (VALUES 1, 2) t(a))
SELECT a, sum(a) OVER (ORDER BY sum(a) OVER ()) FROM (VALUES 1, 2) t(a)
SELECT a, sum(a) OVER (ORDER BY a ROWS sum(a) OVER () PRECEDING) FROM (VALUES 1, 2) t(a)
SELECT a, sum(sum(a) OVER ()) OVER () FROM (VALUES 1, 2) t(a)
SELECT a, sum(a) OVER (ORDER BY MAP(ARRAY[1], ARRAY[a])) FROM (VALUES 1, 2) t(a)
SELECT <<abs ;; rank>>(DISTINCT a) OVER () FROM (VALUES 1, 2) t(a)
-- Offsets of several types.
SELECT a, sum(a) OVER (ORDER BY a ROWS <<tinyint '1' ;; smallint '1' ;; bigint '1' ;; decimal '1' ;; decimal '1234567890123456789012' ;; 9223372036854775807 ;; true ;; DATE '2024-01-01'>> PRECEDING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a RANGE <<1 ;; 1.5 ;; 1e0 ;; 15e-1 ;; real '1' ;; bigint '1'>> PRECEDING) FROM (VALUES <<tinyint '1', tinyint '2', tinyint '3' ;; 1, 2, 3 ;; bigint '1', bigint '2' ;; 1.0, 1.5, 2.5 ;; 1e0, 2e0, 35e-1 ;; real '1', real '2'>>) t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a RANGE BETWEEN <<1 ;; 15e-1>> PRECEDING AND <<1 ;; 0.5>> FOLLOWING) FROM (VALUES 1, 2, 3, NULL) t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a DESC RANGE <<1 ;; b ;; -1>> PRECEDING) FROM (VALUES (1, 0), (2, 1), (3, 2)) t(a, b) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a DESC <<NULLS FIRST ;; NULLS LAST>> RANGE 1 FOLLOWING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a RANGE <<INTERVAL '1' HOUR ;; INTERVAL '-1' HOUR ;; INTERVAL '1' MONTH ;; INTERVAL '-1' MONTH ;; CAST(NULL AS interval day to second)>> PRECEDING) FROM (VALUES <<TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-01 00:30:00' ;; TIMESTAMP '2024-01-01 00:00:00 UTC', TIMESTAMP '2024-01-01 00:30:00 UTC' ;; TIME '01:00:00', TIME '01:30:00' ;; DATE '2024-01-01', DATE '2024-01-02' ;; INTERVAL '1' DAY, INTERVAL '2' DAY ;; INTERVAL '1' YEAR, INTERVAL '2' YEAR>>) t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a RANGE <<x ;; INTERVAL '1' DAY * b>> PRECEDING) FROM (VALUES (DATE '2024-01-01', INTERVAL '1' DAY, 0), (DATE '2024-01-02', INTERVAL '2' DAY, -1)) t(a, x, b) ORDER BY a
-- Offsets that depend on rows.
SELECT a, sum(a) OVER (ORDER BY a <<ROWS ;; GROUPS ;; RANGE>> BETWEEN b PRECEDING AND b + 1 FOLLOWING) FROM (VALUES (1, 0), (2, 1), (3, 0)) t(a, b) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a <<ROWS ;; GROUPS ;; RANGE>> BETWEEN b PRECEDING AND CURRENT ROW) FROM (VALUES (1, 0), (2, 1), (3, <<-1 ;; NULL>>)) t(a, b) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a ROWS (SELECT 1) PRECEDING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, count(*), sum(a) OVER (ORDER BY a ROWS <<a ;; count(*) ;; b ;; max(b)>> PRECEDING) FROM (VALUES (1, 1), (2, 2), (2, 3)) t(a, b) GROUP BY a ORDER BY a
SELECT (SELECT sum(x) OVER (ROWS a PRECEDING) FROM (VALUES 1) u(x)) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a ROWS -1 PRECEDING) FROM (VALUES 1) t(a) WHERE a > 1
SELECT a, <<lag(a, -1) ;; nth_value(a, 0) ;; ntile(0)>> OVER (ORDER BY a) FROM (VALUES 1) t(a) WHERE a > 1
SELECT a, <<lag(a, b) ;; nth_value(a, b) ;; ntile(b)>> OVER (ORDER BY a) FROM (VALUES (1, 1), (2, 2), (3, 0)) t(a, b) ORDER BY a
SELECT a, <<nth_value(a, b) ;; ntile(b)>> OVER (ORDER BY a) FROM (VALUES (1, 1), (2, NULL), (3, 2)) t(a, b) ORDER BY a
SELECT a, lag(a, 1) IGNORE NULLS OVER (ORDER BY a), nth_value(a, 2) IGNORE NULLS OVER (ORDER BY b) FROM (VALUES (1, 1), (NULL, 2), (3, 3)) t(a, b) ORDER BY b
SELECT approx_percentile(a, <<ARRAY[2e0] ;; ARRAY[0.5, -1e0] ;; CAST(NULL AS array(double)) ;; ARRAY[b] ;; ARRAY[]>>) FROM (VALUES (1, NULL), (2, 0.5)) t(a, b)
SELECT approx_distinct(a, <<0.1 ;; NULL ;; CAST(NULL AS double)>>) FROM (VALUES 1, 2) t(a) WHERE a > <<0 ;; 5>>
