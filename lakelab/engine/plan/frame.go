package plan

import (
	"errors"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// identify remembers the columns of a DataFrame that others refer to by df.Col. A DataFrame that stands in a query twice
// (a self-join) gives two columns for each name.
func (a *Analyzer) identify(frame int64, n Node) {
	if a.frames == nil {
		a.frames = map[int64][]*expr.Column{}
	}
	for _, c := range n.Output() {
		if c.Attribute == 0 {
			a.attributes++
			c.Attribute = a.attributes
		}
		a.frames[frame] = append(a.frames[frame], c)
	}
}

// frameColumn resolves df.Col("a"): the column in scope that the DataFrame's column has become.
func (a *Analyzer) frameColumn(id *sql.Ident, s *scope) (expr.Expr, error) {
	parts := a.texts(id.Parts)
	for n := len(parts); n > 0; n-- {
		want := map[int64]bool{}
		for _, c := range a.frames[id.Frame] {
			if matches(c, parts[:n]) && (!c.Hidden || n > 1) {
				want[c.Attribute] = true
			}
		}
		if len(want) == 0 {
			continue
		}
		level := 0
		for sc := s; sc != nil; sc = sc.outer {
			var found []*expr.Column
			for _, c := range concat(sc.columns, sc.below) {
				if c.Attribute != 0 && want[c.Attribute] {
					found = append(found, c)
				}
			}
			if len(found) > 1 {
				return nil, errclass.AmbiguousSelfJoin(parts[n-1]).At(id.Span())
			}
			if len(found) == 1 {
				r := at(ref(found[0]), id.Span())
				r.Outer, r.Spelled = level, found[0].Name
				return a.fields(r, id, parts[n:])
			}
			level++
		}
		break
	}
	have := visible(s.columns)
	names := make([]string, len(have))
	same := false
	for i, c := range have {
		names[i] = c.Name
		same = same || strings.EqualFold(c.Name, parts[len(parts)-1])
	}
	return nil, errclass.MissingAttribute(parts[len(parts)-1], names, same).At(id.Span())
}

// frameStar is df.Col("*"): the columns in scope that come from the DataFrame.
func (a *Analyzer) frameStar(st *sql.Star, s *scope) ([]Item, error) {
	var out []Item
	for _, want := range a.frames[st.Frame] {
		if want.Hidden {
			continue
		}
		for _, c := range s.columns {
			if c.Attribute == want.Attribute {
				k := *c
				k.Hidden = false
				out = append(out, Item{Column: &k, X: ref(c)})
			}
		}
	}
	if len(out) == 0 {
		return nil, errclass.MissingAttribute("*", nil, false).At(st.Span())
	}
	return out, nil
}

// reaching runs the resolution of a DataFrame's filter or sort; a name that the relation lacks may be that of a column that its
// projections left out, as in df.select("a").filter("b > 1"). The relation then carries those columns, too.
func (a *Analyzer) reaching(n Node, s *scope, resolve func(*scope) error) (Node, error) {
	err := resolve(s)
	var e *errclass.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Class, "UNRESOLVED_COLUMN") && !strings.HasPrefix(e.Class, "MISSING_ATTRIBUTES") {
		return n, err
	}
	wide, extra := reachable(n)
	if len(extra) == 0 {
		return n, err
	}
	k := *s
	k.below = extra
	if again := resolve(&k); again != nil {
		return n, err
	}
	*s = k
	return wide, nil
}

// reachable makes a relation pass on the columns that its projections leave out, under names that it has not.
func reachable(n Node) (wide Node, extra []*expr.Column) {
	hides := func(c *expr.Column) bool {
		return slices.ContainsFunc(n.Output(), func(o *expr.Column) bool { return strings.EqualFold(o.Name, c.Name) })
	}
	switch n := n.(type) {
	case *Project:
		child, more := reachable(n.Child)
		k := &Project{Items: slices.Clone(n.Items), Child: child}
		for _, c := range concat(visible(n.Child.Output()), more) {
			if !hides(c) {
				out := *c
				k.Items = append(k.Items, Item{Column: &out, X: ref(c)})
				extra = append(extra, &out)
			}
		}
		return k, extra
	case *Filter:
		child, extra := reachable(n.Child)
		return &Filter{Cond: n.Cond, Child: child}, extra
	case *Sort:
		child, extra := reachable(n.Child)
		return &Sort{Keys: n.Keys, Child: child}, extra
	case *Narrow:
		child, more := reachable(n.Child)
		for _, c := range concat(visible(n.Child.Output()), more) {
			if !hides(c) {
				extra = append(extra, c)
			}
		}
		return &Narrow{Columns: concat(n.Columns, extra), Child: child}, extra
	}
	return n, nil
}
