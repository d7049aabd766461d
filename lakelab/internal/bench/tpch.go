//go:build linux

package main

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/plan"
	dialect "mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// TPC-H's 22 queries with their validation parameters, in the words that Spark and DuckDB share.
//
//go:embed tpch.sql
var tpchQueries string

var tpchTables = []string{"lineitem", "orders", "customer", "part", "partsupp", "supplier", "nation", "region"}

// rounds is how often each query runs; the fastest counts.
const rounds = 3

// tpch runs TPC-H over Parquet files, in Spark's dialect on the engine and as it is on DuckDB. The rows must be the same.
func (b *suite) tpch(ctx context.Context) error {
	scale := cmp.Or(os.Getenv("LAKELAB_TPCH_SCALE"), "1")
	data := filepath.Join(b.dir, "tpch")
	if err := b.command(ctx, filepath.Join(b.root, ".venv", "bin", "tpchgen-cli"), "parquet", "-s", scale, "--output-dir", data).Run(); err != nil {
		return fmt.Errorf("tpchgen-cli: %w", err)
	}
	if err := os.Setenv("LAKELAB_DATA_ROOTS", data); err != nil {
		return err
	}
	e, err := engine.Open(ctx, filepath.Join(b.dir, "tpch-lakehouse"))
	if err != nil {
		return err
	}
	defer e.Close()
	s := e.Session("", "tpch", data)
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, t := range tpchTables {
		file := filepath.Join(data, t+".parquet")
		if _, err := s.Execute(ctx, dialect.Spark, "CREATE TEMPORARY VIEW "+t+" AS SELECT * FROM parquet.`"+file+"`", plan.Params{}); err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, "CREATE VIEW "+t+" AS SELECT * FROM read_parquet('"+file+"')"); err != nil {
			return err
		}
	}
	fmt.Printf("\n| TPC-H, scale %s, Parquet | lakelab, s | DuckDB, s | ratio | rows |\n|---|---|---|---|---|\n", scale)
	var ours, theirs time.Duration
	for _, q := range strings.Split(tpchQueries, "-- q")[1:] {
		name, text, _ := strings.Cut(q, "\n")
		got, t1, err := fastest(func() ([][]string, error) { return askEngine(ctx, s, text) })
		if err != nil {
			return fmt.Errorf("q%s: %w", name, err)
		}
		want, t2, err := fastest(func() ([][]string, error) { return askDuck(ctx, db, text) })
		if err != nil {
			return fmt.Errorf("DuckDB, q%s: %w", name, err)
		}
		ours, theirs = ours+t1, theirs+t2
		verdict := strconv.Itoa(len(got))
		if diff := differ(got, want); diff != "" {
			verdict = "differ: " + diff
		}
		fmt.Printf("| %s | %.3f | %.3f | %.2f | %s |\n", name, t1.Seconds(), t2.Seconds(), t1.Seconds()/t2.Seconds(), verdict)
	}
	fmt.Printf("| all | %.3f | %.3f | %.2f | |\n", ours.Seconds(), theirs.Seconds(), ours.Seconds()/theirs.Seconds())
	return nil
}

func fastest(f func() ([][]string, error)) (rows [][]string, best time.Duration, err error) {
	best = math.MaxInt64
	for range rounds {
		begun := time.Now()
		if rows, err = f(); err != nil {
			return nil, 0, err
		}
		best = min(best, time.Since(begun))
	}
	return rows, best, nil
}

func askEngine(ctx context.Context, s *engine.Session, text string) ([][]string, error) {
	r, err := s.Execute(ctx, dialect.Spark, text, plan.Params{})
	if err != nil {
		return nil, err
	}
	rows, err := s.Collect(ctx, r, -1)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(rows))
	for i, row := range rows {
		for j, v := range row {
			out[i] = append(out[i], types.Text(r.Schema.Fields[j].Type, v, time.UTC))
		}
	}
	return out, nil
}

func askDuck(ctx context.Context, db *sql.DB, text string) ([][]string, error) {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]string
	for rows.Next() {
		values, p := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			p[i] = &values[i]
		}
		if err := rows.Scan(p...); err != nil {
			return nil, err
		}
		line := make([]string, len(columns))
		for i, v := range values {
			switch v := v.(type) {
			case time.Time:
				line[i] = v.Format(time.DateOnly)
			case duckdb.Decimal:
				line[i] = v.String()
			default:
				line[i] = fmt.Sprint(v)
			}
		}
		out = append(out, line)
	}
	return out, rows.Err()
}

// differ compares results; numbers by value, because Spark's decimals have other scales than DuckDB's.
func differ(a, b [][]string) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%d and %d rows", len(a), len(b))
	}
	for i := range a {
		for j := range a[i] {
			x, err1 := strconv.ParseFloat(a[i][j], 64)
			y, err2 := strconv.ParseFloat(b[i][j], 64)
			if a[i][j] != b[i][j] && (err1 != nil || err2 != nil || math.Abs(x-y) > 1e-5*math.Max(1, math.Abs(y))) {
				return fmt.Sprintf("row %d: %s and %s", i, a[i][j], b[i][j])
			}
		}
	}
	return ""
}
