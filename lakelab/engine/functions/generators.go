package functions

import (
	"reflect"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Generators make rows out of one row. A generator's type is the struct of its columns under their default names; its Duck
// prints a list with a struct {c1, c2, …} for each row. The _outer forms keep a row for which there is nothing to make.

func init() {
	for _, g := range []*expr.Func{
		{Name: "explode", Signature: "explode(expr)", Doc: "a row for each element of an array, or entry of a map", Resolve: explodeRule, Duck: printExplode(false)},
		{Name: "posexplode", Signature: "posexplode(expr)", Doc: "explode with the position in front", Resolve: posexplodeRule, Duck: printExplode(true)},
		{Name: "inline", Signature: "inline(expr)", Doc: "a row for each struct of an array", Resolve: inlineRule, Duck: printInline},
	} {
		g.Kind = expr.Generator
		outer := *g
		outer.Name, outer.Signature = g.Name+"_outer", strings.Replace(g.Signature, "(", "_outer(", 1)
		outer.Doc = g.Doc + "; one of NULLs if there is none"
		outer.InErrors = g.Name
		spark(g, &outer)
	}
	spark(&expr.Func{Name: "json_tuple", Kind: expr.Generator, Signature: "json_tuple(json, field, …)", Doc: "fields of a JSON object as columns", Resolve: jsonTupleRule, Duck: func(_ *expr.Call, a []string) string {
		items := make([]string, len(a)-1)
		for i, field := range a[1:] {
			items[i] = "c" + itoa(i+1) + ": spark_json_path(" + a[0] + ", '$[''' || " + field + " || ''']')"
		}
		return "[{" + strings.Join(items, ", ") + "}]"
	}})
	spark(&expr.Func{Name: "stack", Kind: expr.Generator, Signature: "stack(n, expr, …)", Doc: "the expressions laid out in n rows", Resolve: stackRule, Duck: printStack})
}

// explodeRule gives col, or key and value.
func explodeRule(c *expr.Call) error {
	if len(c.Args) == 0 {
		return errclass.RequiredParameter(c.Func.Name, "collection", 0)
	}
	if err := one(c); err != nil {
		return err
	}
	switch t := c.Args[0].Type(); t.Kind {
	case types.Array:
		c.T = types.StructOf(types.Field{Name: "col", Type: *t.Elem, Nullable: t.ElemNull})
	case types.Map:
		c.T = types.StructOf(types.Field{Name: "key", Type: *t.Key}, types.Field{Name: "value", Type: *t.Value, Nullable: t.ElemNull})
	default:
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `("ARRAY" or "MAP")`)
	}
	return nil
}

func posexplodeRule(c *expr.Call) error {
	if err := explodeRule(c); err != nil {
		return err
	}
	c.T = types.StructOf(append([]types.Field{{Name: "pos", Type: types.Of(types.Int)}}, c.T.Fields...)...)
	return nil
}

func printExplode(position bool) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		list, items := a[0], []string{"_x"}
		if c.Args[0].Type().Kind == types.Map {
			list, items = "map_entries("+a[0]+")", []string{"_x.key", "_x.value"}
		}
		if position {
			return rowsOf(list, append([]string{"CAST(_i - 1 AS INTEGER)"}, items...))
		}
		return rowsOf(list, items)
	}
}

// rowsOf prints a struct for each element _x, with its number _i, of a list.
func rowsOf(list string, items []string) string {
	fields := make([]string, len(items))
	for i, x := range items {
		fields[i] = "c" + itoa(i+1) + ": " + x
	}
	return "list_transform(" + list + ", lambda _x, _i: {" + strings.Join(fields, ", ") + "})"
}

func inlineRule(c *expr.Call) error {
	if len(c.Args) == 0 {
		return errclass.RequiredParameter(c.Func.Name, "input", 0)
	}
	if err := one(c); err != nil {
		return err
	}
	t := c.Args[0].Type()
	if t.Kind != types.Array || t.Elem.Kind != types.Struct {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `"ARRAY<STRUCT>"`)
	}
	fields := make([]types.Field, len(t.Elem.Fields))
	for i, f := range t.Elem.Fields {
		if t.ElemNull {
			f.Type, f.Nullable = allNullable(f.Type), true
		}
		fields[i] = f
	}
	c.T = types.StructOf(fields...)
	return nil
}

func printInline(c *expr.Call, a []string) string {
	items := make([]string, len(c.T.Fields))
	for i, f := range c.T.Fields {
		items[i] = "struct_extract(_x, '" + strings.ReplaceAll(f.Name, "'", "''") + "')"
	}
	return rowsOf(a[0], items)
}

// stackRule gives col0, col1 …; each column's expressions must have a type in common.
func stackRule(c *expr.Call) error {
	if len(c.Args) < 2 {
		return errclass.WrongNumArgs("stack", "> 1", len(c.Args))
	}
	l, ok := c.Args[0].(*expr.Lit)
	n, isInt := int64(0), false
	if ok {
		n, isInt = l.Value.(int64)
	}
	if isInt && n < 1 {
		return errclass.ValueOutOfRange("`n`", "(0, 2147483647]", itoa(int(n)))
	}
	if !isInt {
		return errclass.UnexpectedInputType("stack", 1, c.Args[0].Type(), types.Of(types.Int))
	}
	values := c.Args[1:]
	width := (len(values) + int(n) - 1) / int(n)
	var fields []types.Field
	for j := range width {
		t := types.Type{}
		for i := j; i < len(values) && t.Kind == types.Null; i += width {
			t = values[i].Type()
		}
		for i := j; i < len(values); i += width {
			if l, ok := values[i].(*expr.Lit); ok && l.Value == nil && l.T.Kind == types.Null {
				values[i], _ = Coerce(l, t) // only NULL as it is written takes the column's type
			}
			if v := values[i].Type(); !reflect.DeepEqual(v, values[j].Type()) { // NULLs in collections count, too
				return errclass.StackTypes(j, j+1, i+1, values[j].Type(), v)
			}
		}
		fields = append(fields, types.Field{Name: "col" + itoa(j), Type: t, Nullable: true})
	}
	c.T = types.StructOf(fields...)
	return nil
}

func printStack(c *expr.Call, a []string) string {
	a = a[1:]
	width := len(c.T.Fields)
	var rows []string
	n, _ := c.Args[0].(*expr.Lit).Value.(int64)
	for i := 0; i < int(n)*width; i += width {
		fields := make([]string, width)
		for j := range fields {
			x := "NULL"
			if i+j < len(a) {
				x = a[i+j]
			}
			fields[j] = "c" + itoa(j+1) + ": CAST(" + x + " AS " + DuckType(c.T.Fields[j].Type) + ")"
		}
		rows = append(rows, "{"+strings.Join(fields, ", ")+"}")
	}
	return "[" + strings.Join(rows, ", ") + "]"
}
func jsonTupleRule(c *expr.Call) error {
	if len(c.Args) < 2 {
		return errclass.WrongNumArgs("json_tuple", "> 1", len(c.Args))
	}
	var fields []types.Field
	for i, a := range c.Args {
		if a.Type().Kind != types.String {
			return errclass.NonStringType("json_tuple")
		}
		if i > 0 {
			fields = append(fields, types.Field{Name: "c" + itoa(i-1), Type: types.Of(types.String), Nullable: true})
		}
	}
	c.T = types.StructOf(fields...)
	return nil
}
