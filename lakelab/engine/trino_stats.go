package engine

import (
	"context"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// SHOW STATS. Trino estimates from what its tables keep; here the rows are counted, so that the numbers are exact.

// trinoShowStats runs SHOW STATS FOR a table, a view or a query.
func (s *Session) trinoShowStats(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	var rel sql.Relation
	if st.Query != nil {
		rel = &sql.Derived{At: st.At, Query: st.Query}
	} else {
		if _, err := s.trinoRelation(ctx, st.Name, st); err != nil && !strings.Contains(st.Name[len(st.Name)-1].Text, "$") {
			return nil, errclass.Nowhere(err)
		}
		rel = &sql.TableRef{At: st.At, Name: st.Name}
	}
	n, err := a.Relation(ctx, rel)
	if err != nil {
		return nil, errclass.Nowhere(err)
	}
	fields := SchemaOf(n).Fields
	rows := make([][]any, 0, len(fields)+1)
	if s.keepsStats(n) && (s.catalogProperty(statistics) == "true" || !reads[*tableSource](n)) {
		if rows, err = s.columnStats(ctx, a, rel, fields, reads[*tpchSource](n)); err != nil {
			return nil, err
		}
	} else {
		for _, f := range fields {
			rows = append(rows, []any{f.Name, nil, nil, nil, nil, nil, nil})
		}
		rows = append(rows, make([]any, 7))
	}
	double := func(name string) types.Field {
		return types.Field{Name: name, Type: types.Of(types.Double), Nullable: true}
	}
	return local(rows, text("column_name", true), double("data_size"), double("distinct_values_count"), double("nulls_fraction"), double("row_count"), text("low_value", true), text("high_value", true)), nil
}

// keepsStats reports whether Trino knows statistics of what a query reads: of made-up tables it does not, and of TPC-H's at two scales only.
func (s *Session) keepsStats(n plan.Node) bool {
	known := true
	plan.EachScan(n, func(sc *plan.Scan) {
		switch src := sc.Source.(type) {
		case *metadataSource, *virtualSource:
			known = false
		case *tpchSource:
			known = known && (src.scale == 0.01 || src.scale == 1)
		}
	})
	return known
}

// reads reports whether a query reads from sources of a kind.
func reads[S plan.Source](n plan.Node) (yes bool) {
	plan.EachScan(n, func(sc *plan.Scan) {
		if _, ok := sc.Source.(S); ok {
			yes = true
		}
	})
	return yes
}

// columnStats counts a relation's rows, and of each column the NULLs, the different values, the bounds and the size of texts: of
// TPC-H's Trino counts it once for each value (sizesOnce).
func (s *Session) columnStats(ctx context.Context, a *plan.Analyzer, rel sql.Relation, fields []types.Field, sizesOnce bool) ([][]any, error) {
	at := sql.At{Pos: rel.Span()}
	name := sql.Name{At: at, Text: "rows"}
	star := &sql.Query{At: at, Body: &sql.Select{At: at, Items: []sql.Expr{&sql.Star{At: at}}, From: []sql.Relation{rel}}}
	from := &sql.Derived{At: at, Query: star, Alias: sql.Alias{Name: &name}}
	call := func(f string, distinct bool, args ...sql.Expr) sql.Expr {
		c := &sql.Call{At: at, Name: []sql.Name{{At: at, Text: f}}, Distinct: distinct}
		for _, x := range args {
			c.Args = append(c.Args, sql.Arg{X: x})
		}
		return c
	}
	items := []sql.Expr{call("count", false, &sql.Star{At: at})}
	for i, f := range fields {
		c := sql.Name{At: at, Text: "c" + strconv.Itoa(i), Quoted: true}
		from.Alias.Columns = append(from.Alias.Columns, c)
		col := &sql.Ident{At: at, Parts: []sql.Name{c}}
		items = append(items, call("count", false, col))
		null := sql.Expr(&sql.Literal{At: at, Kind: sql.NullLit})
		distinct, low, high, size := null, null, null, null
		if !nestedType(f.Type) {
			distinct = call("count", true, col)
		}
		if bounded(f.Type) {
			low, high = call("min", false, col), call("max", false, col)
		}
		switch f.Type.Kind {
		case types.String, types.Char:
			if sizesOnce {
				size = sizeOfEach(at, rel, i, len(fields), call)
				break
			}
			size = call("sum", false, call("length", false, call("to_utf8", false, &sql.Cast{At: at, X: col, Type: &sql.TypeName{At: at, Name: "VARCHAR"}})))
		case types.Binary:
			size = call("sum", false, call("length", false, col))
		}
		items = append(items, distinct, low, high, size)
	}
	n, err := a.Query(ctx, &sql.Query{At: at, Body: &sql.Select{At: at, Items: items, From: []sql.Relation{from}}})
	if err != nil {
		return nil, err
	}
	values, err := s.Collect(ctx, &Result{Node: n}, 1)
	if err != nil {
		return nil, err
	}
	row := values[0]
	total := float64(row[0].(int64))
	var out [][]any
	for i, f := range fields {
		out = append(out, statsRow(f, total, row[1+5*i:6+5*i]))
	}
	return append(out, []any{nil, nil, nil, nil, total, nil, nil}), nil
}

// sizeOfEach is the size of a column's texts, each counted once: (SELECT sum(length(to_utf8(c))) FROM (SELECT DISTINCT c FROM rel)).
func sizeOfEach(at sql.At, rel sql.Relation, column, columns int, call func(string, bool, ...sql.Expr) sql.Expr) sql.Expr {
	named := func(q *sql.Query, n int) *sql.Derived {
		d := &sql.Derived{At: at, Query: q, Alias: sql.Alias{Name: &sql.Name{At: at, Text: "rows"}}}
		for i := range n {
			d.Alias.Columns = append(d.Alias.Columns, sql.Name{At: at, Text: "c" + strconv.Itoa(i), Quoted: true})
		}
		return d
	}
	ident := func(i int) sql.Expr {
		return &sql.Ident{At: at, Parts: []sql.Name{{At: at, Text: "c" + strconv.Itoa(i), Quoted: true}}}
	}
	all := &sql.Query{At: at, Body: &sql.Select{At: at, Items: []sql.Expr{&sql.Star{At: at}}, From: []sql.Relation{rel}}}
	once := &sql.Query{At: at, Body: &sql.Select{At: at, Distinct: true, Items: []sql.Expr{ident(column)}, From: []sql.Relation{named(all, columns)}}}
	sum := call("sum", false, call("length", false, call("to_utf8", false, ident(0))))
	return &sql.Subquery{At: at, Query: &sql.Query{At: at, Body: &sql.Select{At: at, Items: []sql.Expr{sum}, From: []sql.Relation{named(once, 1)}}}}
}

// statsRow is a column's row: v holds the count, the different values, the bounds and the size.
func statsRow(f types.Field, total float64, v []any) []any {
	count := float64(v[0].(int64))
	row := []any{f.Name, nil, nil, nil, nil, nil, nil}
	if nestedType(f.Type) {
		return row
	}
	if count == 0 { // nothing is known but that
		row[1], row[2], row[3] = 0.0, 0.0, 1.0
		return row
	}
	row[3] = 1 - count/total
	if n, ok := v[1].(int64); ok {
		row[2] = float64(n)
	}
	row[5], row[6] = statsBound(f.Type, v[2]), statsBound(f.Type, v[3])
	if n, ok := v[4].(int64); ok {
		row[1] = float64(n)
	}
	return row
}

func nestedType(t types.Type) bool {
	return t.Kind == types.Array || t.Kind == types.Map || t.Kind == types.Struct
}

// bounded are the types whose least and greatest values are statistics.
func bounded(t types.Type) bool {
	return t.IsNumeric() || t.Kind == types.Boolean || t.Kind == types.Date || t.Kind == types.Timestamp || t.Kind == types.TimestampNTZ
}

// statsBound is a bound's text; there is none if it is no number.
func statsBound(t types.Type, v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case types.Micros:
		if t.Kind == types.Timestamp {
			return time.UnixMicro(int64(v)).UTC().Format("2006-01-02 15:04:05.000") + " UTC"
		}
		return time.UnixMicro(int64(v)).UTC().Format("2006-01-02 15:04:05.000000")
	case float64, float32:
		if text := types.Text(t, v, nil); text != "NaN" {
			return text
		}
		return nil
	case types.Dec:
		text := strings.TrimRight(string(v), "0")
		if !strings.Contains(text, ".") {
			text = string(v) + ".0"
		}
		if strings.HasSuffix(text, ".") {
			text += "0"
		}
		return text
	}
	return types.Text(t, v, nil)
}
