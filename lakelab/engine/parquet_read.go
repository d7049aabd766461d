package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/duckpath"
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
	// own are the columns of the only file, by name in lower case, if it is read by those; nil if DuckDB is given the columns of the group.
	own map[string]physical
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
	for i, g := range groups {
		if columns := physical[g.files[0].Path]; len(g.files) == 1 && g.casts(columns, data) {
			groups[i].own = columns
		}
	}
	return groups, nil
}

// casts reports whether a file's columns only have to be cast to be those of data. What is inside of a column may be missing in the file,
// or stand in another order.
func (g parquetGroup) casts(columns map[string]physical, data []types.Field) bool {
	if _, taken := columns[rowColumn]; taken {
		return false
	}
	for _, f := range data {
		c, there := columns[strings.ToLower(f.Name)]
		if !there || c.kind != "" {
			continue
		}
		if t, err := duck.TypeOf(c.duck); err != nil || functions.DuckType(t) != g.duckType(f) {
			return false
		}
	}
	return true
}

// duckType is the type that a column is read as.
func (g parquetGroup) duckType(f types.Field) string {
	if slices.Contains(g.naive, f.Name) {
		return functions.DuckType(functions.WithoutZone(f.Type))
	}
	return functions.DuckType(f.Type)
}

// bytesPerRow is a guess of what a row takes in a Parquet file.
const bytesPerRow = 32

// rowColumn is the virtual column of read_parquet that numbers the rows of a file, from 0.
const rowColumn = "file_row_number"

// reader is a FROM item that yields the columns data, found by name without regard to case, NULL in files that don't have them; with
// filename, fileColumn too, and with row rowColumn.
func (g parquetGroup) reader(data []types.Field, filename, row bool) string {
	if g.own != nil {
		return g.ownReader(data, filename, row)
	}
	paths := make([]string, len(g.files))
	size := int64(0)
	for i, f := range g.files {
		paths[i] = f.Path
		size += f.Size
	}
	schema, replaced := make([]string, len(data)), []string(nil)
	for i, f := range data {
		if slices.Contains(g.naive, f.Name) {
			replaced = append(replaced, functions.FromUTC(f.Type, duck.Ident(f.Name))+" AS "+duck.Ident(f.Name))
		}
		schema[i] = fmt.Sprintf("%s: {name: %s, type: %s, default_value: %s}", duck.String(f.Name), duck.String(f.Name), duck.String(g.duckType(f)), g.absent(f.Name))
	}
	// With a schema DuckDB does not open a file to plan with its rows, and would order joins as if there were none.
	from := readParquet(paths, fmt.Sprintf(", explicit_cardinality = %d, schema = MAP {%s}", 1+size/bytesPerRow, strings.Join(schema, ", ")), filename)
	if len(replaced) > 0 {
		columns := "* REPLACE (" + strings.Join(replaced, ", ") + ")"
		if row {
			columns += ", " + rowColumn
		}
		from = "(SELECT " + columns + " FROM " + from + ")"
	}
	return from
}

// ownReader is reader for one file that is read by its own columns. Given a schema, DuckDB would read a single file in one thread, since it
// doesn't know then how many row groups there are, and plan without the columns' statistics.
func (g parquetGroup) ownReader(data []types.Field, filename, row bool) string {
	var columns []string
	for _, f := range data {
		x := g.absent(f.Name)
		if _, there := g.own[strings.ToLower(f.Name)]; there {
			x = duck.Ident(f.Name)
		}
		x = "CAST(" + x + " AS " + g.duckType(f) + ")"
		if slices.Contains(g.naive, f.Name) {
			x = functions.FromUTC(f.Type, x)
		}
		columns = append(columns, x+" AS "+duck.Ident(f.Name))
	}
	if filename {
		columns = append(columns, duck.Ident(fileColumn))
	}
	if row {
		columns = append(columns, rowColumn)
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + readParquet([]string{g.files[0].Path}, "", filename) + ")"
}

// readParquet calls read_parquet with paths and more options, each with a comma before it; with filename, it yields fileColumn too.
func readParquet(paths []string, options string, filename bool) string {
	if filename {
		options += ", filename = " + duck.String(fileColumn)
	}
	return "read_parquet(" + duckpath.List(paths) + ", hive_partitioning = false" + options + ")"
}

// absent is the value of a column in files that don't have it.
func (g parquetGroup) absent(column string) string {
	if v, ok := g.missing[column]; ok {
		return duck.String(v)
	}
	return "CAST(NULL AS VARCHAR)"
}
