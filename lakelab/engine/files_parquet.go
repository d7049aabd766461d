package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// openParquet reads Parquet files ("Parquet Files" page of Spark). A schema picks columns by name; a partition column that the files have
// too keeps its place among theirs.
func openParquet(ctx context.Context, r *fileRead) (sql.Relation, error) {
	merge, err := r.options.flag("mergeschema", strings.EqualFold(r.session.Conf(confMergeSchema), "true"))
	if err != nil {
		return nil, err
	}
	src := &parquetFiles{read: r}
	switch {
	case r.Schema != nil:
		src.schema = *r.Schema
	case len(r.files) == 0:
		return nil, noSchema(r.Format)
	default:
		if src.schema.Fields, err = r.parquetFields(ctx, merge); err != nil {
			return nil, err
		}
	}
	src.schema.Kind = types.Struct
	src.schema.Fields = slices.Clone(src.schema.Fields)
	for i, p := range r.partition {
		at := slices.IndexFunc(src.schema.Fields, func(f types.Field) bool { return strings.EqualFold(f.Name, p.Name) })
		if at < 0 {
			at = len(src.schema.Fields)
			src.schema.Fields = append(src.schema.Fields, p)
		}
		src.schema.Fields[at] = p
		src.keys = append(src.keys, key{at, i})
	}
	for i := range src.schema.Fields {
		src.schema.Fields[i].Nullable = true
	}
	return &sql.Opened{Source: src}, nil
}

// parquetFields are the columns of the files: of the first one, or of all with the option mergeSchema.
func (r *fileRead) parquetFields(ctx context.Context, merge bool) ([]types.Field, error) {
	read := r.files[:1]
	if merge {
		read = r.files
	}
	var fields []types.Field
	for i, f := range read {
		schema, err := r.session.engine.fileSchema(ctx, f.path, "read_parquet("+duckpath.Quote(f.path)+", hive_partitioning = false)")
		if err != nil {
			return nil, err
		}
		physical, err := r.session.physicalColumns(ctx, []hive.File{f.hive()}, nil)
		if err != nil {
			return nil, err
		}
		one := slices.Clone(schema.Fields)
		for j := range one {
			if physical[f.path][strings.ToLower(one[j].Name)].int96 {
				one[j].Type = one[j].Type.Map(momentOfINT96)
			}
		}
		if i == 0 {
			fields = one
		} else if fields, err = mergedFields(fields, one); err != nil {
			return nil, err
		}
	}
	return fields, nil
}

// momentOfINT96 is TIMESTAMP for what DuckDB takes an INT96 for.
func momentOfINT96(t types.Type) types.Type {
	if t.Kind == types.TimestampNTZ {
		return types.Of(types.Timestamp)
	}
	return t
}

// hive is the file as the readers of tables have it.
func (f dataFile) hive() hive.File {
	out := hive.File{Path: f.path, Size: f.size, Modified: f.modified}
	for _, v := range f.values {
		text := hivepath.Default
		if v != nil {
			text = *v
		}
		out.Values = append(out.Values, text)
	}
	return out
}

// parquetFiles reads Parquet files by their paths.
type parquetFiles struct {
	read   *fileRead
	schema types.Type
	keys   []key
}

// key is a partition column: its place in the schema, and in the files' values.
type key struct{ column, value int }

func (p *parquetFiles) Schema() types.Type { return p.schema }

// Hidden is the column _metadata.
func (p *parquetFiles) Hidden() []types.Field { return hiddenMetadata(p.schema.Fields) }

// key is the place in the files' values of a column; -1 if it is none of the folders'.
func (p *parquetFiles) key(column int) int {
	for _, k := range p.keys {
		if k.column == column {
			return k.value
		}
	}
	return -1
}

// SQL reads the files whose partitions the filter does not rule out.
func (p *parquetFiles) SQL(ctx context.Context, columns []int, filter expr.Expr) (string, error) {
	files := p.read.matching(ctx, filter).files
	fields := append(slices.Clone(p.schema.Fields), metadataField(metadataName, true))
	if len(files) == 0 {
		return noRows(fields, columns), nil
	}
	var items []string
	var data []types.Field
	keyed, meta := false, false
	for _, c := range columns {
		f := fields[c]
		if c == len(p.schema.Fields) {
			keyed, meta = true, true
			items = append(items, metadataSQL("t."+rowColumn)+" AS "+duck.Ident(f.Name))
		} else if k := p.key(c); k >= 0 {
			keyed = true
			items = append(items, fmt.Sprintf("p.k%d AS %s", k, duck.Ident(f.Name)))
		} else {
			data = append(data, f)
			items = append(items, "t."+duck.Ident(f.Name))
		}
	}
	if len(items) == 0 {
		items = []string{"1 AS one"}
	}
	list := make([]hive.File, len(files))
	values := map[string][]*string{}
	for i, f := range files {
		list[i], values[f.path] = f.hive(), f.values
	}
	if len(data) == 0 { // some column must be read for the rows to be counted
		for c, f := range p.schema.Fields {
			if p.key(c) < 0 {
				data = []types.Field{f}
				break
			}
		}
	}
	groups, err := p.read.session.parquetGroups(ctx, list, data)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, g := range groups {
		from := g.reader(data, keyed, meta) + " AS t"
		if keyed {
			rows, err := p.rows(g.files, values)
			if err != nil {
				return "", err
			}
			from += " JOIN (VALUES " + strings.Join(rows, ", ") + ") AS p(filename" + metadataCellNames + keyNames(len(p.read.partition)) + ") ON t." + duck.Ident(fileColumn) + " = p.filename"
		}
		parts = append(parts, "SELECT "+strings.Join(items, ", ")+" FROM "+from)
	}
	return strings.Join(parts, " UNION ALL "), nil
}

// rows are the files' paths and their partitions' values.
func (p *parquetFiles) rows(files []hive.File, values map[string][]*string) ([]string, error) {
	out := make([]string, len(files))
	for i, f := range files {
		var err error
		if out[i], err = p.read.valuesRow(f.Path, f.Size, f.Modified, values[f.Path]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Explain says how many of the files a scan reads.
func (p *parquetFiles) Explain(ctx context.Context, filter expr.Expr) string {
	return p.read.explain(ctx, filter)
}
