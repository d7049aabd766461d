package duck

import (
	"context"
	"database/sql/driver"
	"fmt"
	"os"
	"runtime/debug"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/types"
)

// udf hands a function of package functions to the driver.
type udf struct {
	f      functions.UDF
	config duckdb.ScalarFuncConfig
}

func (u *udf) Config() duckdb.ScalarFuncConfig { return u.config }

func (u *udf) Executor() duckdb.ScalarFuncExecutor {
	return duckdb.ScalarFuncExecutor{RowContextExecutor: func(ctx context.Context, v []driver.Value) (any, error) {
		// DuckDB looks for an interruption between chunks only: two thousand rows of a slow pattern would go on for minutes.
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		args := make([]any, len(v))
		for i, x := range v {
			args[i] = x
		}
		out, err := call(u.f, args)
		if v, ok := out.(types.Interval); ok {
			out = duckdb.Interval{Months: v.Months, Days: v.Days, Micros: v.Micros}
		}
		return out, err
	}}
}

// call runs a function for one row. DuckDB calls it on a thread of its own, where a panic would end the process with all of its
// sessions: it is the failure of one statement.
func call(f functions.UDF, args []any) (out any, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "panic in %s: %v\n%s", f.Name, p, debug.Stack())
			err = f.Defect(p)
		}
	}()
	return f.Call(args)
}

var driverTypes = map[types.Kind]duckdb.Type{
	types.Boolean: duckdb.TYPE_BOOLEAN, types.Byte: duckdb.TYPE_TINYINT, types.Int: duckdb.TYPE_INTEGER, types.Long: duckdb.TYPE_BIGINT, types.Float: duckdb.TYPE_FLOAT,
	types.Double: duckdb.TYPE_DOUBLE, types.String: duckdb.TYPE_VARCHAR, types.Binary: duckdb.TYPE_BLOB, types.Date: duckdb.TYPE_DATE,
	types.CalendarInterval: duckdb.TYPE_INTERVAL, types.TimestampNTZ: duckdb.TYPE_TIMESTAMP, types.Timestamp: duckdb.TYPE_TIMESTAMP_TZ,
}

// typeInfo is a UDF's type for the driver.
func typeInfo(t types.Type) (duckdb.TypeInfo, error) {
	if t.Kind == types.Array {
		e, err := typeInfo(*t.Elem)
		if err != nil {
			return nil, err
		}
		return duckdb.NewListInfo(e)
	}
	d, ok := driverTypes[t.Kind]
	if !ok {
		return nil, fmt.Errorf("duck: no UDF type for %s", t)
	}
	return duckdb.NewTypeInfo(d)
}

// register makes the UDFs known to the database.
func (db *DB) register(ctx context.Context) error {
	c, err := db.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, f := range functions.UDFs() {
		u := &udf{f: f, config: duckdb.ScalarFuncConfig{SpecialNullHandling: f.Nulls}}
		for _, k := range f.Args {
			t, err := typeInfo(k)
			if err != nil {
				return err
			}
			u.config.InputTypeInfos = append(u.config.InputTypeInfos, t)
		}
		if u.config.ResultTypeInfo, err = typeInfo(f.Result); err != nil {
			return err
		}
		if err := duckdb.RegisterScalarUDF(c, f.Name, u); err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
	}
	return nil
}
