package main

// scenario is one subject of the check: what each engine writes, and what everybody must read afterwards. In statements T stands for the
// table's name and V for a view's.
type scenario struct {
	name  string
	spark []string // for us and Spark
	// trino are Trino's statements. Where they are missing, not says why; PyIceberg has a function called pyiceberg instead.
	trino     []string
	pyiceberg string
	reads     []read
	// not says, by peer and direction (and lake, behind a comma), what the peer can't do.
	not map[string]string
	// columns are what is read; empty: all of the table's.
	columns string
	// view: what is read and described is the view, which each engine writes and reads in its own dialect.
	view bool
}

// read is what a table holds, at a branch or tag if one is named.
type read struct {
	ref  string
	want []string
}

// Keys of scenario.not.
const (
	trinoReads, trinoWrites         = "Trino reads", "Trino writes"
	pyicebergReads, pyicebergWrites = "PyIceberg reads", "PyIceberg writes"
	sparkReads, sparkWrites         = "Spark reads", "Spark writes"
)

// afterDeletes are the rows after the deletes of the scenarios about deletes.
var afterDeletes = []read{{want: []string{"1|v1", "2|v2", "4|v4", "5|v5", "6|v6", "7|seven", "8|v8", "9|v9"}}}

// deletes deletes a row of one file, updates one of another and deletes that file's last one, with the modes that properties say.
func deletes(properties string) []string {
	return []string{
		"CREATE TABLE T (k BIGINT, v STRING) USING iceberg TBLPROPERTIES (" + properties + ")",
		"INSERT INTO T VALUES (1, 'v1'), (2, 'v2'), (3, 'v3'), (4, 'v4'), (5, 'v5')",
		"INSERT INTO T VALUES (6, 'v6'), (7, 'v7'), (8, 'v8'), (9, 'v9'), (10, 'v10')",
		"DELETE FROM T WHERE k = 3",
		"UPDATE T SET v = 'seven' WHERE k = 7",
		"MERGE INTO T AS t USING (SELECT 10 AS k) AS s ON t.k = s.k WHEN MATCHED THEN DELETE",
	}
}

const (
	copyOnWrite = "'write.delete.mode' = 'copy-on-write', 'write.update.mode' = 'copy-on-write', 'write.merge.mode' = 'copy-on-write'"
	mergeOnRead = "'write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read'"
)

// equalityDelete begins a statement that is not SQL: peer.py's Spark deletes the rows whose first column has a value, by an equality delete.
const equalityDelete = "equality-delete "

// Why a peer has no cell.
const (
	noV3       = "Trino 476 has no format v3"
	noLineage  = "PyIceberg has no columns of row lineage"
	noSQL      = "PyIceberg runs no SQL, so that a view has no rows for it"
	noEquality = "the equality deletes are Iceberg's Java library's, in Spark's section"
)

// unable says, by peer, direction and lake, what the peer can do with no table there.
var unable = map[string]string{
	trinoReads + ", " + plain: "Trino has no Hadoop catalogs", trinoWrites + ", " + plain: "Trino has no Hadoop catalogs",
	pyicebergWrites + ", " + plain: "PyIceberg has no Hadoop catalogs; it reads such a table by its folder",
}

