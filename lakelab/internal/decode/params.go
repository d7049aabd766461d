package decode

import (
	"fmt"
	"reflect"

	"mini-lakehouse-lab/lakelab/engine/sql"
)

// arguments are the values of a statement's parameters, by name or by position.
type arguments struct {
	named      map[string]sql.Expr
	positional []sql.Expr
}

// readArguments reads what spark.sql(text, args) sends: nothing, a map of columns, or a list of them.
func readArguments(v any) (arguments, error) {
	var a arguments
	var err error
	switch v := v.(type) {
	case nil:
	case map[string]any:
		a.named = make(map[string]sql.Expr, len(v))
		for name := range v {
			if a.named[name], err = (tree{v, "argument"}).column(name); err != nil {
				return a, err
			}
		}
	case []any:
		a.positional, err = tree{map[string]any{"args": v}, "arguments"}.columns("args")
	default:
		err = fmt.Errorf("malformed arguments: %T", v)
	}
	return a, err
}

// bind puts a query's arguments in place of its parameters, since a query inside of a relation has its own. A parameter
// without an argument stays, and the analyzer reports it.
func bind(q *sql.Query, args any) error {
	a, err := readArguments(args)
	if err != nil || a.named == nil && a.positional == nil {
		return err
	}
	a.replace(reflect.ValueOf(q))
	return nil
}

var exprType = reflect.TypeFor[sql.Expr]()

// replace walks every field of the AST: a parameter may stand wherever an expression may.
func (a arguments) replace(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			a.replace(v.Elem())
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if p, ok := v.Interface().(*sql.Param); ok && v.Type() == exprType {
			if x := a.value(p); x != nil {
				v.Set(reflect.ValueOf(x))
			}
			return
		}
		a.replace(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				a.replace(f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			a.replace(v.Index(i))
		}
	}
}

func (a arguments) value(p *sql.Param) sql.Expr {
	if p.Name != "" {
		return a.named[p.Name]
	}
	if p.Index >= 0 && p.Index < len(a.positional) {
		return a.positional[p.Index]
	}
	return nil
}
