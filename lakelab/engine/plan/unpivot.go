package plan

import (
	"context"
	"errors"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// unpivot turns columns into rows: for each row and each IN entry one with the entry's name and values.
func (a *Analyzer) unpivot(ctx context.Context, u *sql.Unpivot, s *scope) (Node, error) {
	child, err := a.relation(ctx, u.Rel, s)
	if err != nil {
		return nil, err
	}
	sc := &scope{columns: child.Output(), outer: s}
	used := map[*expr.Column]bool{}
	rows := make([][]expr.Expr, len(u.Columns))
	labels := make([]string, len(u.Columns))
	for i := range u.Columns {
		it := &u.Columns[i]
		if len(it.Columns) != len(u.Values) {
			return nil, errclass.UnpivotSize().At(u.Span())
		}
		parts := make([]string, len(it.Columns))
		for j := range it.Columns {
			e, err := a.column(&it.Columns[j], sc)
			if err != nil {
				return nil, err
			}
			mentions(e, used)
			rows[i] = append(rows[i], e)
			parts[j] = it.Columns[j].Parts[len(it.Columns[j].Parts)-1].Text
		}
		labels[i] = strings.Join(parts, "_")
		if it.Alias != nil {
			labels[i] = it.Alias.Text
		}
	}
	fields := []types.Field{{Name: u.NameColumn.Text, Type: types.Of(types.String)}}
	for j, v := range u.Values {
		ts := make([]types.Type, len(rows))
		null := false
		for i := range rows {
			ts[i] = rows[i][j].Type()
			null = null || rows[i][j].Nullable()
		}
		t, ok := functions.CommonType(a.Dialect, ts...)
		if !ok || mixesText(ts) {
			return nil, errclass.UnpivotTypes(labels, ts).At(u.Span())
		}
		for i := range rows {
			rows[i][j], _ = functions.Coerce(rows[i][j], t)
		}
		fields = append(fields, types.Field{Name: v.Text, Type: t, Nullable: null && u.IncludeNulls || null})
	}
	call := &expr.Call{Name: "unpivot", Func: &expr.Func{Name: "unpivot", Kind: expr.Generator, Duck: printRows}}
	for i, r := range rows {
		l := &expr.Lit{Value: labels[i]}
		l.T = types.Of(types.String)
		call.Args = append(append(call.Args, l), r...)
	}
	call.T, call.At, call.Extra = types.StructOf(fields...), u.Span(), len(fields)
	g := newGenerate(call, false, nil)
	g.Child = child
	var n Node = g
	if !u.IncludeNulls {
		if n, err = a.anyNotNull(g, g.Columns[1:], u); err != nil {
			return nil, err
		}
	}
	var items []Item
	for _, c := range visible(child.Output()) {
		if !used[c] {
			items = append(items, a.itemOf(ref(c)))
		}
	}
	for _, c := range g.Columns {
		items = append(items, a.itemOf(ref(c)))
	}
	return a.alias(&Project{Items: items, Child: n}, u.Alias, u)
}

// mixesText reports whether some types are STRING and others, but for NULL's, are not: UNPIVOT does not cast between them.
func mixesText(ts []types.Type) bool {
	text := slices.ContainsFunc(ts, func(t types.Type) bool { return t.Kind == types.String })
	return text && slices.ContainsFunc(ts, func(t types.Type) bool { return t.Kind != types.String && t.Kind != types.Null })
}

// anyNotNull keeps the rows in which a value is there.
func (a *Analyzer) anyNotNull(n Node, cols []*expr.Column, at sql.Node) (Node, error) {
	var cond expr.Expr
	for _, c := range cols {
		e, err := functions.Resolve(a.Dialect, "isnotnull", []expr.Expr{ref(c)}, at.Span())
		if err != nil {
			return nil, err
		}
		if cond == nil {
			cond = e
		} else if cond, err = functions.Resolve(a.Dialect, "or", []expr.Expr{cond, e}, at.Span()); err != nil {
			return nil, err
		}
	}
	return &Filter{Cond: cond, Child: n}, nil
}

// printRows prints rows of Extra columns each.
func printRows(c *expr.Call, args []string) string {
	width := c.Extra.(int)
	var rows []string
	for i := 0; i < len(args); i += width {
		fields := make([]string, width)
		for j := range fields {
			fields[j] = "c" + itoa(j+1) + ": " + args[i+j]
		}
		rows = append(rows, "{"+strings.Join(fields, ", ")+"}")
	}
	return "[" + strings.Join(rows, ", ") + "]"
}

// pipeSet is rel |> SET a = e, b = f: each replaces a column that exists and sees the ones before it.
func (a *Analyzer) pipeSet(ctx context.Context, p *sql.PipeSet, s *scope) (Node, error) {
	n, err := a.relation(ctx, p.Rel, s)
	if err != nil {
		return nil, err
	}
	for i := range p.Set {
		set := &p.Set[i]
		cols := visible(n.Output())
		sc := &scope{columns: cols, outer: s}
		target, err := a.column(&set.Column, sc)
		if err != nil {
			return nil, err
		}
		e, err := a.expr(ctx, set.Value, sc)
		if err != nil {
			return nil, err
		}
		items := pass(cols)
		for j, c := range cols {
			if r, ok := target.(*expr.Ref); ok && r.Column == c {
				items[j] = NewItem(c.Name, e)
			}
		}
		b := &block{a: a, scope: sc, items: items, child: n}
		n = b.finish(nil, false)
	}
	return n, nil
}

// sample is TABLESAMPLE.
func (a *Analyzer) sample(ctx context.Context, n Node, sm *sql.Sample, at sql.Node) (Node, error) {
	if sm == nil {
		return n, nil
	}
	out := &Sample{Child: n}
	if sm.Seed != nil {
		v, err := a.Eval(ctx, sm.Seed, types.Of(types.Long))
		if err != nil {
			return nil, err
		}
		if seed, ok := v.(int64); ok {
			out.Seed = &seed
		}
	}
	switch sm.Kind {
	case "BUCKET":
		if sm.Of <= 0 || sm.Out > sm.Of {
			return nil, errclass.SampleFraction(float64(sm.Out) / float64(max(sm.Of, 1))).At(at.Span())
		}
		out.Percent = 100 * float64(sm.Out) / float64(sm.Of)
	case "ROWS":
		rows, err := a.constantInt(ctx, sm.X, "limit", sm.X.Span())
		if err != nil {
			return nil, err
		}
		return &Limit{N: rows, Child: n}, nil // as Spark does it
	default:
		if a.Dialect == sql.Trino {
			x, err := a.expr(ctx, sm.X, &scope{})
			var e *errclass.Error
			if errors.As(err, &e) && e.Class == "COLUMN_NOT_FOUND" {
				return nil, errclass.TrinoSample("EXPRESSION_NOT_CONSTANT", "cannot contain column references").At(sm.X.Span())
			}
			if err != nil {
				return nil, err
			}
			if t := x.Type(); !t.IsNumeric() && t.Kind != types.Null {
				return nil, errclass.TrinoSample("TYPE_MISMATCH", "should be a numeric expression").At(sm.X.Span())
			}
		}
		v, err := a.Eval(ctx, sm.X, types.Of(types.Double))
		if err != nil {
			return nil, err
		}
		p, _ := v.(float64)
		if a.Dialect == sql.Trino {
			switch {
			case v == nil:
				return nil, errclass.TrinoSample("INVALID_ARGUMENTS", "cannot be NULL").At(sm.X.Span())
			case p < 0:
				return nil, errclass.TrinoSample("NUMERIC_VALUE_OUT_OF_RANGE", "must be greater than or equal to 0").At(sm.X.Span())
			case p > 100:
				return nil, errclass.TrinoSample("NUMERIC_VALUE_OUT_OF_RANGE", "must be less than or equal to 100").At(sm.X.Span())
			}
		}
		if p < 0 || p > 100 {
			return nil, errclass.SampleFraction(p / 100).At(at.Span())
		}
		out.Percent = p
	}
	if out.Percent == 0 {
		return &Limit{N: 0, Child: n}, nil
	}
	if out.Seed != nil && a.Dialect == sql.Spark {
		return a.seededSample(n, *out.Seed, out.Percent/100, at)
	}
	return out, nil
}

// seededSample keeps the rows whose number from Spark's sequence for the seed lies below the fraction.
func (a *Analyzer) seededSample(n Node, seed int64, fraction float64, at sql.Node) (Node, error) {
	number, err := functions.Resolve(a.Dialect, "rand", []expr.Expr{lit(seed, types.Of(types.Long))}, at.Span())
	if err != nil {
		return nil, err
	}
	cond, err := functions.Resolve(a.Dialect, "<", []expr.Expr{number, lit(fraction, types.Of(types.Double))}, at.Span())
	return &Filter{Cond: cond, Child: n}, err
}
