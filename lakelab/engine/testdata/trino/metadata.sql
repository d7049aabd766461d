-- Metadata tables and hidden columns of Iceberg tables.
CREATE TABLE t (id integer, name varchar, fare decimal(10, 2), ts timestamp(6), day date, ok boolean, d double, tz timestamp(6) with time zone, pos ROW(lat double, lon double), tags array(varchar)) WITH (partitioning = ARRAY['day', 'bucket(id, 2)', 'truncate(name, 1)'])
INSERT INTO t VALUES (1, 'Oslo', 12.5, TIMESTAMP '2024-01-01 10:00:00.123456', DATE '2024-01-01', true, 1.5e0, TIMESTAMP '2024-01-01 10:00:00 UTC', ROW(59.9e0, 10.7e0), ARRAY['a', 'b']), (2, 'Bergen', NULL, NULL, DATE '2024-01-02', NULL, NULL, NULL, NULL, NULL)
INSERT INTO t VALUES (3, NULL, 7, NULL, NULL, false, nan(), NULL, ROW(NULL, 1e0), ARRAY[])
CREATE TABLE plain (a bigint, b varchar)
INSERT INTO plain VALUES (1, 'x'), (2, 'y')
DELETE FROM plain WHERE a = 1
DESCRIBE "<<t ;; plain>>$<<history ;; snapshots ;; manifests ;; all_manifests ;; partitions ;; files ;; refs ;; properties ;; metadata_log_entries ;; entries ;; all_entries ;; position_deletes ;; data_files ;; nosuch ;; data>>"
SELECT operation, parent_id IS NULL AS first, summary['total-records'] FROM "<<t ;; plain>>$snapshots" ORDER BY committed_at
SELECT summary['added-records'], summary['changed-partition-count'], summary['total-data-files'], summary['added-data-files'] FROM "t$snapshots" ORDER BY committed_at
SELECT is_current_ancestor, parent_id IS NULL FROM "<<t ;; plain>>$history" ORDER BY made_current_at
SELECT count(*) FROM "<<t ;; plain>>$history"
SELECT content, file_format, spec_id, record_count, partition, column_sizes IS NULL, value_counts, null_value_counts, nan_value_counts, lower_bounds, upper_bounds, key_metadata, equality_ids, sort_order_id FROM "t$files" ORDER BY lower_bounds[1]
SELECT content, file_format, spec_id, record_count FROM "plain$files" ORDER BY content
SELECT json_extract(readable_metrics, '$.<<id ;; name ;; fare ;; ts ;; day ;; ok ;; d ;; tz ;; pos.lat ;; tags.element>>') IS NULL FROM "t$files" LIMIT 1
SELECT json_extract_scalar(readable_metrics, '$.id.lower_bound') FROM "t$files" ORDER BY 1
SELECT partition, record_count, file_count, total_size > 0, data FROM "t$partitions" ORDER BY 2, partition.day
SELECT partition.day, partition.id_bucket, partition.name_trunc FROM "t$partitions" ORDER BY 1, 2
SELECT record_count, file_count, data FROM "plain$partitions"
SELECT length > 0, partition_spec_id, added_data_files_count, added_rows_count, existing_data_files_count, existing_rows_count, deleted_data_files_count, deleted_rows_count, partition_summaries FROM "t$manifests" ORDER BY added_rows_count
SELECT added_data_files_count, added_rows_count, deleted_data_files_count FROM "plain$manifests" ORDER BY 1
SELECT added_data_files_count, added_delete_files_count, deleted_data_files_count FROM "plain$all_manifests" ORDER BY 1, 2
SELECT name, type, snapshot_id IS NULL, max_reference_age_in_ms, min_snapshots_to_keep, max_snapshot_age_in_ms FROM "<<t ;; plain>>$refs"
SELECT key FROM "<<t ;; plain>>$properties" ORDER BY 1
SELECT key, value FROM "t$properties" WHERE key IN ('format', 'provider', 'format-version', 'sort-order', 'write.format.default', 'write.parquet.compression-codec', 'commit.retry.num-retries') ORDER BY 1
SELECT latest_schema_id, latest_snapshot_id IS NULL FROM "t$metadata_log_entries" ORDER BY timestamp
SELECT status, sequence_number, file_sequence_number, data_file.content, data_file.record_count, data_file.lower_bounds FROM "t$entries" ORDER BY sequence_number, data_file.record_count, data_file.lower_bounds[1]
SELECT status, data_file.content FROM "plain$<<entries ;; all_entries>>" ORDER BY 1, 2
SELECT readable_metrics FROM "plain$entries" WHERE false
SELECT * FROM "t$data"
SELECT count(*) FROM "t$data"
SELECT * FROM "t$snapshots" FOR VERSION AS OF 1
SELECT count(*) FROM "t$snapshots" WHERE committed_at > TIMESTAMP '2001-01-01 00:00:00 UTC'
SELECT nosuch FROM "t$snapshots"
INSERT INTO "t$snapshots" VALUES (1)
DELETE FROM "t$files"
DROP TABLE "t$snapshots"
SELECT id, "$path" LIKE '%.parquet', "$file_modified_time" > TIMESTAMP '2001-01-01 00:00:00 UTC', typeof("$path"), typeof("$file_modified_time") FROM t ORDER BY id
SELECT id, "$partition" FROM t ORDER BY id
SELECT typeof("$partition") FROM t LIMIT 1
SELECT "$partition" FROM plain
SELECT count(DISTINCT "$path") FROM t
SELECT t."$path" = (SELECT max("$path") FROM t) FROM t WHERE id = 3 AND "$path" = (SELECT file_path FROM "t$files" WHERE lower_bounds[1] = '3')
SELECT x."$path" IS NOT NULL, y."$path" IS NOT NULL FROM t x JOIN plain y ON x.id = y.a
SELECT "$nosuch" FROM t
SELECT "$path" FROM (SELECT * FROM t)
SELECT "$path" FROM "t$snapshots"
SELECT count(*) FROM t WHERE "$file_modified_time" > TIMESTAMP '2001-01-01 00:00:00 UTC'
UPDATE t SET "$path" = 'x'
INSERT INTO t ("$path") VALUES ('x')
SELECT column_name FROM information_schema.columns WHERE table_schema = 'suite' AND table_name = 'plain'
SELECT table_name FROM information_schema.tables WHERE table_schema = 'suite'
SHOW TABLES
SHOW CREATE TABLE "t$files"
SHOW STATS FOR "t$files"
SELECT id FROM t FOR VERSION AS OF (SELECT 1)
SELECT id FROM t FOR VERSION AS OF nosuch
SELECT id FROM t FOR TIMESTAMP AS OF <<DATE '2001-01-01' ;; DATE '2100-01-01' ;; TIMESTAMP '2001-01-01 00:00:00' ;; TIMESTAMP '2001-01-01 00:00:00.123456 UTC' ;; 'x' ;; 1 ;; NULL>> ORDER BY id
SELECT count(*) FROM t FOR VERSION AS OF 'main'
SELECT count(*) FROM plain FOR VERSION AS OF <<NULL ;; 1.5 ;; true ;; 1 + 1 ;; CAST(1 AS bigint)>>
