package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
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
		if !ok {
			return errclass.UnexpectedLambda(int(a.Dialect)).At(l.Span())
		}
		if len(l.Params) > len(params) || len(l.Params) < len(params) && !optionalParam(f.Name) {
			return errclass.LambdaParams(int(a.Dialect), len(params), len(l.Params)).At(l.Span())
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
		e.Body = body
		e.T, e.Null, e.At = body.Type(), body.Nullable(), l.Span()
		out[i] = e
	}
	return nil
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
