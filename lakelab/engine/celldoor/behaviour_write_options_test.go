package celldoor_test

import (
	"testing"

	"mini-lakehouse-lab/lakelab"
)

const writeOptionsSetup = `
spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
spark.sql("USE lakehouse.default")
for t in ("wo", "wb", "wn", "wr"):
    spark.sql("DROP TABLE IF EXISTS " + t)
spark.sql("CREATE TABLE wo (id INT, s STRING) USING iceberg PARTITIONED BY (s)")
spark.sql("ALTER TABLE wo ADD PARTITION FIELD bucket(2, id)")
spark.sql("CREATE TABLE wb (id INT, s STRING) USING iceberg")
spark.sql("INSERT INTO wb VALUES (1, 'a')")
spark.sql("ALTER TABLE wb CREATE BRANCH b1")
data = spark.sql("SELECT 1 AS id, 'a' AS s")
def last(t):
    return spark.sql("SELECT operation, summary['team'] AS team, summary['added-records'] AS added FROM lakehouse.default." + t + ".snapshots ORDER BY committed_at DESC LIMIT 1")
`

// TestDataFrameWriteOptions gives the writers options of one write.
func TestDataFrameWriteOptions(t *testing.T) {
	runSuite(t, "../testdata/suite/dataframe_write_options.pyspark.json", writeOptionsSetup, writeOptions, func() {
		spark.SQL("CREATE TABLE wo (id INT, s STRING) USING iceberg PARTITIONED BY (s)")
		spark.SQL("ALTER TABLE wo ADD PARTITION FIELD bucket(2, id)")
		spark.SQL("CREATE TABLE wb (id INT, s STRING) USING iceberg")
		spark.SQL("INSERT INTO wb VALUES (1, 'a')")
		spark.SQL("ALTER TABLE wb CREATE BRANCH b1")
		data = spark.SQL("SELECT 1 AS id, 'a' AS s")
	})
}

func lastSnapshot(table string) *lakelab.DataFrame {
	return spark.SQL("SELECT operation, summary['team'] AS team, summary['added-records'] AS added FROM lakehouse.default." + table + ".snapshots ORDER BY committed_at DESC LIMIT 1")
}

// appended is an append with an option, and the snapshot that it makes.
func appended(key string, value any) func() any {
	return func() any { data.WriteTo("wo").Option(key, value).Append(); return lastSnapshot("wo") }
}

