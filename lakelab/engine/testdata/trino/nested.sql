-- Comparison of arrays, rows and maps that hold NULL or NaN.
SELECT ARRAY[1, NULL] <<= ;; <> ;; < ;; >= ;; IS DISTINCT FROM ;; IS NOT DISTINCT FROM>> ARRAY[<<1, NULL ;; 2, NULL ;; 1, 2 ;; 1>>]
SELECT ROW(1, NULL) <<= ;; <> ;; < ;; >= ;; IS DISTINCT FROM ;; IS NOT DISTINCT FROM>> ROW(<<1, NULL ;; 2, NULL ;; 1, 2>>)
SELECT ARRAY[ROW(1, NULL)] <> ARRAY[ROW(<<1, 2 ;; 2, 3>>)]
SELECT ROW(1, ARRAY[NULL, 2]) <> ROW(1, ARRAY[1, <<2 ;; 3>>])
SELECT a <<= ;; <> ;; < ;; > ;; <= ;; >=>> b FROM (VALUES (ARRAY[1, 2], ARRAY[1, 3]), (ARRAY[1, 2], ARRAY[1]), (ARRAY[], ARRAY[1]), (NULL, ARRAY[1])) t(a, b)
SELECT a = b, a <> b, a IS DISTINCT FROM b FROM (VALUES (ARRAY[1, NULL], ARRAY[1, NULL]), (ARRAY[1, NULL], ARRAY[1, 2]), (ARRAY[1, NULL], ARRAY[2, NULL]), (NULL, ARRAY[1])) t(a, b)
SELECT ARRAY[1, NULL] <<IN (ARRAY[1, NULL]) ;; IN (ARRAY[2, NULL]) ;; IN (ARRAY[1], ARRAY[1, 2]) ;; NOT IN (ARRAY[2, 2]) ;; BETWEEN ARRAY[1, 1] AND ARRAY[1, 3] ;; BETWEEN ARRAY[2, 1] AND ARRAY[2, 3]>>
SELECT ROW(1, NULL) <<IN (ROW(1, NULL)) ;; IN (ROW(2, NULL)) ;; IN (ROW(1, 2), ROW(2, 2)) ;; NOT IN (ROW(2, 2)) ;; BETWEEN ROW(0, 1) AND ROW(1, 3)>>
SELECT <<nullif(ARRAY[1, NULL], ARRAY[1, NULL]) ;; nullif(ARRAY[1], ARRAY[1]) ;; CASE ARRAY[1, NULL] WHEN ARRAY[1, NULL] THEN 'same' ELSE 'other' END ;; CASE ROW(1, NULL) WHEN ROW(1, NULL) THEN 'same' ELSE 'other' END>>
SELECT <<ARRAY[nan()] = ARRAY[nan()] ;; ARRAY[nan()] <> ARRAY[nan()] ;; ARRAY[nan()] < ARRAY[1e0] ;; ARRAY[nan()] > ARRAY[1e0] ;; ARRAY[nan()] IS DISTINCT FROM ARRAY[nan()] ;; ROW(nan()) = ROW(nan()) ;; ROW(nan(), 1) < ROW(nan(), 2) ;; ARRAY[REAL 'NaN'] = ARRAY[REAL 'NaN']>>
SELECT <<contains(ARRAY[1, NULL], 2) ;; contains(ARRAY[ARRAY[1, NULL]], ARRAY[1, NULL]) ;; contains(ARRAY[ROW(1, NULL)], ROW(1, NULL)) ;; contains(ARRAY[nan()], nan()) ;; array_position(ARRAY[nan()], nan()) ;; array_distinct(ARRAY[nan(), nan()]) ;; array_distinct(ARRAY[ARRAY[1, NULL], ARRAY[1, NULL]]) ;; array_position(ARRAY[ARRAY[1, NULL]], ARRAY[1, NULL])>>
SELECT count(*) FROM (SELECT DISTINCT x FROM (VALUES ARRAY[1, NULL], ARRAY[1, NULL], ARRAY[NULL, 1]) t(x))
SELECT count(*) FROM (VALUES ARRAY[1, NULL], ARRAY[1, 2]) a(x) JOIN (VALUES ARRAY[1, NULL], ARRAY[1, 2]) b(x) ON a.x = b.x
SELECT count(*) FROM (VALUES ROW(ROW(1, NULL)), ROW(ROW(1, 2))) a(x) JOIN (VALUES ROW(ROW(1, NULL)), ROW(ROW(1, 2))) b(x) ON a.x = b.x
SELECT MAP(ARRAY[1, 2], ARRAY['a', 'b']) <<= ;; <> ;; IS DISTINCT FROM ;; IN ;; NOT IN>> (MAP(ARRAY[2, 1], ARRAY[<<'b', 'a' ;; 'a', 'b' ;; NULL, 'a' ;; NULL, 'b'>>]))
SELECT MAP(ARRAY[1], ARRAY[<<NULL ;; 'a'>>]) <<= ;; IS DISTINCT FROM>> MAP(ARRAY[1], ARRAY[NULL])
SELECT MAP(ARRAY[1, 2], ARRAY['a', 'b']) <> MAP(ARRAY[<<1 ;; 3>>], ARRAY['a'])
SELECT MAP(ARRAY[1], ARRAY[nan()]) <<= ;; IS DISTINCT FROM>> MAP(ARRAY[1], ARRAY[nan()])
SELECT ARRAY[MAP(ARRAY[1, 2], ARRAY['a', 'b'])] <<= ;; IS DISTINCT FROM>> ARRAY[MAP(ARRAY[2, 1], ARRAY['b', 'a'])]
SELECT ROW(MAP(ARRAY[1, 2], ARRAY['a', 'b'])) <<= ;; IS DISTINCT FROM>> ROW(MAP(ARRAY[2, 1], ARRAY['b', 'a']))
SELECT CASE MAP(ARRAY[1, 2], ARRAY['a', 'b']) WHEN MAP(ARRAY[2, 1], ARRAY['b', 'a']) THEN 'same' ELSE 'other' END, nullif(MAP(ARRAY[1, 2], ARRAY['a', 'b']), MAP(ARRAY[2, 1], ARRAY['b', 'a']))
SELECT count(*) FROM (SELECT DISTINCT x FROM (VALUES MAP(ARRAY[1, 2], ARRAY['a', 'b']), MAP(ARRAY[2, 1], ARRAY['b', 'a'])) t(x))
SELECT count(*), cardinality(x) FROM (VALUES MAP(ARRAY[1, 2], ARRAY['a', 'b']), MAP(ARRAY[2, 1], ARRAY['b', 'a'])) t(x) GROUP BY x
SELECT count(*) FROM (SELECT MAP(ARRAY[1, 2], ARRAY['a', 'b']) AS x <<UNION ;; INTERSECT ;; EXCEPT>> SELECT MAP(ARRAY[2, 1], ARRAY['b', 'a']))
SELECT count(*) FROM (VALUES MAP(ARRAY[1, 2], ARRAY['a', 'b'])) a(x) JOIN (VALUES MAP(ARRAY[2, 1], ARRAY['b', 'a'])) b(x) ON a.x = b.x
SELECT count(DISTINCT x) FROM (VALUES MAP(ARRAY[1, 2], ARRAY['a', 'b']), MAP(ARRAY[2, 1], ARRAY['b', 'a'])) t(x)
SELECT cardinality(array_distinct(ARRAY[MAP(ARRAY[1, 2], ARRAY['a', 'b']), MAP(ARRAY[2, 1], ARRAY['b', 'a'])])), contains(ARRAY[MAP(ARRAY[1, 2], ARRAY['a', 'b'])], MAP(ARRAY[2, 1], ARRAY['b', 'a']))
SELECT MAP(ARRAY[1, 2], ARRAY['a', 'b']) IN (SELECT MAP(ARRAY[2, 1], ARRAY['b', 'a']))
SELECT ARRAY[1, NULL] <<IN ;; NOT IN>> (SELECT ARRAY[<<1, NULL ;; 2, 3>>])
-- NaN is neither greater nor less than another number.
SELECT max(x), min(x) FROM (VALUES 1e0, nan(), 2e0) t(x)
SELECT max(x), min(x) FROM (VALUES nan(), 1e0, 2e0) t(x)
SELECT max(x), min(x) FROM (VALUES nan(), nan(), NULL) t(x)
SELECT max(x), min(x) FROM (VALUES REAL '1', REAL 'NaN', REAL '2') t(x)
SELECT max(x, 2), min(x, 2) FROM (VALUES 1e0, nan(), 2e0) t(x)
SELECT max_by(y, x), min_by(y, x) FROM (VALUES (1e0, 'a'), (nan(), 'b'), (2e0, 'c')) t(x, y)
SELECT max_by(y, x), min_by(y, x) FROM (VALUES (nan(), 'b'), (1e0, 'a'), (2e0, 'c')) t(x, y)
SELECT max_by(y, x, 2), min_by(y, x, 2) FROM (VALUES (1e0, 'a'), (nan(), 'b'), (2e0, 'c')) t(x, y)
SELECT max(x) OVER (ORDER BY i), min(x) OVER (ORDER BY i) FROM (VALUES (1, 1e0), (2, nan()), (3, 2e0)) t(i, x)
SELECT array_max(ARRAY[<<1e0, nan(), 2e0 ;; nan(), 1e0 ;; nan() ;; 1e0, NULL, nan() ;; nan(), NULL>>])
SELECT array_min(ARRAY[<<1e0, nan(), 2e0 ;; nan(), 1e0 ;; nan() ;; 1e0, NULL, nan() ;; nan(), NULL>>])
SELECT array_max(ARRAY[REAL 'NaN', REAL '1']), array_min(ARRAY[REAL 'NaN', REAL '1'])
SELECT greatest(1e0, nan()), least(1e0, nan()), greatest(nan(), 1e0), least(nan(), 1e0)
SELECT nan() <<IN (nan()) ;; IN (1e0, nan()) ;; IN (1e0, NULL) ;; NOT IN (nan()) ;; NOT IN (1e0) ;; BETWEEN 1e0 AND 2e0 ;; NOT BETWEEN 1e0 AND 2e0 ;; BETWEEN nan() AND nan()>>
SELECT 1e0 <<BETWEEN nan() AND 2e0 ;; BETWEEN 0e0 AND nan() ;; NOT BETWEEN 0e0 AND nan() ;; BETWEEN 2e0 AND nan() ;; IN (nan(), 1e0)>>
SELECT x, x IN (1e0, 2e0), x BETWEEN 1e0 AND 2e0, x BETWEEN 0e0 AND infinity(), x > 1e0, nullif(x, nan()), CASE x WHEN nan() THEN 1 ELSE 2 END FROM (VALUES 1e0, nan(), NULL) t(x)
SELECT nan() IN (SELECT nan()), nan() NOT IN (SELECT nan()), nan() > ALL (SELECT 1e0), nan() = ANY (SELECT nan())
SELECT count(*) FROM (VALUES nan(), 1e0) a(x) JOIN (VALUES nan(), 1e0) b(x) ON a.x = b.x
SELECT count(*) FROM (VALUES nan(), 1e0) a(x) JOIN (VALUES nan(), 1e0) b(x) USING (x)
SELECT count(*) FROM (SELECT DISTINCT x FROM (VALUES nan(), nan(), 1e0) t(x))
SELECT x FROM (VALUES 1e0, nan(), -infinity(), infinity(), NULL) t(x) ORDER BY x <<ASC ;; DESC>>
SELECT <<array_sort(ARRAY[2e0, nan(), 1e0, NULL]) ;; arrays_overlap(ARRAY[nan()], ARRAY[nan()]) ;; array_intersect(ARRAY[nan()], ARRAY[nan()]) ;; array_except(ARRAY[nan()], ARRAY[nan()]) ;; array_remove(ARRAY[nan(), 1e0], nan()) ;; contains(ARRAY[1e0, nan()], 2e0)>>
SELECT x <<> ;; < ;; >= ;; <=>> <<ALL ;; ANY>> (SELECT * FROM (VALUES <<1, 3 ;; 1, NULL ;; CAST(NULL AS integer)>>) t) FROM (VALUES 0, 2, 4, NULL) t(x)
SELECT x > ALL (SELECT 1 WHERE false), x > ANY (SELECT 1 WHERE false) FROM (VALUES 1, NULL) t(x)
SELECT x > ALL (VALUES 1e0, nan()), x <= ANY (VALUES nan(), 2e0) FROM (VALUES 2e0, nan()) t(x)
