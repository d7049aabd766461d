package decode

import (
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// Column decodes a column; package wire lists the kinds.
func Column(m map[string]any) (sql.Expr, error) {
	kind, _ := m["c"].(string)
	t := tree{m, "column " + strconv.Quote(kind)}
	switch kind {
	case "name":
		name, err := t.text("name")
		if err != nil {
			return nil, err
		}
		x, err := columnName(name)
		frame, _ := t.m["of"].(int64)
		switch x := x.(type) {
		case *sql.Ident:
			x.Frame = frame
		case *sql.Star:
			x.Frame = frame
		}
		return x, err
	case "lit":
		return literal(t)
	case "expr":
		text, err := t.text("text")
		if err != nil {
			return nil, err
		}
		return parseExpr(text)
	case "call":
		name, err := t.text("name")
		if err != nil {
			return nil, err
		}
		args, err := t.columns("args")
		c := function(name, args...)
		c.Distinct = t.flag("distinct")
		return c, err
	case "op":
		return operator(t)
	case "case":
		return caseWhen(t)
	case "lambda":
		params, err := t.texts("params")
		if err != nil {
			return nil, err
		}
		body, err := t.column("body")
		return &sql.Lambda{Params: names(params), Body: body}, err
	case "window":
		return window(t)
	}
	x, err := t.column("x")
	if err != nil {
		return nil, err
	}
	switch kind {
	case "cast":
		text, err := t.text("type")
		if err != nil {
			return nil, err
		}
		name, err := parseType(text)
		return &sql.Cast{X: x, Type: name, Try: t.flag("try")}, err
	case "alias":
		if t.m["names"] != nil {
			list, err := t.texts("names")
			return &sql.Aliased{X: x, Names: names(list)}, err
		}
		name, err := t.text("name")
		return &sql.Aliased{X: x, Names: names([]string{name})}, err
	case "update":
		return updateField(t, x)
	case "sort":
		nulls, err := t.text("nulls")
		return &sql.SortKey{Item: sql.SortItem{X: x, Desc: t.flag("desc"), Nulls: nulls}}, err
	case "field":
		name, err := t.text("name")
		return &sql.Field{X: x, Name: sql.Name{Text: name, Quoted: true}}, err
	case "item":
		index, err := t.column("index")
		return &sql.Subscript{X: x, Index: index}, err
	}
	return nil, t.malformed("an unknown kind")
}

// updateField is withField or dropFields; a name is dotted for a field of a field.
func updateField(t tree, x sql.Expr) (sql.Expr, error) {
	u := &sql.UpdateField{X: x}
	list, err := t.texts("drop")
	if err != nil {
		return nil, err
	}
	if t.m["drop"] == nil {
		name, err := t.text("name")
		if err != nil {
			return nil, err
		}
		if u.Value, err = t.column("value"); err != nil {
			return nil, err
		}
		list = []string{name}
	}
	for _, name := range list {
		parts, err := attributeParts(name, name)
		if err != nil {
			return nil, err
		}
		u.Paths = append(u.Paths, names(parts))
	}
	return u, nil
}

// columnName reads the argument of F.col: not SQL's grammar, since "strange name" needs no backticks there.
func columnName(name string) (sql.Expr, error) {
	if name == "*" {
		return &sql.Star{}, nil
	}
	if qualifier, isStar := strings.CutSuffix(name, ".*"); isStar {
		parts, err := attributeParts(qualifier, name)
		return &sql.Star{Qualifier: names(parts)}, err
	}
	parts, err := attributeParts(name, name)
	return &sql.Ident{Parts: names(parts)}, err
}

// attributeParts splits a dotted name; backticks quote a part, and two of them are one inside of it.
func attributeParts(s, whole string) ([]string, error) {
	bad := &errclass.Error{
		Exception: "AnalysisException", Class: "INVALID_ATTRIBUTE_NAME_SYNTAX", SQLState: "42601",
		Message: "Syntax error in the attribute name: " + whole + ". Check that backticks appear in pairs, a quoted string is a complete name part and use a backtick only inside quoted name parts.",
		Params:  map[string]string{"name": whole},
	}
	var parts []string
	var part strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '`':
			if part.Len() > 0 {
				return nil, bad
			}
			closed := false
			for i++; i < len(s) && !closed; i++ {
				switch {
				case s[i] != '`':
					part.WriteByte(s[i])
				case i+1 < len(s) && s[i+1] == '`':
					part.WriteByte('`')
					i++
				default:
					closed = true
				}
			}
			if i--; !closed || i+1 < len(s) && s[i+1] != '.' {
				return nil, bad
			}
		case c == '.':
			if i == 0 || s[i-1] == '.' || i == len(s)-1 {
				return nil, bad
			}
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteByte(c)
		}
	}
	return append(parts, part.String()), nil
}

// infix maps an operator to the AST's spelling.
var infix = map[string]string{
	"+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "=": "=", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "<=>": "<=>",
	"and": "AND", "or": "OR", "||": "||", "&": "&", "|": "|", "^": "^",
}

