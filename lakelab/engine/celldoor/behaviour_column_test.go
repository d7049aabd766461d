package celldoor_test

import (
	"time"

	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

var columnOperators = []behaviour{
	{`nums.select(col("a") + col("b"), col("a") - 1, col("b") * 2, col("b") / col("a"), col("b") % 4)`, func() any {
		return nums.Select(col("a").Plus(col("b")), col("a").Minus(1), col("b").Times(2), col("b").Div(col("a")), col("b").Mod(4))
	}},
	{`nums.select(-col("a"), col("a") ** 2, ~col("a").isNull())`, func() any {
		return nums.Select(col("a").Negate(), col("a").Pow(2), col("a").IsNull().Not())
	}},
	{`nums.select(lit(1) + col("a"), lit(10) - col("a"), lit(2) * col("x"))`, func() any {
		return nums.Select(lit(1).Plus(col("a")), lit(10).Minus(col("a")), lit(2).Times(col("x")))
	}},
	{`nums.select(col("d") + 1, col("d") * col("d"), col("d") / 3)`, func() any {
		return nums.Select(col("d").Plus(1), col("d").Times(col("d")), col("d").Div(3))
	}},
	{`nums.select(col("a") == 1, col("a") != 1, col("a") < 2, col("a") <= 2, col("a") > 1, col("a") >= 2)`, func() any {
		return nums.Select(col("a").Eq(1), col("a").Neq(1), col("a").Lt(2), col("a").Le(2), col("a").Gt(1), col("a").Ge(2))
	}},
	{`nums.select(col("a").eqNullSafe(None), col("a").eqNullSafe(1))`, func() any { return nums.Select(col("a").EqNullSafe(nil), col("a").EqNullSafe(1)) }},
	{`nums.select((col("a") > 1) & (col("b") > 1), (col("a") > 1) | (col("b") > 1))`, func() any {
		return nums.Select(col("a").Gt(1).And(col("b").Gt(1)), col("a").Gt(1).Or(col("b").Gt(1)))
	}},
	{`nums.select(col("a").bitwiseAND(3), col("a").bitwiseOR(8), col("a").bitwiseXOR(col("b")))`, func() any {
		return nums.Select(col("a").BitwiseAND(3), col("a").BitwiseOR(8), col("a").BitwiseXOR(col("b")))
	}},
	{`nums.select(F.bitwise_not("a"))`, func() any { return nums.Select(F.BitwiseNot("a")) }},
	{`nums.select(col("x").isNull(), col("x").isNotNull(), col("x").isNaN())`, func() any {
		return nums.Select(col("x").IsNull(), col("x").IsNotNull(), col("x").IsNaN())
	}},
	{`nums.select(col("a").between(1, 2), col("x").between(-1.0, 2.5))`, func() any {
		return nums.Select(col("a").Between(1, 2), col("x").Between(-1.0, 2.5))
	}},
	{`nums.select(col("a").isin(1, 4), col("a").isin([2]), col("a").isin())`, func() any {
		return nums.Select(col("a").IsIn(1, 4), col("a").IsIn([]int{2}), col("a").IsIn())
	}},
	{`nums.filter("a < 4").select(col("x").cast("int"), col("d").cast("double"), col("a").cast("string"), col("l").cast("decimal(20,1)"))`, func() any {
		return nums.Filter("a < 4").Select(col("x").Cast("int"), col("d").Cast("double"), col("a").Cast("string"), col("l").Cast("decimal(20,1)"))
	}},
	{`words.select(col("w").try_cast("int"), col("ok").cast("int"), col("w").astype("binary"))`, func() any {
		return words.Select(col("w").TryCast("int"), col("ok").Cast("int"), col("w").Cast("binary"))
	}},
	{`people.select(col("hired").cast("timestamp"), col("hired").cast("string"))`, func() any {
		return people.Select(col("hired").Cast("timestamp"), col("hired").Cast("string"))
	}},
	{`people.select(F.when(col("age") > 30, "old").when(col("age").isNull(), "?").otherwise("young").alias("group"))`, func() any {
		return people.Select(F.When(col("age").Gt(30), "old").When(col("age").IsNull(), "?").Otherwise("young").Alias("group"))
	}},
	{`people.select(F.when(col("age") > 30, 1))`, func() any { return people.Select(F.When(col("age").Gt(30), 1)) }},
	{`people.select(F.when(col("age") > 30, col("name")).otherwise(col("dept")))`, func() any {
		return people.Select(F.When(col("age").Gt(30), col("name")).Otherwise(col("dept")))
	}},
	{`people.select(col("age").alias("a"), col("id").name("b"), (col("id") + 1).alias("c d"))`, func() any {
		return people.Select(col("age").Alias("a"), col("id").Name("b"), col("id").Plus(1).Alias("c d"))
	}},
	{`people.select((col("id") + 1).alias("n")).select(col("n") * 2)`, func() any { return people.Select(col("id").Plus(1).Alias("n")).Select(col("n").Times(2)) }},
	{`people.select((col("id") + 1).alias("a.b")).select("` + "`a.b`" + `")`, func() any { return people.Select(col("id").Plus(1).Alias("a.b")).Select("`a.b`") }},
	{`people.select(F.coalesce("dept", lit("none")), F.nvl("age", lit(0)), F.nullif("age", lit(25)))`, func() any {
		return people.Select(F.Coalesce("dept", lit("none")), F.NVL("age", lit(0)), F.NullIf("age", lit(25)))
	}},
	{`people.select(F.greatest("id", "age"), F.least("id", "age"))`, func() any { return people.Select(F.Greatest("id", "age"), F.Least("id", "age")) }},
	{`people.select(F.expr("age BETWEEN 20 AND 30 AS twenties"))`, func() any { return people.Select(F.Expr("age BETWEEN 20 AND 30 AS twenties")) }},
	{`people.limit(1).select(lit(date(2024, 1, 2)).alias("d"), lit(datetime(2024, 1, 2, 3, 4, 5)).alias("t"), lit(timedelta(days=1, hours=2)).alias("i"))`, func() any {
		return people.Limit(1).Select(expr("DATE '2024-01-02'").As("d"), lit(time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)).As("t"), lit(26*time.Hour).As("i"))
	}},
	{`people.limit(1).select(lit([1, 2, 3]), lit(Decimal("1.50")), lit(2**40))`, func() any {
		return people.Limit(1).Select(lit([]int{1, 2, 3}), lit(lakelab.Decimal("1.50")), lit(1<<40))
	}},
	{`nums.select(F.round("x", 0), F.abs("x"), F.ceil("x"), F.floor("x"))`, func() any {
		return nums.Select(F.Round("x", 0), F.Abs("x"), F.Ceil("x"), F.Floor("x"))
	}},
	{`nums.select(F.nanvl("x", lit(0.0)), F.isnan("x"), F.isnull("x"))`, func() any { return nums.Select(F.NaNVL("x", lit(0.0)), F.IsNaN("x"), F.IsNull("x")) }},
	{`nums.select(F.pmod("b", lit(4)), F.sqrt("b"), F.pow("b", lit(2)), F.shiftleft("b", 1))`, func() any {
		return nums.Select(F.PMod("b", lit(4)), F.Sqrt("b"), F.Pow("b", lit(2)), F.ShiftLeft("b", 1))
	}},
	{`nums.agg(F.sum("d"), F.avg("d"), F.max("x"), F.stddev("b"), F.count_distinct("a", "b"))`, func() any {
		return nums.Agg(F.Sum("d"), F.Avg("d"), F.Max("x"), F.Stddev("b"), F.CountDistinct("a", "b"))
	}},
	{`nums.agg(F.collect_list("a"), F.collect_set("b").alias("s")).select(F.size("s"))`, func() any {
		return nums.Agg(F.CollectList("a"), F.CollectSet("b").Alias("s")).Select(F.Size("s"))
	}},
	{`nums.agg(F.sum_distinct("a"), F.bit_or("a"), F.min_by("a", "b"), F.max_by("a", "b"))`, func() any {
		return nums.Agg(F.SumDistinct("a"), F.BitOr("a"), F.MinBy("a", "b"), F.MaxBy("a", "b"))
	}},
	{`nums.select(F.hash("a", "b"), F.xxhash64("a"))`, func() any { return nums.Select(F.Hash("a", "b"), F.XXHash64("a")) }},
	{`people.select(F.year("hired"), F.month("hired"), F.date_add("hired", 30), F.date_format("hired", "dd.MM.yyyy"))`, func() any {
		return people.Select(F.Year("hired"), F.Month("hired"), F.DateAdd("hired", 30), F.DateFormat("hired", "dd.MM.yyyy"))
	}},
	{`people.select(F.trunc("hired", "month"), F.last_day("hired"), F.datediff("hired", lit(date(2020, 1, 1))))`, func() any {
		return people.Select(F.Trunc("hired", "month"), F.LastDay("hired"), F.DateDiff("hired", expr("DATE '2020-01-01'")))
	}},
	{`people.select(F.months_between(lit(date(2020, 1, 1)), "hired"), F.add_months("hired", 2), F.dayofweek("hired"))`, func() any {
		return people.Select(F.MonthsBetween(expr("DATE '2020-01-01'"), "hired"), F.AddMonths("hired", 2), F.DayOfWeek("hired"))
	}},
	{`words.select(F.to_date(lit("03.02.2024"), "dd.MM.yyyy"), F.to_timestamp(lit("2024-01-02 03:04:05")))`, func() any {
		return words.Select(F.ToDate(lit("03.02.2024"), "dd.MM.yyyy"), F.ToTimestamp(lit("2024-01-02 03:04:05")))
	}},
	{`spark.range(1).select(F.sequence(lit(1), lit(5), lit(2)), F.array_repeat(lit("x"), 2))`, func() any {
		return spark.Range(1).Select(F.CallFunction("sequence", lit(1), lit(5), lit(2)), F.ArrayRepeat(lit("x"), 2))
	}},
	{`people.select(F.call_function("upper", "name"))`, func() any { return people.Select(F.CallFunction("upper", "name")) }},
}

