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

// lambdas resolves the lambdas among a call's arguments, whose other arguments are in out already.
func (a *Analyzer) lambdas(ctx context.Context, x *sql.Call, f *expr.Func, out []expr.Expr, s *scope) error {
	for i, arg := range x.Args {
		l, ok := arg.X.(*sql.Lambda)
		if !ok {
			continue
		}
		params, ok := lambdaParams(f.Name, i, out)
		if a.Dialect == sql.Trino && f.Name == "regexp_replace" { // of the groups of a match
			params, ok = []types.Field{{Type: types.ArrayOf(types.Of(types.String), true)}}, i == 2
		}
		if a.Dialect == sql.Trino && optionalParam(f.Name) && ok {
			params = params[:1] // the place is Spark's
		}
		if !ok {
			if a.Dialect == sql.Trino {
				return errclass.Place(functions.TrinoUnexpected(&expr.Call{Func: f, Args: out}), x.Span())
			}
			if err := a.notCollection(ctx, x, f, out, s); err != nil {
				return err
			}
			return errclass.UnexpectedLambda(int(a.Dialect)).At(l.Span())
		}
		if len(l.Params) > len(params) || len(l.Params) < len(params) && (!optionalParam(f.Name) || a.Dialect == sql.Trino && len(l.Params) == 0) {
			want := len(params)
			if optionalParam(f.Name) && a.Dialect == sql.Spark {
				want--
			}
			return errclass.LambdaParams(int(a.Dialect), want, len(l.Params)).At(l.Span())
		}
		in := *s
		in.params = nil
		e := &expr.Lambda{}
		for j, n := range a.texts(l.Params) {
			for _, p := range e.Params {
				if strings.EqualFold(p.Name, n) {
					return errclass.DuplicateLambdaParam(a.texts(l.Params)).At(l.Span())
				}
			}
			c := &expr.Column{Name: n, T: params[j].Type, Null: params[j].Nullable, Param: true}
			e.Params = append(e.Params, c)
		}
		in.params = append(e.Params[:len(e.Params):len(e.Params)], s.params...)
		body, err := a.expr(ctx, l.Body, &in)
		if err != nil {
			return err
		}
		if a.Dialect == sql.Trino && i == 2 && (f.Name == "reduce" || f.Name == "aggregate" || f.Name == "reduce_agg") && body.Type().Trino() != out[1].Type().Trino() {
			// The state is of the type that the lambda makes of it.
			if state, ok := functions.CoerceIn(a.Dialect, out[1], body.Type()); ok {
				out[1] = state
				return a.lambdas(ctx, x, f, out, s)
			}
		}
		e.Body = body
		e.T, e.Null, e.At = body.Type(), body.Nullable(), l.Span()
		out[i] = e
	}
	return nil
}

// notCollection is the error of a higher-order function that was given something else than the array or map it goes through; nil
// if that is not what is wrong.
func (a *Analyzer) notCollection(ctx context.Context, x *sql.Call, f *expr.Func, out []expr.Expr, s *scope) error {
	want, n := collections(f.Name)
	for i := range min(n, len(out)) {
		if out[i] == nil || out[i].Type().Kind == want {
			continue
		}
		// The message shows the lambdas as they are written.
		shown := slices.Clone(out)
		for j, arg := range x.Args {
			l, ok := arg.X.(*sql.Lambda)
			if !ok {
				continue
			}
			in := *s
			e := &expr.Lambda{Written: true}
			for _, p := range a.texts(l.Params) {
				e.Params = append(e.Params, &expr.Column{Name: p, Null: true})
			}
			in.params = append(slices.Clone(e.Params), s.params...)
			body, err := a.expr(ctx, l.Body, &in)
			if err != nil { // its parameters have no types
				text := &expr.Lit{Value: Written(l.Body)}
				text.T = types.Of(types.String)
				body = text
			}
			e.Body, shown[j] = body, e
		}
		if slices.Contains(shown, nil) {
			return nil
		}
		return a.explain(errclass.UnexpectedInputTypes(f.Name, i+1, out[i].Type(), `"`+types.Type{Kind: want}.KindSQL()+`"`).At(x.Span()), &expr.Call{Func: f, Name: f.Name, Args: shown, Extra: "written"})
	}
	return nil
}

