package engine

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/redact"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Views in the catalog, which other sessions and other engines see too. A view keeps its query's text, and where unqualified names in it
// are looked for.

// queryColumnsProperty keeps the names that the query's columns had before the view renamed them, as Spark's views do.
const queryColumnsProperty = "spark.query-column-names"

// createLastingView runs CREATE [OR REPLACE] VIEW.
func (s *Session) createLastingView(ctx context.Context, a *plan.Analyzer, st *sql.CreateView) (*Result, error) {
	if _, ok, _ := s.hiveName(names(a.Dialect, st.Name)); ok {
		return nil, errclass.UnsupportedStatement(a.Dialect, "CREATE VIEW in "+HiveCatalogName).At(span(st.Name))
	}
	id, err := s.ident(a.Dialect, st.Name)
	if err != nil {
		return nil, err
	}
	temps := map[string]bool{}
	inner := s.analyzerOf(a.Dialect, st.QueryText, a.Params)
	inner.Catalog = sessionCatalog{s: s, d: a.Dialect, temps: temps, made: &id}
	n, err := inner.Query(ctx, st.AsQuery)
	if err != nil {
		return nil, err
	}
	full := strings.Join(fullName(id), ".")
	if len(temps) > 0 {
		list := make([]string, 0, len(temps))
		for t := range temps {
			list = append(list, t)
		}
		sort.Strings(list)
		return nil, errclass.ViewOnTemporary(full, list)
	}
	schema := SchemaOf(n)
	queryColumns := make([]string, len(schema.Fields))
	for i, f := range schema.Fields {
		queryColumns[i] = f.Name
	}
	if len(st.Columns) > 0 {
		if len(st.Columns) != len(schema.Fields) {
			return nil, errclass.CreateViewColumns(full, names(a.Dialect, columnNames(st.Columns)), queryColumns)
		}
		for i, c := range st.Columns {
			schema.Fields[i].Name = names(a.Dialect, []sql.Name{c.Name})[0]
			schema.Fields[i].Comment = ""
			if c.Comment != nil {
				schema.Fields[i].Comment = *c.Comment
			}
		}
	}
	if a.Dialect == sql.Trino { // a view's columns say nothing of those that they are made of
		for i := range schema.Fields {
			schema.Fields[i].Nullable, schema.Fields[i].Comment = true, ""
		}
	}
	if err := duplicateColumn(schema); err != nil {
		return nil, err
	}
	props, err := s.propertyValues(ctx, a, st.Properties)
	if err != nil {
		return nil, err
	}
	if st.Comment != nil {
		props["comment"] = *st.Comment
	}
	props[queryColumnsProperty] = strings.Join(queryColumns, ",")
	catalog, namespace := s.Current()
	dialect := "spark"
	if a.Dialect == sql.Trino {
		dialect = "trino"
	}
	err = s.engine.Lake.CreateView(ctx, id, lake.NewView{Schema: schema, Query: st.QueryText, Dialect: dialect, Catalog: catalog, Space: namespace,
		Properties: props, Replace: st.OrReplace})
	if errors.Is(err, lake.ErrTableExists) {
		if st.IfNotExists {
			return done(), nil
		}
		return nil, errclass.ViewExists(a.Dialect, id.Namespace, id.Name)
	}
	return updated("CREATE VIEW", -1), err
}

func columnNames(defs []sql.ColumnDef) []sql.Name {
	out := make([]sql.Name, len(defs))
	for i, c := range defs {
		out[i] = c.Name
	}
	return out
}

// deepest is how many views may stand on one another.
const deepest = 100

