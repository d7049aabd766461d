package engine

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/redact"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// namespaceName takes the namespace out of a name that may begin with the catalog; one in another has several parts.
func (s *Session) namespaceName(a *plan.Analyzer, name []sql.Name) (string, error) {
	parts := names(a.Dialect, name)
	if len(parts) > 1 && strings.EqualFold(parts[0], CatalogName) {
		parts = parts[1:]
	}
	if len(parts) != 1 && a.Dialect == sql.Trino {
		return "", errclass.SchemaNotFound(a.Dialect, parts).At(span(name))
	}
	return strings.Join(parts, "."), nil
}

func (s *Session) createNamespace(ctx context.Context, a *plan.Analyzer, st *sql.CreateNamespace) (*Result, error) {
	ns, err := s.namespaceName(a, st.Name)
	if err != nil {
		return nil, err
	}
	ok, err := s.engine.Lake.NamespaceExists(ctx, ns)
	if err != nil {
		return nil, err
	}
	if ok {
		if st.IfNotExists {
			return updated("CREATE SCHEMA", -1), nil
		}
		return nil, errclass.SchemaExists(a.Dialect, ns).At(span(st.Name))
	}
	props, err := s.propertyValues(ctx, a, st.Properties)
	if err != nil {
		return nil, err
	}
	if st.Comment != nil {
		props["comment"] = *st.Comment
	}
	if st.Location != nil {
		props["location"] = *st.Location
	}
	if u, err := user.Current(); err == nil {
		props["owner"] = u.Username
	}
	if st.Owner != "" {
		props["owner"] = st.Owner
	}
	return updated("CREATE SCHEMA", -1), s.engine.Lake.CreateNamespace(ctx, ns, props)
}

// propertyValues computes the values of PROPERTIES (…).
func (s *Session) propertyValues(ctx context.Context, a *plan.Analyzer, list []sql.Property) (map[string]string, error) {
	out := map[string]string{}
	for _, p := range list {
		v, err := a.Eval(ctx, p.Value, types.Of(types.String))
		if err != nil {
			return nil, err
		}
		out[p.Key] = fmt.Sprint(v)
	}
	return out, nil
}

// alterNamespace runs ALTER NAMESPACE … SET | UNSET PROPERTIES, SET LOCATION.
func (s *Session) alterNamespace(ctx context.Context, a *plan.Analyzer, st *sql.AlterNamespace) (*Result, error) {
	if st.RenameTo != nil {
		return nil, errclass.UnsupportedStatement(a.Dialect, "ALTER SCHEMA … RENAME TO").At(st.Span())
	}
	ns, err := s.namespaceName(a, st.Name)
	if err != nil {
		return nil, err
	}
	set, err := s.propertyValues(ctx, a, st.Properties)
	if err != nil {
		return nil, err
	}
	if st.Location != nil {
		set["location"] = *st.Location
	}
	err = s.engine.Lake.SetNamespaceProperties(ctx, ns, set, st.UnsetKeys)
	if errors.Is(err, lake.ErrNoNamespace) {
		return nil, errclass.SchemaNotFound(a.Dialect, strings.Split(ns, ".")).At(span(st.Name))
	}
	return done(), err
}

// describeNamespace runs DESCRIBE NAMESPACE.
func (s *Session) describeNamespace(ctx context.Context, a *plan.Analyzer, st *sql.Describe) (*Result, error) {
	ns, err := s.namespaceName(a, st.Name)
	if err != nil {
		return nil, err
	}
	props, err := s.engine.Lake.NamespaceProperties(ctx, ns)
	if errors.Is(err, lake.ErrNoNamespace) {
		return nil, errclass.SchemaNotFound(a.Dialect, []string{ns}).At(span(st.Name))
	}
	if err != nil {
		return nil, err
	}
	rows := [][]any{{"Catalog Name", CatalogName}, {"Namespace Name", ns}}
	for _, p := range []struct{ key, label string }{{"comment", "Comment"}, {"location", "Location"}, {"owner", "Owner"}} {
		if v, ok := props[p.key]; ok {
			rows = append(rows, []any{p.label, v})
		}
	}
	if st.Extended {
		var list []string
		for _, k := range shownProperties(props) {
			list = append(list, "("+k+","+redact.Option(k, props[k])+")")
		}
		all := ""
		if len(list) > 0 {
			all = "(" + strings.Join(list, ", ") + ")"
		}
		rows = append(rows, []any{"Properties", all})
	}
	return local(rows, text("info_name", false), text("info_value", true)), nil
}

