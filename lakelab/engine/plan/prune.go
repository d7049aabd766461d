package plan

import (
	"context"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

func i64(n int64) string { return strconv.FormatInt(n, 10) }

// nameSpan is the place of a table's name.
func nameSpan(r *sql.TableRef) token.Span {
	if len(r.Name) == 0 || r.Name[0].Span() == (token.Span{}) {
		return r.Span()
	}
	return token.Cover(r.Name[0].Span(), r.Name[len(r.Name)-1].Span())
}

// children lists a node's inputs.
func children(n Node) []Node {
	switch n := n.(type) {
	case *Project:
		return []Node{n.Child}
	case *Filter:
		return []Node{n.Child}
	case *Aggregate:
		return []Node{n.Child}
	case *Window:
		return []Node{n.Child}
	case *Join:
		return []Node{n.L, n.R}
	case *SetOp:
		return []Node{n.L, n.R}
	case *Distinct:
		return []Node{n.Child}
	case *Sort:
		return []Node{n.Child}
	case *Limit:
		return []Node{n.Child}
	case *Narrow:
		return []Node{n.Child}
	case *Generate:
		return []Node{n.Child}
	case *Sample:
		return []Node{n.Child}
	case *Remote:
		return []Node{n.Child}
	case *With:
		out := []Node{}
		for _, d := range n.Defs {
			out = append(out, d.Plan)
			if d.Step != nil {
				out = append(out, d.Step)
			}
		}
		return append(out, n.Child)
	}
	return nil
}

// expressions lists a node's expressions.
func expressions(n Node) []expr.Expr {
	var out []expr.Expr
	items := func(its []Item) {
		for _, it := range its {
			out = append(out, it.X)
		}
	}
	switch n := n.(type) {
	case *Project:
		items(n.Items)
	case *Filter:
		out = append(out, n.Cond)
	case *Aggregate:
		items(n.Groups)
		items(n.Aggs)
	case *Window:
		items(n.Items)
	case *Remote:
		items(n.Items)
	case *Join:
		if n.On != nil {
			out = append(out, n.On)
		}
	case *Sort:
		for _, k := range n.Keys {
			out = append(out, k.X)
		}
	case *Rows:
		for _, r := range n.Rows {
			out = append(out, r...)
		}
	case *Generate:
		out = append(out, n.Call)
		if n.Cond != nil {
			out = append(out, n.Cond)
		}
	}
	return out
}

// Visit walks a plan, the plans of its subqueries too.
func Visit(n Node, f func(Node)) {
	f(n)
	for _, x := range expressions(n) {
		subqueries(x, func(q *expr.Subquery) { Visit(q.Plan.(Node), f) })
	}
	for _, c := range children(n) {
		Visit(c, f)
	}
}

func subqueries(x expr.Expr, f func(*expr.Subquery)) {
	_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
		if q, ok := e.(*expr.Subquery); ok {
			f(q)
		}
		return nil, false, nil
	})
}

// Prune cuts the columns that nobody reads out of scans and projections.
func Prune(n Node) Node {
	used := map[*expr.Column]bool{}
	need := func(cols []*expr.Column) {
		for _, c := range cols {
			used[c] = true
		}
	}
	need(n.Output())
	// Every mention counts; a projection's own mentions count only for the items that are read, so go from the top down.
	var walk func(Node)
	mention := func(x expr.Expr) {
		_, _ = rewrite(x, func(e expr.Expr) (expr.Expr, bool, error) {
			switch e := e.(type) {
			case *expr.Ref:
				used[e.Column] = true
			case *expr.Subquery:
				sub := e.Plan.(Node)
				need(sub.Output())
				walk(sub)
			}
			return nil, false, nil
		})
	}
	walk = func(n Node) {
		switch n := n.(type) {
		case *Project:
			for _, it := range n.Items {
				if !used[it.Column] && computedAnyway(n, it) {
					used[it.Column] = true
				}
				if used[it.Column] {
					mention(it.X)
				}
			}
		case *SetOp:
			need(n.L.Output())
			need(n.R.Output())
		case *Distinct:
			need(n.Child.Output())
		case *Join:
			if n.Lateral {
				// The right side reads columns of the left one.
				if n.On != nil {
					mention(n.On)
				}
				walk(n.R)
				walk(n.L)
				return
			}
			if n.On != nil {
				mention(n.On)
			}
		case *With:
			for _, d := range n.Defs {
				need(d.Plan.Output())
				if d.Step != nil {
					need(d.Step.Output())
				}
			}
			walk(n.Child)
			for _, d := range n.Defs {
				walk(d.Plan)
				if d.Step != nil {
					walk(d.Step)
				}
			}
			return
		default:
			for _, x := range expressions(n) {
				mention(x)
			}
		}
		for _, c := range children(n) {
			walk(c)
		}
	}
	walk(n)
	cut(n, used, true)
	return n
}

