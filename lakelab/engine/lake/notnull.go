package lake

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// checkNotNull fails with Spark's error if a required field of the written files holds NULL. Reading the file back costs little: only
// the required columns are read, and most tables have none.
func checkNotNull(ctx context.Context, paths []string, schema *iceberg.Schema, db DB) error {
	var checks []nullCheck
	for _, f := range schema.Fields() {
		checks = append(checks, nullChecks(quote(f.Name), []string{f.Name}, f.Required, f.Type, 0)...)
	}
	if len(checks) == 0 || len(paths) == 0 {
		return nil
	}
	items := make([]string, len(checks))
	for i, c := range checks {
		items[i] = "bool_or(" + c.sql + ")"
	}
	_, rows, err := db.Query(ctx, "SELECT "+strings.Join(items, ", ")+" FROM read_parquet("+duckpath.List(paths)+", hive_partitioning = false)")
	if err != nil {
		return err
	}
	for i, v := range rows[0] {
		if v == true {
			return errclass.NotNullAssert(checks[i].path)
		}
	}
	return nil
}

type nullCheck struct {
	sql  string // is true where the field is NULL but its parent is not
	path []string
}

// nullChecks finds the required fields in a type. x is the DuckDB expression of the field; depth numbers the lambdas' parameters.
func nullChecks(x string, path []string, required bool, t iceberg.Type, depth int) []nullCheck {
	var out []nullCheck
	if required {
		out = append(out, nullCheck{x + " IS NULL", path})
	}
	child := func(name string) []string { return append(append([]string{}, path...), name) }
	// inside checks the elements of a list expression.
	inside := func(list, name string, required bool, t iceberg.Type) {
		e := fmt.Sprintf("e%d", depth)
		for _, c := range nullChecks(e, child(name), required, t, depth+1) {
			out = append(out, nullCheck{fmt.Sprintf("len(list_filter(%s, lambda %s: coalesce(%s, false))) > 0", list, e, c.sql), c.path})
		}
	}
	switch t := t.(type) {
	case *iceberg.StructType:
		for _, f := range t.FieldList {
			for _, c := range nullChecks(x+"."+quote(f.Name), child(f.Name), f.Required, f.Type, depth) {
				out = append(out, nullCheck{"(" + x + " IS NOT NULL AND " + c.sql + ")", c.path})
			}
		}
	case *iceberg.ListType:
		inside(x, "element", t.ElementRequired, t.Element)
	case *iceberg.MapType:
		inside("map_values("+x+")", "value", t.ValueRequired, t.ValueType)
	}
	return out
}
