-- Session statements, prepared statements, transactions, SHOW and DESCRIBE.
SELECT current_catalog, current_schema, current_user, current_timezone()
SHOW CATALOGS LIKE 'lake%'
SHOW SCHEMAS LIKE '<<suite ;; inf% ;; nosuch>>'
SHOW SCHEMAS FROM nosuch
SHOW TABLES
CREATE TABLE t (id bigint NOT NULL, name varchar COMMENT 'the name', price decimal(10, 2), c char(3), n varchar(5), ts timestamp(6), tz timestamp(6) with time zone, d date, xs array(varchar), m map(varchar, integer), r ROW(a integer, b varchar), b varbinary, u uuid, tm time(6), f real, g double, i integer, y boolean) COMMENT 'all of it'
SHOW TABLES
SHOW TABLES FROM <<suite ;; lakehouse.suite ;; nosuch ;; lakehouse.nosuch ;; nocat.suite>>
SHOW TABLES LIKE '<<t ;; x%>>'
DESCRIBE t
DESC t
SHOW COLUMNS FROM t
SHOW COLUMNS FROM t LIKE 'n%'
DESCRIBE nosuch
SHOW STATS FOR nosuch
PREPARE p FROM SELECT id, name FROM t WHERE id = ? AND name = ?
DESCRIBE INPUT p
DESCRIBE OUTPUT p
EXECUTE p USING 1, 'x'
EXECUTE p USING 1
EXECUTE p
EXECUTE nosuch
DESCRIBE INPUT nosuch
DEALLOCATE PREPARE p
DEALLOCATE PREPARE p
EXECUTE p USING 1, 'x'
PREPARE q FROM SELECT 1 + ?, ? || 'x'
EXECUTE q USING 2, 'y'
DESCRIBE OUTPUT q
DESCRIBE INPUT q
PREPARE r FROM INSERT INTO t (id) VALUES (?)
EXECUTE r USING BIGINT '5'
DESCRIBE OUTPUT r
DESCRIBE INPUT r
SELECT id, name FROM t
PREPARE s FROM SHOW TABLES
EXECUTE s
PREPARE x FROM EXECUTE p
PREPARE y FROM SELEC
EXECUTE IMMEDIATE 'SELECT ? + 1' USING 5
EXECUTE IMMEDIATE 'SELECT 1'
EXECUTE IMMEDIATE 'SELECT id FROM t WHERE id = ?' USING 'x'
EXECUTE IMMEDIATE 'SELECT ?'
EXECUTE IMMEDIATE 'SELECT ?' USING
EXECUTE IMMEDIATE 'SELEC'
EXECUTE IMMEDIATE 'SELECT nosuch FROM t'
SELECT ?
SET SESSION query_max_run_time = '5m'
SHOW SESSION LIKE 'query_max_run_time'
SELECT 1
RESET SESSION query_max_run_time
SHOW SESSION LIKE 'query_max_run_time'
SET SESSION <<nosuch = 1 ;; query_max_run_time = 5 ;; join_distribution_type = 'BROADCAST' ;; join_distribution_type = 'x' ;; lakehouse.nosuch = 1 ;; nocat.x = 1 ;; lakehouse.compression_codec = 'ZSTD' ;; task_concurrency = 4 ;; task_concurrency = 'x'>>
RESET SESSION nosuch
SET TIME ZONE 'Europe/Moscow'
SELECT current_timezone(), CAST(TIMESTAMP '2024-01-01 00:00:00 UTC' AS varchar), CAST(TIMESTAMP '2024-01-01 00:00:00' AS timestamp(0) with time zone), from_unixtime(0), hour(from_unixtime(0))
SET TIME ZONE LOCAL
SET TIME ZONE INTERVAL '3' HOUR
SELECT current_timezone()
SET TIME ZONE 'nosuch'
SET TIME ZONE LOCAL
START TRANSACTION
SELECT count(*) FROM t
START TRANSACTION
INSERT INTO t (id) VALUES (9)
ROLLBACK
COMMIT
START TRANSACTION READ ONLY, ISOLATION LEVEL SERIALIZABLE
SELECT 1
COMMIT
ROLLBACK
USE lakehouse.suite
SELECT current_schema
USE suite
USE lakehouse.nosuch
USE nosuch.suite
USE nosuch
USE lakehouse.information_schema
SELECT current_schema
USE lakehouse.suite
EXPLAIN (TYPE VALIDATE) SELECT * FROM t
EXPLAIN (TYPE VALIDATE) SELECT nosuch FROM t
SELECT version() IS NOT NULL
SHOW FUNCTIONS LIKE 'split%'
SHOW FUNCTIONS LIKE 'date_tr%'
SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'suite'
SELECT column_name, data_type, is_nullable, ordinal_position FROM information_schema.columns WHERE table_schema = 'suite' AND table_name = 't' ORDER BY ordinal_position
SELECT schema_name FROM information_schema.schemata WHERE schema_name IN ('suite', 'information_schema') ORDER BY 1
SELECT * FROM information_schema.views WHERE table_schema = 'suite'
SHOW TABLES FROM information_schema
DESCRIBE information_schema.<<tables ;; columns ;; schemata ;; views ;; applicable_roles ;; enabled_roles ;; roles ;; table_privileges ;; role_authorization_descriptors>>
SHOW SCHEMAS FROM system
SHOW TABLES FROM system.<<jdbc ;; metadata ;; runtime>>
DESCRIBE system.jdbc.<<catalogs ;; schemas ;; tables ;; columns ;; table_types ;; types ;; udts ;; procedures>>
DESCRIBE system.metadata.<<catalogs ;; table_comments ;; table_properties ;; schema_properties ;; column_properties ;; analyze_properties ;; materialized_views>>
DESCRIBE system.runtime.<<nodes ;; queries ;; transactions ;; tasks>>
SELECT * FROM system.jdbc.table_types ORDER BY 1
SELECT * FROM system.jdbc.types ORDER BY type_name
SELECT TABLE_CAT FROM system.jdbc.catalogs WHERE TABLE_CAT IN ('lakehouse', 'system', 'tpch') ORDER BY TABLE_CAT
SELECT TABLE_SCHEM, TABLE_CATALOG FROM system.jdbc.schemas WHERE TABLE_CATALOG = 'lakehouse' AND TABLE_SCHEM LIKE 'suit_' ESCAPE '\' ORDER BY TABLE_CATALOG, TABLE_SCHEM
SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, TABLE_TYPE, REMARKS, TYPE_CAT, TYPE_SCHEM, TYPE_NAME, SELF_REFERENCING_COL_NAME, REF_GENERATION FROM system.jdbc.tables WHERE TABLE_CAT = 'lakehouse' AND TABLE_SCHEM LIKE 'suite' ESCAPE '\' AND TABLE_NAME LIKE '%' ESCAPE '\' AND TABLE_TYPE IN ('TABLE', 'VIEW') ORDER BY TABLE_TYPE, TABLE_CAT, TABLE_SCHEM, TABLE_NAME
SELECT * FROM system.jdbc.columns WHERE table_cat = 'lakehouse' AND table_schem = 'suite' AND table_name = 't' ORDER BY ordinal_position
SELECT CAST(NULL AS varchar) TABLE_CAT, CAST(NULL AS varchar) TABLE_SCHEM, CAST(NULL AS smallint) KEY_SEQ WHERE false
SELECT * FROM system.jdbc.<<procedures ;; udts ;; attributes ;; super_tables ;; super_types ;; pseudo_columns ;; procedure_columns>> LIMIT 0
SELECT catalog_name, connector_name FROM system.metadata.catalogs WHERE catalog_name IN ('lakehouse', 'system', 'tpch') ORDER BY 1
SELECT node_version, coordinator, state FROM system.runtime.nodes
SELECT state, "user", source FROM system.runtime.queries WHERE query LIKE 'SELECT state%' AND state = 'RUNNING'
GRANT SELECT ON t TO x
SHOW ROLES
