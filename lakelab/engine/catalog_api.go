package engine

import (
	"context"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// What spark.catalog asks. Records are maps, as package wire lists them.

// UseCatalog is setCurrentCatalog.
func (s *Session) UseCatalog(name string) error {
	if !strings.EqualFold(name, CatalogName) {
		return errclass.CatalogNotFound(sql.Spark, name)
	}
	s.Use(CatalogName, DefaultNamespace)
	return nil
}

// UseNamespace is setCurrentDatabase.
func (s *Session) UseNamespace(ctx context.Context, name string) error {
	ok, err := s.NamespaceExists(ctx, name)
	if err != nil {
		return err
	}
	if !ok {
		return errclass.SchemaNotFound(sql.Spark, []string{CatalogName, name})
	}
	s.Use("", name)
	return nil
}

// NamespaceExists is databaseExists.
func (s *Session) NamespaceExists(ctx context.Context, name string) (bool, error) {
	name = strings.TrimPrefix(name, CatalogName+".")
	if name == DefaultNamespace {
		return true, nil
	}
	return s.engine.Lake.NamespaceExists(ctx, name)
}

// ListDatabases is listDatabases.
func (s *Session) ListDatabases(ctx context.Context, pattern string) ([]any, error) {
	list, err := s.engine.Lake.Namespaces(ctx)
	if err != nil {
		return nil, err
	}
	sort.Strings(list)
	out := []any{}
	for _, n := range list {
		if pattern == "" || matchesAny(strings.Split(pattern, "|"), n) {
			out = append(out, map[string]any{"name": n, "catalog": CatalogName, "description": nil, "locationUri": s.engine.Lake.NamespaceLocation(n)})
		}
	}
	return out, nil
}

// TableExists is tableExists: tables and temporary views.
func (s *Session) TableExists(ctx context.Context, name string) (bool, error) {
	parts, err := sql.ParseName(name)
	if err != nil {
		return false, err
	}
	if len(parts) == 1 && s.views.find(parts[0].Text) != nil {
		return true, nil
	}
	id, ok := s.qualify(names(sql.Spark, parts))
	if !ok {
		if len(parts) == 3 {
			return false, errclass.SinglePartNamespace(names(sql.Spark, parts[:2]))
		}
		return false, nil
	}
	return s.engine.Lake.Exists(ctx, id)
}

// ListTables is listTables: the namespace's tables, then the session's temporary views.
func (s *Session) ListTables(ctx context.Context, database, pattern string) ([]any, error) {
	_, ns := s.Current()
	if database != "" {
		ns = strings.TrimPrefix(database, CatalogName+".")
		if ok, err := s.NamespaceExists(ctx, ns); err != nil || !ok {
			if err == nil {
				err = errclass.SchemaNotFound(sql.Spark, []string{CatalogName, ns})
			}
			return nil, err
		}
	}
	list, err := s.engine.Lake.Tables(ctx, ns)
	if err != nil {
		return nil, err
	}
	sort.Strings(list)
	out := []any{}
	for _, t := range list {
		if pattern == "" || matchesAny(strings.Split(pattern, "|"), t) {
			out = append(out, map[string]any{"name": t, "catalog": CatalogName, "namespace": []any{ns}, "description": nil, "tableType": "MANAGED", "isTemporary": false})
		}
	}
	for _, v := range s.views.all() {
		if pattern == "" || matchesAny(strings.Split(pattern, "|"), v.name) {
			out = append(out, map[string]any{"name": v.name, "catalog": nil, "namespace": []any{}, "description": nil, "tableType": "TEMPORARY", "isTemporary": true})
		}
	}
	return out, nil
}

// ListColumns is listColumns.
func (s *Session) ListColumns(ctx context.Context, table string) ([]any, error) {
	parts, err := sql.ParseName(table)
	if err != nil {
		return nil, err
	}
	n, err := s.Plan(ctx, &sql.TableRef{Name: parts})
	if err != nil {
		return nil, err
	}
	out := []any{}
	for _, f := range SchemaOf(n).Fields {
		out = append(out, map[string]any{"name": f.Name, "description": comment(f), "dataType": f.Type.SimpleString(), "nullable": f.Nullable, "isPartition": false, "isBucket": false})
	}
	return out, nil
}

// DropTempView is dropTempView.
func (s *Session) DropTempView(name string) bool { return s.views.drop(name) }

// FunctionExists is functionExists, for built-in functions.
func (s *Session) FunctionExists(name string) bool {
	f := functions.Lookup(sql.Spark, name)
	return f != nil && f.Missing == ""
}

// Count is DataFrame.count.
func (s *Session) Count(ctx context.Context, rel sql.Relation) (int64, error) {
	at := sql.At{}
	star := &sql.Call{At: at, Name: []sql.Name{{Text: "count"}}, Args: []sql.Arg{{X: &sql.Star{At: at}}}}
	n, err := s.Plan(ctx, &sql.Derived{Transparent: true, Query: &sql.Query{Body: &sql.Select{
		Items: []sql.Expr{star},
		From:  []sql.Relation{rel},
	}}})
	if err != nil {
		return 0, err
	}
	rows, err := s.Collect(ctx, &Result{Node: n}, -1)
	if err != nil {
		return 0, err
	}
	return rows[0][0].(int64), nil
}
