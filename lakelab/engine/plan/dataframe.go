package plan

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// dataFrame analyzes the relations that only the DataFrame API makes.
func (a *Analyzer) dataFrame(ctx context.Context, r sql.Relation, s *scope) (Node, error) {
	switch r := r.(type) {
	case *sql.WithColumns:
		return a.withColumns(ctx, r, s)
	case *sql.RenameColumns:
		return a.renamed(ctx, r.Rel, s, func(c *expr.Column) (string, bool) {
			for i, old := range r.Old {
				if strings.EqualFold(c.Name, old) {
					return r.New[i], true
				}
			}
			return c.Name, true
		})
	case *sql.DropColumns:
		return a.dropColumns(ctx, r, s)
	case *sql.ToDF:
		n, err := a.relation(ctx, r.Rel, s)
		if err != nil {
			return nil, err
		}
		if cols := visible(n.Output()); len(r.Names) != len(cols) {
			return nil, errclass.AliasColumns(len(r.Names), len(cols)).At(r.Span())
		}
		return &Project{Items: requalify(n.Output(), nil, r.Names), Child: n}, nil
	case *sql.DropDuplicates:
		n, err := a.relation(ctx, r.Rel, s)
		if err != nil {
			return nil, err
		}
		d := &Distinct{Child: n}
		for _, name := range r.Names {
			found := namedColumns(n, name)
			if len(found) == 0 {
				return nil, errclass.ColumnAmongFields(name, namesOf(visible(n.Output()))).At(r.Span())
			}
			d.On = append(d.On, found...)
		}
		return d, nil
	}
	return nil, a.unsupported(typeName(r), r)
}

func pass(cols []*expr.Column) []Item {
	items := make([]Item, len(cols))
	for i, c := range cols {
		k := *c
		items[i] = Item{Column: &k, X: ref(c)}
	}
	return items
}

// withColumns computes columns beside the old ones, or in their place. A generator multiplies the rows, as in SELECT.
func (a *Analyzer) withColumns(ctx context.Context, r *sql.WithColumns, s *scope) (Node, error) {
	n, err := a.relation(ctx, r.Rel, s)
	if err != nil {
		return nil, err
	}
	out := visible(n.Output())
	sc := &scope{columns: n.Output(), outer: s}
	b := &block{a: a, scope: sc, items: pass(out), child: n}
	for i, name := range r.Names {
		it, err := b.newColumn(ctx, name, r.Exprs[i])
		if err != nil {
			return nil, err
		}
		found := false
		for j, c := range out {
			if strings.EqualFold(c.Name, name) {
				b.items[j], found = it, true
			}
		}
		if !found {
			b.items = append(b.items, it)
		}
	}
	return b.finish(nil, false), nil
}

func (b *block) newColumn(ctx context.Context, name string, x sql.Expr) (Item, error) {
	if call, _ := b.a.generatorItem(x); call != nil {
		items, err := b.generator(ctx, call, []sql.Name{{Text: name, Quoted: true}}, b.scope)
		if err != nil {
			return Item{}, err
		}
		return items[0], nil
	}
	e, err := b.a.expr(ctx, x, b.scope)
	if err != nil {
		return Item{}, err
	}
	if hasAggregate(e) {
		return Item{}, errclass.MissingGroupBy().At(x.Span())
	}
	return NewItem(name, stripAlias(e)), nil
}

// dropColumns leaves out columns by name, and those that a column expression resolves to; what does not resolve is not there.
func (a *Analyzer) dropColumns(ctx context.Context, r *sql.DropColumns, s *scope) (Node, error) {
	n, err := a.relation(ctx, r.Rel, s)
	if err != nil {
		return nil, err
	}
	gone := map[*expr.Column]bool{}
	for _, name := range r.Names {
		for _, c := range namedColumns(n, name) {
			gone[c] = true
		}
	}
	sc := &scope{columns: n.Output(), outer: s}
	for _, x := range r.Columns {
		e, err := a.expr(ctx, x, sc)
		if err != nil {
			if e, ok := err.(*errclass.Error); ok && e.Class == "AMBIGUOUS_REFERENCE" {
				return nil, err
			}
			continue
		}
		if c, ok := stripAlias(e).(*expr.Ref); ok {
			gone[c.Column] = true
		}
	}
	var items []Item
	for _, c := range visible(n.Output()) {
		if !gone[c] {
			k := *c
			items = append(items, Item{Column: &k, X: ref(c)})
		}
	}
	return &Project{Items: items, Child: n}, nil
}

// namedColumns are the columns of a name, in any case.
func namedColumns(n Node, name string) []*expr.Column {
	var out []*expr.Column
	for _, c := range visible(n.Output()) {
		if strings.EqualFold(c.Name, name) {
			out = append(out, c)
		}
	}
	return out
}

func namesOf(cols []*expr.Column) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = c.Name
	}
	return out
}

// renamed keeps the columns for which keep says so, under the name it gives.
func (a *Analyzer) renamed(ctx context.Context, rel sql.Relation, s *scope, keep func(*expr.Column) (string, bool)) (Node, error) {
	n, err := a.relation(ctx, rel, s)
	if err != nil {
		return nil, err
	}
	var items []Item
	for _, c := range visible(n.Output()) {
		name, ok := keep(c)
		if !ok {
			continue
		}
		k := *c
		k.Name = name
		items = append(items, Item{Column: &k, X: ref(c)})
	}
	return &Project{Items: items, Child: n}, nil
}
