package plan

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// expr resolves an expression in a scope.
func (a *Analyzer) expr(ctx context.Context, x sql.Expr, s *scope) (expr.Expr, error) {
	switch x := x.(type) {
	case *sql.Ident:
		return a.column(x, s)
	case *sql.Literal:
		if x.Kind == sql.TypedLit && a.Dialect == sql.Spark {
			if e := a.moment(x); e != nil {
				return e, nil
			}
		}
		return literal(a.Dialect, x)
	case *sql.Interval:
		return functions.Interval(a.Dialect, x)
	case *sql.Unary:
		written := x.Op
		if written == "-" && x.Span() == (token.Span{}) {
			written = "negative" // the DataFrame API's
		}
		return a.applyAs(ctx, unaryName(x.Op), written, []sql.Expr{x.X}, x.Span(), s)
	case *sql.Binary:
		if x.Op == "AND" || x.Op == "OR" {
			return a.chain(ctx, x, s)
		}
		return a.apply(ctx, strings.ToLower(x.Op), []sql.Expr{x.L, x.R}, x.Span(), s)
	case *sql.Between:
		e, err := a.apply(ctx, "between", []sql.Expr{x.X, x.Lo, x.Hi}, x.Span(), s)
		return a.not(e, err, x.Not, x.Span())
	case *sql.In:
		return a.in(ctx, x, s)
	case *sql.Like:
		return a.like(ctx, x, s)
	case *sql.Is:
		return a.is(ctx, x, s)
	case *sql.IsDistinct:
		e, err := a.apply(ctx, "<=>", []sql.Expr{x.L, x.R}, x.Span(), s)
		return a.not(e, err, !x.Not, x.Span())
	case *sql.Case:
		return a.caseOf(ctx, x, s)
	case *sql.Cast:
		e, err := a.expr(ctx, x.X, s)
		if err != nil {
			return nil, err
		}
		t, err := functions.TypeOf(a.Dialect, x.Type)
		if err != nil {
			return nil, errclass.Place(err, x.Span())
		}
		if l, ok := x.X.(*sql.Literal); ok && l.Kind == sql.StringLit && a.Dialect == sql.Spark {
			if m := a.specialText(l, t); m != nil {
				e = m
			}
		}
		c, err := functions.Cast(a.Dialect, e, t, x.Try, x.Span())
		if err != nil {
			bad := &expr.Cast{X: e, Try: x.Try, Implicit: x.Call}
			bad.T = t
			return nil, a.explain(err, bad)
		}
		return c, nil
	case *sql.Call:
		return a.call(ctx, x, s)
	case *sql.Subscript:
		if l, ok := x.Index.(*sql.Literal); ok && l.Kind == sql.StringLit && a.Dialect == sql.Spark {
			e, err := a.expr(ctx, x.X, s)
			if err != nil {
				return nil, err
			}
			if e.Type().Kind == types.Struct {
				f, err := a.field(e, l.Text, x.Span())
				return f, a.withoutPlace(err)
			}
		}
		e, err := a.apply(ctx, "subscript", []sql.Expr{x.X, x.Index}, x.Span(), s)
		return e, a.withoutPlace(err)
	case *sql.Field:
		e, err := a.expr(ctx, x.X, s)
		if err != nil {
			return nil, err
		}
		f, err := a.field(e, x.Name.Text, x.Span())
		return f, a.withoutPlace(err)
	case *sql.Subquery:
		return a.scalar(ctx, x, s)
	case *sql.Exists:
		return a.exists(ctx, x, s)
	case *sql.Extract:
		if a.Dialect == sql.Spark {
			field := &sql.Literal{At: x.At, Kind: sql.StringLit, Text: x.Field}
			return a.apply(ctx, "extract", []sql.Expr{field, x.X}, x.Span(), s)
		}
		if !slices.Contains(extractFields, strings.ToUpper(x.Field)) {
			return nil, errclass.TrinoSyntax("Invalid EXTRACT field "+x.Field+", valid fields are: "+strings.Join(extractFields, ", "), x.Span())
		}
		e, err := a.apply(ctx, strings.ToLower(x.Field), []sql.Expr{x.X}, x.Span(), s)
		if c, ok := e.(*expr.Call); ok {
			f := *c.Func
			f.Pretty = func(_ *expr.Call, args []string) string {
				return "extract(" + x.Field + " FROM " + args[len(args)-1] + ")"
			}
			c.Func = &f
		}
		return e, err
	case *sql.ArrayLit:
		return a.apply(ctx, "array", x.Items, x.Span(), s)
	case *sql.Param:
		return a.param(ctx, x, s)
	case *sql.Aliased:
		e, err := a.expr(ctx, x.X, s)
		if err != nil {
			return nil, err
		}
		if len(x.Names) != 1 {
			return nil, a.unsupported("an alias of several names", x)
		}
		al := &expr.Alias{X: e, Name: asWritten(x.Names)[0]}
		al.T, al.Null, al.At = e.Type(), e.Nullable(), x.Span()
		return al, nil
	case *sql.Star:
		return nil, errclass.InvalidStar().At(x.Span())
	case *sql.Tuple:
		return a.tuple(ctx, x, s)
	case *sql.UpdateField:
		return a.updateField(ctx, x, s)
	case *sql.Quantified:
		return a.quantified(ctx, x, s)
	case *sql.AtTimeZone:
		if iv, ok := x.Zone.(*sql.Interval); ok {
			return a.atOffset(ctx, x, iv, s)
		}
		return a.apply(ctx, "$at_timezone", []sql.Expr{x.X, x.Zone}, x.Span(), s)
	case *sql.JSONFunc:
		return functions.JSON(x, func(arg sql.Expr) (expr.Expr, error) { return a.expr(ctx, arg, s) })
	case *sql.Lambda:
		return nil, errclass.UnexpectedLambda(int(a.Dialect)).At(x.Span())
	}
	return nil, a.unsupported(strings.TrimPrefix(strings.TrimPrefix(typeName(x), "*sql."), "sql."), x)
}

