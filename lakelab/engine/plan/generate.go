package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// A generator's function has Kind Generator. Its type is the struct of the columns it makes, under their default names, and its
// Duck prints a list with a struct {c1, c2, …} for each row that it makes. One whose name ends in _outer keeps rows for which it
// makes none.

// generatorCall finds the function of a generator call; nil if it is none.
func (a *Analyzer) generatorCall(x sql.Expr) (*sql.Call, *expr.Func) {
	c, ok := x.(*sql.Call)
	if !ok || len(c.Name) != 1 {
		return nil, nil
	}
	f := functions.Lookup(a.Dialect, c.Name[0].Text)
	if f == nil || f.Kind != expr.Generator {
		return nil, nil
	}
	return c, f
}

// generatorItem recognizes a select item that is a generator, with or without names.
func (a *Analyzer) generatorItem(x sql.Expr) (*sql.Call, []sql.Name) {
	var names []sql.Name
	if al, ok := x.(*sql.Aliased); ok {
		x, names = al.X, al.Names
	}
	c, _ := a.generatorCall(x)
	return c, names
}

// generator resolves a generator of the select list; its columns become items.
func (b *block) generator(ctx context.Context, c *sql.Call, names []sql.Name, s *scope) ([]Item, error) {
	a := b.a
	g, err := a.generate(ctx, c, s, nil)
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		if len(names) != len(g.Columns) {
			return nil, errclass.GeneratorAliases(len(g.Columns), a.texts(names)).At(c.Span())
		}
		for i, n := range asWritten(names) {
			g.Columns[i].Name = n
		}
	}
	b.generates = append(b.generates, g)
	var items []Item
	for _, col := range g.Columns {
		k := *col
		items = append(items, Item{Column: &k, X: ref(col)})
	}
	return items, nil
}

// generate resolves a generator call over the scope's columns; the columns get the qualifier. The child is left open.
func (a *Analyzer) generate(ctx context.Context, c *sql.Call, s *scope, qualifier []string) (*Generate, error) {
	f := functions.Lookup(a.Dialect, c.Name[0].Text)
	call := &expr.Call{Func: f, Name: c.Name[0].Text}
	call.At = c.Span()
	c, err := positional(c)
	if err != nil {
		return nil, err
	}
	args, err := a.arguments(ctx, c, f, s)
	if err != nil {
		return nil, err
	}
	call.Args = args
	before := *call
	before.Args = append([]expr.Expr{}, args...)
	if err := functions.Type(call); err != nil {
		return nil, a.explain(err, &before)
	}
	return newGenerate(call, strings.HasSuffix(f.Name, "_outer"), qualifier), nil
}

func newGenerate(call *expr.Call, outer bool, qualifier []string) *Generate {
	g := &Generate{Call: call, Outer: outer}
	for _, fd := range call.T.Fields {
		g.Columns = append(g.Columns, &expr.Column{Name: fd.Name, Qualifier: qualifier, T: fd.Type, Null: fd.Nullable || g.Outer})
	}
	return g
}

// lateralView is LATERAL VIEW [OUTER] f(…) t AS a, b.
func (a *Analyzer) lateralView(ctx context.Context, v *sql.LateralView, child Node, frame *scope) (Node, error) {
	if c, _ := a.generatorCall(v.Call); c == nil {
		name := v.Call.Name[len(v.Call.Name)-1].Text
		if f := functions.Lookup(a.Dialect, name); f == nil || f.Signature == "" {
			return nil, errclass.UnresolvedRoutine(int(a.Dialect), name).At(v.Call.Span())
		}
		return nil, a.unsupported("LATERAL VIEW "+strings.ToLower(name), v)
	}
	var q []string
	if v.Table != nil {
		q = a.texts([]sql.Name{*v.Table})
	}
	s := &scope{columns: child.Output(), outer: frame}
	g, err := a.generate(ctx, v.Call, s, q)
	if err != nil {
		return nil, err
	}
	if v.Outer && !g.Outer {
		g.Outer = true
		for _, c := range g.Columns {
			c.Null = true
		}
	}
	if len(v.Columns) > 0 && len(v.Columns) != len(g.Columns) {
		return nil, errclass.GeneratorAliases(len(g.Columns), a.texts(v.Columns)).At(v.Span())
	}
	for i, n := range a.texts(v.Columns) {
		g.Columns[i].Name = n
	}
	g.Child = child
	return g, nil
}

// generatorRelation is a generator in FROM; left is what stands before it, if it may read that (LATERAL).
func (a *Analyzer) generatorRelation(ctx context.Context, r *sql.TableFunc, left Node, outer bool, s *scope) (Node, error) {
	in := &scope{outer: s}
	if left != nil {
		in.columns = left.Output()
	}
	q := a.texts(r.Call.Name)
	if r.Alias.Name != nil {
		q = a.texts([]sql.Name{*r.Alias.Name})
	}
	g, err := a.generate(ctx, r.Call, in, q)
	if err != nil {
		return nil, err
	}
	if outer && !g.Outer {
		g.Outer = true
		for _, c := range g.Columns {
			c.Null = true
		}
	}
	if n := len(r.Alias.Columns); n > 0 && n != len(g.Columns) {
		return nil, errclass.TableFunctionAliases(strings.ToLower(r.Call.Name[0].Text), n, len(g.Columns)).At(r.Span())
	}
	if err := a.rename(g.Columns, r.Alias, r); err != nil {
		return nil, err
	}
	g.Child = left
	if left == nil {
		g.Child = &OneRow{}
	}
	return g, nil
}

