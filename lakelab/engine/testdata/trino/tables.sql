-- what a table goes through: partitioning, order, properties, columns, procedures, metadata tables, views, what the catalog says of it
CREATE TABLE p (id bigint, name varchar, day date, ts timestamp(6), amount decimal(10,2), tags array(varchar)) WITH (partitioning = ARRAY['month(day)', 'bucket(id, 4)'])
INSERT INTO p VALUES (1, 'a', DATE '2024-01-05', TIMESTAMP '2024-01-05 10:00:00', 1.5, ARRAY['x']), (2, 'b', DATE '2024-02-10', TIMESTAMP '2024-02-10 11:00:00', 2.5, NULL), (3, NULL, NULL, NULL, NULL, ARRAY[])
SELECT partition, record_count, file_count FROM "p$partitions" ORDER BY 2, partition.id_bucket
SELECT name, type FROM "p$refs"
SELECT count(*) FROM "p$history"
SELECT is_current_ancestor FROM "p$history"
SELECT version, path IS NULL FROM "p$metadata_log_entries" LIMIT 0
DESCRIBE "p$<<history ;; snapshots ;; manifests ;; partitions ;; files ;; refs ;; properties ;; metadata_log_entries ;; all_manifests ;; entries ;; all_entries>>"
SELECT content, record_count FROM "p$files" ORDER BY record_count
SELECT status, data_file.record_count FROM "p$entries" ORDER BY 2
SELECT count(DISTINCT "$path"), count("$file_modified_time"), count(*) FROM p
SELECT "$partition" FROM p ORDER BY id
SELECT * FROM p WHERE day >= DATE '2024-02-01'
SELECT * FROM "p$nosuch"
SHOW PARTITIONS FROM p
SHOW COLUMNS FROM p LIKE 'n%'
SHOW COLUMNS FROM nosuch
SHOW TABLES LIKE 'p'
SHOW TABLES FROM nosuch.x
SHOW SCHEMAS FROM lakehouse LIKE 'sui%'
SHOW CATALOGS LIKE 'l%'
COMMENT ON TABLE p IS 'a table'
COMMENT ON COLUMN p.id IS 'the key'
COMMENT ON COLUMN p.nosuch IS 'x'
DESCRIBE p
ALTER TABLE p SET PROPERTIES partitioning = ARRAY['day']
ALTER TABLE p SET PROPERTIES sorted_by = ARRAY['id']
ALTER TABLE p SET PROPERTIES format_version = 2
ALTER TABLE p SET PROPERTIES format_version = 1
ALTER TABLE p SET PROPERTIES nosuch = 1
INSERT INTO p (id, name, day) VALUES (4, 'd', DATE '2024-03-01')
SELECT partition FROM "p$files" ORDER BY record_count, file_path LIMIT 0
ALTER TABLE p EXECUTE optimize
ALTER TABLE p EXECUTE optimize(file_size_threshold => '10MB')
ALTER TABLE p EXECUTE optimize(file_size_threshold => 'x')
ALTER TABLE p EXECUTE optimize WHERE id = 1
ALTER TABLE p EXECUTE optimize WHERE day = DATE '2024-03-01'
ALTER TABLE p EXECUTE expire_snapshots(retention_threshold => '7d')
ALTER TABLE p EXECUTE expire_snapshots(retention_threshold => '1d')
ALTER TABLE p EXECUTE expire_snapshots
ALTER TABLE p EXECUTE remove_orphan_files(retention_threshold => '7d')
ALTER TABLE p EXECUTE remove_orphan_files(retention_threshold => '1h')
ALTER TABLE p EXECUTE optimize_manifests
ALTER TABLE p EXECUTE drop_extended_stats
ALTER TABLE p EXECUTE nosuch
ALTER TABLE p EXECUTE optimize(nosuch => 1)
ALTER TABLE p EXECUTE rollback_to_snapshot(snapshot_id => 1)
ALTER TABLE nosuch EXECUTE optimize
ALTER TABLE p RENAME COLUMN name TO title
ALTER TABLE p DROP COLUMN tags
ALTER TABLE p ADD COLUMN IF NOT EXISTS title varchar
ALTER TABLE p ADD COLUMN extra row(a integer, b varchar) COMMENT 'nested'
ALTER TABLE p ADD COLUMN extra.c double
ALTER TABLE p RENAME COLUMN extra.a TO z
ALTER TABLE p DROP COLUMN extra.b
ALTER TABLE p ALTER COLUMN amount SET DATA TYPE decimal(12,2)
ALTER TABLE p ALTER COLUMN extra.z SET DATA TYPE bigint
ALTER TABLE p ALTER COLUMN id DROP NOT NULL
DESCRIBE p
ALTER TABLE p RENAME TO q
ALTER TABLE IF EXISTS nosuch RENAME TO x
DROP TABLE IF EXISTS nosuch
DROP TABLE nosuch
SELECT table_name, column_name, ordinal_position, data_type, is_nullable FROM information_schema.columns WHERE table_schema = 'suite' AND table_name = 'q' ORDER BY ordinal_position
SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'suite' ORDER BY 1
SELECT count(*) > 0 FROM information_schema.schemata
SELECT schema_name FROM information_schema.schemata WHERE schema_name IN ('suite', 'information_schema') ORDER BY 1
CREATE VIEW v COMMENT 'a view' AS SELECT id, title FROM q
SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = 'suite'
SELECT * FROM v ORDER BY id
COMMENT ON VIEW v IS 'other'
COMMENT ON COLUMN v.id IS 'col'
DESCRIBE v
CREATE OR REPLACE VIEW v SECURITY INVOKER AS SELECT id + 1 AS next FROM q
INSERT INTO v VALUES (1)
DELETE FROM v
ALTER VIEW v RENAME TO w
DROP VIEW v
DROP VIEW w
DROP TABLE q
SELECT catalog_name, connector_name FROM system.metadata.catalogs WHERE catalog_name = 'lakehouse'
SELECT count(*) FROM system.runtime.nodes
SELECT coordinator, state FROM system.runtime.nodes
SHOW GRANTS
SHOW ROLES
SHOW CURRENT ROLES
EXPLAIN (TYPE VALIDATE) SELECT 1
EXPLAIN (TYPE VALIDATE) SELECT x
CALL system.nosuch()
CREATE SCHEMA suite
CREATE SCHEMA IF NOT EXISTS suite
USE nosuch.x
CREATE TABLE s1 (id bigint, name varchar, r row(a integer)) WITH (sorted_by = ARRAY['nosuch'])
CREATE TABLE s1 (id bigint, n varchar) WITH (sorted_by = ARRAY['id blah'])
CREATE TABLE s1 (id bigint, n varchar) WITH (sorted_by = ARRAY['ID', '"n" desc'])
CREATE TABLE s2 (id bigint, n varchar) WITH (sorted_by = ARRAY['bucket(id, 4)'])
CREATE TABLE s3 WITH (sorted_by = ARRAY['x DESC NULLS FIRST']) AS SELECT x FROM (VALUES 1, 3, NULL, 2) t(x)
SELECT * FROM s3
INSERT INTO s3 VALUES 5, 9, 7
ALTER TABLE s3 SET PROPERTIES sorted_by = ARRAY[]
ALTER TABLE s3 SET PROPERTIES sorted_by = DEFAULT
ALTER TABLE s3 SET PROPERTIES sorted_by = ARRAY['nosuch']
ALTER TABLE s3 SET PROPERTIES sorted_by = ARRAY['x', 'x']
CREATE TABLE s4 (id bigint, sorted_by varchar) WITH (sorted_by = ARRAY['id ASC NULLS LAST'], partitioning = ARRAY['truncate(sorted_by, 1)'])
ALTER TABLE s4 SET PROPERTIES partitioning = ARRAY['bucket(id, 2)', 'sorted_by']
ALTER TABLE s4 SET PROPERTIES partitioning = ARRAY[]
ALTER TABLE s4 SET PROPERTIES partitioning = ARRAY['nosuch']
ALTER TABLE s4 SET PROPERTIES partitioning = ARRAY['bucket(id)']
ALTER TABLE s4 SET PROPERTIES partitioning = DEFAULT
ALTER TABLE s4 SET PROPERTIES location = 's3://x'
ALTER TABLE s4 SET PROPERTIES format_version = DEFAULT
SELECT * FROM "s4$properties" WHERE key LIKE 'sort%'
SELECT key, value FROM "s3$properties" WHERE key = 'sort-order'
