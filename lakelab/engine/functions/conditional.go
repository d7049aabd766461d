package functions

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	nullIfRow := ruled("nullif(a, b)", "NULL if a equals b, else a", nullIf, printNullIf)
	both(
		ruled("coalesce(expr, …)", "the first argument that is not NULL", firstOf, call("coalesce")),
		nullIfRow,
		looks("(IF($1, $2, $3))", ruled("if(cond, a, b)", "a if cond is true, else b", ifRule, func(_ *expr.Call, a []string) string {
			if len(a) == 2 {
				return "CASE WHEN " + a[0] + " THEN " + a[1] + " END"
			}
			return "CASE WHEN " + a[0] + " THEN " + a[1] + " ELSE " + a[2] + " END"
		})),
	)
	spark(
		ruled("greatest(a, b, …)", "the largest argument, NULLs left out", extremeRule, printExtreme("greatest", "DESC")), ruled("least(a, b, …)", "the smallest argument, NULLs left out", extremeRule, printExtreme("least", "ASC")),
		known("coalesce", ruled("ifnull(a, b)", "b if a is NULL, else a", firstOf, call("coalesce"))), known("coalesce", ruled("nvl(a, b)", "b if a is NULL, else a", firstOf, call("coalesce"))),
		ruled("nvl2(x, a, b)", "a unless x is NULL, else b", func(c *expr.Call) error {
			if len(c.Args) != 3 {
				return errclass.WrongNumArgs("nvl2", "3", len(c.Args))
			}
			t, ok := commonOf(c.Func.Dialect, c.Args[1:])
			if !ok {
				return errclass.DataDiffTypes("if", argTypes(c)[1:]).Shown("(IF(($1 IS NOT NULL), $2, $3))")
			}
			c.Args[1], _ = Coerce(c.Args[1], t)
			c.Args[2], _ = Coerce(c.Args[2], t)
			c.T, c.Null = t, nullable(c.Args[1:])
			return nil
		}, tmpl("CASE WHEN $1 IS NOT NULL THEN $2 ELSE $3 END")),
		ruled("nullifzero(x)", "NULL if x is 0, else x", func(c *expr.Call) error {
			if err := one(c); err != nil {
				return err
			}
			t := c.Args[0].Type()
			to, ok := common(sql.Spark, t, types.Of(types.Int))
			if !ok {
				return errclass.BinaryOpMismatch(int(sql.Spark), "=", t, types.Of(types.Int)).Shown("($1 = 0)")
			}
			c.T, c.Null, c.Extra = t, true, to
			return nil
		}, func(c *expr.Call, a []string) string {
			x := &expr.Cast{X: c.Args[0], Implicit: true}
			x.T, x.At = c.Extra.(types.Type), c.At
			return let(a[0], func(v string) string { return "CASE WHEN " + PrintCast(x, v) + " = 0 THEN NULL ELSE " + v + " END" })
		}), ruled("zeroifnull(x)", "0 if x is NULL, else x", zeroRule, tmpl("coalesce($1, 0)")),
		known("<=>", ruled("equal_null(a, b)", "true if equal or both NULL", func(c *expr.Call) error {
			if len(c.Args) != 2 {
				return errclass.WrongNumArgs("equal_null", "2", len(c.Args))
			}
			return Lookup(c.Func.Dialect, "<=>").Resolve(c)
		}, tmpl("($1 IS NOT DISTINCT FROM $2)"))),
		whenRow(),
		assertRow(),
		ruled("raise_error(message)", "an error of one's own", func(c *expr.Call) error {
			err := parseRule("string -> string?").resolve(c)
			c.T = types.Of(types.Null)
			return err
		}, func(c *expr.Call, a []string) string {
			return "CAST(" + Fail(c, "USER_RAISED_EXCEPTION", a[0]) + " AS INTEGER)"
		}),
	)
	Lookup(sql.Spark, "raise_error").Pretty = func(_ *expr.Call, a []string) string {
		return "raise_error(USER_RAISED_EXCEPTION, map(errorMessage, " + a[0] + "))"
	}
}

// Name is the name that Spark generates for an expression. Package plan, which knows it, sets it.
var Name func(x expr.Expr) string

