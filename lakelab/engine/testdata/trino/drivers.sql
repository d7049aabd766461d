-- What drivers and tools ask, in words that no person writes: SQLAlchemy's reflection, JDBC's prepared statements, read-only connections.
CREATE TABLE t (id bigint NOT NULL, name varchar COMMENT 'a name', price decimal(10, 2))
CREATE VIEW v COMMENT 'a view' AS SELECT id, name FROM t
SELECT column_name, data_type, column_default, upper(is_nullable), comment FROM information_schema.columns WHERE table_schema = 'suite' AND table_name = 't' ORDER BY ordinal_position
SELECT "column_name", "data_type", "column_default", UPPER("is_nullable") AS "is_nullable", "comment" FROM "information_schema"."columns" WHERE "table_schema" = 'suite' AND "table_name" = 'v' ORDER BY "ordinal_position" ASC
EXECUTE IMMEDIATE 'SELECT "column_name", "comment" FROM "information_schema"."columns" WHERE "table_schema" = ? AND "table_name" = ? ORDER BY "ordinal_position" ASC' USING 'suite', 't'
SELECT * FROM information_schema.columns WHERE table_schema = 'suite' AND comment IS NOT NULL
SELECT c.* FROM information_schema.columns c WHERE table_schema = 'suite' AND c.extra_info IS NULL ORDER BY table_name, ordinal_position
SELECT table_name, table_comment FROM information_schema.tables WHERE table_schema = 'suite' ORDER BY 1
SELECT comment FROM information_schema.tables
SELECT column_comment, comment, extra_info FROM tpch.information_schema.columns WHERE table_schema = 'tiny' AND table_name = 'region'
SELECT comment FROM information_schema.views
DELETE FROM information_schema.columns WHERE comment = 'x'
DESCRIBE information_schema.columns
COMMENT ON COLUMN v.name IS 'of the view'
SELECT column_name, comment FROM information_schema.columns WHERE table_schema = 'suite' AND table_name = 'v' ORDER BY 1
SELECT column_name, nullable, is_nullable, remarks FROM system.jdbc.columns WHERE table_cat = 'lakehouse' AND table_schem = 'suite' ORDER BY table_name, ordinal_position
SHOW COLUMNS FROM v
SHOW CREATE VIEW v
<<SELECT 1; ;; SELECT 1 ; ;; CREATE TABLE n (a integer); ;; SELECT * FROM t;>>
<<PREPARE p FROM SELECT 1;>>
PREPARE p FROM SELECT TIMESTAMP '2024-01-01 00:00:00' a, TIMESTAMP '2024-01-01 00:00:00.1234567' b, TIMESTAMP '2024-01-01 00:00:00.123 UTC' c, TIMESTAMP '2024-01-01 00:00:00.123456 UTC' d, TIME '00:00:00+00:00' e, TIME '00:00:00.1234567890+00:00' f, TIME '00:00:00.1234567890' g, IPADDRESS '::1' h, CAST('a' AS char(3)) i, DECIMAL '1234567890123456789' k, 1 + 1, id, t.name AS q, r.* FROM t, tpch.tiny.region r
DESCRIBE OUTPUT p
PREPARE p FROM SELECT r.*, n.*, name AS z FROM tpch.tiny.region r, (SELECT nationkey AS k FROM tpch.tiny.nation) n
DESCRIBE OUTPUT p
PREPARE p FROM SELECT k FROM (SELECT nationkey AS k FROM tpch.tiny.nation) n
DESCRIBE OUTPUT p
PREPARE p FROM SELECT 1 AS a UNION ALL SELECT 2 AS b
DESCRIBE OUTPUT p
PREPARE p FROM WITH t AS (SELECT 1 AS a) SELECT a, a AS b FROM t ORDER BY 1 LIMIT 1
DESCRIBE OUTPUT p
PREPARE p FROM (SELECT 1 AS a)
DESCRIBE OUTPUT p
EXECUTE IMMEDIATE 'SELECT ?, ?' USING DECIMAL '1E+5', 1
EXECUTE IMMEDIATE 'SELECT ?, ?' USING 1, DATE 'x'
EXECUTE IMMEDIATE 'SELECT ?, nosuch' USING 1
EXECUTE IMMEDIATE 'SELECT ?' USING 1 / 0
SET SESSION query_max_execution_time = 'x'
SET SESSION query_max_execution_time = '300ms'
SELECT count(*) FROM tpch.sf1.lineitem a CROSS JOIN tpch.sf1.lineitem b WHERE a.orderkey + b.orderkey < 0
RESET SESSION query_max_execution_time
SET SESSION query_max_run_time = '0.5s'
SELECT count(*) FROM tpch.sf1.lineitem a CROSS JOIN tpch.sf1.lineitem b WHERE a.orderkey + b.orderkey < 0
RESET SESSION query_max_run_time
