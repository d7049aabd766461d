package types

import "strconv"

// bounded is char(n) or varchar(n); empty for a text of any length.
func (t Type) bounded() string {
	n, _ := t.Length()
	switch {
	case t.Kind == Char:
		return "char(" + strconv.Itoa(n) + ")"
	case t.Bounded():
		return "varchar(" + strconv.Itoa(n) + ")"
	}
	return ""
}

// Declared is the field's type as its table declares it and DESCRIBE shows it: char(n) or varchar(n) where queries see a string.
func (f Field) Declared() string {
	if f.Lengths != nil {
		return f.Lengths.simple(true)
	}
	return f.Type.SimpleString()
}

// DeclaredSQL is Declared as DDL spells it.
func (f Field) DeclaredSQL() string {
	if f.Lengths != nil {
		return f.Lengths.sql(true)
	}
	return f.Type.SQL()
}

// HasChar reports whether a type is CHAR(n) or holds one.
func (t Type) HasChar() bool { return t.Holds(func(t Type) bool { return t.Kind == Char }) }

// HasLengths reports whether a type is CHAR(n) or VARCHAR(n) or holds one.
func (t Type) HasLengths() bool { return t.Holds(Type.Bounded) }

// Bounded reports whether a type is CHAR(n) or VARCHAR(n).
func (t Type) Bounded() bool {
	_, ok := t.Length()
	return ok && (t.Kind == Char || t.Kind == String)
}

// Map is the type with what f makes of each of its parts that have none of their own.
func (t Type) Map(f func(Type) Type) Type {
	switch t.Kind {
	case Array:
		return ArrayOf(t.Elem.Map(f), t.ElemNull)
	case Map:
		return MapOf(t.Key.Map(f), t.Value.Map(f), t.ElemNull)
	case Struct:
		fields := append([]Field{}, t.Fields...)
		for i := range fields {
			fields[i].Type = fields[i].Type.Map(f)
		}
		return StructOf(fields...)
	}
	return f(t)
}

// Holds reports whether something is true of a type without parts, or of one of the parts of another.
func (t Type) Holds(what func(Type) bool) bool {
	switch t.Kind {
	case Array:
		return t.Elem.Holds(what)
	case Map:
		return t.Key.Holds(what) || t.Value.Holds(what)
	case Struct:
		for _, f := range t.Fields {
			if f.Type.Holds(what) {
				return true
			}
		}
		return false
	}
	return what(t)
}