// collections are the kind and the number of collections that a higher-order function goes through; they come first.
func collections(function string) (types.Kind, int) {
	switch function {
	case "transform", "filter", "exists", "forall", "aggregate", "reduce", "array_sort":
		return types.Array, 1
	case "zip_with":
		return types.Array, 2
	case "map_filter", "transform_keys", "transform_values":
		return types.Map, 1
	case "map_zip_with":
		return types.Map, 2
	}
	return types.Null, 0
}

// nullCollections gives a NULL in place of a collection the type that is wanted there; beside a lambda Spark refuses it.
func nullCollections(f *expr.Func, out []expr.Expr) {
	want, n := collections(f.Name)
	void := types.Of(types.Null)
	t := types.ArrayOf(void, true)
	if want == types.Map {
		t = types.MapOf(void, void, true)
	}
	for i := range min(n, len(out)) {
		if out[i].Type().Kind == types.Null && f.Name != "array_sort" {
			x := lit(nil, t)
			x.Null, x.At = true, out[i].Span()
			out[i] = x
		}
	}
}

// wrapBodies makes lambdas of arguments that stand where a function takes one: Spark takes any expression as a body that does
// not read its parameters.
func wrapBodies(f *expr.Func, out []expr.Expr) []expr.Expr {
	for i, x := range out {
		if _, ok := x.(*expr.Lambda); ok || x == nil || f.Dialect != sql.Spark {
			continue
		}
		params, ok := lambdaParams(f.Name, i, out)
		if !ok || i == 0 {
			continue
		}
		if optionalParam(f.Name) {
			params = params[:1]
		}
		l := &expr.Lambda{Body: x}
		for _, p := range params {
			l.Params = append(l.Params, &expr.Column{Name: "x", T: p.Type, Null: p.Nullable, Param: true})
		}
		l.T, l.Null, l.At = x.Type(), x.Nullable(), x.Span()
		out[i] = l
	}
	return out
}

// optionalParam reports whether a function's lambda may leave out its last parameter.
func optionalParam(function string) bool { return function == "transform" || function == "filter" }

// lambdaParams are the parameters that a function hands to the lambda at a position.
func lambdaParams(function string, at int, args []expr.Expr) ([]types.Field, bool) {
	arg := func(i int) types.Type {
		if i < len(args) && args[i] != nil {
			return args[i].Type()
		}
		return types.Type{}
	}
	elem := func(i int) (types.Field, bool) {
		t := arg(i)
		if t.Kind != types.Array {
			return types.Field{}, false
		}
		return types.Field{Type: *t.Elem, Nullable: t.ElemNull}, true
	}
	entry := func(i int) (k, v types.Field, ok bool) {
		t := arg(i)
		if t.Kind != types.Map {
			return k, v, false
		}
		return types.Field{Type: *t.Key}, types.Field{Type: *t.Value, Nullable: t.ElemNull}, true
	}
	index := types.Field{Type: types.Of(types.Int)}
	switch function {
	case "transform", "filter":
		e, ok := elem(0)
		return []types.Field{e, index}, ok && at == 1
	case "exists", "forall", "any_match", "all_match", "none_match":
		e, ok := elem(0)
		return []types.Field{e}, ok && at == 1
	case "array_sort":
		e, ok := elem(0)
		return []types.Field{e, e}, ok && at == 1
	case "zip_with":
		l, ok1 := elem(0)
		r, ok2 := elem(1)
		l.Nullable, r.Nullable = true, true
		return []types.Field{l, r}, ok1 && ok2 && at == 2
	case "reduce_agg":
		x, state := types.Field{Type: arg(0), Nullable: true}, types.Field{Type: arg(1), Nullable: true}
		if at == 3 {
			return []types.Field{state, state}, true
		}
		return []types.Field{state, x}, at == 2
	case "aggregate", "reduce":
		e, ok := elem(0)
		acc := types.Field{Type: arg(1), Nullable: true}
		if at == 3 {
			if args[2] != nil {
				acc.Type = args[2].Type()
			}
			return []types.Field{acc}, ok
		}
		return []types.Field{acc, e}, ok && at == 2
	case "map_filter", "transform_keys", "transform_values":
		k, v, ok := entry(0)
		return []types.Field{k, v}, ok && at == 1
	case "map_zip_with":
		k, v, ok1 := entry(0)
		_, w, ok2 := entry(1)
		v.Nullable, w.Nullable = true, true
		return []types.Field{k, v, w}, ok1 && ok2 && at == 2
	}
	return nil, false
}
