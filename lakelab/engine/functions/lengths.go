package functions

import (
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// CHAR(n) and VARCHAR(n) of tables ("Data Types" page of Spark): queries see STRING, and these calls stand where values are written, read
// and compared.

// Lengths is a type as a column's definition spells it, with Char and bounded String where t, its type in queries, has STRING; nil if it has
// no lengths.
func Lengths(n *sql.TypeName, t types.Type) *types.Type {
	out := withLengths(n, t)
	if !out.HasLengths() {
		return nil
	}
	return &out
}

func withLengths(n *sql.TypeName, t types.Type) types.Type {
	switch t.Kind {
	case types.String:
		switch {
		case len(n.Args) == 0:
		case strings.EqualFold(n.Name, "CHAR"):
			return types.CharOf(n.Args[0])
		case strings.EqualFold(n.Name, "VARCHAR"):
			return types.VarcharOf(n.Args[0])
		}
	case types.Array:
		return types.ArrayOf(withLengths(n.Elems[0], *t.Elem), t.ElemNull)
	case types.Map:
		return types.MapOf(withLengths(n.Elems[0], *t.Key), withLengths(n.Elems[1], *t.Value), t.ElemNull)
	case types.Struct:
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			f.Type = withLengths(n.Fields[i].Type, f.Type)
			fields[i] = f
		}
		return types.StructOf(fields...)
	}
	return t
}

// FitLengths is a value as a column of a type with lengths takes it: VARCHAR(n) without the spaces at the end that are too many, CHAR(n)
// with as many as it needs. A longer text fails with EXCEED_LIMIT_LENGTH.
func FitLengths(x expr.Expr, t types.Type) expr.Expr {
	return lengthsCall("$fit_lengths", x, func(c *expr.Call, a []string) string {
		return eachText(t, a[0], func(t types.Type, v string) string {
			n, bounded := t.Length()
			if !bounded {
				return v
			}
			limit, short := strconv.Itoa(n), v
			if t.Kind == types.Char {
				short = "rpad(" + v + ", " + limit + ", ' ')"
			}
			return "CASE WHEN length(" + v + ") > " + limit + " THEN CASE WHEN length(rtrim(" + v + ", ' ')) <= " + limit + " THEN left(" + v + ", " + limit + ") ELSE " +
				Fail(c, "EXCEED_LIMIT_LENGTH", "'"+limit+"'") + " END ELSE " + short + " END"
		})
	})
}

// PadChars is a value as a query reads it from a column of a type with lengths: files may hold CHAR(n) without its spaces.
func PadChars(x expr.Expr, t types.Type) expr.Expr {
	return lengthsCall(padChars, x, func(c *expr.Call, a []string) string {
		return eachText(t, a[0], func(t types.Type, v string) string {
			if t.Kind != types.Char {
				return v
			}
			n, _ := t.Length()
			return padded(v, strconv.Itoa(n))
		})
	})
}

// TrimChars is a text without the spaces at its end.
func TrimChars(x expr.Expr) expr.Expr {
	return lengthsCall("$trim_chars", x, func(_ *expr.Call, a []string) string { return "rtrim(" + a[0] + ", ' ')" })
}

const padChars = "$pad_chars"

// IsPadChars reports whether an expression is PadChars of another.
func IsPadChars(x expr.Expr) bool {
	c, ok := x.(*expr.Call)
	return ok && c.Func.Name == padChars
}

// PadTo is a text with spaces behind it up to n characters, and up to the length of another text if that is not nil.
func PadTo(x expr.Expr, n int, other expr.Expr) expr.Expr {
	c := lengthsCall("$pad_to", x, func(c *expr.Call, a []string) string {
		to := strconv.Itoa(n)
		if len(a) > 1 {
			to = "greatest(" + to + ", length(" + a[1] + "))"
		}
		return let(a[0], func(v string) string { return padded(v, to) })
	})
	if other != nil {
		c.Args = append(c.Args, other)
	}
	return c
}

func padded(v, n string) string {
	return "CASE WHEN length(" + v + ") < " + n + " THEN rpad(" + v + ", CAST(" + n + " AS INTEGER), ' ') ELSE " + v + " END"
}

// lengthsCall is a call that generated names don't show.
func lengthsCall(name string, x expr.Expr, duck func(c *expr.Call, a []string) string) *expr.Call {
	c := &expr.Call{Name: name, Args: []expr.Expr{x}, Func: &expr.Func{Name: name, Duck: duck, Pretty: func(_ *expr.Call, args []string) string { return args[0] }}}
	c.T, c.Null, c.At = x.Type(), x.Nullable(), x.Span()
	return c
}

// eachText prints a value of a type with lengths in which each text with one is what leaf prints for it.
func eachText(t types.Type, s string, leaf func(t types.Type, v string) string) string {
	return eachPart(t, s, types.Type.Bounded, leaf)
}

// eachPart prints a value in which each part without parts of its own whose type is one of those meant is what leaf prints for it.
func eachPart(t types.Type, s string, meant func(types.Type) bool, leaf func(t types.Type, v string) string) string {
	if !t.Holds(meant) {
		return s
	}
	elements := func(list string, t types.Type) string {
		v, text := bind(func(v string) string { return eachPart(t, v, meant, leaf) })
		return "list_transform(" + list + ", lambda " + v + ": " + text + ")"
	}
	switch t.Kind {
	case types.Array:
		return elements(s, *t.Elem)
	case types.Map:
		return let(s, func(v string) string {
			return "CASE WHEN " + v + " IS NOT NULL THEN MAP(" + elements("map_keys("+v+")", *t.Key) + ", " + elements("map_values("+v+")", *t.Value) + ") END"
		})
	case types.Struct:
		return let(s, func(v string) string {
			parts := make([]string, len(t.Fields))
			for i, f := range t.Fields {
				parts[i] = quote(f.Name) + ": " + eachPart(f.Type, "struct_extract_at("+v+", "+strconv.Itoa(i+1)+")", meant, leaf)
			}
			return "CASE WHEN " + v + " IS NOT NULL THEN {" + strings.Join(parts, ", ") + "} END"
		})
	}
	return let(s, func(v string) string { return leaf(t, v) })
}