func (a *Analyzer) rename(cols []*expr.Column, al sql.Alias, at sql.Node) error {
	names := al.Columns
	if len(names) == 0 {
		return nil
	}
	if len(names) != len(cols) {
		if a.Dialect == sql.Trino {
			return errclass.TrinoRelationAliases(len(names), a.texts([]sql.Name{*al.Name})[0], len(cols)).At(at.Span())
		}
		return errclass.AliasColumns(len(names), len(cols)).At(at.Span())
	}
	for i, n := range asWritten(names) {
		cols[i].Name = n
	}
	return nil
}

// unnest is Trino's UNNEST: arrays and maps side by side, the shorter ones filled with NULL.
func (a *Analyzer) unnest(ctx context.Context, u *sql.Unnest, left Node, outer bool, s *scope) (Node, error) {
	in := &scope{outer: s}
	if left != nil {
		in.columns = left.Output()
	}
	call := &expr.Call{Name: "unnest", Func: &expr.Func{Name: "unnest", Kind: expr.Generator, Dialect: sql.Trino, Duck: printUnnest}}
	call.At, call.Extra = u.Span(), u.Ordinality
	var fields []types.Field
	add := func(name string, t types.Type) {
		if name == "" {
			name = Unnamed(len(fields))
		}
		fields = append(fields, types.Field{Name: name, Type: t, Nullable: true})
	}
	for _, x := range u.Exprs {
		e, err := a.expr(ctx, x, in)
		if err != nil {
			return nil, err
		}
		call.Args = append(call.Args, e)
		switch t := e.Type(); {
		case t.Kind == types.Array && t.Elem.Kind == types.Struct:
			for _, f := range t.Elem.Fields {
				add(f.Name, f.Type)
			}
		case t.Kind == types.Array:
			add("", *t.Elem)
		case t.Kind == types.Map:
			add("", *t.Key)
			add("", *t.Value)
		default:
			return nil, errclass.TrinoCannotUnnest(t).At(x.Span())
		}
	}
	if u.Ordinality {
		add("", types.Of(types.Long))
	}
	call.T = types.StructOf(fields...)
	var q []string
	if u.Alias.Name != nil {
		q = a.texts([]sql.Name{*u.Alias.Name})
	}
	g := newGenerate(call, outer, q)
	if err := a.rename(g.Columns, u.Alias, u); err != nil {
		return nil, err
	}
	g.Child = left
	if left == nil {
		g.Child = &OneRow{}
	}
	return g, nil
}

// printUnnest prints the rows of UNNEST: as many as the longest argument has elements. The arguments are computed once for a row.
func printUnnest(c *expr.Call, args []string) string {
	var items, lengths []string
	add := func(x string) { items = append(items, "c"+itoa(len(items)+1)+": "+x) }
	row := func() string { return "{" + strings.Join(items, ", ") + "}" }
	elements := func(t types.Type, v string) {
		if t.Kind != types.Struct {
			add(v)
			return
		}
		for j := range t.Fields {
			add("struct_extract_at(" + v + ", " + itoa(j+1) + ")")
		}
	}
	if t := c.Args[0].Type(); len(c.Args) == 1 && t.Kind == types.Array {
		if elements(*t.Elem, "_v"); c.Extra == true {
			add("_i")
		}
		return "list_transform(" + args[0] + ", lambda _v, _i: " + row() + ")"
	}
	for i, x := range c.Args {
		s := "struct_extract_at(_a, " + itoa(i+1) + ")"
		if t := x.Type(); t.Kind == types.Array {
			elements(*t.Elem, s+"[_i]")
			lengths = append(lengths, "len("+s+")")
			continue
		}
		add("map_keys(" + s + ")[_i]")
		add("map_values(" + s + ")[_i]")
		lengths = append(lengths, "cardinality("+s+")")
	}
	if c.Extra == true {
		add("_i")
	}
	return "list_transform([row(" + strings.Join(args, ", ") + ")], lambda _a: list_transform(range(1, coalesce(greatest(" + strings.Join(lengths, ", ") +
		"), 0)::BIGINT + 1), lambda _i: " + row() + "))[1]"
}

// nestedGenerator completes the error about a generator inside an expression with the expression as a whole.
func (a *Analyzer) nestedGenerator(ctx context.Context, err error, x sql.Expr, s scope) error {
	e, ok := err.(*errclass.Error)
	if !ok || e.Class != "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS" {
		return err
	}
	s.opaqueGenerators = true
	whole, again := a.expr(ctx, x, &s)
	if again != nil {
		return err
	}
	return errclass.NestedGenerator(NameOf(a.Dialect, stripAlias(whole))).At(s.query)
}
