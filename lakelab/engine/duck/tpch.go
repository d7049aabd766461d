package duck

import (
	"context"
	"database/sql/driver"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"weak"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/tpch"
	"mini-lakehouse-lab/lakelab/types"
)

// generated is the state of the database that holds TPC-H's tables.
type generated struct {
	turn     chan struct{} // held by whoever generates
	attached bool
	made     sync.Map // tables, as SQL names them; read without a turn, so that no table waits for another that is being made
	text     weak.Pointer[tpch.Text]
}

func newGenerated() *generated {
	return &generated{turn: make(chan struct{}, 1)}
}

// TPCH makes one of TPC-H's tables at a scale factor, if it is not there yet, and returns its name for DuckDB. Columns have the names and
// types of schema, fractions being doubles. The tables lie in a file where DuckDB spills, or in memory; Close removes them.
func (db *DB) TPCH(ctx context.Context, table string, scale float64, schema types.Type) (string, error) {
	g := db.generated
	space := "sf" + strconv.FormatFloat(scale, 'f', -1, 64)
	name := "tpch." + Ident(space) + "." + Ident(table)
	if _, made := g.made.Load(name); made {
		return name, nil
	}
	select {
	case g.turn <- struct{}{}:
		defer func() { <-g.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if _, made := g.made.Load(name); made {
		return name, nil
	}
	if err := db.attachGenerated(ctx); err != nil {
		return "", err
	}
	columns := make([]string, len(schema.Fields))
	for i, f := range schema.Fields {
		columns[i] = Ident(f.Name) + " " + functions.DuckType(f.Type)
	}
	for _, s := range []string{"CREATE SCHEMA IF NOT EXISTS tpch." + Ident(space), "CREATE OR REPLACE TABLE " + name + " (" + strings.Join(columns, ", ") + ")"} {
		if err := db.Exec(ctx, s); err != nil {
			return "", err
		}
	}
	text := g.text.Value()
	if text == nil {
		text = tpch.NewText()
		g.text = weak.Make(text)
	}
	if err := db.fill(ctx, space, table, scale, schema, text); err != nil {
		return "", err
	}
	g.made.Store(name, true)
	return name, nil
}

// attachGenerated makes the database of generated tables.
func (db *DB) attachGenerated(ctx context.Context) error {
	if db.generated.attached {
		return nil
	}
	path := ":memory:"
	if db.spill != "" {
		if err := os.MkdirAll(db.spill, 0o755); err != nil {
			return err
		}
		path = filepath.Join(db.spill, "tpch.duckdb")
	}
	err := db.Exec(ctx, "ATTACH "+String(path)+" AS tpch")
	db.generated.attached = err == nil
	return err
}

// fill appends a table's rows in one transaction.
func (db *DB) fill(ctx context.Context, space, table string, scale float64, schema types.Type, text *tpch.Text) error {
	c, err := db.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(raw any) (err error) {
		a, err := duckdb.NewAppender(raw.(driver.Conn), "tpch", space, table)
		if err != nil {
			return err
		}
		defer func() {
			if cerr := a.Close(); err == nil {
				err = cerr
			}
		}()
		values, n := make([]driver.Value, len(schema.Fields)), 0
		return tpch.Generate(table, scale, text, func(row []any) error {
			if n++; n%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			for i, v := range row {
				values[i] = v
				switch x, _ := v.(int64); schema.Fields[i].Type.Kind {
				case types.Int:
					values[i] = int32(x)
				case types.Double:
					values[i] = float64(x) / 100
				case types.Date:
					values[i] = time.Unix(x*86400, 0).UTC()
				}
			}
			return a.AppendRow(values...)
		})
	})
}