// lastingView makes the relation of a view of the catalog; nil if there is none of that name.
func (c sessionCatalog) lastingView(ctx context.Context, id lake.Ident, ref *sql.TableRef) (*plan.Relation, error) {
	v, err := c.s.engine.Lake.LoadView(ctx, id)
	if errors.Is(err, lake.ErrNoView) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if ref.Travel != nil && c.d == sql.Spark {
		return nil, errclass.TimeTravelOnView(id.String()).At(ref.Span())
	}
	if c.s.depth > deepest || c.made != nil && *c.made == id {
		if c.d == sql.Trino {
			return nil, errclass.TrinoRecursiveView().At(ref.Span())
		}
		return nil, errclass.RecursiveView(fullName(id))
	}
	if c.d == sql.Trino {
		if err := inTrino(v); err != nil {
			return nil, err
		}
	}
	d := sql.Spark
	if v.Dialect == "trino" {
		d = sql.Trino
	}
	st, err := sql.Parse(d, v.Query)
	if err != nil {
		return nil, err
	}
	q, ok := st.(*sql.QueryStmt)
	if !ok {
		return nil, fmt.Errorf("the view %s holds no query", id)
	}
	in := c.s.inside(v)
	a := in.analyzerOf(d, v.Query, plan.Params{})
	a.Catalog = sessionCatalog{s: in, d: d, made: c.made}
	n, err := a.Query(ctx, q.Query)
	if err == nil && c.d == sql.Trino {
		return trinoViewRelation(id, v, n, ref)
	}
	if err != nil && c.d == sql.Trino {
		return nil, errclass.TrinoInvalidView(fullName(id), err).At(ref.Span())
	}
	if err != nil {
		return nil, errclass.InText(err, v.Query)
	}
	columns := make([]string, len(v.Schema.Fields))
	for i, f := range v.Schema.Fields {
		columns[i] = f.Name
	}
	if out := n.Output(); len(out) != len(columns) {
		return nil, errclass.ViewSchemaChanged(fullName(id), columns, len(out))
	}
	return &plan.Relation{Name: fullName(id), Plan: n, Columns: columns, Comments: v.Schema.Fields}, nil
}

// inside is a session in which a view's names mean what they meant where it was made: without temporary views.
func (s *Session) inside(v *lake.View) *Session {
	in := newSession(s.engine, s.ID, s.app, s.cwd)
	s.mu.Lock()
	defer s.mu.Unlock()
	in.conf, in.depth, in.trino = s.conf, s.depth+1, s.trino // current_user is who reads
	if v.Catalog != "" {
		in.catalog = v.Catalog
	}
	if v.Space != "" {
		in.namespace = v.Space
	}
	return in
}

// view finds the view that a statement works on; nil without an error if the name is no view's.
func (s *Session) lastingView(ctx context.Context, d sql.Dialect, name []sql.Name) (*lake.View, error) {
	id, ok := s.qualify(names(d, name))
	if !ok {
		return nil, nil
	}
	v, err := s.engine.Lake.LoadView(ctx, id)
	if errors.Is(err, lake.ErrNoView) {
		return nil, nil
	}
	return v, err
}

// dropLastingView runs DROP VIEW on a view of the catalog.
func (s *Session) dropLastingView(ctx context.Context, a *plan.Analyzer, st *sql.Drop) (*Result, error) {
	id, ok := s.qualify(names(a.Dialect, st.Name))
	err := lake.ErrNoView
	if ok {
		err = s.engine.Lake.DropView(ctx, id)
	}
	if errors.Is(err, lake.ErrNoView) {
		if st.IfExists {
			return updated("DROP VIEW", -1), nil
		}
		if !ok || a.Dialect == sql.Trino {
			return nil, errclass.ViewNotFound(a.Dialect, names(a.Dialect, st.Name)).At(span(st.Name))
		}
		return nil, errclass.LastingViewNotFound(id.Namespace, id.Name)
	}
	return updated("DROP VIEW", -1), err
}

