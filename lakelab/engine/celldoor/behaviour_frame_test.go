package celldoor_test

import (
	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

var col, lit, expr = F.Col, F.Lit, F.Expr

var selecting = []behaviour{
	{`people.select("name", "age")`, func() any { return people.Select("name", "age") }},
	{`people.select("*")`, func() any { return people.Select("*") }},
	{`people.select(["id", "name"])`, func() any { return people.Select([]string{"id", "name"}) }},
	{`people.select(col("age") + 1)`, func() any { return people.Select(col("age").Plus(1)) }},
	{`people.select(people["name"], people["age"] * 2)`, func() any { return people.Select(people.Col("name"), people.Col("age").Times(2)) }},
	{`people.select(people["*"])`, func() any { return people.Select(people.Col("*")) }},
	{`people.select("*", (col("salary") / 12).alias("monthly"))`, func() any { return people.Select("*", col("salary").Div(12).Alias("monthly")) }},
	{`people.select()`, func() any { return people.Select() }},
	{`people.select("name", "name")`, func() any { return people.Select("name", "name") }},
	{`people.select("NAME")`, func() any { return people.Select("NAME") }},
	{`people.alias("p").select("p.name", "p.age")`, func() any { return people.Alias("p").Select("p.name", "p.age") }},
	{`people.alias("p").select("p.*")`, func() any { return people.Alias("p").Select("p.*") }},
	{`people.alias("p").select(people["name"])`, func() any { return people.Alias("p").Select(people.Col("name")) }},
	{`people.filter("id < 3").select(people["name"])`, func() any { return people.Filter("id < 3").Select(people.Col("name")) }},
	{`people.select("id", "name").filter(people["id"] == 1)`, func() any { return people.Select("id", "name").Filter(people.Col("id").Eq(1)) }},
	{`people.selectExpr("id", "salary * 2 AS twice", "upper(name)")`, func() any { return people.SelectExpr("id", "salary * 2 AS twice", "upper(name)") }},
	{`people.selectExpr("*", "age > 30")`, func() any { return people.SelectExpr("*", "age > 30") }},
	{`people.selectExpr("count(*)", "max(age)")`, func() any { return people.SelectExpr("count(*)", "max(age)") }},
	{`people.select(F.count("*"), F.avg("salary"))`, func() any { return people.Select(F.Count("*"), F.Avg("salary")) }},
	{`people.select(lit(1), lit("x"), lit(None), lit(2.5), lit(True))`, func() any { return people.Select(lit(1), lit("x"), lit(nil), lit(2.5), lit(true)) }},
	{`people.withColumn("next", col("age") + 1)`, func() any { return people.WithColumn("next", col("age").Plus(1)) }},
	{`people.withColumn("age", col("age") + 1)`, func() any { return people.WithColumn("age", col("age").Plus(1)) }},
	{`people.withColumn("AGE", lit(0))`, func() any { return people.WithColumn("AGE", lit(0)) }},
	{`people.withColumn("n", F.row_number().over(Window.partitionBy("dept").orderBy("id"))).orderBy("id")`, func() any {
		return people.WithColumn("n", F.RowNumber().Over(lakelab.Window.PartitionBy("dept").OrderBy("id"))).OrderBy("id")
	}},
	{`people.withColumns({"a": col("id") + 1, "b": col("id") + 2})`, func() any {
		return people.WithColumns(map[string]lakelab.Column{"a": col("id").Plus(1), "b": col("id").Plus(2)})
	}},
	{`people.withColumns({"id": col("age"), "age": col("id")})`, func() any {
		return people.WithColumns(map[string]lakelab.Column{"id": col("age"), "age": col("id")})
	}},
	{`people.withColumnRenamed("name", "who")`, func() any { return people.WithColumnRenamed("name", "who") }},
	{`people.withColumnRenamed("nope", "who")`, func() any { return people.WithColumnRenamed("nope", "who") }},
	{`people.withColumnRenamed("NAME", "who")`, func() any { return people.WithColumnRenamed("NAME", "who") }},
	{`people.withColumnsRenamed({"name": "who", "age": "years"})`, func() any {
		return people.WithColumnsRenamed(map[string]string{"name": "who", "age": "years"})
	}},
	{`people.drop("age")`, func() any { return people.Drop("age") }},
	{`people.drop("age", "salary", "nope")`, func() any { return people.Drop("age", "salary", "nope") }},
	{`people.drop(col("age"))`, func() any { return people.Drop(col("age")) }},
	{`people.drop(people["age"], people["name"])`, func() any { return people.Drop(people.Col("age"), people.Col("name")) }},
	{`people.drop(col("nope"))`, func() any { return people.Drop(col("nope")) }},
	{`people.drop("AGE")`, func() any { return people.Drop("AGE") }},
	{`depts.toDF("a", "b", "c")`, func() any { return depts.ToDF("a", "b", "c") }},
	{`people.transform(lambda d: d.filter("age > 30")).select("name")`, func() any {
		return people.Transform(func(d *lakelab.DataFrame) *lakelab.DataFrame { return d.Filter("age > 30") }).Select("name")
	}},
	{`people.unpivot(["id"], ["age", "salary"], "what", "value")`, func() any {
		return people.Unpivot([]string{"id"}, []string{"age", "salary"}, "what", "value")
	}},
	{`depts.unpivot(["dept", "title"], None, "what", "value")`, func() any {
		return depts.Unpivot([]string{"dept", "title"}, nil, "what", "value")
	}},
	{`nums.select("a", "b").melt([], ["a", "b"], "k", "v")`, func() any {
		return nums.Select("a", "b").Melt([]string{}, []string{"a", "b"}, "k", "v")
	}},
	{`people.columns`, func() any { return people.Columns() }},
	{`people.dtypes`, func() any { return people.Dtypes() }},
	{`people`, func() any { return people }},
	{`nested`, func() any { return nested }},
	{`str(people)`, func() any { return people.String() }},
	{`str(nested)`, func() any { return nested.String() }},
	{`people.schema.simpleString()`, func() any { return people.Schema().SimpleString() }},
	{`spark.range(3)`, func() any { return spark.Range(3) }},
	{`spark.range(2, 8, 3)`, func() any { return spark.Range(2, 8, 3) }},
	{`spark.range(5, 0, -2)`, func() any { return spark.Range(5, 0, -2) }},
	{`spark.range(3).select(F.sum("id"))`, func() any { return spark.Range(3).Select(F.Sum("id")) }},
	{`people.createOrReplaceTempView("v")
spark.sql("SELECT dept, count(*) AS n FROM v GROUP BY dept")`, func() any {
		people.CreateOrReplaceTempView("v")
		return spark.SQL("SELECT dept, count(*) AS n FROM v GROUP BY dept")
	}},
	{`people.createOrReplaceTempView("v")
spark.table("v").select("v.name")`, func() any {
		people.CreateOrReplaceTempView("v")
		return spark.Table("v").Select("v.name")
	}},
	{`spark.sql("SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(x, y)").filter(col("x") > 1).select("t.y")`, func() any {
		return spark.SQL("SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(x, y)").Filter(col("x").Gt(1)).Select("t.y")
	}},
	{`spark.sql("SELECT :x + 1 AS n", args={"x": 41})`, func() any { return spark.SQL("SELECT :x + 1 AS n", map[string]any{"x": 41}) }},
}

var filtering = []behaviour{
	{`people.filter(col("age") > 30)`, func() any { return people.Filter(col("age").Gt(30)) }},
	{`people.filter("age > 30 AND dept IS NULL")`, func() any { return people.Filter("age > 30 AND dept IS NULL") }},
	{`people.where(people["dept"] == "eng")`, func() any { return people.Where(people.Col("dept").Eq("eng")) }},
	{`people.filter((col("age") > 30) & (col("salary") < 6000))`, func() any { return people.Filter(col("age").Gt(30).And(col("salary").Lt(6000))) }},
	{`people.filter((col("age") > 40) | col("dept").isNull())`, func() any { return people.Filter(col("age").Gt(40).Or(col("dept").IsNull())) }},
	{`people.filter(~(col("dept") == "eng"))`, func() any { return people.Filter(col("dept").Eq("eng").Not()) }},
	{`people.filter(col("name").isin("Anna", "Clara"))`, func() any { return people.Filter(col("name").IsIn("Anna", "Clara")) }},
	{`people.filter(col("age").isin([25, 42]))`, func() any { return people.Filter(col("age").IsIn([]int{25, 42})) }},
	{`people.filter(~col("age").isin(25, None))`, func() any { return people.Filter(col("age").IsIn(25, nil).Not()) }},
	{`people.filter(col("age").between(25, 31))`, func() any { return people.Filter(col("age").Between(25, 31)) }},
	{`people.filter(col("name").like("%a"))`, func() any { return people.Filter(col("name").Like("%a")) }},
	{`people.filter(col("dept").eqNullSafe(None))`, func() any { return people.Filter(col("dept").EqNullSafe(nil)) }},
	{`people.filter(col("hired") > date(2020, 6, 1))`, func() any { return people.Filter(col("hired").Gt(expr("DATE '2020-06-01'"))) }},
	{`people.filter(lit(True)).count()`, func() any { return people.Filter(lit(true)).Count() }},
	{`words.filter("ok")`, func() any { return words.Filter("ok") }},
	{`words.filter(col("ok"))`, func() any { return words.Filter(col("ok")) }},
	{`people.distinct().count()`, func() any { return people.Distinct().Count() }},
	{`people.select("age").distinct()`, func() any { return people.Select("age").Distinct() }},
	{`people.dropDuplicates(["name"]).select("name")`, func() any { return people.DropDuplicates("name").Select("name") }},
	{`people.dropDuplicates().count()`, func() any { return people.DropDuplicates().Count() }},
	{`people.drop_duplicates(["age", "dept"]).count()`, func() any { return people.DropDuplicates("age", "dept").Count() }},
	{`people.orderBy("id").limit(2)`, func() any { return people.OrderBy("id").Limit(2) }},
	{`people.limit(0)`, func() any { return people.Limit(0) }},
	{`people.orderBy("id").offset(4)`, func() any { return people.OrderBy("id").Offset(4) }},
	{`people.orderBy("id").offset(1).limit(2)`, func() any { return people.OrderBy("id").Offset(1).Limit(2) }},
	{`people.orderBy("id").limit(3).filter("age IS NULL")`, func() any { return people.OrderBy("id").Limit(3).Filter("age IS NULL") }},
	{`people.sample(1.0).count()`, func() any { return people.Sample(1.0).Count() }},
	{`people.sample(0.0).count()`, func() any { return people.Sample(0).Count() }},
	{`spark.range(1000).sample(0.1, seed=3).count() > 50`, func() any { return spark.Range(1000).Sample(0.1, 3).Count() > 50 }},
	{`spark.range(0, 50, 1, 1).sample(0.3, 3)`, func() any { return spark.Range(0, 50).Sample(0.3, 3) }},
	{`spark.range(0, 50, 1, 1).where("id > 9").sample(0.8, -1)`, func() any { return spark.Range(0, 50).Where("id > 9").Sample(0.8, -1) }},
	{`spark.range(0, 20, 1, 1).randomSplit([0.5, 0.3, 0.2], 24)[0]`, func() any {
		return spark.Range(0, 20).RandomSplit([]float64{0.5, 0.3, 0.2}, 24)[0]
	}},
	{`spark.range(0, 20, 1, 1).select(F.expr("id & 3").alias("k"), "id").randomSplit([2.0, 3.0], 5)[1]`, func() any {
		return spark.Range(0, 20).Select(F.Expr("id & 3").Alias("k"), "id").RandomSplit([]float64{2, 3}, 5)[1]
	}},
	{`spark.range(0, 20, 1, 1).withColumn("k", F.expr("id & 1")).sampleBy("k", {0: 0.4, 1: 0.7}, 9)`, func() any {
		return spark.Range(0, 20).WithColumn("k", F.Expr("id & 1")).Stat().SampleBy("k", map[any]float64{0: 0.4, 1: 0.7}, 9)
	}},
	{`spark.range(0, 5, 1, 1).select(F.rand(42), F.randn(42), F.uniform(F.lit(1), F.lit(9), F.lit(4)), F.randstr(F.lit(4), F.lit(8)))`, func() any {
		return spark.Range(0, 5).Select(F.Rand(42), F.RandN(42), F.Uniform(1, 9, 4), F.RandStr(4, 8))
	}},
	{`spark.range(0, 6, 1, 1).orderBy(F.rand(1))`, func() any { return spark.Range(0, 6).OrderBy(F.Rand(1)) }},
	{`sum(d.count() for d in spark.range(100).randomSplit([1.0, 2.0], 7))`, func() any {
		n := int64(0)
		for _, d := range spark.Range(100).RandomSplit([]float64{1, 2}, 7) {
			n += d.Count()
		}
		return n
	}},
	{`people.hint("broadcast").count()`, func() any { return people.Hint("broadcast").Count() }},
	{`people.repartition(3).count()`, func() any { return people.Repartition(3).Count() }},
	{`people.repartition(3, "dept").count()`, func() any { return people.Repartition(3, "dept").Count() }},
	{`people.coalesce(1).select("id").orderBy("id").take(2)`, func() any { return people.Coalesce(1).Select("id").OrderBy("id").Take(2) }},
	{`people.cache().count()`, func() any { return people.Cache().Count() }},
}

var grouping = []behaviour{
	{`people.groupBy("dept").count()`, func() any { return people.GroupBy("dept").Count() }},
	{`people.groupBy("dept", "age").count()`, func() any { return people.GroupBy("dept", "age").Count() }},
	{`people.groupBy(col("age") > 30).count()`, func() any { return people.GroupBy(col("age").Gt(30)).Count() }},
	{`people.groupBy((col("age") % 2).alias("odd")).count()`, func() any { return people.GroupBy(col("age").Mod(2).Alias("odd")).Count() }},
	{`people.groupBy(people["dept"]).agg(F.max("age"))`, func() any { return people.GroupBy(people.Col("dept")).Agg(F.Max("age")) }},
	{`people.groupBy(["dept"]).agg(F.sum("salary"), F.avg("age").alias("mean_age"))`, func() any {
		return people.GroupBy([]string{"dept"}).Agg(F.Sum("salary"), F.Avg("age").Alias("mean_age"))
	}},
	{`people.groupBy("dept").agg({"age": "max"})`, func() any { return people.GroupBy("dept").Agg(map[string]string{"age": "max"}) }},
	{`people.groupBy("dept").agg({"*": "count"})`, func() any { return people.GroupBy("dept").Agg(map[string]string{"*": "count"}) }},
	{`people.groupBy(4).count()`, func() any { return people.GroupBy(4).Count() }},
	{`people.groupBy("dept").sum("salary", "age")`, func() any { return people.GroupBy("dept").Sum("salary", "age") }},
	{`people.groupBy("dept").avg()`, func() any { return people.GroupBy("dept").Avg() }},
	{`people.groupBy("dept").mean("age")`, func() any { return people.GroupBy("dept").Mean("age") }},
	{`people.groupBy("dept").min("age")`, func() any { return people.GroupBy("dept").Min("age") }},
	{`people.groupBy("dept").max("id", "salary")`, func() any { return people.GroupBy("dept").Max("id", "salary") }},
	{`people.groupBy().count()`, func() any { return people.GroupBy().Count() }},
	{`people.groupBy().max("age")`, func() any { return people.GroupBy().Max("age") }},
	{`people.agg(F.count("age"), F.countDistinct("age"), F.sum("age"))`, func() any { return people.Agg(F.Count("age"), F.CountDistinct("age"), F.Sum("age")) }},
	{`people.agg({"age": "avg"})`, func() any { return people.Agg(map[string]string{"age": "avg"}) }},
	{`people.agg(F.max("age") - F.min("age"))`, func() any { return people.Agg(F.Max("age").Minus(F.Min("age"))) }},
	{`people.groupBy("dept").agg(F.collect_list("name"))`, func() any { return people.GroupBy("dept").Agg(F.CollectList("name")) }},
	{`people.groupBy("dept").agg(F.first("name", ignorenulls=True), F.last("name"))`, func() any {
		return people.GroupBy("dept").Agg(F.First("name", true), F.Last("name"))
	}},
	{`people.groupBy("age").pivot("dept").count()`, func() any { return people.GroupBy("age").Pivot("dept").Count() }},
	{`people.groupBy("age").pivot("dept", ["eng", "ops"]).sum("salary")`, func() any {
		return people.GroupBy("age").Pivot("dept", "eng", "ops").Sum("salary")
	}},
	{`people.groupBy("age").pivot("dept", ["eng", "hr"]).agg(F.count("*"), F.max("salary"))`, func() any {
		return people.GroupBy("age").Pivot("dept", []string{"eng", "hr"}).Agg(F.Count("*"), F.Max("salary"))
	}},
	{`people.groupBy("age").pivot("dept", ["eng"]).agg(F.count("*").alias("n"), F.max("salary").alias("top"))`, func() any {
		return people.GroupBy("age").Pivot("dept", "eng").Agg(F.Count("*").Alias("n"), F.Max("salary").Alias("top"))
	}},
	{`people.groupBy("age").pivot("dept", ["eng"]).agg(F.count("*").alias("n"))`, func() any {
		return people.GroupBy("age").Pivot("dept", "eng").Agg(F.Count("*").Alias("n"))
	}},
	{`people.groupBy().pivot("age").count()`, func() any { return people.GroupBy().Pivot("age").Count() }},
	{`people.groupBy("dept").pivot("hired").count()`, func() any { return people.GroupBy("dept").Pivot("hired").Count() }},
	{`words.groupBy("kind").pivot("ok").count()`, func() any { return words.GroupBy("kind").Pivot("ok").Count() }},
	{`nums.groupBy("a").pivot("d").agg(F.sum("b"))`, func() any { return nums.GroupBy("a").Pivot("d").Agg(F.Sum("b")) }},
	{`people.rollup("dept", "age").count()`, func() any { return people.Rollup("dept", "age").Count() }},
	{`people.cube("dept", "age").agg(F.sum("salary"), F.grouping_id())`, func() any {
		return people.Cube("dept", "age").Agg(F.Sum("salary"), F.GroupingID())
	}},
	{`people.rollup("dept").agg(F.grouping("dept"), F.count("*"))`, func() any { return people.Rollup("dept").Agg(F.Grouping("dept"), F.Count("*")) }},
	{`people.rollup().count()`, func() any { return people.Rollup().Count() }},
	{`people.groupBy("dept").agg(F.sum(F.when(col("age") > 30, 1).otherwise(0)).alias("old"))`, func() any {
		return people.GroupBy("dept").Agg(F.Sum(F.When(col("age").Gt(30), 1).Otherwise(0)).Alias("old"))
	}},
	{`people.groupBy("dept").agg(F.sum("age") / F.count("age"))`, func() any { return people.GroupBy("dept").Agg(F.Sum("age").Div(F.Count("age"))) }},
	{`people.groupBy("dept").count().filter("count > 1")`, func() any { return people.GroupBy("dept").Count().Filter("count > 1") }},
	{`people.groupBy("dept").agg(F.avg("salary").alias("a")).orderBy(col("a").desc())`, func() any {
		return people.GroupBy("dept").Agg(F.Avg("salary").Alias("a")).OrderBy(col("a").Desc())
	}},
}
