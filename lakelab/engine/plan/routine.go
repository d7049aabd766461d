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

// Routine is a function whose body is SQL (Spark's CREATE FUNCTION … RETURN). A call is replaced by the body, in which the
// parameters stand for the arguments.
type Routine struct {
	Name    string
	Params  []RoutineParam
	Returns *types.Type // of a scalar function; nil: what the body gives
	Table   bool
	Columns []types.Field     // of a table function; nil: what the query gives
	Body    sql.Expr          // of a scalar function
	Query   *sql.Query        // of a table function
	Steps   []sql.RoutineStep // of a function that a query brings along, in place of Body
	Strict  bool              // NULL for arguments of which one is NULL
	Gives   types.Type        // of a scalar function: the type that its body has
	Usage   string            // what DESCRIBE FUNCTION shows
}

// RoutineParam is a parameter; Default may be nil.
type RoutineParam struct {
	Name    string
	Type    types.Type
	Default sql.Expr
}

// routineScope is what the parameters mean in a function's body.
type routineScope struct {
	name  string
	items []Item
	query bool // the body is a query
}

// routine finds the SQL function that a call names; nil if there is none.
func (a *Analyzer) routine(name []sql.Name) *Routine {
	if len(name) != 1 {
		return nil
	}
	if r := a.brought[strings.ToLower(name[0].Text)]; r != nil {
		return r
	}
	if a.Routines == nil {
		return nil
	}
	return a.Routines(name[0].Text)
}

// CheckRoutine analyzes a function's body with its parameters as unknown values, as CREATE FUNCTION does.
func (a *Analyzer) CheckRoutine(ctx context.Context, r *Routine) error {
	in := &routineScope{name: r.Name, query: r.Query != nil}
	for _, p := range r.Params {
		if p.Default != nil {
			if _, ok := p.Default.(*sql.Subquery); ok {
				return errclass.FunctionRule("NOT_A_VALID_DEFAULT_EXPRESSION", "The DEFAULT expression of `"+r.Name+"`.`"+p.Name+"` is not supported because it contains a subquery.").At(p.Default.Span())
			}
			if _, err := a.Constant(ctx, p.Default, p.Type); err != nil {
				return err
			}
		}
		in.items = append(in.items, Item{Column: &expr.Column{Name: p.Name}, X: ref(&expr.Column{Name: p.Name, T: p.Type, Null: true})})
	}
	if r.Table {
		_, err := a.routineTable(ctx, r, in, r.Query)
		return err
	}
	e, err := a.routineValue(ctx, r, in, r.Body)
	if err == nil {
		r.Gives = e.Type()
	}
	if err == nil && (hasAggregate(e) || anyExpr(e, isWindow)) {
		return errclass.FunctionRule("CANNOT_CONTAIN_COMPLEX_FUNCTIONS", "SQL scalar function cannot contain aggregate/window/generate functions: "+NameOf(a.Dialect, e)+".").At(r.Body.Span())
	}
	return err
}

// entering guards against functions that call themselves. Call the result when the body has been analyzed.
func (a *Analyzer) entering(r *Routine, at sql.Node) (func(), error) {
	if i := slices.Index(a.calling, r.Name); i >= 0 {
		return nil, errclass.CyclicFunction(append(append([]string{}, a.calling[i:]...), r.Name)).At(at.Span())
	}
	a.calling = append(a.calling, r.Name)
	return func() { a.calling = a.calling[:len(a.calling)-1] }, nil
}

// routineCall replaces a call of a scalar function.
func (a *Analyzer) routineCall(ctx context.Context, x *sql.Call, r *Routine, s *scope) (expr.Expr, error) {
	if r.Table {
		return nil, errclass.NotScalarFunction(r.Name).At(x.Span())
	}
	if x.Over != nil || x.Distinct || x.Filter != nil || x.WithinGroup {
		return nil, a.unsupported("OVER, DISTINCT, FILTER or WITHIN GROUP of a SQL function", x)
	}
	if r.Steps != nil {
		return a.broughtCall(ctx, x, r, s)
	}
	in, written, err := a.routineArguments(ctx, x, r, s)
	if err != nil {
		return nil, err
	}
	e, err := a.routineValue(ctx, r, in, x)
	if err != nil {
		return nil, err
	}
	label := r.Name + "(" + strings.Join(written, ", ") + ")"
	c := &expr.Call{Name: r.Name, Args: []expr.Expr{e}, Func: &expr.Func{
		Name: "routine " + r.Name, Signature: r.Name,
		Duck:   func(_ *expr.Call, args []string) string { return args[0] },
		Pretty: func(*expr.Call, []string) string { return label },
	}}
	c.T, c.Null, c.At = e.Type(), true, x.Span()
	return c, nil
}

// routineValue analyzes a scalar function's body.
func (a *Analyzer) routineValue(ctx context.Context, r *Routine, in *routineScope, at sql.Node) (expr.Expr, error) {
	leave, err := a.entering(r, at)
	if err != nil {
		return nil, err
	}
	defer leave()
	e, err := a.expr(ctx, r.Body, &scope{routine: in})
	if err != nil {
		return nil, err
	}
	e = stripAlias(e)
	if r.Returns != nil && !e.Type().Equal(*r.Returns) {
		return functions.Cast(a.Dialect, e, *r.Returns, false, at.Span())
	}
	return e, nil
}