// extractFields are Trino's fields of EXTRACT.
var extractFields = []string{"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAY_OF_MONTH", "DAY_OF_WEEK", "DOW", "DAY_OF_YEAR", "DOY", "YEAR_OF_WEEK", "YOW", "HOUR", "MINUTE",
	"SECOND", "TIMEZONE_MINUTE", "TIMEZONE_HOUR"}

// chain resolves a AND b AND c …. Spark's parser makes a balanced tree of it, which shows in generated names; parentheses in
// front begin a chain of their own.
func (a *Analyzer) chain(ctx context.Context, x *sql.Binary, s *scope) (expr.Expr, error) {
	var parts []sql.Expr
	var left sql.Expr = x
	for {
		b, ok := left.(*sql.Binary)
		if !ok || b.Op != x.Op || b.Span().Start != x.Span().Start {
			break
		}
		parts = append(parts, b.R)
		left = b.L
	}
	parts = append(parts, left)
	slices.Reverse(parts)
	xs := make([]expr.Expr, len(parts))
	for i, p := range parts {
		e, err := a.expr(ctx, p, s)
		if err != nil {
			return nil, err
		}
		xs[i] = e
	}
	return a.balance(strings.ToLower(x.Op), xs, x.Span())
}

func (a *Analyzer) balance(op string, xs []expr.Expr, at token.Span) (expr.Expr, error) {
	if len(xs) == 1 {
		return xs[0], nil
	}
	mid := (len(xs)-1)/2 + 1
	l, err := a.balance(op, xs[:mid], at)
	if err != nil {
		return nil, err
	}
	r, err := a.balance(op, xs[mid:], at)
	if err != nil {
		return nil, err
	}
	args := []expr.Expr{l, r}
	if a.Dialect == sql.Spark {
		functions.BesideDecimals(args)
		l, r = args[0], args[1]
	}
	e, err := functions.Resolve(a.Dialect, op, args, at)
	if err != nil {
		// Only text is brought to the other side's type before that is refused.
		texts := (l.Type().Kind == types.String) != (r.Type().Kind == types.String) && l.Type().Kind != types.Null && r.Type().Kind != types.Null
		if t, ok := functions.CommonType(a.Dialect, l.Type(), r.Type()); ok && a.Dialect == sql.Spark && (texts || l.Type().Equal(r.Type())) {
			err = errclass.BinaryOpWrongType("BOOLEAN", t).At(at)
		} else if a.Dialect == sql.Spark && (l.Type().Kind == types.Null || r.Type().Kind == types.Null) {
			err = errclass.BinaryOpMismatch(int(a.Dialect), op, l.Type(), r.Type()).At(at)
		}
		return nil, a.explain(err, &expr.Call{Func: functions.Lookup(a.Dialect, op), Name: op, Args: []expr.Expr{l, r}})
	}
	return e, nil
}

