package celldoor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"

	"mini-lakehouse-lab/lakelab/engine/render"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
)

// TrinoClient runs one statement through a real Trino client over HTTP.
type TrinoClient interface {
	Query(ctx context.Context, q trinodoor.Query) (*trinodoor.Rows, error)
}

// trinoQuery is Query of a cell's Trino, the embedded one's or another's: over HTTP, like any other client's.
func trinoQuery(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	client := c.door.trino
	if target, elsewhere := req["target"].(map[string]any); elsewhere {
		other, err := trinoElsewhere(target)
		if err != nil {
			return nil, err
		}
		defer other.Close()
		client = other
	}
	state, _ := req["state"].(map[string]any)
	q := trinodoor.Query{SQL: str(req, "sql"), User: str(req, "user"), State: trinoState(state)}
	q.Progress = func(percent float64) { c.trino.Store(&percent) }
	defer c.trino.Store(nil)
	r, err := client.Query(ctx, q)
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
		"state": stateMap(r.State),
	}, nil
}

// trinoElsewhere is a client of a Trino that a cell describes. Close it.
func trinoElsewhere(target map[string]any) (*trinodoor.Client, error) {
	t := trinodoor.Target{Address: str(target, "address"), Password: str(target, "password"), Token: str(target, "token")}
	if ca := str(target, "ca"); ca != "" {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM([]byte(ca)) {
			return nil, errors.New("the certificate file holds no certificate in PEM")
		}
		t.TLS = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	return trinodoor.NewClient(t), nil
}

// trinoState reads a cell's session.
func trinoState(m map[string]any) trinodoor.State {
	texts := func(key string) map[string]string {
		in, _ := m[key].(map[string]any)
		out := map[string]string{}
		for k := range in {
			out[k] = str(in, k)
		}
		return out
	}
	return trinodoor.State{
		Catalog: str(m, "catalog"), Schema: str(m, "schema"), Path: str(m, "path"), User: str(m, "user"), Transaction: str(m, "transaction"),
		Properties: texts("properties"), Prepared: texts("prepared"), Roles: texts("roles"),
	}
}

// stateMap writes it.
func stateMap(s trinodoor.State) map[string]any {
	texts := func(in map[string]string) map[string]any {
		out := map[string]any{}
		for k, v := range in {
			out[k] = v
		}
		return out
	}
	return map[string]any{
		"catalog": s.Catalog, "schema": s.Schema, "path": s.Path, "user": s.User, "transaction": s.Transaction,
		"properties": texts(s.Properties), "prepared": texts(s.Prepared), "roles": texts(s.Roles),
	}
}

func list(s []string) []any {
	out := make([]any, len(s))
	for i, x := range s {
		out[i] = x
	}
	return out
}
