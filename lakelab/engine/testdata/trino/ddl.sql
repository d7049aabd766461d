-- Definitions and changes of Iceberg tables.
CREATE SCHEMA lakehouse.suite
CREATE SCHEMA IF NOT EXISTS lakehouse.suite
DROP SCHEMA lakehouse.<<nosuch ;; suite_none>>
DROP SCHEMA IF EXISTS lakehouse.nosuch
CREATE TABLE a (id bigint, name varchar, price decimal(10, 2), day date)
CREATE TABLE a (id bigint)
CREATE TABLE IF NOT EXISTS a (id bigint)
CREATE TABLE bad1 (x nosuch)
CREATE TABLE bad2 (x tinyint)
CREATE TABLE bad3 (x json)
CREATE TABLE bad4 (x char(3), y timestamp(3), z smallint)
CREATE TABLE bad5 (x interval day to second)
CREATE TABLE bad6 (x time(3))
CREATE TABLE bad7 (x varchar(5))
DESCRIBE <<bad2 ;; bad4 ;; bad6 ;; bad7>>
DROP TABLE IF EXISTS <<bad2 ;; bad4 ;; bad6 ;; bad7>>
CREATE TABLE nosuch.x (id bigint)
CREATE TABLE b (id bigint, id varchar)
CREATE TABLE b (id bigint) WITH (nosuch = 1)
CREATE TABLE b (id bigint) WITH (format = 'x')
CREATE TABLE b (id bigint) WITH (partitioning = ARRAY['y'])
INSERT INTO a VALUES (1, 'x', 1.5, DATE '2024-01-01'), (2, 'y', 2.25, DATE '2024-01-02')
INSERT INTO a (id, name) VALUES (3, 'z')
INSERT INTO a (name, id) SELECT 'q', 4
INSERT INTO a VALUES (1)
INSERT INTO a VALUES ('x', 'y', 1, DATE '2024-01-01')
INSERT INTO a (nosuch) VALUES (1)
INSERT INTO a (id, id) VALUES (1, 2)
INSERT INTO nosuch VALUES (1)
INSERT INTO a (id, price) VALUES (5, 12345678901)
INSERT INTO a SELECT * FROM a WHERE false
SELECT * FROM a ORDER BY id
CREATE TABLE c AS SELECT id, name, price * 2 AS twice FROM a
CREATE TABLE c AS SELECT 1 AS x
CREATE TABLE IF NOT EXISTS c AS SELECT 1 AS x
CREATE TABLE e AS SELECT 1
CREATE TABLE e AS SELECT 1 AS x, 2 AS x
CREATE TABLE e (p, q) AS SELECT 1, 'a'
CREATE TABLE f AS SELECT * FROM a WITH NO DATA
CREATE OR REPLACE TABLE f AS SELECT 5 AS n
SELECT * FROM <<c ORDER BY id ;; e ;; f>>
DESCRIBE <<c ;; e ;; f>>
ALTER TABLE a ADD COLUMN <<tip decimal(6, 2) ;; tip varchar ;; IF NOT EXISTS tip varchar ;; note varchar COMMENT 'a note' ;; bad nosuch ;; q bigint NOT NULL>>
ALTER TABLE a RENAME COLUMN <<name TO title ;; nosuch TO x ;; title TO id ;; IF EXISTS nosuch TO x>>
ALTER TABLE a DROP COLUMN <<tip ;; nosuch ;; IF EXISTS nosuch>>
ALTER TABLE a ALTER COLUMN <<price SET DATA TYPE decimal(12, 2) ;; price SET DATA TYPE varchar ;; id DROP NOT NULL ;; nosuch SET DATA TYPE bigint>>
ALTER TABLE nosuch ADD COLUMN x bigint
ALTER TABLE IF EXISTS nosuch ADD COLUMN x bigint
SELECT * FROM a ORDER BY id
DESCRIBE a
COMMENT ON TABLE a IS 'the table'
COMMENT ON COLUMN a.title IS 'the title'
COMMENT ON COLUMN a.nosuch IS 'x'
COMMENT ON TABLE nosuch IS 'x'
DESCRIBE a
UPDATE a SET price = price + 1 WHERE id = 1
UPDATE a SET title = 'all'
UPDATE a SET nosuch = 1
UPDATE a SET id = 'x'
SELECT id, title, price FROM a ORDER BY id
DELETE FROM a WHERE id = 2
DELETE FROM a WHERE id = 99
DELETE FROM a WHERE nosuch = 1
DELETE FROM nosuch
SELECT id FROM a ORDER BY id
MERGE INTO a t USING (VALUES (1, 'merged'), (9, 'new')) AS s(id, title) ON t.id = s.id WHEN MATCHED THEN UPDATE SET title = s.title WHEN NOT MATCHED THEN INSERT (id, title) VALUES (s.id, s.title)
MERGE INTO a t USING (VALUES (1, 'A'), (1, 'B')) AS s(id, title) ON t.id = s.id WHEN MATCHED THEN UPDATE SET title = s.title
MERGE INTO a t USING (VALUES 3) AS s(id) ON t.id = s.id WHEN MATCHED AND t.title = 'all' THEN DELETE
SELECT id, title FROM a ORDER BY id
SELECT operation FROM "a$snapshots" ORDER BY committed_at
TRUNCATE TABLE a
SELECT count(*) FROM a
TRUNCATE TABLE nosuch
CREATE VIEW v AS SELECT id, twice FROM c WHERE id > 1
CREATE VIEW v AS SELECT 1 AS x
CREATE OR REPLACE VIEW v AS SELECT id, name FROM c
SELECT * FROM v ORDER BY id
SHOW CREATE VIEW v
DESCRIBE v
SHOW TABLES
DROP TABLE v
DROP VIEW v
DROP VIEW v
DROP VIEW IF EXISTS v
CREATE VIEW w AS SELECT nosuch FROM c
ALTER TABLE c RENAME TO g
ALTER TABLE g RENAME TO a
SELECT count(*) FROM c
SELECT count(*) FROM g
ALTER TABLE g SET PROPERTIES format_version = 2
ALTER TABLE g SET PROPERTIES nosuch = 1
ALTER TABLE g EXECUTE <<optimize ;; optimize(file_size_threshold => '1MB') ;; expire_snapshots(retention_threshold => '0s') ;; remove_orphan_files(retention_threshold => '0s') ;; nosuchproc ;; rollback_to_snapshot(42) ;; expire_snapshots(retention_threshold => '-1s') ;; optimize_manifests>>
CALL lakehouse.system.rollback_to_snapshot('suite', 'g', 42)
CALL lakehouse.system.nosuch()
ANALYZE g
DROP TABLE a
DROP TABLE a
DROP TABLE IF EXISTS a
DROP SCHEMA suite
CREATE MATERIALIZED VIEW mv AS SELECT 1 AS x
CREATE TABLE p (id bigint, ts timestamp(6), city varchar) WITH (partitioning = ARRAY['day(ts)', 'bucket(id, 4)'], format = 'PARQUET')
INSERT INTO p VALUES (1, TIMESTAMP '2024-01-01 10:00:00', 'x'), (2, TIMESTAMP '2024-01-02 10:00:00', 'y')
SELECT partition, record_count FROM "p$partitions" ORDER BY 1
SELECT id FROM p WHERE ts < TIMESTAMP '2024-01-02 00:00:00'
