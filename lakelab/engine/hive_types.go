package engine

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/types"
)

// parquetTypes remembers the physical types of files' columns, by path, size and time of change: DuckDB would cast what Spark refuses to
// read.
type parquetTypes struct {
	mu   sync.Mutex
	seen map[string]map[string]physical
}

// physical says how a file holds a column.
type physical struct {
	kind  string // empty for a group
	int96 bool   // it is, or has within it, times without a zone, as Spark and Hive write them: moments in UTC
	duck  string // the type that DuckDB reads it as
}

// physicalColumns are the physical types of the columns of files, by the files' paths and the columns' names in lower case. Columns whose
// types Spark does not read as data's are an error.
func (s *Session) physicalColumns(ctx context.Context, files []hive.File, data []types.Field) (map[string]map[string]physical, error) {
	e := s.engine
	key := func(f hive.File) string { return fmt.Sprint(f.Path, " ", f.Size, " ", f.Modified.UnixNano()) }
	var unknown []hive.File
	e.parquet.mu.Lock()
	for _, f := range files {
		if e.parquet.seen[key(f)] == nil {
			unknown = append(unknown, f)
		}
	}
	e.parquet.mu.Unlock()
	found, err := physicalTypes(ctx, e.DB, unknown)
	if err != nil {
		return nil, err
	}
	out := make(map[string]map[string]physical, len(files))
	e.parquet.mu.Lock()
	defer e.parquet.mu.Unlock()
	if e.parquet.seen == nil || len(e.parquet.seen) > 200_000 {
		e.parquet.seen = map[string]map[string]physical{}
	}
	for _, f := range unknown {
		e.parquet.seen[key(f)] = found[f.Path]
	}
	for _, f := range files {
		columns := e.parquet.seen[key(f)]
		if columns == nil { // forgotten meanwhile
			columns = found[f.Path]
		}
		out[f.Path] = columns
		for _, d := range data {
			if got := columns[strings.ToLower(d.Name)].kind; got != "" && !readable(got, d.Type) {
				return nil, errclass.ParquetType(f.Path, d.Name, d.Type, got)
			}
		}
	}
	return out, nil
}

// physicalTypes reads the types of files' top columns, by the names in lower case.
func physicalTypes(ctx context.Context, db *duck.DB, files []hive.File) (map[string]map[string]physical, error) {
	out := map[string]map[string]physical{}
	if len(files) == 0 {
		return out, nil
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
		out[f.Path] = map[string]physical{}
	}
	_, rows, err := db.Query(ctx, "SELECT file_name, name, type, num_children, duckdb_type FROM parquet_schema("+duckpath.List(paths)+")")
	if errclass.IsFileVanished(err) {
		return nil, err
	}
	if err != nil {
		for _, f := range files {
			if strings.Contains(err.Error(), f.Path) {
				return nil, errclass.UnreadableFile(f.Path, err)
			}
		}
		return nil, err
	}
	file, column, skip := "", "", int64(0)
	for _, r := range rows {
		name, _ := r[0].(string)
		children, _ := r[3].(int64)
		switch {
		case name != file: // the root
			file, skip = name, 0
			continue
		case skip > 0: // below a group
			skip += children - 1
			if kind, _ := r[2].(string); kind == "INT96" {
				p := out[file][column]
				p.int96 = true
				out[file][column] = p
			}
			continue
		}
		kind, _ := r[2].(string)
		column, _ = r[1].(string)
		column = strings.ToLower(column)
		read, _ := r[4].(string)
		if children > 0 {
			kind, skip = "", children
		}
		out[file][column] = physical{kind, kind == "INT96", read}
	}
	return out, nil
}

// readable reports whether Spark reads a column of a physical type as a type.
func readable(kind string, t types.Type) bool {
	switch kind {
	case "BOOLEAN":
		return t.Kind == types.Boolean
	case "INT32":
		switch t.Kind {
		case types.Byte, types.Short, types.Int, types.Long, types.Double, types.Decimal, types.Date, types.TimestampNTZ, types.YearMonthInterval:
			return true
		}
		return false
	case "INT64":
		switch t.Kind {
		case types.Long, types.Decimal, types.Timestamp, types.TimestampNTZ, types.DayTimeInterval:
			return true
		}
		return false
	case "INT96":
		return t.Kind == types.Timestamp || t.Kind == types.TimestampNTZ
	case "FLOAT":
		return t.Kind == types.Float || t.Kind == types.Double
	case "DOUBLE":
		return t.Kind == types.Double
	case "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY":
		return t.Kind == types.String || t.Kind == types.Char || t.Kind == types.Binary || t.Kind == types.Decimal
	}
	return true
}