func operator(t tree) (sql.Expr, error) {
	op, err := t.text("op")
	if err != nil {
		return nil, err
	}
	args, err := t.columns("args")
	if err != nil {
		return nil, err
	}
	need := func(n int) error {
		if len(args) != n {
			return t.malformed("%s takes %d operands, not %d", op, n, len(args))
		}
		return nil
	}
	if symbol, ok := infix[op]; ok {
		if err := need(2); err != nil {
			return nil, err
		}
		return &sql.Binary{Op: symbol, L: args[0], R: args[1]}, nil
	}
	switch op {
	case "~":
		if err := need(1); err != nil {
			return nil, err
		}
		return &sql.Unary{Op: "~", X: args[0]}, nil
	case "not":
		if err := need(1); err != nil {
			return nil, err
		}
		return &sql.Unary{Op: "NOT", X: args[0]}, nil
	case "negative":
		// The Column API names it negative(x), SQL's minus names it (- x).
		if err := need(1); err != nil {
			return nil, err
		}
		return function("negative", args[0]), nil
	case "isnull", "isnotnull":
		if err := need(1); err != nil {
			return nil, err
		}
		return &sql.Is{X: args[0], What: "NULL", Not: op == "isnotnull"}, nil
	case "like", "rlike", "ilike":
		if err := need(2); err != nil {
			return nil, err
		}
		return &sql.Like{Op: strings.ToUpper(op), X: args[0], Pattern: args[1]}, nil
	case "between":
		// Column.between is two comparisons, and its generated name shows them.
		if err := need(3); err != nil {
			return nil, err
		}
		return &sql.Binary{
			Op: "AND",
			L:  &sql.Binary{Op: ">=", L: args[0], R: args[1]},
			R:  &sql.Binary{Op: "<=", L: args[0], R: args[2]},
		}, nil
	case "in":
		if len(args) == 0 {
			return nil, t.malformed("in without operands")
		}
		return &sql.In{X: args[0], List: args[1:]}, nil
	}
	return nil, t.malformed("an unknown operator %q", op)
}

func caseWhen(t tree) (sql.Expr, error) {
	whens, err := t.list("whens")
	if err != nil {
		return nil, err
	}
	c := &sql.Case{}
	for i, w := range whens {
		pair := tree{map[string]any{"pair": w}, t.kind}
		exprs, err := pair.columns("pair")
		if err != nil {
			return nil, err
		}
		if len(exprs) != 2 {
			return nil, t.malformed("whens[%d] has %d parts", i, len(exprs))
		}
		c.Whens = append(c.Whens, sql.When{Cond: exprs[0], Then: exprs[1]})
	}
	if t.m["else"] != nil {
		c.Else, err = t.column("else")
	}
	return c, err
}

// sortItems reads keys; a column without an order goes upwards.
func sortItems(keys []sql.Expr) []sql.SortItem {
	items := make([]sql.SortItem, len(keys))
	for i, k := range keys {
		items[i] = sql.SortItem{X: k}
		if s, ordered := k.(*sql.SortKey); ordered {
			items[i] = s.Item
		}
	}
	return items
}

func window(t tree) (sql.Expr, error) {
	x, err := t.column("x")
	if err != nil {
		return nil, err
	}
	w := &sql.WindowSpec{}
	if w.PartitionBy, err = t.columns("partition"); err != nil {
		return nil, err
	}
	order, err := t.columns("order")
	if err != nil {
		return nil, err
	}
	if len(order) > 0 {
		w.OrderBy = sortItems(order)
	}
	if frame, ok := t.m["frame"].(map[string]any); ok {
		f := tree{frame, "window frame"}
		w.Frame = &sql.Frame{}
		if w.Frame.Unit, err = f.text("unit"); err != nil {
			return nil, err
		}
		if w.Frame.Start, err = bound(f, "start"); err != nil {
			return nil, err
		}
		if w.Frame.End, err = bound(f, "end"); err != nil {
			return nil, err
		}
	}
	call, ok := x.(*sql.Call)
	if !ok {
		shown := "expression"
		if id, plain := x.(*sql.Ident); plain {
			shown = id.Parts[len(id.Parts)-1].Text
		}
		return nil, &errclass.Error{
			Exception: "AnalysisException", Class: "UNSUPPORTED_EXPR_FOR_WINDOW", SQLState: "42P20",
			Message: `Expression "` + shown + `" not supported within a window function.`, Params: map[string]string{"sqlExpr": `"` + shown + `"`},
		}
	}
	over := *call
	over.Over = w
	return &over, nil
}

func bound(f tree, key string) (sql.Bound, error) {
	m, ok := f.m[key].(map[string]any)
	if !ok {
		return sql.Bound{}, f.malformed("%s is %T", key, f.m[key])
	}
	b := tree{m, f.kind}
	kind, err := b.text("kind")
	if err != nil {
		return sql.Bound{}, err
	}
	out := sql.Bound{Kind: kind}
	switch kind {
	case "UNBOUNDED PRECEDING", "CURRENT ROW", "UNBOUNDED FOLLOWING":
	case "PRECEDING", "FOLLOWING":
		n, err := b.integer("n")
		if err != nil {
			return out, err
		}
		out.N = &sql.Literal{Kind: sql.NumberLit, Text: strconv.FormatInt(n, 10)}
	default:
		return out, f.malformed("%s is %q", key, kind)
	}
	return out, nil
}
