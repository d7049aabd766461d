package plan

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// The rules that Spark's pipe operators add to those of SELECT.

// pipeKeys makes whole numbers in the GROUP BY of |> AGGREGATE mean columns of its input, in the select list too.
func (a *Analyzer) pipeKeys(q *sql.Select, columns []*expr.Column) (*sql.Select, error) {
	out := *q
	out.Items, out.GroupBy = append([]sql.Expr{}, q.Items...), append([]sql.Expr{}, q.GroupBy...)
	in := visible(columns)
	for i, x := range out.GroupBy {
		c, ok, err := a.ordinal(x, in, "GROUP_BY")
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		at := sql.At{Pos: x.Span()}
		id := &sql.Ident{At: at}
		for _, part := range append(append([]string{}, c.Qualifier...), c.Name) {
			id.Parts = append(id.Parts, sql.Name{At: at, Text: part, Quoted: true})
		}
		out.GroupBy[i] = id
		if al, ok := out.Items[i].(*sql.Aliased); ok {
			k := *al
			k.X = id
			out.Items[i] = &k
		} else {
			out.Items[i] = id
		}
	}
	return &out, nil
}

// checkPipe checks the items of |> SELECT, EXTEND and AGGREGATE.
func (a *Analyzer) checkPipe(q *sql.Select, items []Item) error {
	switch q.Pipe {
	case "SELECT", "EXTEND":
		for _, it := range items {
			if hasAggregate(it.X) {
				return errclass.PipeAggregate(SQLOf(it.X), q.Pipe).At(q.Span())
			}
		}
	case "AGGREGATE":
		for _, it := range items[min(len(q.GroupBy), len(items)):] {
			switch {
			case anyExpr(it.X, isWindow):
				return errclass.PipeAggregateCase("window functions").At(q.Span())
			case anyExpr(it.X, isGroupingCall):
				return errclass.PipeAggregateCase("GROUPING").At(q.Span())
			case !hasAggregate(it.X):
				return errclass.PipeNoAggregate(SQLOf(it.X)).At(q.Span())
			}
		}
	}
	return nil
}

func isGroupingCall(e expr.Expr) bool {
	c, ok := e.(*expr.Call)
	return ok && (c.Func.Name == groupingName || c.Func.Name == groupingIDName)
}

// extendStar refuses * among the expressions of |> EXTEND; the first one is the input's own.
func extendStar(q *sql.Select) error {
	if q.Pipe != "EXTEND" {
		return nil
	}
	for _, x := range q.Items[1:] {
		if st, ok := x.(*sql.Star); ok {
			return errclass.InvalidStar().At(st.Span())
		}
	}
	return nil
}

// overlapping finds a column that stands twice in EXCEPT or |> DROP; nil if there is none.
func overlapping(list []sql.Ident) *sql.Ident {
	seen := map[string]bool{}
	for i := range list {
		parts := make([]string, len(list[i].Parts))
		for j, p := range list[i].Parts {
			parts[j] = strings.ToLower(p.Text)
		}
		key := types.Quote(strings.Join(parts, "`.`"))
		if seen[key] {
			return &list[i]
		}
		seen[key] = true
	}
	return nil
}
