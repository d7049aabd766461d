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
		if len(c.Args) > 1 && c.Func.Dialect == sql.Spark {
			if _, _, ok := constantNumber(c.Args[1]); !ok && c.Args[1].Type().IsIntegral() {
				got := Name(c.Args[1])
				if name == "lag" {
					got = "(- " + got + ")"
				}
				return errclass.NonFoldableInput("offset", 2, types.Of(types.Int)).WithArgument(`"` + got + `"`)
			}
		}
		if len(c.Args) == 3 {
			x, ok := coerceArg(c, c.Args[2], c.T)
			if !ok {
				return errclass.DataDiffTypes(name, argTypes(c)[:1])
			}
			c.Args[2] = x
			c.Null = c.Args[0].Nullable() || c.Args[2].Nullable()
		}
		return nil
	}, checkedCount(1, 0, "Offset must be at least 0", "Offset must not be null", plain(name)))
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
			spark := c.Func.Dialect == sql.Spark
			if spark && len(c.Args) > 1 {
				return errclass.WrongNumArgs("ntile", "[0, 1]", len(c.Args))
			}
			if spark && len(c.Args) == 1 {
				if t := c.Args[0].Type(); t.Kind != types.Int {
					return errclass.UnexpectedInputType("ntile", 1, t, types.Of(types.Int))
				}
				if v, null, ok := constantNumber(c.Args[0]); ok && !null && v < 1 {
					return errclass.ValueOutOfRange("buckets", "(0, 2147483647]", itoa(int(v)))
				}
			}
			if spark && len(c.Args) == 0 {
				one := &expr.Lit{Value: int64(1)}
				one.T = types.Of(types.Int)
				c.Args = []expr.Expr{one}
			}
			err := parseRule("int -> int").resolve(c)
			if c.T, c.Null = types.Of(types.Int), false; c.Func.Dialect == sql.Trino {
				c.T = types.Of(types.Long)
			}
			return err
		}, checkedCount(0, 1, "Buckets must be greater than 0", "", func(c *expr.Call, a []string) string { return typedAs(c.T, agg(c, "ntile", a[0], "")) }))),
		windowOnly(ruled("nth_value(expr, n)", "expr of the n-th row of the frame", func(c *expr.Call) error {
			if c.Func.Dialect == sql.Spark {
				if n := len(c.Args); n < 2 || n > 3 {
					return errclass.WrongNumArgs("nth_value", "[2, 3]", n)
				}
				if len(c.Args) == 3 {
					v, ok := constant(c.Args[2])
					b, isBool := v.(bool)
					if !ok || !isBool {
						return errclass.BooleanLiteral("ignoreNulls", "nth_value", Name(c.Args[2]))
					}
					c.IgnoreNulls = c.IgnoreNulls || b
					c.Args = c.Args[:2]
				}
				v, null, ok := constantNumber(c.Args[1])
				if k := c.Args[1].Type().Kind; k == types.String || k != types.Null && !c.Args[1].Type().IsNumeric() {
					ok, v = true, 1
				}
				switch {
				case !ok:
					return errclass.NonFoldableInput("offset", 2, types.Of(types.Int))
				case null || v < 1:
					return errclass.ValueOutOfRange("offset", "(0, 9223372036854775807]", itoa(int(v))+"L")
				}
			}
			err := typing("any, int -> void", argType(0))(c)
			c.Null = true
			return err
		}, checkedCount(1, 1, "Offset must be at least 1", "", plain("nth_value")))),
	)
	trino(
		windowOnly(ruled("first_value(expr)", "expr of the first row of the frame", extreme, plain("first_value"))), windowOnly(ruled("last_value(expr)", "expr of the last row of the frame", extreme, plain("last_value"))),
	)
}
