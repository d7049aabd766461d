-- NULL where a procedure, a property, a setting or a clause takes a value.
CREATE TABLE n (a integer, b varchar)
INSERT INTO n VALUES (1, 'x')
CALL system.rollback_to_snapshot(<<'suite', 'n', CAST(NULL AS bigint) ;; 'suite', 'n', NULL ;; NULL, 'n', 1 ;; CAST(NULL AS varchar), 'n', 1 ;; 'suite', NULL, 1 ;; 'suite', CAST(NULL AS varchar), 1 ;; NULL, NULL, NULL ;; 'suite', 'n', TINYINT '1' ;; 'suite', 'n', INTEGER '1' ;; 'suite', 'n', 1.5 ;; 'SUITE', 'N', 1>>)
CALL system.unregister_table(<<NULL, 'n' ;; 'suite', NULL ;; CAST(NULL AS varchar), 'n' ;; 'suite', CAST(NULL AS varchar)>>)
CALL system.register_table(<<NULL, 'n', 'x' ;; 'suite', NULL, 'x' ;; 'suite', 'r', NULL>>)
CALL system.runtime.kill_query(<<NULL ;; CAST(NULL AS varchar) ;; NULL, NULL ;; '20200101_000000_00000_aaaaa', NULL ;; 'x', NULL>>)
ALTER TABLE n EXECUTE <<remove_orphan_files(retention_threshold => NULL) ;; remove_orphan_files(retention_threshold => CAST(NULL AS varchar)) ;; expire_snapshots(retention_threshold => NULL) ;; expire_snapshots(retention_threshold => CAST(NULL AS varchar)) ;; expire_snapshots(CAST(NULL AS varchar)) ;; optimize(file_size_threshold => NULL) ;; optimize(file_size_threshold => CAST(NULL AS varchar)) ;; optimize(CAST('1MB' AS varchar)) ;; rollback_to_snapshot(snapshot_id => NULL) ;; rollback_to_snapshot(snapshot_id => CAST(NULL AS bigint)) ;; rollback_to_snapshot(NULL) ;; add_files(location => NULL, format => 'PARQUET')>>
CREATE TABLE m (a integer) WITH (<<format = NULL ;; format = CAST(NULL AS varchar) ;; format_version = NULL ;; format_version = CAST(NULL AS integer) ;; partitioning = NULL ;; partitioning = ARRAY[NULL] ;; partitioning = ARRAY['a', CAST(NULL AS varchar)] ;; partitioning = CAST(NULL AS array(varchar)) ;; sorted_by = ARRAY[NULL] ;; sorted_by = NULL ;; location = NULL ;; location = CAST(NULL AS varchar) ;; max_commit_retry = NULL>>)
DROP TABLE IF EXISTS m
ALTER TABLE n SET PROPERTIES <<format = NULL ;; format_version = NULL ;; format_version = CAST(NULL AS integer) ;; partitioning = NULL ;; partitioning = CAST(NULL AS array(varchar)) ;; sorted_by = NULL ;; max_commit_retry = NULL ;; max_commit_retry = CAST(NULL AS integer) ;; location = NULL>>
CREATE SCHEMA ns WITH (location = <<NULL ;; CAST(NULL AS varchar)>>)
DROP SCHEMA IF EXISTS ns
ANALYZE n WITH (columns = <<NULL ;; ARRAY[NULL] ;; ARRAY['a', NULL] ;; CAST(NULL AS array(varchar))>>)
SET SESSION query_max_run_time = <<NULL ;; CAST(NULL AS varchar)>>
SET SESSION max_recursion_depth = <<NULL ;; CAST(NULL AS integer)>>
SET SESSION lakehouse.compression_codec = <<NULL ;; CAST(NULL AS varchar)>>
SET SESSION time_zone_id = <<NULL ;; CAST(NULL AS varchar)>>
SET TIME ZONE <<NULL ;; CAST(NULL AS varchar) ;; CAST(NULL AS interval day to second)>>
SELECT * FROM n FOR VERSION AS OF <<NULL ;; CAST(NULL AS bigint) ;; CAST(NULL AS varchar)>>
SELECT * FROM n FOR TIMESTAMP AS OF <<NULL ;; CAST(NULL AS date) ;; CAST(NULL AS timestamp) ;; CAST(NULL AS timestamp with time zone)>>
SELECT * FROM n TABLESAMPLE BERNOULLI (<<NULL ;; CAST(NULL AS double) ;; -1 ;; 101>>)
PREPARE q FROM SELECT * FROM n OFFSET ? LIMIT ?
EXECUTE q USING <<NULL, 1 ;; 0, NULL ;; 0, CAST(NULL AS bigint)>>
PREPARE f FROM SELECT * FROM n FETCH FIRST ? ROWS ONLY
EXECUTE f USING <<NULL ;; CAST(NULL AS bigint)>>
CALL system.rollback_to_snapshot('suite', 'n', <<1 / 0 ;; (SELECT 1) ;; a ;; CAST('x' AS bigint)>>)
SHOW TABLES LIKE NULL
SELECT listagg(b, <<NULL ;; CAST(NULL AS varchar)>>) WITHIN GROUP (ORDER BY b) FROM n
SELECT approx_percentile(a, <<CAST(NULL AS double) ;; 2e0 ;; CAST(NULL AS array(double))>>) FROM n
