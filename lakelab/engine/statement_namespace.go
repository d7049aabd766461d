package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// namespace takes the one-part namespace out of a name that may begin with the catalog.
func (s *Session) namespaceName(a *plan.Analyzer, name []sql.Name) (string, error) {
	parts := names(a.Dialect, name)
	if len(parts) == 2 && strings.EqualFold(parts[0], CatalogName) {
		parts = parts[1:]
	}
	if len(parts) != 1 {
		return "", errclass.SchemaNotFound(a.Dialect, parts).At(span(name))
	}
	return parts[0], nil
}

func (s *Session) createNamespace(ctx context.Context, a *plan.Analyzer, st *sql.CreateNamespace) (*Result, error) {
	if st.Location != nil || len(st.Properties) > 0 || st.Comment != nil {
		return nil, errclass.UnsupportedStatement(a.Dialect, "CREATE NAMESPACE with properties").At(st.Span())
	}
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
	return updated("CREATE SCHEMA", -1), s.engine.Lake.CreateNamespace(ctx, ns)
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
		return nil, errclass.SchemaNotFound(a.Dialect, []string{CatalogName, ns}).At(span(st.Name))
	}
	if st.Cascade {
		return nil, errclass.UnsupportedStatement(a.Dialect, "DROP NAMESPACE … CASCADE").At(st.Span())
	}
	tables, err := s.engine.Lake.Tables(ctx, ns)
	if err != nil {
		return nil, err
	}
	if len(tables) > 0 {
		return nil, errclass.SchemaNotEmpty(a.Dialect, ns).At(span(st.Name))
	}
	return updated("DROP SCHEMA", -1), s.engine.Lake.DropNamespace(ctx, ns)
}

// use runs USE.
func (s *Session) use(ctx context.Context, a *plan.Analyzer, st *sql.Use) (*Result, error) {
	parts := names(a.Dialect, st.Name)
	catalog, ns := s.Current()
	if len(parts) > 0 && strings.EqualFold(parts[0], CatalogName) && (len(parts) == 2 || st.What != "NAMESPACE") {
		catalog, parts = CatalogName, parts[1:]
		ns = DefaultNamespace
	}
	switch {
	case len(parts) == 1 && st.What != "CATALOG":
		ns = parts[0]
	case len(parts) > 0:
		return nil, errclass.CatalogNotFound(a.Dialect, parts[0]).At(span(st.Name))
	}
	ok, err := s.engine.Lake.NamespaceExists(ctx, ns)
	if err != nil {
		return nil, err
	}
	if !ok && ns != DefaultNamespace {
		return nil, errclass.SchemaNotFound(a.Dialect, []string{CatalogName, ns}).At(span(st.Name))
	}
	s.Use(catalog, ns)
	r := updated("USE", -1)
	r.Catalog, r.Namespace = catalog, ns
	return r, nil
}
