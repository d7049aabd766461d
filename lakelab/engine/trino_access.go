package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Statements about what the catalogs here do not have: roles, privileges, owners, functions, materialized views. They are answered as
// Trino's Iceberg connector with a JDBC catalog answers them.

func (s *Session) access(ctx context.Context, st *sql.Access) (*Result, error) {
	role := ""
	if st.Role != nil {
		role = trinoName(*st.Role)
	}
	noRole := func() error { return errclass.TrinoNoRole(role).At(st.Span()) }
	inCatalog := errclass.TrinoConnector("roles").Nowhere()
	if st.Catalog != nil && !s.trinoCatalog(trinoName(*st.Catalog)) {
		inCatalog = errclass.CatalogNotFound(sql.Trino, trinoName(*st.Catalog)).At(st.Span())
	}
	switch st.Kind {
	case "CREATE ROLE":
		if st.Catalog != nil {
			return nil, inCatalog
		}
		return nil, errclass.TrinoUnsupported("System roles are not enabled").Nowhere()
	case "DROP ROLE", "GRANT ROLES", "REVOKE ROLES":
		switch {
		case st.Catalog != nil:
			return nil, inCatalog
		case st.IfExists:
			return updated(st.Kind, -1), nil
		}
		return nil, noRole()
	case "SET ROLE":
		switch {
		case st.Catalog != nil:
			return nil, inCatalog
		case st.Role != nil:
			return nil, noRole()
		}
		return updated(st.Kind, -1), nil
	case "SET PATH":
		return s.setPath(st)
	case "RESET SESSION AUTHORIZATION":
		return updated(st.Kind, -1), nil
	case "SET SESSION AUTHORIZATION":
		return nil, errclass.TrinoDenied("Access Denied: User " + s.trino.user + " cannot impersonate user " + st.Role.Text)
	case "SET AUTHORIZATION":
		if err := s.owned(ctx, st); err != nil {
			return nil, err
		}
		if st.Role != nil {
			return nil, inCatalog
		}
		what := map[string]string{"TABLE": "setTablePrincipal", "VIEW": "setViewPrincipal", "SCHEMA": "setNamespacePrincipal"}[st.On]
		return nil, errclass.TrinoUnsupported(what + " is not supported for Iceberg JDBC catalogs").Nowhere()
	case "FUNCTION":
		if len(st.Name) == 3 {
			return nil, errclass.TrinoConnector("creating functions").Nowhere()
		}
		return nil, errclass.TrinoUnsupported("Catalog and schema must be specified when function schema is not configured").At(st.Span())
	case "CREATE CATALOG", "DROP CATALOG":
		return nil, errclass.TrinoUnsupported(st.Kind + " is not supported by the static catalog store").Nowhere()
	case "SHOW ROLES", "SHOW CURRENT ROLES":
		if st.Catalog != nil {
			return nil, inCatalog
		}
		return local(nil, text("Role", false)), nil
	case "SHOW ROLE GRANTS":
		if st.Catalog != nil {
			return nil, inCatalog
		}
		return local(nil, text("Role Grants", false)), nil
	case "SHOW GRANTS":
		if st.Name != nil {
			if _, err := s.trinoRelation(ctx, st.Name, st); err != nil {
				return nil, err
			}
		}
		var fields []types.Field
		for _, n := range []string{"Grantor", "Grantor Type", "Grantee", "Grantee Type", "Catalog", "Schema", "Table", "Privilege", "Grantable", "With Hierarchy"} {
			fields = append(fields, text(n, false))
		}
		return local(nil, fields...), nil
	}
	return nil, s.privileges(ctx, st)
}

// privileges refuses GRANT, REVOKE and DENY on a table or a schema.
func (s *Session) privileges(ctx context.Context, st *sql.Access) error {
	catalog := ""
	if st.On == "SCHEMA" {
		var schema string
		var err error
		if catalog, schema, err = s.trinoSchemaName(st.Name); err != nil {
			return errclass.Place(err, st.Span())
		}
		if ok, err := s.trinoSchema(ctx, catalog, schema); err != nil || !ok {
			if err == nil {
				err = errclass.TrinoSchemaNotFound(catalog + "." + schema).At(st.Span())
			}
			return err
		}
	} else {
		full, err := s.trinoRelation(ctx, st.Name, st)
		if err != nil {
			return err
		}
		catalog = full[0]
	}
	if catalog != CatalogName {
		return errclass.TrinoUnsupported("Catalog does not support permission management: " + catalog).Nowhere()
	}
	return errclass.TrinoConnector(strings.ToLower(st.Kind) + "s on " + strings.ToLower(st.On) + "s").Nowhere()
}

