package celldoor_test

import (
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

// catalogSetup begins with nothing in the databases of the snippets; out is a folder for files.
const catalogSetup = `
import tempfile, os
from pyspark.sql import functions as F
spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
for t in ("c1", "c2", "b1"):
    spark.sql("DROP TABLE IF EXISTS lakehouse.default." + t)
spark.sql("USE spark_catalog.default")
for d in ("shop", "depot"):
    spark.sql("DROP DATABASE IF EXISTS " + d + " CASCADE")
out = tempfile.mkdtemp()
c = spark.catalog
`

// py is a list as Python prints it.
func py[T any](list []T) verbatim { return verbatim("[" + strings.Join(strs(list), ", ") + "]") }

func strs[T any](list []T) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = repr(x)
	}
	return out
}

func cat() *lakelab.Catalog { return spark.Catalog() }

func databaseNames(pattern ...string) any {
	names := []string{}
	for _, d := range cat().ListDatabases(pattern...) {
		names = append(names, d.Name)
	}
	return names
}

// quiet runs a call without a value.
func quiet(f func()) func() any { return func() any { f(); return nil } }

func TestDataFrameCatalog(t *testing.T) {
	outDir = t.TempDir()
	t.Setenv("LAKELAB_DATA_ROOTS", outDir)
	runSuite(t, "../testdata/suite/dataframe_catalog.pyspark.json", catalogSetup, catalogCalls, func() { spark.SQL("USE spark_catalog.default") })
}