var scenarios = []scenario{
	{
		name: "types",
		spark: []string{
			`CREATE TABLE T (k BIGINT, b BOOLEAN, i INT, f FLOAT, x DOUBLE, d DECIMAL(38,10), dt DATE, ts TIMESTAMP_NTZ, tz TIMESTAMP, s STRING, bin BINARY,
				l ARRAY<INT>, m MAP<STRING, INT>, st STRUCT<a: INT, b: STRING>) USING iceberg`,
			`INSERT INTO T VALUES (1, true, 2147483647, CAST(1.5 AS FLOAT), -2.25D, 1234567890123456789012345678.0123456789, DATE '1969-12-31',
				TIMESTAMP_NTZ '1969-12-31 23:59:59.999999', TIMESTAMP '2024-02-29 12:00:00.000001', 'Ж\'"\n', X'00FF', array(1, NULL, 3),
				map('a', 1, 'b', NULL), named_struct('a', 7, 'b', 'x')),
				(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
		},
		trino: []string{
			`CREATE TABLE T (k bigint, b boolean, i integer, f real, x double, d decimal(38,10), dt date, ts timestamp(6), tz timestamp(6) with time zone,
				s varchar, bin varbinary, l array(integer), m map(varchar, integer), st row(a integer, b varchar))`,
			`INSERT INTO T VALUES (1, true, 2147483647, REAL '1.5', DOUBLE '-2.25', DECIMAL '1234567890123456789012345678.0123456789', DATE '1969-12-31',
				TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMP '2024-02-29 12:00:00.000001 UTC', U&'\0416''"\000A', X'00FF', ARRAY[1, NULL, 3],
				MAP(ARRAY['a', 'b'], ARRAY[1, NULL]), ROW(7, 'x')),
				(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
		},
		pyiceberg: "types",
		reads: []read{{want: []string{
			"1|true|2147483647|1.5|-2.25|1234567890123456789012345678.0123456789|1969-12-31|1969-12-31 23:59:59.999999|2024-02-29 12:00:00.000001|Ж'\"\n|[00 FF]|[1, NULL, 3]|{a -> 1, b -> NULL}|{7, x}",
			"2|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
		}}},
	},
	{
		name: "schema evolution",
		spark: []string{
			"CREATE TABLE T (k INT, a INT, f FLOAT, d DECIMAL(9,2), gone STRING, s STRUCT<x: INT, y: STRING>) USING iceberg",
			"INSERT INTO T VALUES (1, 10, 1.5, 12.34, 'gone', named_struct('x', 1, 'y', 'one'))",
			"ALTER TABLE T ALTER COLUMN a TYPE BIGINT",
			"ALTER TABLE T ALTER COLUMN f TYPE DOUBLE",
			"ALTER TABLE T ALTER COLUMN d TYPE DECIMAL(12,2)",
			"ALTER TABLE T RENAME COLUMN a TO amount",
			"ALTER TABLE T DROP COLUMN gone",
			"ALTER TABLE T ADD COLUMN gone DATE AFTER k",
			"ALTER TABLE T RENAME COLUMN s.y TO name",
			"ALTER TABLE T ADD COLUMN s.z DOUBLE",
			"INSERT INTO T VALUES (2, DATE '2024-02-29', 5000000000, 2.25, 1234567890.12, named_struct('x', 2, 'name', 'two', 'z', 0.5D))",
		},
		trino: []string{
			"CREATE TABLE T (k integer, a integer, f real, d decimal(9,2), gone varchar, s row(x integer, y varchar))",
			"INSERT INTO T VALUES (1, 10, REAL '1.5', DECIMAL '12.34', 'gone', ROW(1, 'one'))",
			"ALTER TABLE T ALTER COLUMN a SET DATA TYPE bigint",
			"ALTER TABLE T ALTER COLUMN f SET DATA TYPE double",
			"ALTER TABLE T ALTER COLUMN d SET DATA TYPE decimal(12,2)",
			"ALTER TABLE T RENAME COLUMN a TO amount",
			"ALTER TABLE T DROP COLUMN gone",
			"ALTER TABLE T ADD COLUMN gone date AFTER k",
			"ALTER TABLE T RENAME COLUMN s.y TO name",
			"ALTER TABLE T ADD COLUMN s.z double",
			"INSERT INTO T VALUES (2, DATE '2024-02-29', 5000000000, 2.25, DECIMAL '1234567890.12', ROW(2, 'two', DOUBLE '0.5'))",
		},
		pyiceberg: "schema_evolution",
		reads:     []read{{want: []string{"1|NULL|10|1.5|12.34|{1, one, NULL}", "2|2024-02-29|5000000000|2.25|1234567890.12|{2, two, 0.5}"}}},
	},
	{
		name: "partition evolution",
		spark: []string{
			"CREATE TABLE T (k BIGINT, p STRING, ts TIMESTAMP_NTZ) USING iceberg",
			"INSERT INTO T VALUES (1, 'a', TIMESTAMP_NTZ '2024-01-01 12:00:00')",
			"ALTER TABLE T ADD PARTITION FIELD p",
			"INSERT INTO T VALUES (2, 'a', TIMESTAMP_NTZ '2024-01-02 12:00:00'), (3, 'b/ %', TIMESTAMP_NTZ '2024-01-03 12:00:00')",
			"ALTER TABLE T ADD PARTITION FIELD bucket(4, k)",
			"ALTER TABLE T ADD PARTITION FIELD days(ts)",
			"INSERT INTO T VALUES (4, 'a', TIMESTAMP_NTZ '2024-01-04 12:00:00'), (5, '', TIMESTAMP_NTZ '2024-01-05 12:00:00')",
			"ALTER TABLE T DROP PARTITION FIELD days(ts)",
			"ALTER TABLE T REPLACE PARTITION FIELD p WITH truncate(1, p)",
			"INSERT INTO T VALUES (6, 'long', TIMESTAMP_NTZ '2024-01-06 12:00:00'), (7, NULL, TIMESTAMP_NTZ '2024-01-07 12:00:00')",
		},
		trino: []string{
			"CREATE TABLE T (k bigint, p varchar, ts timestamp(6))",
			"INSERT INTO T VALUES (1, 'a', TIMESTAMP '2024-01-01 12:00:00')",
			"ALTER TABLE T SET PROPERTIES partitioning = ARRAY['p']",
			"INSERT INTO T VALUES (2, 'a', TIMESTAMP '2024-01-02 12:00:00'), (3, 'b/ %', TIMESTAMP '2024-01-03 12:00:00')",
			"ALTER TABLE T SET PROPERTIES partitioning = ARRAY['p', 'bucket(k, 4)', 'day(ts)']",
			"INSERT INTO T VALUES (4, 'a', TIMESTAMP '2024-01-04 12:00:00'), (5, '', TIMESTAMP '2024-01-05 12:00:00')",
			"ALTER TABLE T SET PROPERTIES partitioning = ARRAY['bucket(k, 4)', 'truncate(p, 1)']",
			"INSERT INTO T VALUES (6, 'long', TIMESTAMP '2024-01-06 12:00:00'), (7, NULL, TIMESTAMP '2024-01-07 12:00:00')",
		},
		pyiceberg: "partition_evolution",
		reads: []read{{want: []string{"1|a|2024-01-01 12:00:00", "2|a|2024-01-02 12:00:00", "3|b/ %|2024-01-03 12:00:00", "4|a|2024-01-04 12:00:00",
			"5||2024-01-05 12:00:00", "6|long|2024-01-06 12:00:00", "7|NULL|2024-01-07 12:00:00"}}},
	},
	{
		name: "deletes: copy-on-write", spark: deletes(copyOnWrite), pyiceberg: "copy_on_write", reads: afterDeletes,
		not: map[string]string{trinoWrites: "Trino writes position deletes only"},
	},
	{
		name:  "deletes: positions",
		spark: deletes(mergeOnRead),
		trino: []string{
			"CREATE TABLE T (k bigint, v varchar)",
			"INSERT INTO T VALUES (1, 'v1'), (2, 'v2'), (3, 'v3'), (4, 'v4'), (5, 'v5')",
			"INSERT INTO T VALUES (6, 'v6'), (7, 'v7'), (8, 'v8'), (9, 'v9'), (10, 'v10')",
			"DELETE FROM T WHERE k = 3",
			"UPDATE T SET v = 'seven' WHERE k = 7",
			"MERGE INTO T AS t USING (VALUES 10) AS s(k) ON t.k = s.k WHEN MATCHED THEN DELETE",
		},
		reads: afterDeletes,
		not:   map[string]string{pyicebergWrites: "PyIceberg deletes by copy-on-write only"},
	},
	{
		name: "deletes: equality",
		spark: []string{
			"CREATE TABLE T (k INT, v STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')",
			"INSERT INTO T VALUES (1, 'v1'), (2, 'v2'), (3, 'v3')",
			"INSERT INTO T VALUES (2, 'v4'), (3, 'v5')",
			equalityDelete + "T 2",
			"INSERT INTO T VALUES (2, 'after')", // which an older delete does not reach
			"ALTER TABLE T RENAME COLUMN k TO key",
			equalityDelete + "T 3",
		},
		reads: []read{{want: []string{"1|v1", "2|after"}}},
		not: map[string]string{
			sparkReads: "this engine writes no equality deletes", trinoReads: noEquality, trinoWrites: noEquality, pyicebergReads: noEquality, pyicebergWrites: noEquality,
		},
	},
	{
		name: "v3: deletion vectors", spark: deletes("'format-version' = '3', " + mergeOnRead), reads: afterDeletes,
		not: map[string]string{trinoReads: noV3, trinoWrites: noV3, pyicebergWrites: "PyIceberg deletes by copy-on-write only"},
	},
	{
		name: "v3: row lineage",
		spark: []string{
			"CREATE TABLE T (k BIGINT, v STRING) USING iceberg TBLPROPERTIES ('format-version' = '3', " + copyOnWrite + ")",
			"INSERT INTO T SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'v1'), (2, 'v2'), (3, 'v3')",
			"INSERT INTO T VALUES (4, 'v4')",
			"UPDATE T SET v = 'two' WHERE k = 2",
			"DELETE FROM T WHERE k = 1",
		},
		columns: "k, v, _row_id, _last_updated_sequence_number",
		reads:   []read{{want: []string{"2|two|1|3", "3|v3|2|1", "4|v4|3|2"}}},
		not:     map[string]string{trinoReads: noV3, trinoWrites: noV3, pyicebergReads: noLineage, pyicebergWrites: noLineage},
	},
	{
		name: "branches and tags",
		spark: []string{
			"CREATE TABLE T (k BIGINT, v STRING) USING iceberg",
			"INSERT INTO T VALUES (1, 'first')",
			"ALTER TABLE T CREATE TAG v1",
			"ALTER TABLE T CREATE BRANCH dev",
			"INSERT INTO T.branch_dev VALUES (2, 'dev')",
			"INSERT INTO T VALUES (3, 'main')",
		},
		pyiceberg: "refs",
		reads:     []read{{want: []string{"1|first", "3|main"}}, {"dev", []string{"1|first", "2|dev"}}, {"v1", []string{"1|first"}}},
		not:       map[string]string{trinoWrites: "Trino 476 makes no branches and tags"},
	},
	{
		name: "views",
		spark: []string{
			"CREATE TABLE T (k BIGINT, v STRING) USING iceberg",
			"INSERT INTO T VALUES (1, 'a'), (2, 'b'), (3, 'c')",
			"CREATE VIEW V AS SELECT k, v || '!' AS w FROM T WHERE k > 1",
		},
		trino: []string{
			"CREATE TABLE T (k bigint, v varchar)",
			"INSERT INTO T VALUES (1, 'a'), (2, 'b'), (3, 'c')",
			"CREATE VIEW V AS SELECT k, v || '!' AS w FROM T WHERE k > 1",
		},
		view:  true,
		reads: []read{{want: []string{"2|b!", "3|c!"}}},
		not: map[string]string{
			sparkReads + ", " + plain: "a Hadoop catalog has no views", sparkWrites + ", " + plain: "a Hadoop catalog has no views",
			pyicebergReads: noSQL, pyicebergWrites: noSQL,
		},
	},
}