var columnText = []behaviour{
	{`words.select(col("w").like("a%"), col("w").ilike("C%"), col("w").rlike("^[a-z]+$"))`, func() any {
		return words.Select(col("w").Like("a%"), col("w").ILike("C%"), col("w").RLike("^[a-z]+$"))
	}},
	{`words.select(col("w").contains("p"), col("w").startswith("a"), col("w").endswith("e"))`, func() any {
		return words.Select(col("w").Contains("p"), col("w").StartsWith("a"), col("w").EndsWith("e"))
	}},
	{`words.select(col("w").contains(col("kind")), col("w").startswith(F.substring("w", 1, 1)))`, func() any {
		return words.Select(col("w").Contains(col("kind")), col("w").StartsWith(F.Substring("w", 1, 1)))
	}},
	{`words.select(col("w").substr(2, 3), col("w").substr(lit(1), F.length("w") - 1))`, func() any {
		return words.Select(col("w").Substr(2, 3), col("w").Substr(lit(1), F.Length("w").Minus(1)))
	}},
	{`words.filter(col("w").like("a\\_b\\%c"))`, func() any { return words.Filter(col("w").Like(`a\_b\%c`)) }},
	{`words.select(F.upper("w"), F.lower("w"), F.initcap("w"), F.length("w"), F.reverse("w"))`, func() any {
		return words.Select(F.Upper("w"), F.Lower("w"), F.InitCap("w"), F.Length("w"), F.Reverse("w"))
	}},
	{`words.select(F.concat("w", lit("-"), "kind"), F.concat_ws("-", "w", "kind"))`, func() any {
		return words.Select(F.Concat("w", lit("-"), "kind"), F.ConcatWS("-", "w", "kind"))
	}},
	{`words.select(F.lpad("w", 8, "*"), F.rpad("w", 3, "."), F.repeat("w", 2))`, func() any {
		return words.Select(F.LPad("w", 8, "*"), F.RPad("w", 3, "."), F.Repeat("w", 2))
	}},
	{`words.select(F.split("w", "p"), F.regexp_replace("w", "[aeiou]", "#"), F.regexp_extract("w", "([a-z])([a-z])", 2))`, func() any {
		return words.Select(F.Split("w", "p"), F.RegexpReplace("w", "[aeiou]", "#"), F.RegexpExtract("w", "([a-z])([a-z])", 2))
	}},
	{`words.select(F.instr("w", "p"), F.locate("p", "w"), F.translate("w", "ap", "12"), F.ascii("w"))`, func() any {
		return words.Select(F.Instr("w", "p"), F.Locate("p", "w"), F.Translate("w", "ap", "12"), F.Ascii("w"))
	}},
	{`words.select(F.md5("w"), F.sha2("w", 256), F.crc32(col("w").cast("binary")))`, func() any {
		return words.Select(F.MD5("w"), F.SHA2("w", 256), F.CRC32(col("w").Cast("binary")))
	}},
	{`words.select(F.format_string("%s-%s", "w", "kind"), F.trim(lit("  x ")), F.hex("w"))`, func() any {
		return words.Select(F.FormatString("%s-%s", "w", "kind"), F.Trim(lit("  x ")), F.Hex("w"))
	}},
	{`people.select(F.format_number("salary", 1), F.col("name").substr(1, 2))`, func() any {
		return people.Select(F.FormatNumber("salary", 1), col("name").Substr(1, 2))
	}},
	{`words.agg(F.listagg("w", ","))`, func() any { return words.Agg(F.ListAgg("w", ",")) }},
}

