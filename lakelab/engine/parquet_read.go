package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/types"
)

// fileColumn is the column of a reader that names a row's file; no file has a column of that name.
const fileColumn = "$file"

// parquetGroup is files that one reader can read: no path twice, and the same columns with times that have no zone.
type parquetGroup struct {
	files []hive.File
	// naive are the columns with a TIMESTAMP in them that the files hold as INT96, as Spark and Hive write them: moments in UTC, which
	// DuckDB takes for a clock on the wall.
	naive []string
	// missing are the values, as text, of columns that a file does not have; NULL for any other.
	missing map[string]string
}

// parquetGroups deals files out into groups. A file with a column of a type that can't be read as data's is an error.
func (s *Session) parquetGroups(ctx context.Context, files []hive.File, data []types.Field) ([]parquetGroup, error) {
	physical, err := s.physicalColumns(ctx, files, data)
	if err != nil {
		return nil, err
	}
	var groups []parquetGroup
	seen := map[string]int{} // how often a path was met: two partitions may have one folder
	at := map[string]int{}
	for _, f := range files {
		var naive []string
		for _, d := range data {
			if functions.HasMoment(d.Type) && physical[f.Path][strings.ToLower(d.Name)].int96 {
				naive = append(naive, d.Name)
			}
		}
		key := fmt.Sprint(seen[f.Path], naive)
		seen[f.Path]++
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key], groups = i, append(groups, parquetGroup{naive: naive})
		}
		groups[i].files = append(groups[i].files, f)
	}
	return groups, nil
}

// bytesPerRow is a guess of what a row takes in a Parquet file.
const bytesPerRow = 32

// rowColumn is the virtual column of read_parquet that numbers the rows of a file, from 0.
const rowColumn = "file_row_number"

// reader is a FROM item that yields the columns data, found by name without regard to case, NULL in files that don't have them; with
// filename, fileColumn too, and with row rowColumn.
func (g parquetGroup) reader(data []types.Field, filename, row bool) string {
	paths := make([]string, len(g.files))
	size := int64(0)
	for i, f := range g.files {
		paths[i] = duck.String(f.Path)
		size += f.Size
	}
	schema, replaced := make([]string, len(data)), []string(nil)
	for i, f := range data {
		t := functions.DuckType(f.Type)
		if slices.Contains(g.naive, f.Name) {
			t = functions.DuckType(functions.WithoutZone(f.Type))
			replaced = append(replaced, functions.FromUTC(f.Type, duck.Ident(f.Name))+" AS "+duck.Ident(f.Name))
		}
		schema[i] = fmt.Sprintf("%s: {name: %s, type: %s, default_value: %s}", duck.String(f.Name), duck.String(f.Name), duck.String(t), g.absent(f.Name))
	}
	// With a schema DuckDB does not open a file to plan with its rows, and would order joins as if there were none.
	from := fmt.Sprintf("read_parquet([%s], hive_partitioning = false, explicit_cardinality = %d, schema = MAP {%s}", strings.Join(paths, ", "), 1+size/bytesPerRow, strings.Join(schema, ", "))
	if filename {
		from += ", filename = " + duck.String(fileColumn)
	}
	from += ")"
	if len(replaced) > 0 {
		columns := "* REPLACE (" + strings.Join(replaced, ", ") + ")"
		if row {
			columns += ", " + rowColumn
		}
		from = "(SELECT " + columns + " FROM " + from + ")"
	}
	return from
}

// absent is the value of a column in files that don't have it.
func (g parquetGroup) absent(column string) string {
	if v, ok := g.missing[column]; ok {
		return duck.String(v)
	}
	return "CAST(NULL AS VARCHAR)"
}
