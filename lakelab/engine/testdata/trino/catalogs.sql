-- USE, SHOW, the information schema and the system catalog: what clients and their drivers ask.
CREATE TABLE t (id bigint NOT NULL, name varchar COMMENT 'the name', price decimal(10, 2), c char(3), n varchar(5), ts timestamp(6), tz timestamp(6) with time zone, d date, xs array(varchar), m map(varchar, integer), r ROW(a integer, b varchar), b varbinary, u uuid, tm time(6), f real, g double, i integer, y boolean) COMMENT 'all of it'
INSERT INTO t (id, name) VALUES (1, 'x')
CREATE VIEW vw AS SELECT id, name FROM t
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
SHOW CREATE SCHEMA suite
SHOW STATS FOR t
SELECT comment FROM system.metadata.table_comments WHERE catalog_name = 'lakehouse' AND schema_name = 'suite' ORDER BY table_name
SHOW SCHEMAS FROM tpch LIKE 'sf1'
SHOW TABLES FROM tpch.tiny
DESCRIBE tpch.tiny.<<lineitem ;; orders ;; customer ;; part ;; partsupp ;; supplier ;; nation ;; region>>
SELECT count(*) FROM tpch.tiny.<<lineitem ;; orders ;; customer ;; part ;; partsupp ;; supplier ;; nation ;; region>>
SELECT * FROM tpch.tiny.<<region ORDER BY regionkey ;; nation ORDER BY nationkey LIMIT 5 ;; customer ORDER BY custkey LIMIT 3 ;; orders ORDER BY orderkey LIMIT 3 ;; lineitem ORDER BY orderkey, linenumber LIMIT 5 ;; part ORDER BY partkey LIMIT 3 ;; partsupp ORDER BY partkey, suppkey LIMIT 5 ;; supplier ORDER BY suppkey LIMIT 3>>
SELECT sum(totalprice), max(orderdate), min(comment) FROM tpch.tiny.orders
SELECT sum(extendedprice), sum(quantity), max(shipdate), max(comment) FROM tpch.tiny.lineitem
SELECT returnflag, linestatus, sum(quantity), sum(extendedprice), avg(discount), count(*) FROM tpch.tiny.lineitem WHERE shipdate <= DATE '1998-09-02' GROUP BY 1, 2 ORDER BY 1, 2
