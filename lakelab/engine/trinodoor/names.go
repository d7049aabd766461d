package trinodoor

import (
	"math"

	"mini-lakehouse-lab/lakelab/types"
)

// TypeName is a type as a query result names it: decimal(10, 2).
func TypeName(t types.Type) string { return name(t, true) }

// name spells a type. parametric says that the client knows temporal types with a precision.
func name(t types.Type, parametric bool) string {
	return t.TrinoText(types.TrinoSpelling{Comma: ", ", NoDigits: !parametric, Quote: true})
}

type argument struct {
	Kind  string `json:"kind"`
	Value any    `json:"value"`
}

type signature struct {
	RawType   string     `json:"rawType"`
	Arguments []argument `json:"arguments"`
}

// signatureOf is the type's structured form, without which clients fail.
func signatureOf(t types.Type, parametric bool) signature {
	s := signature{RawType: t.TrinoBase(), Arguments: []argument{}}
	long := func(n int) { s.Arguments = append(s.Arguments, argument{"LONG", n}) }
	nested := func(t types.Type) { s.Arguments = append(s.Arguments, argument{"TYPE", signatureOf(t, parametric)}) }
	switch t.Kind {
	case types.String, types.Char:
		n, bounded := t.Length()
		if !bounded {
			n = math.MaxInt32
		}
		long(n)
	case types.Decimal:
		long(t.Precision)
		long(t.Scale)
	case types.Timestamp, types.TimestampNTZ, types.Time, types.TimeTZ:
		if parametric {
			long(t.Digits())
		}
	case types.Array:
		nested(*t.Elem)
	case types.Map:
		nested(*t.Key)
		nested(*t.Value)
	case types.Struct:
		for _, f := range t.Fields {
			n := map[string]any{"typeSignature": signatureOf(f.Type, parametric)}
			if f.Name != "" {
				n["fieldName"] = map[string]string{"name": f.Name}
			}
			s.Arguments = append(s.Arguments, argument{"NAMED_TYPE", n})
		}
	}
	return s
}

// column is a column of a page.
type column struct {
	Name      string    `json:"name"`
	Type      string    `json:"type"`
	Signature signature `json:"typeSignature"`
}

// columnsOf describes the columns; a statement without any still has the empty list.
func columnsOf(schema types.Type, parametric bool) []column {
	out := make([]column, len(schema.Fields))
	for i, f := range schema.Fields {
		out[i] = column{f.Name, name(f.Type, parametric), signatureOf(f.Type, parametric)}
	}
	return out
}