// alterView runs ALTER VIEW.
func (s *Session) alterView(ctx context.Context, a *plan.Analyzer, st *sql.AlterTable) (*Result, error) {
	v, err := s.lastingView(ctx, a.Dialect, st.Name)
	if err != nil {
		return nil, err
	}
	if v == nil {
		if err := s.viewExpected(ctx, st); err != nil {
			return nil, err
		}
		return nil, errclass.TableNotFound(a.Dialect, names(a.Dialect, st.Name)).At(span(st.Name))
	}
	l := s.engine.Lake
	for i := range st.Actions {
		act := &st.Actions[i]
		switch act.Kind {
		case "SET PROPERTIES":
			var props map[string]string
			if props, err = s.propertyValues(ctx, a, act.Properties); err == nil {
				err = l.AlterView(ctx, v, props, nil)
			}
		case "UNSET PROPERTIES":
			for _, k := range act.Keys {
				if _, ok := v.Properties[k]; !ok && !act.IfExists {
					return nil, errclass.UnsetViewProperty(k)
				}
			}
			err = l.AlterView(ctx, v, nil, act.Keys)
		case "RENAME TO":
			err = l.RenameView(ctx, v.ID, s.viewTarget(a, act))
		default:
			err = errclass.UnsupportedStatement(a.Dialect, "ALTER VIEW … "+act.Kind).At(act.Span())
		}
		if err != nil {
			return nil, err
		}
	}
	return done(), nil
}

// viewProperties are a view's properties as Spark shows them: those that the catalog adds come first.
func viewProperties(v *lake.View) [][]any {
	rows := [][]any{{"location", v.Location}, {"provider", "iceberg"}, {"format-version", "1"}}
	for _, k := range shownProperties(v.Properties) {
		if k != queryColumnsProperty {
			rows = append(rows, []any{k, v.Properties[k]})
		}
	}
	return rows
}

// viewPropertyList is viewProperties in order, each as 'key' = 'value'. Spark hides secrets in SHOW CREATE TABLE only: show is what
// becomes of a value.
func viewPropertyList(v *lake.View, show func(key, value string) string) []string {
	var out []string
	for _, r := range viewProperties(v) {
		key, value := r[0].(string), r[1].(string)
		out = append(out, literalText(key)+" = "+literalText(show(key, value)))
	}
	sort.Strings(out)
	return out
}

// describeView runs DESCRIBE on a view of the catalog.
func describeView(v *lake.View, extended bool) *Result {
	var rows [][]any
	for _, f := range v.Schema.Fields {
		rows = append(rows, []any{f.Name, f.Type.SimpleString(), f.Comment})
	}
	if extended {
		rows = append(rows, []any{"", "", ""}, []any{"# Detailed View Information", "", ""})
		if c := v.Properties["comment"]; c != "" {
			rows = append(rows, []any{"Comment", c, ""})
		}
		rows = append(rows, []any{"View Catalog and Namespace", v.Catalog + "." + v.Space, ""},
			[]any{"View Query Output Columns", "[" + strings.ReplaceAll(v.Properties[queryColumnsProperty], ",", ", ") + "]", ""},
			[]any{"View Properties", "[" + strings.Join(viewPropertyList(v, func(_, value string) string { return value }), ", ") + "]", ""},
			[]any{"Created By", "lakelab " + lake.Version, ""})
	}
	return local(rows, text("col_name", false), text("data_type", false), text("comment", true))
}

// createViewText is SHOW CREATE TABLE's text for a view.
func createViewText(v *lake.View) string {
	var b strings.Builder
	b.WriteString("CREATE VIEW " + strings.Join(fullName(v.ID), ".") + " (\n")
	for i, f := range v.Schema.Fields {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("  " + types.QuoteIfNeeded(f.Name))
		if f.Comment != "" {
			b.WriteString(" COMMENT " + literalText(f.Comment))
		}
	}
	b.WriteString(")\n")
	if c := v.Properties["comment"]; c != "" {
		b.WriteString("COMMENT " + literalText(c) + "\n")
	}
	b.WriteString("TBLPROPERTIES (\n  " + strings.Join(viewPropertyList(v, redact.Option), ",\n  ") + ")\nAS\n" + v.Query + "\n")
	return b.String()
}
