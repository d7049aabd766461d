package functions

import (
	"errors"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// UDF is a function in Go that package duck registers in DuckDB, for what DuckDB's SQL cannot say. Call gets the arguments as
// the driver gives them (int32, int64, float64, string, []byte, bool, time.Time); a NULL argument gives NULL unless Nulls is set.
type UDF struct {
	Name   string
	Args   []types.Kind
	Result types.Kind
	Nulls  bool
	Call   func(a []any) (any, error)
}

var udfs []UDF

// UDFs lists them.
func UDFs() []UDF { return udfs }

// define adds a UDF. It runs while the package's tables are made.
func define(name string, args []types.Kind, result types.Kind, f func(a []any) any) {
	udfs = append(udfs, UDF{Name: name, Args: args, Result: result, Call: func(a []any) (any, error) { return f(a), nil }})
}

// kinds reads `string, int` for define.
func kinds(words string) []types.Kind {
	r := parseRule(words + " -> void")
	out := make([]types.Kind, len(r.params))
	for i, p := range r.params {
		out[i] = p.want.Kind
	}
	return out
}

// raise is a run-time error of Spark's from inside a UDF, which does not know its place in the statement.
func raise(class string, params ...string) error {
	s := errclass.RuntimeMark(class, token.Span{})
	for _, p := range params {
		s += "\x1f" + p
	}
	return errors.New(s)
}
