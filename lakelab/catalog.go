package lakelab

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

// Catalog is pyspark.sql.catalog.Catalog. Names may have one to three parts: table, database.table,
// catalog.database.table; missing parts are the session's current ones. What its methods list prints as PySpark's rows do.
type Catalog struct{}

// CatalogInfo is a catalog (CatalogMetadata).
type CatalogInfo struct{ Name, Description string }

// DatabaseInfo is a database, or namespace (Database).
type DatabaseInfo struct{ Name, Catalog, Description, LocationURI string }

// TableInfo is a table or view (Table). A temporary view has no namespace. TableType is MANAGED, EXTERNAL, VIEW or TEMPORARY.
type TableInfo struct {
	Name, Catalog          string
	Namespace              []string
	Description, TableType string
	IsTemporary            bool
}

// ColumnInfo is a column of a table (Column); DataType is Spark's simple string.
type ColumnInfo struct {
	Name, Description, DataType                string
	Nullable, IsPartition, IsBucket, IsCluster bool
}

// FunctionInfo is a function (Function). A built-in one has no catalog and no namespace.
type FunctionInfo struct {
	Name, Catalog          string
	Namespace              []string
	Description, ClassName string
	IsTemporary            bool
}

func (c CatalogInfo) String() string {
	return fmt.Sprintf("CatalogMetadata(name=%s, description=%s)", pyText(c.Name), pyOptional(c.Description))
}

func (d DatabaseInfo) String() string {
	return fmt.Sprintf("Database(name=%s, catalog=%s, description=%s, locationUri=%s)", pyText(d.Name), pyOptional(d.Catalog), pyText(d.Description), pyText(d.LocationURI))
}

func (t TableInfo) String() string {
	return fmt.Sprintf("Table(name=%s, catalog=%s, namespace=%s, description=%s, tableType=%s, isTemporary=%s)",
		pyText(t.Name), pyOptional(t.Catalog), pyList(t.Namespace), pyOptional(t.Description), pyText(t.TableType), pyBool(t.IsTemporary))
}

func (c ColumnInfo) String() string {
	return fmt.Sprintf("Column(name=%s, description=%s, dataType=%s, nullable=%s, isPartition=%s, isBucket=%s, isCluster=%s)",
		pyText(c.Name), pyOptional(c.Description), pyText(c.DataType), pyBool(c.Nullable), pyBool(c.IsPartition), pyBool(c.IsBucket), pyBool(c.IsCluster))
}

func (f FunctionInfo) String() string {
	return fmt.Sprintf("Function(name=%s, catalog=%s, namespace=%s, description=%s, className=%s, isTemporary=%s)",
		pyText(f.Name), pyOptional(f.Catalog), pyList(f.Namespace), pyOptional(f.Description), pyText(f.ClassName), pyBool(f.IsTemporary))
}

