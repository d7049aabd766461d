package duck

import (
	"context"
	"strings"
	"testing"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
)

// TestBrokenFunction: a function that breaks off fails its statement, and the process lives on.
func TestBrokenFunction(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c, err := db.pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	long, err := duckdb.NewTypeInfo(duckdb.TYPE_BIGINT)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"spark_broken": "[INTERNAL_ERROR] function spark_broken: index out of range SQLSTATE: XX000", "trino_broken": "function trino_broken: index out of range"} {
		u := &udf{f: functions.UDF{Name: name, Call: func([]any) (any, error) { panic("index out of range") }}}
		u.config = duckdb.ScalarFuncConfig{InputTypeInfos: []duckdb.TypeInfo{long}, ResultTypeInfo: long}
		if err := duckdb.RegisterScalarUDF(c, name, u); err != nil {
			t.Fatal(err)
		}
		_, _, err := db.Query(ctx, "SELECT "+name+"(i) FROM range(3) r(i)")
		if e, ok := errclass.FromDuck(err).(*errclass.Error); !ok || !strings.Contains(e.Text(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, rows, err := db.Query(ctx, "SELECT 1"); err != nil || len(rows) != 1 {
		t.Error(rows, err)
	}
}
