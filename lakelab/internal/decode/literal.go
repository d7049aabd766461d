package decode

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// literal gives a value the node that the parser would make of its SQL text.
func literal(t tree) (sql.Expr, error) {
	typ, _ := t.m["type"].(types.Type)
	switch v := t.m["value"].(type) {
	case nil:
		return &sql.Literal{Kind: sql.NullLit}, nil
	case bool:
		return &sql.Literal{Kind: sql.BoolLit, Text: strconv.FormatBool(v)}, nil
	case string:
		return &sql.Literal{Kind: sql.StringLit, Text: v}, nil
	case []byte:
		return &sql.Literal{Kind: sql.BinaryLit, Text: strings.ToUpper(hex.EncodeToString(v))}, nil
	case int64:
		switch typ.Kind {
		case types.Byte, types.Short, types.Int, types.Long:
			return number(strconv.FormatInt(v, 10), map[types.Kind]string{types.Byte: "Y", types.Short: "S", types.Long: "L"}[typ.Kind]), nil
		case types.DayTimeInterval:
			return &sql.Interval{Parts: []sql.IntervalPart{{Value: text(dayTime(v)), Unit: "DAY"}}, To: "SECOND"}, nil
		}
		return nil, t.malformed("an integer of type %s", typ.SimpleString())
	case float32:
		return float(float64(v), 32, "F"), nil
	case float64:
		return double(v), nil
	case types.Dec:
		return number(string(v), "BD"), nil
	case types.Days:
		return &sql.Literal{Kind: sql.TypedLit, TypeName: "DATE", Text: time.Unix(int64(v)*86400, 0).UTC().Format("2006-01-02")}, nil
	case types.Micros:
		return &sql.Literal{Kind: sql.TypedLit, TypeName: "TIMESTAMP_LTZ", Text: time.UnixMicro(int64(v)).UTC().Format("2006-01-02 15:04:05.999999") + "Z"}, nil
	}
	return nil, t.malformed("value is %T", t.m["value"])
}

// number is a literal; its sign is part of it, as in Spark's grammar.
func number(digits, suffix string) *sql.Literal {
	return &sql.Literal{Kind: sql.NumberLit, Text: digits, Suffix: suffix}
}

func long(n int64) *sql.Literal { return number(strconv.FormatInt(n, 10), "L") }

func double(f float64) sql.Expr { return float(f, 64, "D") }

func float(f float64, bits int, suffix string) sql.Expr {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		// SQL has no literal for these, only a cast from a string.
		name := map[int]string{32: "FLOAT", 64: "DOUBLE"}[bits]
		s := "NaN"
		if !math.IsNaN(f) {
			s = map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]
		}
		return &sql.Cast{X: text(s), Type: &sql.TypeName{Name: name}}
	}
	return number(strconv.FormatFloat(f, 'g', -1, bits), suffix)
}

func text(s string) *sql.Literal { return &sql.Literal{Kind: sql.StringLit, Text: s} }

// dayTime writes microseconds as in INTERVAL '1 02:03:04.5' DAY TO SECOND.
func dayTime(micros int64) string {
	sign, u := "", uint64(micros)
	if micros < 0 {
		sign, u = "-", -u
	}
	s := u / 1_000_000
	out := fmt.Sprintf("%s%d %02d:%02d:%02d", sign, s/86400, s/3600%24, s/60%60, s%60)
	if f := u % 1_000_000; f != 0 {
		out += "." + strings.TrimRight(fmt.Sprintf("%06d", f), "0")
	}
	return out
}
