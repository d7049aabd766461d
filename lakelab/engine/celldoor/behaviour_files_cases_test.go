package celldoor_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

var data *lakelab.DataFrame

func makeData() {
	data = spark.CreateDataFrame([][]any{
		{1, "a", 2.5, true, day(2024, 1, 31), time.Date(2024, 1, 31, 12, 0, 0, 0, time.UTC)}, {2, "b,\"c", nil, false, nil, nil}, {3, "", -1.0, nil, day(2024, 2, 1), nil},
	}, "id INT, s STRING, x DOUBLE, ok BOOLEAN, d DATE, t TIMESTAMP")
}

func in(name string) string { return filepath.Join(inDir, name) }
func to(name string) string { return filepath.Join(outDir, name) }

// written lists the lines of the files in a folder that was written; folders its folders.
func written(name string) []string {
	lines := []string{}
	_ = filepath.WalkDir(to(name), func(p string, d os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), "part-") {
			b, _ := os.ReadFile(p)
			for l := range strings.Lines(string(b)) {
				lines = append(lines, strings.TrimSuffix(l, "\n"))
			}
		}
		return err
	})
	slices.Sort(lines)
	return lines
}

func folders(name string) []string {
	out := []string{}
	entries, _ := os.ReadDir(to(name))
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

func header() *lakelab.DataFrameReader { return spark.Read().Option("header", true) }

var reading = []behaviour{
	{`spark.read.csv(dir + "/people.csv")`, func() any { return spark.Read().CSV(in("people.csv")) }},
	{`spark.read.option("header", True).csv(dir + "/people.csv")`, func() any { return header().CSV(in("people.csv")) }},
	{`spark.read.option("header", True).option("inferSchema", True).csv(dir + "/people.csv")`, func() any { return header().Option("inferSchema", true).CSV(in("people.csv")) }},
	{`spark.read.options(header=True, inferSchema=True).format("csv").load(dir + "/types.csv")`, func() any {
		return spark.Read().Options(map[string]any{"header": true, "inferSchema": true}).Format("csv").Load(in("types.csv"))
	}},
	{`spark.read.option("header", "true").schema("id INT, name STRING, age INT, score DOUBLE, hired DATE").csv(dir + "/people.csv")`, func() any {
		return spark.Read().Option("header", "true").Schema("id INT, name STRING, age INT, score DOUBLE, hired DATE").CSV(in("people.csv"))
	}},
	{`spark.read.option("header", True).schema("id INT, name STRING").csv(dir + "/people.csv")`, func() any { return header().Schema("id INT, name STRING").CSV(in("people.csv")) }},
	{`spark.read.option("sep", ";").option("quote", "'").csv(dir + "/semi.csv")`, func() any { return spark.Read().Option("sep", ";").Option("quote", "'").CSV(in("semi.csv")) }},
	{`spark.read.option("delimiter", ";").option("quote", "'").option("nullValue", "NA").csv(dir + "/semi.csv")`, func() any {
		return spark.Read().Option("delimiter", ";").Option("quote", "'").Option("nullValue", "NA").CSV(in("semi.csv"))
	}},
	{`spark.read.csv(dir + "/ragged.csv")`, func() any { return spark.Read().CSV(in("ragged.csv")) }},
	{`spark.read.schema("a INT, b INT, c INT").csv(dir + "/ragged.csv")`, func() any { return spark.Read().Schema("a INT, b INT, c INT").CSV(in("ragged.csv")) }},
	{`spark.read.option("header", True).schema("id INT, n INT").csv(dir + "/bad.csv")`, func() any { return header().Schema("id INT, n INT").CSV(in("bad.csv")) }},
	{`spark.read.option("header", True).schema("id INT, n INT, _corrupt_record STRING").csv(dir + "/bad.csv")`, func() any {
		return header().Schema("id INT, n INT, _corrupt_record STRING").CSV(in("bad.csv"))
	}},
	{`spark.read.option("header", True).option("columnNameOfCorruptRecord", "bad").schema("id INT, bad STRING, n INT").csv(dir + "/bad.csv")`, func() any {
		return header().Option("columnNameOfCorruptRecord", "bad").Schema("id INT, bad STRING, n INT").CSV(in("bad.csv"))
	}},
	{`spark.read.option("header", True).option("mode", "DROPMALFORMED").schema("id INT, n INT").csv(dir + "/bad.csv")`, func() any {
		return header().Option("mode", "DROPMALFORMED").Schema("id INT, n INT").CSV(in("bad.csv"))
	}},
	{`spark.read.option("header", True).option("mode", "FAILFAST").schema("id INT, n INT").csv(dir + "/people.csv").count()`, func() any {
		return header().Option("mode", "FAILFAST").Schema("id INT, name STRING, age INT, score DOUBLE, hired DATE").CSV(in("people.csv")).Count()
	}},
	{`spark.read.option("header", True).option("dateFormat", "dd.MM.yyyy").option("timestampFormat", "dd.MM.yyyy HH:mm").schema("id INT, day DATE, at TIMESTAMP").csv(dir + "/dates.csv")`, func() any {
		return header().Option("dateFormat", "dd.MM.yyyy").Option("timestampFormat", "dd.MM.yyyy HH:mm").Schema("id INT, day DATE, at TIMESTAMP").CSV(in("dates.csv"))
	}},
	{`spark.read.option("header", True).csv(dir + "/dup.csv")`, func() any { return header().CSV(in("dup.csv")) }},
	{`spark.read.schema("id INT, s STRING").csv(dir + "/parts")`, func() any { return spark.Read().Schema("id INT, s STRING").CSV(in("parts")) }},
	{`spark.read.schema("id INT, s STRING").csv(dir + "/parts/*/*.csv")`, func() any { return spark.Read().Schema("id INT, s STRING").CSV(in("parts/*/*.csv")) }},
	{`spark.read.csv([dir + "/parts/d=1/x.csv", dir + "/parts/d=2/y.csv"])`, func() any { return spark.Read().CSV(in("parts/d=1/x.csv"), in("parts/d=2/y.csv")) }},
	{`spark.read.csv(dir + "/nope.csv").count()`, func() any { return spark.Read().CSV(in("nope.csv")).Count() }},
	{`spark.read.format("nope").load(dir + "/people.csv")`, func() any { return spark.Read().Format("nope").Load(in("people.csv")) }},
	{`spark.read.json(dir + "/people.json")`, func() any { return spark.Read().JSON(in("people.json")) }},
	{`spark.read.json(dir + "/mixed.json")`, func() any { return spark.Read().JSON(in("mixed.json")) }},
	{`spark.read.schema("id BIGINT, name STRING, score DOUBLE").json(dir + "/people.json")`, func() any {
		return spark.Read().Schema("id BIGINT, name STRING, score DOUBLE").JSON(in("people.json"))
	}},
	{`spark.read.json(dir + "/bad.json").cache()`, func() any { return spark.Read().JSON(in("bad.json")) }},
	{`spark.read.schema("a INT, b STRING").json(dir + "/bad.json")`, func() any { return spark.Read().Schema("a INT, b STRING").JSON(in("bad.json")) }},
	{`spark.read.option("mode", "DROPMALFORMED").schema("a STRING, b STRING").json(dir + "/bad.json")`, func() any {
		return spark.Read().Option("mode", "DROPMALFORMED").Schema("a STRING, b STRING").JSON(in("bad.json"))
	}},
	{`spark.read.option("multiLine", True).json(dir + "/multi.json")`, func() any { return spark.Read().Option("multiLine", true).JSON(in("multi.json")) }},
	{`spark.read.option("primitivesAsString", True).json(dir + "/people.json").select("id", "ok")`, func() any {
		return spark.Read().Option("primitivesAsString", true).JSON(in("people.json")).Select("id", "ok")
	}},
	{`spark.read.text(dir + "/lines.txt")`, func() any { return spark.Read().Text(in("lines.txt")) }},
	{`spark.read.text(dir + "/lines.txt", wholetext=True).count()`, func() any { return spark.Read().Option("wholetext", true).Text(in("lines.txt")).Count() }},
	{`spark.read.text(dir + "/lines.txt").filter(col("value").contains("line")).count()`, func() any {
		return spark.Read().Text(in("lines.txt")).Filter(col("value").Contains("line")).Count()
	}},
}

var writing = []behaviour{
	{`data.coalesce(1).write.csv(out + "/c1")
lines("c1")`, func() any { data.Write().CSV(to("c1")); return written("c1") }},
	{`data.coalesce(1).write.option("header", True).option("sep", ";").option("nullValue", "-").csv(out + "/c2")
lines("c2")`, func() any {
		data.Write().Option("header", true).Option("sep", ";").Option("nullValue", "-").CSV(to("c2"))
		return written("c2")
	}},
	{`data.coalesce(1).write.json(out + "/j1")
lines("j1")`, func() any { data.Write().JSON(to("j1")); return written("j1") }},
	{`data.select("s").coalesce(1).write.text(out + "/t1")
lines("t1")`, func() any { data.Select("s").Write().Text(to("t1")); return written("t1") }},
	{`data.write.parquet(out + "/p1")
spark.read.parquet(out + "/p1").orderBy("id")`, func() any { data.Write().Parquet(to("p1")); return spark.Read().Parquet(to("p1")).OrderBy("id") }},
	{`data.write.save(out + "/p2")
spark.read.load(out + "/p2").count()`, func() any { data.Write().Save(to("p2")); return spark.Read().Load(to("p2")).Count() }},
	{`data.write.mode("overwrite").format("csv").save(out + "/c3")
data.limit(1).write.mode("overwrite").csv(out + "/c3")
lines("c3")`, func() any {
		data.Write().Mode("overwrite").Format("csv").Save(to("c3"))
		data.Limit(1).Write().Mode("overwrite").CSV(to("c3"))
		return written("c3")
	}},
	{`data.limit(1).write.json(out + "/j2")
data.limit(1).write.mode("append").json(out + "/j2")
lines("j2")`, func() any {
		data.Limit(1).Write().JSON(to("j2"))
		data.Limit(1).Write().Mode("append").JSON(to("j2"))
		return written("j2")
	}},
	{`data.limit(1).write.json(out + "/j3")
data.write.mode("ignore").json(out + "/j3")
lines("j3")`, func() any {
		data.Limit(1).Write().JSON(to("j3"))
		data.Write().Mode("ignore").JSON(to("j3"))
		return written("j3")
	}},
	{`data.write.parquet(out + "/p3")
data.write.parquet(out + "/p3")`, func() any {
		data.Write().Parquet(to("p3"))
		data.Write().Parquet(to("p3"))
		return nil
	}},
	{`data.write.partitionBy("ok").csv(out + "/c4")
folders("c4"), lines("c4")`, func() any {
		data.Write().PartitionBy("ok").CSV(to("c4"))
		return verbatim("(" + repr(folders("c4")) + ", " + repr(written("c4")) + ")")
	}},
	{`data.write.partitionBy("d").parquet(out + "/p4")
spark.read.parquet(out + "/p4").orderBy("id")`, func() any {
		data.Write().PartitionBy("d").Parquet(to("p4"))
		return spark.Read().Parquet(to("p4")).OrderBy("id")
	}},
	{`data.write.partitionBy("id").json(out + "/j4")
spark.read.json(out + "/j4").select("id", "s").orderBy("id")`, func() any {
		data.Write().PartitionBy("id").JSON(to("j4"))
		return spark.Read().JSON(to("j4")).Select("id", "s").OrderBy("id")
	}},
	{`data.write.partitionBy("nope").csv(out + "/c5")`, func() any { data.Write().PartitionBy("nope").CSV(to("c5")); return nil }},
	{`data.select("id").write.partitionBy("id").csv(out + "/c6")`, func() any { data.Select("id").Write().PartitionBy("id").CSV(to("c6")); return nil }},
	{`data.write.mode("sideways").csv(out + "/c7")`, func() any { data.Write().Mode("sideways").CSV(to("c7")); return nil }},
	{`data.write.text(out + "/t2")`, func() any { data.Write().Text(to("t2")); return nil }},
	{`data.select("id").write.text(out + "/t3")`, func() any { data.Select("id").Write().Text(to("t3")); return nil }},
	{`data.select(F.array("id").alias("a")).write.csv(out + "/c8")`, func() any { data.Select(F.Array("id").As("a")).Write().CSV(to("c8")); return nil }},
	{`data.write.format("iceberg").saveAsTable("w1")
spark.table("w1").orderBy("id")`, func() any { data.Write().Format("iceberg").SaveAsTable("w1"); return spark.Table("w1").OrderBy("id") }},
	{`data.write.saveAsTable("w1")`, func() any { data.Write().SaveAsTable("w1"); return nil }},
	{`data.select("s", "id", "x", "ok", "d", "t").write.mode("append").saveAsTable("w1")
spark.table("w1").count()`, func() any {
		data.Select("s", "id", "x", "ok", "d", "t").Write().Mode("append").SaveAsTable("w1")
		return spark.Table("w1").Count()
	}},
	{`data.limit(1).write.mode("ignore").saveAsTable("w1")
spark.table("w1").count()`, func() any {
		data.Limit(1).Write().Mode("ignore").SaveAsTable("w1")
		return spark.Table("w1").Count()
	}},
	{`data.write.insertInto("w1")
spark.table("w1").count()`, func() any { data.Write().InsertInto("w1"); return spark.Table("w1").Count() }},
	{`data.limit(2).write.mode("overwrite").insertInto("w1")
spark.table("w1").count()`, func() any { data.Limit(2).Write().Mode("overwrite").InsertInto("w1"); return spark.Table("w1").Count() }},
	{`data.select("id").write.insertInto("w1")`, func() any { data.Select("id").Write().InsertInto("w1"); return nil }},
	{`data.select("id", "s").write.mode("overwrite").saveAsTable("w1")
spark.table("w1").orderBy("id")`, func() any {
		data.Select("id", "s").Write().Mode("overwrite").SaveAsTable("w1")
		return spark.Table("w1").OrderBy("id")
	}},
	{`data.writeTo("w2").using("iceberg").tableProperty("k", "v").create()
spark.table("w2").count()`, func() any {
		data.WriteTo("w2").Using("iceberg").TableProperty("k", "v").Create()
		return spark.Table("w2").Count()
	}},
	{`data.writeTo("w2").create()`, func() any { data.WriteTo("w2").Create(); return nil }},
	{`data.writeTo("w2").append()
spark.table("w2").count()`, func() any { data.WriteTo("w2").Append(); return spark.Table("w2").Count() }},
	{`data.select("id").writeTo("w2").replace()
spark.table("w2").orderBy("id")`, func() any { data.Select("id").WriteTo("w2").Replace(); return spark.Table("w2").OrderBy("id") }},
	{`data.writeTo("w3").replace()`, func() any { data.WriteTo("w3").Replace(); return nil }},
	{`data.writeTo("w3").partitionedBy("ok").createOrReplace()
spark.table("w3").orderBy("id")`, func() any {
		data.WriteTo("w3").PartitionedBy("ok").CreateOrReplace()
		return spark.Table("w3").OrderBy("id")
	}},
	{`data.filter("id = 1").withColumn("x", lit(99.0)).writeTo("w3").overwritePartitions()
spark.table("w3").orderBy("id").select("id", "x", "ok")`, func() any {
		data.Filter("id = 1").WithColumn("x", lit(99.0)).WriteTo("w3").OverwritePartitions()
		return spark.Table("w3").OrderBy("id").Select("id", "x", "ok")
	}},
	{`data.limit(1).writeTo("w3").overwrite(lit(True))
spark.table("w3").count()`, func() any { data.Limit(1).WriteTo("w3").Overwrite(lit(true)); return spark.Table("w3").Count() }},
	{`data.writeTo("w4").partitionedBy(F.days("t"), F.bucket(4, "id")).create()
spark.table("w4").count()`, func() any {
		data.WriteTo("w4").PartitionedBy(F.Days("t"), F.Bucket(4, "id")).Create()
		return spark.Table("w4").Count()
	}},
	{`data.select("id").writeTo("w6").tableProperty("owner", "o").tableProperty("comment", "c").create()
spark.sql("DESCRIBE EXTENDED w6").where("col_name IN ('Comment', 'Provider')")`, func() any {
		data.Select("id").WriteTo("w6").TableProperty("owner", "o").TableProperty("comment", "c").Create()
		return spark.SQL("DESCRIBE EXTENDED w6").Where("col_name IN ('Comment', 'Provider')")
	}},
	{`data.select("id").writeTo("w7").tableProperty("provider", "p").create()`, func() any { data.Select("id").WriteTo("w7").TableProperty("provider", "p").Create(); return nil }},
	{`data.select("id").writeTo("w7").using("iceberg").tableProperty("provider", "p").create()
spark.table("w7").count()`, func() any {
		data.Select("id").WriteTo("w7").Using("iceberg").TableProperty("provider", "p").Create()
		return spark.Table("w7").Count()
	}},
	{`data.select("id").writeTo("w4").append()`, func() any { data.Select("id").WriteTo("w4").Append(); return nil }},
	{`data.writeTo("w5").append()`, func() any { data.WriteTo("w5").Append(); return nil }},
}
