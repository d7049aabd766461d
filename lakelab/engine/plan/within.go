package plan

import (
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// WITHIN GROUP (ORDER BY …): Spark's rules for the functions that take it.

// checkWithin checks WITHIN GROUP before the function is typed, and gives mode() its argument.
func (a *Analyzer) checkWithin(x *sql.Call, c *expr.Call) error {
	if a.Dialect != sql.Spark {
		return nil
	}
	name := c.Func.Name
	within := len(c.OrderBy) > 0
	switch name {
	case "listagg", "string_agg":
		return a.checkListAgg(c)
	case "percentile_cont", "percentile_disc", "mode":
	default:
		if within {
			return errclass.UnsupportedSyntax(name, "WITHIN GROUP (ORDER BY ...)").At(x.Span())
		}
		return nil
	}
	mandatory := name != "mode" || len(c.Args) == 0
	switch {
	case c.Distinct:
		return errclass.WithinGroup("DISTINCT_UNSUPPORTED", name, "The function does not support DISTINCT with WITHIN GROUP.").At(x.Span())
	case !within && mandatory:
		return errclass.WithinGroup("WITHIN_GROUP_MISSING", name, "WITHIN GROUP is required for the function.").At(x.Span())
	case within && mandatory && len(c.OrderBy) != 1:
		name = map[string]string{"percentile_cont": "PercentileCont", "percentile_disc": "PercentileDisc", "mode": "Mode"}[name] // Spark's classes
		fallthrough
	case within && !mandatory:
		return errclass.WithinGroup("WRONG_NUM_ORDERINGS", name, "The function requires "+map[bool]string{true: "1", false: "0"}[mandatory]+" orderings in WITHIN GROUP but got "+itoa(len(c.OrderBy))+".").At(x.Span())
	}
	if name == "mode" {
		return a.modeOrder(x, c)
	}
	return nil
}

// checkListAgg lets DISTINCT stand beside an order by the same expression only.
func (a *Analyzer) checkListAgg(c *expr.Call) error {
	if !c.Distinct || len(c.OrderBy) == 0 || len(c.Args) == 0 {
		return nil
	}
	joined := identity(c.Args[0])
	if k := c.Args[0].Type().Kind; k != types.String && k != types.Binary {
		joined = identity(&expr.Cast{X: c.Args[0], Base: expr.Base{T: types.Of(types.String)}}) // what is joined are texts
	}
	if len(c.OrderBy) > 1 || identity(c.OrderBy[0].X) != joined {
		keys := make([]string, len(c.OrderBy))
		for i, k := range c.OrderBy {
			keys[i] = `"` + NameOf(a.Dialect, k.X) + `"`
		}
		return errclass.WithinGroup("MISMATCH_WITH_DISTINCT_INPUT", c.Func.Name, `The function is invoked with DISTINCT and WITHIN GROUP but expressions "`+NameOf(a.Dialect, c.Args[0])+
			`" and `+strings.Join(keys, ", ")+" do not match. The WITHIN GROUP ordering expression must be picked from the function inputs.").At(c.Span())
	}
	return nil
}

// modeOrder reads mode() WITHIN GROUP (ORDER BY x) and mode(x, deterministic): of several most frequent values the first one in
// the order is taken.
func (a *Analyzer) modeOrder(x *sql.Call, c *expr.Call) error {
	switch {
	case len(c.OrderBy) == 1:
		c.Args = []expr.Expr{c.OrderBy[0].X}
		c.Func = modeNamed(c.Func, c.OrderBy[0].Desc)
	case len(c.Args) == 2:
		l, ok := c.Args[1].(*expr.Lit)
		switch {
		case !ok:
			return errclass.NonFoldableArgument("mode", "deterministic", types.Of(types.Boolean)).At(x.Span())
		case l.Value == nil:
			return a.explain(errclass.UnexpectedNull("`deterministic`").At(x.Span()), l)
		case l.T.Kind != types.Boolean:
			return errclass.UnexpectedArgument("mode", "second", NameOf(a.Dialect, l), l.T, "BOOLEAN").At(x.Span())
		}
		c.Args = c.Args[:1]
		if l.Value == true {
			c.OrderBy = []expr.SortKey{{X: c.Args[0]}}
			c.Func = modeNamed(c.Func, false)
		}
	}
	return nil
}

// modeNamed gives mode() the name that Spark generates: it reverses the order in it.
func modeNamed(f *expr.Func, desc bool) *expr.Func {
	k := *f
	k.Pretty = func(_ *expr.Call, args []string) string {
		if desc {
			return "mode() WITHIN GROUP (ORDER BY " + args[0] + ")"
		}
		return "mode() WITHIN GROUP (ORDER BY " + args[0] + " DESC)"
	}
	return &k
}

// nameWithin gives a typed call with WITHIN GROUP the name that Spark generates.
func nameWithin(c *expr.Call) {
	f := *c.Func
	switch f.Name {
	case "percentile_cont", "percentile_disc":
		desc := ""
		if functions.Descending(c) {
			desc = " DESC"
		}
		f.Pretty = func(c *expr.Call, args []string) string {
			return strings.ToLower(c.Func.Name) + "(" + args[1] + ") WITHIN GROUP (ORDER BY " + args[0] + desc + ")"
		}
	case "listagg", "string_agg":
		name, distinct, order := c.Func.Name, "", ""
		if c.Distinct {
			distinct = "DISTINCT "
		}
		if len(c.OrderBy) > 0 {
			name = "listagg" // also for string_agg
			order = " WITHIN GROUP (ORDER BY " + namer{}.keys(c.OrderBy) + ")"
		}
		f.Pretty = func(c *expr.Call, args []string) string {
			if len(args) == 1 {
				args = append(args, "NULL")
			}
			return name + "(" + distinct + strings.Join(args, ", ") + ")" + order
		}
	default:
		return
	}
	c.Func = &f
}

// withKeys is a call as Spark's errors name it: what WITHIN GROUP orders by is among its arguments.
func withKeys(c *expr.Call) *expr.Call {
	k, f := *c, *c.Func
	f.Pretty = nil
	k.Func = &f
	switch f.Name {
	case "percentile_cont", "percentile_disc":
		if len(c.OrderBy) == 1 { // the function has not been typed
			k.Args = append([]expr.Expr{c.OrderBy[0].X}, c.Args...)
		}
	case "listagg", "string_agg":
		if len(c.OrderBy) == 0 {
			return c
		}
		k.Args = slices.Clone(c.Args)
		if len(k.Args) == 1 {
			k.Args = append(k.Args, &expr.Lit{Base: expr.Base{T: types.Of(types.Null), Null: true}})
		}
		for _, key := range c.OrderBy {
			k.Args = append(k.Args, &expr.Alias{X: key.X, Name: namer{}.key(key)})
		}
	default:
		return c
	}
	return &k
}

// checkWithinWindow refuses an order or a frame where such a function runs over a window.
func (a *Analyzer) checkWithinWindow(w *expr.Window) error {
	switch w.Call.Func.Name {
	case "percentile_cont", "percentile_disc", "median":
	case "listagg", "string_agg":
		if len(w.Call.OrderBy) == 0 {
			return nil
		}
	default:
		return nil
	}
	if len(w.OrderBy) == 0 && w.Frame == nil {
		return nil
	}
	return errclass.WindowOfOrdered(NameOf(a.Dialect, withKeys(w.Call))).At(w.Span())
}
