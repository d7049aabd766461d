package engine_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestSchemaLocation makes a schema with a location, where its tables go; one that no table can be in is refused when a table is made.
func TestSchemaLocation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lakehouse")
	c := newTrinoSuiteClient(t, openDoorAt(t, dir))
	location := filepath.Join(dir, "warehouse", "elsewhere")
	for _, sql := range []string{
		"CREATE SCHEMA placed WITH (location = '" + location + "/')", "CREATE TABLE placed.t (a integer)", "INSERT INTO placed.t VALUES 1", "CREATE TABLE placed.u AS SELECT 2 b",
	} {
		if a := c.run(t, sql); a.Error != nil {
			t.Fatal(sql, a.Error.Message)
		}
	}
	if got, want := fmt.Sprint(c.run(t, "SHOW CREATE SCHEMA placed").Rows), "location = '"+location+"/'"; !strings.Contains(got, want) {
		t.Errorf("%s lacks %s", got, want)
	}
	for _, table := range []string{"t", "u"} {
		if got, want := fmt.Sprint(c.run(t, "SHOW CREATE TABLE placed."+table).Rows), "location = '"+location+"/"+table; !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
		if got := fmt.Sprint(c.run(t, `SELECT "$path" LIKE '%/elsewhere/`+table+`-%' FROM placed.`+table).Rows); got != "[[true]]" {
			t.Errorf("the files of %s lie elsewhere: %s", table, got)
		}
	}
	for _, sql := range []string{"DROP SCHEMA placed CASCADE", "CREATE SCHEMA odd WITH (location = 'nosuch://a/b')"} {
		if a := c.run(t, sql); a.Error != nil {
			t.Fatal(sql, a.Error.Message)
		}
	}
	if found, err := filepath.Glob(location + "/*/data/*.parquet"); err != nil || len(found) > 0 {
		t.Errorf("CASCADE left files: %v %v", found, err)
	}
	if a := c.run(t, "CREATE TABLE odd.t (a integer)"); a.Error == nil || strings.Contains(a.Error.Message, "[") {
		t.Errorf("a table at nosuch://a/b: %s", showTrino(a))
	}
}
