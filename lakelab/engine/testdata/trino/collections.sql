-- Arrays, maps, rows and lambdas.
SELECT cardinality(<<ARRAY[1, 2] ;; MAP(ARRAY[1], ARRAY[2]) ;; ARRAY[] ;; NULL ;; 1>>)
SELECT <<array_distinct(ARRAY[1, 2, 1, NULL, NULL]) ;; array_sort(ARRAY[3, NULL, 1]) ;; array_max(ARRAY[1, 3, 2]) ;; array_min(ARRAY[1, NULL]) ;; array_max(ARRAY[]) ;; array_remove(ARRAY[1, 2, 1], 1) ;; array_position(ARRAY[1, 2], 2) ;; array_position(ARRAY[1, 2], 9) ;; array_position(ARRAY[1, 2, 1], 1, 2) ;; array_first(ARRAY[1, 2], x -> x > 1) ;; array_last(ARRAY[1, 2]) ;; reverse(ARRAY[1, 2, 3]) ;; shuffle(ARRAY[1])>>
SELECT array_sort(ARRAY[3, 1, 2], (x, y) -> IF(x < y, 1, IF(x = y, 0, -1)))
SELECT array_<<union ;; intersect ;; except>>(ARRAY[1, 2, 2, NULL], ARRAY[2, 3, NULL])
SELECT <<arrays_overlap(ARRAY[1, 2], ARRAY[2]) ;; arrays_overlap(ARRAY[1, NULL], ARRAY[3]) ;; array_join(ARRAY[1, NULL, 2], ',') ;; array_join(ARRAY['a', NULL], '-', '?') ;; contains(ARRAY[1, 2], 2) ;; contains(ARRAY[1, NULL], 2) ;; contains_sequence(ARRAY[1, 2, 3], ARRAY[2, 3]) ;; flatten(ARRAY[ARRAY[1], NULL, ARRAY[2, 3]]) ;; trim_array(ARRAY[1, 2, 3], 2) ;; combinations(ARRAY[1, 2, 3], 2) ;; ngrams(ARRAY['a', 'b', 'c'], 2) ;; array_histogram(ARRAY[1, 1, 2])>>
SELECT element_at(<<ARRAY[1, 2], 1 ;; ARRAY[1, 2], -1 ;; ARRAY[1, 2], 5 ;; ARRAY[1, 2], 0 ;; MAP(ARRAY['a'], ARRAY[1]), 'a' ;; MAP(ARRAY['a'], ARRAY[1]), 'b'>>)
SELECT slice(ARRAY[1, 2, 3, 4], <<2, 2 ;; -2, 2 ;; 3, 9 ;; 0, 1 ;; 1, 0 ;; 1, -1>>)
SELECT sequence(<<1, 5 ;; 5, 1 ;; 1, 10, 3 ;; 10, 1, -3 ;; 1, 10, -1 ;; 3, 3>>)
SELECT <<filter(ARRAY[1, 2, 3], x -> x > 1) ;; transform(ARRAY[1, 2], x -> x * 2) ;; transform(ARRAY[1, NULL], x -> coalesce(x, 0) + 1) ;; reduce(ARRAY[1, 2, 3], 0, (s, x) -> s + x, s -> s) ;; zip(ARRAY[1, 2], ARRAY['a']) ;; zip_with(ARRAY[1, 2], ARRAY[3, 4], (x, y) -> x + y) ;; transform(ARRAY['a'], x -> x || 'b') ;; transform(ARRAY[1], x -> 'a')>>
SELECT reduce(ARRAY[5, 20], CAST(ROW(0.0, 0) AS ROW(s double, c integer)), (s, x) -> CAST(ROW(x + s.s, s.c + 1) AS ROW(s double, c integer)), s -> s.s / s.c)
SELECT <<map_keys(m) ;; map_values(m) ;; map_entries(m) ;; cardinality(m) ;; map_filter(m, (k, v) -> v > 1) ;; transform_keys(m, (k, v) -> k || 'x') ;; transform_values(m, (k, v) -> v * 10) ;; map_concat(m, MAP(ARRAY['c'], ARRAY[3])) ;; element_at(m, 'b') ;; m['a'] ;; map_zip_with(m, m, (k, a, b) -> a + b)>> FROM (VALUES MAP(ARRAY['a', 'b'], ARRAY[1, 2])) t(m)
SELECT map_from_entries(<<ARRAY[(1, 'x'), (2, 'y')] ;; ARRAY[(1, 'x'), (1, 'y')]>>)
SELECT multimap_from_entries(ARRAY[(1, 'x'), (1, 'y')]), map_agg(k, v), multimap_agg(k, v) FROM (VALUES (1, 'a')) t(k, v)
SELECT MAP(), map(ARRAY[1], ARRAY[ROW(1, 'x')])
SELECT transform(ARRAY[1, 2], <<x -> y ;; (x, y) -> x ;; 1>>)
SELECT filter(ARRAY[1, 2], x -> x)
SELECT filter(1, x -> true)
SELECT r.a, r.b FROM (SELECT CAST(ROW(1, 'x') AS ROW(a integer, b varchar)) AS r)
SELECT r FROM (SELECT CAST(ROW(1, NULL) AS ROW(a integer, b varchar)) AS r)
SELECT CAST(ROW(1, ROW(2, 'z')) AS ROW(a integer, b ROW(c integer, d varchar))).b.d
SELECT t.* FROM (VALUES (1, 'a')) t(x, y)
SELECT ROW(1, 2).*
SELECT CAST(ROW(1, 2) AS ROW(p integer, q integer)).* AS (a, b)
SELECT x, n FROM UNNEST(ARRAY['a', 'b']) WITH ORDINALITY AS t(x, n)
SELECT * FROM UNNEST(<<ARRAY[1, 2] ;; ARRAY[1, 2], ARRAY['a'] ;; MAP(ARRAY['a', 'b'], ARRAY[1, 2]) ;; ARRAY[ROW(1, 'a'), ROW(2, 'b')] ;; ARRAY[] ;; NULL ;; 1>>)
SELECT id, x FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[]), (3, NULL)) t(id, a) CROSS JOIN UNNEST(a) AS u(x)
SELECT id, x FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[])) t(id, a) LEFT JOIN UNNEST(a) AS u(x) ON true
SELECT id, k, v FROM (VALUES (1, MAP(ARRAY['p', 'q'], ARRAY[5, 6]))) t(id, m), UNNEST(m) AS u(k, v) ORDER BY k
SELECT a.x, b.y FROM (VALUES ARRAY[1, 2]) t(xs) CROSS JOIN UNNEST(xs) AS a(x) CROSS JOIN UNNEST(sequence(1, x)) AS b(y) ORDER BY 1, 2
SELECT * FROM UNNEST(ARRAY[CAST(ROW(1, 'a') AS ROW(i integer, s varchar))]) WITH ORDINALITY
SELECT ARRAY[1, 2, 3] || ARRAY[4], ARRAY[ARRAY[1, 2], ARRAY[3]][2][1]
SELECT ARRAY[MAP(ARRAY['a'], ARRAY[ARRAY[ROW(1, 'x')]])]
SELECT MAP(ARRAY[ROW(1, 'a')], ARRAY['z']), MAP(ARRAY[DATE '2024-01-01'], ARRAY[X'CAFE']), MAP(ARRAY[1.5], ARRAY[1e0])
SELECT array_agg(x) IS NULL, cardinality(array_agg(x)) FROM (VALUES 1) t(x) WHERE x > 5
SELECT <<json_array_length('[1, 2]') ;; is_json_scalar('1') ;; json_size('{"a": [1, 2]}', '$.a')>>
