package engine

import (
	"context"

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
	from := r.raw(value, func(r *fileRead) string {
		if whole {
			return "(SELECT filename, content AS " + duck.Ident(value[0].Name) + " FROM " + r.texts() + ")"
		}
		return "(SELECT filename, _line AS " + duck.Ident(value[0].Name) + " FROM " + r.lines() + ")"
	})
	items := []string{backquoted(value[0].Name)}
	for _, p := range r.partition {
		items = append(items, backquoted(p.Name))
	}
	return r.columnsOf(from, "", value, items...)
}
