package engine_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
)

// TestAdoptSparkLake lets real Spark write a lake of plain files, adopts it by CREATE TABLE and MSCK REPAIR TABLE and reads what Spark reads;
// then it writes the same tables, and Spark adopts them. It needs PySpark: LAKELAB_PYSPARK_ENV names a script that puts it on PATH.
func TestAdoptSparkLake(t *testing.T) {
	env := os.Getenv("LAKELAB_PYSPARK_ENV")
	if env == "" {
		t.Skip("LAKELAB_PYSPARK_ENV is not set")
	}
	script, err := filepath.Abs("testdata/adopt_spark.py")
	if err != nil {
		t.Fatal(err)
	}
	var tables []struct{ Name, Columns, Keys, Query, Order string }
	read(t, "testdata/adopt.json", &tables)
	spark := func(mode, dir string) (answers map[string]string) {
		c := exec.Command("bash", "-c", ". "+env+" && cd "+t.TempDir()+" && python "+script+" "+mode+" "+dir)
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err == nil {
			err = json.Unmarshal(out, &answers)
		}
		if err != nil {
			t.Fatal(mode, err)
		}
		return answers
	}
	dir := t.TempDir()
	e, err := engine.Open(t.Context(), filepath.Join(dir, "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "adopt", dir)
	s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	run := func(statement string) string {
		a := perform(t.Context(), s, step{SQL: statement, N: new(int), Truncate: new(int)}, nil)
		if a.Error != nil {
			t.Errorf("%s\n%s", statement, a.Error.Message)
		}
		return a.Text
	}
	name := regexp.MustCompile(`(^|, )(\w+) `)
	create := func(table, columns, keys, location string) {
		by := ""
		if keys != "" {
			var names []string
			for _, m := range name.FindAllStringSubmatch(keys, -1) {
				names = append(names, m[2])
			}
			by, columns = " PARTITIONED BY ("+strings.Join(names, ", ")+")", columns+", "+keys
		}
		run("CREATE TABLE " + table + " (" + columns + ") USING parquet" + by + " LOCATION '" + location + "'")
	}
	ask := func(table, order string) string {
		if order == "" {
			order = "SELECT * FROM " + table + " ORDER BY id"
		}
		hundred := 100
		a := perform(t.Context(), s, step{SQL: order, N: &hundred, Truncate: new(int)}, nil)
		if a.Error != nil {
			t.Errorf("%s: %s", table, a.Error.Message)
		}
		return a.Text
	}
	theirs := filepath.Join(dir, "theirs")
	want := spark("write", theirs)
	for _, c := range tables {
		create(c.Name, c.Columns, c.Keys, filepath.Join(theirs, c.Name))
		if c.Keys != "" {
			run("MSCK REPAIR TABLE " + c.Name)
		}
		if got := ask(c.Name, c.Order); got != want[c.Name] {
			t.Errorf("%s, written by Spark\ngot\n%s\nwant\n%s", c.Name, got, want[c.Name])
		}
		run("DROP TABLE " + c.Name)
	}
	ours := filepath.Join(dir, "ours")
	for _, c := range tables {
		create(c.Name, c.Columns, c.Keys, filepath.Join(ours, c.Name))
		run("INSERT INTO " + c.Name + " " + c.Query)
		if got := ask(c.Name, c.Order); got != want[c.Name] {
			t.Errorf("%s, written by us\ngot\n%s\nwant\n%s", c.Name, got, want[c.Name])
		}
	}
	for table, got := range spark("read", ours) {
		if got != want[table] {
			t.Errorf("%s, written by us, read by Spark\ngot\n%s\nwant\n%s", table, got, want[table])
		}
	}
}
