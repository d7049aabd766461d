package celldoor_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab"
)

// folds are folders of files in partitions: for each folder the paths of its files, whose only line is a number, 1, 2, ….
var folds = map[string][]string{
	"int":      {"p=1/f", "p=2/f"},
	"long":     {"p=1/f", "p=9000000000/f"},
	"double":   {"p=1/f", "p=1.5/f"},
	"decimal":  {"p=1/f", "p=123456789012345678901/f"},
	"decdbl":   {"p=123456789012345678901/f", "p=1.5/f"},
	"longdbl":  {"p=9000000000/f", "p=1.5/f"},
	"date":     {"p=2024-01-01/f", "p=2024-02-29/f"},
	"ts":       {"p=2024-01-01 10%3A00%3A00/f", "p=2024-01-01 10%3A00%3A00.5/f"},
	"tsx":      {"p=2024-01-01 10%3A00%3A00.123456/f", "p=2024-01-01 10%3A00/f", "p=2024-01-01T10%3A00%3A00/f"},
	"datets":   {"p=2024-01-01/f", "p=2024-01-01 10%3A00%3A00/f"},
	"datestr":  {"p=2024-01-01/f", "p=x/f"},
	"intdate":  {"p=1/f", "p=2024-01-01/f"},
	"null":     {"p=1/f", "p=__HIVE_DEFAULT_PARTITION__/f"},
	"nullstr":  {"p=a/f", "p=__HIVE_DEFAULT_PARTITION__/f"},
	"nulldate": {"p=2024-01-01/f", "p=__HIVE_DEFAULT_PARTITION__/f"},
	"allnull":  {"p=__HIVE_DEFAULT_PARTITION__/f"},
	"bool":     {"p=true/f", "p=false/f"},
	"exp":      {"p=1e3/f", "p=2/f"},
	"nan":      {"p=NaN/f", "p=2.5/f"},
	"suffix":   {"p=1d/f", "p=2.5f/f"},
	"zero":     {"p=01/f", "p=-1/f", "p=+2/f"},
	"baddate":  {"p=2024-13-01/f"},
	"shortday": {"p=2024-1-5/f"},
	"month":    {"p=2024-01/f"},
	"longyear": {"p=12024-01-05/f"},
	"spaced":   {"p= 7/f", "p=8 /f"},
	"escaped":  {"p=a%2Fb/f", "p=50%25/f", "p=%D0%9C/f", "p=Москва/f", "p=two words/f", "p=50%/f"},
	"two":      {"a=1/b=x/f", "a=1/b=y/f", "a=2/b=x/f"},
	"column":   {"a b%3Ac=1/f"},
	"order":    {"a=1/b=x/f", "b=y/a=2/f"},
	"depth":    {"a=1/f", "a=1/b=2/f"},
	"dirs":     {"a=1/f", "plain/f"},
	"topfile":  {"f", "a=1/f"},
	"nested":   {"f", "sub/g"},
	"onlysub":  {"sub/g"},
	"hidden":   {"_x", ".y", "a=1/f", "a=1/_z/f", "a=1/.w", "a=2/f._COPYING_", "_a=3/f"},
	"case":     {"P=1/f", "p=2/f"},
	"temp":     {"a=1/f", "a=1/_temporary/0/f"},
	"inner":    {"a=1/deep/f"},
	"names":    {"one.csv", "two.txt", "sub/three.csv"},
}

// foldsSetup writes them below the folder dir.
func foldsSetup() string {
	b, err := json.Marshal(folds)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`
import json, os, tempfile, glob
from pyspark.sql.functions import col, lit
from pyspark.sql import functions as F
dir = tempfile.mkdtemp()
for name, paths in json.loads(%q).items():
    for i, p in enumerate(paths):
        path = os.path.join(dir, name, p)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").write(str(i + 1) + "\n")
rows = spark.createDataFrame([(1, "a"), (2, "b")], "id INT, s STRING")
out = tempfile.mkdtemp()
def folders(name):
    return sorted(os.path.relpath(p, out + "/" + name) for p in glob.glob(out + "/" + name + "/**/*", recursive=True) if os.path.isdir(p))
`, b)
}