// computedAnyway reports whether an item may fail that Spark computes though nobody reads it: see Constants.
func computedAnyway(n *Project, it Item) bool { return functions.MayFail(it.X) && OverLiterals(n) }

// cut removes unused columns; the top node's output stays.
func cut(n Node, used map[*expr.Column]bool, top bool) {
	for _, x := range expressions(n) {
		subqueries(x, func(q *expr.Subquery) { cut(q.Plan.(Node), used, true) })
	}
	switch n := n.(type) {
	case *Scan:
		if !top {
			var cols []*expr.Column
			var idx []int
			for i, c := range n.Columns {
				if used[c] {
					cols, idx = append(cols, c), append(idx, n.Indexes[i])
				}
			}
			n.Columns, n.Indexes = cols, idx
		}
	case *Narrow:
		if !top {
			var cols []*expr.Column
			for _, c := range n.Columns {
				if used[c] {
					cols = append(cols, c)
				}
			}
			n.Columns = cols
		}
	case *Project:
		if !top {
			var items []Item
			for _, it := range n.Items {
				if used[it.Column] {
					items = append(items, it)
				}
			}
			n.Items = items
		}
	}
	list := children(n)
	for i, c := range list {
		keep := false
		switch n.(type) {
		case *SetOp, *Distinct:
			keep = true
		case *With: // what is defined stays whole
			keep = top || i < len(list)-1
		}
		cut(c, used, keep)
	}
}

// Explaining is a source that says something about reading it under a filter, such as how many files that takes.
type Explaining interface {
	Source
	Explain(ctx context.Context, filter expr.Expr) string
}

// Explain draws a plan as a tree.
func Explain(ctx context.Context, n Node) string {
	var b strings.Builder
	b.WriteString("== Logical Plan ==\n")
	explain(ctx, &b, n, "")
	return b.String()
}

func explain(ctx context.Context, b *strings.Builder, n Node, indent string) {
	b.WriteString(indent + strings.TrimPrefix(typeName(n), "*plan."))
	switch n := n.(type) {
	case *Scan:
		b.WriteString(" " + strings.Join(n.Name, ".") + " [" + strings.Join(columnNames(n.Columns), ", ") + "]")
		if x, ok := n.Source.(Explaining); ok {
			b.WriteString(" " + x.Explain(ctx, n.Filter))
		}
	case *Filter:
		b.WriteString(" " + NameOf(sql.Spark, n.Cond))
	case *Project:
		b.WriteString(" [" + strings.Join(columnNames(n.Output()), ", ") + "]")
	case *Aggregate:
		b.WriteString(" groups [" + strings.Join(columnNames(columnsOf(n.Groups)), ", ") + "], aggregates [" + strings.Join(columnNames(columnsOf(n.Aggs)), ", ") + "]")
	case *Join:
		b.WriteString(" " + n.Kind)
		if n.On != nil {
			b.WriteString(" on " + NameOf(sql.Spark, n.On))
		}
	case *Limit:
		b.WriteString(" " + i64(n.N))
	}
	b.WriteString("\n")
	for _, c := range children(n) {
		explain(ctx, b, c, indent+"  ")
	}
}
