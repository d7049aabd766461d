package duck

import (
	"fmt"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// TypeOf reads a DuckDB type name as Spark would type the file's column: INTEGER, DECIMAL(10,2), STRUCT(a INTEGER, "b c" VARCHAR)[], MAP(…).
func TypeOf(s string) (types.Type, error) {
	p := typeName{rest: s}
	t, ok := p.read()
	if !ok || p.rest != "" {
		return types.Type{}, fmt.Errorf("the type %s is not supported in a file", s)
	}
	return t, nil
}

// flat are the types without parts.
var flat = map[string]types.Kind{
	"BOOLEAN": types.Boolean, "TINYINT": types.Byte, "SMALLINT": types.Short, "INTEGER": types.Int, "BIGINT": types.Long,
	"UTINYINT": types.Short, "USMALLINT": types.Int, "UINTEGER": types.Long, "FLOAT": types.Float, "DOUBLE": types.Double, "VARCHAR": types.String,
	"BLOB": types.Binary, "DATE": types.Date, "TIMESTAMP": types.TimestampNTZ, "TIMESTAMP_NS": types.TimestampNTZ, "TIMESTAMP WITH TIME ZONE": types.Timestamp,
	"TIME": types.Time, "UUID": types.String,
}

// typeName is what is left to be read of a type's name.
type typeName struct{ rest string }

func (p *typeName) accept(s string) bool {
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *typeName) read() (t types.Type, ok bool) {
	switch {
	case p.accept("STRUCT("):
		t, ok = p.fields()
	case p.accept("MAP("):
		var k, v types.Type
		if k, ok = p.read(); ok {
			if ok = p.accept(", "); ok {
				v, ok = p.read()
			}
		}
		t, ok = types.MapOf(k, v, true), ok && p.accept(")")
	case p.accept("DECIMAL("):
		digits, rest, found := strings.Cut(p.rest, ")")
		precision, scale, _ := strings.Cut(digits, ",")
		n, err1 := strconv.Atoi(precision)
		m, err2 := strconv.Atoi(scale)
		p.rest = rest
		t, ok = types.DecimalOf(n, m), found && err1 == nil && err2 == nil
	default:
		end := strings.IndexAny(p.rest, "[,)")
		if end < 0 {
			end = len(p.rest)
		}
		var kind types.Kind
		kind, ok = flat[p.rest[:end]]
		t, p.rest = types.Of(kind), p.rest[end:]
	}
	for ok && p.accept("[]") {
		t = types.ArrayOf(t, true)
	}
	return t, ok
}

// fields reads the fields of a struct, up to the bracket behind them.
func (p *typeName) fields() (types.Type, bool) {
	var out []types.Field
	for {
		name, ok := p.name()
		if !ok {
			return types.Type{}, false
		}
		t, ok := p.read()
		if !ok {
			return t, false
		}
		out = append(out, types.Field{Name: name, Type: t, Nullable: true})
		if p.accept(")") {
			return types.StructOf(out...), true
		}
		if !p.accept(", ") {
			return types.Type{}, false
		}
	}
}

// name reads a field's name and the space behind it; one that is no plain name is quoted.
func (p *typeName) name() (string, bool) {
	if !p.accept(`"`) {
		name, rest, ok := strings.Cut(p.rest, " ")
		p.rest = rest
		return name, ok
	}
	var b strings.Builder
	for {
		part, rest, ok := strings.Cut(p.rest, `"`)
		if !ok {
			return "", false
		}
		b.WriteString(part)
		p.rest = rest
		if !p.accept(`"`) {
			return b.String(), p.accept(" ")
		}
		b.WriteByte('"')
	}
}
