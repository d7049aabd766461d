-- What lists tables, properties, functions and procedures; procedures that are called wrongly.
SELECT table_catalog, table_schema, table_name, table_type FROM system.information_schema.tables ORDER BY 2, 3
SELECT table_schema, table_name FROM lakehouse.information_schema.tables WHERE table_schema IN ('information_schema', 'system') ORDER BY 1, 2
SHOW TABLES FROM lakehouse.system
SHOW TABLES FROM system.metadata
SHOW TABLES FROM system.runtime
SHOW TABLES FROM system.jdbc
SHOW TABLES FROM system.information_schema
SHOW TABLES FROM lakehouse.information_schema
SHOW SCHEMAS FROM system
SHOW COLUMNS FROM system.runtime.tasks
SHOW COLUMNS FROM system.runtime.transactions
SHOW COLUMNS FROM system.runtime.nodes
SHOW COLUMNS FROM system.runtime.queries
SHOW COLUMNS FROM system.runtime.optimizer_rule_stats
SHOW COLUMNS FROM system.metadata.analyze_properties
SHOW COLUMNS FROM system.metadata.column_properties
SHOW COLUMNS FROM system.metadata.materialized_views
SHOW COLUMNS FROM system.metadata.materialized_view_properties
SHOW COLUMNS FROM system.metadata.schema_properties
SHOW COLUMNS FROM system.metadata.table_comments
SHOW COLUMNS FROM system.metadata.table_properties
SHOW COLUMNS FROM system.jdbc.attributes
SHOW COLUMNS FROM system.jdbc.pseudo_columns
SHOW COLUMNS FROM system.jdbc.super_tables
SHOW COLUMNS FROM system.jdbc.super_types
SHOW COLUMNS FROM system.jdbc.procedure_columns
SHOW COLUMNS FROM lakehouse.information_schema.role_authorization_descriptors
SHOW COLUMNS FROM lakehouse.information_schema.table_privileges
SHOW COLUMNS FROM lakehouse.information_schema.applicable_roles
SHOW COLUMNS FROM lakehouse.information_schema.enabled_roles
SHOW COLUMNS FROM lakehouse.information_schema.roles
SHOW COLUMNS FROM lakehouse.information_schema.views
SELECT catalog_name, property_name, default_value, type FROM system.metadata.column_properties
SELECT catalog_name, property_name, default_value, type FROM system.metadata.analyze_properties ORDER BY 1, 2
SELECT * FROM system.metadata.materialized_views
SELECT * FROM lakehouse.information_schema.roles
SELECT * FROM lakehouse.information_schema.enabled_roles
SELECT * FROM lakehouse.information_schema.applicable_roles
SELECT * FROM lakehouse.information_schema.role_authorization_descriptors
SELECT * FROM lakehouse.information_schema.table_privileges
SHOW COLUMNS FROM lakehouse.system.iceberg_tables
SELECT * FROM lakehouse.system.iceberg_tables WHERE table_schema = 'suite'
CREATE TABLE a (x integer)
CREATE VIEW v AS SELECT 1 y
SELECT * FROM lakehouse.system.iceberg_tables WHERE table_schema = 'suite' ORDER BY 2
SELECT table_name FROM lakehouse.system.iceberg_tables WHERE table_schema = 'nosuch'
SELECT count(*) FROM lakehouse.system.iceberg_tables WHERE table_name LIKE 'a%' AND table_schema = 'suite'
SELECT * FROM lakehouse.system.nosuch
SELECT * FROM lakehouse.system.tables
DESCRIBE lakehouse.system.iceberg_tables
DELETE FROM lakehouse.system.iceberg_tables
SHOW STATS FOR lakehouse.system.iceberg_tables
SELECT table_schem, table_name, table_type FROM system.jdbc.tables WHERE table_cat = 'lakehouse' AND table_schem = 'system'
SELECT column_name, data_type FROM lakehouse.information_schema.columns WHERE table_schema = 'system' ORDER BY ordinal_position
SELECT table_name, column_name FROM lakehouse.information_schema.columns WHERE table_schema = 'information_schema' ORDER BY table_name, ordinal_position
CREATE SCHEMA lakehouse.system
DROP SCHEMA lakehouse.system
USE lakehouse.system
SELECT count(*) >= 0 FROM iceberg_tables
SELECT count(*) FROM lakehouse.system.iceberg_tables FOR VERSION AS OF 1
SELECT procedure_cat, procedure_schem, procedure_name FROM system.jdbc.procedures ORDER BY 1, 2, 3
SHOW FUNCTIONS FROM lakehouse.suite
SHOW FUNCTIONS FROM nosuch.x
SHOW FUNCTIONS FROM lakehouse.nosuch
SHOW FUNCTIONS LIKE 'a' ESCAPE 'xx'
CALL lakehouse.system.nosuch()
CALL system.nosuch.x()
CALL lakehouse.nosuch.rollback_to_snapshot('a', 'b', 1)
CALL lakehouse.system.register_table('suite', 'r1', '/nosuch')
CALL lakehouse.system.register_table(schema_name => 'suite', table_name => 'r1', table_location => '/nosuch')
CALL lakehouse.system.add_files('a')
CALL lakehouse.system.rollback_to_snapshot('suite', 'a', NULL)
CALL lakehouse.system.migrate('suite', 'a')
CALL system.runtime.kill_query('nosuch')
CALL system.runtime.kill_query(query_id => 'nosuch', message => 'x')
CALL system.runtime.kill_query()
CALL system.runtime.kill_query(NULL)
CALL lakehouse.system.flush_metadata_cache()
CALL system.flush_metadata_cache()
ALTER TABLE lakehouse.suite.a EXECUTE nosuch
ALTER TABLE lakehouse.suite.a EXECUTE optimize(file_size => '1MB')
ALTER TABLE lakehouse.suite.a EXECUTE optimize(nosuch => 1)
ALTER TABLE lakehouse.suite.a EXECUTE optimize_manifests
ALTER TABLE lakehouse.suite.a EXECUTE drop_extended_stats
ALTER TABLE lakehouse.suite.a EXECUTE expire_snapshots(retention_threshold => 'x')
ALTER TABLE lakehouse.suite.a EXECUTE expire_snapshots(retention_threshold => '7d', clean_expired_metadata => true)
ALTER TABLE lakehouse.suite.a EXECUTE expire_snapshots(retention_threshold => '7d', retain_last => 2)
ALTER TABLE lakehouse.suite.a EXECUTE remove_orphan_files(retention_threshold => '7d')
ALTER TABLE lakehouse.suite.a EXECUTE rollback_to_snapshot(1)
ALTER TABLE lakehouse.suite.a EXECUTE rollback_to_snapshot(snapshot_id => 1)
ALTER TABLE lakehouse.suite.a EXECUTE add_files(location => '/x', format => 'PARQUET')
ALTER TABLE lakehouse.suite.a EXECUTE add_files_from_table(schema_name => 'x', table_name => 'y')
ALTER TABLE lakehouse.suite.v EXECUTE optimize
SELECT * FROM TABLE(lakehouse.system.table_changes('suite', 'a', 1, 2))
SELECT * FROM TABLE(lakehouse.system.nosuch(1))
SELECT * FROM TABLE(system.builtin.sequence(1, 3))
