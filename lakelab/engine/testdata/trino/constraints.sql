-- NOT NULL columns, types that cannot be changed, and columns that are named twice.
CREATE TABLE n (a integer NOT NULL, b varchar NOT NULL, c integer, r row(x integer, y varchar) NOT NULL)
INSERT INTO n <<VALUES (1, 'x', NULL, row(1, 'y')) ;; VALUES (NULL, 'x', 1, row(1, 'y')) ;; VALUES (1, NULL, 1, row(1, 'y')) ;; VALUES (NULL, NULL, 1, NULL) ;; VALUES (1, 'x', 1, NULL) ;; VALUES (1, 'x', 1, row(NULL, NULL)) ;; SELECT NULL, 'x', 1, row(1, 'y') ;; SELECT nullif(1, 1), 'x', 1, row(1, 'y') ;; SELECT 1, 'x', 1, row(1, 'y') WHERE false ;; VALUES (2, 'x', 1, row(1, 'y')), (NULL, 'x', 1, row(1, 'y'))>>
INSERT INTO n (<<a) VALUES (1) ;; b, c) VALUES ('x', 1) ;; c) VALUES (1) ;; b, a, r) VALUES ('z', 3, row(2, 'w')) ;; a, b, r) SELECT 1, 'x', NULL WHERE false>>
SELECT * FROM n ORDER BY a, c
UPDATE n SET <<a = NULL ;; b = NULL ;; a = nullif(a, 1) ;; r = NULL ;; c = NULL ;; a = 5, b = NULL ;; r = row(NULL, NULL)>>
UPDATE n SET a = NULL WHERE false
UPDATE n SET a = nullif(a, 9) WHERE c = 77
MERGE INTO n USING (VALUES 1, 3) s(id) ON n.a = s.id WHEN MATCHED THEN UPDATE SET <<a = NULL ;; b = NULL ;; a = nullif(n.a, 1) ;; c = NULL ;; r = NULL>>
MERGE INTO n USING (VALUES 10) s(id) ON n.a = s.id WHEN NOT MATCHED THEN INSERT <<VALUES (NULL, 'x', 1, row(1, 'y')) ;; (a) VALUES (10) ;; (a, b, c) VALUES (10, 'x', 1) ;; (a, b, r) VALUES (10, 'm', row(3, 'v')) ;; VALUES (nullif(s.id, 10), 'x', 1, row(1, 'y'))>>
SELECT * FROM n ORDER BY a, b
CREATE TABLE n2 (LIKE n)
SHOW CREATE TABLE n2
ALTER TABLE n ALTER COLUMN c SET NOT NULL
ALTER TABLE n ALTER COLUMN b DROP NOT NULL
ALTER TABLE n ALTER COLUMN b DROP NOT NULL
ALTER TABLE n ALTER COLUMN nosuch DROP NOT NULL
INSERT INTO n VALUES (4, NULL, 1, row(1, 'y'))
CREATE TABLE types (i integer, l bigint, f real, d double, c decimal(5, 2), v varchar, dt date, ts timestamp(6), tz timestamp(6) with time zone, r row(x integer, y row(z integer)), a array(integer), m map(varchar, integer), b boolean, x varbinary, u uuid)
INSERT INTO types (i, l, f, d, c, v, r, a, m) VALUES (1, 2, 3, 4, 5, '6', row(7, row(8)), ARRAY[9], MAP(ARRAY['k'], ARRAY[10]))
ALTER TABLE types ALTER COLUMN l SET DATA TYPE <<integer ;; varchar ;; double ;; decimal(10, 0) ;; bigint ;; smallint ;; boolean>>
ALTER TABLE types ALTER COLUMN i SET DATA TYPE <<real ;; varchar ;; smallint ;; tinyint ;; nosuch ;; decimal(20, 0) ;; char(5) ;; json ;; date ;; integer>>
ALTER TABLE types ALTER COLUMN d SET DATA TYPE <<real ;; decimal(5, 2) ;; bigint ;; double>>
ALTER TABLE types ALTER COLUMN f SET DATA TYPE <<integer ;; decimal(5, 2) ;; varchar>>
ALTER TABLE types ALTER COLUMN c SET DATA TYPE <<decimal(4, 2) ;; decimal(6, 3) ;; decimal(5, 1) ;; decimal(5, 2) ;; double ;; bigint ;; decimal(38, 2) ;; decimal(39, 2)>>
ALTER TABLE types ALTER COLUMN v SET DATA TYPE <<varchar(10) ;; varchar ;; integer ;; varbinary ;; char(3)>>
ALTER TABLE types ALTER COLUMN dt SET DATA TYPE <<timestamp(6) ;; varchar ;; date>>
ALTER TABLE types ALTER COLUMN ts SET DATA TYPE <<timestamp(3) ;; timestamp(9) ;; date ;; timestamp(6) with time zone ;; timestamp>>
ALTER TABLE types ALTER COLUMN tz SET DATA TYPE <<timestamp(6) ;; timestamp(3) with time zone ;; timestamp(6) with time zone>>
ALTER TABLE types ALTER COLUMN r SET DATA TYPE <<row(x bigint, y row(z integer)) ;; row(x smallint, y row(z integer)) ;; row(x bigint) ;; row(x bigint, y row(z bigint), w varchar) ;; row(q bigint) ;; integer ;; row(x varchar, y row(z integer))>>
SELECT r FROM types
ALTER TABLE types ALTER COLUMN a SET DATA TYPE <<array(bigint) ;; array(integer) ;; array(varchar) ;; integer ;; array(array(integer))>>
ALTER TABLE types ALTER COLUMN m SET DATA TYPE <<map(varchar, bigint) ;; map(integer, bigint) ;; map(varchar, varchar) ;; integer>>
ALTER TABLE types ALTER COLUMN <<b ;; x ;; u>> SET DATA TYPE varchar
ALTER TABLE types ALTER COLUMN r.x SET DATA TYPE <<bigint ;; varchar ;; integer>>
ALTER TABLE types ALTER COLUMN r.y.z SET DATA TYPE <<bigint ;; varchar>>
ALTER TABLE types ALTER COLUMN r.nosuch SET DATA TYPE bigint
ALTER TABLE types ALTER COLUMN nosuch SET DATA TYPE bigint
ALTER TABLE types ALTER COLUMN i.x SET DATA TYPE bigint
ALTER TABLE nosuch ALTER COLUMN a SET DATA TYPE bigint
DESCRIBE types
ALTER TABLE types ADD COLUMN <<r.n integer ;; r.x integer ;; r.y.n integer ;; i.n integer ;; nosuch.n integer ;; a.element.q integer ;; IF NOT EXISTS r.n integer ;; k tinyint ;; k2 char(3) ;; k3 timestamp(3) ;; k4 json ;; k5 varchar(3)>>
ALTER TABLE types ADD COLUMN j integer FIRST
ALTER TABLE types ADD COLUMN j2 integer AFTER i
ALTER TABLE types ADD COLUMN j3 integer LAST
ALTER TABLE types ADD COLUMN j4 integer AFTER nosuch
ALTER TABLE types ADD COLUMN j5 integer COMMENT 'five'
ALTER TABLE types ADD COLUMN j6 integer DEFAULT 5
ALTER TABLE types DROP COLUMN <<r.n ;; r.nosuch ;; nosuch.n ;; i.n ;; IF EXISTS r.nosuch ;; r.y.n ;; r.y.z>>
ALTER TABLE types RENAME COLUMN <<r.x TO xx ;; r.nosuch TO q ;; r.xx TO y ;; nosuch.x TO q ;; IF EXISTS r.nosuch TO q ;; i TO I ;; i TO l ;; "i" TO "Big">>
DESCRIBE types
CREATE TABLE one (a integer) WITH (partitioning = ARRAY['a'])
ALTER TABLE one DROP COLUMN a
CREATE TABLE two (a integer, b integer, c date) WITH (partitioning = ARRAY['a', 'month(c)'], sorted_by = ARRAY['b'])
ALTER TABLE two DROP COLUMN <<a ;; c ;; b>>
ALTER TABLE two ALTER COLUMN <<a ;; c ;; b>> SET DATA TYPE bigint
ALTER TABLE two RENAME COLUMN <<a TO aa ;; c TO cc ;; b TO bb>>
SHOW CREATE TABLE two
CREATE TABLE dup (a integer, A integer)
CREATE TABLE dup AS SELECT 1 a, 2 A
CREATE TABLE empty ()
INSERT INTO two (aa, AA) VALUES (1, 2)
INSERT INTO two (nosuch) VALUES (1)
INSERT INTO nosuch VALUES (1)
CREATE VIEW vw AS SELECT * FROM two
SELECT * FROM vw FOR VERSION AS OF 1
SELECT * FROM vw FOR VERSION AS OF BIGINT '1'
SELECT * FROM vw FOR TIMESTAMP AS OF TIMESTAMP '2024-01-01 00:00:00 UTC'
WITH q AS (SELECT 1 a) SELECT * FROM q FOR VERSION AS OF <<BIGINT '1' ;; 'x'>>
SELECT * FROM two FOR VERSION AS OF <<BIGINT '1' ;; 1 ;; 'nosuch' ;; NULL ;; 1.5 ;; true>>
SELECT * FROM two FOR TIMESTAMP AS OF <<TIMESTAMP '2001-01-01 00:00:00 UTC' ;; TIMESTAMP '2001-01-01 00:00:00' ;; DATE '2001-01-01' ;; NULL ;; 'x' ;; 1>>
SELECT * FROM nosuch FOR VERSION AS OF BIGINT '1'
SELECT * FROM tpch.tiny.nation FOR VERSION AS OF BIGINT '1'
SELECT * FROM tpch.tiny.nation FOR TIMESTAMP AS OF TIMESTAMP '2001-01-01 00:00:00 UTC'
SELECT * FROM "two$snapshots" FOR VERSION AS OF BIGINT '1'
SELECT * FROM (VALUES 1) t(a) FOR VERSION AS OF BIGINT '1'
SELECT * FROM information_schema.tables FOR VERSION AS OF BIGINT '1'
