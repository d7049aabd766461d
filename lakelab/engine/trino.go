package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
	"mini-lakehouse-lab/lakelab/types"
)

// trinoBackend runs what comes through the Trino door. Trino's sessions live in the client's headers, so each statement
// gets a session of its own.
type trinoBackend struct{ engine *Engine }

// Trino is the engine as the Trino door sees it.
func (e *Engine) Trino() trinodoor.Backend { return trinoBackend{e} }

func (b trinoBackend) Execute(ctx context.Context, ts trinodoor.Session, text string) (trinodoor.Result, error) {
	s := b.engine.Session("", "trino", "")
	catalog := ts.Catalog
	if catalog == "" {
		catalog = CatalogName
	}
	s.Use(strings.ToLower(catalog), strings.ToLower(ts.Schema))
	if ts.TimeZone != "" {
		if err := s.SetConf(confTimeZone, ts.TimeZone); err != nil {
			return nil, err
		}
	}
	r, err := s.Execute(ctx, sql.Trino, text, plan.Params{})
	if err != nil {
		return nil, err
	}
	rows, err := s.Open(ctx, r)
	if err != nil {
		return nil, withText(err, text)
	}
	return &trinoResult{result: r, rows: rows, done: b.engine.busy()}, nil
}

type trinoResult struct {
	result *Result
	rows   Rows
	done   func()
}

func (r *trinoResult) Schema() types.Type     { return r.result.Schema }
func (r *trinoResult) Next() ([][]any, error) { return r.rows.Next() }
func (r *trinoResult) UpdateType() string     { return r.result.UpdateType }
func (r *trinoResult) UpdateCount() (int64, bool) {
	return r.result.UpdateCount, r.result.UpdateCount >= 0
}

func (r *trinoResult) Changes() trinodoor.Changes {
	return trinodoor.Changes{Catalog: r.result.Catalog, Schema: r.result.Namespace}
}

func (r *trinoResult) Close() error {
	if r.done != nil {
		r.done()
		r.done = nil
	}
	return r.rows.Close()
}
