package celldoor

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/render"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
)

// TrinoClient runs one statement through a real Trino client over HTTP.
type TrinoClient interface {
	Query(ctx context.Context, q trinodoor.Query) (*trinodoor.Rows, error)
}

// trinoQuery is TrinoQuery of a cell: over HTTP, like any other client's.
func trinoQuery(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	q := trinodoor.Query{SQL: str(req, "sql"), User: str(req, "user"), Catalog: str(req, "catalog"), Schema: str(req, "schema")}
	if q.User == "" {
		q.User = "jupyter"
	}
	if q.Catalog == "" {
		q.Catalog = "lakehouse"
	}
	q.Progress = func(percent float64) { c.trino.Store(&percent) }
	defer c.trino.Store(nil)
	r, err := c.door.trino.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	html, text := render.Table(r.Columns, r.Types, r.Rows, render.Options{})
	rows := make([]any, len(r.Rows))
	for i, row := range r.Rows {
		rows[i] = row
	}
	return map[string]any{
		"columns": list(r.Columns), "types": list(r.Types), "rows": rows, "html": html, "text": text, "updateType": r.UpdateType,
	}, nil
}

func list(s []string) []any {
	out := make([]any, len(s))
	for i, x := range s {
		out[i] = x
	}
	return out
}
