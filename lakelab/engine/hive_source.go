package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/types"
)

// hiveSource reads a table of Parquet files.
type hiveSource struct {
	s     *Session
	table *hive.Table
}

func (h *hiveSource) Schema() types.Type { return h.table.Schema() }

// Hidden is the column _metadata. A table made with STORED AS has none.
func (h *hiveSource) Hidden() []types.Field {
	if h.table.Provider == "hive" {
		return nil
	}
	return hiddenMetadata(h.Schema().Fields)
}

// SQL is read, once more if a file vanished meanwhile: another statement or process may have overwritten the table, and its files are listed then.
func (h *hiveSource) SQL(ctx context.Context, columns []int, filter expr.Expr) (string, error) {
	text, err := h.read(ctx, columns, filter)
	if errclass.IsFileVanished(err) {
		text, err = h.read(ctx, columns, filter)
	}
	return text, err
}

// read reads the files of the partitions that the filter does not rule out. Columns are found by name, without regard to case; one that a
// file does not have is NULL there. A partition's values stand in place of columns of that name in its files.
func (h *hiveSource) read(ctx context.Context, columns []int, filter expr.Expr) (string, error) {
	files, err := h.files(ctx, filter)
	if err != nil {
		return "", err
	}
	fields, width := append(h.Schema().Fields, metadataField(metadataName, true)), len(h.table.Data)
	if len(files) == 0 {
		return noRows(fields, columns), nil
	}
	var items []string
	var data []types.Field
	joined, meta := false, false
	constant := constantKeys(h.table, files)
	for _, c := range columns {
		f := fields[c]
		switch {
		case c < width:
			data = append(data, f)
			items = append(items, "t."+duck.Ident(f.Name))
		case c == len(fields)-1:
			joined, meta = true, true
			items = append(items, metadataSQL("t."+rowColumn)+" AS "+duck.Ident(f.Name))
		case constant:
			items = append(items, keyValue(files, c-width, f)+" AS "+duck.Ident(f.Name))
		default:
			joined = true
			items = append(items, fmt.Sprintf("CAST(p.k%d AS %s) AS %s", c-width, functions.DuckType(f.Type), duck.Ident(f.Name)))
		}
	}
	if len(items) == 0 {
		items = []string{"1 AS one"}
	}
	read := data
	if len(read) == 0 {
		read = h.table.Data[:1]
	}
	groups, err := h.s.parquetGroups(ctx, files, read)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, g := range groups {
		g.missing = existing(h.table, read)
		from := g.reader(read, joined, meta) + " AS t"
		if joined {
			from += " JOIN (VALUES " + strings.Join(keyRows(g.files, h.table.Keys), ", ") + ") AS p(filename" + metadataCellNames + keyNames(len(h.table.Keys)) + ") ON t." + duck.Ident(fileColumn) + " = p.filename"
		}
		parts = append(parts, "SELECT "+strings.Join(items, ", ")+" FROM "+from)
	}
	return strings.Join(parts, " UNION ALL "), nil
}

// files lists what a scan reads.
func (h *hiveSource) files(ctx context.Context, filter expr.Expr) ([]hive.File, error) {
	return h.s.scanHive(ctx, &h.table, func(ctx context.Context) ([]metastore.Partition, error) {
		parts, err := h.partitions(ctx, filter)
		return parts, cmp.Or(err, checkValues(h.table, parts))
	})
}

// checkValues refuses partitions whose values are none of their keys' types: a folder's name may be any text.
func checkValues(t *hive.Table, parts []metastore.Partition) error {
	for i, k := range t.Keys {
		bits := map[types.Kind]int{types.Byte: 8, types.Short: 16, types.Int: 32, types.Long: 64}[k.Type.Kind]
		if bits == 0 {
			continue
		}
		for _, p := range parts {
			v := p.Values[i]
			if _, err := strconv.ParseInt(v, 10, bits); err != nil && v != metastore.NullPartition {
				return errclass.CastInvalidInput(v, types.Of(types.String), k.Type)
			}
		}
	}
	return nil
}

// Explain says how many of the table's partitions and files a scan reads.
func (h *hiveSource) Explain(ctx context.Context, filter expr.Expr) string {
	files, err := h.files(ctx, filter)
	if err != nil {
		return "files: " + err.Error()
	}
	if len(h.table.Keys) == 0 {
		return fmt.Sprintf("files: %d read", len(files))
	}
	all, err := h.s.engine.Hive.Partitions(ctx, h.table)
	if err != nil {
		return "partitions: " + err.Error()
	}
	read, err := h.partitions(ctx, filter)
	if err != nil {
		return "partitions: " + err.Error()
	}
	return fmt.Sprintf("partitions: %d considered, %d skipped, %d read; files: %d read", len(all), len(all)-len(read), len(read), len(files))
}

// constantKeys reports whether all files are of one partition.
func constantKeys(t *hive.Table, files []hive.File) bool {
	for _, f := range files {
		if !slices.Equal(f.Values, files[0].Values) {
			return false
		}
	}
	return true
}

// keyValue is the value that a partition key has in all files.
func keyValue(files []hive.File, key int, f types.Field) string {
	if len(files) == 0 {
		return "NULL"
	}
	return "CAST(" + keyText(files[0].Values[key], f.Type) + " AS " + functions.DuckType(f.Type) + ")"
}

// keyText is a partition value's text for DuckDB, which reads years of five digits without the sign that Spark writes.
func keyText(v string, t types.Type) string {
	if v == metastore.NullPartition {
		return "NULL"
	}
	if t.Kind == types.Date || t.Kind == types.Timestamp || t.Kind == types.TimestampNTZ {
		v = strings.TrimPrefix(v, "+")
	}
	return duck.String(v)
}

func keyRows(files []hive.File, keys []types.Field) []string {
	rows := make([]string, len(files))
	for i, f := range files {
		cells := append([]string{duck.String(f.Path)}, metadataCells(f.Path, f.Size, f.Modified)...)
		for j, v := range f.Values {
			cells = append(cells, keyText(v, keys[j].Type))
		}
		rows[i] = "(" + strings.Join(cells, ", ") + ")"
	}
	return rows
}

func keyNames(n int) string {
	s := ""
	for i := range n {
		s += fmt.Sprintf(", k%d", i)
	}
	return s
}

// existing are the values that columns have in files without them: their defaults when they were made.
func existing(t *hive.Table, fields []types.Field) map[string]string {
	out := map[string]string{}
	for _, f := range fields {
		if d := t.Default(f.Name); d.Exists != nil {
			out[f.Name] = *d.Exists
		}
	}
	return out
}
