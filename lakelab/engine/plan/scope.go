package plan

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// scope is what names mean at one place: the columns of FROM, and those of the queries around it.
type scope struct {
	columns []*expr.Column
	outer   *scope
	ctes    *cteScope
	// params are a lambda's parameters, seen before any column.
	params []*expr.Column
	// aliases are select items by name: ORDER BY, HAVING and GROUP BY may use them.
	aliases []Item
	// lateral is set where the aliases are those further left in the same select list.
	lateral bool
	// windows are the named windows of the SELECT.
	windows []sql.NamedWindow
	// aggregates says where aggregate functions may not stand, in Spark's words; empty: they may.
	forbidAggregates string
}

// cteScope is a chain of common table expressions by name.
type cteScope struct {
	name string
	def  *CTE
	cols []string
	next *cteScope
}

func (s *cteScope) find(name string) *cteScope {
	for c := s; c != nil; c = c.next {
		if strings.EqualFold(c.name, name) {
			return c
		}
	}
	return nil
}

func (s *scope) cte(name string) *cteScope {
	for ; s != nil; s = s.outer {
		if c := s.ctes.find(name); c != nil {
			return c
		}
	}
	return nil
}

// texts are the parts of a name as they are compared.
func (a *Analyzer) texts(parts []sql.Name) []string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = p.Text
		if a.Dialect == sql.Trino && !p.Quoted {
			out[i] = strings.ToLower(p.Text)
		}
	}
	return out
}

// matches reports whether a column goes by a qualified name: the last part is its name, those before end its qualifier.
func matches(c *expr.Column, parts []string) bool {
	n := len(parts) - 1
	if !strings.EqualFold(c.Name, parts[n]) || n > len(c.Qualifier) {
		return false
	}
	for i := 0; i < n; i++ {
		if !strings.EqualFold(c.Qualifier[len(c.Qualifier)-n+i], parts[i]) {
			return false
		}
	}
	return true
}

// column resolves a name to a column, or to a field of a struct column.
func (a *Analyzer) column(id *sql.Ident, s *scope) (expr.Expr, error) {
	parts := a.texts(id.Parts)
	level := 0
	for sc := s; sc != nil; sc = sc.outer {
		e, err := a.columnIn(id, parts, sc, level)
		if e != nil || err != nil {
			return e, err
		}
		level++
	}
	return nil, a.unresolved(id, parts, s)
}

func (a *Analyzer) columnIn(id *sql.Ident, parts []string, s *scope, level int) (expr.Expr, error) {
	for _, p := range s.params {
		if strings.EqualFold(p.Name, parts[0]) {
			return a.fields(at(ref(p), id.Span()), id, parts[1:])
		}
	}
	// The longest prefix that names a column wins; what is left are fields.
	for n := len(parts); n > 0; n-- {
		var found []*expr.Column
		for _, c := range s.columns {
			if matches(c, parts[:n]) {
				found = append(found, c)
			}
		}
		if len(found) > 1 {
			return nil, a.ambiguous(parts, found, id.Span())
		}
		if len(found) == 1 {
			r := at(ref(found[0]), id.Span())
			r.Outer, r.Spelled = level, parts[n-1]
			if n < len(parts) && found[0].T.Kind != types.Struct && n == 1 {
				continue
			}
			return a.fields(r, id, parts[n:])
		}
	}
	if len(parts) == 1 {
		for _, it := range s.aliases {
			if strings.EqualFold(it.Column.Name, parts[0]) {
				if !s.lateral {
					return it.X, nil
				}
				al := &expr.Alias{X: it.X, Name: "lateralAliasReference(" + it.Column.Name + ")"}
				al.T, al.Null, al.At = it.X.Type(), it.X.Nullable(), id.Span()
				return al, nil
			}
		}
	}
	return nil, nil
}

func at(r *expr.Ref, s token.Span) *expr.Ref {
	r.At = s
	return r
}

// fields reads nested fields.
func (a *Analyzer) fields(x expr.Expr, id sql.Node, names []string) (expr.Expr, error) {
	for _, n := range names {
		f, err := a.field(x, n, id.Span())
		if err != nil {
			return nil, err
		}
		x = f
	}
	return x, nil
}

func (a *Analyzer) field(x expr.Expr, name string, sp token.Span) (expr.Expr, error) {
	t := x.Type()
	if t.Kind != types.Struct {
		return nil, errclass.InvalidExtractBase(NameOf(a.Dialect, x), t).At(sp)
	}
	for i, f := range t.Fields {
		if strings.EqualFold(f.Name, name) {
			e := &expr.Field{X: x, Index: i, Name: f.Name}
			e.T, e.Null, e.At = f.Type, f.Nullable || x.Nullable(), sp
			return e, nil
		}
	}
	return nil, errclass.StructFieldNotFound(name, t).At(sp)
}

func (a *Analyzer) ambiguous(parts []string, found []*expr.Column, sp token.Span) error {
	if a.Dialect == sql.Trino {
		return errclass.TrinoAmbiguous(strings.Join(parts, ".")).At(sp)
	}
	var names [][]string
	for _, c := range found {
		names = append(names, append(append([]string{}, c.Qualifier...), c.Name))
	}
	return errclass.AmbiguousReference(parts, names).At(sp)
}

func (a *Analyzer) unresolved(id *sql.Ident, parts []string, s *scope) error {
	if a.Dialect == sql.Trino {
		return errclass.TrinoColumnNotFound(strings.Join(parts, ".")).At(id.Span())
	}
	var names [][]string
	for sc := s; sc != nil && len(names) == 0; sc = sc.outer {
		for _, c := range sc.columns {
			names = append(names, append(append([]string{}, c.Qualifier...), c.Name))
		}
	}
	return errclass.UnresolvedColumn(parts, names).At(id.Span())
}

// requalify gives fresh columns that pass a relation through under an alias.
func requalify(cols []*expr.Column, qualifier []string, names []string) []Item {
	items := make([]Item, len(cols))
	for i, c := range cols {
		n := *c
		n.Qualifier = qualifier
		if i < len(names) {
			n.Name = names[i]
		}
		items[i] = Item{Column: &n, X: ref(c)}
	}
	return items
}
