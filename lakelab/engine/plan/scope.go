package plan

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
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
	// first are names that win over the columns: the select list's, in ORDER BY and HAVING.
	first []Item
	// last are names for what no column is called: the select list's in GROUP BY; with lateral set, those further left in the
	// same select list.
	last    []Item
	lateral bool
	// made are the windows of time that GROUP BY makes, known by their functions' names.
	made []*expr.Call
	// below are the columns that the DataFrame's own steps left out; a DataFrame's filter and sort reach them.
	below []*expr.Column
	// suggest are the columns that an error proposes, if not columns.
	suggest []*expr.Column
	// routine are the parameters of the SQL function whose body this is.
	routine *routineScope
	// windows are the named windows of the SELECT.
	windows []sql.NamedWindow
	// query is the place of the SELECT, where Spark reports some errors.
	query token.Span
	// opaqueGenerators lets a generator stand as a value, for a message to print the expression around it.
	opaqueGenerators bool
	// forbidAggregates says where aggregate functions may not stand, in Spark's words; empty: they may.
	forbidAggregates string
	// aggregate is the call whose argument is resolved, where forbidAggregates is NESTED.
	aggregate *sql.Call
}

// around is the place of the SELECT, or at where there is none.
func (s *scope) around(at token.Span) token.Span {
	if s.query == (token.Span{}) {
		return at
	}
	return s.query
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

// asWritten are the parts of a name as they are written: results show them so.
func asWritten(parts []sql.Name) []string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = p.Text
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
	if id.Frame != 0 {
		return a.frameColumn(id, s)
	}
	parts := a.texts(id.Parts)
	level := 0
	for sc := s; sc != nil; sc = sc.outer {
		e, err := a.columnIn(id, parts, sc, level)
		if e != nil || err != nil {
			return e, err
		}
		if level > 0 && sc.hasNames() && !sc.isBody() && a.Dialect == sql.Spark {
			break // a subquery sees the query around it, not those around that one
		}
		if level == 0 {
			if e := a.bareFunction(id, parts); e != nil {
				return e, nil
			}
		}
		level++
	}
	if e, err := a.variable(id, parts); e != nil || err != nil {
		return e, err
	}
	return nil, a.unresolved(id, parts, s)
}

// hasNames tells the scope of a query, or of a function's body, from those that only carry common table expressions.
func (s *scope) hasNames() bool {
	return len(s.columns) > 0 || s.query != (token.Span{}) || s.routine != nil
}

// isBody reports whether the query of a scope is a function's body: its subqueries still see the parameters.
func (s *scope) isBody() bool {
	for o := s.outer; o != nil; o = o.outer {
		if o.hasNames() {
			return o.routine != nil && o.routine.query
		}
	}
	return false
}

func (a *Analyzer) columnIn(id *sql.Ident, parts []string, s *scope, level int) (expr.Expr, error) {
	for _, p := range s.params {
		if strings.EqualFold(p.Name, parts[0]) {
			r := at(ref(p), id.Span())
			r.Spelled = parts[0]
			return a.fields(r, id, parts[1:])
		}
	}
	if e, err := a.itemNamed(id, parts, s.first, false); e != nil || err != nil {
		return e, err
	}
	// The longest prefix that names a column wins; what is left are fields.
	for n := len(parts); n > 0; n-- {
		var found []*expr.Column
		for _, c := range s.columns {
			if matches(c, parts[:n]) && (!c.Hidden || n > 1) {
				found = append(found, c)
			}
		}
		if len(found) > 1 {
			return nil, a.ambiguous(parts, found, id.Span())
		}
		if len(found) == 1 {
			r := at(ref(found[0]), id.Span())
			r.Outer, r.Spelled = level, parts[n-1]
			return a.fields(r, id, parts[n:])
		}
	}
	for _, c := range s.made {
		if strings.EqualFold(c.Func.Name, parts[0]) {
			return a.fields(c, id, parts[1:])
		}
	}
	if s.routine != nil {
		return a.parameter(id, parts, s.routine, level)
	}
	if e, err := a.itemNamed(id, parts, s.last, s.lateral); e != nil || err != nil || s.below == nil {
		return e, err
	}
	return a.columnIn(id, parts, &scope{columns: s.below}, level)
}

