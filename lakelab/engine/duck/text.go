package duck

import (
	"context"
	"database/sql/driver"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/types"
)

// Floating-point numbers become text as in Java, which DuckDB's SQL can't say: a function in Go does it.

func textFunction(t types.Type) string {
	if t.Kind == types.Float {
		return "spark_float_text"
	}
	return "spark_double_text"
}

type textUDF struct {
	in   duckdb.TypeInfo
	out  duckdb.TypeInfo
	kind types.Kind
}

func (f *textUDF) Config() duckdb.ScalarFuncConfig {
	return duckdb.ScalarFuncConfig{InputTypeInfos: []duckdb.TypeInfo{f.in}, ResultTypeInfo: f.out}
}

func (f *textUDF) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowExecutor: func(v []driver.Value) (any, error) {
		if v[0] == nil {
			return nil, nil
		}
		return types.Text(types.Of(f.kind), v[0], nil), nil
	}}
}

func (db *DB) registerText(ctx context.Context) error {
	c, err := db.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	out, err := duckdb.NewTypeInfo(duckdb.TYPE_VARCHAR)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		duck duckdb.Type
		kind types.Kind
	}{{duckdb.TYPE_FLOAT, types.Float}, {duckdb.TYPE_DOUBLE, types.Double}} {
		in, err := duckdb.NewTypeInfo(f.duck)
		if err != nil {
			return err
		}
		if err := duckdb.RegisterScalarUDF(c, textFunction(types.Of(f.kind)), &textUDF{in, out, f.kind}); err != nil {
			return err
		}
	}
	return nil
}