func assertRow() *expr.Func {
	complaint := func(cond expr.Expr) string {
		name := Name(cond)
		if l, ok := cond.(*expr.Lit); ok && l.Value == nil {
			name = "null"
		}
		return "'" + name + "' is not true!"
	}
	f := ruled("assert_true(cond[, message])", "NULL, or an error unless cond is true", func(c *expr.Call) error {
		if n := len(c.Args); n < 1 || n > 2 {
			return errclass.WrongNumArgs("assert_true", "[1, 2]", n)
		}
		c.T, c.Null = types.Of(types.Null), true
		message := "'$1' is not true!"
		if len(c.Args) == 2 {
			message = "$2"
			x, ok := coerceArg(c, c.Args[1], types.Of(types.String))
			if !ok {
				return errclass.UnexpectedInputType("assert_true", 2, c.Args[1].Type(), types.Of(types.String))
			}
			c.Args[1] = x
		}
		if k := c.Args[0].Type().Kind; k != types.Boolean && k != types.Null {
			return errclass.UnexpectedInputType("assert_true", 1, c.Args[0].Type(), types.Of(types.Boolean)).Shown("(IF($1, NULL, raise_error(USER_RAISED_EXCEPTION, map(errorMessage, " + message + "))))")
		}
		c.Args[0], _ = Coerce(c.Args[0], types.Of(types.Boolean))
		return nil
	}, func(c *expr.Call, a []string) string {
		message := quote(complaint(c.Args[0]))
		if len(a) == 2 {
			message = a[1]
		}
		return "CASE WHEN " + a[0] + " THEN NULL ELSE CAST(" + Fail(c, "USER_RAISED_EXCEPTION", message) + " AS INTEGER) END"
	})
	f.Pretty = func(c *expr.Call, a []string) string {
		if len(a) == 1 {
			a = append(a[:1:1], complaint(c.Args[0]))
		}
		return "assert_true(" + join(a) + ")"
	}
	return f
}

// whenRow is CASE WHEN as a function.
func whenRow() *expr.Func {
	f := ruled("when(cond, value[, cond, value …][, else])", "the value of the first condition that is true", func(c *expr.Call) error {
		if len(c.Args) < 2 {
			return errclass.WrongNumArgs("when", "> 1", len(c.Args)).Nowhere()
		}
		var values []expr.Expr
		for i := 0; i < len(c.Args); i += 2 {
			if i+1 == len(c.Args) {
				values = append(values, c.Args[i])
				break
			}
			values = append(values, c.Args[i+1])
		}
		to, ok := commonOf(c.Func.Dialect, values)
		if !ok {
			ts := make([]types.Type, len(values))
			for i, v := range values {
				ts[i] = v.Type()
			}
			return errclass.CaseTypes(ts)
		}
		for i := 0; i+1 < len(c.Args); i += 2 {
			if t := c.Args[i].Type(); t.Kind != types.Boolean {
				return errclass.UnexpectedInputType("when", i+1, t, types.Of(types.Boolean))
			}
		}
		for i := range c.Args {
			if i%2 == 1 || i == len(c.Args)-1 {
				c.Args[i], _ = Coerce(c.Args[i], to)
			}
		}
		c.T, c.Null = to, nullable(values) || len(c.Args)%2 == 0 && !alwaysTrue(c.Args[len(c.Args)-2])
		return nil
	}, caseText)
	f.Pretty = func(c *expr.Call, a []string) string {
		if len(a) < 2 {
			return "when(" + join(a) + ")"
		}
		return caseText(c, a)
	}
	return f
}

// alwaysTrue is a last condition that leaves nothing to an ELSE.
func alwaysTrue(x expr.Expr) bool {
	v, ok := constant(x)
	return ok && v == true
}

func caseText(_ *expr.Call, a []string) string {
	s := "CASE"
	for i := 0; i < len(a); i += 2 {
		if i+1 == len(a) {
			return s + " ELSE " + a[i] + " END"
		}
		s += " WHEN " + a[i] + " THEN " + a[i+1]
	}
	return s + " END"
}

// nullWins gives NULL as soon as an argument is.
func nullWins(name string) func(*expr.Call, []string) string {
	return func(_ *expr.Call, a []string) string {
		at := make([]int, len(a))
		for i := range at {
			at[i] = i
		}
		return letAll(a, at, func(a []string) string {
			s := "CASE WHEN "
			for i, x := range a {
				if i > 0 {
					s += " OR "
				}
				s += x + " IS NULL"
			}
			return s + " THEN NULL ELSE " + name + "(" + join(a) + ") END"
		})
	}
}

