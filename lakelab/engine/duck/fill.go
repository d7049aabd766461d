package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/types"
)

// Fill makes a table with one column, value, of a type: what f gives for the rows of a query, batch by batch, in their order.
func (db *DB) Fill(ctx context.Context, table string, t types.Type, query string, args []types.Type, f func(rows [][]any) ([]any, error)) error {
	if err := db.Exec(ctx, "CREATE TABLE "+table+" (value "+functions.DuckType(t)+")"); err != nil {
		return err
	}
	in, err := db.conn(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	rows, err := in.QueryContext(ctx, query)
	if err != nil {
		return failure(ctx, err)
	}
	r := &Result{ctx: ctx, types: args, conn: in, rows: rows}
	defer rows.Close()
	out, err := db.conn(ctx)
	if err != nil {
		return err
	}
	defer out.Close()
	return out.Raw(func(c any) (err error) {
		a, err := duckdb.NewAppenderFromConn(c.(driver.Conn), "", table)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, a.Close()) }()
		for {
			batch, err := r.Next()
			if err != nil || batch == nil {
				return err
			}
			values, err := f(batch)
			if err != nil {
				return err
			}
			for _, v := range values {
				d, err := driverValue(t, v)
				if err != nil {
					return err
				}
				if err := a.AppendRow(d); err != nil {
					return err
				}
			}
		}
	})
}

// driverValue turns one of our values into the driver's.
func driverValue(t types.Type, v any) (driver.Value, error) {
	if v == nil {
		return nil, nil
	}
	switch t.Kind {
	case types.Byte:
		return int8(v.(int64)), nil
	case types.Short:
		return int16(v.(int64)), nil
	case types.Int:
		return int32(v.(int64)), nil
	case types.Decimal:
		digits := strings.Replace(string(v.(types.Dec)), ".", "", 1)
		n, ok := new(big.Int).SetString(digits, 10)
		if !ok {
			return nil, fmt.Errorf("%q is no decimal", v)
		}
		return duckdb.Decimal{Width: uint8(t.Precision), Scale: uint8(t.Scale), Value: n}, nil
	case types.Date:
		return time.Unix(int64(v.(types.Days))*86400, 0).UTC(), nil
	case types.Timestamp, types.TimestampNTZ:
		return time.UnixMicro(int64(v.(types.Micros))).UTC(), nil
	case types.Array:
		list := v.([]any)
		out := make([]any, len(list))
		for i, x := range list {
			d, err := driverValue(*t.Elem, x)
			if err != nil {
				return nil, err
			}
			out[i] = d
		}
		return out, nil
	}
	return v, nil
}
