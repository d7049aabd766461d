package engine

import (
	"context"
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
	return r.raw(value, reader), nil
}

// openParquet reads Parquet files ("Parquet Files" page of Spark). A schema picks columns by name.
func openParquet(ctx context.Context, r *fileRead) (sql.Relation, error) {
	merge, err := r.options.flag("mergeschema", false)
	if err != nil {
		return nil, err
	}
	if len(r.files) == 0 {
		if r.Schema == nil {
			return nil, noSchema(r.Format)
		}
		return &sql.LocalRows{Schema: *r.Schema}, nil
	}
	reader := "read_parquet(" + r.list()
	if merge {
		reader += ", union_by_name = true"
	}
	if len(r.partition) > 0 {
		reader += ", filename = true, hive_partitioning = false"
	}
	reader += ")"
	schema, err := r.session.engine.fileSchema(ctx, r.files[0].path, reader)
	if err != nil {
		return nil, err
	}
	fields := schema.Fields
	if len(r.partition) > 0 {
		fields = fields[:len(fields)-1] // filename
	}
	from := r.raw(fields, reader)
	if r.Schema == nil {
		return from, nil
	}
	var items []string
	for _, f := range r.Schema.Fields {
		x := "NULL"
		for _, have := range append(fields, r.partition...) {
			if strings.EqualFold(have.Name, f.Name) {
				x = backquoted(have.Name)
			}
		}
		items = append(items, "CAST("+x+" AS "+f.Type.SQL()+") AS "+backquoted(f.Name))
	}
	return selected(from, "", items...)
}