var columnNested = []behaviour{
	{`nested.filter("id <> 2").select(col("tags")[0], col("s").getField("t"), col("s.n"), col("s")["n"])`, func() any {
		return nested.Filter("id <> 2").Select(col("tags").GetItem(0), col("s").GetField("t"), col("s.n"), col("s").GetItem("n"))
	}},
	{`nested.filter("id = 1").select(col("props")["x"], col("props").getItem("y"), col("props.x"))`, func() any {
		return nested.Filter("id = 1").Select(col("props").GetItem("x"), col("props").GetItem("y"), col("props.x"))
	}},
	{`nested.select(nested["s.n"])`, func() any { return nested.Select(nested.Col("s.n")) }},
	{`nested.select("s.*")`, func() any { return nested.Select("s.*") }},
	{`nested.select(col("s").withField("u", lit(1)))`, func() any { return nested.Select(col("s").WithField("u", lit(1))) }},
	{`nested.select(col("s").withField("n", col("s.n") + 1).alias("s"))`, func() any { return nested.Select(col("s").WithField("n", col("s.n").Plus(1)).Alias("s")) }},
	{`nested.select(col("s").dropFields("t"))`, func() any { return nested.Select(col("s").DropFields("t")) }},
	{`nested.select(col("s").dropFields("t").alias("s"))`, func() any { return nested.Select(col("s").DropFields("t").Alias("s")) }},
	{`nested.select(F.struct(F.struct(lit(1).alias("b")).alias("a")).withField("a.c", lit(2)).alias("x"))`, func() any {
		return nested.Select(F.Struct(F.Struct(lit(1).As("b")).As("a")).WithField("a.c", lit(2)).As("x"))
	}},
	{`nested.select(F.explode("tags"))`, func() any { return nested.Select(F.Explode("tags")) }},
	{`nested.select("id", F.explode_outer("tags").alias("tag"))`, func() any { return nested.Select("id", F.ExplodeOuter("tags").Alias("tag")) }},
	{`nested.select("id", F.posexplode("tags"))`, func() any { return nested.Select("id", F.PosExplode("tags")) }},
	{`nested.select("id", F.explode("props"))`, func() any { return nested.Select("id", F.Explode("props")) }},
	{`nested.select(F.explode("props").alias("k", "v"))`, func() any { return nested.Select(F.Explode("props").Alias("k", "v")) }},
	{`nested.withColumn("tag", F.explode("tags"))`, func() any { return nested.WithColumn("tag", F.Explode("tags")) }},
	{`nested.select(F.size("tags"), F.array_contains("tags", "a"), F.map_keys("props"), F.map_values("props"))`, func() any {
		return nested.Select(F.Size("tags"), F.ArrayContains("tags", "a"), F.MapKeys("props"), F.MapValues("props"))
	}},
	{`nested.select(F.transform("tags", lambda x: F.upper(x)))`, func() any {
		return nested.Select(F.Transform("tags", func(x lakelab.Column) lakelab.Column { return F.Upper(x) }))
	}},
	{`nested.select(F.transform("tags", lambda x, i: F.concat(x, i.cast("string"))).alias("t"))`, func() any {
		return nested.Select(F.TransformWithIndex("tags", func(x, i lakelab.Column) lakelab.Column { return F.Concat(x, i.Cast("string")) }).As("t"))
	}},
	{`nested.select(F.filter("tags", lambda x: x > "a").alias("t"), F.exists("tags", lambda x: x == "b").alias("e"), F.forall("tags", lambda x: x == "b").alias("f"))`, func() any {
		return nested.Select(F.Filter("tags", func(x lakelab.Column) lakelab.Column { return x.Gt("a") }).As("t"),
			F.Exists("tags", func(x lakelab.Column) lakelab.Column { return x.Eq("b") }).As("e"), F.ForAll("tags", func(x lakelab.Column) lakelab.Column { return x.Eq("b") }).As("f"))
	}},
	{`nested.select(F.aggregate("tags", lit(""), lambda acc, x: F.concat(acc, x)).alias("all"))`, func() any {
		return nested.Select(F.Aggregate("tags", lit(""), func(acc, x lakelab.Column) lakelab.Column { return F.Concat(acc, x) }).As("all"))
	}},
	{`nested.select(F.map_filter("props", lambda k, v: v > 1).alias("m"), F.transform_values("props", lambda k, v: v * 10).alias("t"))`, func() any {
		return nested.Select(F.MapFilter("props", func(_, v lakelab.Column) lakelab.Column { return v.Gt(1) }).As("m"),
			F.TransformValues("props", func(_, v lakelab.Column) lakelab.Column { return v.Times(10) }).As("t"))
	}},
	{`nested.select(F.struct("id", "tags"), F.array("id", lit(7)), F.create_map(lit("id"), col("id")))`, func() any {
		return nested.Select(F.Struct("id", "tags"), F.Array("id", lit(7)), F.CreateMap(lit("id"), col("id")))
	}},
	{`nested.select(F.to_json("s"), F.to_json("props"))`, func() any { return nested.Select(F.ToJSON("s"), F.ToJSON("props")) }},
	{`spark.range(1).select(F.from_json(lit('{"a": 1, "b": "x"}'), "a INT, b STRING").alias("j")).select("j.*")`, func() any {
		return spark.Range(1).Select(F.FromJSON(lit(`{"a": 1, "b": "x"}`), "a INT, b STRING").As("j")).Select("j.*")
	}},
	{`nested.filter("id <> 2").select(F.element_at("tags", 1), F.element_at("props", "x"))`, func() any {
		return nested.Filter("id <> 2").Select(F.ElementAt("tags", 1), F.ElementAt("props", "x"))
	}},
	{`nested.select(F.sort_array("tags", False), F.array_join("tags", "+"), F.slice("tags", 1, 1))`, func() any {
		return nested.Select(F.SortArray("tags", false), F.ArrayJoin("tags", "+"), F.Slice("tags", 1, 1))
	}},
	{`nested.groupBy("s.n").count()`, func() any { return nested.GroupBy("s.n").Count() }},
	{`nested.orderBy(col("s.n").desc()).select("id")`, func() any { return nested.OrderBy(col("s.n").Desc()).Select("id") }},
}

