package engine

import (
	"context"
	"slices"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// What spark.catalog asks, of both catalogs. Records are maps, as package wire lists them; nil is Python's None.

// UseCatalog is setCurrentCatalog.
func (s *Session) UseCatalog(name string) error {
	switch {
	case strings.EqualFold(name, CatalogName):
		s.Use(CatalogName, DefaultNamespace)
	case strings.EqualFold(name, HiveCatalogName):
		s.Use(HiveCatalogName, metastore.DefaultDatabase)
	default:
		return errclass.CatalogNotFound(sql.Spark, name)
	}
	return nil
}

// ListCatalogs is listCatalogs.
func (s *Session) ListCatalogs(pattern string) []any {
	out := []any{}
	for _, name := range []string{CatalogName, HiveCatalogName} {
		if fits(pattern, name) {
			out = append(out, map[string]any{"name": name, "description": nil})
		}
	}
	return out
}

// fits reports whether a name matches a pattern of spark.catalog: several with | between them, or none.
func fits(pattern, name string) bool {
	return pattern == "" || matchesAny(strings.Split(pattern, "|"), name)
}

// database reads a database's name, which may begin with its catalog's; the empty one is the session's own.
func (s *Session) database(name string) (catalog, namespace string, err error) {
	catalog, namespace = s.Current()
	if name == "" {
		return catalog, namespace, nil
	}
	parsed, err := sql.ParseName(name)
	if err != nil {
		return "", "", err
	}
	parts := names(sql.Spark, parsed)
	for _, c := range []string{CatalogName, HiveCatalogName} {
		if len(parts) > 1 && strings.EqualFold(parts[0], c) {
			catalog, parts = c, parts[1:]
			break
		}
	}
	namespace = strings.Join(parts, ".")
	if catalog == HiveCatalogName {
		namespace = strings.ToLower(namespace)
	}
	return catalog, namespace, nil
}

// existing is database for one that must be there.
func (s *Session) existing(ctx context.Context, name string) (catalog, namespace string, err error) {
	catalog, namespace, err = s.database(name)
	if err != nil {
		return "", "", err
	}
	ok, err := s.NamespaceExists(ctx, name)
	if err == nil && !ok {
		err = errclass.SchemaNotFound(sql.Spark, []string{catalog, namespace})
	}
	return catalog, namespace, err
}

// UseNamespace is setCurrentDatabase.
func (s *Session) UseNamespace(ctx context.Context, name string) error {
	catalog, namespace, err := s.existing(ctx, name)
	if err == nil {
		s.Use(catalog, namespace)
	}
	return err
}

// NamespaceExists is databaseExists.
func (s *Session) NamespaceExists(ctx context.Context, name string) (bool, error) {
	catalog, namespace, err := s.database(name)
	if err != nil {
		return false, err
	}
	if catalog == HiveCatalogName {
		list, err := s.engine.Hive.Store.Databases(ctx)
		return slices.Contains(list, namespace), err
	}
	if namespace == DefaultNamespace {
		return true, nil
	}
	return s.engine.Lake.NamespaceExists(ctx, namespace)
}

// ListDatabases is listDatabases.
func (s *Session) ListDatabases(ctx context.Context, pattern string) ([]any, error) {
	catalog, _ := s.Current()
	var list []string
	var err error
	if catalog == HiveCatalogName {
		list, err = s.engine.Hive.Store.Databases(ctx)
	} else {
		list, err = s.engine.Lake.Namespaces(ctx)
	}
	if err != nil {
		return nil, err
	}
	sort.Strings(list)
	out := []any{}
	for _, n := range list {
		if !fits(pattern, n) {
			continue
		}
		d, err := s.databaseRecord(ctx, catalog, n)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// Database is getDatabase.
func (s *Session) Database(ctx context.Context, name string) (any, error) {
	catalog, namespace, err := s.existing(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.databaseRecord(ctx, catalog, namespace)
}

func (s *Session) databaseRecord(ctx context.Context, catalog, namespace string) (any, error) {
	if catalog != HiveCatalogName {
		return map[string]any{"name": namespace, "catalog": catalog, "description": nil, "locationUri": s.engine.Lake.NamespaceLocation(namespace)}, nil
	}
	d, err := s.engine.Hive.Store.Database(ctx, namespace)
	if err != nil {
		return nil, hiveError(err, hiveIdent{database: namespace})
	}
	return map[string]any{"name": d.Name, "catalog": catalog, "description": d.Comment, "locationUri": d.Location}, nil
}

// TableExists is tableExists: tables and temporary views.
func (s *Session) TableExists(ctx context.Context, name string) (bool, error) {
	parsed, err := sql.ParseName(name)
	if err != nil {
		return false, err
	}
	parts := names(sql.Spark, parsed)
	if s.viewNamed(parts) != nil {
		return true, nil
	}
	if id, ok, err := s.hiveName(parts); ok || err != nil {
		if err != nil {
			return false, err
		}
		return s.engine.Hive.Store.Exists(ctx, id.database, id.name)
	}
	id, ok := s.qualify(parts)
	if !ok {
		if len(parts) == 3 {
			return false, errclass.SinglePartNamespace(parts[:2])
		}
		return false, nil
	}
	there, err := s.engine.Lake.Exists(ctx, id)
	if err == nil && !there && len(parts) == 2 { // database.table may also be Spark's own catalog's, whatever the current one is
		return s.engine.Hive.Store.Exists(ctx, strings.ToLower(parts[0]), strings.ToLower(parts[1]))
	}
	return there, err
}

// ListTables is listTables: the database's tables, then the session's temporary views.
func (s *Session) ListTables(ctx context.Context, database, pattern string) ([]any, error) {
	out := []any{}
	if database == globalTemp {
		for _, v := range s.engine.globals.all() {
			if fits(pattern, v.name) {
				out = append(out, viewRecord(v.name, globalTemp))
			}
		}
	} else {
		tables, err := s.tableRecords(ctx, database, pattern)
		if err != nil {
			return nil, err
		}
		out = tables
	}
	for _, v := range s.views.all() {
		if fits(pattern, v.name) {
			out = append(out, viewRecord(v.name))
		}
	}
	return out, nil
}

func (s *Session) tableRecords(ctx context.Context, database, pattern string) ([]any, error) {
	catalog, namespace, err := s.existing(ctx, database)
	if err != nil {
		return nil, err
	}
	var list []string
	if catalog == HiveCatalogName {
		for _, views := range []bool{false, true} {
			some, err := s.engine.Hive.Store.Tables(ctx, namespace, views)
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
		}
	} else if list, err = s.engine.Lake.Tables(ctx, namespace); err != nil {
		return nil, err
	}
	sort.Strings(list)
	out := []any{}
	for _, t := range list {
		if !fits(pattern, t) {
			continue
		}
		r := any(lakeRecord(lake.Ident{Namespace: namespace, Name: t}, nil))
		if catalog == HiveCatalogName {
			if r, err = s.hiveRecord(ctx, hiveIdent{namespace, t}); err != nil {
				if hive.IsNoTable(err) {
					continue // dropped meanwhile
				}
				return nil, err
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// viewRecord is a temporary view; a global one has a namespace.
func viewRecord(name string, namespace ...string) map[string]any {
	list := []any{}
	for _, n := range namespace {
		list = append(list, n)
	}
	return map[string]any{"name": name, "catalog": nil, "namespace": list, "description": nil, "tableType": "TEMPORARY", "isTemporary": true}
}

func lakeRecord(id lake.Ident, description any) map[string]any {
	return map[string]any{"name": id.Name, "catalog": CatalogName, "namespace": []any{id.Namespace}, "description": description, "tableType": "MANAGED", "isTemporary": false}
}

func (s *Session) hiveRecord(ctx context.Context, id hiveIdent) (any, error) {
	t, err := s.loadHive(ctx, id.database, id.name)
	if err != nil {
		return nil, err
	}
	var description any
	if c := t.Params["comment"]; c != "" {
		description = c
	}
	kind := map[string]string{metastore.Managed: "MANAGED", metastore.External: "EXTERNAL", metastore.View: "VIEW"}[t.Type]
	return map[string]any{"name": t.Name, "catalog": HiveCatalogName, "namespace": []any{t.Database}, "description": description, "tableType": kind, "isTemporary": false}, nil
}

// Table is getTable.
func (s *Session) Table(ctx context.Context, name string) (any, error) {
	parsed, err := sql.ParseName(name)
	if err != nil {
		return nil, err
	}
	parts := names(sql.Spark, parsed)
	if v := s.viewNamed(parts); v != nil {
		return viewRecord(v.name, parts[:len(parts)-1]...), nil
	}
	if id, ok, err := s.hiveName(parts); ok || err != nil {
		if err != nil {
			return nil, err
		}
		r, err := s.hiveRecord(ctx, id)
		if hive.IsNoTable(err) {
			return nil, errclass.TableNotFound(sql.Spark, parts)
		}
		return r, err
	}
	t, err := s.loadTable(ctx, sql.Spark, parsed)
	if err != nil {
		return nil, err
	}
	var description any
	if c := t.Properties()["comment"]; c != "" {
		description = c
	}
	return lakeRecord(t.Ident(), description), nil
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
	keys, buckets, err := s.partitionKeys(ctx, parts)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for _, f := range SchemaOf(n).Fields {
		out = append(out, map[string]any{"name": f.Name, "description": comment(f), "dataType": f.Type.SimpleString(), "nullable": f.Nullable,
			"isPartition": slices.Contains(keys, f.Name), "isBucket": slices.Contains(buckets, f.Name), "isCluster": false})
	}
	return out, nil
}

// partitionKeys names the columns whose values a table is partitioned by, and those by whose buckets it is.
func (s *Session) partitionKeys(ctx context.Context, name []sql.Name) (keys, buckets []string, err error) {
	parts := names(sql.Spark, name)
	if s.viewNamed(parts) != nil {
		return nil, nil, nil
	}
	if id, ok, err := s.hiveName(parts); ok && err == nil {
		t, err := s.loadHive(ctx, id.database, id.name)
		if err != nil {
			return nil, nil, nil // a view of the metastore's own, which has no keys
		}
		for _, k := range t.Keys {
			keys = append(keys, k.Name)
		}
		return keys, nil, nil
	}
	t, err := s.loadTable(ctx, sql.Spark, name)
	if err != nil {
		return nil, nil, nil // a metadata table or a view
	}
	for _, f := range t.IdentityPartitions() {
		keys = append(keys, f.Name)
	}
	for _, f := range t.BucketPartitions() {
		buckets = append(buckets, f.Name)
	}
	return keys, buckets, nil
}

// NewTable is createTable: an empty table, or one over the files at a path.
func (s *Session) NewTable(ctx context.Context, name, location, source string, schema *types.Type, description string, options map[string]string) error {
	parts, err := sql.ParseName(name)
	if err != nil {
		return err
	}
	if source == "" {
		source = "parquet"
	}
	st := &sql.CreateTable{Name: parts, Using: source}
	if location != "" {
		st.Location = &location
	}
	if description != "" {
		st.Comment = &description
	}
	for k, v := range options {
		st.Options = append(st.Options, sql.Property{Key: k, Value: &sql.Literal{Kind: sql.StringLit, Text: v}})
	}
	if schema != nil {
		text := make([]string, len(schema.Fields))
		for i, f := range schema.Fields {
			text[i] = backquoted(f.Name) + " " + f.Type.SQL()
			if !f.Nullable {
				text[i] += " NOT NULL"
			}
			if f.Comment != "" {
				text[i] += " COMMENT " + quotedText(f.Comment)
			}
		}
		if st.Columns, err = sql.ParseSchema(strings.Join(text, ", ")); err != nil {
			return err
		}
	}
	_, err = s.Command(ctx, st)
	return err
}

// RecoverPartitions is recoverPartitions: ALTER TABLE … RECOVER PARTITIONS.
func (s *Session) RecoverPartitions(ctx context.Context, name string) error {
	parts, err := sql.ParseName(name)
	if err != nil {
		return err
	}
	quoted := make([]string, len(parts))
	for i, p := range parts {
		quoted[i] = backquoted(p.Text)
	}
	_, err = s.Execute(ctx, sql.Spark, "ALTER TABLE "+strings.Join(quoted, ".")+" RECOVER PARTITIONS", plan.Params{})
	return err
}

// Refresh is refreshTable: the files of the table are listed anew.
func (s *Session) Refresh(ctx context.Context, name string) error {
	parts, err := sql.ParseName(name)
	if err != nil {
		return err
	}
	if _, err := s.Plan(ctx, &sql.TableRef{Name: parts}); err != nil {
		return err
	}
	if id, ok, err := s.hiveName(names(sql.Spark, parts)); ok && err == nil {
		t, err := s.loadHive(ctx, id.database, id.name)
		if err != nil {
			return nil // a view, or one of the metastore's own
		}
		s.engine.Hive.Refresh(t.ID)
	}
	return nil
}

// RefreshPath is refreshByPath: the tables whose files lie below the path are listed anew.
func (s *Session) RefreshPath(p string) error {
	full, err := s.userTarget(p)
	if err != nil {
		return err
	}
	s.engine.Hive.RefreshBelow(full)
	return nil
}

// Cached, Cache, Uncache and ClearCache are isCached, cacheTable, uncacheTable and clearCache. They keep a note of the name only.
func (s *Session) Cached(ctx context.Context, name string) (bool, error) {
	key, err := s.cacheKey(ctx, name)
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cached[key], nil
}

// Cache notes a table or view; it must be there.
func (s *Session) Cache(ctx context.Context, name string) error {
	key, err := s.cacheKey(ctx, name)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cached == nil {
		s.cached = map[string]bool{}
	}
	s.cached[key] = true
	return nil
}

// Uncache takes the note back.
func (s *Session) Uncache(ctx context.Context, name string) error {
	key, err := s.cacheKey(ctx, name)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.cached, key)
	return nil
}

// ClearCache takes all notes back.
func (s *Session) ClearCache() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cached = nil
}

// cacheKey is the full name of a table or view that is there.
func (s *Session) cacheKey(ctx context.Context, name string) (string, error) {
	parsed, err := sql.ParseName(name)
	if err != nil {
		return "", err
	}
	if _, err := s.Plan(ctx, &sql.TableRef{Name: parsed}); err != nil {
		return "", err
	}
	parts := names(sql.Spark, parsed)
	catalog, namespace := s.Current()
	switch {
	case s.viewNamed(parts) != nil:
	case len(parts) == 1:
		parts = []string{catalog, namespace, parts[0]}
	case len(parts) == 2:
		parts = []string{catalog, parts[0], parts[1]}
	}
	return strings.ToLower(strings.Join(parts, ".")), nil
}

// DropTempView is dropTempView.
func (s *Session) DropTempView(name string) bool { return s.views.drop(name) }

// DropGlobalTempView is dropGlobalTempView.
func (s *Session) DropGlobalTempView(name string) bool { return s.engine.globals.drop(name) }

// FunctionExists is functionExists, for built-in functions.
func (s *Session) FunctionExists(name string) bool {
	f := functions.Lookup(sql.Spark, name)
	return f != nil && f.Missing == ""
}

// ListFunctions is listFunctions, for built-in functions.
func (s *Session) ListFunctions(ctx context.Context, database, pattern string) ([]any, error) {
	if _, _, err := s.existing(ctx, database); err != nil {
		return nil, err
	}
	out := []any{}
	var list []string
	for _, f := range functions.All(sql.Spark) {
		if f.Missing == "" {
			list = append(append(list, f.Name), f.Aliases...)
		}
	}
	sort.Strings(list)
	for _, name := range slices.Compact(list) {
		if fits(pattern, name) {
			out = append(out, functionRecord(name))
		}
	}
	return out, nil
}

// Function is getFunction.
func (s *Session) Function(name string) (any, error) {
	if s.FunctionExists(name) {
		return functionRecord(strings.ToLower(name)), nil
	}
	catalog, namespace := s.Current()
	return nil, errclass.RoutineNotResolved([]string{name}, []string{catalog, namespace})
}

func functionRecord(name string) map[string]any {
	return map[string]any{"name": name, "catalog": nil, "namespace": nil, "description": nil, "className": "", "isTemporary": true}
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