func (s *Session) dropNamespace(ctx context.Context, a *plan.Analyzer, st *sql.Drop) (*Result, error) {
	ns, err := s.namespaceName(a, st.Name)
	if err != nil {
		return nil, err
	}
	ok, err := s.engine.Lake.NamespaceExists(ctx, ns)
	if err != nil {
		return nil, err
	}
	if !ok {
		if st.IfExists {
			return updated("DROP SCHEMA", -1), nil
		}
		return nil, errclass.SchemaNotFound(a.Dialect, fullSpace(ns)).At(span(st.Name))
	}
	if st.Cascade && a.Dialect == sql.Trino {
		if err := s.emptySchema(ctx, ns); err != nil {
			return nil, err
		}
	}
	tables, err := s.engine.Lake.Tables(ctx, ns)
	if err != nil {
		return nil, err
	}
	views, err := s.engine.Lake.Views(ctx, ns)
	if err != nil {
		return nil, err
	}
	switch {
	case len(tables)+len(views) == 0:
	case a.Dialect == sql.Trino:
		return nil, errclass.SchemaNotEmpty(a.Dialect, ns).At(span(st.Name))
	case len(tables) > 0: // Iceberg's catalogs refuse it, CASCADE or not
		return nil, errclass.NamespaceNotEmpty(ns, len(tables), "table")
	default:
		return nil, errclass.NamespaceNotEmpty(ns, len(views), "view")
	}
	err = s.engine.Lake.DropNamespace(ctx, ns, st.Cascade)
	if errors.Is(err, lake.ErrNamespaceNotEmpty) { // by then, or it has namespaces in it, which Java's catalog would leave behind without being asked
		err = errclass.SchemaNotEmpty(a.Dialect, ns)
	}
	return updated("DROP SCHEMA", -1), err
}

// emptySchema drops a schema's views and tables, as Trino's CASCADE does.
func (s *Session) emptySchema(ctx context.Context, ns string) error {
	views, err := s.engine.Lake.Views(ctx, ns)
	if err != nil {
		return err
	}
	for _, name := range views {
		if err := s.engine.Lake.DropView(ctx, lake.Ident{Namespace: ns, Name: name}); err != nil && !errors.Is(err, lake.ErrNoView) {
			return err
		}
	}
	tables, err := s.engine.Lake.Tables(ctx, ns)
	if err != nil {
		return err
	}
	for _, name := range tables {
		if err := s.engine.Lake.Drop(ctx, lake.Ident{Namespace: ns, Name: name}, true); err != nil && !lake.IsNoTable(err) {
			return err
		}
	}
	return nil
}

// use runs USE.
func (s *Session) use(ctx context.Context, a *plan.Analyzer, st *sql.Use) (*Result, error) {
	if a.Dialect == sql.Trino {
		return s.trinoUse(ctx, a, st)
	}
	parts := names(a.Dialect, st.Name)
	catalog, ns := s.Current()
	if len(parts) > 0 && strings.EqualFold(parts[0], CatalogName) && (len(parts) > 1 || st.What != "NAMESPACE") {
		catalog, parts = CatalogName, parts[1:]
		ns = DefaultNamespace
	}
	switch {
	case len(parts) == 1 && st.What != "CATALOG", len(parts) > 1 && catalog == CatalogName && st.What != "CATALOG":
		ns = strings.Join(parts, ".")
	case len(parts) > 0:
		return nil, errclass.CatalogNotFound(a.Dialect, parts[0]).At(span(st.Name))
	}
	ok, err := s.engine.Lake.NamespaceExists(ctx, ns)
	if err != nil {
		return nil, err
	}
	if !ok && ns != DefaultNamespace {
		return nil, errclass.SchemaNotFound(a.Dialect, fullSpace(ns)).At(span(st.Name))
	}
	s.Use(catalog, ns)
	return done(), nil
}
