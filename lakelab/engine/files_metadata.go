package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// The hidden column _metadata of files ("Hidden metadata column" of Spark's file sources): where a row's file is, how large it is, when it
// was changed, and for Parquet the row's place in it. A file is read in one piece, so a block is a whole file.

// metadataName is the column's name, metadataColumn that of the column of a fileSource which becomes it.
const (
	metadataName   = "_metadata"
	metadataColumn = "$metadata"
)

// mentionsHidden reports whether a text may name a hidden column.
func mentionsHidden(text string) bool {
	return lake.MentionsHidden(text) || strings.Contains(strings.ToLower(text), metadataName)
}

type hiddenKey struct{}

// Naming is a context for what a door asks without a text of SQL: names holds all names that it reads, so that hidden columns are offered where
// it names one.
func Naming(ctx context.Context, names string) context.Context {
	if mentionsHidden(names) {
		ctx = context.WithValue(ctx, hiddenKey{}, true)
	}
	return ctx
}

func namesHidden(ctx context.Context) bool { return ctx.Value(hiddenKey{}) != nil }

// hasMetadata reports whether one of the columns has the hidden column's name, which is not offered then.
func hasMetadata(fields []types.Field) bool {
	return slices.ContainsFunc(fields, func(f types.Field) bool { return strings.EqualFold(f.Name, metadataName) })
}

// hiddenMetadata are the hidden columns of Parquet files with columns.
func hiddenMetadata(fields []types.Field) []types.Field {
	if hasMetadata(fields) {
		return nil
	}
	return []types.Field{metadataField(metadataName, true)}
}

// metadataField is the column; rows says that it has the row's place.
func metadataField(name string, rows bool) types.Field {
	long, text := types.Of(types.Long), types.Of(types.String)
	fields := []types.Field{{Name: "file_path", Type: text}, {Name: "file_name", Type: text}, {Name: "file_size", Type: long}, {Name: "file_block_start", Type: long},
		{Name: "file_block_length", Type: long}, {Name: "file_modification_time", Type: types.Of(types.Timestamp)}}
	if rows {
		fields = append(fields, types.Field{Name: "row_index", Type: long})
	}
	return types.Field{Name: name, Type: types.StructOf(fields...)}
}

// metadataCells are what a row of files' VALUES has for the column, metadataCellNames their names.
func metadataCells(path string, size int64, modified time.Time) []string {
	return []string{fmt.Sprint(size), fmt.Sprintf("make_timestamptz(%d)", modified.UnixMilli()*1000), duck.String(hive.URI(path))}
}

const metadataCellNames = ", file_size, file_modified, file_path"

// metadataSQL is the column's value, of a row of p; row is its place in the file, if the column has it.
func metadataSQL(row string) string {
	s := "{'file_path': p.file_path, 'file_name': string_split(p.file_path, '/')[-1], 'file_size': CAST(p.file_size AS BIGINT), 'file_block_start': CAST(0 AS BIGINT), " +
		"'file_block_length': CAST(p.file_size AS BIGINT), 'file_modification_time': p.file_modified"
	if row != "" {
		s += ", 'row_index': " + row
	}
	return s + "}"
}

// noRows is the answer of a scan that reads no files.
func noRows(fields []types.Field, columns []int) string {
	items := []string{"1 AS one"}
	if len(columns) > 0 {
		items = nil
	}
	for _, c := range columns {
		items = append(items, "CAST(NULL AS "+functions.DuckType(fields[c].Type)+") AS "+duck.Ident(fields[c].Name))
	}
	return "SELECT " + strings.Join(items, ", ") + " WHERE false"
}
