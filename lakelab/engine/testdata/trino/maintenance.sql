-- Statements that maintain tables, and those that the connector or Trino refuses.
CREATE TABLE m (id bigint, name varchar, day date, n decimal(10, 2)) WITH (partitioning = ARRAY['day'])
INSERT INTO m VALUES (1, 'a', DATE '2024-01-01', 1.5), (2, 'b', DATE '2024-01-02', NULL), (3, NULL, DATE '2024-01-02', 3)
INSERT INTO m VALUES (4, 'd', DATE '2024-01-03', 4)
ALTER TABLE m EXECUTE <<optimize ;; OPTIMIZE ;; optimize(file_size_threshold => '1MB') ;; optimize(FILE_SIZE_THRESHOLD => '1MB') ;; optimize(file_size_threshold => '10') ;; optimize(file_size_threshold => 10) ;; optimize('1MB') ;; optimize('1MB', 'x') ;; optimize(nosuch => 1) ;; optimize(file_size_threshold => '1MB', file_size_threshold => '2MB') ;; optimize WHERE day = DATE '2024-01-02' ;; optimize WHERE day > DATE '2024-01-01' AND day < DATE '2024-01-03' ;; optimize WHERE id = 1 ;; optimize WHERE nosuch = 1 ;; optimize WHERE id ;; optimize(file_size_threshold => '128MB') WHERE day IN (DATE '2024-01-01')>>
ALTER TABLE m EXECUTE <<optimize_manifests ;; optimize_manifests(x => 1) ;; optimize_manifests WHERE day = DATE '2024-01-01'>>
ALTER TABLE m EXECUTE <<expire_snapshots(retention_threshold => '0s') ;; expire_snapshots ;; expire_snapshots(retention_threshold => '7d') ;; expire_snapshots(retention_threshold => 'x') ;; expire_snapshots(retention_threshold => 7) ;; expire_snapshots('0d') ;; expire_snapshots(nosuch => '7d') ;; expire_snapshots(retention_threshold => '7d') WHERE id = 1 ;; expire_snapshots(retention_threshold => '0s', clean_expired_metadata => true) ;; expire_snapshots(retention_threshold => '0s', retain_last => 1)>>
ALTER TABLE m EXECUTE <<remove_orphan_files(retention_threshold => '7d') ;; remove_orphan_files ;; remove_orphan_files(retention_threshold => 'x') ;; remove_orphan_files(nosuch => 1)>>
ALTER TABLE m EXECUTE <<drop_extended_stats ;; drop_extended_stats(x => 1) ;; rollback_to_snapshot ;; rollback_to_snapshot('x') ;; rollback_to_snapshot(1.5) ;; rollback_to_snapshot(nosuch => 1) ;; rollback_to_snapshot(snapshot_id => 1) ;; rollback_to_snapshot(1, 2) ;; rollback_to_timestamp(TIMESTAMP '2001-01-01 00:00:00 UTC') ;; add_files(location => 'x', format => 'PARQUET') ;; add_files_from_table(schema_name => 'suite', table_name => 'nosuch')>>
ALTER TABLE nosuch EXECUTE optimize
ALTER TABLE IF EXISTS nosuch EXECUTE optimize
ALTER TABLE nosuch.m EXECUTE optimize
ALTER TABLE m EXECUTE nosuch(x => 1)
SELECT count(*), sum(id) FROM m
CALL system.rollback_to_snapshot('suite', 'm', 1)
CALL system.rollback_to_snapshot('suite', 'nosuch', 1)
CALL system.rollback_to_snapshot('suite', 'm')
CALL system.rollback_to_snapshot(schema => 'suite', table => 'm', snapshot_id => 1)
CALL system.rollback_to_snapshot('suite', 'm', 'x')
CALL system.nosuch()
CALL nosuch()
CALL lakehouse.nosuch.proc()
CALL nosuch.system.proc()
CALL system.register_table('suite', 'r', 'file:///nosuch')
CALL system.unregister_table('suite', 'nosuch')
CALL system.<<runtime.kill_query('x') ;; create_empty_partition('a', 'b', ARRAY['c'], ARRAY['d']) ;; flush_metadata_cache()>>
CALL system.runtime.kill_query(query_id => '20200101_000000_00000_aaaaa', message => 'x')
ANALYZE m
ANALYZE m WITH (columns = ARRAY['id', 'name'])
ANALYZE m WITH (columns = ARRAY['nosuch'])
ANALYZE m WITH (columns = ARRAY[])
ANALYZE m WITH (nosuch = 1)
ANALYZE m WITH (columns = 1)
ANALYZE nosuch
SHOW STATS FOR m
SHOW STATS FOR (SELECT id, name FROM m)
SHOW STATS FOR (SELECT * FROM m WHERE id = 1)
SHOW STATS FOR nosuch
ALTER TABLE m EXECUTE drop_extended_stats
SHOW STATS FOR m
CREATE TABLE e (b boolean, t tinyint, i integer, l bigint, r real, d double, c decimal(20, 3), v varchar, x varbinary, dt date, tm time(6), ts timestamp(6), tz timestamp(6) with time zone, u uuid, a array(integer), m map(varchar, integer), w row(f integer))
SHOW STATS FOR e
INSERT INTO e VALUES (true, 1, -5, 9223372036854775807, 1.5, -2.5e0, 12.345, 'text', X'00FF', DATE '2024-02-29', TIME '10:11:12', TIMESTAMP '2024-02-29 10:11:12.5', TIMESTAMP '2024-02-29 10:11:12.5 UTC', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', ARRAY[1], MAP(ARRAY['a'], ARRAY[1]), ROW(1)), (false, 2, 7, 0, nan(), infinity(), 0, 'other text', X'', DATE '1969-12-31', TIME '00:00:00', TIMESTAMP '1969-12-31 23:59:59', TIMESTAMP '1969-12-31 23:59:59 UTC', NULL, NULL, NULL, NULL), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
SHOW STATS FOR e
ANALYZE e
SHOW STATS FOR e
COMMENT ON TABLE m IS 'of m'
COMMENT ON TABLE m IS NULL
COMMENT ON COLUMN m.name IS 'of name'
COMMENT ON COLUMN m.name IS NULL
COMMENT ON COLUMN name IS 'x'
COMMENT ON COLUMN nosuch.name IS 'x'
COMMENT ON VIEW m IS 'x'
COMMENT ON VIEW nosuch IS 'x'
COMMENT ON TABLE nosuch.t IS 'x'
COMMENT ON TABLE nosuch.suite.t IS 'x'
CREATE VIEW v COMMENT 'a view' AS SELECT id, name AS title FROM m WHERE id > 1
COMMENT ON VIEW v IS 'the view'
COMMENT ON TABLE v IS 'x'
COMMENT ON COLUMN v.title IS 'the title'
DESCRIBE v
SHOW CREATE VIEW v
SHOW CREATE TABLE v
SHOW CREATE VIEW m
SHOW CREATE VIEW nosuch
SHOW CREATE TABLE nosuch
SELECT * FROM v ORDER BY id
INSERT INTO v VALUES (1, 'x')
DELETE FROM v
UPDATE v SET title = 'x'
TRUNCATE TABLE v
DROP TABLE v
ANALYZE v
SHOW STATS FOR v
ALTER TABLE v ADD COLUMN x bigint
ALTER TABLE v EXECUTE optimize
ALTER TABLE v RENAME TO w
ALTER VIEW v RENAME TO w
ALTER VIEW nosuch RENAME TO x
ALTER VIEW w RENAME TO m
ALTER VIEW w RENAME TO v
ALTER VIEW v SET AUTHORIZATION someone
ALTER VIEW v REFRESH
CREATE VIEW v AS SELECT 1 AS x
CREATE VIEW m AS SELECT 1 AS x
CREATE TABLE v (a integer)
CREATE OR REPLACE VIEW v SECURITY INVOKER AS SELECT count(*) AS n, sum(id) AS total FROM m GROUP BY name HAVING count(*) > 0 ORDER BY 1 LIMIT 10
SHOW CREATE VIEW v
SELECT * FROM v ORDER BY total
CREATE VIEW bad AS SELECT 1
CREATE VIEW bad AS SELECT 1 AS a, 2 AS a
DROP VIEW m
DROP VIEW IF EXISTS m
DROP VIEW nosuch.v
DROP VIEW v
CREATE MATERIALIZED VIEW mv AS SELECT 1 AS x
CREATE MATERIALIZED VIEW IF NOT EXISTS mv GRACE PERIOD INTERVAL '1' HOUR COMMENT 'x' WITH (format = 'ORC') AS SELECT 1 AS x
CREATE OR REPLACE MATERIALIZED VIEW mv AS SELECT 1 AS x
REFRESH MATERIALIZED VIEW mv
REFRESH MATERIALIZED VIEW m
DROP MATERIALIZED VIEW mv
DROP MATERIALIZED VIEW IF EXISTS mv
DROP MATERIALIZED VIEW m
ALTER MATERIALIZED VIEW mv RENAME TO mw
ALTER MATERIALIZED VIEW IF EXISTS mv RENAME TO mw
ALTER MATERIALIZED VIEW mv SET PROPERTIES x = 1
SHOW CREATE MATERIALIZED VIEW mv
CREATE FUNCTION f(x integer) RETURNS integer RETURN x + 1
CREATE OR REPLACE FUNCTION f(x integer) RETURNS integer RETURN x + 1
DROP FUNCTION f(integer)
DROP FUNCTION IF EXISTS f(integer)
SHOW CREATE FUNCTION abs
WITH FUNCTION twice(x integer) RETURNS integer RETURN x * 2 SELECT twice(21)
CREATE ROLE r
CREATE ROLE r IN lakehouse
DROP ROLE r
DROP ROLE r IN lakehouse
GRANT r TO USER u
REVOKE r FROM USER u
GRANT SELECT ON <<m ;; TABLE m ;; nosuch ;; SCHEMA suite>> TO u
GRANT ALL PRIVILEGES ON m TO USER u WITH GRANT OPTION
REVOKE SELECT ON m FROM u
REVOKE GRANT OPTION FOR SELECT ON m FROM u
DENY SELECT ON m TO u
SET ROLE ALL
SET ROLE NONE
SET ROLE r
SET ROLE r IN lakehouse
SHOW ROLES
SHOW ROLES FROM lakehouse
SHOW CURRENT ROLES
SHOW ROLE GRANTS
SHOW GRANTS
SHOW GRANTS ON TABLE m
SHOW GRANTS ON m
SET SESSION AUTHORIZATION someone
RESET SESSION AUTHORIZATION
SET PATH lakehouse.suite
ALTER TABLE m SET AUTHORIZATION u
ALTER SCHEMA suite SET AUTHORIZATION u
CREATE SCHEMA s2 AUTHORIZATION u
CREATE SCHEMA s2 WITH (nosuch = 1)
CREATE SCHEMA IF NOT EXISTS suite
CREATE SCHEMA suite
CREATE SCHEMA nosuch.x
CREATE SCHEMA a.b.c
CREATE SCHEMA information_schema
DROP SCHEMA suite
DROP SCHEMA nosuch.x
ALTER SCHEMA nosuch RENAME TO x
ALTER SCHEMA suite RENAME TO suite2
CREATE CATALOG c USING memory
DROP CATALOG c
CREATE BRANCH b IN TABLE m
DROP BRANCH b IN TABLE m
SHOW BRANCHES FROM TABLE m
EXPLAIN ANALYZE SELECT
EXPLAIN (TYPE IO) SELECT nosuch
EXPLAIN (FORMAT XML) SELECT 1
EXPLAIN (TYPE VALIDATE) DROP TABLE m
SHOW COLUMNS FROM m LIKE 'n%'
SHOW COLUMNS IN m
SHOW COLUMNS FROM nosuch
DESCRIBE nosuch
DESC m
TRUNCATE TABLE m
SELECT count(*) FROM m
TRUNCATE TABLE nosuch