var writeOptions = []behaviour{
	{`data.writeTo("wo").option("snapshot-property.team", "red").append()
last("wo")`, appended("snapshot-property.team", "red")},
	{`data.writeTo("wo").option("Snapshot-Property.Team", "blue").append()
last("wo")`, appended("Snapshot-Property.Team", "blue")},
	{`data.writeTo("wo").option("snapshot-property.added-records", "99").append()`, quiet(func() { data.WriteTo("wo").Option("snapshot-property.added-records", "99").Append() })},
	{`data.writeTo("wo").option("write-format", "parquet").append()
last("wo")`, appended("write-format", "parquet")},
	{`data.writeTo("wo").option("write-format", "zz").append()`, quiet(func() { data.WriteTo("wo").Option("write-format", "zz").Append() })},
	{`data.writeTo("wo").option("target-file-size-bytes", "1000").append()
last("wo")`, appended("target-file-size-bytes", "1000")},
	{`data.writeTo("wo").option("target-file-size-bytes", "abc").append()`, quiet(func() { data.WriteTo("wo").Option("target-file-size-bytes", "abc").Append() })},
	{`data.writeTo("wo").option("compression-codec", "gzip").append()
last("wo")`, appended("compression-codec", "gzip")},
	{`data.writeTo("wo").option("compression-level", "3").append()
last("wo")`, appended("compression-level", 3)},
	{`data.writeTo("wo").option("distribution-mode", "none").append()
last("wo")`, appended("distribution-mode", "none")},
	{`data.writeTo("wo").option("distribution-mode", "zz").append()`, quiet(func() { data.WriteTo("wo").Option("distribution-mode", "zz").Append() })},
	{`data.writeTo("wo").option("check-nullability", "false").append()
last("wo")`, appended("check-nullability", "false")},
	{`data.writeTo("wo").option("check-ordering", "false").append()
last("wo")`, appended("check-ordering", "false")},
	{`data.writeTo("wo").option("fanout-enabled", "true").append()
last("wo")`, appended("fanout-enabled", "true")},
	{`data.writeTo("wo").option("isolation-level", "snapshot").append()
last("wo")`, appended("isolation-level", "snapshot")},
	{`data.writeTo("wo").option("use-table-distribution-and-ordering", "false").append()
last("wo")`, appended("use-table-distribution-and-ordering", "false")},
	{`data.writeTo("wo").option("output-spec-id", "0").append()
spark.sql("SELECT spec_id, partition, count(*) AS n FROM lakehouse.default.wo.files GROUP BY 1, 2 ORDER BY 1")`, func() any {
		data.WriteTo("wo").Option("output-spec-id", 0).Append()
		return spark.SQL("SELECT spec_id, partition, count(*) AS n FROM lakehouse.default.wo.files GROUP BY 1, 2 ORDER BY 1")
	}},
	{`data.writeTo("wo").option("output-spec-id", "9").append()`, quiet(func() { data.WriteTo("wo").Option("output-spec-id", "9").Append() })},
	{`data.writeTo("wo").option("output-spec-id", "x").append()`, quiet(func() { data.WriteTo("wo").Option("output-spec-id", "x").Append() })},
	{`data.writeTo("wo").option("snapshot-property.team", "green").overwritePartitions()
last("wo")`, func() any {
		data.WriteTo("wo").Option("snapshot-property.team", "green").OverwritePartitions()
		return lastSnapshot("wo")
	}},
	{`data.writeTo("wn").using("iceberg").option("snapshot-property.team", "new").create()
last("wn")`, func() any {
		data.WriteTo("wn").Using("iceberg").Options(map[string]any{"snapshot-property.team": "new"}).Create()
		return lastSnapshot("wn")
	}},
	{`data.writeTo("wn").using("iceberg").option("snapshot-property.team", "newer").option("target-file-size-bytes", "1000").createOrReplace()
spark.sql("SHOW TBLPROPERTIES wn ('write.target-file-size-bytes')")`, func() any {
		data.WriteTo("wn").Using("iceberg").Option("snapshot-property.team", "newer").Option("target-file-size-bytes", 1000).CreateOrReplace()
		return spark.SQL("SHOW TBLPROPERTIES wn ('write.target-file-size-bytes')")
	}},
	{`last("wn")`, func() any { return lastSnapshot("wn") }},
	{`data.writeTo("wr").using("iceberg").option("target-file-size-bytes", "abc").create()`, quiet(func() { data.WriteTo("wr").Using("iceberg").Option("target-file-size-bytes", "abc").Create() })},
	{`data.write.option("snapshot-property.team", "v1").insertInto("wb")
last("wb")`, func() any {
		data.Write().Option("snapshot-property.team", "v1").InsertInto("wb")
		return lastSnapshot("wb")
	}},
	{`data.write.format("iceberg").option("branch", "b1").mode("append").save("lakehouse.default.wb")
spark.table("lakehouse.default.wb.branch_b1").count()`, func() any {
		iceberg(data).Option("branch", "b1").Mode("append").Save("lakehouse.default.wb")
		return spark.Table("lakehouse.default.wb.branch_b1").Count()
	}},
	{`data.write.format("iceberg").option("branch", "nope").mode("append").save("lakehouse.default.wb")`,
		quiet(func() { iceberg(data).Option("branch", "nope").Mode("append").Save("lakehouse.default.wb") })},
	{`data.write.format("iceberg").option("snapshot-property.team", "saved").mode("append").save("lakehouse.default.wb")
last("wb")`, func() any {
		iceberg(data).Option("snapshot-property.team", "saved").Mode("append").Save("lakehouse.default.wb")
		return lastSnapshot("wb")
	}},
	{`spark.table("wb").count()`, func() any { return spark.Table("wb").Count() }},
}
