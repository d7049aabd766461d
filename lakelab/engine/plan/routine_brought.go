package plan

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Functions that a query brings along ("WITH FUNCTION"). A call is replaced by the value of the function's body: SET gives a variable
// another value for what follows, and what follows an IF is computed for each branch, so that the whole is one CASE.

// bringAlong makes a query's own functions known; they may call each other.
func (a *Analyzer) bringAlong(list []sql.Routine) error {
	for _, f := range list {
		r := &Routine{Name: strings.ToLower(f.Name.Text), Strict: f.Strict, Steps: f.Body}
		for _, p := range f.Params {
			t, err := functions.TypeOf(a.Dialect, p.Type)
			if err != nil {
				return err
			}
			r.Params = append(r.Params, RoutineParam{Name: p.Name.Text, Type: t})
		}
		t, err := functions.TypeOf(a.Dialect, f.Returns)
		if err != nil {
			return err
		}
		r.Returns = &t
		if a.brought == nil {
			a.brought = map[string]*Routine{}
		}
		a.brought[r.Name] = r
	}
	return nil
}

// broughtCall replaces a call of such a function.
func (a *Analyzer) broughtCall(ctx context.Context, x *sql.Call, r *Routine, s *scope) (expr.Expr, error) {
	leave, err := a.entering(r, x)
	if err != nil {
		return nil, err
	}
	defer leave()
	in := &routineScope{name: r.Name}
	given, want := make([]string, len(x.Args)), make([]string, len(r.Params))
	for i, p := range r.Params {
		want[i] = p.Type.Trino()
	}
	fits := len(x.Args) == len(r.Params)
	var null expr.Expr
	for i, arg := range x.Args {
		e, err := a.expr(ctx, arg.X, s)
		if err != nil {
			return nil, err
		}
		e = stripAlias(e)
		given[i] = e.Type().Trino()
		if i < len(r.Params) {
			y, ok := functions.CoerceIn(a.Dialect, e, r.Params[i].Type)
			fits, e = fits && ok, y
			in.items = append(in.items, Item{Column: &expr.Column{Name: r.Params[i].Name}, X: e})
		}
		missing, err := functions.Resolve(a.Dialect, "isnull", []expr.Expr{e}, x.Span())
		if err != nil {
			return nil, err
		}
		if null == nil {
			null = missing
		} else if null, err = functions.Resolve(a.Dialect, "or", []expr.Expr{null, missing}, x.Span()); err != nil {
			return nil, err
		}
	}
	if !fits {
		return nil, errclass.TrinoParameters(r.Name, given, []string{r.Name + "(" + strings.Join(want, ", ") + ")"}).At(x.Span())
	}
	e, err := a.steps(ctx, r, in, r.Steps)
	if err != nil {
		return nil, err
	}
	if r.Strict && null != nil {
		c := &expr.Case{Whens: []expr.When{{Cond: null, Then: lit(nil, *r.Returns)}}, Else: e}
		c.T, c.Null, c.At = *r.Returns, true, x.Span()
		e = c
	}
	return e, nil
}

// steps is the value that a list of statements returns; NULL if it ends without.
func (a *Analyzer) steps(ctx context.Context, r *Routine, in *routineScope, list []sql.RoutineStep) (expr.Expr, error) {
	if len(list) == 0 {
		return lit(nil, *r.Returns), nil
	}
	st, rest := list[0], list[1:]
	switch st.Kind {
	case "RETURN":
		if _, ok := st.Value.(*sql.Subquery); ok {
			return nil, errclass.TrinoUnsupported("Queries are not allowed in functions").At(st.Value.Span())
		}
		e, err := a.expr(ctx, st.Value, &scope{routine: in})
		if err != nil {
			return nil, err
		}
		y, ok := functions.CoerceIn(a.Dialect, stripAlias(e), *r.Returns)
		if !ok {
			return nil, errclass.TrinoReturns(*r.Returns, e.Type()).At(st.Value.Span())
		}
		return y, nil
	case "DECLARE":
		t, err := functions.TypeOf(a.Dialect, st.Type)
		if err != nil {
			return nil, err
		}
		out := &routineScope{name: in.name, items: slices.Clone(in.items)}
		for _, n := range st.Names {
			x := expr.Expr(lit(nil, t))
			if st.Value != nil {
				if x, err = a.variableValue(ctx, in, st.Value, t); err != nil {
					return nil, err
				}
			}
			out.items = append([]Item{{Column: &expr.Column{Name: n.Text, T: t}, X: x}}, out.items...)
		}
		return a.steps(ctx, r, out, rest)
	case "SET":
		out := &routineScope{name: in.name, items: slices.Clone(in.items)}
		i := slices.IndexFunc(out.items, func(it Item) bool { return strings.EqualFold(it.Column.Name, st.Names[0].Text) })
		if i < 0 {
			return nil, errclass.TrinoColumnNotFound(st.Names[0].Text).At(st.Names[0].Span())
		}
		x, err := a.variableValue(ctx, in, st.Value, out.items[i].X.Type())
		if err != nil {
			return nil, err
		}
		out.items[i].X = x
		return a.steps(ctx, r, out, rest)
	}
	c := &expr.Case{}
	c.T, c.Null, c.At = *r.Returns, true, st.Span()
	for _, w := range st.Whens {
		then, err := a.steps(ctx, r, in, append(slices.Clone(w.Steps), rest...))
		if err != nil {
			return nil, err
		}
		if w.Cond == nil {
			c.Else = then
			break
		}
		cond, err := a.variableValue(ctx, in, w.Cond, types.Of(types.Boolean))
		if err != nil {
			return nil, err
		}
		c.Whens = append(c.Whens, expr.When{Cond: cond, Then: then})
	}
	if c.Else == nil {
		other, err := a.steps(ctx, r, in, rest)
		if err != nil {
			return nil, err
		}
		c.Else = other
	}
	if len(c.Whens) == 0 {
		return c.Else, nil
	}
	return c, nil
}

// variableValue is a value for a variable of a type, or a condition.
func (a *Analyzer) variableValue(ctx context.Context, in *routineScope, x sql.Expr, t types.Type) (expr.Expr, error) {
	e, err := a.expr(ctx, x, &scope{routine: in})
	if err != nil {
		return nil, err
	}
	y, ok := functions.CoerceIn(a.Dialect, stripAlias(e), t)
	if !ok {
		return nil, errclass.CannotCast(int(a.Dialect), e.Type(), t, false).At(x.Span())
	}
	return y, nil
}