// owned checks that what SET AUTHORIZATION is about exists.
func (s *Session) owned(ctx context.Context, st *sql.Access) error {
	if st.On != "SCHEMA" {
		_, err := s.trinoRelation(ctx, st.Name, st)
		var e *errclass.Error
		if st.On == "VIEW" && errclass.Is(err, "TABLE_NOT_FOUND") && errors.As(err, &e) {
			err = errclass.TrinoNoRelation("View" + strings.TrimPrefix(e.Message, "Table")).At(st.Span())
		}
		return err
	}
	catalog, schema, err := s.trinoSchemaName(st.Name)
	if err != nil {
		return errclass.Place(err, st.Span())
	}
	ok := false
	if s.trinoCatalog(catalog) {
		ok, err = s.trinoSchema(ctx, catalog, schema)
	}
	if err == nil && !ok {
		err = errclass.TrinoSchemaNotFound(catalog + "." + schema).At(st.Span())
	}
	return err
}

// trinoRelation completes the name of a table or view, which must exist.
func (s *Session) trinoRelation(ctx context.Context, name []sql.Name, at sql.Node) ([]string, error) {
	catalog, schema, table, err := s.trinoName3(ctx, name)
	full := []string{catalog, schema, table}
	if err != nil {
		if errclass.Is(err, "SCHEMA_NOT_FOUND") || errclass.Is(err, "CATALOG_NOT_FOUND") {
			return full, errclass.TableNotFound(sql.Trino, full).At(at.Span())
		}
		return full, errclass.Elsewhere(err, at.Span())
	}
	list, err := s.trinoTables(ctx, catalog, schema)
	for _, t := range list {
		if t == table {
			return full, err
		}
	}
	if err == nil {
		err = errclass.TableNotFound(sql.Trino, full).At(at.Span())
	}
	return full, err
}

// setPath runs SET PATH. No function here has a schema, so that it changes what current_path says, and nothing else.
func (s *Session) setPath(st *sql.Access) (*Result, error) {
	if !s.trino.followsPath {
		return nil, errclass.TrinoUnsupported("SET PATH not supported by client").Nowhere()
	}
	current, _ := s.Current()
	for _, element := range st.Path {
		switch catalog := strings.ToLower(element[0].Text); {
		case len(element) == 1 && current == "":
			return nil, errclass.TrinoPathCatalog().At(st.Span())
		case len(element) == 2 && !s.trinoCatalog(catalog):
			return nil, errclass.CatalogNotFound(sql.Trino, catalog).At(st.Span())
		}
	}
	s.trino.path = st.Text
	r := updated("SET PATH", -1)
	r.Changes.Path = st.Text
	return r, nil
}

// materializedView answers a statement about a materialized view: none can be made.
func (s *Session) materializedView(ctx context.Context, st *sql.Materialized) (*Result, error) {
	if st.Kind == "CREATE" {
		return nil, errclass.TrinoUnsupported("createMaterializedView is not supported for Iceberg JDBC catalogs").Nowhere()
	}
	catalog, schema, table, err := s.trinoName3(ctx, st.Name)
	if err != nil && !errclass.Is(err, "SCHEMA_NOT_FOUND") {
		return nil, errclass.Elsewhere(err, st.Span())
	}
	full := strings.Join([]string{catalog, schema, table}, ".")
	switch st.Kind {
	case "DROP":
		hint := ""
		if found, err := s.trinoRelation(ctx, st.Name, st); err == nil {
			kind := "table"
			if views, err := s.trinoViews(ctx, found[0], found[1]); err != nil {
				return nil, err
			} else if slices.Contains(views, found[2]) {
				kind = "view"
			}
			hint = ", but a " + kind + " with that name exists. Did you mean DROP " + strings.ToUpper(kind) + " " + full + "?"
		} else if st.IfExists {
			return updated("DROP MATERIALIZED VIEW", -1), nil
		}
		return nil, errclass.TrinoGeneric("Materialized view '" + full + "' does not exist" + hint).At(st.Span())
	case "RENAME":
		if st.IfExists {
			return updated("RENAME MATERIALIZED VIEW", -1), nil
		}
		return nil, errclass.TrinoNoRelation("Materialized View '" + full + "' does not exist").At(st.Span())
	case "SET PROPERTIES":
		if len(st.Properties) > 0 {
			return nil, errclass.TrinoMaterializedProperty(CatalogName, st.Properties[0].Key).At(st.Properties[0].Span())
		}
	}
	return nil, errclass.TrinoNoRelation("Materialized view '" + full + "' does not exist").At(st.Span())
}
