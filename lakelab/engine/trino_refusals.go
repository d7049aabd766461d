package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// refuse says why a statement cannot change what it is about: a catalog that is only read, a metadata table, or a view. It is nil for one
// that may go on.
func (s *Session) refuse(ctx context.Context, st sql.Statement) error {
	name, column := targetOf(st), false
	if c, ok := st.(*sql.Comment); ok {
		name, column = c.Name, c.On == "COLUMN"
		if column {
			name = name[:len(name)-1]
		}
	}
	if len(name) == 0 {
		return nil
	}
	if n, ok := namespaceOf(st); ok {
		catalog, schema, err := s.trinoSchemaName(n)
		if err != nil || catalog == CatalogName && madeUp(catalog, schema) == nil || !s.trinoCatalog(catalog) {
			return nil
		}
		return s.refuseSchema(ctx, st, catalog, schema)
	}
	catalog, schema, table, err := s.trinoName3(ctx, name)
	if err != nil {
		return nil // reported where the statement is run
	}
	if catalog != CatalogName || madeUp(catalog, schema) != nil {
		what := readOnly(st, column)
		if what == "" {
			return nil
		}
		if _, creates := creating(st); !creates {
			if list, err := s.trinoTables(ctx, catalog, schema); err != nil || !slices.Contains(list, table) {
				return err
			}
		}
		return errclass.TrinoConnector(what).Nowhere()
	}
	if base, meta, ok := strings.Cut(table, "$"); ok && meta != "" {
		if _, err := s.engine.Lake.Load(ctx, lake.Ident{Namespace: schema, Name: base}); err != nil {
			return nil
		}
		switch st.(type) {
		case *sql.Delete, *sql.Update, *sql.Merge:
			return errclass.TrinoConnector("modifying table rows").Nowhere()
		}
		return nil
	}
	return s.refuseView(ctx, st, lake.Ident{Namespace: schema, Name: table})
}

// creating tells the statements whose target need not exist.
func creating(st sql.Statement) (string, bool) {
	switch st := st.(type) {
	case *sql.CreateTable:
		if st.AsQuery != nil {
			return "creating tables with data", true
		}
		return "creating tables", true
	case *sql.CreateView:
		return "creating views", true
	}
	return "", false
}

// readOnly is what a catalog that is only read does not support.
func readOnly(st sql.Statement, column bool) string {
	if what, ok := creating(st); ok {
		return what
	}
	switch st := st.(type) {
	case *sql.Insert:
		return "inserts"
	case *sql.Delete, *sql.Update, *sql.Merge:
		return "modifying table rows"
	case *sql.Truncate:
		return "truncating tables"
	case *sql.Drop:
		if st.Kind == "TABLE" {
			return "dropping tables"
		}
	case *sql.Comment:
		if column {
			return "setting column comments"
		}
		return "setting table comments"
	case *sql.AlterTable:
		act := st.Actions[0]
		return map[string]string{"ADD COLUMN": "adding columns", "RENAME TABLE": "renaming tables", "RENAME COLUMN": "renaming columns", "DROP COLUMN": "dropping columns",
			"SET COLUMN TYPE": "setting column types", "DROP NOT NULL": "dropping a not null constraint"}[alterKind(act)]
	}
	return ""
}

// namespaceOf is the schema that a statement is about.
func namespaceOf(st sql.Statement) ([]sql.Name, bool) {
	switch st := st.(type) {
	case *sql.CreateNamespace:
		return st.Name, true
	case *sql.AlterNamespace:
		return st.Name, true
	case *sql.Drop:
		return st.Name, st.Kind == "NAMESPACE"
	}
	return nil, false
}

func (s *Session) refuseSchema(ctx context.Context, st sql.Statement, catalog, schema string) error {
	exists, err := s.trinoSchema(ctx, catalog, schema)
	if err != nil {
		return err
	}
	switch st := st.(type) {
	case *sql.CreateNamespace:
		switch {
		case exists && st.IfNotExists:
			return nil
		case exists:
			return errclass.TrinoSchemaExists(catalog + "." + schema).At(st.Span())
		}
		return errclass.TrinoConnector("creating schemas").Nowhere()
	case *sql.Drop:
		if exists && st.Cascade && catalog != CatalogName {
			return errclass.TrinoConnector("dropping schemas").Nowhere()
		}
		if exists {
			return errclass.TrinoSchemaNotEmpty(schema).At(st.Span())
		}
	case *sql.AlterNamespace:
		if exists {
			return errclass.TrinoConnector("renaming schemas").Nowhere()
		}
	}
	return nil
}

// refuseView refuses to do with a view what is done with tables, and the other way round.
func (s *Session) refuseView(ctx context.Context, st sql.Statement, id lake.Ident) error {
	_, err := s.engine.Lake.LoadView(ctx, id)
	if err != nil && !errors.Is(err, lake.ErrNoView) {
		return err
	}
	view, full := err == nil, strings.Join(fullName(id), ".")
	if !view {
		return s.refuseTable(ctx, st, id, full)
	}
	refuse := func(message string) error { return errclass.TrinoUnsupported(message).At(st.Span()) }
	instead := func(how string) string {
		return "Table '" + full + "' does not exist, but a view with that name exists. Did you mean " + how
	}
	switch st := st.(type) {
	case *sql.Insert:
		return refuse("Inserting into views is not supported")
	case *sql.Delete:
		return refuse("Deleting from views is not supported")
	case *sql.Update:
		return refuse("Updating views is not supported")
	case *sql.Merge:
		return refuse("Merging into views is not supported")
	case *sql.Truncate:
		return refuse("Cannot truncate a view")
	case *sql.Analyze:
		return refuse("Analyzing views is not supported")
	case *sql.Drop:
		if st.Kind == "TABLE" {
			return errclass.TrinoGeneric(instead("DROP VIEW " + full + "?")).At(st.Span())
		}
	case *sql.Comment:
		if st.On == "TABLE" {
			return errclass.TrinoNoRelation(instead("COMMENT ON VIEW " + full + " IS ...?")).At(st.Span())
		}
	case *sql.AlterTable:
		switch act := st.Actions[0]; {
		case st.View:
		case act.Kind == "EXECUTE":
			return refuse("ALTER TABLE EXECUTE is not supported for views")
		case act.Kind == "RENAME TO":
			return errclass.TrinoGeneric(instead("ALTER VIEW " + full + " RENAME TO ...?")).At(st.Span())
		default:
			return errclass.TrinoInternal("Error processing metadata for table " + id.String())
		}
	}
	return nil
}

func (s *Session) refuseTable(ctx context.Context, st sql.Statement, id lake.Ident, full string) error {
	drop, isDrop := st.(*sql.Drop)
	comment, isComment := st.(*sql.Comment)
	if !(isDrop && drop.Kind == "VIEW" || isComment && comment.On == "VIEW") {
		return nil
	}
	exists, err := s.engine.Lake.Exists(ctx, id)
	switch {
	case err != nil:
		return err
	case isDrop && exists:
		return errclass.TrinoGeneric("View '" + full + "' does not exist, but a table with that name exists. Did you mean DROP TABLE " + full + "?").At(st.Span())
	case isComment && exists:
		return errclass.TrinoNoRelation("View '" + full + "' does not exist, but a table with that name exists. Did you mean COMMENT ON TABLE " + full + " IS ...?").At(st.Span())
	case isComment:
		return errclass.TrinoNoRelation("View '" + full + "' does not exist").At(st.Span())
	}
	return nil
}
