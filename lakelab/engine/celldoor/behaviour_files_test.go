package celldoor_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// inputs are the files that the snippets read, in the folder dir.
var inputs = map[string]string{
	"people.csv":      "id,name,age,score,hired\n1,Anna,31,2.5,2019-03-01\n2,Boris,,-0.5,2021-07-15\n3,\"Clara, jr\",42,1e3,\n4,\"\",25,,2020-01-10\n",
	"types.csv":       "i,l,d,b,day,at,s\n1,9000000000,1.5,true,2024-01-31,2024-01-31 12:00:00,x\n-2,1,2,FALSE,2024-02-01,2024-02-01 00:00:00.5,5\n,,,,,,\n",
	"semi.csv":        "1;'a;b';x\n2;'it\\'s';NA\n3;c;\n",
	"ragged.csv":      "1,2,3\n4,5\n6,7,8,9\n\n10,x,12\n",
	"bad.csv":         "id,n\n1,10\n2,ten\n3\n4,40,extra\n5,50\n",
	"dates.csv":       "id,day,at\n1,31.01.2024,31.01.2024 10:30\n2,2024-02-01,oops\n3,,\n",
	"dup.csv":         "a,b,a\n1,2,3\n",
	"people.json":     "{\"id\": 1, \"name\": \"Anna\", \"tags\": [\"x\", \"y\"], \"pet\": {\"kind\": \"cat\", \"age\": 3}}\n{\"id\": 2, \"score\": 2.5, \"pet\": {\"kind\": \"dog\"}}\n\n{\"id\": 3, \"name\": null, \"ok\": true}\n",
	"mixed.json":      "{\"a\": 1}\n{\"a\": \"two\"}\n{\"a\": 3.5, \"b\": [1, 2]}\n",
	"bad.json":        "{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\"\nnot json\n{\"a\": \"str\", \"b\": \"z\"}\n",
	"multi.json":      "[\n {\"a\": 1, \"b\": \"x\"},\n {\"a\": 2,\n  \"b\": null}\n]\n",
	"lines.txt":       "first\n\nthird line\nlast",
	"parts/d=1/x.csv": "1,a\n", "parts/d=2/y.csv": "2,b\n3,c\n",
}

// filesSetup writes the inputs into a new folder.
func filesSetup() string {
	b, err := json.Marshal(inputs)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`
import json, os, tempfile, glob
from datetime import date, datetime
from pyspark.sql import functions as F
from pyspark.sql.functions import col, lit
spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
spark.sql("USE lakehouse.default")
for t in ("w1", "w2", "w3", "w4", "w5"):
    spark.sql("DROP TABLE IF EXISTS " + t)
dir = tempfile.mkdtemp()
for name, text in json.loads(%q).items():
    os.makedirs(os.path.dirname(os.path.join(dir, name)), exist_ok=True)
    open(os.path.join(dir, name), "w").write(text)
out = tempfile.mkdtemp()
def lines(name):
    return sorted(l for f in glob.glob(out + "/" + name + "/**/part-*", recursive=True) for l in open(f).read().splitlines())
def folders(name):
    return sorted(os.path.basename(p) for p in glob.glob(out + "/" + name + "/*") if os.path.isdir(p))
data = spark.createDataFrame([(1, "a", 2.5, True, date(2024, 1, 31), datetime(2024, 1, 31, 12, 0, 0)), (2, "b,\"c", None, False, None, None), (3, "", -1.0, None, date(2024, 2, 1), None)],
    "id INT, s STRING, x DOUBLE, ok BOOLEAN, d DATE, t TIMESTAMP")
`, b)
}

var inDir, outDir string

func TestDataFrameFiles(t *testing.T) {
	inDir, outDir = t.TempDir(), t.TempDir()
	for name, text := range inputs {
		path := filepath.Join(inDir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("LAKELAB_DATA_ROOTS", inDir+string(filepath.ListSeparator)+outDir)
	runSuite(t, "../testdata/suite/dataframe_files.pyspark.json", filesSetup(), append(reading, writing...), makeData)
}
