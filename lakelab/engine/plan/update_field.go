package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// updateField is Column.withField and Column.dropFields: the struct anew with a field added, replaced or left out. A path goes
// down into nested structs.
func (a *Analyzer) updateField(ctx context.Context, u *sql.UpdateField, s *scope) (expr.Expr, error) {
	x, err := a.expr(ctx, u.X, s)
	if err != nil {
		return nil, err
	}
	x = stripAlias(x)
	var value expr.Expr
	if u.Value != nil {
		if value, err = a.expr(ctx, u.Value, s); err != nil {
			return nil, err
		}
		value = stripAlias(value)
	}
	paths := make([][]string, len(u.Paths))
	for i, p := range u.Paths {
		paths[i] = a.texts(p)
	}
	return a.updated(x, paths, value, u)
}

// updated applies one change for each path.
func (a *Analyzer) updated(x expr.Expr, paths [][]string, value expr.Expr, at sql.Node) (expr.Expr, error) {
	t := x.Type()
	changes := make([]string, len(paths))
	for i := range paths {
		if changes[i] = "dropfield()"; value != nil {
			changes[i] = "WithField(" + NameOf(a.Dialect, value) + ")"
		}
	}
	if t.Kind != types.Struct {
		return nil, a.explain(errclass.UnexpectedInputTypes("update_fields", 1, t, `"STRUCT"`).At(at.Span()), a.updateCall(x, x, changes, at))
	}
	var args []expr.Expr
	put := func(name string, v expr.Expr) {
		l := &expr.Lit{Value: name}
		l.T = types.Of(types.String)
		args = append(args, l, v)
	}
	found := make([]bool, len(paths))
	for i, f := range t.Fields {
		e := &expr.Field{X: x, Index: i, Name: f.Name}
		e.T, e.Null, e.At = f.Type, f.Nullable || x.Nullable(), at.Span()
		name, v, gone := f.Name, expr.Expr(e), false
		for j, p := range paths {
			if !strings.EqualFold(f.Name, p[0]) {
				continue
			}
			found[j] = true
			switch {
			case len(p) > 1:
				inner, err := a.updated(v, [][]string{p[1:]}, value, at)
				if err != nil {
					return nil, err
				}
				changes[j] = "WithField(" + NameOf(a.Dialect, inner) + ")"
				name, v = p[0], inner
			case value != nil:
				name, v = p[0], value
			default:
				gone = true
			}
		}
		if !gone {
			put(name, v)
		}
	}
	for j, p := range paths {
		switch {
		case !found[j] && len(p) > 1:
			return nil, errclass.StructFieldNotFound(p[0], t).At(at.Span())
		case !found[j] && value != nil:
			put(p[0], value)
		}
	}
	if len(args) == 0 {
		return nil, a.explain(errclass.CannotDropAllFields().At(at.Span()), a.updateCall(x, x, changes, at))
	}
	out, err := functions.Resolve(a.Dialect, "named_struct", args, at.Span())
	if err != nil {
		return nil, err
	}
	if x.Nullable() {
		there, err := functions.Resolve(a.Dialect, "isnotnull", []expr.Expr{x}, at.Span())
		if err != nil {
			return nil, err
		}
		c := &expr.Case{Whens: []expr.When{{Cond: there, Then: out}}}
		c.T, c.Null, c.At = out.Type(), true, at.Span()
		out = c
	}
	return a.updateCall(x, out, changes, at), nil
}

// updateCall stands for the whole change, under the name that Spark generates for it.
func (a *Analyzer) updateCall(x, out expr.Expr, changes []string, at sql.Node) *expr.Call {
	name := "update_fields(" + strings.Join(append([]string{NameOf(a.Dialect, x)}, changes...), ", ") + ")"
	c := &expr.Call{Name: "update_fields", Args: []expr.Expr{out}, Func: &expr.Func{
		Name: "update_fields", Dialect: a.Dialect,
		Duck:   func(_ *expr.Call, args []string) string { return args[0] },
		Pretty: func(*expr.Call, []string) string { return name },
	}}
	c.T, c.Null, c.At = out.Type(), out.Nullable(), at.Span()
	return c
}
