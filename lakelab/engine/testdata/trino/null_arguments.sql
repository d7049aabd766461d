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
