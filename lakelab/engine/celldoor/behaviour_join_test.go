package celldoor_test

import (
	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

var joining = []behaviour{
	{`people.join(depts, "dept")`, func() any { return people.Join(depts, "dept") }},
	{`people.join(depts, ["dept"], "left")`, func() any { return people.Join(depts, []string{"dept"}, "left") }},
	{`people.join(depts, "dept", "right")`, func() any { return people.Join(depts, "dept", "right") }},
	{`people.join(depts, "dept", "outer")`, func() any { return people.Join(depts, "dept", "outer") }},
	{`people.join(depts, "dept", "left_semi")`, func() any { return people.Join(depts, "dept", "left_semi") }},
	{`people.join(depts, "dept", "leftanti")`, func() any { return people.Join(depts, "dept", "leftanti") }},
	{`people.join(depts, people["dept"] == depts["dept"])`, func() any { return people.Join(depts, people.Col("dept").Eq(depts.Col("dept"))) }},
	{`people.join(depts, people["dept"] == depts["dept"], "left").select("name", depts["dept"], "title")`, func() any {
		return people.Join(depts, people.Col("dept").Eq(depts.Col("dept")), "left").Select("name", depts.Col("dept"), "title")
	}},
	{`people.join(depts, people["dept"] == depts["dept"], "full").drop(depts["dept"])`, func() any {
		return people.Join(depts, people.Col("dept").Eq(depts.Col("dept")), "full").Drop(depts.Col("dept"))
	}},
	{`people.join(depts, [people["dept"] == depts["dept"], depts["floor"] > 10]).select("name", "floor")`, func() any {
		return people.Join(depts, []lakelab.Column{people.Col("dept").Eq(depts.Col("dept")), depts.Col("floor").Gt(10)}).Select("name", "floor")
	}},
	{`people.alias("p").join(depts.alias("d"), col("p.dept") == col("d.dept")).select("p.name", "d.title")`, func() any {
		return people.Alias("p").Join(depts.Alias("d"), col("p.dept").Eq(col("d.dept"))).Select("p.name", "d.title")
	}},
	{`people.alias("a").join(people.alias("b"), col("a.age") == col("b.age")).filter("a.id < b.id").select("a.name", "b.name")`, func() any {
		return people.Alias("a").Join(people.Alias("b"), col("a.age").Eq(col("b.age"))).Filter("a.id < b.id").Select("a.name", "b.name")
	}},
	{`people.join(depts).count()`, func() any { return people.Join(depts, nil).Count() }},
	{`depts.crossJoin(spark.range(2))`, func() any { return depts.CrossJoin(spark.Range(2)) }},
	{`people.join(depts, people["age"] > depts["floor"] + 15, "inner").select("id", "floor")`, func() any {
		return people.Join(depts, people.Col("age").Gt(depts.Col("floor").Plus(15)), "inner").Select("id", "floor")
	}},
	{`people.join(depts, "dept").select(people["*"])`, func() any { return people.Join(depts, "dept").Select(people.Col("*")) }},
	{`people.join(depts, people["dept"] == depts["dept"]).select(people["id"], depts["*"])`, func() any {
		return people.Join(depts, people.Col("dept").Eq(depts.Col("dept"))).Select(people.Col("id"), depts.Col("*"))
	}},
	{`people.join(depts, "dept", "left").select("name", people["dept"], depts["dept"])`, func() any {
		return people.Join(depts, "dept", "left").Select("name", people.Col("dept"), depts.Col("dept"))
	}},
	{`people.join(depts, "dept").groupBy("title").agg(F.max("salary"))`, func() any { return people.Join(depts, "dept").GroupBy("title").Agg(F.Max("salary")) }},
	{`people.join(F.broadcast(depts), "dept").count()`, func() any { return people.Join(F.Broadcast(depts), "dept").Count() }},
	{`people.select("age").union(people.select("id"))`, func() any { return people.Select("age").Union(people.Select("id")) }},
	{`people.select("id").unionAll(people.select("salary"))`, func() any { return people.Select("id").UnionAll(people.Select("salary")) }},
	{`people.select("id", "age").unionByName(people.select("age", "id"))`, func() any {
		return people.Select("id", "age").UnionByName(people.Select("age", "id"))
	}},
	{`people.select("id", "age").unionByName(depts.select("dept"), allowMissingColumns=True)`, func() any {
		return people.Select("id", "age").UnionByName(depts.Select("dept"), true)
	}},
	{`people.select("dept").intersect(depts.select("dept"))`, func() any { return people.Select("dept").Intersect(depts.Select("dept")) }},
	{`people.select("age").intersectAll(people.select("age"))`, func() any { return people.Select("age").IntersectAll(people.Select("age")) }},
	{`people.select("dept").subtract(depts.select("dept"))`, func() any { return people.Select("dept").Subtract(depts.Select("dept")) }},
	{`people.select("dept").exceptAll(depts.select("dept"))`, func() any { return people.Select("dept").ExceptAll(depts.Select("dept")) }},
	{`people.select("id").union(people.select("name"))`, func() any { return people.Select("id").Union(people.Select("name")) }},
	{`people.select("id").union(people.select("id")).distinct().count()`, func() any {
		return people.Select("id").Union(people.Select("id")).Distinct().Count()
	}},
	{`people.select("id").union(people.select("age")).select(people["id"])`, func() any {
		return people.Select("id").Union(people.Select("age")).Select(people.Col("id"))
	}},
}

var sorting = []behaviour{
	{`people.orderBy("age", "id")`, func() any { return people.OrderBy("age", "id") }},
	{`people.orderBy(col("age").desc(), col("id").asc())`, func() any { return people.OrderBy(col("age").Desc(), col("id").Asc()) }},
	{`people.orderBy(F.desc("salary"), "id")`, func() any { return people.OrderBy(F.Desc("salary"), "id") }},
	{`people.orderBy(col("age").desc_nulls_first(), "id")`, func() any { return people.OrderBy(col("age").DescNullsFirst(), "id") }},
	{`people.orderBy(col("age").asc_nulls_last(), "id")`, func() any { return people.OrderBy(col("age").AscNullsLast(), "id") }},
	{`people.orderBy(F.asc_nulls_last("dept"), F.desc_nulls_last("id"))`, func() any { return people.OrderBy(F.AscNullsLast("dept"), F.DescNullsLast("id")) }},
	{`people.sort("name", col("id").desc())`, func() any { return people.Sort("name", col("id").Desc()) }},
	{`people.sort(F.length("name"), "id").select("name")`, func() any { return people.Sort(F.Length("name"), "id").Select("name") }},
	{`people.orderBy(["name", "id"])`, func() any { return people.OrderBy([]string{"name", "id"}) }},
	{`people.orderBy("name", "id", ascending=False)`, func() any { return people.OrderBy(col("name").Desc(), col("id").Desc()) }},
	{`people.orderBy(2, -1)`, func() any { return people.OrderBy(2, -1) }},
	{`people.select("name").orderBy(people["id"].desc())`, func() any { return people.Select("name").OrderBy(people.Col("id").Desc()) }},
	{`people.select("name").orderBy("id")`, func() any { return people.Select("name").OrderBy("id") }},
	{`people.select("name").filter("id > 3")`, func() any { return people.Select("name").Filter("id > 3") }},
	{`people.sortWithinPartitions("id").select("id").orderBy("id")`, func() any { return people.SortWithinPartitions("id").Select("id").OrderBy("id") }},
	{`people.orderBy("id").select("id").tail(2)`, func() any { return people.OrderBy("id").Select("id").Tail(2) }},
	{`people.groupBy("dept").count().orderBy("count", "dept")`, func() any { return people.GroupBy("dept").Count().OrderBy("count", "dept") }},
	{`people.groupBy("dept").count().sort(F.desc("count"), "dept").limit(2)`, func() any {
		return people.GroupBy("dept").Count().Sort(F.Desc("count"), "dept").Limit(2)
	}},
	{`nums.select("x").orderBy("x")`, func() any { return nums.Select("x").OrderBy("x") }},
	{`nums.select("x").orderBy(col("x").desc())`, func() any { return nums.Select("x").OrderBy(col("x").Desc()) }},
}

var missing = []behaviour{
	{`people.na.drop()`, func() any { return people.NA().Drop() }},
	{`people.dropna(how="all")`, func() any { return people.NA().Drop(lakelab.NADrop{How: "all"}) }},
	{`people.na.drop(subset=["dept"])`, func() any { return people.NA().Drop(lakelab.NADrop{Subset: []string{"dept"}}) }},
	{`people.na.drop(thresh=5)`, func() any { return people.NA().Drop(lakelab.NADrop{Thresh: 5}) }},
	{`nums.na.drop()`, func() any { return nums.NA().Drop() }},
	{`nums.na.drop("all", subset=["x"])`, func() any { return nums.NA().Drop(lakelab.NADrop{How: "all", Subset: []string{"x"}}) }},
	{`people.na.fill(0)`, func() any { return people.NA().Fill(0) }},
	{`people.na.fill("none")`, func() any { return people.NA().Fill("none") }},
	{`people.na.fill(0, ["age"])`, func() any { return people.NA().Fill(0, "age") }},
	{`people.fillna({"age": -1, "dept": "?"})`, func() any { return people.NA().Fill(map[string]any{"age": -1, "dept": "?"}) }},
	{`nums.na.fill(9)`, func() any { return nums.NA().Fill(9) }},
	{`nums.na.fill(1.75)`, func() any { return nums.NA().Fill(1.75) }},
	{`words.na.fill(False)`, func() any { return words.NA().Fill(false) }},
	{`words.na.fill("x", ["kind", "ok"])`, func() any { return words.NA().Fill("x", "kind", "ok") }},
	{`people.na.replace(25, 26)`, func() any { return people.NA().Replace(25, 26) }},
	{`people.na.replace(["Anna", "Boris"], ["A", "B"], "name")`, func() any {
		return people.NA().Replace([]string{"Anna", "Boris"}, []string{"A", "B"}, "name")
	}},
	{`people.replace({"eng": "dev", "hr": None})`, func() any { return people.NA().Replace(map[string]any{"eng": "dev", "hr": nil}, nil) }},
	{`words.na.replace(True, False)`, func() any { return words.NA().Replace(true, false) }},
	{`nums.replace(10, 11)`, func() any { return nums.NA().Replace(10, 11) }},
	{`people.replace("Anna", None)`, func() any { return people.NA().Replace("Anna", nil) }},
}

var describing = []behaviour{
	{`people.describe()`, func() any { return people.Describe() }},
	{`people.describe("age", "salary")`, func() any { return people.Describe("age", "salary") }},
	{`nums.describe()`, func() any { return nums.Describe() }},
	{`people.select("age", "salary").summary()`, func() any { return people.Select("age", "salary").Summary() }},
	{`people.select("age", "name").summary("count", "min", "50%", "max")`, func() any {
		return people.Select("age", "name").Summary("count", "min", "50%", "max")
	}},
	{`people.summary("count_distinct")`, func() any { return people.Summary("count_distinct") }},
	{`people.select("hired").describe()`, func() any { return people.Select("hired").Describe() }},
	{`people.crosstab("age", "dept")`, func() any { return people.Crosstab("age", "dept") }},
	{`people.stat.crosstab("dept", "name")`, func() any { return people.Stat().Crosstab("dept", "name") }},
	{`people.na.drop().stat.corr("age", "salary")`, func() any { return people.NA().Drop().Stat().Corr("age", "salary") }},
	{`people.na.drop().stat.cov("age", "salary")`, func() any { return people.NA().Drop().Stat().Cov("age", "salary") }},
	{`people.stat.approxQuantile("id", [0.0, 0.5, 1.0], 0.0)`, func() any { return people.Stat().ApproxQuantile("id", []float64{0, 0.5, 1}, 0) }},
	{`people.stat.sampleBy("dept", {"eng": 1.0}, 3).select("id")`, func() any {
		return people.Stat().SampleBy("dept", map[any]float64{"eng": 1}, 3).Select("id")
	}},
	{`people.summary("p50")`, func() any { return people.Summary("p50") }},
}
