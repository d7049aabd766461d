package engine

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/trino"
	"mini-lakehouse-lab/lakelab/types"
)

// Result is what a statement gives: a planned query that has not run yet, or a command's rows at hand.
type Result struct {
	Schema types.Type // Struct
	Node   plan.Node  // nil for a command
	Rows   [][]any    // of a command
	// UpdateType is Trino's name for what happened (CREATE TABLE, INSERT …); empty for queries.
	UpdateType string
	// UpdateCount is the number of rows written; -1 if the statement writes none.
	UpdateCount int64
	dialect     sql.Dialect
	// Text is the statement that errors of the running query point into; empty if it is not one text.
	Text string
	// Changes are what the statement did to the session, for Trino's clients.
	Changes trino.Changes
}

// done is the result of a command without rows.
func done() *Result { return &Result{Schema: types.StructOf(), UpdateCount: -1} }

// local is the result of a command with rows.
func local(rows [][]any, fields ...types.Field) *Result {
	return &Result{Schema: types.StructOf(fields...), Rows: rows, UpdateCount: -1}
}

// updated is the result of a statement that changed something.
func updated(kind string, rows int64) *Result {
	return &Result{Schema: types.StructOf(), UpdateType: kind, UpdateCount: rows}
}

// Rows gives batches of rows; Next returns nil at the end.
type Rows interface {
	Next() ([][]any, error)
	Close() error
}

type localRows struct{ rows [][]any }

func (l *localRows) Next() ([][]any, error) {
	r := l.rows
	l.rows = nil
	return r, nil
}

func (l *localRows) Close() error { return nil }

// Open starts a result's query, or hands out a command's rows.
func (s *Session) Open(ctx context.Context, r *Result) (Rows, error) {
	if r.Node == nil {
		return &localRows{r.Rows}, nil
	}
	rows, err := s.Run(ctx, r.Node)
	if err != nil {
		return nil, errclass.InText(inDialect(r.dialect, err), r.Text)
	}
	return dialectRows{rows, r.dialect, r.Text}, nil
}

// dialectRows words the errors of a running query in its dialect, and gives them the statement.
type dialectRows struct {
	Rows
	d    sql.Dialect
	text string
}

func (r dialectRows) Next() ([][]any, error) {
	rows, err := r.Rows.Next()
	return rows, errclass.InText(inDialect(r.d, err), r.text)
}

// Collect runs a result to its end; limit < 0 means all rows.
func (s *Session) Collect(ctx context.Context, r *Result, limit int64) ([][]any, error) {
	rows, err := s.Open(ctx, r)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out [][]any
	for limit < 0 || int64(len(out)) < limit {
		batch, err := rows.Next()
		if err != nil {
			return nil, err
		}
		if batch == nil {
			break
		}
		out = append(out, batch...)
	}
	if limit >= 0 && int64(len(out)) > limit {
		out = out[:limit]
	}
	return out, nil
}

// SchemaOf is the struct of a plan's output.
func SchemaOf(n plan.Node) types.Type {
	out := n.Output()
	fields := make([]types.Field, len(out))
	for i, c := range out {
		fields[i] = types.Field{Name: c.Name, Type: c.T, Nullable: c.Null, Comment: c.Comment, Lengths: c.Lengths}
	}
	return types.StructOf(fields...)
}
