package celldoor_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab"
)

// tree lists all folders below one that was written.
func tree(name string) []string {
	out := []string{}
	_ = filepath.WalkDir(to(name), func(p string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != to(name) {
			rel, _ := filepath.Rel(to(name), p)
			out = append(out, rel)
		}
		return err
	})
	slices.Sort(out)
	return out
}

func query(text string) *lakelab.DataFrame { return spark.SQL(text) }

// saved writes a query's rows to Parquet in partitions; the snippet's last line lists the folders.
func saved(name, text string, columns ...string) behaviour {
	quoted := `"` + strings.Join(columns, `", "`) + `"`
	return behaviour{`spark.sql("` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `").write.partitionBy(` + quoted + `).parquet(out + "/` + name + `")
folders("` + name + `")`, func() any {
		query(text).Write().PartitionBy(columns...).Parquet(to(name))
		return verbatim(repr(tree(name)))
	}}
}

// back reads a folder of Parquet files.
func back(name, order string) behaviour {
	return behaviour{`spark.read.parquet(out + "/` + name + `").orderBy("` + order + `")`, func() any { return spark.Read().Parquet(to(name)).OrderBy(order) }}
}

var parquetFolders = []behaviour{
	saved("text", `SELECT * FROM VALUES (1, 'a/b'), (2, '50%'), (3, 'Москва'), (4, 'two words'), (5, ''), (6, NULL), (7, 'x=y:z'), (8, 'q?*"#{[]}^'), (9, 'back\\slash'), (10, '+&~!@,;$'), (11, 'it''s'), (12, '7') AS t(id, p)`, "p"),
	back("text", "id"),
	saved("types", `SELECT 1 id, true b, 2Y y, 3S s, 4 i, 5L l, 1e20D d, 1.5F f, 2.50BD dec, DATE'2024-01-31' day, TIMESTAMP'2024-01-31 10:00:00.5' t, TIMESTAMP_NTZ'2024-01-31 10:00:00' n`, "b", "y", "s", "i", "l", "d", "f", "dec", "day", "t", "n"),
	back("types", "id"),
	saved("sev", `SELECT CAST(id AS INT) AS id, id % 2 AS a, IF(id % 3 = 0, NULL, DATE'2024-01-01' + CAST(id AS INT)) AS b FROM range(6)`, "b", "a"),
	back("sev", "id"),
	{`spark.sql("SELECT 9 id, 1 a, DATE'2024-01-02' b").write.mode("overwrite").option("partitionOverwriteMode", "dynamic").partitionBy("b", "a").parquet(out + "/sev")
spark.read.parquet(out + "/sev").orderBy("id")`, func() any {
		query("SELECT 9 id, 1 a, DATE'2024-01-02' b").Write().Mode("overwrite").Option("partitionOverwriteMode", "dynamic").PartitionBy("b", "a").Parquet(to("sev"))
		return spark.Read().Parquet(to("sev")).OrderBy("id")
	}},
	{`spark.sql("SELECT 10 id, 1 a, DATE'2024-01-02' b").write.mode("append").partitionBy("b", "a").parquet(out + "/sev")
spark.read.parquet(out + "/sev").orderBy("id")`, func() any {
		query("SELECT 10 id, 1 a, DATE'2024-01-02' b").Write().Mode("append").PartitionBy("b", "a").Parquet(to("sev"))
		return spark.Read().Parquet(to("sev")).OrderBy("id")
	}},
	{`spark.sql("SELECT 11 id, 1 a, DATE'2024-01-02' b").write.mode("overwrite").partitionBy("b").parquet(out + "/sev")
spark.read.parquet(out + "/sev").orderBy("id")`, func() any {
		query("SELECT 11 id, 1 a, DATE'2024-01-02' b").Write().Mode("overwrite").PartitionBy("b").Parquet(to("sev"))
		return spark.Read().Parquet(to("sev")).OrderBy("id")
	}},
	{`rows.write.partitionBy("S").parquet(out + "/upper")
folders("upper")`, func() any { rows.Write().PartitionBy("S").Parquet(to("upper")); return verbatim(repr(tree("upper"))) }},
	{`rows.write.partitionBy("s", "s").parquet(out + "/twice")`, func() any { rows.Write().PartitionBy("s", "s").Parquet(to("twice")); return nil }},
	{`rows.write.bucketBy(4, "id").parquet(out + "/buckets")`, func() any { rows.Write().BucketBy(4, "id").Parquet(to("buckets")); return nil }},
	// Schemas that differ from file to file: by default the first file's is taken.
	{`spark.sql("SELECT 1 id, 10 x").coalesce(1).write.parquet(out + "/merge/k=1")
spark.sql("SELECT 2 id, 'b' s").coalesce(1).write.parquet(out + "/merge/k=2")
spark.read.parquet(out + "/merge").orderBy("id")`, func() any {
		query("SELECT 1 id, 10 x").Write().Parquet(to("merge/k=1"))
		query("SELECT 2 id, 'b' s").Write().Parquet(to("merge/k=2"))
		return spark.Read().Parquet(to("merge")).OrderBy("id")
	}},
	{`spark.read.option("mergeSchema", True).parquet(out + "/merge").orderBy("id")`, func() any {
		return spark.Read().Option("mergeSchema", true).Parquet(to("merge")).OrderBy("id")
	}},
	{`spark.read.schema("s STRING, id BIGINT, k STRING, nope DATE").parquet(out + "/merge").orderBy("s")`, func() any {
		return spark.Read().Schema("s STRING, id BIGINT, k STRING, nope DATE").Parquet(to("merge")).OrderBy("s")
	}},
	{`spark.conf.set("spark.sql.parquet.mergeSchema", "true")
columns = spark.read.parquet(out + "/merge").columns
spark.conf.unset("spark.sql.parquet.mergeSchema")
columns`, func() any {
		spark.Conf().Set("spark.sql.parquet.mergeSchema", "true")
		defer spark.Conf().Unset("spark.sql.parquet.mergeSchema")
		return spark.Read().Parquet(to("merge")).Columns()
	}},
	{`spark.sql("SELECT 1 id").coalesce(1).write.parquet(out + "/widen/k=1")
spark.sql("SELECT 2L id").coalesce(1).write.parquet(out + "/widen/k=2")
spark.read.option("mergeSchema", True).parquet(out + "/widen")`, func() any {
		query("SELECT 1 id").Write().Parquet(to("widen/k=1"))
		query("SELECT 2L id").Write().Parquet(to("widen/k=2"))
		return spark.Read().Option("mergeSchema", true).Parquet(to("widen"))
	}},
	{`spark.sql("SELECT 1 id").coalesce(1).write.parquet(out + "/clash/k=1")
spark.sql("SELECT 'x' id").coalesce(1).write.parquet(out + "/clash/k=2")
spark.read.option("mergeSchema", True).parquet(out + "/clash")`, func() any {
		query("SELECT 1 id").Write().Parquet(to("clash/k=1"))
		query("SELECT 'x' id").Write().Parquet(to("clash/k=2"))
		return spark.Read().Option("mergeSchema", true).Parquet(to("clash"))
	}},
	{`spark.read.parquet(out + "/clash").where("k = 1")`, func() any { return spark.Read().Parquet(to("clash")).Where("k = 1") }},
	// A partition column that the files have too.
	{`spark.sql("SELECT 1 id, 'in file' k, 'z' z").coalesce(1).write.parquet(out + "/overlap/k=7")
spark.read.parquet(out + "/overlap")`, func() any {
		query("SELECT 1 id, 'in file' k, 'z' z").Write().Parquet(to("overlap/k=7"))
		return spark.Read().Parquet(to("overlap"))
	}},
	{`spark.sql("SELECT id, k FROM parquet.` + "`" + `" + out + "/overlap` + "`" + `")`, func() any { return query("SELECT id, k FROM parquet.`" + to("overlap") + "`") }},
	{`spark.sql("SELECT id, k FROM parquet.` + "`" + `" + out + "/nope` + "`" + `")`, func() any { return query("SELECT id, k FROM parquet.`" + to("nope") + "`") }},
	{`os.makedirs(out + "/empty")
spark.read.parquet(out + "/empty")`, func() any {
		_ = os.Mkdir(to("empty"), 0o755)
		return spark.Read().Parquet(to("empty"))
	}},
	{`spark.read.schema("id INT").parquet(out + "/empty")`, func() any { return spark.Read().Schema("id INT").Parquet(to("empty")) }},
	{`spark.read.load()`, func() any { return spark.Read().Load() }},
	{`rows.write.partitionBy("id").format("csv").save(out + "/csvp")
spark.read.csv(out + "/csvp").orderBy("id")`, func() any {
		rows.Write().PartitionBy("id").Format("csv").Save(to("csvp"))
		return spark.Read().CSV(to("csvp")).OrderBy("id")
	}},
}
