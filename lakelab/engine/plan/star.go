package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// star lists what *, t.* or s.* (the fields of a struct) stands for, the columns of EXCEPT left out.
func (a *Analyzer) star(st *sql.Star, s *scope) ([]Item, error) {
	out, err := a.starItems(st, s)
	if err != nil {
		return nil, err
	}
	if twice := overlapping(st.Except); twice != nil {
		var all []string
		for i := range st.Except {
			all = append(all, strings.Join(a.texts(st.Except[i].Parts), "."))
		}
		return nil, errclass.ExceptOverlapping(all).At(twice.Span())
	}
	for i := range st.Except {
		parts := a.texts(st.Except[i].Parts)
		kept := out[:0:0]
		for _, it := range out {
			if !matches(it.Column, parts) {
				kept = append(kept, it)
			}
		}
		if len(kept) == len(out) {
			if nested := a.exceptField(out, parts); nested {
				return nil, a.unsupported("EXCEPT of a struct's field", &st.Except[i])
			}
			return nil, a.unresolved(&sql.Ident{At: st.At, Parts: st.Except[i].Parts}, parts, &scope{columns: columnsOf(out)})
		}
		out = kept
	}
	return out, nil
}

// exceptField reports whether EXCEPT names a field of one of the columns.
func (a *Analyzer) exceptField(items []Item, parts []string) bool {
	for n := len(parts) - 1; n > 0; n-- {
		for _, it := range items {
			if matches(it.Column, parts[:n]) && it.Column.T.Kind == types.Struct {
				return true
			}
		}
	}
	return false
}

func (a *Analyzer) starItems(st *sql.Star, s *scope) ([]Item, error) {
	if st.Frame != 0 {
		return a.frameStar(st, s)
	}
	q := a.texts(st.Qualifier)
	var out []Item
	for _, c := range s.columns {
		if c.Meta {
			continue
		}
		if len(q) == 0 && !c.Hidden || len(q) > 0 && matches(c, append(append([]string{}, q...), c.Name)) {
			k := *c
			k.Hidden = false
			out = append(out, Item{Column: &k, X: ref(c)})
		}
	}
	if around := lateralColumns(s); around != nil && a.Dialect == sql.Spark && len(out) == 0 {
		if len(q) == 0 && len(s.columns) == 0 {
			return nil, nil // LATERAL (SELECT *) without FROM
		}
		if items := outerStar(around, q); len(items) > 0 && len(q) > 0 {
			return items, nil
		}
	}
	if len(q) == 0 && len(s.columns) == 0 {
		if a.Dialect == sql.Trino {
			return nil, errclass.TrinoStarWithoutFrom().At(st.Span())
		}
		return nil, errclass.InvalidStar().At(st.Span())
	}
	if len(q) == 0 || len(out) > 0 {
		return out, nil
	}
	// Not a relation: a struct.
	id := &sql.Ident{At: st.At, Parts: st.Qualifier}
	if e, err := a.columnIn(id, q, s, 0); err == nil && e != nil && e.Type().Kind == types.Struct {
		for i, f := range e.Type().Fields {
			x := &expr.Field{X: e, Index: i, Name: f.Name}
			x.T, x.Null, x.At = f.Type, f.Nullable || e.Nullable(), st.Span()
			out = append(out, NewItem(f.Name, x))
		}
		return out, nil
	}
	if a.Dialect == sql.Trino {
		return nil, errclass.TrinoTableNotFound(strings.Join(q, ".")).At(st.Span())
	}
	var have []string
	for _, c := range visible(s.columns) {
		have = append(have, c.Name)
	}
	return nil, errclass.CannotResolveStar(q, have).At(st.Span())
}

// starOf is a select item that stands for several columns, with the names that it gives them: Trino's row.* AS (a, b).
func starOf(x sql.Expr) (*sql.Star, []sql.Name) {
	var names []sql.Name
	if al, ok := x.(*sql.Aliased); ok {
		x, names = al.X, al.Names
	}
	st, _ := x.(*sql.Star)
	return st, names
}

// starNamed lists what a star stands for, under the names given if there are any.
func (a *Analyzer) starNamed(ctx context.Context, st *sql.Star, names []sql.Name, s *scope) (items []Item, err error) {
	if st.Row != nil {
		items, err = a.rowFields(ctx, st, s)
	} else {
		items, err = a.star(st, s)
	}
	if err != nil || len(names) == 0 {
		return items, err
	}
	if len(names) != len(items) {
		return nil, errclass.TrinoColumnAliases(len(names), len(items)).At(names[0].Span())
	}
	for i, n := range names {
		c := *items[i].Column
		if c.Name = n.Text; !n.Quoted {
			c.Name = strings.ToUpper(n.Text) // as the standard has names
		}
		items[i].Column = &c
	}
	return items, nil
}

// rowFields are the fields of a row that is no name.
func (a *Analyzer) rowFields(ctx context.Context, st *sql.Star, s *scope) ([]Item, error) {
	e, err := a.expr(ctx, st.Row, s)
	if err != nil {
		return nil, err
	}
	if e.Type().Kind != types.Struct {
		at := st.Span() // Trino points at the query
		if s.query != (token.Span{}) {
			at = s.query
		}
		return nil, errclass.TrinoNoRow().At(at)
	}
	var out []Item
	for i, f := range e.Type().Fields {
		x := &expr.Field{X: stripAlias(e), Index: i, Name: f.Name}
		x.T, x.Null, x.At = f.Type, true, st.Span()
		out = append(out, NewItem(f.Name, x))
	}
	return out, nil
}

// lateralColumns are the columns of the nearest query around this one.
func lateralColumns(s *scope) []*expr.Column {
	for o := s.outer; o != nil; o = o.outer {
		if len(o.columns) > 0 {
			return o.columns
		}
	}
	return nil
}

// outerStar is * or t.* over the columns of the query around: a lateral subquery may say it.
func outerStar(columns []*expr.Column, qualifier []string) []Item {
	var out []Item
	for _, c := range columns {
		if len(qualifier) == 0 && !c.Hidden || len(qualifier) > 0 && matches(c, append(append([]string{}, qualifier...), c.Name)) {
			k := *c
			k.Hidden = false
			x := ref(c)
			x.Outer = 1
			out = append(out, Item{Column: &k, X: x})
		}
	}
	return out
}
