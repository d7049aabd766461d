package functions

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

func window(name, doc string, kind types.Kind) *expr.Func {
	f := row(name+"()", "-> void", doc, name+"()")
	f.Kind = expr.WindowOnly
	f.Resolve = func(c *expr.Call) error {
		if len(c.Args) != 0 && (name == "row_number" || name == "cume_dist" || c.Func.Dialect == sql.Trino) {
			return errclass.WrongNumArgs(name, "0", len(c.Args))
		}
		c.T = types.Of(kind)
		if c.Func.Dialect == sql.Trino && kind == types.Int {
			c.T = types.Of(types.Long)
		}
		return nil
	}
	f.Duck = func(c *expr.Call, _ []string) string { return typedAs(c.T, agg(c, name, "", "")) }
	return f
}

// shifted is lag and lead: expr, offset, default.
func shifted(name string) *expr.Func {
	f := ruled(name+"(expr[, offset[, default]])", "expr of another row of the window", func(c *expr.Call) error {
		if n := len(c.Args); n < 1 || n > 3 {
			return errclass.WrongNumArgs(name, "[1, 2, 3]", n)
		}
		c.T, c.Null = c.Args[0].Type(), true
		if len(c.Args) == 3 {
			to, ok := common(c.Func.Dialect, c.T, c.Args[2].Type())
			if !ok || !to.Equal(c.T) {
				return errclass.DataDiffTypes(name, argTypes(c)[:1])
			}
			c.Args[2], _ = Coerce(c.Args[2], c.T)
			c.Null = c.Args[0].Nullable() || c.Args[2].Nullable()
		}
		return nil
	}, plain(name))
	f.Kind = expr.WindowOnly
	return defaults(3, f, "1", "NULL")
}

func windowOnly(f *expr.Func) *expr.Func {
	f.Kind = expr.WindowOnly
	return f
}

func init() {
	both(
		window("rank", "rank with gaps", types.Int), window("dense_rank", "rank without gaps", types.Int), window("row_number", "number of the row in its window", types.Int),
		window("percent_rank", "rank from 0 to 1", types.Double), window("cume_dist", "share of rows at or before this one", types.Double),
		shifted("lag"), shifted("lead"),
		windowOnly(ruled("ntile(n)", "number of the bucket, of n equal ones", func(c *expr.Call) error {
			err := parseRule("int -> int").resolve(c)
			if c.T, c.Null = types.Of(types.Int), false; c.Func.Dialect == sql.Trino {
				c.T = types.Of(types.Long)
			}
			return err
		}, func(c *expr.Call, a []string) string { return typedAs(c.T, agg(c, "ntile", a[0], "")) })),
		windowOnly(ruled("nth_value(expr, n)", "expr of the n-th row of the frame", func(c *expr.Call) error {
			err := typing("any, int -> void", argType(0))(c)
			c.Null = true
			return err
		}, plain("nth_value"))),
	)
	trino(
		windowOnly(ruled("first_value(expr)", "expr of the first row of the frame", extreme, plain("first_value"))), windowOnly(ruled("last_value(expr)", "expr of the last row of the frame", extreme, plain("last_value"))),
	)
}
