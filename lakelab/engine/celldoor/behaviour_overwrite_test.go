package celldoor_test

import (
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

const overwriteSetup = `
from pyspark.sql import functions as F
from pyspark.sql.functions import col, lit
spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
spark.sql("USE lakehouse.default")
for t in ("o1", "o2"):
    spark.sql("DROP TABLE IF EXISTS " + t)
spark.sql("CREATE TABLE o1 (id BIGINT, p STRING) USING iceberg PARTITIONED BY (p)")
spark.sql("INSERT INTO o1 VALUES (1, 'a'), (2, 'a'), (3, 'b'), (4, NULL)")
def rows(ids, p):
    return spark.createDataFrame([(i, p) for i in ids], "id BIGINT, p STRING")
`

// TestDataFrameOverwrite replaces the rows that a condition chooses.
func TestDataFrameOverwrite(t *testing.T) {
	runSuite(t, "../testdata/suite/dataframe_overwrite.pyspark.json", overwriteSetup, overwriting, func() {
		spark.SQL("CREATE TABLE o1 (id BIGINT, p STRING) USING iceberg PARTITIONED BY (p)")
		spark.SQL("INSERT INTO o1 VALUES (1, 'a'), (2, 'a'), (3, 'b'), (4, NULL)")
	})
}

func partRows(p string, ids ...int64) *lakelab.DataFrame {
	var list [][]any
	for _, i := range ids {
		list = append(list, []any{i, p})
	}
	return spark.CreateDataFrame(list, "id BIGINT, p STRING")
}

func o1() *lakelab.DataFrame { return spark.Table("o1").OrderBy("id") }

var overwriting = []behaviour{
	{`rows([10], "a").writeTo("o1").overwrite(col("p") == "a")
spark.table("o1").orderBy("id")`, func() any { partRows("a", 10).WriteTo("o1").Overwrite(col("p").Eq("a")); return o1() }},
	{`rows([11], "c").writeTo("o1").overwrite(col("p").isNull())
spark.table("o1").orderBy("id")`, func() any { partRows("c", 11).WriteTo("o1").Overwrite(col("p").IsNull()); return o1() }},
	{`rows([12, 13], "d").writeTo("o1").overwrite(F.expr("p IN ('b', 'c')"))
spark.table("o1").orderBy("id")`, func() any { partRows("d", 12, 13).WriteTo("o1").Overwrite(F.Expr("p IN ('b', 'c')")); return o1() }},
	{`rows([14], "e").writeTo("o1").overwrite(col("id") == 999)
spark.table("o1").orderBy("id")`, func() any { partRows("e", 14).WriteTo("o1").Overwrite(col("id").Eq(999)); return o1() }},
	{`rows([15], "e").writeTo("o1").overwrite(col("nosuch") == 1)`, quiet(func() { partRows("e", 15).WriteTo("o1").Overwrite(col("nosuch").Eq(1)) })},
	{`rows([15], "e").writeTo("o1").overwrite(F.length("p") == 1)`, quiet(func() { partRows("e", 15).WriteTo("o1").Overwrite(F.Length("p").Eq(1)) })},
	{`rows([15], "e").select("id").writeTo("o1").overwrite(col("p") == "e")`, quiet(func() { partRows("e", 15).Select("id").WriteTo("o1").Overwrite(col("p").Eq("e")) })},
	{`rows([15], "e").select("p", "id").writeTo("o1").overwrite(col("p") == "e")
spark.table("o1").orderBy("id")`, func() any { partRows("e", 15).Select("p", "id").WriteTo("o1").Overwrite(col("p").Eq("e")); return o1() }},
	{`rows([16], "f").writeTo("o2").overwrite(col("p") == "e")`, quiet(func() { partRows("f", 16).WriteTo("o2").Overwrite(col("p").Eq("e")) })},
	{`rows([17], "g").writeTo("o1").overwrite(lit(False))
spark.table("o1").orderBy("id")`, func() any { partRows("g", 17).WriteTo("o1").Overwrite(lit(false)); return o1() }},
	{`rows([18], "h").writeTo("o1").overwrite(lit(True))
spark.table("o1").orderBy("id")`, func() any { partRows("h", 18).WriteTo("o1").Overwrite(lit(true)); return o1() }},
}

// TestWriterOptions: an option that a writer into a table does not know is refused by its name, wherever it goes. (Spark takes any.)
func TestWriterOptions(t *testing.T) {
	connect(t)
	spark.SQL("CREATE TABLE ice (id BIGINT) USING iceberg")
	spark.SQL("CREATE TABLE spark_catalog.default.files (id BIGINT) USING parquet")
	write := func() *lakelab.DataFrameWriter { return spark.Range(3).Write().Option("nonsense", "x") }
	for name, run := range map[string]func(){
		"insertInto an Iceberg table":   func() { write().InsertInto("ice") },
		"overwriting insertInto":        func() { write().Mode("overwrite").InsertInto("ice") },
		"appending saveAsTable":         func() { write().Mode("append").SaveAsTable("ice") },
		"insertInto a table of files":   func() { write().InsertInto("spark_catalog.default.files") },
		"appending to a table of files": func() { write().Mode("append").SaveAsTable("spark_catalog.default.files") },
	} {
		t.Run(name, func(t *testing.T) {
			if err := lakelab.Try(run); err == nil || !strings.Contains(err.Error(), "the option nonsense") {
				t.Error(err)
			}
		})
	}
	if n := spark.Table("ice").Count() + spark.Table("spark_catalog.default.files").Count(); n != 0 {
		t.Errorf("%d rows were written", n)
	}
}
