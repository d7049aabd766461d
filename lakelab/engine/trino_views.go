package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's views ("CREATE VIEW"): views of the catalog whose query is kept as Trino's formatter writes it.

// runAsOwner is the property that names the owner of a view whose tables are read with the owner's rights (SECURITY DEFINER), as Trino keeps it in
// Iceberg's views. As in Trino, a view that has it once keeps it when its query is replaced. Here every user may read every table: the security is
// only kept and shown.
const runAsOwner = "trino.run-as-owner"

// trinoCreateView runs CREATE VIEW. Its query's columns must have names, and each another.
func (s *Session) trinoCreateView(ctx context.Context, a *plan.Analyzer, st *sql.CreateView) (*Result, error) {
	catalog, schema, name, err := s.trinoName3(ctx, st.Name)
	if err != nil {
		return nil, errclass.Elsewhere(err, st.Span())
	}
	if len(st.Properties) > 0 {
		p := st.Properties[0]
		return nil, errclass.TrinoViewProperty(catalog, p.Key).At(p.Span())
	}
	id := lake.Ident{Namespace: schema, Name: name}
	a.Catalog = sessionCatalog{s: s, d: sql.Trino, made: &id}
	n, err := a.Query(ctx, st.AsQuery)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i, col := range n.Output() {
		switch name := strings.ToLower(col.Name); {
		case name == plan.Unnamed(i):
			return nil, errclass.TrinoUnnamedColumn(i + 1).At(st.Span())
		case seen[name]:
			return nil, errclass.TrinoDuplicateColumn(name).At(st.Span())
		case col.T.Kind == types.Null:
			return nil, errclass.TrinoColumnUntyped(name).At(st.Span())
		default:
			seen[name] = true
		}
	}
	for _, col := range n.Output() {
		if err := checkIceberg(col.T); err != nil {
			return nil, err
		}
	}
	if exists, err := s.engine.Lake.Exists(ctx, id); err != nil || exists {
		if err == nil {
			err = errclass.TrinoTargetView("Table already exists: '" + strings.Join([]string{catalog, schema, name}, ".") + "'").At(st.Span())
		}
		return nil, err
	}
	if _, err := s.engine.Lake.LoadView(ctx, id); err == nil && !st.OrReplace {
		return nil, errclass.TrinoTargetView("View already exists: '" + strings.Join(fullName(id), ".") + "'").At(st.Span())
	}
	c := *st
	if text, ok := sql.FormatTrino(st.AsQuery); ok {
		c.QueryText = text
	}
	if st.Security != "INVOKER" {
		owner := &sql.Literal{Kind: sql.StringLit, Text: s.trino.user}
		c.Properties = append(slices.Clone(c.Properties), sql.Property{Key: runAsOwner, Value: owner})
	}
	return s.createLastingView(ctx, a, &c)
}

// trinoViewRelation is a view whose query still gives the columns that were stored with it, by name and type.
func trinoViewRelation(id lake.Ident, v *lake.View, n plan.Node, ref *sql.TableRef) (*plan.Relation, error) {
	stored, columns, out := v.Schema.Fields, make([]string, len(v.Schema.Fields)), n.Output()
	if len(out) != len(stored) {
		return nil, errclass.TrinoStaleView(fullName(id), fmt.Sprintf("stored view column count (%d) does not match column count derived from the view query analysis (%d)", len(stored), len(out))).At(ref.Span())
	}
	items := make([]plan.Item, len(out))
	cast := false
	for i, f := range stored {
		columns[i] = f.Name
		reason := ""
		x := reference(out[i])
		y, ok := functions.CoerceIn(sql.Trino, x, f.Type)
		switch {
		case !strings.EqualFold(out[i].Name, f.Name):
			reason = "has a different name from"
		case !ok:
			reason = "cannot be coerced to"
		}
		if reason != "" {
			return nil, errclass.TrinoStaleView(fullName(id), fmt.Sprintf("column [%s] of type %s projected from query view at position %d %s column [%s] of type %s stored in view definition",
				strings.ToLower(out[i].Name), out[i].T.Trino(), i, reason, f.Name, f.Type.Trino())).At(ref.Span())
		}
		cast = cast || y != expr.Expr(x)
		items[i] = plan.Item{X: y, Column: &expr.Column{Name: f.Name, T: y.Type(), Null: y.Nullable()}}
	}
	if cast {
		n = &plan.Project{Items: items, Child: n}
	}
	return &plan.Relation{Name: fullName(id), Plan: n, Columns: columns, Comments: stored}, nil
}

// inTrino takes a view's query in Trino's dialect. Trino reads no view that has none.
func inTrino(v *lake.View) error {
	if v.In("trino"); v.Dialect != "trino" {
		return errclass.TrinoViewDialect(v.Dialect, v.ID.String())
	}
	return nil
}

// trinoView finds the view that a statement is about.
func (s *Session) trinoView(ctx context.Context, name []sql.Name, at sql.Node) (*lake.View, error) {
	catalog, schema, table, err := s.trinoName3(ctx, name)
	if err == nil && catalog == CatalogName {
		v, verr := s.engine.Lake.LoadView(ctx, lake.Ident{Namespace: schema, Name: table})
		if !errors.Is(verr, lake.ErrNoView) {
			return v, verr
		}
	}
	if err != nil && !errclass.Is(err, "SCHEMA_NOT_FOUND") {
		return nil, errclass.Elsewhere(err, at.Span())
	}
	return nil, errclass.TrinoNoRelation("View '" + strings.Join([]string{catalog, schema, table}, ".") + "' does not exist").At(at.Span())
}