func firstOf(c *expr.Call) error {
	two := c.Func.Name == "ifnull" || c.Func.Name == "nvl"
	if len(c.Args) == 0 || two && len(c.Args) != 2 {
		want := "> 0"
		if two {
			want = "2"
		}
		return errclass.WrongNumArgs(c.Func.Name, want, len(c.Args))
	}
	to, ok := CommonType(c.Func.Dialect, argTypes(c)...)
	if name := c.Func.Name; c.Func.Dialect == sql.Spark && (name == "greatest" || name == "least") {
		if mixesText(argTypes(c)) {
			ok = false
		} else if bad, is := unordered(to); is && ok {
			return errclass.InvalidOrdering(name, bad)
		}
	}
	if !ok {
		name := c.Func.Name
		if two {
			name = "coalesce"
		}
		return errclass.DataDiffTypes(name, argTypes(c))
	}
	coerceAll(c, to)
	c.T, c.Null = to, true
	for _, a := range c.Args {
		c.Null = c.Null && a.Nullable()
	}
	return nil
}

// mixesText reports whether some of the types are text and others are not: there is no common type without making text of all.
func mixesText(ts []types.Type) bool {
	for i, a := range ts {
		for _, b := range ts[:i] {
			if textMeets(a, b) {
				return true
			}
		}
	}
	return false
}

// textMeets reports whether one of two types is text where the other is not, in the parts of collections, too.
func textMeets(a, b types.Type) bool {
	switch {
	case a.Kind == types.Null || b.Kind == types.Null:
		return false
	case a.Kind == types.Array && b.Kind == types.Array:
		return textMeets(*a.Elem, *b.Elem)
	case a.Kind == types.Map && b.Kind == types.Map:
		return textMeets(*a.Key, *b.Key) || textMeets(*a.Value, *b.Value)
	case a.Kind == types.Struct && b.Kind == types.Struct && len(a.Fields) == len(b.Fields):
		for i, f := range a.Fields {
			if textMeets(f.Type, b.Fields[i].Type) {
				return true
			}
		}
		return false
	}
	return (a.Kind == types.String) != (b.Kind == types.String)
}

func extremeRule(c *expr.Call) error {
	if len(c.Args) < 2 {
		return errclass.WrongNumArgs(c.Func.Name, "> 1", len(c.Args))
	}
	return firstOf(c)
}

func nullIf(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs("nullif", "2", len(c.Args))
	}
	l := c.Args[0].Type()
	to, ok := common(c.Func.Dialect, l, c.Args[1].Type())
	if !ok {
		return errclass.BinaryOpMismatch(int(c.Func.Dialect), "=", l, c.Args[1].Type()).Shown("(commonexpressionref() = $2)")
	}
	c.T, c.Null, c.Extra = l, true, to
	return nil
}

// printNullIf compares in the common type and gives the first argument back in its own.
func printNullIf(c *expr.Call, a []string) string {
	to := c.Extra.(types.Type)
	cast := func(i int, s string) string {
		if c.Args[i].Type().Equal(to) {
			return s
		}
		x := &expr.Cast{X: c.Args[i], Implicit: true}
		x.T, x.At = to, c.At
		return PrintCast(x, s)
	}
	return letAll(a, []int{0}, func(b []string) string {
		return "CASE WHEN " + cast(0, b[0]) + " = " + cast(1, b[1]) + " THEN NULL ELSE " + b[0] + " END"
	})
}

func ifRule(c *expr.Call) error {
	if n := len(c.Args); n != 3 && (n != 2 || int(c.Func.Dialect) == 0) {
		return errclass.WrongNumArgs("if", "3", n)
	}
	cond, is := Coerce(c.Args[0], types.Of(types.Boolean))
	to, ok := CommonType(c.Func.Dialect, argTypes(c)[1:]...)
	if k := c.Args[0].Type().Kind; !is || k == types.String || k == types.Null && !ok {
		return errclass.UnexpectedInputType("if", 1, c.Args[0].Type(), types.Of(types.Boolean))
	}
	if !ok {
		return errclass.DataDiffTypes("if", argTypes(c)[1:])
	}
	c.Args[0] = cond
	for i := range c.Args[1:] {
		c.Args[i+1], _ = Coerce(c.Args[i+1], to)
	}
	c.T, c.Null = to, len(c.Args) == 2 || nullable(c.Args[1:])
	return nil
}

// zeroRule is coalesce(x, 0).
func zeroRule(c *expr.Call) error {
	if err := one(c); err != nil {
		return err
	}
	t, ok := common(c.Func.Dialect, c.Args[0].Type(), types.Of(types.Int))
	if !ok {
		return errclass.DataDiffTypes("coalesce", []types.Type{c.Args[0].Type(), types.Of(types.Int)}).Shown("coalesce($1, 0)")
	}
	coerceAll(c, t)
	c.T = t
	return nil
}
