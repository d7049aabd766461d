package lake

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// writeData writes a query's rows to one Parquet file of a table: column i of the query becomes column i of the schema. One file keeps
// the query's order. No rows make no file. The file is on disk, and its rows obey the schema's NOT NULLs, when it returns.
func writeData(ctx context.Context, location string, schema *iceberg.Schema, spec iceberg.PartitionSpec, query string, db DB) (data []iceberg.DataFile, err error) {
	fields := schema.Fields()
	if len(fields) == 0 {
		return nil, errclass.Unsupported("writing to a table without columns")
	}
	ids := make([]string, len(fields))
	items := make([]string, len(fields))
	names := make([]string, len(fields))
	for i, f := range fields {
		d, err := duckType(f.Type)
		if err != nil {
			return nil, err
		}
		names[i] = fmt.Sprintf("c%d", i)
		items[i] = fmt.Sprintf("CAST(c%d AS %s) AS %s", i, d, quote(f.Name))
		ids[i] = quote(f.Name) + ": " + fieldIDs(f.ID, f.Type)
	}
	path := filepath.Join(location, "data", "00000-0-"+uuid.NewString()+"-00001.parquet")
	local := localPath(path)
	if err := os.MkdirAll(filepath.Dir(local), 0o755); err != nil {
		return nil, err
	}
	defer func() {
		if len(data) == 0 {
			os.Remove(local)
		}
	}()
	copySQL := fmt.Sprintf("COPY (SELECT %s FROM (%s) AS q(%s)) TO %s (FORMAT parquet, COMPRESSION zstd, RETURN_STATS, FIELD_IDS {%s})",
		strings.Join(items, ", "), query, strings.Join(names, ", "), text(local), strings.Join(ids, ", "))
	columns, rows, err := db.Query(ctx, copySQL)
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 {
		return nil, fmt.Errorf("COPY reported %d files instead of one", len(rows))
	}
	stats := map[string]any{}
	for i, c := range columns {
		stats[c] = rows[0][i]
	}
	if whole(stats["count"]) == 0 {
		return nil, nil
	}
	if err := checkNotNull(ctx, local, schema, db); err != nil {
		return nil, err
	}
	if stats["file_size_bytes"], err = plainIntegers(ctx, local); err != nil {
		return nil, err
	}
	if err := syncFile(local); err != nil {
		return nil, err
	}
	f, err := dataFile(path, schema, spec, stats)
	if err != nil {
		return nil, err
	}
	return []iceberg.DataFile{f}, nil
}

// fieldIDs is COPY's FIELD_IDS entry for a column.
func fieldIDs(id int, t iceberg.Type) string {
	var inner []string
	add := func(name string, id int, t iceberg.Type) { inner = append(inner, quote(name)+": "+fieldIDs(id, t)) }
	switch t := t.(type) {
	case *iceberg.ListType:
		add("element", t.ElementID, t.Element)
	case *iceberg.MapType:
		add("key", t.KeyID, t.KeyType)
		add("value", t.ValueID, t.ValueType)
	case *iceberg.StructType:
		for _, f := range t.FieldList {
			add(f.Name, f.ID, f.Type)
		}
	default:
		return fmt.Sprint(id)
	}
	return fmt.Sprintf("{__duckdb_field_id: %d, %s}", id, strings.Join(inner, ", "))
}

// checkNotNull fails with Spark's error if a required field of a written file holds NULL. Reading the file back costs little: only
// the required columns are read, and most tables have none.
func checkNotNull(ctx context.Context, path string, schema *iceberg.Schema, db DB) error {
	var checks []nullCheck
	for _, f := range schema.Fields() {
		checks = append(checks, nullChecks(quote(f.Name), []string{f.Name}, f.Required, f.Type, 0)...)
	}
	if len(checks) == 0 {
		return nil
	}
	items := make([]string, len(checks))
	for i, c := range checks {
		items[i] = "bool_or(" + c.sql + ")"
	}
	_, rows, err := db.Query(ctx, "SELECT "+strings.Join(items, ", ")+" FROM read_parquet("+text(path)+")")
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