// trinoShowCreateView runs SHOW CREATE VIEW.
func (s *Session) trinoShowCreateView(ctx context.Context, st *sql.Show) (*Result, error) {
	v, err := s.trinoView(ctx, st.Name, st)
	if err != nil {
		if full, found := s.trinoRelation(ctx, st.Name, st); found == nil {
			return nil, errclass.TrinoUnsupported("Relation '" + strings.Join(full, ".") + "' is a table, not a view").At(st.Span())
		}
		return nil, err
	}
	if err := inTrino(v); err != nil {
		return nil, err
	}
	security := "INVOKER"
	if v.Properties[runAsOwner] != "" {
		security = "DEFINER"
	}
	head := "CREATE VIEW " + strings.Join(fullName(v.ID), ".")
	if c := v.Properties["comment"]; c != "" {
		head += " COMMENT " + trinoQuote(c)
	}
	return sized([][]any{{head + " SECURITY " + security + " AS\n" + strings.TrimRight(v.Query, "\n")}}, "Create View"), nil
}

// commentView sets the comment of a view, or of one of its columns.
func (s *Session) commentView(ctx context.Context, v *lake.View, column, comment string, at sql.Node) error {
	if column == "" {
		if comment == "" {
			return s.engine.Lake.AlterView(ctx, v, nil, []string{"comment"})
		}
		return s.engine.Lake.AlterView(ctx, v, map[string]string{"comment": comment}, nil)
	}
	if err := inTrino(v); err != nil {
		return err
	}
	for i, f := range v.Schema.Fields {
		if strings.EqualFold(f.Name, column) {
			v.Schema.Fields[i].Comment = comment
			return s.engine.Lake.CreateView(ctx, v.ID, lake.NewView{Schema: v.Schema, Query: v.Query, Dialect: v.Dialect, Catalog: v.Catalog, Space: v.Space, Replace: true})
		}
	}
	return errclass.TrinoCommentColumn(column).At(at.Span())
}

// trinoTarget reads the new name of a Table or View, which stays in its catalog.
func (s *Session) trinoTarget(ctx context.Context, what string, from lake.Ident, to []sql.Name, at sql.Node) (lake.Ident, error) {
	catalog, schema, table, err := s.trinoName3(ctx, to)
	target := lake.Ident{Namespace: schema, Name: table}
	switch {
	case errclass.Is(err, "CATALOG_NOT_FOUND"):
		return target, errclass.TrinoTargetCatalog(trinoName(to[0])).At(at.Span())
	case errclass.Is(err, "SYNTAX_ERROR"):
		return target, err
	case err != nil && !errclass.Is(err, "SCHEMA_NOT_FOUND"):
		return target, errclass.Elsewhere(err, at.Span())
	case catalog != CatalogName:
		return target, errclass.TrinoUnsupported(what + " rename across catalogs is not supported").At(at.Span())
	case err != nil && what == "View":
		return target, errclass.TrinoInternal("Namespace does not exist: " + schema)
	case err != nil || schema == informationSchema:
		return target, errclass.TrinoNotRenamed(from.String(), target.String())
	}
	return target, nil
}

// trinoRenameView runs ALTER VIEW … RENAME TO.
func (s *Session) trinoRenameView(ctx context.Context, st *sql.AlterTable) (*Result, error) {
	v, err := s.trinoView(ctx, st.Name, st)
	if err != nil {
		if t, found := s.trinoTable(ctx, st.Name, st); found == nil {
			full := strings.Join(fullName(t.Ident()), ".")
			return nil, errclass.TrinoNoRelation("View '" + full + "' does not exist, but a table with that name exists. Did you mean ALTER TABLE " + full + " RENAME TO ...?").At(st.Span())
		}
		return nil, err
	}
	to, err := s.trinoTarget(ctx, "View", v.ID, st.Actions[0].NewName, st)
	if err != nil {
		return nil, err
	}
	full := strings.Join(fullName(to), ".")
	if exists, err := s.engine.Lake.Exists(ctx, to); err != nil || exists {
		if err == nil {
			err = errclass.TrinoTargetView("Target view '" + full + "' does not exist, but a table with that name exists.").At(st.Span())
		}
		return nil, err
	}
	if _, err := s.engine.Lake.LoadView(ctx, to); err == nil {
		return nil, errclass.TrinoTargetIsThere(full).At(st.Span())
	}
	return updated("RENAME VIEW", -1), s.engine.Lake.RenameView(ctx, v.ID, to)
}

// infoViews is information_schema.views.
func infoViews(ctx context.Context, s *Session, in scope) ([][]any, error) {
	var rows [][]any
	err := s.eachTable(ctx, in.of, in, func(schema, table string, view bool) error {
		if !view {
			return nil
		}
		v, err := s.engine.Lake.LoadView(ctx, lake.Ident{Namespace: schema, Name: table})
		if errors.Is(err, lake.ErrNoView) {
			return nil // it went away meanwhile
		}
		if err == nil && inTrino(v) == nil {
			rows = append(rows, []any{in.of, schema, table, v.Query})
		}
		return err
	})
	return rows, err
}