func unaryName(op string) string {
	switch op {
	case "-":
		return "negative"
	case "+":
		return "positive"
	case "NOT", "!":
		return "not"
	}
	return strings.ToLower(op)
}

func literal(d sql.Dialect, x *sql.Literal) (expr.Expr, error) {
	if d == sql.Trino {
		return functions.TrinoLiteral(x)
	}
	l, err := functions.Literal(d, x)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// apply resolves the arguments and then the function or operator.
func (a *Analyzer) apply(ctx context.Context, name string, args []sql.Expr, at token.Span, s *scope) (expr.Expr, error) {
	return a.applyAs(ctx, name, name, args, at, s)
}

// applyAs is apply for an operator whose sign is not its function's name: generated names tell the two apart.
func (a *Analyzer) applyAs(ctx context.Context, name, written string, args []sql.Expr, at token.Span, s *scope) (expr.Expr, error) {
	xs := make([]expr.Expr, len(args))
	for i, x := range args {
		e, err := a.expr(ctx, x, s)
		if err != nil {
			return nil, err
		}
		xs[i] = e
	}
	before := append([]expr.Expr{}, xs...)
	e, err := functions.Resolve(a.Dialect, name, xs, at)
	if err != nil {
		if e, ok := err.(*errclass.Error); ok && e.Form != "" {
			before = xs // the form counts them as the rule has put them
		}
		return nil, a.explain(err, &expr.Call{Func: functions.Lookup(a.Dialect, name), Name: written, Args: before})
	}
	if c, ok := e.(*expr.Call); ok && c.Name == name {
		c.Name = written
	}
	return e, nil
}

func (a *Analyzer) not(e expr.Expr, err error, not bool, at token.Span) (expr.Expr, error) {
	if err != nil || !not {
		return e, err
	}
	return functions.Resolve(a.Dialect, "not", []expr.Expr{e}, at)
}

// explain completes a type error with the expression's text, as Spark words it: Cannot resolve "…" due to ….
func (a *Analyzer) explain(err error, c expr.Expr) error {
	e, ok := err.(*errclass.Error)
	if ok && e.WantsArgument() {
		if call, is := c.(*expr.Call); is {
			if which := e.Params["paramIndex"]; which == "odd" || which == "names" {
				var odd []string
				for i := 0; i < len(call.Args); i += 2 {
					if l, ok := call.Args[i].(*expr.Lit); which == "names" || !ok || l.T.Kind != types.String {
						odd = append(odd, `"`+NameOf(a.Dialect, call.Args[i])+`"`)
					}
				}
				err = e.WithArgument(strings.Join(odd, ", "))
				e = err.(*errclass.Error)
			} else if i := errclass.Position(e.Params["paramIndex"]); i > 0 && i <= len(call.Args) {
				err = e.WithArgument(`"` + NameOf(a.Dialect, call.Args[i-1]) + `"`).WithCall(`"` + NameOf(a.Dialect, c) + `"`)
				e = err.(*errclass.Error)
			}
		}
	}
	if !ok || !strings.HasPrefix(e.Message, "due to data type mismatch") {
		return err
	}
	if call, is := c.(*expr.Call); is && call.Func != nil && call.Func.InErrors != "" {
		k := *call
		k.Name = call.Func.InErrors
		if f := functions.Lookup(a.Dialect, k.Name); f != nil {
			k.Func = f
		}
		c = &k
	}
	out := *e
	text := `"` + NameOf(a.Dialect, c) + `"`
	if call, is := c.(*expr.Call); is && e.Form != "" {
		// The rule may have changed sides before it failed.
		text = e.Form
		for i, x := range slices.Backward(call.Args) {
			text = strings.ReplaceAll(text, "$"+itoa(i+1), NameOf(a.Dialect, x))
		}
		text = `"` + text + `"`
	}
	out.Message = "Cannot resolve " + text + " " + e.Message
	out.Params = maps.Clone(e.Params)
	if out.Params == nil {
		out.Params = map[string]string{}
	}
	out.Params["sqlExpr"] = text
	if call, ok := c.(*expr.Call); ok && e.Class == "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE" && e.Params["inputSql"] == "" {
		delete(out.Params, "function")
		if i := errclass.Position(e.Params["paramIndex"]); i > 0 && i <= len(call.Args) {
			input := `"` + NameOf(a.Dialect, call.Args[i-1]) + `"`
			out.Params["inputSql"] = input
			out.Message = strings.Replace(out.Message, "however the argument has", "however "+input+" has", 1)
		}
	}
	return &out
}

func (a *Analyzer) like(ctx context.Context, x *sql.Like, s *scope) (expr.Expr, error) {
	if x.Quantifier != "" {
		return a.likeQuantified(ctx, x, s)
	}
	args := []sql.Expr{x.X, x.Pattern}
	if x.Escape != nil {
		args = append(args, x.Escape)
	}
	e, err := a.apply(ctx, strings.ToLower(x.Op), args, x.Span(), s)
	return a.not(e, err, x.Not, x.Span())
}

func (a *Analyzer) is(ctx context.Context, x *sql.Is, s *scope) (expr.Expr, error) {
	switch x.What {
	case "NULL", "UNKNOWN":
		name := "isnull"
		if x.Not {
			name = "isnotnull"
		}
		e, err := a.apply(ctx, name, []sql.Expr{x.X}, x.Span(), s)
		if c, ok := e.(*expr.Call); ok && x.What == "UNKNOWN" && a.Dialect == sql.Spark && ofLiterals(x.X) {
			// Spark forgets that it is not IS NULL as soon as it has resolved a part.
			if t := c.Args[0].Type(); t.Kind != types.Boolean && t.Kind != types.Null {
				return nil, a.explain(errclass.UnexpectedInputType(name, 1, t, types.Of(types.Boolean)).At(x.Span()), c)
			}
			if booleanLiterals(x.X) {
				f := *c.Func
				f.Pretty = func(_ *expr.Call, args []string) string {
					return "(" + args[0] + map[bool]string{false: " IS ", true: " IS NOT "}[x.Not] + "UNKNOWN)"
				}
				c.Func = &f
			}
		}
		return e, err
	}
	lit := &sql.Literal{At: x.At, Kind: sql.BoolLit, Text: strings.ToLower(x.What)}
	e, err := a.apply(ctx, "<=>", []sql.Expr{x.X, lit}, x.Span(), s)
	return a.not(e, err, x.Not, x.Span())
}

// ofLiterals reports whether an expression has a type as soon as it is parsed.
func ofLiterals(x sql.Expr) bool {
	switch x := x.(type) {
	case *sql.Literal, *sql.Interval:
		return true
	case *sql.Unary:
		return ofLiterals(x.X)
	case *sql.Binary:
		return ofLiterals(x.L) && ofLiterals(x.R)
	}
	return false
}

// booleanLiterals reports whether an expression is made of true and false.
func booleanLiterals(x sql.Expr) bool {
	switch x := x.(type) {
	case *sql.Literal:
		return x.Kind == sql.BoolLit
	case *sql.Unary:
		return booleanLiterals(x.X)
	case *sql.Binary:
		return (x.Op == "AND" || x.Op == "OR") && booleanLiterals(x.L) && booleanLiterals(x.R)
	}
	return false
}

func (a *Analyzer) caseOf(ctx context.Context, x *sql.Case, s *scope) (expr.Expr, error) {
	out := &expr.Case{}
	out.At = x.Span()
	var operand expr.Expr
	var wrong []int // the conditions that are none
	var err error
	if x.Operand != nil {
		if operand, err = a.expr(ctx, x.Operand, s); err != nil {
			return nil, err
		}
		out.Operand = operand
	}
	var results []expr.Expr
	for _, w := range x.Whens {
		c, err := a.expr(ctx, w.Cond, s)
		if err != nil {
			return nil, err
		}
		if operand != nil {
			left, right := operand.Type(), c.Type()
			at := x.Span()
			if a.Dialect == sql.Trino {
				at = w.Cond.Span()
			}
			if c, err = functions.Resolve(a.Dialect, "=", []expr.Expr{operand, c}, at); err != nil {
				if a.Dialect == sql.Trino {
					err = errclass.TrinoCaseOperand(left, right).At(w.Cond.Span())
				}
				return nil, err
			}
		}
		b, ok := functions.CoerceIn(a.Dialect, c, types.Of(types.Boolean))
		if !ok && a.Dialect == sql.Trino {
			return nil, errclass.TrinoTypeOf("CASE WHEN clause must evaluate to a boolean", c.Type()).At(w.Cond.Span())
		}
		if !ok || a.Dialect == sql.Spark && c.Type().Kind != types.Boolean {
			wrong = append(wrong, len(out.Whens))
			b = c
		}
		t, err := a.expr(ctx, w.Then, s)
		if err != nil {
			return nil, err
		}
		out.Whens = append(out.Whens, expr.When{Cond: b})
		results = append(results, t)
	}
	if x.Else != nil {
		e, err := a.expr(ctx, x.Else, s)
		if err != nil {
			return nil, err
		}
		results = append(results, e)
	}
	if _, alike := functions.CommonType(a.Dialect, typesOf(results)...); len(wrong) > 0 && alike {
		for i := range out.Whens {
			out.Whens[i].Then = results[i]
		}
		if x.Else != nil {
			out.Else = results[len(results)-1]
		}
		i := wrong[0]
		cond := out.Whens[i].Cond
		e := errclass.UnexpectedInputType("CASE", i+1, cond.Type(), types.Of(types.Boolean))
		e.Message = strings.Replace(e.Message, "the argument has", `"`+NameOf(a.Dialect, cond)+`" has`, 1)
		return nil, a.explain(e.At(x.Span()), out)
	}
	ts := typesOf(results)
	for _, r := range results {
		out.Null = out.Null || r.Nullable()
	}
	t, ok := functions.CommonType(a.Dialect, ts...)
	if !ok {
		if a.Dialect == sql.Trino {
			return nil, trinoUncommon(results)
		}
		for i := range out.Whens {
			out.Whens[i].Then = results[i]
		}
		if x.Else != nil {
			out.Else = results[len(results)-1]
		}
		return nil, a.explain(errclass.CaseTypes(ts).At(x.Span()), out)
	}
	for i := range results {
		results[i], _ = functions.CoerceIn(a.Dialect, results[i], t)
		if i < len(out.Whens) {
			out.Whens[i].Then = results[i]
		} else {
			out.Else = results[i]
		}
	}
	out.T = t
	if last, ok := out.Whens[len(out.Whens)-1].Cond.(*expr.Lit); x.Else == nil && !(ok && last.Value == true) {
		out.Null = true
	}
	return out, nil
}

// withoutPlace takes the place off an error about a part of a value that has no such part: Spark does not know it.
func (a *Analyzer) withoutPlace(err error) error {
	var e *errclass.Error
	if errors.As(err, &e) && a.Dialect == sql.Spark && (e.Class == "FIELD_NOT_FOUND" || e.Class == "INVALID_EXTRACT_BASE_FIELD_TYPE" || e.Class == "INVALID_EXTRACT_FIELD_TYPE" || e.Class == "AMBIGUOUS_REFERENCE_TO_FIELDS") {
		return e.Nowhere()
	}
	return err
}

func typesOf(xs []expr.Expr) []types.Type {
	ts := make([]types.Type, len(xs))
	for i, x := range xs {
		ts[i] = x.Type()
	}
	return ts
}

func (a *Analyzer) param(ctx context.Context, x *sql.Param, s *scope) (expr.Expr, error) {
	if x.Name != "" {
		v, ok := a.Params.Named[x.Name]
		if !ok {
			return nil, errclass.UnboundParameter(x.Name).At(x.Span())
		}
		return a.expr(ctx, v, s)
	}
	if a.Params.Unbound {
		return unboundParam(x), nil
	}
	if x.Index >= len(a.Params.Positional) {
		if a.Dialect == sql.Trino {
			return nil, errclass.TrinoParameterCount(x.Index+1, len(a.Params.Positional)).At(x.Span())
		}
		return nil, errclass.UnboundParameter("_" + itoa(x.Span().Start.Offset)).At(x.Span())
	}
	return a.expr(ctx, a.Params.Positional[x.Index], s)
}

// call resolves a function call, an aggregate or a window function.
func (a *Analyzer) call(ctx context.Context, x *sql.Call, s *scope) (expr.Expr, error) {
	name := x.Name[len(x.Name)-1].Text
	if r := a.routine(x.Name); r != nil {
		return a.routineCall(ctx, x, r, s)
	}
	f := a.remoteFunction(x)
	if f == nil {
		if e, err := a.special(ctx, x, strings.ToLower(name), s); e != nil || err != nil {
			return e, err
		}
		f = functions.Lookup(a.Dialect, a.timestampFunction(name))
	}
	if a.Dialect == sql.Trino && len(x.Name) == 1 {
		if err := checkTrinoCall(x, f); err != nil {
			return nil, err
		}
	}
	if len(x.Name) > 1 || f == nil || f.Signature == "" {
		return nil, a.noFunction(x)
	}
	x, err := positional(x)
	if err != nil {
		return nil, err
	}
	c := &expr.Call{Func: f, Name: name, Distinct: x.Distinct, IgnoreNulls: x.Nulls == "IGNORE"}
	c.At = x.Span()
	inner := s
	if f.Kind == expr.Aggregate && x.Over == nil {
		if s.forbidAggregates == "NESTED" && a.Dialect == sql.Trino {
			return nil, errclass.TrinoNested(strings.ToLower(s.aggregate.Name[0].Text), a.written(ctx, x, s)).At(s.aggregate.Span())
		}
		if s.forbidAggregates != "" {
			return nil, errclass.AggregateNotAllowed(int(a.Dialect), s.forbidAggregates, a.written(ctx, x, s)).At(x.Span())
		}
		k := *s
		k.forbidAggregates, k.aggregate = "NESTED", x
		inner = &k
	}
	args, err := a.arguments(ctx, x, f, inner)
	if err != nil {
		return nil, err
	}
	c.Args = args
	if x.Filter != nil {
		if c.Filter, err = a.filter(ctx, x, s); err != nil {
			return nil, err
		}
	}
	if len(x.OrderBy) > 0 {
		if c.OrderBy, err = a.keys(ctx, x.OrderBy, s); err != nil {
			return nil, err
		}
		if a.Dialect == sql.Trino && x.Over == nil {
			if err := orderTrinoDistinct(c); err != nil {
				return nil, err
			}
		}
	}
	if a.Dialect == sql.Trino && f.Kind == expr.Aggregate && x.Over == nil {
		for _, arg := range c.Args {
			if in := windowIn(arg); in != nil {
				return nil, errclass.TrinoNestedInAggregate(f.Name, NameOf(a.Dialect, in)).At(x.Span())
			}
		}
	}
	if err := a.checkWithin(x, c); err != nil {
		return nil, a.explain(err, c)
	}
	before := *c
	before.Args = append([]expr.Expr{}, c.Args...)
	if err := functions.Type(c); err != nil {
		return nil, a.explain(err, withKeys(&before))
	}
	if a.Dialect == sql.Trino && f.Name == "try" { // Trino computes subqueries beforehand: their errors stay
		c.Args[0], err = rewrite(c.Args[0], func(e expr.Expr) (expr.Expr, bool, error) {
			if _, ok := e.(*expr.Lambda); ok {
				return e, true, nil
			}
			if _, ok := e.(*expr.Subquery); ok {
				return functions.ComputeOutside(c, e), true, nil
			}
			return nil, false, nil
		})
		if err != nil {
			return nil, err
		}
	}
	if a.Dialect == sql.Spark {
		if f.Name == "to_csv" {
			functions.ShowBytes(c, a.Settings.BinaryStyle)
		}
		nameWithin(c)
		if f.Kind == expr.Aggregate && x.Over == nil {
			if i := slices.IndexFunc(c.Args, func(e expr.Expr) bool { return anyExpr(e, isNonDeterministic) }); i >= 0 {
				return nil, errclass.NonDeterministicAggregate(NameOf(a.Dialect, c)).At(c.Args[i].Span())
			}
		}
	}
	switch {
	case f.Kind == expr.Generator:
		if s.opaqueGenerators && len(c.T.Fields) > 0 {
			c.T = c.T.Fields[0].Type
			return c, nil
		}
		return nil, errclass.NestedGenerator(NameOf(a.Dialect, c)).At(x.Span())
	case x.Over != nil && f.Kind == expr.Scalar && a.Dialect == sql.Trino:
		return nil, errclass.TrinoNotWindow(f.Name)
	case x.Over != nil:
		return a.window(ctx, x, c, s)
	case f.Kind == expr.WindowOnly:
		if a.Dialect == sql.Trino {
			return nil, errclass.TrinoMissingOver(f.Name).At(x.Span())
		}
		return nil, errclass.WindowFunctionWithoutOver(NameOf(a.Dialect, c)).At(s.around(x.Span()))
	case x.Distinct && f.Kind != expr.Aggregate:
		return nil, errclass.DistinctOnScalar(int(a.Dialect), strings.ToLower(name)).At(x.Span())
	case x.Filter != nil && f.Kind != expr.Aggregate:
		return nil, errclass.FilterOnScalar(int(a.Dialect), strings.ToLower(name)).At(x.Span())
	}
	return c, nil
}

// filter resolves FILTER (WHERE …), in which Spark takes neither aggregates nor windows and nothing but a boolean.
func (a *Analyzer) filter(ctx context.Context, x *sql.Call, s *scope) (expr.Expr, error) {
	if a.Dialect == sql.Trino {
		return a.condition(ctx, x.Filter, s, "FILTER")
	}
	e, err := a.expr(ctx, x.Filter, s)
	if err != nil {
		return nil, err
	}
	why := ""
	switch {
	case e.Type().Kind != types.Boolean:
		why = "NOT_BOOLEAN"
	case anyExpr(e, isWindow):
		why = "CONTAINS_WINDOW_FUNCTION"
	case hasAggregate(e):
		why = "CONTAINS_AGGREGATE"
	}
	if why != "" {
		return nil, errclass.InvalidFilter(why, NameOf(a.Dialect, e)).At(x.Filter.Span())
	}
	b, _ := functions.Coerce(e, types.Of(types.Boolean))
	return b, nil
}

// written is a call as a message shows it.
func (a *Analyzer) written(ctx context.Context, x *sql.Call, s *scope) string {
	k := *s
	k.forbidAggregates = ""
	if e, err := a.call(ctx, x, &k); err == nil {
		return NameOf(a.Dialect, e)
	}
	return strings.ToLower(x.Name[len(x.Name)-1].Text)
}

func (a *Analyzer) noFunction(x *sql.Call) error {
	name := strings.Join(a.texts(x.Name), "`.`")
	if a.Dialect == sql.Spark {
		return errclass.RoutineNotResolved(a.texts(x.Name), []string{a.Settings.CurrentCatalog, a.Settings.CurrentNamespace}).At(x.Span())
	}
	return errclass.UnresolvedRoutine(int(a.Dialect), name).At(x.Span())
}

// arguments resolves a call's arguments: * stands for all columns (count(*) for 1), lambdas get the types that the function
// gives them.
func (a *Analyzer) arguments(ctx context.Context, x *sql.Call, f *expr.Func, s *scope) ([]expr.Expr, error) {
	var out []expr.Expr
	lambdas := false
	for _, arg := range x.Args {
		if arg.Name != nil {
			return nil, a.unsupported("named arguments", x)
		}
		if st, ok := arg.X.(*sql.Star); ok {
			if f.Name == "count" && len(st.Qualifier) == 0 && len(x.Args) == 1 && !x.Distinct && len(st.Except) == 0 {
				one := &expr.Lit{Value: int64(1)}
				one.T, one.At = types.Of(types.Int), st.Span()
				if a.Dialect == sql.Trino {
					one.Text = "*" // as messages show it
				}
				return []expr.Expr{one}, nil
			}
			if a.Dialect == sql.Trino {
				if f.Name == "count" {
					return nil, errclass.TrinoStarArgument(f.Name).At(x.Span())
				}
				continue // of other functions it stands for nothing
			}
			if f.Name == "count" && len(st.Qualifier) == 1 && len(x.Args) == 1 && !x.Distinct {
				return nil, errclass.CountOfTable(Written(&sql.Ident{Parts: st.Qualifier})).At(x.Span())
			}
			items, err := a.star(st, s)
			if err != nil {
				return nil, err
			}
			for _, it := range items {
				out = append(out, it.X)
			}
			continue
		}
		if _, ok := arg.X.(*sql.Lambda); ok {
			out, lambdas = append(out, nil), true
			continue
		}
		e, err := a.expr(ctx, arg.X, s)
		if err != nil {
			return nil, err
		}
		if a.Dialect == sql.Spark && functions.WantsConstant(f, len(out), e) {
			if e, err = a.folded(ctx, arg.X, e); err != nil {
				return nil, err
			}
		}
		out = append(out, e)
	}
	if !lambdas {
		if a.Dialect == sql.Spark {
			nullCollections(f, out)
		}
		return wrapBodies(f, out), nil
	}
	err := a.lambdas(ctx, x, f, out, s)
	return wrapBodies(f, out), err
}

// folded computes an expression that reads no row; its name stays. Collections are left to the functions.
func (a *Analyzer) folded(ctx context.Context, x sql.Expr, e expr.Expr) (expr.Expr, error) {
	_, cast := e.(*expr.Cast)
	written := functions.IsConstant(e) && !(cast && e.Type().Kind == types.String) // the text of a cast value is another
	if a.Eval == nil || written || !functions.Foldable(e) || e.Type().Kind >= types.Array {
		return e, nil
	}
	v, err := a.Eval(ctx, x, e.Type())
	if err != nil {
		return nil, err
	}
	l := &expr.Lit{Value: v, Name: NameOf(a.Dialect, e)}
	l.T, l.Null, l.At = e.Type(), e.Nullable(), e.Span()
	return l, nil
}

// keys resolves sort items; NULLs come first ascending and last descending in Spark, always last in Trino.
func (a *Analyzer) keys(ctx context.Context, items []sql.SortItem, s *scope) ([]expr.SortKey, error) {
	out := make([]expr.SortKey, len(items))
	for i, it := range items {
		e, err := a.expr(ctx, it.X, s)
		if err != nil {
			return nil, err
		}
		out[i] = a.key(it, e)
		if err := a.orderable(out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (a *Analyzer) key(it sql.SortItem, e expr.Expr) expr.SortKey {
	first := a.Dialect == sql.Spark && !it.Desc
	switch it.Nulls {
	case "FIRST":
		first = true
	case "LAST":
		first = false
	}
	return expr.SortKey{X: e, Desc: it.Desc, NullsFirst: first, InnerNullsLowest: a.Dialect == sql.Spark}
}
