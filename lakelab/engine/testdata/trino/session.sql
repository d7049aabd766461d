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
SHOW TABLES LIKE 'n#ation' ESCAPE '#'
SHOW TABLES LIKE 'nation#' ESCAPE '#'
SHOW TABLES LIKE 'a#' ESCAPE '##'
SHOW CATALOGS LIKE 'lake#house' ESCAPE '#'
SHOW CATALOGS LIKE '%%k%o%' ESCAPE '#'
EXECUTE IMMEDIATE 'EXECUTE nosuch'
EXECUTE IMMEDIATE 'EXECUTE IMMEDIATE ''SELECT 1'''
CALL system.runtime.kill_query(query_id => 'nosuch')