// itemNamed finds the select item with a name. Two items of one name are ambiguous unless they are the same column.
func (a *Analyzer) itemNamed(id *sql.Ident, parts []string, items []Item, lateral bool) (expr.Expr, error) {
	if len(items) == 0 {
		return nil, nil
	}
	for n := len(parts); n > 0; n-- {
		var found []Item
		for _, it := range items {
			if !matches(it.Column, parts[:n]) {
				continue
			}
			same := false
			for _, f := range found {
				x, ok1 := f.X.(*expr.Ref)
				y, ok2 := it.X.(*expr.Ref)
				same = same || ok1 && ok2 && x.Column == y.Column && f.Column.Qualifier != nil && it.Column.Qualifier != nil
			}
			if !same {
				found = append(found, it)
			}
		}
		if len(found) > 1 {
			if lateral {
				return nil, errclass.AmbiguousLateralAlias(parts, len(found)).At(id.Span())
			}
			return nil, a.ambiguous(parts, columnsOf(found), id.Span())
		}
		if len(found) == 0 {
			continue
		}
		x := found[0].X
		name := ""
		switch {
		case lateral:
			name = "lateralAliasReference(" + strings.Join(parts, ".") + ")"
		case n == 1:
			name = parts[0]
		}
		if r, ok := x.(*expr.Ref); ok && !lateral {
			c := *r
			c.At, c.Spelled = id.Span(), parts[n-1]
			return a.fields(&c, id, parts[n:])
		}
		if name != "" {
			al := &expr.Alias{X: x, Name: name}
			al.T, al.Null, al.At = x.Type(), x.Nullable(), id.Span()
			x = al
		}
		return a.fields(x, id, parts[n:])
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

// field reads a field of a struct, the same field of every struct in an array, or the value of a map's key.
func (a *Analyzer) field(x expr.Expr, name string, sp token.Span) (expr.Expr, error) {
	t := x.Type()
	structs := t
	switch {
	case t.Kind == types.Struct:
	case a.Dialect == sql.Trino:
		return nil, errclass.TrinoNotRow(NameOf(a.Dialect, x)).At(sp)
	case t.Kind == types.Array && t.Elem.Kind == types.Struct:
		structs = *t.Elem
	case t.Kind == types.Array || t.Kind == types.Map:
		key := &expr.Lit{Value: name}
		key.T, key.At = types.Of(types.String), sp
		e, err := functions.Resolve(a.Dialect, "subscript", []expr.Expr{x, key}, sp)
		if err != nil {
			return nil, a.explain(err, &expr.Call{Func: functions.Lookup(a.Dialect, "subscript"), Name: "subscript", Args: []expr.Expr{x, key}})
		}
		return e, nil
	default:
		return nil, errclass.InvalidExtractBase(NameOf(a.Dialect, x), t).At(sp)
	}
	at := -1
	for i, f := range structs.Fields {
		if strings.EqualFold(f.Name, name) {
			if at >= 0 {
				return nil, errclass.AmbiguousField(name, 2).At(sp)
			}
			at = i
		}
	}
	if at < 0 && a.Dialect == sql.Trino {
		return nil, errclass.TrinoColumnReference(name).At(sp)
	}
	if at < 0 {
		return nil, errclass.StructFieldNotFound(name, structs).At(sp)
	}
	f := structs.Fields[at]
	if t.Kind == types.Array {
		return fieldOfEach(x, at, f, t.ElemNull, sp), nil
	}
	e := &expr.Field{X: x, Index: at, Name: f.Name}
	e.T, e.Null, e.At = f.Type, f.Nullable || x.Nullable(), sp
	return e, nil
}

// fieldOfEach reads a field of every element of an array of structs.
func fieldOfEach(x expr.Expr, at int, f types.Field, elemNull bool, sp token.Span) expr.Expr {
	c := &expr.Call{Name: f.Name, Args: []expr.Expr{x}, Func: &expr.Func{
		Name: "array_field_" + itoa(at),
		Duck: func(_ *expr.Call, a []string) string {
			return "list_transform(" + a[0] + ", lambda _f: struct_extract(_f, '" + strings.ReplaceAll(f.Name, "'", "''") + "'))"
		},
		Pretty: func(_ *expr.Call, a []string) string { return a[0] + "." + f.Name },
	}}
	c.T, c.Null, c.At = types.ArrayOf(f.Type, f.Nullable || elemNull), x.Nullable(), sp
	return c
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
	cols := s.suggest
	if cols == nil {
		cols = s.columns
	}
	var names [][]string
	for _, c := range cols {
		if c.Hidden || c.Meta {
			continue
		}
		if len(c.Qualifier) == 1 && c.Qualifier[0] == noAlias {
			names = append(names, []string{c.Name})
			continue
		}
		names = append(names, append(append([]string{}, c.Qualifier...), c.Name))
	}
	return errclass.UnresolvedColumn(parts, names).At(id.Span())
}

// noAlias is the qualifier that Spark gives to a subquery in FROM without an alias.
const noAlias = "__auto_generated_subquery_name"

// visible leaves out the columns that * leaves out.
func visible(cols []*expr.Column) []*expr.Column {
	for i, c := range cols {
		if c.Hidden || c.Meta {
			out := append([]*expr.Column{}, cols[:i]...)
			for _, c := range cols[i:] {
				if !c.Hidden && !c.Meta {
					out = append(out, c)
				}
			}
			return out
		}
	}
	return cols
}

// requalify gives fresh columns that pass a relation through under an alias; a table's hidden columns stay hidden.
func requalify(cols []*expr.Column, qualifier []string, names []string) []Item {
	shown := visible(cols)
	for _, c := range cols {
		if c.Meta {
			shown = append(shown[:len(shown):len(shown)], c)
		}
	}
	cols = shown
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

// Unnamed is what Trino calls the column at a place, from 0, that has no name.
func Unnamed(place int) string { return "_col" + itoa(place) }
