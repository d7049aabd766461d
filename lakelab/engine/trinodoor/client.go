package trinodoor

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/trinodb/trino-go-client/trino"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Query is a statement and where it runs.
type Query struct{ SQL, User, Catalog, Schema string }

// Rows is a statement's whole result: Trino's type names, and values as the wire carries them (dates and times as text).
type Rows struct {
	Columns, Types []string
	Rows           [][]any
	UpdateType     string
}

// Client runs statements through trino-go-client, over HTTP: what a cell's TrinoQuery uses, against this door or a real Trino.
type Client struct{ address string }

// NewClient makes a client of the Trino at an address such as http://127.0.0.1:8080.
func NewClient(address string) *Client { return &Client{address} }

// Query runs one statement to its end.
func (c *Client) Query(ctx context.Context, q Query) (*Rows, error) {
	u, err := url.Parse(c.address)
	if err != nil {
		return nil, err
	}
	u.User = url.User(q.User)
	v := url.Values{"catalog": {q.Catalog}, "source": {"lakelab"}}
	if q.Schema != "" {
		v.Set("schema", q.Schema)
	}
	u.RawQuery = v.Encode()
	db, err := sql.Open("trino", u.String())
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, strings.TrimRight(strings.TrimSpace(q.SQL), ";"))
	if err != nil {
		return nil, clientError(ctx, err)
	}
	defer rows.Close()
	out := &Rows{}
	cols, err := rows.ColumnTypes()
	if err != nil {
		return nil, clientError(ctx, err)
	}
	for _, c := range cols {
		out.Columns = append(out.Columns, c.Name())
		out.Types = append(out.Types, strings.ToLower(c.DatabaseTypeName()))
	}
	for rows.Next() {
		r := make([]any, len(cols))
		p := make([]any, len(cols))
		for i := range r {
			p[i] = &r[i]
		}
		if err := rows.Scan(p...); err != nil {
			return nil, err
		}
		for i := range r {
			r[i] = plainValue(out.Types[i], r[i])
		}
		out.Rows = append(out.Rows, r)
	}
	return out, clientError(ctx, rows.Err())
}

// clientError gives a client's error the fields of Trino's.
func clientError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var e *trino.ErrTrino
	if errors.As(err, &e) {
		exception := "TrinoUserError"
		if e.ErrorType != "USER_ERROR" {
			exception = "TrinoQueryError"
		}
		return &errclass.Error{Exception: exception, Class: e.ErrorName, Code: e.ErrorCode, Message: e.Message, Cause: err}
	}
	return err
}

// plainValue turns the client's value into one that a cell gets.
func plainValue(typ string, v any) any {
	switch v := v.(type) {
	case time.Time:
		switch {
		case typ == "date":
			return v.Format("2006-01-02")
		case strings.Contains(typ, "with time zone"):
			return v.Format("2006-01-02 15:04:05.000000 MST")
		case strings.HasPrefix(typ, "time") && !strings.HasPrefix(typ, "timestamp"):
			return v.Format("15:04:05.000000")
		}
		return v.Format("2006-01-02 15:04:05.000000")
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case int32:
		return int64(v)
	case []any:
		for i := range v {
			v[i] = plainValue("", v[i])
		}
		return v
	case map[string]any:
		for k := range v {
			v[k] = plainValue("", v[k])
		}
		return v
	case nil, bool, int64, float64, string, []byte:
		return v
	case float32:
		return float64(v)
	}
	return fmt.Sprint(v)
}
