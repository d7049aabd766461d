package engine_test

import (
	"testing"
)

// TestPartitionsOfWidenedColumns gives columns of identity partitions wider types: partitions stay the ones that they were. The rows are
// real Spark's.
func TestPartitionsOfWidenedColumns(t *testing.T) {
	_, _, run := pathSession(t, newHome(t))
	answers(t, run, [][2]string{
		{"CREATE TABLE lakehouse.default.f (id INT, k FLOAT) USING iceberg PARTITIONED BY (k)", ""},
		{"INSERT INTO lakehouse.default.f VALUES (1, 1.1F), (2, 2.5F)", ""},
		{"ALTER TABLE lakehouse.default.f ALTER COLUMN k TYPE DOUBLE", ""},
		{"SET spark.sql.sources.partitionOverwriteMode=dynamic", ""},
		{"INSERT OVERWRITE lakehouse.default.f VALUES (10, CAST(1.1F AS DOUBLE)), (20, 2.5D)", ""},
		{"SELECT * FROM lakehouse.default.f ORDER BY id", "10|1.100000023841858,20|2.5"},
		{"SELECT * FROM lakehouse.default.f WHERE k = CAST(1.1F AS DOUBLE)", "10|1.100000023841858"},
		{"CREATE TABLE lakehouse.default.i (id INT, k INT, d DECIMAL(5,2)) USING iceberg PARTITIONED BY (k, d)", ""},
		{"INSERT INTO lakehouse.default.i VALUES (1, 1, 1.10), (2, -5, -2.00)", ""},
		{"ALTER TABLE lakehouse.default.i ALTER COLUMN k TYPE BIGINT", ""},
		{"ALTER TABLE lakehouse.default.i ALTER COLUMN d TYPE DECIMAL(20,2)", ""},
		{"INSERT OVERWRITE lakehouse.default.i VALUES (10, 1, 1.10), (20, -5, -2.00)", ""},
		{"SELECT * FROM lakehouse.default.i ORDER BY id", "10|1|1.10,20|-5|-2.00"},
		{"CREATE TABLE lakehouse.default.g (id INT, k FLOAT) USING iceberg PARTITIONED BY (k) TBLPROPERTIES ('write.delete.mode'='merge-on-read')", ""},
		{"INSERT INTO lakehouse.default.g SELECT CAST(id AS INT), 1.1F FROM range(4)", ""},
		{"ALTER TABLE lakehouse.default.g ALTER COLUMN k TYPE DOUBLE", ""},
		{"DELETE FROM lakehouse.default.g WHERE id = 1", ""},
		{"INSERT INTO lakehouse.default.g VALUES (50, CAST(1.1F AS DOUBLE))", ""},
		{"CALL lakehouse.system.rewrite_position_delete_files(table => 'default.g', options => map('rewrite-all','true'))", ""},
		{"SELECT * FROM lakehouse.default.g ORDER BY id", "0|1.100000023841858,2|1.100000023841858,3|1.100000023841858,50|1.100000023841858"},
		{"SELECT partition, record_count FROM lakehouse.default.g.partitions", ""},
		{"CALL lakehouse.system.rewrite_manifests('default.g')", ""},
		{"CALL lakehouse.system.rewrite_data_files(table => 'default.g', options => map('rewrite-all','true','remove-dangling-deletes','true'))", ""},
		{"SELECT * FROM lakehouse.default.g ORDER BY id", "0|1.100000023841858,2|1.100000023841858,3|1.100000023841858,50|1.100000023841858"},
		{"SELECT partition, record_count FROM lakehouse.default.g.partitions", "{1.100000023841858}|4"},
	}...)
}

// TestRetypedColumns replaces tables by others whose columns have the same names and other types, and reaches the old files by a branch: they
// can't be read (real Spark fails with a ClassCastException), and their bounds rule nothing out.
func TestRetypedColumns(t *testing.T) {
	_, _, run := pathSession(t, newHome(t))
	for _, c := range []struct{ from, values, to, where string }{
		{"STRING", "'1234'", "INT", "b > 1000000"}, {"DECIMAL(10,2)", "1.50", "DECIMAL(10,4)", "b < 1"}, {"BIGINT", "1700000000000000", "TIMESTAMP", "b > '2024-01-01'"},
		{"BIGINT", "5000000000", "INT", "b < 1000000"}, {"DOUBLE", "1.5", "FLOAT", "b < 1"}, {"BINARY", "X'31'", "STRING", "b = '1'"}, {"INT", "7", "STRING", "b = '7'"},
		{"STRUCT<a: STRING>", "named_struct('a', '1')", "STRUCT<a: INT>", "b.a > 1"}, {"ARRAY<INT>", "array(1)", "ARRAY<STRING>", "b[0] = '1'"}, {"INT", "7", "STRUCT<a: INT>", "b.a > 1"},
	} {
		done(t, run, "CREATE OR REPLACE TABLE lakehouse.default.r (b "+c.from+", x INT) USING iceberg", "INSERT INTO lakehouse.default.r VALUES ("+c.values+", 1), ("+c.values+", 2)",
			"ALTER TABLE lakehouse.default.r CREATE OR REPLACE BRANCH br", "CREATE OR REPLACE TABLE lakehouse.default.r (b "+c.to+", x INT) USING iceberg")
		for _, q := range []string{"SELECT * FROM lakehouse.default.r.branch_br", "SELECT * FROM lakehouse.default.r.branch_br WHERE " + c.where,
			"DELETE FROM lakehouse.default.r.branch_br WHERE " + c.where, "SELECT max(b) FROM lakehouse.default.r.branch_br"} {
			refused(t, q, run(q), "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH", ".parquet. Data type mismatches when reading Parquet column [")
		}
		answers(t, run, [2]string{"SELECT x FROM lakehouse.default.r.branch_br ORDER BY x", "1,2"}, [2]string{"SELECT count(*) FROM lakehouse.default.r.branch_br", "2"},
			[2]string{"SELECT count(*) FROM lakehouse.default.r", "0"}, [2]string{"DROP TABLE lakehouse.default.r", ""})
	}
	// A type that Iceberg widens is read, and the old one by a snapshot.
	answers(t, run, [2]string{"CREATE TABLE lakehouse.default.w (b INT) USING iceberg", ""}, [2]string{"INSERT INTO lakehouse.default.w VALUES (7)", ""},
		[2]string{"ALTER TABLE lakehouse.default.w CREATE TAG old", ""}, [2]string{"ALTER TABLE lakehouse.default.w CREATE BRANCH br", ""}, [2]string{"CREATE OR REPLACE TABLE lakehouse.default.w (b BIGINT) USING iceberg", ""},
		[2]string{"SELECT * FROM lakehouse.default.w VERSION AS OF 'old' WHERE b = 7", "7"},
		[2]string{"SELECT * FROM lakehouse.default.w.branch_br WHERE b = 7", "7"}, [2]string{"SELECT * FROM lakehouse.default.w.branch_br WHERE b = 8", ""})
}

// TestAddedPartitionField adds fields whose transforms do not take their columns' types; the texts are real Spark's.
func TestAddedPartitionField(t *testing.T) {
	_, _, run := pathSession(t, newHome(t))
	done(t, run, "CREATE TABLE lakehouse.default.t (id INT) USING iceberg")
	q := "ALTER TABLE lakehouse.default.t ADD PARTITION FIELD years(id)"
	refused(t, q, run(q), "ValidationException", "Cannot bind: year cannot transform int values from 'id'")
}
