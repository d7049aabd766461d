package functions

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

func window(name, signature, doc string, kind types.Kind) *expr.Func {
	return &expr.Func{Name: name, Kind: expr.WindowOnly, Signature: signature, Doc: doc, Resolve: func(c *expr.Call) error {
		if len(c.Args) != 0 {
			return errclass.WrongNumArgs(name, "0", len(c.Args))
		}
		c.T = types.Of(kind)
		return nil
	}, Duck: func(c *expr.Call, _ []string) string { return name + "()" }}
}

// shifted is lag and lead: expr, offset, default.
func shifted(name string) *expr.Func {
	return &expr.Func{Name: name, Kind: expr.WindowOnly, Signature: name + "(expr[, offset[, default]])", Doc: "expr of another row of the window",
		Resolve: func(c *expr.Call) error {
			if n := len(c.Args); n < 1 || n > 3 {
				return errclass.WrongNumArgs(name, "[1, 2, 3]", n)
			}
			c.T, c.Null = c.Args[0].Type(), true
			if len(c.Args) == 3 {
				c.Args[2], _ = Coerce(c.Args[2], c.T)
			}
			return nil
		}, Duck: call(name)}
}

func init() {
	both(
		window("rank", "rank()", "rank with gaps", types.Int),
		window("dense_rank", "dense_rank()", "rank without gaps", types.Int),
		window("row_number", "row_number()", "number of the row in its window", types.Int),
		window("percent_rank", "percent_rank()", "rank from 0 to 1", types.Double),
		window("cume_dist", "cume_dist()", "share of rows at or before this one", types.Double),
		shifted("lag"), shifted("lead"),
		&expr.Func{Name: "ntile", Kind: expr.WindowOnly, Signature: "ntile(n)", Doc: "number of the bucket, of n equal ones", Resolve: func(c *expr.Call) error {
			c.T = types.Of(types.Int)
			return one(c)
		}, Duck: call("ntile")},
	)
	for _, name := range []string{"rank", "dense_rank", "row_number", "ntile"} {
		Lookup(1, name).Resolve = asLong(Lookup(1, name).Resolve)
	}
}

// asLong gives Trino's bigint where Spark has int.
func asLong(resolve func(*expr.Call) error) func(*expr.Call) error {
	return func(c *expr.Call) error {
		err := resolve(c)
		c.T = types.Of(types.Long)
		return err
	}
}
