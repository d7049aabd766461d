-- Statements that change tables, metadata tables, and statements of other engines.
CREATE TABLE t (id integer NOT NULL, name varchar, r row(a integer, b varchar), l array(integer), m map(varchar, integer), d decimal(5, 2), ts timestamp(6), tz timestamp(6) with time zone)
INSERT INTO t (id) VALUES 1, 2, 3
INSERT INTO t (name) VALUES 'x'
INSERT INTO t (id, d) VALUES (4, 1.005)
INSERT INTO t (id, ts) VALUES (5, TIMESTAMP '2024-01-01 00:00:00.123456789')
INSERT INTO t (id, r) VALUES (6, ROW(1, 'b'))
INSERT INTO t (id, r) VALUES (7, (1, 'b', 2))
INSERT INTO t (id, l, m) VALUES (8, ARRAY[1, NULL], MAP(ARRAY['a'], ARRAY[1]))
INSERT INTO t (id, l) VALUES (9, ARRAY['a'])
SELECT * FROM t ORDER BY id
UPDATE t SET id = NULL WHERE id = 1
UPDATE t SET nosuch = 1
UPDATE t SET id = 'a'
UPDATE t SET id = 1, id = 2
UPDATE t SET r.a = 5
UPDATE t SET name = (SELECT max(name) FROM t) WHERE id = 1
UPDATE t SET name = 'n' || CAST(id AS varchar) WHERE id < 3
UPDATE t AS x SET name = 'q' WHERE x.id = 3
UPDATE nosuch SET a = 1
UPDATE t SET name = 'z' WHERE nosuch = 1
UPDATE t SET name = 'z' WHERE id
UPDATE t SET name = 'z' WHERE count(*) > 1
DELETE FROM t WHERE id = 3
DELETE FROM t WHERE id IN (SELECT id FROM t WHERE id > 7)
DELETE FROM t AS x WHERE x.id = 100
DELETE FROM t WHERE 'a'
DELETE FROM nosuch
DELETE FROM t WHERE rand() < 2 AND id = 1000
SELECT id, name FROM t ORDER BY id
MERGE INTO t USING (VALUES (1, 'm'), (50, 'n')) s(id, name) ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name)
MERGE INTO t USING (VALUES (1, 'm'), (1, 'n')) s(id, name) ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = s.name
MERGE INTO t USING (VALUES (1, 'm')) s(id, name) ON t.id = s.id WHEN MATCHED AND s.name = 'x' THEN DELETE WHEN MATCHED THEN UPDATE SET id = s.id + 0
MERGE INTO t USING (VALUES (1, 'm')) s(id, name) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (nosuch) VALUES (1)
MERGE INTO t USING (VALUES (1, 'm')) s(id, name) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, id) VALUES (1, 2)
MERGE INTO t USING (VALUES (1, 'm')) s(id, name) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (1, 2)
MERGE INTO t USING (VALUES (77, 'm')) s(id, name) ON t.id = s.id WHEN NOT MATCHED THEN INSERT (name) VALUES (s.name)
MERGE INTO t USING nosuch s ON t.id = s.id WHEN MATCHED THEN DELETE
MERGE INTO nosuch USING t s ON true WHEN MATCHED THEN DELETE
MERGE INTO t USING (VALUES 1) s(q) ON id = q WHEN MATCHED THEN UPDATE SET t.name = 'x'
MERGE INTO t t1 USING t t2 ON t1.id = t2.id AND t1.id = 50 WHEN MATCHED THEN DELETE
SELECT id, name FROM t ORDER BY id
INSERT INTO nosuch VALUES 1
INSERT INTO nosuch.y VALUES 1
INSERT INTO tpch.tiny.nation VALUES (1, 'a', 1, 'b')
DELETE FROM tpch.tiny.nation
UPDATE tpch.tiny.nation SET name = 'x'
MERGE INTO tpch.tiny.nation USING (VALUES 1) s(q) ON nationkey = q WHEN MATCHED THEN DELETE
CREATE TABLE tpch.tiny.x (a integer)
CREATE TABLE tpch.tiny.x AS SELECT 1 a
CREATE VIEW tpch.tiny.v AS SELECT 1 a
CREATE SCHEMA tpch.x
DROP TABLE tpch.tiny.nation
TRUNCATE TABLE tpch.tiny.nation
COMMENT ON TABLE tpch.tiny.nation IS 'x'
ALTER TABLE tpch.tiny.nation ADD COLUMN x integer
ANALYZE tpch.tiny.nation
ALTER TABLE tpch.tiny.nation EXECUTE optimize
CREATE SCHEMA system.x
CREATE TABLE c AS SELECT * FROM t WITH NO DATA
CREATE TABLE c AS SELECT 1 a
CREATE TABLE IF NOT EXISTS c AS SELECT 1 a
CREATE TABLE c2 (x, y) AS SELECT 1, 2
CREATE TABLE c3 (x) AS SELECT 1, 2
CREATE TABLE c3 AS SELECT 1
CREATE TABLE c3 AS SELECT 1 a, 2 a
CREATE TABLE c3 AS SELECT NULL a
CREATE TABLE c3 AS SELECT TIMESTAMP '2024-01-01 00:00:00.123456789' a
CREATE TABLE c4 AS SELECT TINYINT '1' a, CHAR 'x' b, TIME '10:00' c, INTERVAL '1' DAY d
CREATE TABLE c4 AS SELECT TINYINT '1' a
CREATE TABLE c5 COMMENT 'x' WITH (format_version = 2, partitioning = ARRAY['day(ts)']) AS SELECT TIMESTAMP '2024-01-01 10:00:00' ts, 1 id
DESCRIBE c5
SELECT partition, record_count FROM "c5$files"
INSERT INTO c5 VALUES (TIMESTAMP '2024-01-02 10:00:00', 2), (NULL, 3)
SELECT content, record_count FROM "c5$entries" ORDER BY 1, 2
SELECT status, data_file.record_count FROM "c5$entries" ORDER BY 1, 2
SELECT data_file.file_format FROM "c5$all_entries"
DELETE FROM c5 WHERE ts >= TIMESTAMP '2024-01-02 00:00:00'
SELECT operation FROM "c5$snapshots" ORDER BY committed_at
SELECT count(*) FROM "c5$all_manifests"
SELECT count(*) FROM "c5$history" WHERE is_current_ancestor
SELECT name, type FROM "c5$refs"
SELECT * FROM "c5$nosuch"
SELECT * FROM "c5$data"
SELECT * FROM "nosuch$files"
SELECT * FROM c5 ORDER BY nosuch
DESCRIBE "c5$files"
DESCRIBE "c5$partitions"
DESCRIBE "c5$manifests"
DESCRIBE "c5$entries"
DESCRIBE "c5$all_entries"
DESCRIBE "c5$history"
DESCRIBE "c5$snapshots"
DESCRIBE "c5$refs"
DESCRIBE "c5$metadata_log_entries"
DESCRIBE "c5$properties"
DESCRIBE "c5$nosuch"
SHOW CREATE TABLE "c5$files"
SHOW STATS FOR "c5$files"
SHOW CREATE TABLE nosuch
ANALYZE c5
ANALYZE c5 WITH (columns = ARRAY['id'])
ANALYZE c5 WITH (columns = ARRAY['nosuch'])
ANALYZE c5 WITH (nosuch = 1)
ANALYZE nosuch
SHOW STATS FOR nosuch
SHOW STATS FOR (SELECT id + 1 FROM c5)
SHOW STATS FOR (SELECT id FROM c5 WHERE id > 1)
CREATE TABLE li (LIKE c5)
CREATE TABLE li3 (x integer, LIKE nosuch)
DESCRIBE li
CREATE FUNCTION f(x integer) RETURNS integer RETURN x + 1
CREATE FUNCTION lakehouse.suite.f(x integer) RETURNS integer RETURN x + 1
DROP FUNCTION f(integer)
WITH FUNCTION f(x integer) RETURNS integer RETURN x + 1 SELECT f(2)
CREATE CATALOG c USING tpch
DROP CATALOG c
SHOW CATALOGS LIKE 't%'
SHOW SCHEMAS FROM nosuch
SHOW SCHEMAS LIKE 'inf%'
SHOW TABLES FROM nosuch
SHOW TABLES FROM nosuch.x
SHOW TABLES LIKE 'c_'
SHOW TABLES LIKE 'c$_' ESCAPE '$'
USE nosuch
USE nosuch.x
USE tpch.nosuch
USE tpch.tiny
SHOW TABLES
SELECT count(*) FROM nation
SELECT count(*) FROM sf1.nation
USE information_schema
USE lakehouse.suite
KILL QUERY 'x'
SHOW PROCESSLIST
SHOW DATABASES
SHOW VIEWS
SHOW TBLPROPERTIES t
SHOW PARTITIONS t
MSCK REPAIR TABLE t
REFRESH TABLE t
VACUUM t
OPTIMIZE t
CREATE INDEX i ON t (id)
CREATE TEMPORARY TABLE q (a integer)
CREATE EXTERNAL TABLE q (a integer)
CREATE OR REPLACE TABLE c (z integer)
CREATE OR REPLACE TABLE IF NOT EXISTS c (z integer)
CREATE OR REPLACE TABLE c AS SELECT 1 q
TABLE c
SELECT count(*) FROM "c$snapshots"
LOAD DATA INPATH 'x' INTO TABLE t
INSERT OVERWRITE t SELECT 1
REPLACE INTO t VALUES 1
UPSERT INTO t VALUES 1
