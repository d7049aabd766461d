-- The session properties of the catalog, and what the connector makes of them.
SHOW SESSION
SHOW SESSION LIKE 'lakehouse.%'
SHOW SESSION LIKE '%retention'
SET SESSION lakehouse.expire_snapshots_min_retention = <<'0s' ;; '7d' ;; 'x' ;; '' ;; 7 ;; NULL ;; '1.5h' ;; '-1s' ;; '0.00s'>>
SET SESSION lakehouse.remove_orphan_files_min_retention = <<'0s' ;; 'x' ;; 7>>
SET SESSION lakehouse.nosuch = 1
SET SESSION nosuch.expire_snapshots_min_retention = '0s'
SET SESSION tpch.expire_snapshots_min_retention = '0s'
SET SESSION expire_snapshots_min_retention = '0s'
RESET SESSION lakehouse.nosuch
RESET SESSION lakehouse.expire_snapshots_min_retention
RESET SESSION lakehouse.remove_orphan_files_min_retention
SET SESSION LAKEHOUSE.Expire_Snapshots_Min_Retention = '2d'
SHOW SESSION LIKE 'lakehouse.expire_snapshots_min_retention'
CREATE TABLE m (a integer)
INSERT INTO m VALUES 1
INSERT INTO m VALUES 2
ALTER TABLE m EXECUTE expire_snapshots(retention_threshold => <<'1d' ;; '0s' ;; '47h' ;; '2d' ;; '48h' ;; '3d'>>)
ALTER TABLE m EXECUTE expire_snapshots
SELECT count(*) FROM "m$snapshots"
SET SESSION lakehouse.remove_orphan_files_min_retention = '90m'
ALTER TABLE m EXECUTE remove_orphan_files(retention_threshold => <<'1h' ;; '0s' ;; '2h' ;; '90m' ;; '1.5h'>>)
SET SESSION lakehouse.expire_snapshots_min_retention = '10d'
ALTER TABLE m EXECUTE expire_snapshots
ALTER TABLE m EXECUTE expire_snapshots(retention_threshold => '7d')
RESET SESSION lakehouse.expire_snapshots_min_retention
SHOW SESSION LIKE 'lakehouse.expire_snapshots_min_retention'
ALTER TABLE m EXECUTE expire_snapshots(retention_threshold => '0s')
SELECT count(*) FROM "m$snapshots"
SET SESSION lakehouse.compression_codec = <<'GZIP' ;; 'gzip' ;; 'nosuch' ;; 1 ;; 'NONE' ;; 'LZ4' ;; 'ZSTD'>>
CREATE TABLE cc AS SELECT 1 a
SET SESSION lakehouse.target_max_file_size = <<'1MB' ;; '1' ;; 'x' ;; 1 ;; '0B' ;; '1.5GB'>>
SET SESSION lakehouse.<<orc_lazy_read_small_ranges = true ;; orc_max_merge_distance = '1MB' ;; orc_max_merge_distance = 'x' ;; orc_writer_validate_percentage = 10e0 ;; orc_writer_validate_percentage = 1000e0 ;; orc_writer_validate_percentage = 10 ;; orc_writer_validate_mode = 'HASHED' ;; orc_writer_validate_mode = 'x' ;; orc_string_statistics_limit = '1kB' ;; parquet_max_read_block_row_count = 100 ;; parquet_max_read_block_row_count = 1 ;; parquet_max_read_block_row_count = 100000 ;; parquet_writer_block_size = '1MB' ;; parquet_writer_block_size = '10GB' ;; parquet_writer_page_size = '1MB' ;; parquet_writer_page_size = '1B' ;; parquet_writer_page_value_count = 5 ;; parquet_writer_page_value_count = 50000 ;; parquet_writer_batch_size = 1000 ;; parquet_writer_batch_size = 7 ;; parquet_small_file_threshold = '1MB' ;; parquet_small_file_threshold = '10GB' ;; parquet_vectorized_decoding_enabled = false ;; parquet_ignore_statistics = true ;; use_parquet_bloom_filter = false ;; use_file_size_from_metadata = false>>
SET SESSION lakehouse.<<dynamic_filtering_wait_timeout = '1s' ;; dynamic_filtering_wait_timeout = 'x' ;; statistics_enabled = false ;; statistics_enabled = 1 ;; extended_statistics_enabled = false ;; collect_extended_statistics_on_write = false ;; projection_pushdown_enabled = false ;; target_max_file_size = '1GB' ;; idle_writer_min_file_size = '1MB' ;; hive_catalog_name = 'x' ;; minimum_assigned_split_weight = 0.5e0 ;; minimum_assigned_split_weight = 5e0 ;; minimum_assigned_split_weight = 0e0 ;; merge_manifests_on_write = false ;; sorted_writing_enabled = false ;; query_partition_filter_required = false ;; query_partition_filter_required_schemas = ARRAY['suite'] ;; query_partition_filter_required_schemas = 'suite' ;; incremental_refresh_enabled = false ;; bucket_execution_enabled = false ;; max_partitions_per_writer = 10 ;; file_based_conflict_detection_enabled = false ;; split_size = '1MB' ;; experimental_split_size = '1MB' ;; max_driver_memory = '1MB'>>
SHOW SESSION LIKE 'lakehouse.%'
RESET SESSION lakehouse.query_partition_filter_required_schemas
CREATE TABLE qp (id integer, d date) WITH (partitioning = ARRAY['d'])
INSERT INTO qp VALUES (1, DATE '2024-01-01')
SET SESSION lakehouse.query_partition_filter_required = true
SELECT * FROM qp
SELECT * FROM qp WHERE <<d = DATE '2024-01-01' ;; id = 1 ;; d IS NOT NULL ;; year(d) = 2024>>
SELECT count(*) FROM qp
DELETE FROM qp
DELETE FROM qp WHERE id = 9
UPDATE qp SET id = 2
MERGE INTO qp USING (VALUES 1) s(id) ON qp.id = s.id WHEN MATCHED THEN DELETE
ALTER TABLE qp EXECUTE optimize
ANALYZE qp
SELECT * FROM m
SET SESSION lakehouse.query_partition_filter_required_schemas = ARRAY['other']
SELECT * FROM qp
SET SESSION lakehouse.query_partition_filter_required_schemas = ARRAY['Suite']
SELECT * FROM qp
SELECT * FROM qp JOIN m ON qp.id = m.a WHERE qp.d > DATE '2001-01-01'
RESET SESSION lakehouse.query_partition_filter_required
RESET SESSION lakehouse.query_partition_filter_required_schemas
SELECT * FROM qp
SET SESSION lakehouse.a.b = 1
SET SESSION a.b.c = 1
SET SESSION lakehouse."expire_snapshots_min_retention" = '1s'
SET SESSION query_max_run_time = '5m'
SHOW SESSION LIKE 'query_max_run_time'
SET SESSION nosuch = 1
SHOW SESSION LIKE 'nosuch%'
SHOW SESSION LIKE 'lakehouse.expire$_%' ESCAPE '$'
SHOW SESSION LIKE 'task$_%' ESCAPE '$'
SHOW SESSION LIKE 'x' ESCAPE 'xx'
