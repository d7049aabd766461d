package celldoor_test

import (
	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

var acting = []behaviour{
	{`people.count()`, func() any { return people.Count() }},
	{`people.isEmpty()`, func() any { return people.IsEmpty() }},
	{`people.filter("id > 10").isEmpty()`, func() any { return people.Filter("id > 10").IsEmpty() }},
	{`people.orderBy("id").first()`, func() any { return people.OrderBy("id").First() }},
	{`people.filter("id > 10").first()`, func() any { return people.Filter("id > 10").First() }},
	{`people.orderBy("id").head()`, func() any { return people.OrderBy("id").Head() }},
	{`people.orderBy("id").select("id", "name").head(2)`, func() any { return people.OrderBy("id").Select("id", "name").Take(2) }},
	{`people.orderBy("id").select("age").take(3)`, func() any { return people.OrderBy("id").Select("age").Take(3) }},
	{`people.select("id").orderBy("id").take(0)`, func() any { return people.Select("id").OrderBy("id").Take(0) }},
	{`people.orderBy("id").select("name").tail(2)`, func() any { return people.OrderBy("id").Select("name").Tail(2) }},
	{`nested.orderBy("id").collect()`, func() any { return nested.OrderBy("id").Collect() }},
	{`nums.orderBy("b").collect()`, func() any { return nums.OrderBy("b").Collect() }},
	{`words.orderBy("w").collect()`, func() any { return words.OrderBy("w").Collect() }},
	{`[r["name"] for r in people.orderBy("id").toLocalIterator()]`, func() any {
		var names []string
		for r := range people.OrderBy("id").ToLocalIterator() {
			names = append(names, r.String("name"))
		}
		return names
	}},
	{`[r.age for r in people.orderBy("id").limit(2).collect()]`, func() any {
		var ages []int64
		for _, r := range people.OrderBy("id").Limit(2).Collect() {
			ages = append(ages, r.Int64("age"))
		}
		return ages
	}},
	{`people.orderBy("id").show()`, func() any { people.OrderBy("id").Show(); return nil }},
	{`people.orderBy("id").show(2)`, func() any { people.OrderBy("id").Show(lakelab.Rows(2)); return nil }},
	{`people.orderBy("id").show(2, truncate=3)`, func() any { people.OrderBy("id").Show(lakelab.Rows(2), lakelab.Truncate(3)); return nil }},
	{`people.orderBy("id").show(truncate=False)`, func() any { people.OrderBy("id").Show(lakelab.NoTruncate()); return nil }},
	{`people.orderBy("id").show(2, vertical=True)`, func() any { people.OrderBy("id").Show(lakelab.Rows(2), lakelab.Vertical()); return nil }},
	{`nested.orderBy("id").show(truncate=False, vertical=True)`, func() any { nested.OrderBy("id").Show(lakelab.NoTruncate(), lakelab.Vertical()); return nil }},
	{`nested.orderBy("id").show()`, func() any { nested.OrderBy("id").Show(); return nil }},
	{`people.filter("false").show()`, func() any { people.Filter("false").Show(); return nil }},
	{`people.show(0)`, func() any { people.Show(lakelab.Rows(0)); return nil }},
	{`people.filter("id < 0").show(vertical=True)`, func() any { people.Filter("id < 0").Show(lakelab.Vertical()); return nil }},
	{`spark.sql("SELECT 'a very long string, longer than twenty' AS s, 'проверка' AS r, '表' AS c").show()`, func() any {
		spark.SQL("SELECT 'a very long string, longer than twenty' AS s, 'проверка' AS r, '表' AS c").Show()
		return nil
	}},
	{`spark.sql("SELECT 'line\\nbreak' AS s, 'tab\\there' AS t").show()`, func() any { spark.SQL(`SELECT 'line\nbreak' AS s, 'tab\there' AS t`).Show(); return nil }},
	{`people.printSchema()`, func() any { people.PrintSchema(); return nil }},
	{`nested.printSchema()`, func() any { nested.PrintSchema(); return nil }},
	{`nested.printSchema(1)`, func() any { nested.PrintSchema(1); return nil }},
	{`spark.range(3).withColumn("x", lit(1)).printSchema()`, func() any { spark.Range(3).WithColumn("x", lit(1)).PrintSchema(); return nil }},
	{`o = Observation("m")
d = people.filter("age > 30").observe(o, F.count(lit(1)).alias("n"), F.max("age").alias("top"))
d.count()
o.get["n"] + o.get["top"]`, func() any {
		o := lakelab.NewObservation("m")
		people.Filter("age > 30").Observe(o, F.Count(lit(1)).Alias("n"), F.Max("age").Alias("top")).Count()
		return o.Get()["n"].(int64) + o.Get()["top"].(int64)
	}},
}

type person struct {
	ID    int `spark:"id"`
	Name  string
	Score *float64
}

var making = []behaviour{
	{`spark.createDataFrame([(1, "a"), (2, None)], "id INT, s STRING")`, func() any {
		return spark.CreateDataFrame([][]any{{1, "a"}, {2, nil}}, "id INT, s STRING")
	}},
	{`spark.createDataFrame([(1, "a")], "id: int, s: string")`, func() any { return spark.CreateDataFrame([][]any{{1, "a"}}, "id: int, s: string") }},
	{`spark.createDataFrame([(1, "a"), (2, "b")], ["id", "s"])`, func() any { return spark.CreateDataFrame([][]any{{1, "a"}, {2, "b"}}, "id", "s") }},
	{`spark.createDataFrame([(1, "a", 2.5, True)])`, func() any { return spark.CreateDataFrame([][]any{{1, "a", 2.5, true}}) }},
	{`spark.createDataFrame([{"id": 1, "name": "x"}, {"id": 2, "name": None}])`, func() any {
		return spark.CreateDataFrame([]map[string]any{{"id": 1, "name": "x"}, {"id": 2, "name": nil}})
	}},
	{`spark.createDataFrame([{"name": "x", "id": 1}], "id INT, name STRING")`, func() any {
		return spark.CreateDataFrame([]map[string]any{{"id": 1, "name": "x"}}, "id INT, name STRING")
	}},
	{`spark.createDataFrame([Row(id=1, Name="a", Score=1.5), Row(id=2, Name="b", Score=None)])`, func() any {
		score := 1.5
		return spark.CreateDataFrame([]person{{1, "a", &score}, {2, "b", nil}})
	}},
	{`spark.createDataFrame([], "id INT")`, func() any { return spark.CreateDataFrame([][]any{}, "id INT") }},
	{`spark.createDataFrame([([1, 2], {"a": 1})], "xs ARRAY<BIGINT>, m MAP<STRING, BIGINT>")`, func() any {
		return spark.CreateDataFrame([][]any{{[]int{1, 2}, map[string]int{"a": 1}}}, "xs ARRAY<BIGINT>, m MAP<STRING, BIGINT>")
	}},
	{`spark.createDataFrame([([1, 2], {"a": 1.5}, date(2024, 1, 2))], ["xs", "m", "d"]).drop("d")`, func() any {
		return spark.CreateDataFrame([][]any{{[]int{1, 2}, map[string]float64{"a": 1.5}}}, "xs", "m")
	}},
	{`spark.createDataFrame([(1,)], "id INT NOT NULL").printSchema()`, func() any { spark.CreateDataFrame([][]any{{1}}, "id INT NOT NULL").PrintSchema(); return nil }},
	{`spark.createDataFrame([1, 2, 3], "int")`, func() any { return spark.CreateDataFrame([]int{1, 2, 3}, "int") }},
	{`spark.createDataFrame(["a", "b"], "string")`, func() any { return spark.CreateDataFrame([]string{"a", "b"}, "string") }},
	{`spark.createDataFrame(people.orderBy("id").take(2))`, func() any { return spark.CreateDataFrame(people.OrderBy("id").Take(2)).Select("*") }},
	{`spark.createDataFrame(people.select("id", "name").orderBy("id").take(2), "id INT, name STRING")`, func() any {
		return spark.CreateDataFrame(people.Select("id", "name").OrderBy("id").Take(2), "id INT, name STRING")
	}},
}

var failing = []behaviour{
	{`people.select("nope")`, func() any { return people.Select("nope") }},
	{`people.select("nam")`, func() any { return people.Select("nam") }},
	{`people.select(col("age") + col("nope"))`, func() any { return people.Select(col("age").Plus(col("nope"))) }},
	{`people["nope"]`, func() any { people.Col("nope"); return nil }},
	{`people.select("x.name")`, func() any { return people.Select("x.name") }},
	{`people.select(depts["title"])`, func() any { return people.Select(depts.Col("title")) }},
	{`people.select(depts["dept"])`, func() any { return people.Select(depts.Col("dept")) }},
	{`people.filter(depts["floor"] > 1)`, func() any { return people.Filter(depts.Col("floor").Gt(1)) }},
	{`people.filter("nope > 1")`, func() any { return people.Filter("nope > 1") }},
	{`people.filter("age >")`, func() any { return people.Filter("age >") }},
	{`people.filter(col("age"))`, func() any { return people.Filter(col("age")) }},
	{`people.filter(col("name") + 1 > 0).count()`, func() any { return people.Filter(col("name").Plus(1).Gt(0)).Count() }},
	{`people.filter(F.sum("age") > 1)`, func() any { return people.Filter(F.Sum("age").Gt(1)) }},
	{`people.select(col("age") & col("name"))`, func() any { return people.Select(col("age").And(col("name"))) }},
	{`people.select(col("tags"))`, func() any { return people.Select(col("tags")) }},
	{`people.select(col("name").getField("x"))`, func() any { return people.Select(col("name").GetField("x")) }},
	{`nested.select(col("s").getField("zz"))`, func() any { return nested.Select(col("s").GetField("zz")) }},
	{`nested.select("s.zz")`, func() any { return nested.Select("s.zz") }},
	{`nested.select(col("s").dropFields("n", "t"))`, func() any { return nested.Select(col("s").DropFields("n", "t")) }},
	{`nested.select(col("id").withField("a", lit(1)))`, func() any { return nested.Select(col("id").WithField("a", lit(1))) }},
	{`nested.select(col("s").cast("int"))`, func() any { return nested.Select(col("s").Cast("int")) }},
	{`people.select(col("age").cast("nope"))`, func() any { return people.Select(col("age").Cast("nope")) }},
	{`words.select(col("w").cast("int")).collect()`, func() any { return words.Select(col("w").Cast("int")).Collect() }},
	{`nums.select(col("b") / 0).collect()`, func() any { return nums.Select(col("b").Div(0)).Collect() }},
	{`nums.select(col("b") % 0).collect()`, func() any { return nums.Select(col("b").Mod(0)).Collect() }},
	{`nums.select((col("l") * 9000000000).alias("x")).collect()`, func() any { return nums.Select(col("l").Times(9000000000).As("x")).Collect() }},
	{`people.select(F.explode("name"))`, func() any { return people.Select(F.Explode("name")) }},
	{`nested.select(F.explode("tags"), F.explode("props"))`, func() any { return nested.Select(F.Explode("tags"), F.Explode("props")) }},
	{`nested.select(F.upper(F.explode("tags")))`, func() any { return nested.Select(F.Upper(F.Explode("tags"))) }},
	{`people.select(F.sum("age"), "name")`, func() any { return people.Select(F.Sum("age"), "name") }},
	{`people.groupBy("dept").agg(col("age"))`, func() any { return people.GroupBy("dept").Agg(col("age")) }},
	{`people.groupBy("nope").count()`, func() any { return people.GroupBy("nope").Count() }},
	{`people.groupBy("dept").sum("name")`, func() any { return people.GroupBy("dept").Sum("name") }},
	{`people.groupBy("dept").agg(F.sum("hired"))`, func() any { return people.GroupBy("dept").Agg(F.Sum("hired")) }},
	{`people.groupBy("dept").agg({"age": "nope"})`, func() any { return people.GroupBy("dept").Agg(map[string]string{"age": "nope"}) }},
	{`people.rollup("dept").pivot("age").count()`, func() any { return people.Rollup("dept").Pivot("age").Count() }},
	{`people.groupBy("dept").pivot("age").pivot("id")`, func() any { people.GroupBy("dept").Pivot("age").Pivot("id"); return nil }},
	{`people.groupBy("dept").pivot("age").agg(col("id"))`, func() any { return people.GroupBy("dept").Pivot("age").Agg(col("id")) }},
	{`people.join(depts, "nope")`, func() any { return people.Join(depts, "nope") }},
	{`people.join(depts, "title")`, func() any { return people.Join(depts, "title") }},
	{`people.join(depts, people["dept"] == depts["dept"]).select("dept")`, func() any {
		return people.Join(depts, people.Col("dept").Eq(depts.Col("dept"))).Select("dept")
	}},
	{`people.join(depts, people["dept"] == depts["dept"]).drop(col("dept"))`, func() any {
		return people.Join(depts, people.Col("dept").Eq(depts.Col("dept"))).Drop(col("dept"))
	}},
	{`people.join(depts, people["dept"] == depts["dept"]).drop("dept").columns`, func() any {
		return people.Join(depts, people.Col("dept").Eq(depts.Col("dept"))).Drop("dept").Columns()
	}},
	{`people.join(depts, "dept", "sideways")`, func() any { return people.Join(depts, "dept", "sideways") }},
	{`people.join(people, people["id"] == people["age"]).count()`, func() any { return people.Join(people, people.Col("id").Eq(people.Col("age"))).Count() }},
	{`people.join(depts, col("dept") == col("dept"))`, func() any { return people.Join(depts, col("dept").Eq(col("dept"))) }},
	{`people.join(depts, people["age"])`, func() any { return people.Join(depts, people.Col("age")) }},
	{`people.union(depts)`, func() any { return people.Union(depts) }},
	{`nested.select("tags").union(people.select("id"))`, func() any { return nested.Select("tags").Union(people.Select("id")) }},
	{`people.select("id").unionByName(depts.select("dept"))`, func() any { return people.Select("id").UnionByName(depts.Select("dept")) }},
	{`people.select("id").intersect(depts)`, func() any { return people.Select("id").Intersect(depts) }},
	{`nested.select("props").distinct()`, func() any { return nested.Select("props").Distinct().Count() }},
	{`people.orderBy("nope")`, func() any { return people.OrderBy("nope") }},
	{`nested.orderBy("props")`, func() any { return nested.OrderBy("props") }},
	{`people.orderBy(99)`, func() any { return people.OrderBy(99) }},
	{`people.dropDuplicates(["nope"])`, func() any { return people.DropDuplicates("nope") }},
	{`people.toDF("a", "b")`, func() any { return people.ToDF("a", "b") }},
	{`people.limit(-1)`, func() any { return people.Limit(-1) }},
	{`people.offset(-1)`, func() any { return people.Offset(-1) }},
	{`people.sample(1.5)`, func() any { return people.Sample(1.5) }},
	{`people.withColumn("x", F.sum("age"))`, func() any { return people.WithColumn("x", F.Sum("age")) }},
	{`people.withColumn("x", F.row_number())`, func() any { return people.WithColumn("x", F.RowNumber()) }},
	{`people.withColumn("x", F.row_number().over(Window.partitionBy("dept")))`, func() any {
		return people.WithColumn("x", F.RowNumber().Over(lakelab.Window.PartitionBy("dept")))
	}},
	{`people.withColumn("x", col("age").over(Window.partitionBy("dept")))`, func() any {
		return people.WithColumn("x", col("age").Over(lakelab.Window.PartitionBy("dept")))
	}},
	{`people.filter(F.row_number().over(Window.orderBy("id")) > 1)`, func() any {
		return people.Filter(F.RowNumber().Over(lakelab.Window.OrderBy("id")).Gt(1))
	}},
	{`people.select(F.sum("age").over(Window.orderBy("id").rowsBetween(2, 1)))`, func() any {
		return people.Select(F.Sum("age").Over(lakelab.Window.OrderBy("id").RowsBetween(2, 1)))
	}},
	{`people.select(F.sum("age").over(Window.orderBy("name").rangeBetween(-1, 1)))`, func() any {
		return people.Select(F.Sum("age").Over(lakelab.Window.OrderBy("name").RangeBetween(-1, 1)))
	}},
	{`people.select(F.expr("nope(age)"))`, func() any { return people.Select(expr("nope(age)")) }},
	{`people.select(F.call_function("nope", "age"))`, func() any { return people.Select(F.CallFunction("nope", "age")) }},
	{`people.select(F.expr("upper(name, 1)"))`, func() any { return people.Select(expr("upper(name, 1)")) }},
	{`people.select(F.round("name", 1)).collect()`, func() any { return people.Select(F.Round("name", 1)).Collect() }},
	{`people.select(col("a..b"))`, func() any { return people.Select(col("a..b")) }},
	{`people.select("name.x")`, func() any { return people.Select("name.x") }},
	{`people.alias("p").select("q.*")`, func() any { return people.Alias("p").Select("q.*") }},
	{`people.unpivot(["id"], ["age", "name"], "k", "v")`, func() any { return people.Unpivot([]string{"id"}, []string{"age", "name"}, "k", "v") }},
	{`people.na.fill(0, ["nope"])`, func() any { return people.NA().Fill(0, "nope") }},
	{`people.na.fill({"nope": 1})`, func() any { return people.NA().Fill(map[string]any{"nope": 1}) }},
	{`people.na.drop(subset=["nope"])`, func() any { return people.NA().Drop(lakelab.NADrop{Subset: []string{"nope"}}) }},
	{`people.describe("nope")`, func() any { return people.Describe("nope") }},
	{`people.crosstab("nope", "age")`, func() any { return people.Crosstab("nope", "age") }},
	{`people.repartition(0)`, func() any { return people.Repartition(0) }},
	{`spark.table("nope")`, func() any { return spark.Table("nope") }},
	{`spark.table("lakehouse.default.nope")`, func() any { return spark.Table("lakehouse.default.nope") }},
	{`spark.sql("SELECT nope FROM VALUES (1) AS t(a)")`, func() any { return spark.SQL("SELECT nope FROM VALUES (1) AS t(a)") }},
	{`spark.sql("SELEC 1")`, func() any { return spark.SQL("SELEC 1") }},
	{`spark.range(1, 5, 0)`, func() any { return spark.Range(1, 5, 0) }},
	{`people.createTempView("twice")
people.createTempView("twice")`, func() any {
		people.CreateTempView("twice")
		people.CreateTempView("twice")
		return nil
	}},
	{`people.createOrReplaceTempView("a.b")`, func() any { people.CreateOrReplaceTempView("a.b"); return nil }},
	{`F.when(col("a") > 1, 1).otherwise(2).otherwise(3)`, func() any {
		return people.Select(F.When(col("a").Gt(1), 1).Otherwise(2).Otherwise(3))
	}},
	{`col("a").when(col("a") > 1, 1)`, func() any { return people.Select(col("a").When(col("a").Gt(1), 1)) }},
	{`spark.createDataFrame([(1, "a")], "id INT")`, func() any { return spark.CreateDataFrame([][]any{{1, "a"}}, "id INT") }},
	{`spark.createDataFrame([("x",)], "id INT")`, func() any { return spark.CreateDataFrame([][]any{{"x"}}, "id INT") }},
	{`spark.createDataFrame([(1,)], "id NOPE")`, func() any { return spark.CreateDataFrame([][]any{{1}}, "id NOPE") }},
	{`spark.createDataFrame([(None,)], "id INT NOT NULL")`, func() any { return spark.CreateDataFrame([][]any{{nil}}, "id INT NOT NULL") }},
	{`people.withColumnRenamed("name", "age").select("age")`, func() any { return people.WithColumnRenamed("name", "age").Select("age") }},
	{`people.groupBy("dept").agg(F.max(F.sum("age")))`, func() any { return people.GroupBy("dept").Agg(F.Max(F.Sum("age"))) }},
	{`people.select(F.grouping("dept"))`, func() any { return people.Select(F.Grouping("dept")) }},
	{`people.observe(Observation("m"), col("age"))`, func() any { return people.Observe(lakelab.NewObservation("m"), col("age")) }},
	{`nested.filter("id = 2").select(col("tags")[0]).collect()`, func() any { return nested.Filter("id = 2").Select(col("tags").GetItem(0)).Collect() }},
	{`nested.select(F.element_at("tags", 0)).collect()`, func() any { return nested.Select(F.ElementAt("tags", 0)).Collect() }},
	{`people.select(F.to_date("name")).collect()`, func() any { return people.Select(F.ToDate("name")).Collect() }},
	{`nested.groupBy("props").count()`, func() any { return nested.GroupBy("props").Count() }},
	{`nested.join(nested.alias("n"), col("tags") == 1)`, func() any { return nested.Join(nested.Alias("n"), col("tags").Eq(1)) }},
}