func TestDataFrameDiscovery(t *testing.T) {
	inDir, outDir = t.TempDir(), t.TempDir()
	for name, paths := range folds {
		for i, p := range paths {
			path := filepath.Join(inDir, name, p)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, fmt.Appendln(nil, i+1), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("LAKELAB_DATA_ROOTS", inDir+string(filepath.ListSeparator)+outDir)
	runSuite(t, "../testdata/suite/dataframe_discovery.pyspark.json", foldsSetup(), discovery(), func() {
		rows = spark.CreateDataFrame([][]any{{1, "a"}, {2, "b"}}, "id INT, s STRING")
	})
}

var rows *lakelab.DataFrame

// discovered reads a folder of numbers as CSV, with options in pairs.
func discovered(path string, options ...string) behaviour {
	return numbers("id INT", path, options...)
}

func numbers(schema, path string, options ...string) behaviour {
	python := fmt.Sprintf("spark.read.schema(%q)", schema)
	for i := 0; i < len(options); i += 2 {
		value := fmt.Sprintf("%q", options[i+1])
		if options[i] == "basePath" {
			value = fmt.Sprintf("dir + %q", options[i+1])
		}
		python += fmt.Sprintf(".option(%q, %s)", options[i], value)
	}
	python += fmt.Sprintf(".csv(dir + %q).orderBy(\"id\")", path)
	return behaviour{python, func() any {
		r := spark.Read().Schema(schema)
		for i := 0; i < len(options); i += 2 {
			value := options[i+1]
			if options[i] == "basePath" {
				value = inDir + value
			}
			r.Option(options[i], value)
		}
		return r.CSV(inDir + path).OrderBy("id")
	}}
}

func discovery() []behaviour {
	var out []behaviour
	for _, name := range strings.Fields("int long double decimal decdbl longdbl date ts tsx datets datestr intdate null nullstr nulldate allnull bool exp nan suffix zero baddate shortday month longyear spaced escaped two column order depth dirs topfile nested onlysub hidden case temp inner") {
		out = append(out, discovered("/"+name))
	}
	out = append(out,
		numbers("id INT, p STRING", "/int"),
		numbers("p STRING, id INT", "/int"),
		numbers("id INT, P BIGINT", "/int"),
		numbers("id INT, p STRING", "/zero"),
		numbers("id INT, p INT", "/datestr"),
		numbers("id INT, p DATE", "/datestr"),
		numbers("id INT, p TIMESTAMP", "/date"),
		numbers("id INT, p DOUBLE", "/null"),
		discovered("/two/a=1"),
		discovered("/two/a=1", "basePath", "/two"),
		discovered("/two/a=1/b=x/f", "basePath", "/two"),
		discovered("/two/a=1/b=x/f"),
		discovered("/two/a=*"),
		discovered("/two/a=*/b=x", "basePath", "/two"),
		discovered("/two/*/*", "basePath", "/two/"),
		discovered("/two/a={1,2}/b=x"),
		discovered("/two/a=[12]/b=[^x]", "basePath", "/two"),
		discovered("/two/a=1", "basePath", "/int"),
		discovered("/two/a=1", "basePath", "/two/a=1/b=x/f"),
		discovered("/two/a=1", "basePath", "/nope"),
		discovered("/nope/*"),
		discovered("/two/a=9*"),
		discovered("/two", "recursiveFileLookup", "true"),
		discovered("/nested", "recursiveFileLookup", "true"),
		discovered("/names", "pathGlobFilter", "*.csv"),
		discovered("/names", "recursiveFileLookup", "true", "pathGlobFilter", "*.{csv,txt}"),
		discovered("/names", "pathGlobFilter", "x*"),
		discovered("/int", "recursiveFileLookup", "maybe"),
		behaviour{`spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
df = spark.read.schema("id INT").csv(dir + "/int")
spark.conf.unset("spark.sql.sources.partitionColumnTypeInference.enabled")
df.orderBy("id")`, func() any {
			const key = "spark.sql.sources.partitionColumnTypeInference.enabled"
			spark.Conf().Set(key, "false")
			defer spark.Conf().Unset(key)
			return spark.Read().Schema("id INT").CSV(in("int")).OrderBy("id")
		}},
		behaviour{`spark.read.schema("id INT").csv([dir + "/int", dir + "/two/a=1"])`, func() any {
			return spark.Read().Schema("id INT").CSV(in("int"), in("two/a=1"))
		}},
		behaviour{`spark.read.schema("id INT").csv([dir + "/two/a=1", dir + "/two/a=2"]).orderBy("id")`, func() any {
			return spark.Read().Schema("id INT").CSV(in("two/a=1"), in("two/a=2")).OrderBy("id")
		}},
		behaviour{`spark.sql("SELECT * FROM csv.` + "`" + `" + dir + "/int` + "`" + ` ORDER BY p")`, func() any {
			return spark.SQL("SELECT * FROM csv.`" + in("int") + "` ORDER BY p")
		}},
		behaviour{`spark.read.csv(dir + "/onlysub")`, func() any { return spark.Read().CSV(in("onlysub")) }},
		behaviour{`spark.read.text(dir + "/int").filter("p > 1")`, func() any { return spark.Read().Text(in("int")).Filter("p > 1") }},
		behaviour{`spark.read.json(dir + "/int").select("p").orderBy("p")`, func() any { return spark.Read().JSON(in("int")).Select("p").OrderBy("p") }},
	)
	return append(out, parquetFolders...)
}
