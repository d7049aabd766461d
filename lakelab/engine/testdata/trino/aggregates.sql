-- Aggregates, grouping, windows.
SELECT <<count(*) ;; count(x) ;; count(DISTINCT x) ;; sum(x) ;; avg(x) ;; min(x) ;; max(x) ;; count_if(x > 1) ;; bool_and(x > 0) ;; bool_or(x > 2) ;; every(x > 1) ;; arbitrary(1) ;; any_value(1) ;; array_agg(x ORDER BY x) ;; array_agg(DISTINCT x ORDER BY x) ;; array_agg(x ORDER BY x DESC NULLS LAST) ;; checksum(x) IS NOT NULL ;; geometric_mean(x) ;; stddev(x) ;; stddev_pop(x) ;; variance(x) ;; var_pop(x) ;; var_samp(x) ;; approx_distinct(x) ;; sum(DISTINCT x) ;; max(x, 2) ;; min(x, 2) ;; bitwise_and_agg(x) ;; bitwise_or_agg(x) ;; bitwise_xor_agg(x) ;; histogram(x) ;; sum(x) FILTER (WHERE x > 1) ;; count(*) FILTER (WHERE x IS NULL) ;; skewness(x) ;; kurtosis(x) ;; entropy(x) ;; approx_percentile(x, 0.5) ;; approx_percentile(x, ARRAY[0.25, 0.75]) ;; numeric_histogram(2, x) ;; reduce_agg(x, 0, (a, b) -> a + b, (a, b) -> a + b)>> FROM (VALUES 1, 2, 2, 3, NULL) t(x)
SELECT <<sum(x) ;; avg(x) ;; min(x) ;; max(x)>> FROM (VALUES <<1.5, 2.25 ;; 1e0, 2.5e0 ;; REAL '1.5', REAL '2.5' ;; BIGINT '1', BIGINT '2' ;; TINYINT '1', TINYINT '2' ;; INTERVAL '1' DAY, INTERVAL '2' DAY>>) t(x)
SELECT <<min(x) ;; max(x) ;; sum(x) ;; avg(x)>> FROM (VALUES <<'a', 'bc' ;; DATE '2024-01-01', DATE '2025-01-01' ;; true, false ;; ARRAY[1], ARRAY[2]>>) t(x)
SELECT sum(x) FROM (VALUES 9223372036854775807, 1) t(x)
SELECT <<count(*), count(x) ;; sum(x) ;; avg(x) ;; max(x) ;; array_agg(x) ;; count(*) AS n>> FROM (VALUES 1) t(x) WHERE false
SELECT <<min_by(a, b) ;; max_by(a, b) ;; max_by(a, b, 2) ;; map_agg(a, b) ;; multimap_agg(a, b) ;; corr(b, c) ;; covar_pop(b, c) ;; covar_samp(b, c) ;; regr_slope(b, c) ;; regr_intercept(b, c) ;; map_union(MAP(ARRAY[a], ARRAY[b])) ;; approx_most_frequent(2, a, 10)>> FROM (VALUES ('x', 1, 2e0), ('y', 3, 5e0), ('z', 2, 9e0)) t(a, b, c)
SELECT a, count(*), sum(b) FROM (VALUES ('x', 1), ('y', 2), ('x', 3), (NULL, 4)) t(a, b) GROUP BY <<a ;; 1 ;; ROLLUP (a) ;; CUBE (a) ;; GROUPING SETS ((a), ())>> ORDER BY 1 NULLS FIRST, 3
SELECT a, b, sum(c), grouping(a, b), grouping(a) FROM (VALUES ('x', 1, 10), ('x', 2, 20), ('y', 1, 30)) t(a, b, c) GROUP BY GROUPING SETS ((a, b), (a), ()) ORDER BY 1, 2
SELECT a, b, count(*) FROM (VALUES (1, 2), (1, 3)) t(a, b) GROUP BY CUBE (a, b) ORDER BY 1, 2
SELECT a FROM (VALUES ('x', 1), ('y', 2), ('x', 3)) t(a, b) GROUP BY a HAVING sum(b) > 2 ORDER BY a
SELECT a AS k, count(*) AS n FROM (VALUES 'x', 'y', 'x') t(a) GROUP BY a ORDER BY n DESC, k
SELECT <<a, count(*) ;; a + 1, count(*) ;; count(*) + a>> FROM (VALUES 1) t(a)
SELECT count(*) FROM (VALUES 1) t(a) WHERE count(*) > 1
SELECT sum(count(*)) FROM (VALUES 1) t(a)
SELECT a FROM (VALUES 1) t(a) GROUP BY count(*)
SELECT lower(a), count(*) FROM (VALUES 'X', 'x') t(a) GROUP BY lower(a)
SELECT a % 2, a FROM (VALUES 1, 2) t(a) GROUP BY a % 2
SELECT a, <<rank() ;; dense_rank() ;; row_number() ;; percent_rank() ;; cume_dist() ;; ntile(2) ;; lag(a) ;; lead(a) ;; lag(a, 2) ;; lag(a, 1, 0) ;; first_value(a) ;; last_value(a) ;; nth_value(a, 2) ;; sum(a) ;; avg(a) ;; count(*) ;; max(a)>> OVER (ORDER BY a) FROM (VALUES 3, 1, 2, 2) t(a)
SELECT a, b, sum(b) OVER (PARTITION BY a ORDER BY b <<ROWS BETWEEN 1 PRECEDING AND CURRENT ROW ;; ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING ;; RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING ;; ROWS 1 PRECEDING ;; GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW>>) AS s FROM (VALUES ('x', 1), ('x', 2), ('x', 4), ('y', 3)) t(a, b) ORDER BY a, b
SELECT a, lag(a) IGNORE NULLS OVER (ORDER BY k) FROM (VALUES (1, 5), (2, NULL), (3, 7)) t(k, a) ORDER BY k
SELECT a, sum(a) OVER w, count(*) OVER (w ROWS 1 PRECEDING) FROM (VALUES 1, 2) t(a) WINDOW w AS (ORDER BY a)
SELECT <<rank() ;; rank(1) OVER () ;; abs(1) OVER () ;; row_number(DISTINCT) OVER () ;; sum(row_number() OVER ()) OVER ()>> FROM (VALUES 1) t(a)
SELECT a FROM (VALUES 1) t(a) WHERE row_number() OVER () = 1
SELECT a, sum(a) OVER (ORDER BY a DESC), row_number() OVER (PARTITION BY a ORDER BY a) FROM (VALUES 1, 1, 2) t(a) ORDER BY 1, 3
SELECT DISTINCT a FROM (VALUES 1, 1, NULL, NULL) t(a) ORDER BY a
SELECT DISTINCT a FROM (VALUES (1, 2)) t(a, b) ORDER BY b
SELECT count(DISTINCT a), count(DISTINCT (a, b)) FROM (VALUES (1, 2), (1, 3), (1, 3)) t(a, b)
SELECT approx_distinct(a), approx_percentile(b, 0.5), avg(DISTINCT b) FROM (VALUES ('x', 1e0), ('y', 2e0), ('x', 3e0)) t(a, b)
SELECT sum('a'), avg(true)
SELECT listagg(a, '; ') WITHIN GROUP (ORDER BY a), listagg(DISTINCT a) WITHIN GROUP (ORDER BY a) FROM (VALUES 'x', 'y', 'x') t(a)
