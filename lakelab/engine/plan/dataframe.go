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
		n, err := a.relation(ctx, r.Rel, s)
		if err != nil {
			return nil, err
		}
		out := visible(n.Output())
		items := pass(out)
		sc := &scope{columns: n.Output(), outer: s}
		for i, name := range r.Names {
			e, err := a.expr(ctx, r.Exprs[i], sc)
			if err != nil {
				return nil, err
			}
			if al, ok := e.(*expr.Alias); ok {
				e = al.X
			}
			it := NewItem(name, e)
			found := false
			for j, c := range out {
				if strings.EqualFold(c.Name, name) {
					items[j], found = it, true
				}
			}
			if !found {
				items = append(items, it)
			}
		}
		b := &block{a: a, scope: sc, items: items, child: n}
		return b.finish(nil, false), nil
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
		return a.renamed(ctx, r.Rel, s, func(c *expr.Column) (string, bool) {
			for _, name := range r.Names {
				if strings.EqualFold(c.Name, name) {
					return "", false
				}
			}
			return c.Name, true
		})
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
			id := &sql.Ident{At: r.At, Parts: []sql.Name{{Text: name}}}
			e, err := a.column(id, &scope{columns: n.Output(), outer: s})
			if err != nil {
				return nil, err
			}
			if c, ok := e.(*expr.Ref); ok {
				d.On = append(d.On, c.Column)
			}
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
