-- SET PROPERTIES of several properties is one change of the table, and a failed one is none.
CREATE TABLE t (id integer, d date, s varchar)
INSERT INTO t VALUES (1, DATE '2024-01-01', 'a')
ALTER TABLE t SET PROPERTIES partitioning = ARRAY['month(d)'], sorted_by = ARRAY['id'], format_version = 2, max_commit_retry = 7
SHOW CREATE TABLE t
ALTER TABLE t SET PROPERTIES partitioning = ARRAY['s'], sorted_by = ARRAY['nosuch']
ALTER TABLE t SET PROPERTIES sorted_by = ARRAY['s'], partitioning = ARRAY['nosuch']
ALTER TABLE t SET PROPERTIES sorted_by = ARRAY['s'], format_version = 1
ALTER TABLE t SET PROPERTIES sorted_by = ARRAY['s'], nosuch = 1
ALTER TABLE t SET PROPERTIES sorted_by = ARRAY['s'], format = 'x'
ALTER TABLE t SET PROPERTIES sorted_by = ARRAY['s'], sorted_by = ARRAY['id']
ALTER TABLE t SET PROPERTIES sorted_by = ARRAY['s'], location = 's3://x/y'
ALTER TABLE t SET PROPERTIES max_commit_retry = <<-1 ;; 'x' ;; NULL>>
ALTER TABLE t SET PROPERTIES compression_codec = <<'x' ;; 1 ;; NULL ;; DEFAULT>>
ALTER TABLE t SET PROPERTIES format_version = <<0 ;; 4 ;; 'x' ;; NULL>>
ALTER TABLE t SET PROPERTIES partitioning = <<1 ;; ARRAY[1] ;; ARRAY['id', 'id'] ;; ARRAY['month(s)'] ;; ARRAY['month(nosuch)'] ;; ARRAY['bucket(id, 0)'] ;; ARRAY['truncate(d, 3)'] ;; ARRAY['year(d)', 'month(d)'] ;; ARRAY['nosuch(d)'] ;; ARRAY['Month(D)'] ;; ARRAY['"s"'] ;; ARRAY['"S"'] ;; NULL>>
SELECT count(*) > 0 FROM "t$metadata_log_entries"
ALTER TABLE t SET PROPERTIES sorted_by = ARRAY[], partitioning = ARRAY[]
SHOW CREATE TABLE t
ALTER TABLE t SET PROPERTIES sorted_by = ARRAY['id DESC NULLS FIRST', 's'], max_commit_retry = DEFAULT
SHOW CREATE TABLE t
ALTER TABLE nosuch SET PROPERTIES sorted_by = ARRAY['s']
ALTER TABLE IF EXISTS nosuch SET PROPERTIES sorted_by = ARRAY['s']
SELECT * FROM t
CREATE TABLE bad0 (id integer, d date) WITH (partitioning = ARRAY['bucket(id, 0)'])
CREATE TABLE bad1 (id integer, d date) WITH (partitioning = ARRAY['month(id)'])
CREATE TABLE bad2 (id integer, d date) WITH (partitioning = ARRAY['nosuch'])
CREATE TABLE bad3 (id integer, d date) WITH (partitioning = ARRAY['id', 'id'])
CREATE TABLE bad4 (id integer, d date) WITH (partitioning = ARRAY['year(d)', 'month(d)'])
CREATE TABLE bad5 (id integer, d date) WITH (sorted_by = ARRAY['nosuch'])
CREATE TABLE bad6 (id integer, d date) WITH (format_version = 4)
CREATE TABLE bad7 (id integer, d date) WITH (extra_propertiess = 1)
CREATE TABLE bad8 (id integer, d date) WITH (compression_codec = 'x')
CREATE TABLE bad9 (id integer, d date) WITH (max_commit_retry = -1)
CREATE TABLE bad10 (id integer, d date) WITH (format = 'ORCX')
CREATE TABLE bad11 (id integer, d date) WITH (location = '')
CREATE TABLE bad12 (id integer, d date) WITH (location = 1)
CREATE TABLE bad13 (id integer, d date) WITH (partitioning = 1)
CREATE TABLE bad14 (id integer, d date) WITH (sorted_by = ARRAY['id', 'id'])
CREATE TABLE bad16 (id integer, d date) WITH (partitioning = ARRAY['truncate(id, 0)'])
CREATE TABLE bad17 (id integer, d date) WITH (partitioning = ARRAY['bucket(id, x)'])
CREATE TABLE bad18 (id integer, d date) WITH (partitioning = ARRAY[''])
CREATE TABLE old (id integer, d date, s varchar) WITH (partitioning = ARRAY['s', 'month(d)'])
ALTER TABLE old SET PROPERTIES partitioning = ARRAY['s']
ALTER TABLE old DROP COLUMN <<d ;; s ;; id>>
ALTER TABLE old SET PROPERTIES partitioning = ARRAY[]
ALTER TABLE old DROP COLUMN <<d ;; s>>