var catalogCalls = []behaviour{
	{`c.currentCatalog(), c.currentDatabase()`, func() any {
		return verbatim("('" + cat().CurrentCatalog() + "', '" + cat().CurrentDatabase() + "')")
	}},
	{`spark.sql("CREATE DATABASE shop COMMENT 'things to sell'")
[d.name for d in c.listDatabases()]`, func() any {
		spark.SQL("CREATE DATABASE shop COMMENT 'things to sell'")
		return databaseNames()
	}},
	{`spark.sql("CREATE DATABASE depot")
[d.name for d in c.listDatabases("*p*")]`, func() any { spark.SQL("CREATE DATABASE depot"); return databaseNames("*p*") }},
	{`c.getDatabase("shop").description, c.getDatabase("shop").catalog, c.getDatabase("depot").description`, func() any {
		d := cat().GetDatabase("shop")
		return verbatim("('" + d.Description + "', '" + d.Catalog + "', '" + cat().GetDatabase("depot").Description + "')")
	}},
	{`c.getDatabase("nowhere")`, func() any { return cat().GetDatabase("nowhere") }},
	{`c.databaseExists("shop"), c.databaseExists("nowhere"), c.databaseExists("spark_catalog.shop"), c.databaseExists("lakehouse.default")`, func() any {
		return verbatim("(" + strings.Join(strs([]bool{cat().DatabaseExists("shop"), cat().DatabaseExists("nowhere"), cat().DatabaseExists("spark_catalog.shop"), cat().DatabaseExists("lakehouse.default")}), ", ") + ")")
	}},
	{`c.setCurrentDatabase("nowhere")`, quiet(func() { cat().SetCurrentDatabase("nowhere") })},
	{`c.setCurrentCatalog("nowhere")`, quiet(func() { cat().SetCurrentCatalog("nowhere") })},
	{`c.setCurrentDatabase("shop")
c.currentDatabase()`, func() any { cat().SetCurrentDatabase("shop"); return cat().CurrentDatabase() }},
	{`c.listTables()`, func() any { return py(cat().ListTables()) }},
	{`c.createTable("orders", schema=spark.createDataFrame([], "id INT, city STRING COMMENT 'where'").schema, source="parquet", description="what was sold")`, func() any {
		return cat().CreateTable("orders", lakelab.NewTable{Schema: "id INT, city STRING COMMENT 'where'", Source: "parquet", Description: "what was sold"})
	}},
	{`c.createTable("orders", schema=spark.range(1).schema, source="parquet")`, func() any {
		return cat().CreateTable("orders", lakelab.NewTable{Schema: "id BIGINT", Source: "parquet"})
	}},
	{`c.createTable("odd", schema=spark.range(1).schema, source="nope")`, func() any {
		return cat().CreateTable("odd", lakelab.NewTable{Schema: "id BIGINT", Source: "nope"})
	}},
	{`spark.range(3).write.parquet(out + "/files")
c.createTable("found", path=out + "/files", source="parquet")`, func() any {
		spark.Range(3).Write().Parquet(to("files"))
		return cat().CreateTable("found", lakelab.NewTable{Path: to("files"), Source: "parquet"})
	}},
	{`c.createExternalTable("again", path=out + "/files", source="parquet").count()`, func() any {
		return cat().CreateExternalTable("again", lakelab.NewTable{Path: to("files"), Source: "parquet"}).Count()
	}},
	{`c.createTable("missing", path=out + "/none", source="parquet")`, func() any {
		return cat().CreateTable("missing", lakelab.NewTable{Path: to("none"), Source: "parquet"})
	}},
	{`c.listTables("shop")`, func() any { return py(cat().ListTables("shop")) }},
	{`c.listTables("shop", "o*|a*")`, func() any { return py(cat().ListTables("shop", "o*|a*")) }},
	{`c.listTables("nowhere")`, func() any { return py(cat().ListTables("nowhere")) }},
	{`c.getTable("orders")`, func() any { return cat().GetTable("orders") }},
	{`c.getTable("spark_catalog.shop.found")`, func() any { return cat().GetTable("spark_catalog.shop.found") }},
	{`c.getTable("shop.nope")`, func() any { return cat().GetTable("shop.nope") }},
	{`c.listColumns("orders")`, func() any { return py(cat().ListColumns("orders")) }},
	{`c.listColumns("shop.nope")`, func() any { return py(cat().ListColumns("shop.nope")) }},
	{`c.tableExists("orders"), c.tableExists("depot.orders"), c.tableExists("shop.orders"), c.tableExists("spark_catalog.shop.ORDERS"), c.tableExists("nowhere.orders")`, func() any {
		var got []bool
		for _, n := range []string{"orders", "depot.orders", "shop.orders", "spark_catalog.shop.ORDERS", "nowhere.orders"} {
			got = append(got, cat().TableExists(n))
		}
		return verbatim("(" + strings.Join(strs(got), ", ") + ")")
	}},
	{`spark.sql("CREATE TABLE days (id INT, d DATE) USING parquet PARTITIONED BY (d)")
c.listColumns("days")`, func() any {
		spark.SQL("CREATE TABLE days (id INT, d DATE) USING parquet PARTITIONED BY (d)")
		return py(cat().ListColumns("days"))
	}},
	{`spark.sql("SELECT 1 id, DATE'2024-01-31' d").write.partitionBy("d").parquet(out + "/days")
spark.sql("CREATE TABLE outside (id INT, d DATE) USING parquet PARTITIONED BY (d) LOCATION '" + out + "/days'")
before = spark.table("outside").count()
c.recoverPartitions("outside")
before, spark.table("outside").count()`, func() any {
		query("SELECT 1 id, DATE'2024-01-31' d").Write().PartitionBy("d").Parquet(to("days"))
		spark.SQL("CREATE TABLE outside (id INT, d DATE) USING parquet PARTITIONED BY (d) LOCATION '" + to("days") + "'")
		before := spark.Table("outside").Count()
		cat().RecoverPartitions("outside")
		return verbatim("(" + repr(before) + ", " + repr(spark.Table("outside").Count()) + ")")
	}},
	{`c.recoverPartitions("orders")`, quiet(func() { cat().RecoverPartitions("orders") })},
	{`c.recoverPartitions("nope")`, quiet(func() { cat().RecoverPartitions("nope") })},
	{`c.refreshTable("orders")`, quiet(func() { cat().RefreshTable("orders") })},
	{`c.refreshTable("nope")`, quiet(func() { cat().RefreshTable("nope") })},
	{`c.refreshByPath(out + "/files")`, quiet(func() { cat().RefreshByPath(to("files")) })},
	{`c.isCached("orders")`, func() any { return cat().IsCached("orders") }},
	{`c.cacheTable("orders")
c.isCached("orders"), c.isCached("shop.orders"), c.isCached("found")`, func() any {
		cat().CacheTable("orders")
		return verbatim("(" + strings.Join(strs([]bool{cat().IsCached("orders"), cat().IsCached("shop.orders"), cat().IsCached("found")}), ", ") + ")")
	}},
	{`c.uncacheTable("orders")
c.isCached("orders")`, func() any { cat().UncacheTable("orders"); return cat().IsCached("orders") }},
	{`c.cacheTable("orders")
c.clearCache()
c.isCached("orders")`, func() any { cat().CacheTable("orders"); cat().ClearCache(); return cat().IsCached("orders") }},
	{`c.cacheTable("nope")`, quiet(func() { cat().CacheTable("nope") })},
	{`c.uncacheTable("nope")`, quiet(func() { cat().UncacheTable("nope") })},
	{`c.isCached("nope")`, func() any { return cat().IsCached("nope") }},
	{`spark.range(2).createOrReplaceTempView("v")
spark.range(2).createGlobalTempView("g")
c.listTables("depot")`, func() any {
		spark.Range(2).CreateOrReplaceTempView("v")
		spark.Range(2).CreateGlobalTempView("g")
		return py(cat().ListTables("depot"))
	}},
	{`c.getTable("v")`, func() any { return cat().GetTable("v") }},
	{`c.listTables("global_temp")`, func() any { return py(cat().ListTables("global_temp")) }},
	{`c.listColumns("v")`, func() any { return py(cat().ListColumns("v")) }},
	{`c.tableExists("v"), c.tableExists("global_temp.g"), c.tableExists("g")`, func() any {
		return verbatim("(" + strings.Join(strs([]bool{cat().TableExists("v"), cat().TableExists("global_temp.g"), cat().TableExists("g")}), ", ") + ")")
	}},
	{`c.dropTempView("v"), c.dropTempView("v"), c.dropGlobalTempView("g"), c.dropGlobalTempView("g")`, func() any {
		return verbatim("(" + strings.Join(strs([]bool{cat().DropTempView("v"), cat().DropTempView("v"), cat().DropGlobalTempView("g"), cat().DropGlobalTempView("g")}), ", ") + ")")
	}},
	{`c.functionExists("count"), c.functionExists("nope"), c.functionExists("shop.count")`, func() any {
		return verbatim("(" + strings.Join(strs([]bool{cat().FunctionExists("count"), cat().FunctionExists("nope"), cat().FunctionExists("shop.count")}), ", ") + ")")
	}},
	{`[f.name for f in c.listFunctions(None, "regexp*")]`, func() any {
		names := []string{}
		for _, f := range cat().ListFunctions("shop", "regexp*") {
			names = append(names, f.Name)
		}
		return names
	}},
	{`f = c.getFunction("upper")
f.name, f.catalog, f.namespace, f.isTemporary`, func() any {
		f := cat().GetFunction("upper")
		return verbatim("('" + f.Name + "', None, None, " + repr(f.IsTemporary) + ")")
	}},
	{`c.getFunction("nope")`, func() any { return cat().GetFunction("nope") }},
	{`c.listDatabases("nosuch*")`, func() any { return py(cat().ListDatabases("nosuch*")) }},
	{`spark.sql("CREATE TABLE sized (c CHAR(3), v VARCHAR(5) COMMENT 'short', s STRUCT<a: CHAR(2)>) USING parquet")
c.listColumns("sized")`, func() any {
		spark.SQL("CREATE TABLE sized (c CHAR(3), v VARCHAR(5) COMMENT 'short', s STRUCT<a: CHAR(2)>) USING parquet")
		return py(cat().ListColumns("sized"))
	}},
	{`spark.table("sized")`, func() any { return spark.Table("sized") }},
	{`spark.sql("INSERT INTO sized VALUES ('a', 'b', named_struct('a', 'c'))")
spark.table("sized").filter(F.col("c") == "a").select(F.length("c"), F.length("s.a"))`, func() any {
		spark.SQL("INSERT INTO sized VALUES ('a', 'b', named_struct('a', 'c'))")
		return spark.Table("sized").Filter(F.Col("c").Eq("a")).Select(F.Length(F.Col("c")), F.Length(F.Col("s.a")))
	}},
	{`c.createTable("lines", schema=spark.createDataFrame([], "a INT, b STRING").schema, source="csv", header="true")
spark.sql("INSERT INTO lines VALUES (1, 'x')")
spark.table("lines")`, func() any {
		cat().CreateTable("lines", lakelab.NewTable{Schema: "a INT, b STRING", Source: "csv", Options: map[string]string{"header": "true"}})
		spark.SQL("INSERT INTO lines VALUES (1, 'x')")
		return spark.Table("lines")
	}},
	{`c.getTable("outside")`, func() any { return cat().GetTable("outside") }},
	{`c.refreshByPath(out + "/none")`, quiet(func() { cat().RefreshByPath(to("none")) })},
	{`c.dropTempView("nosuch"), c.dropGlobalTempView("nosuch")`, func() any {
		return verbatim("(" + strings.Join(strs([]bool{cat().DropTempView("nosuch"), cat().DropGlobalTempView("nosuch")}), ", ") + ")")
	}},
	{`c.listColumns("nowhere.orders")`, func() any { return py(cat().ListColumns("nowhere.orders")) }},
	{`c.getTable("nowhere.orders")`, func() any { return cat().GetTable("nowhere.orders") }},
	// The hidden column of files.
	{`spark.read.parquet(out + "/files").select("id", "_metadata.file_block_start").orderBy("id")`, func() any {
		return spark.Read().Parquet(to("files")).Select("id", "_metadata.file_block_start").OrderBy("id")
	}},
	{`spark.read.parquet(out + "/files").filter(F.col("_metadata.file_name").startswith("part-")).count()`, func() any {
		return spark.Read().Parquet(to("files")).Filter(F.Col("_metadata.file_name").StartsWith("part-")).Count()
	}},
	{`spark.read.parquet(out + "/files").columns`, func() any { return spark.Read().Parquet(to("files")).Columns() }},
	{`spark.read.parquet(out + "/files").select("_metadata").columns`, func() any { return spark.Read().Parquet(to("files")).Select("_metadata").Columns() }},
	{`spark.table("found").withColumn("row", F.col("_metadata.file_size") > 0).orderBy("id")`, func() any {
		return spark.Table("found").WithColumn("row", F.Col("_metadata.file_size").Gt(0)).OrderBy("id")
	}},
	{`spark.range(2).select("_metadata.file_name")`, func() any { return spark.Range(2).Select("_metadata.file_name") }},
	// The Iceberg catalog.
	{`c.setCurrentCatalog("lakehouse")
c.currentCatalog()`, func() any { cat().SetCurrentCatalog("lakehouse"); return cat().CurrentCatalog() }},
	{`[m.name for m in c.listCatalogs()]`, func() any {
		names := []string{}
		for _, m := range cat().ListCatalogs() {
			names = append(names, m.Name)
		}
		return names
	}},
	{`c.listCatalogs("spark*")`, func() any { return py(cat().ListCatalogs("spark*")) }},
	{`c.setCurrentDatabase("default")
c.createTable("c1", schema=spark.createDataFrame([], "id INT, d DATE").schema, source="iceberg", description="one")`, func() any {
		cat().SetCurrentDatabase("default")
		return cat().CreateTable("c1", lakelab.NewTable{Schema: "id INT, d DATE", Source: "iceberg", Description: "one"})
	}},
	{`c.getTable("c1")`, func() any { return cat().GetTable("c1") }},
	{`spark.sql("CREATE TABLE c2 (id INT, d DATE) USING iceberg PARTITIONED BY (d)")
c.listColumns("c2")`, func() any {
		spark.SQL("CREATE TABLE c2 (id INT, d DATE) USING iceberg PARTITIONED BY (d)")
		return py(cat().ListColumns("c2"))
	}},
	{`c.recoverPartitions("c1")`, quiet(func() { cat().RecoverPartitions("c1") })},
	{`c.tableExists("c1"), c.tableExists("spark_catalog.shop.orders"), c.tableExists("shop.orders")`, func() any {
		return verbatim("(" + strings.Join(strs([]bool{cat().TableExists("c1"), cat().TableExists("spark_catalog.shop.orders"), cat().TableExists("shop.orders")}), ", ") + ")")
	}},
	{`c.listColumns("spark_catalog.shop.orders")`, func() any { return py(cat().ListColumns("spark_catalog.shop.orders")) }},
	{`[t.name for t in c.listTables("spark_catalog.shop")]`, func() any {
		names := []string{}
		for _, m := range cat().ListTables("spark_catalog.shop") {
			names = append(names, m.Name)
		}
		return names
	}},
	{`spark.range(3).write.bucketBy(4, "id").saveAsTable("lakehouse.default.b1")
c.listColumns("lakehouse.default.b1")`, func() any {
		spark.Range(3).Write().BucketBy(4, "id").SaveAsTable("lakehouse.default.b1")
		return py(cat().ListColumns("lakehouse.default.b1"))
	}},
	{`spark.sql("DESCRIBE lakehouse.default.b1")`, func() any { return spark.SQL("DESCRIBE lakehouse.default.b1") }},
	{`spark.range(3).write.bucketBy(4, "id").insertInto("lakehouse.default.b1")`, quiet(func() { spark.Range(3).Write().BucketBy(4, "id").InsertInto("lakehouse.default.b1") })},
}

// A table of plain files with buckets is refused by name; Spark makes one.
func TestBucketsRefused(t *testing.T) {
	connect(t)
	for _, name := range []string{"spark_catalog.default.b", "there"} {
		spark.SQL("CREATE TABLE IF NOT EXISTS there (id BIGINT) USING iceberg")
		err := lakelab.Try(func() { spark.Range(3).Write().Mode("append").BucketBy(4, "id").SaveAsTable(name) })
		if err == nil || !strings.Contains(err.Error(), "bucket") {
			t.Error(name, err)
		}
	}
}
