package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// numbers are the columns of the test tables onek and tenk1.
const numbers = "unique1 int, unique2 int, two int, four int, ten int, twenty int, hundred int, thousand int, twothousand int, " +
	"fivethous int, tenthous int, odd int, even int, stringu1 string, stringu2 string, string4 string"

// tables are those that Spark's harness makes before the tests: from a query, or from a file of the artifact.
var tables = []struct{ name, query, data, columns string }{
	{name: "testdata", query: "SELECT CAST(id AS INT) AS key, CAST(id AS STRING) AS value FROM range(1, 101)"},
	{name: "arraydata", query: "SELECT * FROM VALUES (array(1, 2, 3), array(array(1, 2, 3))), (array(2, 3, 4), array(array(2, 3, 4))) AS t(arraycol, nestedarraycol)"},
	{name: "mapdata", query: "SELECT * FROM VALUES (map(1, 'a1', 2, 'b1', 3, 'c1', 4, 'd1', 5, 'e1')), (map(1, 'a2', 2, 'b2', 3, 'c2', 4, 'd2')), " +
		"(map(1, 'a3', 2, 'b3', 3, 'c3')), (map(1, 'a4', 2, 'b4')), (map(1, 'a5')) AS t(mapcol)"},
	{name: "aggtest", data: "agg.data", columns: "a int, b float"},
	{name: "onek", data: "onek.data", columns: numbers},
	{name: "tenk1", data: "tenk.data", columns: numbers},
}

// makeTables makes the test tables that a file's queries name.
func makeTables(ctx context.Context, s *engine.Session, dir string, f *file) error {
	for _, t := range tables {
		if !mentions(f, t.name) {
			continue
		}
		var script []string
		query := t.query
		if t.data != "" {
			path := filepath.Join(dir, "test-data", "postgresql", t.data)
			script = append(script, "CREATE TEMPORARY VIEW raw_data USING csv OPTIONS (path '"+path+"', delimiter '\\t')")
			query = "SELECT " + casts(t.columns) + " FROM raw_data"
		}
		// The view makes the name one without case, as names are in Spark's own catalog and not in Iceberg's.
		script = append(script, "CREATE TABLE "+t.name+" AS "+query, "CREATE TEMPORARY VIEW "+t.name+" AS SELECT * FROM default."+t.name)
		if t.data != "" {
			script = append(script, "DROP VIEW raw_data")
		}
		for _, q := range script {
			if _, err := s.Execute(ctx, sql.Spark, q, plan.Params{}); err != nil {
				return fmt.Errorf("test table %s: %w", t.name, err)
			}
		}
	}
	return nil
}

func casts(columns string) string {
	var out []string
	for i, c := range strings.Split(columns, ", ") {
		name, typ, _ := strings.Cut(c, " ")
		out = append(out, fmt.Sprintf("CAST(_c%d AS %s) AS %s", i, typ, name))
	}
	return strings.Join(out, ", ")
}

func mentions(f *file, table string) bool {
	name := regexp.MustCompile(`(?i)\b` + table + `\b`)
	for _, q := range f.Queries {
		if name.MatchString(q.SQL) {
			return true
		}
	}
	return false
}

var setting = regexp.MustCompile(`(?i)^\s*set\s+([\w.]+)\s*=`)

// isPassedOver reports whether a query only makes a setting that says how to compute.
func isPassedOver(query string) bool {
	m := setting.FindStringSubmatch(query)
	return m != nil && isExecution(m[1])
}

var otherFormat = regexp.MustCompile(`(?is)^(\s*(?:create|replace)\s+(?:or\s+replace\s+)?table\b.*?)\busing\s+(?:parquet|orc|csv|json|avro|hive|text)\b`)

var lastingView = regexp.MustCompile(`(?is)^(\s*create\s+(?:or\s+replace\s+)?)(view\b)`)

var lastingFunction = regexp.MustCompile(`(?is)^(\s*(?:create\s+(?:or\s+replace\s+)?|drop\s+))(function\b)`)

// ofIceberg lets CREATE TABLE make a table of ours where a test names another format, which its queries don't depend on, CREATE
// VIEW a temporary view and CREATE FUNCTION a temporary function: an Iceberg catalog keeps no functions. Names in Spark's own
// catalog become names in ours.
func ofIceberg(query string) string {
	query = strings.ReplaceAll(query, hiveCatalog, engine.CatalogName)
	query = lastingFunction.ReplaceAllString(query, "${1}temporary $2")
	return lastingView.ReplaceAllString(otherFormat.ReplaceAllString(query, "$1"), "${1}temporary $2")
}
