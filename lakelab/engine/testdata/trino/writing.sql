-- Session properties, those of the catalog that steer writing among them; time zones; roles and privileges.
SET SESSION nosuch = 1
SET SESSION nosuch.x = 1
SET SESSION lakehouse.nosuch = 1
SET SESSION query_max_run_time = '1x'
SET SESSION query_max_run_time = 5
SET SESSION query_max_run_time = '1h'
RESET SESSION query_max_run_time
RESET SESSION nosuch
RESET SESSION lakehouse.compression_codec
SET SESSION lakehouse.compression_codec = 'nosuch'
SET SESSION lakehouse.compression_codec = 'SNAPPY'
CREATE TABLE z AS SELECT 1 a
SELECT map_filter(summary, (k, v) -> false), operation FROM "z$snapshots"
SET SESSION lakehouse.compression_codec = 'LZ4'
INSERT INTO z VALUES 2
CREATE TABLE z2 AS SELECT 1 a
SELECT * FROM "z2$properties" ORDER BY 1
SET SESSION lakehouse.compression_codec = 'NONE'
INSERT INTO z VALUES 3
SET SESSION lakehouse.compression_codec = 'GZIP'
INSERT INTO z VALUES 4
SELECT count(*) FROM "z$files"
RESET SESSION lakehouse.compression_codec
CREATE TABLE z3 (a integer) WITH (compression_codec = 'GZIP')
SET SESSION lakehouse.target_max_file_size = '100kB'
CREATE TABLE big AS SELECT orderkey, comment FROM tpch.tiny.lineitem
SELECT count(*) > 3, max(file_size_in_bytes) < 500000, sum(record_count) FROM "big$files"
SET SESSION lakehouse.target_max_file_size = '1MB'
CREATE TABLE big2 AS SELECT * FROM tpch.tiny.lineitem
CREATE TABLE part WITH (partitioning = ARRAY['returnflag']) AS SELECT orderkey, returnflag, comment FROM tpch.tiny.lineitem
SET SESSION lakehouse.target_max_file_size = '100kB'
CREATE TABLE part2 WITH (partitioning = ARRAY['returnflag']) AS SELECT orderkey, returnflag, comment FROM tpch.tiny.lineitem
RESET SESSION lakehouse.target_max_file_size
CREATE TABLE so (a integer) WITH (sorted_by = ARRAY['a'])
INSERT INTO so VALUES 3, 1, 2
SELECT a FROM so
SET SESSION lakehouse.sorted_writing_enabled = false
INSERT INTO so VALUES 9, 7, 8
SELECT a FROM so WHERE a > 5
SET SESSION lakehouse.sorted_writing_enabled = 1
SET SESSION lakehouse.max_partitions_per_writer = 2
CREATE TABLE mp WITH (partitioning = ARRAY['a']) AS SELECT * FROM (VALUES 1, 2, 3, 4, 5) x(a)
CREATE TABLE mp2 WITH (partitioning = ARRAY['a']) AS SELECT * FROM (VALUES 1, 2) x(a)
RESET SESSION lakehouse.max_partitions_per_writer
SET SESSION lakehouse.collect_extended_statistics_on_write = false
CREATE TABLE st AS SELECT 1 a
SET SESSION lakehouse.collect_extended_statistics_on_write = true
INSERT INTO st VALUES 2
SET SESSION lakehouse.statistics_enabled = false
SHOW STATS FOR st
RESET SESSION lakehouse.statistics_enabled
SET SESSION lakehouse.merge_manifests_on_write = false
INSERT INTO st VALUES 3
SELECT count(*) FROM "st$manifests"
RESET SESSION lakehouse.merge_manifests_on_write
INSERT INTO st VALUES 4
SELECT count(*) FROM "st$manifests"
SET SESSION lakehouse.projection_pushdown_enabled = false
SELECT count(*) FROM st
SET SESSION lakehouse.use_file_size_from_metadata = false
SELECT count(*) FROM st
SET SESSION query_max_scan_physical_bytes = '1B'
SELECT count(*), sum(orderkey) FROM big
RESET SESSION query_max_scan_physical_bytes
SET SESSION query_max_memory = '1B'
SELECT sum(orderkey) FROM big
RESET SESSION query_max_memory
SET SESSION redistribute_writes = false
SET SESSION join_distribution_type = 'x'
SET SESSION join_distribution_type = 'BROADCAST'
SET SESSION max_recursion_depth = 3
WITH RECURSIVE r(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT count(*) FROM r
RESET SESSION max_recursion_depth
SET SESSION legacy_arithmetic_decimal_operators = true
SET SESSION time_zone_id = 'Asia/Kolkata'
SELECT current_timezone(), TIMESTAMP '2024-01-01 00:00:00 UTC' = CAST(TIMESTAMP '2024-01-01 05:30:00' AS timestamp with time zone)
SELECT CAST(TIMESTAMP '2024-01-01 00:00:00 UTC' AS timestamp), CAST(TIMESTAMP '2024-01-01 05:30:00' AS timestamp with time zone)
SET TIME ZONE '+05:30'
SELECT current_timezone()
SELECT CAST(TIMESTAMP '2024-01-01 00:00:00' AS timestamp with time zone), CAST(TIMESTAMP '2024-01-01 00:00:00 UTC' AS timestamp)
SELECT CAST(TIME '10:00' AS time with time zone), from_unixtime(0), date(TIMESTAMP '2024-01-01 20:00:00 UTC')
SET TIME ZONE '-03:30'
SELECT current_timezone(), CAST('2024-01-02 03:04:05' AS timestamp with time zone), from_unixtime(0)
SET TIME ZONE '-13:00'
SELECT current_timezone(), from_unixtime(0)
SET TIME ZONE '+15:00'
SET TIME ZONE INTERVAL '5' HOUR
SET TIME ZONE INTERVAL '330' MINUTE
SET TIME ZONE LOCAL
SET PATH lakehouse.suite
SET PATH nosuch
SHOW SESSION LIKE 'x' ESCAPE 'yy'
RESET SESSION AUTHORIZATION
SET SESSION AUTHORIZATION alice
SET ROLE admin
SET ROLE ALL
SET ROLE NONE
SET ROLE admin IN lakehouse
CREATE ROLE r
CREATE ROLE r IN lakehouse
CREATE ROLE r WITH ADMIN u
DROP ROLE r
DROP ROLE IF EXISTS r
DROP ROLE r IN lakehouse
GRANT r TO u
GRANT r TO USER u IN lakehouse
REVOKE r FROM u
SHOW ROLES
SHOW CURRENT ROLES
SHOW ROLE GRANTS
SHOW ROLES FROM lakehouse
SHOW ROLES FROM nosuch
GRANT SELECT ON z TO u
GRANT SELECT ON TABLE nosuch TO u
GRANT ALL PRIVILEGES ON z TO ROLE r WITH GRANT OPTION
GRANT CREATE ON SCHEMA suite TO u
DENY SELECT ON z TO u
REVOKE SELECT ON z FROM u
REVOKE GRANT OPTION FOR SELECT ON z FROM u
SHOW GRANTS ON z
SHOW GRANTS
SET SESSION query_max_run_time = '1s'
SELECT count(*) FROM UNNEST(sequence(1, 10000)) a(x) CROSS JOIN UNNEST(sequence(1, 10000)) b(y) CROSS JOIN UNNEST(sequence(1, 10000)) c(z) WHERE x * y + z = -1
RESET SESSION query_max_run_time
SET SESSION query_max_execution_time = '1s'
SELECT count(*) FROM UNNEST(sequence(1, 10000)) a(x) CROSS JOIN UNNEST(sequence(1, 10000)) b(y) CROSS JOIN UNNEST(sequence(1, 10000)) c(z) WHERE x * y + z = -1
RESET SESSION query_max_execution_time
SET SESSION lakehouse.compression_codec = 'NONE'
CREATE TABLE none_ AS SELECT 1 a
SELECT value FROM "none_$properties" WHERE key = 'write.parquet.compression-codec'
SET SESSION lakehouse.compression_codec = 'GZIP'
CREATE TABLE gzip_ (a integer)
SELECT value FROM "gzip_$properties" WHERE key = 'write.parquet.compression-codec'
SET SESSION lakehouse.compression_codec = 'LZ4'
CREATE TABLE lz4_ (a integer)
RESET SESSION lakehouse.compression_codec
