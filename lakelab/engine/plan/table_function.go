package plan

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's table functions: FROM TABLE(f(…)) ("Table functions" in its documentation). A catalog may have some beside those of the system.

// TableFunctions is a Catalog that has table functions of its own.
type TableFunctions interface {
	// TableFunction opens what a call gives; nil without an error where no function has that name. Its arguments are bound by
	// Analyzer.TableArguments.
	TableFunction(ctx context.Context, a *Analyzer, call *sql.Call) (*Relation, error)
}

// TableParameter is a parameter of a table function.
type TableParameter struct {
	Name    string // in capitals
	Type    types.Type
	Default sql.Expr // nil: it must be given
}

// trinoTableFunc opens what a call in TABLE(…) gives.
func (a *Analyzer) trinoTableFunc(ctx context.Context, r *sql.TableFunc, s *scope) (Node, error) {
	parts := a.texts(r.Call.Name)
	if name := parts[len(parts)-1]; name == "sequence" && (len(parts) == 1 || slices.Equal(parts, []string{"system", "builtin", name})) {
		return a.sequenceRelation(ctx, r, s)
	}
	var rel *Relation
	if f, ok := a.Catalog.(TableFunctions); ok {
		var err error
		if rel, err = f.TableFunction(ctx, a, r.Call); err != nil {
			return nil, errclass.Place(err, r.Call.Span())
		}
	}
	if rel == nil {
		return nil, errclass.TrinoNoTableFunction(strings.Join(parts, ".")).At(r.Call.Span())
	}
	n, err := a.opened(ctx, rel, parts[len(parts)-1:])
	if err != nil {
		return nil, err
	}
	return a.alias(n, r.Alias, r)
}

// TableArguments binds a call's arguments to a table function's parameters, as expressions of the parameters' types.
func (a *Analyzer) TableArguments(ctx context.Context, call *sql.Call, params []TableParameter) ([]sql.Expr, error) {
	out := make([]sql.Expr, len(params))
	if len(call.Args) == 0 {
		return out, givenDefaults(call.Span(), out, params)
	}
	place := func(arg sql.Arg) sql.Node {
		if arg.Name != nil {
			return arg.Name
		}
		return arg.X
	}
	first := place(call.Args[0]).Span()
	if len(call.Args) > len(params) {
		return nil, errclass.TrinoTableArguments(len(params), len(call.Args)).At(first)
	}
	for i, arg := range call.Args {
		if (arg.Name == nil) != (call.Args[0].Name == nil) {
			return nil, errclass.TrinoMixedArguments().At(first)
		}
		if arg.Name != nil {
			name := strings.ToUpper(arg.Name.Text)
			if i = slices.IndexFunc(params, func(p TableParameter) bool { return p.Name == name }); i < 0 {
				return nil, errclass.TrinoUnexpectedArgument(name).At(arg.Name.Span())
			}
			if out[i] != nil {
				return nil, errclass.TrinoArgumentTwice(name).At(arg.Name.Span())
			}
		}
		out[i] = arg.X
	}
	for i, x := range out {
		if x == nil {
			continue
		}
		e, err := a.Value(ctx, x)
		if err != nil {
			return nil, err
		}
		if _, ok := functions.CoerceIn(a.Dialect, e, params[i].Type); !ok {
			return nil, errclass.TrinoCastArgument(e.Type(), params[i].Type).At(x.Span())
		}
	}
	return out, givenDefaults(first, out, params)
}

// givenDefaults gives the parameters that have no argument their defaults.
func givenDefaults(at token.Span, args []sql.Expr, params []TableParameter) error {
	for i, p := range params {
		switch {
		case args[i] != nil:
		case p.Default == nil:
			return errclass.TrinoMissingArgument(p.Name).At(at)
		default:
			args[i] = p.Default
		}
	}
	return nil
}