var byDept = lakelab.Window.PartitionBy("dept").OrderBy("id")

var windows = []behaviour{
	{`people.select("id", F.row_number().over(Window.partitionBy("dept").orderBy("id"))).orderBy("id")`, func() any {
		return people.Select("id", F.RowNumber().Over(byDept)).OrderBy("id")
	}},
	{`people.select("id", F.rank().over(Window.orderBy("age")), F.dense_rank().over(Window.orderBy("age")), F.percent_rank().over(Window.orderBy("age"))).orderBy("id")`, func() any {
		w := lakelab.Window.OrderBy("age")
		return people.Select("id", F.Rank().Over(w), F.DenseRank().Over(w), F.PercentRank().Over(w)).OrderBy("id")
	}},
	{`people.select("id", F.sum("salary").over(Window.partitionBy("dept")).alias("s")).orderBy("id")`, func() any {
		return people.Select("id", F.Sum("salary").Over(lakelab.Window.PartitionBy("dept")).Alias("s")).OrderBy("id")
	}},
	{`people.select("id", F.sum("id").over(Window.orderBy("id").rowsBetween(Window.unboundedPreceding, Window.currentRow))).orderBy("id")`, func() any {
		return people.Select("id", F.Sum("id").Over(lakelab.Window.OrderBy("id").RowsBetween(lakelab.UnboundedPreceding, lakelab.CurrentRow))).OrderBy("id")
	}},
	{`people.select("id", F.sum("id").over(Window.orderBy("id").rowsBetween(-1, 1)).alias("s")).orderBy("id")`, func() any {
		return people.Select("id", F.Sum("id").Over(lakelab.Window.OrderBy("id").RowsBetween(-1, 1)).Alias("s")).OrderBy("id")
	}},
	{`people.select("id", F.count("*").over(Window.orderBy("age").rangeBetween(-6, 0)).alias("n")).orderBy("id")`, func() any {
		return people.Select("id", F.Count("*").Over(lakelab.Window.OrderBy("age").RangeBetween(-6, 0)).Alias("n")).OrderBy("id")
	}},
	{`people.select("id", F.lag("name").over(Window.orderBy("id")), F.lead("name", 2, "-").over(Window.orderBy("id"))).orderBy("id")`, func() any {
		w := lakelab.Window.OrderBy("id")
		return people.Select("id", F.Lag("name", 1).Over(w), F.Lead("name", 2, "-").Over(w)).OrderBy("id")
	}},
	{`people.select("id", F.first("name").over(Window.partitionBy("dept").orderBy(col("id").desc())).alias("f")).orderBy("id")`, func() any {
		return people.Select("id", F.First("name").Over(lakelab.Window.PartitionBy("dept").OrderBy(col("id").Desc())).Alias("f")).OrderBy("id")
	}},
	{`people.select("id", F.ntile(2).over(Window.orderBy("id")), F.cume_dist().over(Window.orderBy("id")), F.nth_value("name", 2).over(Window.orderBy("id"))).orderBy("id")`, func() any {
		w := lakelab.Window.OrderBy("id")
		return people.Select("id", F.NTile(2).Over(w), F.CumeDist().Over(w), F.NthValue("name", 2).Over(w)).OrderBy("id")
	}},
	{`people.select("id", (col("salary") - F.avg("salary").over(Window.partitionBy("dept"))).alias("d")).orderBy("id")`, func() any {
		return people.Select("id", col("salary").Minus(F.Avg("salary").Over(lakelab.Window.PartitionBy("dept"))).Alias("d")).OrderBy("id")
	}},
	{`people.withColumn("r", F.rank().over(Window.partitionBy("dept").orderBy(col("salary").desc()))).filter("r = 1").orderBy("id").select("name")`, func() any {
		return people.WithColumn("r", F.Rank().Over(lakelab.Window.PartitionBy("dept").OrderBy(col("salary").Desc()))).Filter("r = 1").OrderBy("id").Select("name")
	}},
	{`people.select("id", F.collect_list("id").over(Window.orderBy("id").rowsBetween(Window.currentRow, Window.unboundedFollowing)).alias("l")).orderBy("id")`, func() any {
		return people.Select("id", F.CollectList("id").Over(lakelab.Window.OrderBy("id").RowsBetween(lakelab.CurrentRow, lakelab.UnboundedFollowing)).Alias("l")).OrderBy("id")
	}},
	{`people.groupBy("dept").agg(F.sum("salary").alias("s")).select("dept", F.rank().over(Window.orderBy(col("s").desc())).alias("r")).orderBy("r", "dept")`, func() any {
		return people.GroupBy("dept").Agg(F.Sum("salary").Alias("s")).Select("dept", F.Rank().Over(lakelab.Window.OrderBy(col("s").Desc())).Alias("r")).OrderBy("r", "dept")
	}},
}
