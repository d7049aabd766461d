package lakelab

import "mini-lakehouse-lab/lakelab/internal/wire"

// Catalog is pyspark.sql.catalog.Catalog. Names may have one to three parts: table, database.table,
// catalog.database.table; missing parts are the session's current ones.
type Catalog struct{}

// DatabaseInfo is a database (namespace).
type DatabaseInfo struct{ Name, Catalog, Description, LocationURI string }

// TableInfo is a table or view. A temporary view has no namespace.
type TableInfo struct {
	Name, Catalog          string
	Namespace              []string
	Description, TableType string
	IsTemporary            bool
}

// ColumnInfo is a column of a table; DataType is Spark's simple string.
type ColumnInfo struct {
	Name, Description, DataType     string
	Nullable, IsPartition, IsBucket bool
}

func catalogCall(name string, args ...any) any {
	return call(node{"op": wire.OpCatalog, "call": name, "args": args})["value"]
}

func catalogBool(name string, args ...any) bool {
	v, _ := catalogCall(name, args...).(bool)
	return v
}

// records reads a list of maps.
func records(v any) []map[string]any {
	list, _ := v.([]any)
	out := make([]map[string]any, 0, len(list))
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func isTrue(v any) bool { b, _ := v.(bool); return b }

// optional is nil for an argument left out.
func optional(args []string, i int) any {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// CurrentCatalog names the current catalog (currentCatalog).
func (*Catalog) CurrentCatalog() string { return str(catalogCall("currentCatalog")) }

// SetCurrentCatalog changes it (setCurrentCatalog).
func (*Catalog) SetCurrentCatalog(name string) { catalogCall("setCurrentCatalog", name) }

// ListCatalogs names the catalogs (listCatalogs), those that match a pattern such as "lake*" if one is given.
func (*Catalog) ListCatalogs(pattern ...string) []string {
	var names []string
	for _, m := range records(catalogCall("listCatalogs", optional(pattern, 0))) {
		names = append(names, str(m["name"]))
	}
	return names
}

// CurrentDatabase names the current database (currentDatabase).
func (*Catalog) CurrentDatabase() string { return str(catalogCall("currentDatabase")) }

// SetCurrentDatabase changes it (setCurrentDatabase). Error: AnalysisException SCHEMA_NOT_FOUND.
func (*Catalog) SetCurrentDatabase(name string) { catalogCall("setCurrentDatabase", name) }

// DatabaseExists reports whether a database exists (databaseExists).
func (*Catalog) DatabaseExists(name string) bool { return catalogBool("databaseExists", name) }

// ListDatabases lists the current catalog's databases (listDatabases), those that match a pattern if one is given.
func (*Catalog) ListDatabases(pattern ...string) []DatabaseInfo {
	var out []DatabaseInfo
	for _, m := range records(catalogCall("listDatabases", optional(pattern, 0))) {
		out = append(out, DatabaseInfo{str(m["name"]), str(m["catalog"]), str(m["description"]), str(m["locationUri"])})
	}
	return out
}

// TableExists reports whether a table or view exists (tableExists).
func (*Catalog) TableExists(name string) bool { return catalogBool("tableExists", name) }

// ListTables lists tables and views, temporary ones too (listTables): ListTables(), ListTables(database) or
// ListTables(database, pattern).
func (*Catalog) ListTables(databaseAndPattern ...string) []TableInfo {
	var out []TableInfo
	for _, m := range records(catalogCall("listTables", optional(databaseAndPattern, 0), optional(databaseAndPattern, 1))) {
		namespace := texts(m["namespace"])
		out = append(out, TableInfo{str(m["name"]), str(m["catalog"]), namespace, str(m["description"]), str(m["tableType"]), isTrue(m["isTemporary"])})
	}
	return out
}

// ListColumns lists a table's columns (listColumns). Error: AnalysisException TABLE_OR_VIEW_NOT_FOUND.
func (*Catalog) ListColumns(table string) []ColumnInfo {
	var out []ColumnInfo
	for _, m := range records(catalogCall("listColumns", table)) {
		out = append(out, ColumnInfo{str(m["name"]), str(m["description"]), str(m["dataType"]), isTrue(m["nullable"]), isTrue(m["isPartition"]), isTrue(m["isBucket"])})
	}
	return out
}

// DropTempView drops a temporary view and reports whether there was one (dropTempView).
func (*Catalog) DropTempView(name string) bool { return catalogBool("dropTempView", name) }

// DropGlobalTempView drops a global temporary view and reports whether there was one (dropGlobalTempView).
func (*Catalog) DropGlobalTempView(name string) bool { return catalogBool("dropGlobalTempView", name) }

// FunctionExists reports whether a function exists (functionExists).
func (*Catalog) FunctionExists(name string) bool { return catalogBool("functionExists", name) }

// RefreshTable reads a table's state anew (refreshTable). Error: AnalysisException TABLE_OR_VIEW_NOT_FOUND.
func (*Catalog) RefreshTable(name string) { catalogCall("refreshTable", name) }
