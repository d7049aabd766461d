-- What a written value is made into: INSERT, UPDATE and MERGE take what Trino coerces by itself, and nothing else.
CREATE TABLE w (id integer, l bigint, r real, d double, c decimal(10, 2), s varchar, x varbinary, dt date, tm time(6), ts timestamp(6), tz timestamp(6) with time zone, u uuid, b boolean)
INSERT INTO w (id, l) VALUES (1, <<1 ;; TINYINT '1' ;; 1.0 ;; 1e0 ;; '1' ;; true ;; NULL ;; BIGINT '5' ;; DECIMAL '1'>>)
INSERT INTO w (id) VALUES (<<SMALLINT '2' ;; BIGINT '2' ;; 2.5 ;; 3000000000 ;; NULL>>)
INSERT INTO w (r) VALUES (<<1 ;; BIGINT '16777217' ;; 1.5 ;; 1.5e0 ;; REAL '1.5' ;; '1.5'>>)
INSERT INTO w (d) VALUES (<<1 ;; 1.5 ;; REAL '1.5' ;; DECIMAL '12345678901234567890.5' ;; '1.5'>>)
INSERT INTO w (c) VALUES (<<1 ;; 1.5 ;; 1.555 ;; 123456789.5 ;; 1e0 ;; DECIMAL '1234567890123.1' ;; TINYINT '3' ;; BIGINT '3' ;; '1.5' ;; 1.5678>>)
INSERT INTO w (s) VALUES (<<'text' ;; CAST('ab' AS char(5)) ;; 1 ;; true ;; CAST('ab' AS varchar(1)) ;; X'00' ;; DATE '2024-01-01' ;; JSON '1' ;; U&'\0041'>>)
INSERT INTO w (x) VALUES (<<X'00FF' ;; 'text' ;; 1>>)
INSERT INTO w (dt) VALUES (<<TIMESTAMP '2024-01-03 23:30:00 -05:00' ;; TIMESTAMP '2024-01-04 23:59:59.9999999' ;; DATE '2024-01-01' ;; '2024-01-01' ;; TIMESTAMP '2024-01-01 00:00:00' ;; 1>>)
INSERT INTO w (tm) VALUES (<<TIME '10:11:12.123456' ;; TIME '10:11:12' ;; TIME '10:11:12.123456789' ;; TIMESTAMP '2024-01-01 10:11:12' ;; '10:11:12' ;; TIME '10:11:12+03:00'>>)
INSERT INTO w (ts) VALUES (<<TIMESTAMP '2024-01-01 10:11:12' ;; TIMESTAMP '2024-01-01 10:11:12.123456789' ;; DATE '2024-01-01' ;; TIMESTAMP '2024-01-01 10:11:12 UTC' ;; '2024-01-01 10:11:12' ;; TIMESTAMP '2024-01-01 10:11:12.9999999'>>)
INSERT INTO w (tz) VALUES (<<TIMESTAMP '2024-01-01 10:11:12 UTC' ;; TIMESTAMP '2024-01-01 10:11:12.123456789 Europe/Oslo' ;; TIMESTAMP '2024-01-01 10:11:12' ;; DATE '2024-01-01' ;; '2024-01-01 10:11:12 UTC'>>)
INSERT INTO w (u) VALUES (<<UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59' ;; '12151fd2-7586-11e9-8f9e-2a86e4085a59'>>)
INSERT INTO w (b) VALUES (<<true ;; 1 ;; 'true' ;; NULL>>)
SELECT * FROM w ORDER BY id, l, r, d, c, s, dt, tm, ts, tz, x, u, b
UPDATE w SET <<l = 7 ;; l = 7.0 ;; l = '7' ;; id = BIGINT '7' ;; id = TINYINT '7' ;; r = 1.5 ;; r = 1.5e0 ;; d = 1.5 ;; c = 1.555 ;; c = 123456789012 ;; c = 1e0 ;; s = CAST('ab' AS char(5)) ;; s = 1 ;; ts = DATE '2024-02-01' ;; ts = TIMESTAMP '2024-02-01 00:00:00.123456789' ;; tz = TIMESTAMP '2024-02-01 00:00:00.5' ;; tm = TIME '01:02:03' ;; dt = TIMESTAMP '2024-01-01 00:00:00' ;; l = NULL ;; b = 1>> WHERE id = 2
SELECT * FROM w WHERE id IN (2, 7) ORDER BY id, l
MERGE INTO w USING (VALUES 7) q(id) ON w.id = q.id WHEN MATCHED THEN UPDATE SET <<l = 8 ;; l = 8.0 ;; c = 1.555 ;; c = 1e0 ;; s = CAST('cd' AS char(5)) ;; ts = DATE '2024-03-01' ;; id = BIGINT '7' ;; r = 2.5 ;; tz = DATE '2024-03-01'>>
MERGE INTO w USING (VALUES 100) q(id) ON w.id = q.id WHEN NOT MATCHED THEN INSERT (id, <<l) VALUES (1, 2.0) ;; c) VALUES (100, 1.555) ;; c) VALUES (1, 1e0) ;; ts) VALUES (101, DATE '2024-03-01') ;; s) VALUES (102, CAST('ef' AS char(4))) ;; s) VALUES (103, 1)>>
SELECT id, l, c, s, r, ts, tz FROM w WHERE id >= 7 ORDER BY id
CREATE TABLE rows_ (id integer, r row(a integer, b varchar), q row(x double, y row(z bigint)), arr array(double), am array(row(k integer, v varchar)), m map(varchar, bigint), mm map(integer, array(decimal(10, 2))))
INSERT INTO rows_ (id, r) VALUES (1, <<row(5, 'z') ;; (6, 'y') ;; row(5) ;; row(5, 'z', 1) ;; row('z', 5) ;; row(TINYINT '5', 'z') ;; row(BIGINT '5', 'z') ;; CAST(row(7, 'c') AS row(b integer, a varchar)) ;; row(NULL, NULL) ;; NULL ;; ARRAY[1] ;; 5 ;; row(1, CAST('x' AS char(3)))>>)
SELECT id, r, r.a, r.b FROM rows_ ORDER BY r.a, r.b, r IS NULL DESC
INSERT INTO rows_ (id, q) VALUES (2, <<row(1, row(2)) ;; row(1.5, row(BIGINT '3')) ;; row(1e0, NULL) ;; row('a', row(1)) ;; row(1, row(1e0)) ;; row(1, 2) ;; row(1, row(1, 2))>>)
SELECT id, q, q.y.z FROM rows_ WHERE id = 2 ORDER BY q.x, q.y.z
INSERT INTO rows_ (id, arr) VALUES (3, <<ARRAY[1, 2] ;; ARRAY[1.5, NULL] ;; ARRAY[] ;; ARRAY[NULL] ;; ARRAY['a'] ;; ARRAY[ARRAY[1]] ;; ARRAY[REAL '1.5'] ;; 1>>)
INSERT INTO rows_ (id, am) VALUES (4, <<ARRAY[row(1, 'a')] ;; ARRAY[row(1, 'a'), NULL] ;; ARRAY[(TINYINT '1', 'b')] ;; ARRAY[row(1)] ;; ARRAY[row('a', 1)] ;; ARRAY[CAST(row(1, 'c') AS row(v integer, k varchar))]>>)
INSERT INTO rows_ (id, m) VALUES (5, <<MAP(ARRAY['a'], ARRAY[1]) ;; MAP(ARRAY['a', 'b'], ARRAY[1, NULL]) ;; MAP() ;; MAP(ARRAY[1], ARRAY[1]) ;; MAP(ARRAY['a'], ARRAY['b']) ;; MAP(ARRAY['a'], ARRAY[1.5])>>)
INSERT INTO rows_ (id, mm) VALUES (6, <<MAP(ARRAY[1], ARRAY[ARRAY[1.5]]) ;; MAP(ARRAY[1], ARRAY[ARRAY[1]]) ;; MAP(ARRAY[TINYINT '1'], ARRAY[ARRAY[1.555]]) ;; MAP(ARRAY[BIGINT '1'], ARRAY[ARRAY[1]]) ;; MAP(ARRAY[1], ARRAY[ARRAY[1e0]])>>)
SELECT id, arr FROM rows_ WHERE id > 2 ORDER BY id, json_format(CAST(arr AS json))
SELECT id, am FROM rows_ WHERE id > 2 ORDER BY id, json_format(CAST(am AS json))
SELECT id, m FROM rows_ WHERE id > 2 ORDER BY id, json_format(CAST(m AS json))
SELECT id, mm FROM rows_ WHERE id > 2 ORDER BY id, json_format(CAST(mm AS json))
DELETE FROM rows_
INSERT INTO rows_ VALUES (1, row(1, 'a'), row(1, row(2)), ARRAY[1], ARRAY[row(1, 'a')], MAP(ARRAY['a'], ARRAY[1]), MAP(ARRAY[1], ARRAY[ARRAY[1]]))
UPDATE rows_ SET r = <<row(5, 'z') ;; (6, 'y') ;; row(5) ;; row(5, 'z', 1) ;; row('z', 5) ;; row(BIGINT '5', 'z') ;; CAST(row(7, 'c') AS row(b integer, a varchar)) ;; row(NULL, 'w') ;; 5 ;; r>>
SELECT * FROM rows_
UPDATE rows_ SET q = <<row(2, row(3)) ;; row(1.5, row(BIGINT '3')) ;; row('a', row(1)) ;; row(1, row(1e0)) ;; NULL>>
UPDATE rows_ SET arr = <<ARRAY[2, 3] ;; ARRAY[1.5, NULL] ;; ARRAY['a'] ;; arr || 4 ;; ARRAY[]>>, id = 2
UPDATE rows_ SET am = <<ARRAY[row(2, 'b')] ;; ARRAY[row(1)] ;; ARRAY[CAST(row(3, 'c') AS row(v integer, k varchar))] ;; am || row(4, 'd')>>
UPDATE rows_ SET m = <<MAP(ARRAY['b'], ARRAY[2]) ;; MAP(ARRAY[1], ARRAY[1]) ;; MAP() ;; MAP(ARRAY['a'], ARRAY[1.5])>>
UPDATE rows_ SET mm = <<MAP(ARRAY[TINYINT '1'], ARRAY[ARRAY[1.555]]) ;; MAP(ARRAY[1], ARRAY[ARRAY[1e0]]) ;; MAP(ARRAY[2], ARRAY[ARRAY[2, NULL]])>>
SELECT * FROM rows_
UPDATE rows_ SET r.a = 1
MERGE INTO rows_ USING (VALUES 2) v(id) ON rows_.id = v.id WHEN MATCHED THEN UPDATE SET <<r = row(8, 'm') ;; r = (9, 'n') ;; r = row('a', 1) ;; r = row(1) ;; q = row(4, row(5)) ;; arr = ARRAY[6] ;; arr = ARRAY['a'] ;; am = ARRAY[row(TINYINT '7', 'e')] ;; m = MAP(ARRAY['c'], ARRAY[3]) ;; mm = MAP(ARRAY[3], ARRAY[ARRAY[1.5]]) ;; mm = MAP(ARRAY[3], ARRAY[ARRAY['x']])>>
MERGE INTO rows_ USING (VALUES 3) v(id) ON rows_.id = v.id WHEN NOT MATCHED THEN INSERT (id, r, arr, m) VALUES (v.id, <<row(8, 'm'), ARRAY[6], MAP(ARRAY['c'], ARRAY[3]) ;; row('a', 1), NULL, NULL ;; NULL, ARRAY['x'], NULL>>)
MERGE INTO rows_ USING (VALUES (4, row(1, 'src'))) v(id, r) ON rows_.id = v.id WHEN NOT MATCHED THEN INSERT (id, r) VALUES (v.id, v.r)
SELECT * FROM rows_ ORDER BY id
INSERT INTO rows_ SELECT 5, row(1, 'q'), row(1, row(1)), ARRAY[1], NULL, NULL, NULL
INSERT INTO rows_ SELECT * FROM (VALUES (6, row(1, 'q'), row(1, row(1)), ARRAY[1], NULL, NULL, NULL))
INSERT INTO rows_ SELECT 1, 2
INSERT INTO rows_ VALUES (1)
INSERT INTO rows_ (id, r) VALUES (1)
INSERT INTO rows_ (r, id) SELECT row(1, 'last'), 7
SELECT id, r FROM rows_ ORDER BY id
CREATE TABLE ctas AS SELECT CAST('ab' AS char(4)) c, TINYINT '1' t, SMALLINT '2' s, TIMESTAMP '2024-01-01 00:00:00.123456789' ts, TIME '10:11:12.123456789' tm, row(1, 'x') r, CAST(row(1, 'x') AS row(a tinyint, b char(3))) q, ARRAY[TINYINT '1'] a, 'lit' v, 1.50 d
CREATE TABLE ctas AS SELECT CAST('ab' AS char(4)) c, TINYINT '1' t, SMALLINT '2' s, TIMESTAMP '2024-01-01 00:00:00.123456789' ts, TIME '10:11:12.123456789' tm, CAST(row(1, 'x') AS row(a tinyint, b char(3))) q, ARRAY[TINYINT '1'] a, 'lit' v, 1.50 d
SELECT * FROM ctas
INSERT INTO ctas (c) VALUES (<<CAST('xyz' AS char(3)) ;; 'abcdef'>>)
INSERT INTO ctas (q) VALUES (<<row(2, 'zz') ;; row(TINYINT '2', CAST('z' AS char(2)))>>)
SELECT c, q FROM ctas ORDER BY c, q.a, q.b
