-- Aggregates and window functions whose further argument is NULL.
SELECT <<max ;; min>>(a, NULL) FROM (VALUES 1, 2) t(a)
SELECT <<max ;; min>>(a, CAST(NULL AS bigint)), typeof(max(a, CAST(NULL AS bigint))) FROM (VALUES 1e0, 2e0) t(a)
SELECT <<max_by ;; min_by>>(a, b, NULL) FROM (VALUES (1, 'x'), (2, 'y')) t(a, b)
SELECT a, max(b, NULL) FROM (VALUES (1, 'x'), (2, 'y')) t(a, b) GROUP BY a ORDER BY a
SELECT approx_percentile(a, ARRAY[NULL]) FROM (VALUES 1, 2) t(a)
SELECT approx_percentile(a, ARRAY[0.5, NULL]) FROM (VALUES 1, 2) t(a)
SELECT approx_distinct(a, NULL) FROM (VALUES 1, 2) t(a)
SELECT a, <<lag ;; lead>>(a, NULL) OVER (ORDER BY a) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, nth_value(a, NULL) OVER (ORDER BY a) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, ntile(NULL) OVER (ORDER BY a) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a ROWS NULL PRECEDING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a ROWS BETWEEN CURRENT ROW AND NULL FOLLOWING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a RANGE NULL PRECEDING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT listagg(a, NULL) WITHIN GROUP (ORDER BY a) FROM (VALUES 'x', 'y') t(a)
SELECT reduce_agg(a, NULL, (x, y) -> x + y, (x, y) -> x + y) FROM (VALUES 1, 2) t(a)
SELECT numeric_histogram(NULL, a) FROM (VALUES 1e0, 2e0) t(a)
SELECT histogram(NULL), map_agg(NULL, 1), multimap_agg(NULL, 1)
-- Offsets of window functions and of frames that are no count.
SELECT a, <<lag ;; lead>>(a, <<-1 ;; 0 ;; 1e0 ;; 'x' ;; b ;; CAST(NULL AS bigint)>>) OVER (ORDER BY a) FROM (VALUES (1, 0), (2, 1), (3, NULL)) t(a, b) ORDER BY a
SELECT a, lag(a, b) OVER (ORDER BY a) FROM (VALUES (1, 0), (2, 1), (3, -1)) t(a, b) ORDER BY a
SELECT a, lag(a, 1, <<'x' ;; NULL ;; 1e0>>) OVER (ORDER BY a) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, nth_value(a, <<0 ;; -1 ;; 1 ;; 'x'>>) OVER (ORDER BY a) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, ntile(<<0 ;; -1 ;; 2 ;; 1e0>>) OVER (ORDER BY a) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a ROWS <<-1 ;; 1e0 ;; 'x' ;; CAST(NULL AS bigint) ;; a ;; 1.5 ;; 1 + 1>> PRECEDING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a ROWS BETWEEN CURRENT ROW AND <<-1 ;; CAST(NULL AS bigint) ;; 1e0 ;; a>> FOLLOWING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a RANGE <<-1 ;; 1e0 ;; 'x' ;; CAST(NULL AS bigint) ;; INTERVAL '1' DAY ;; a>> PRECEDING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, sum(a) OVER (ORDER BY a GROUPS <<-1 ;; 1 ;; CAST(NULL AS bigint) ;; 1e0>> PRECEDING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a <<RANGE ;; ROWS ;; GROUPS>> BETWEEN <<UNBOUNDED FOLLOWING AND CURRENT ROW ;; CURRENT ROW AND UNBOUNDED PRECEDING ;; 1 FOLLOWING AND CURRENT ROW ;; CURRENT ROW AND 1 PRECEDING ;; 1 FOLLOWING AND 1 PRECEDING ;; 2 FOLLOWING AND 1 FOLLOWING ;; 1 PRECEDING AND 2 PRECEDING>>) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, count(*) OVER (<<RANGE ;; ROWS ;; GROUPS>> 1 PRECEDING) FROM (VALUES 1, 2, 3) t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a, b RANGE 1 PRECEDING) FROM (VALUES (1, 2)) t(a, b)
SELECT a, count(*) OVER (ORDER BY a RANGE INTERVAL '1' DAY PRECEDING) FROM (VALUES DATE '2024-01-01', DATE '2024-01-02', DATE '2024-01-05') t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a RANGE <<1 ;; INTERVAL '1' MONTH>> PRECEDING) FROM (VALUES DATE '2024-01-01', DATE '2024-01-02') t(a) ORDER BY a
SELECT a, count(*) OVER (ORDER BY a RANGE 1 PRECEDING) FROM (VALUES 'x', 'y') t(a) ORDER BY a
SELECT a, <<rank ;; row_number ;; lag ;; first_value>>() OVER () FROM (VALUES 1) t(a)
SELECT a, row_number() OVER (ORDER BY a ROWS 1 PRECEDING), rank() OVER () FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, sum(a) FILTER (WHERE a > 1) OVER (ORDER BY a), rank() FILTER (WHERE true) OVER (ORDER BY a) FROM (VALUES 1, 2) t(a) ORDER BY a
SELECT a, sum(DISTINCT a) OVER (), count(DISTINCT a) OVER () FROM (VALUES 1, 1, 2) t(a) ORDER BY a