func pyText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`).Replace(s) + "'"
}

func pyOptional(s string) string {
	if s == "" {
		return "None"
	}
	return pyText(s)
}

func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func pyList(list []string) string {
	if list == nil {
		return "None"
	}
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = pyText(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
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

func record(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func isTrue(v any) bool { b, _ := v.(bool); return b }

// optional is nil for an argument left out.
func optional(args []string, i int) any {
	if i < len(args) {
		return args[i]
	}
	return nil
}

func databaseInfo(m map[string]any) DatabaseInfo {
	return DatabaseInfo{str(m["name"]), str(m["catalog"]), str(m["description"]), str(m["locationUri"])}
}

func tableInfo(m map[string]any) TableInfo {
	return TableInfo{str(m["name"]), str(m["catalog"]), texts(m["namespace"]), str(m["description"]), str(m["tableType"]), isTrue(m["isTemporary"])}
}

func functionInfo(m map[string]any) FunctionInfo {
	return FunctionInfo{str(m["name"]), str(m["catalog"]), texts(m["namespace"]), str(m["description"]), str(m["className"]), isTrue(m["isTemporary"])}
}

// CurrentCatalog names the current catalog (currentCatalog).
func (*Catalog) CurrentCatalog() string { return str(catalogCall("currentCatalog")) }

// SetCurrentCatalog changes it (setCurrentCatalog). Error: AnalysisException CATALOG_NOT_FOUND.
func (*Catalog) SetCurrentCatalog(name string) { catalogCall("setCurrentCatalog", name) }

// ListCatalogs lists the catalogs (listCatalogs), those that match a pattern such as "lake*" if one is given.
func (*Catalog) ListCatalogs(pattern ...string) []CatalogInfo {
	var out []CatalogInfo
	for _, m := range records(catalogCall("listCatalogs", optional(pattern, 0))) {
		out = append(out, CatalogInfo{str(m["name"]), str(m["description"])})
	}
	return out
}

// CurrentDatabase names the current database (currentDatabase).
func (*Catalog) CurrentDatabase() string { return str(catalogCall("currentDatabase")) }

// SetCurrentDatabase changes it (setCurrentDatabase). Error: AnalysisException SCHEMA_NOT_FOUND.
func (*Catalog) SetCurrentDatabase(name string) { catalogCall("setCurrentDatabase", name) }

// DatabaseExists reports whether a database exists (databaseExists).
func (*Catalog) DatabaseExists(name string) bool { return catalogBool("databaseExists", name) }

// GetDatabase describes a database (getDatabase). Error: AnalysisException SCHEMA_NOT_FOUND.
func (*Catalog) GetDatabase(name string) DatabaseInfo {
	return databaseInfo(record(catalogCall("getDatabase", name)))
}

// ListDatabases lists the current catalog's databases (listDatabases), those that match a pattern if one is given.
func (*Catalog) ListDatabases(pattern ...string) []DatabaseInfo {
	var out []DatabaseInfo
	for _, m := range records(catalogCall("listDatabases", optional(pattern, 0))) {
		out = append(out, databaseInfo(m))
	}
	return out
}

// TableExists reports whether a table or view exists (tableExists).
func (*Catalog) TableExists(name string) bool { return catalogBool("tableExists", name) }

// GetTable describes a table or view (getTable). Error: AnalysisException TABLE_OR_VIEW_NOT_FOUND.
func (*Catalog) GetTable(name string) TableInfo {
	return tableInfo(record(catalogCall("getTable", name)))
}

// ListTables lists tables and views, temporary ones too (listTables): ListTables(), ListTables(database) or
// ListTables(database, pattern).
func (*Catalog) ListTables(databaseAndPattern ...string) []TableInfo {
	var out []TableInfo
	for _, m := range records(catalogCall("listTables", optional(databaseAndPattern, 0), optional(databaseAndPattern, 1))) {
		out = append(out, tableInfo(m))
	}
	return out
}

// ListColumns lists a table's columns (listColumns). Error: AnalysisException TABLE_OR_VIEW_NOT_FOUND.
func (*Catalog) ListColumns(table string) []ColumnInfo {
	var out []ColumnInfo
	for _, m := range records(catalogCall("listColumns", table)) {
		out = append(out, ColumnInfo{str(m["name"]), str(m["description"]), str(m["dataType"]), isTrue(m["nullable"]), isTrue(m["isPartition"]), isTrue(m["isBucket"]), isTrue(m["isCluster"])})
	}
	return out
}

// ListFunctions lists the functions, built-in and temporary (listFunctions): ListFunctions(), ListFunctions(database) or
// ListFunctions(database, pattern).
func (*Catalog) ListFunctions(databaseAndPattern ...string) []FunctionInfo {
	var out []FunctionInfo
	for _, m := range records(catalogCall("listFunctions", optional(databaseAndPattern, 0), optional(databaseAndPattern, 1))) {
		out = append(out, functionInfo(m))
	}
	return out
}

// FunctionExists reports whether a function exists (functionExists).
func (*Catalog) FunctionExists(name string) bool { return catalogBool("functionExists", name) }

// GetFunction describes a function (getFunction). Error: AnalysisException UNRESOLVED_ROUTINE.
func (*Catalog) GetFunction(name string) FunctionInfo {
	return functionInfo(record(catalogCall("getFunction", name)))
}

// NewTable says how CreateTable makes a table. A path makes it external; Source is parquet if empty; a table without a Schema
// takes the one of the files at Path.
type NewTable struct {
	Path, Source, Schema, Description string
	Options                           map[string]string
}

// CreateTable makes an empty table, or one over files that are there, and returns it (createTable):
//
//	spark.Catalog().CreateTable("shop.orders", lakelab.NewTable{Schema: "id INT, city STRING"})
//	spark.Catalog().CreateTable("shop.old", lakelab.NewTable{Path: "data/old"})
func (*Catalog) CreateTable(name string, how NewTable) *DataFrame {
	args := []any{name, how.Path, how.Source, nil, how.Description, stringNode(how.Options)}
	if how.Schema != "" {
		args[3] = schemaOf(call(node{"op": wire.OpSchema, "ddl": how.Schema}))
	}
	catalogCall("createTable", args...)
	return analyze(node{"n": "table", "name": name})
}

// CreateExternalTable is CreateTable under its old name (createExternalTable).
func (c *Catalog) CreateExternalTable(name string, how NewTable) *DataFrame {
	return c.CreateTable(name, how)
}

// RecoverPartitions takes partitions that lie in a table's folder into the catalog (recoverPartitions). Partitions whose folder is gone
// stay. Error: AnalysisException for a table without partitions.
func (*Catalog) RecoverPartitions(name string) { catalogCall("recoverPartitions", name) }

// RefreshTable reads a table's state anew (refreshTable). Error: AnalysisException TABLE_OR_VIEW_NOT_FOUND.
func (*Catalog) RefreshTable(name string) { catalogCall("refreshTable", name) }

// RefreshByPath reads the files below a path anew (refreshByPath).
func (*Catalog) RefreshByPath(path string) { catalogCall("refreshByPath", path) }

// CacheTable notes a table as cached (cacheTable). Nothing is kept: every query reads the table as it is.
func (*Catalog) CacheTable(name string) {
	catalogCall("cacheTable", name)
	note("CacheTable", cacheNote)
}

// UncacheTable takes the note back (uncacheTable).
func (*Catalog) UncacheTable(name string) { catalogCall("uncacheTable", name) }

// IsCached reports whether CacheTable was called for a table (isCached).
func (*Catalog) IsCached(name string) bool { return catalogBool("isCached", name) }

// ClearCache takes all notes back (clearCache).
func (*Catalog) ClearCache() { catalogCall("clearCache") }

// DropTempView drops a temporary view and reports whether there was one (dropTempView).
func (*Catalog) DropTempView(name string) bool { return catalogBool("dropTempView", name) }

// DropGlobalTempView drops a global temporary view and reports whether there was one (dropGlobalTempView).
func (*Catalog) DropGlobalTempView(name string) bool { return catalogBool("dropGlobalTempView", name) }
