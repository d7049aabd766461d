package engine

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// openText reads lines, or whole files, into the column value ("Text Files" page of Spark).
func openText(_ context.Context, r *fileRead) (sql.Relation, error) {
	whole, err := r.options.flag("wholetext", false)
	if err != nil {
		return nil, err
	}
	if err := r.options.accept("linesep", "\n"); err != nil {
		return nil, err
	}
	value := []types.Field{{Name: "value", Type: types.Of(types.String), Nullable: true}}
	if r.Schema != nil {
		if len(r.Schema.Fields) != 1 || r.Schema.Fields[0].Type.Kind != types.String {
			return nil, errclass.TextSchema(len(r.Schema.Fields))
		}
		value[0].Name = r.Schema.Fields[0].Name
	}
	reader := "(SELECT filename, _line AS " + duck.Ident(value[0].Name) + " FROM " + r.lines() + ")"
	if whole {
		reader = "(SELECT filename, content AS " + duck.Ident(value[0].Name) + " FROM read_text(" + r.list() + "))"
	}
	if len(r.files) == 0 {
		reader = "(SELECT '' AS filename, '' AS " + duck.Ident(value[0].Name) + " LIMIT 0)"
	}
	return r.raw(value, reader)
}

// openParquet reads Parquet files ("Parquet Files" page of Spark). A schema picks columns by name.
func openParquet(ctx context.Context, r *fileRead) (sql.Relation, error) {
	merge, err := r.options.flag("mergeschema", strings.EqualFold(r.session.Conf(confMergeSchema), "true"))
	if err != nil {
		return nil, err
	}
	if len(r.files) == 0 {
		if r.Schema == nil {
			return nil, noSchema(r.Format)
		}
		return &sql.LocalRows{Schema: *r.Schema}, nil
	}
	// DuckDB's union of the files has every column; which of them are read is said by one file, or by all.
	reader := "read_parquet(" + r.list() + ", union_by_name = true, hive_partitioning = false"
	if len(r.partition) > 0 {
		r.named = "$file" // not a name that the files may have
		reader += ", filename = " + duck.String(r.named)
	}
	reader += ")"
	fields, err := r.parquetFields(ctx, merge)
	if err != nil {
		return nil, err
	}
	from, err := r.raw(slices.DeleteFunc(slices.Clone(fields), r.isPartition), reader)
	if err != nil {
		return nil, err
	}
	var items []string
	if r.Schema != nil {
		for _, f := range r.Schema.Fields {
			x := "NULL"
			for _, have := range fields {
				if strings.EqualFold(have.Name, f.Name) {
					x = backquoted(have.Name)
				}
			}
			items = append(items, "CAST("+x+" AS "+f.Type.SQL()+") AS "+backquoted(f.Name))
		}
	} else {
		// A partition column that the files have too stays at its place among theirs.
		if !slices.ContainsFunc(fields, r.isPartition) {
			return from, nil
		}
		for _, f := range fields {
			items = append(items, backquoted(f.Name))
		}
	}
	for _, p := range r.partition {
		if r.Schema != nil || !slices.ContainsFunc(fields, func(f types.Field) bool { return strings.EqualFold(f.Name, p.Name) }) {
			items = append(items, backquoted(p.Name))
		}
	}
	return selected(from, "", items...)
}

// parquetFields are the columns of the files: of the first one, or of all with the option mergeSchema. A schema that was given finds its
// columns in any of them.
func (r *fileRead) parquetFields(ctx context.Context, merge bool) ([]types.Field, error) {
	read := r.files[:1]
	if merge || r.Schema != nil {
		read = r.files
	}
	var fields []types.Field
	for i, f := range read {
		schema, err := r.session.engine.fileSchema(ctx, f.path, "read_parquet("+duck.String(f.path)+", hive_partitioning = false)")
		if err != nil {
			return nil, err
		}
		if i == 0 {
			fields = schema.Fields
		} else if !merge {
			fields = addedFields(fields, schema.Fields)
		} else if fields, err = mergedFields(fields, schema.Fields); err != nil {
			return nil, err
		}
	}
	return fields, nil
}
