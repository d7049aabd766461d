package celldoor_test

import (
	"testing"

	"mini-lakehouse-lab/lakelab"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// icebergPathSetup has rows to save and, in the folder out, tables without a catalog: t, and p with a partition field.
const icebergPathSetup = `
import tempfile, os
spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
spark.sql("USE lakehouse.default")
spark.sql("DROP TABLE IF EXISTS lakehouse.default.saved")
out = tempfile.mkdtemp()
data = spark.createDataFrame([(1, "a", 2.5), (2, "b", None), (3, None, -1.0)], "id INT, s STRING, x DOUBLE")
iceberg = spark._jvm.org.apache.iceberg
columns = iceberg.spark.SparkSchemaUtil.convert(data._jdf.schema())
tables = iceberg.hadoop.HadoopTables(spark._jsc.hadoopConfiguration())
tables.create(columns, iceberg.PartitionSpec.unpartitioned(), out + "/t")
tables.create(columns, iceberg.PartitionSpec.builderFor(columns).identity("s").build(), out + "/p")
def at(name):
    return spark.read.format("iceberg").load(out + "/" + name).orderBy("id")
`

// TestDataFrameIcebergPath saves rows into Iceberg tables by the path of a folder. Such tables are there before: Spark's save makes none.
func TestDataFrameIcebergPath(t *testing.T) {
	outDir = t.TempDir()
	t.Setenv("LAKELAB_DATA_ROOTS", outDir)
	l, err := lake.Open(t.Context(), t.TempDir(), lake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	optional := func(name string, of types.Kind) types.Field {
		return types.Field{Name: name, Type: types.Of(of), Nullable: true}
	}
	columns := types.StructOf(optional("id", types.Int), optional("s", types.String), optional("x", types.Double))
	for name, partitioning := range map[string][]lake.PartitionField{"t": nil, "p": {{Transform: "identity", Column: []string{"s"}}}} {
		if err := l.Create(t.Context(), lake.PathIdent(to(name)), columns, lake.CreateOptions{Partitioning: partitioning}); err != nil {
			t.Fatal(err)
		}
	}
	runSuite(t, "../testdata/suite/dataframe_iceberg_path.pyspark.json", icebergPathSetup, icebergPaths, func() {
		data = spark.CreateDataFrame([][]any{{1, "a", 2.5}, {2, "b", nil}, {3, nil, -1.0}}, "id INT, s STRING, x DOUBLE")
	})
}

func at(name string) *lakelab.DataFrame {
	return spark.Read().Format("iceberg").Load(to(name)).OrderBy("id")
}

func iceberg(df *lakelab.DataFrame) *lakelab.DataFrameWriter { return df.Write().Format("iceberg") }

var icebergPaths = []behaviour{
	{`data.write.format("iceberg").mode("append").save(out + "/nosuch")`, quiet(func() { iceberg(data).Mode("append").Save(to("nosuch")) })},
	{`data.write.format("iceberg").mode("overwrite").save(out + "/nosuch")`, quiet(func() { iceberg(data).Mode("overwrite").Save(to("nosuch")) })},
	{`data.write.format("iceberg").mode("append").save(out + "/t")
at("t")`, func() any { iceberg(data).Mode("append").Save(to("t")); return at("t") }},
	{`data.select("x", "id", "s").write.format("iceberg").mode("append").save(out + "/t")
at("t")`, func() any { iceberg(data.Select("x", "id", "s")).Mode("append").Save(to("t")); return at("t") }},
	{`data.select("id", "s").write.format("iceberg").mode("append").save(out + "/t")
at("t").count()`, func() any { iceberg(data.Select("id", "s")).Mode("append").Save(to("t")); return at("t").Count() }},
	{`data.selectExpr("id", "s", "x", "1 AS more").write.format("iceberg").mode("append").save(out + "/t")`,
		quiet(func() { iceberg(data.SelectExpr("id", "s", "x", "1 AS more")).Mode("append").Save(to("t")) })},
	{`data.selectExpr("CAST(id AS STRING) AS id", "s", "x").write.format("iceberg").mode("append").save(out + "/t")`,
		quiet(func() { iceberg(data.SelectExpr("CAST(id AS STRING) AS id", "s", "x")).Mode("append").Save(to("t")) })},
	{`data.limit(1).write.format("iceberg").mode("overwrite").save(out + "/t")
at("t")`, func() any { iceberg(data.Limit(1)).Mode("overwrite").Save(to("t")); return at("t") }},
	{`data.write.format("iceberg").partitionBy("s").mode("append").save(out + "/p")
at("p").count()`, func() any { iceberg(data).PartitionBy("s").Mode("append").Save(to("p")); return at("p").Count() }},
	{`data.write.format("iceberg").partitionBy("id").mode("append").save(out + "/p")`,
		quiet(func() { iceberg(data).PartitionBy("id").Mode("append").Save(to("p")) })},
	{`data.write.format("iceberg").mode("append").save(out + "/p")
at("p").count()`, func() any { iceberg(data).Mode("append").Save(to("p")); return at("p").Count() }},
	{`data.limit(1).write.format("iceberg").mode("overwrite").partitionBy("s").save(out + "/p")
at("p")`, func() any { iceberg(data.Limit(1)).Mode("overwrite").PartitionBy("s").Save(to("p")); return at("p") }},
	{`data.write.format("iceberg").save("lakehouse.default.saved")
spark.table("lakehouse.default.saved").count()`, func() any {
		iceberg(data).Save("lakehouse.default.saved")
		return spark.Table("lakehouse.default.saved").Count()
	}},
	{`data.write.format("iceberg").mode("append").save("saved")
spark.table("lakehouse.default.saved").count()`, func() any {
		iceberg(data).Mode("append").Save("saved")
		return spark.Table("lakehouse.default.saved").Count()
	}},
	{`data.limit(2).write.format("iceberg").mode("overwrite").save("lakehouse.default.saved")
spark.table("lakehouse.default.saved").count()`, func() any {
		iceberg(data.Limit(2)).Mode("overwrite").Save("lakehouse.default.saved")
		return spark.Table("lakehouse.default.saved").Count()
	}},
	{`data.write.format("iceberg").save("lakehouse.default.saved")`, quiet(func() { iceberg(data).Save("lakehouse.default.saved") })},
	{`data.write.format("iceberg").mode("append").save("lakehouse.default.nosuch")`, quiet(func() { iceberg(data).Mode("append").Save("lakehouse.default.nosuch") })},
}
