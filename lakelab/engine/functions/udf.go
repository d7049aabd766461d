package functions

import (
	"errors"
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// UDF is a function in Go that package duck registers in DuckDB, for what DuckDB's SQL cannot say. Call gets the arguments as
// the driver gives them (int32, int64, float64, string, []byte, bool, time.Time, []any for an array); a NULL argument gives NULL
// unless Nulls is set.
type UDF struct {
	Name   string
	Args   []types.Type
	Result types.Type
	Nulls  bool
	Call   func(a []any) (any, error)
}

var udfs []UDF

// UDFs lists them.
func UDFs() []UDF { return udfs }

// define adds a UDF that cannot fail; its types are words as in row. It runs while the package's tables are made.
func define(name, kinds string, f func(a []any) any) {
	failing(name, kinds, func(a []any) (any, error) { return f(a), nil })
}

// failing adds a UDF that may raise an error.
func failing(name, kinds string, f func(a []any) (any, error)) {
	r := parseRule(kinds)
	u := UDF{Name: name, Result: r.result(nil), Call: f}
	for _, p := range r.params {
		u.Args = append(u.Args, p.want)
	}
	udfs = append(udfs, u)
}

// withNulls adds a UDF that is called with NULLs, too.
func withNulls(name, kinds string, f func(a []any) (any, error)) {
	failing(name, kinds, f)
	udfs[len(udfs)-1].Nulls = true
}

// Defect is the error of a function that broke off: INTERNAL_ERROR, in Trino GENERIC_INTERNAL_ERROR.
func (f UDF) Defect(cause any) error {
	message := fmt.Sprintf("function %s: %v", f.Name, cause)
	if strings.HasPrefix(f.Name, "trino_") {
		return raise("TRINO", "GENERIC_INTERNAL_ERROR", message)
	}
	return raise("INTERNAL_ERROR", message)
}

// raise is a run-time error of Spark's from inside a UDF, which does not know its place in the statement.
func raise(class string, params ...string) error {
	s := errclass.RuntimeMark(class, token.Span{})
	for _, p := range params {
		s += "\x1f" + p
	}
	return errors.New(s)
}