// routineRelation replaces a call of a table function.
func (a *Analyzer) routineRelation(ctx context.Context, x *sql.TableFunc, r *Routine, s *scope) (Node, error) {
	if !r.Table {
		return nil, errclass.NotTableFunction(r.Name).At(x.Span())
	}
	in, _, err := a.routineArguments(ctx, x.Call, r, &scope{outer: s})
	if err != nil {
		return nil, err
	}
	n, err := a.routineTable(ctx, r, in, x)
	if err != nil {
		return nil, err
	}
	return a.alias(n, x.Alias, x)
}

// routineTable analyzes a table function's query and gives it the columns that the function promises.
func (a *Analyzer) routineTable(ctx context.Context, r *Routine, in *routineScope, at sql.Node) (Node, error) {
	leave, err := a.entering(r, at)
	if err != nil {
		return nil, err
	}
	defer leave()
	n, err := a.query(ctx, r.Query, &scope{routine: in})
	if err != nil {
		return nil, err
	}
	out := visible(n.Output())
	if r.Columns != nil && len(r.Columns) != len(out) {
		return nil, errclass.ReturnColumns(r.Name, len(out), len(r.Columns)).At(at.Span())
	}
	items := make([]Item, len(out))
	for i, c := range out {
		x, name := expr.Expr(ref(c)), c.Name
		if r.Columns != nil {
			f := r.Columns[i]
			name = f.Name
			if !c.T.Equal(f.Type) {
				if x, err = functions.Cast(a.Dialect, x, f.Type, false, at.Span()); err != nil {
					return nil, err
				}
			}
		}
		items[i] = NewItem(name, x)
		items[i].Column.Qualifier = []string{r.Name}
	}
	return &Project{Items: items, Child: n}, nil
}

// routineArguments gives every parameter its argument, cast to the parameter's type. written are the arguments' names.
func (a *Analyzer) routineArguments(ctx context.Context, x *sql.Call, r *Routine, s *scope) (in *routineScope, written []string, err error) {
	in = &routineScope{name: r.Name, query: r.Query != nil}
	args := make([]sql.Expr, len(r.Params))
	for i, arg := range x.Args {
		at := i
		if arg.Name != nil {
			at = slices.IndexFunc(r.Params, func(p RoutineParam) bool { return strings.EqualFold(p.Name, arg.Name.Text) })
			if at < 0 {
				return nil, nil, errclass.UnrecognizedParameter(r.Name, arg.Name.Text, paramNames(r)).At(arg.Name.Span())
			}
		}
		if at >= len(args) {
			return nil, nil, errclass.WrongNumArgs(r.Name, len(r.Params), len(x.Args)).At(x.Span())
		}
		args[at] = arg.X
	}
	for i, p := range r.Params {
		var e expr.Expr
		switch {
		case args[i] != nil:
			if e, err = a.expr(ctx, args[i], s); err != nil {
				return nil, nil, err
			}
			written = append(written, NameOf(a.Dialect, e))
		case p.Default != nil:
			if e, err = a.expr(ctx, p.Default, &scope{}); err != nil {
				return nil, nil, err
			}
		default:
			return nil, nil, errclass.WrongNumArgs(r.Name, len(r.Params), len(x.Args)).At(x.Span())
		}
		e = stripAlias(e)
		if !e.Type().Equal(p.Type) {
			if e, err = functions.Cast(a.Dialect, e, p.Type, false, x.Span()); err != nil {
				bad := &expr.Cast{X: e}
				bad.T = p.Type
				return nil, nil, a.explain(err, bad)
			}
		}
		in.items = append(in.items, Item{Column: &expr.Column{Name: p.Name}, X: e})
	}
	return in, written, nil
}

func paramNames(r *Routine) []string {
	out := make([]string, len(r.Params))
	for i, p := range r.Params {
		out[i] = p.Name
	}
	return out
}

// parameter resolves a name to a function's argument: p, function.p, or a field of either. level is how many queries lie between.
func (a *Analyzer) parameter(id *sql.Ident, parts []string, in *routineScope, level int) (expr.Expr, error) {
	if len(parts) > 1 && strings.EqualFold(parts[0], in.name) {
		if e, err := a.parameter(id, parts[1:], &routineScope{items: in.items}, level); e != nil || err != nil {
			return e, err
		}
	}
	for _, it := range in.items {
		if !strings.EqualFold(it.Column.Name, parts[0]) {
			continue
		}
		x, err := rewrite(it.X, func(e expr.Expr) (expr.Expr, bool, error) {
			if r, ok := e.(*expr.Ref); ok && level > 0 && !r.Column.Param {
				c := *r
				c.Outer += level
				return &c, true, nil
			}
			return nil, false, nil
		})
		if err != nil {
			return nil, err
		}
		al := &expr.Alias{X: x, Name: parts[0]}
		al.T, al.Null, al.At = x.Type(), x.Nullable(), id.Span()
		return a.fields(al, id, parts[1:])
	}
	return nil, nil
}
