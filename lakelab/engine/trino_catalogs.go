package engine

import (
	"context"
	"errors"
	"log"
	"maps"
	"slices"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Tables that Trino makes up: the catalog `system` and the schema information_schema of each catalog. Drivers and tools read them
// to find out what there is ("System connector", and information_schema in the SQL standard).

// The catalogs that Trino shows beside the lakehouse, and the schema that each of them has.
const (
	systemCatalog     = "system"
	informationSchema = "information_schema"
)

// trinoVersion is the version of Trino whose answers these are.
const trinoVersion = "476"

// virtualSchemas are the made-up schemas of a catalog.
func virtualSchemas(catalog string) []string {
	if catalog == systemCatalog {
		return []string{informationSchema, "jdbc", "metadata", "runtime"}
	}
	return []string{informationSchema}
}

// catalogs are the names of all catalogs.
func (s *Session) catalogs() []string { return []string{CatalogName, systemCatalog, tpchCatalog} }

// trinoCatalog reports whether a catalog of that name exists.
func (s *Session) trinoCatalog(name string) bool { return slices.Contains(s.catalogs(), name) }

// trinoSchemas are the schemas of a catalog, in order.
func (s *Session) trinoSchemas(ctx context.Context, catalog string) ([]string, error) {
	list := virtualSchemas(catalog)
	switch catalog {
	case tpchCatalog:
		list = append(list, tpchSchemas...)
	case CatalogName:
		ours, err := s.engine.Lake.Namespaces(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, ours...)
		list = append(list, systemCatalog) // Iceberg's procedures
	}
	sort.Strings(list)
	return slices.Compact(list), nil
}

// trinoSchema reports whether a catalog has a schema.
func (s *Session) trinoSchema(ctx context.Context, catalog, name string) (bool, error) {
	if _, ok := tpchScale(name); ok && catalog == tpchCatalog {
		return true, nil
	}
	list, err := s.trinoSchemas(ctx, catalog)
	for _, n := range list {
		if n == name {
			return true, err
		}
	}
	return false, err
}

// trinoName3 completes a table's name with the session's catalog and schema, and checks that both exist.
func (s *Session) trinoName3(ctx context.Context, names []sql.Name) (catalog, schema, table string, err error) {
	parts := sessionCatalog{s: s, d: sql.Trino}.parts(names)
	catalog, schema = s.Current()
	switch len(parts) {
	case 1:
		table = parts[0]
	case 2:
		schema, table = parts[0], parts[1]
	case 3:
		catalog, schema, table = parts[0], parts[1], parts[2]
	default:
		return "", "", "", errclass.TrinoDots(strings.Join(parts, "."))
	}
	at := span(names)
	switch {
	case len(parts) < 2 && schema == "":
		return "", "", "", errclass.TrinoMissingSchema().At(at)
	case len(parts) < 3 && catalog == "":
		return "", "", "", errclass.TrinoMissingCatalog().At(at)
	case !s.trinoCatalog(catalog):
		return "", "", "", errclass.CatalogNotFound(sql.Trino, catalog).At(at)
	}
	ok, err := s.trinoSchema(ctx, catalog, schema)
	if err == nil && !ok {
		err = errclass.TrinoSchemaNotFound(schema).At(at)
	}
	return catalog, schema, table, err
}

// eachTable calls f for every table and view of a catalog within a scope, made-up ones among them, in order. One that can't be read is left out, and the log
// says why, as Trino does: a broken table must not hide the others.
func (s *Session) eachTable(ctx context.Context, catalog string, in scope, f func(schema, table string, view bool) error) error {
	if !in.catalog.has(catalog) {
		return nil
	}
	schemas, err := s.trinoSchemas(ctx, catalog)
	if err != nil {
		return err
	}
	for _, schema := range schemas {
		if !in.schema.has(schema) {
			continue
		}
		tables, err := s.trinoTables(ctx, catalog, schema)
		if err != nil {
			return err
		}
		views, err := s.trinoViews(ctx, catalog, schema)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if !in.table.has(t) {
				continue
			}
			if err := f(schema, t, slices.Contains(views, t)); err != nil {
				if ctx.Err() != nil {
					return err
				}
				log.Printf("%s.%s.%s is left out of a list: %v", catalog, schema, t, err)
			}
		}
	}
	return nil
}

// trinoViews are the views of a schema.
func (s *Session) trinoViews(ctx context.Context, catalog, schema string) ([]string, error) {
	if catalog != CatalogName || madeUp(catalog, schema) != nil {
		return nil, nil
	}
	return s.engine.Lake.Views(ctx, schema)
}

// trinoTables are the tables and views of a schema, in order.
func (s *Session) trinoTables(ctx context.Context, catalog, schema string) ([]string, error) {
	var list []string
	tables := madeUp(catalog, schema)
	switch {
	case tables != nil:
		list = slices.Collect(maps.Keys(tables))
	case catalog == tpchCatalog:
		list = slices.Collect(maps.Keys(tpchTables))
	case catalog == CatalogName:
		var err error
		if list, err = s.engine.Lake.Tables(ctx, schema); err != nil {
			return nil, err
		}
		views, err := s.trinoViews(ctx, catalog, schema)
		if err != nil {
			return nil, err
		}
		list = append(list, views...)
	}
	sort.Strings(list)
	return list, nil
}

func infoTables(ctx context.Context, s *Session, in scope) ([][]any, error) {
	var rows [][]any
	err := s.eachTable(ctx, in.of, in, func(schema, table string, view bool) error {
		rows = append(rows, []any{in.of, schema, table, map[bool]string{true: "VIEW", false: "BASE TABLE"}[view], nil})
		return nil
	})
	return rows, err
}

func infoColumns(ctx context.Context, s *Session, in scope) ([][]any, error) {
	var rows [][]any
	err := s.eachTable(ctx, in.of, in, func(schema, table string, view bool) error {
		fields, err := s.fieldsOf(ctx, in.of, schema, table)
		for i, f := range fields {
			rows = append(rows, []any{in.of, schema, table, strings.ToLower(f.Name), int64(i + 1), nil, yesNo(f.Nullable), f.Type.Trino(), comment(f), nil, comment(f)})
		}
		return err
	})
	return rows, err
}

// fieldsOf are a table's or view's columns; nil if it went away meanwhile.
func (s *Session) fieldsOf(ctx context.Context, catalog, schema, table string) ([]types.Field, error) {
	tables := madeUp(catalog, schema)
	switch {
	case tables != nil:
		return tables[table].fields, nil
	case catalog == tpchCatalog:
		return tpchTables[table], nil
	}
	id := lake.Ident{Namespace: schema, Name: table}
	t, err := s.engine.Lake.Load(ctx, id)
	if err == nil {
		return t.Schema().Fields, nil
	}
	if lake.IsNoTable(err) {
		var v *lake.View
		if v, err = s.engine.Lake.LoadView(ctx, id); err == nil {
			if inTrino(v) != nil { // Trino knows that there is one, but not its columns
				return nil, nil
			}
			return v.Schema.Fields, nil
		}
		if errors.Is(err, lake.ErrNoView) {
			return nil, nil
		}
	}
	return nil, err
}

func yesNo(b bool) string {
	if b {
		return "YES"
	}
	return "NO"
}

func infoSchemata(ctx context.Context, s *Session, in scope) ([][]any, error) {
	list, err := s.trinoSchemas(ctx, in.of)
	rows := make([][]any, len(list))
	for i, n := range list {
		rows[i] = []any{in.of, n}
	}
	return rows, err
}

func jdbcCatalogs(_ context.Context, s *Session, _ scope) ([][]any, error) {
	var rows [][]any
	for _, c := range s.catalogs() {
		rows = append(rows, []any{c})
	}
	return rows, nil
}

func jdbcSchemas(ctx context.Context, s *Session, _ scope) ([][]any, error) {
	var rows [][]any
	for _, c := range s.catalogs() {
		list, err := s.trinoSchemas(ctx, c)
		if err != nil {
			return nil, err
		}
		for _, n := range list {
			rows = append(rows, []any{n, c})
		}
	}
	return rows, nil
}

func jdbcTables(ctx context.Context, s *Session, in scope) ([][]any, error) {
	var rows [][]any
	for _, c := range s.catalogs() {
		if err := s.eachTable(ctx, c, in, func(schema, table string, view bool) error {
			rows = append(rows, []any{c, schema, table, map[bool]string{true: "VIEW", false: "TABLE"}[view], nil, nil, nil, nil, nil, nil})
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func jdbcColumns(ctx context.Context, s *Session, in scope) ([][]any, error) {
	var rows [][]any
	for _, c := range s.catalogs() {
		if err := s.eachTable(ctx, c, in, func(schema, table string, view bool) error {
			fields, err := s.fieldsOf(ctx, c, schema, table)
			for i, f := range fields {
				j := jdbcType(f.Type)
				nullable := int64(1)
				if !f.Nullable {
					nullable = 0
				}
				rows = append(rows, []any{c, schema, table, strings.ToLower(f.Name), j.code, f.Type.Trino(), j.size, int64(0), j.digits, j.radix, nullable, comment(f), nil,
					nil, nil, j.octets, int64(i + 1), yesNo(f.Nullable), nil, nil, nil, nil, nil, nil})
			}
			return err
		}); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// jdbcInfo is how JDBC describes a type; nil for what does not apply.
type jdbcInfo struct {
	code                        int64
	size, digits, radix, octets any
}

// jdbcType gives java.sql.Types' number of a type, its size in characters or digits, and so on.
func jdbcType(t types.Type) jdbcInfo {
	number := func(code, size, radix int64) jdbcInfo { return jdbcInfo{code, size, nil, radix, nil} }
	switch t.Kind {
	case types.Boolean:
		return jdbcInfo{code: 16}
	case types.Byte:
		return number(-6, 3, 10)
	case types.Short:
		return number(5, 5, 10)
	case types.Int:
		return number(4, 10, 10)
	case types.Long:
		return number(-5, 19, 10)
	case types.Float:
		return number(7, 24, 2)
	case types.Double:
		return number(8, 53, 2)
	case types.Decimal:
		return jdbcInfo{3, int64(t.Precision), int64(t.Scale), int64(10), nil}
	case types.String:
		n := int64(2147483647)
		if m, bounded := t.Length(); bounded {
			n = int64(m)
		}
		return jdbcInfo{12, n, nil, nil, n}
	case types.Char:
		return jdbcInfo{1, int64(t.Precision), nil, nil, int64(t.Precision)}
	case types.Binary:
		return jdbcInfo{-3, int64(2147483647), nil, nil, int64(2147483647)}
	case types.Date:
		return jdbcInfo{code: 91, size: int64(14)}
	case types.Time:
		return jdbcInfo{92, int64(8 + fractionSize(t)), int64(t.Digits()), nil, nil}
	case types.TimestampNTZ:
		return jdbcInfo{93, int64(21 + fractionSize(t)), int64(t.Digits()), nil, nil}
	case types.Timestamp:
		return jdbcInfo{2014, int64(55 + fractionSize(t)), int64(t.Digits()), nil, nil}
	case types.Array:
		return jdbcInfo{code: 2003}
	}
	return jdbcInfo{code: 2000}
}

// fractionSize is the length of a point and the digits behind it.
func fractionSize(t types.Type) int {
	if t.Digits() == 0 {
		return 0
	}
	return t.Digits() + 1
}

// jdbcTypes lists the types. Those with parameters are objects to JDBC, and not searchable, until they have them.
func jdbcTypes(context.Context, *Session, scope) ([][]any, error) {
	var rows [][]any
	add := func(name string, code int64, size, radix any, searchable int64) {
		rows = append(rows, []any{name, code, size, nil, nil, nil, int64(1), false, searchable, nil, false, nil, nil, int64(0), int64(0), nil, nil, radix})
	}
	for _, k := range []types.Kind{types.Long, types.Boolean, types.Date, types.Double, types.Int, types.Int, types.Float, types.Short, types.Byte, types.Binary, types.Null,
		types.UUID, types.JSON, types.IPAddress, types.DayTimeInterval, types.YearMonthInterval} {
		t := types.Of(k)
		j := jdbcType(t)
		add(t.TrinoBase(), j.code, j.size, j.radix, 3)
	}
	add("color", 2000, nil, nil, 3)
	add("array", 2003, nil, nil, 0)
	for _, n := range strings.Fields("CodePoints HyperLogLog JoniRegExp JsonPath JsonPath2016 LikePattern P4HyperLogLog Re2JRegExp SetDigest char decimal function json2016 map qdigest row tdigest time timestamp varchar") {
		add(n, 2000, nil, nil, 0)
	}
	add("time with time zone", 2000, nil, nil, 0)
	add("timestamp with time zone", 2000, nil, nil, 0)
	return rows, nil
}

func metadataCatalogs(_ context.Context, s *Session, _ scope) ([][]any, error) {
	return [][]any{{CatalogName, CatalogName, "iceberg"}, {systemCatalog, systemCatalog, "system"}, {tpchCatalog, tpchCatalog, "tpch"}}, nil
}

func metadataComments(ctx context.Context, s *Session, in scope) ([][]any, error) {
	var rows [][]any
	err := s.eachTable(ctx, CatalogName, in, func(schema, table string, view bool) error {
		var text any
		if madeUp(CatalogName, schema) == nil {
			properties, err := s.relationProperties(ctx, lake.Ident{Namespace: schema, Name: table}, view)
			if err != nil {
				return err
			}
			if c := properties["comment"]; c != "" {
				text = c
			}
		}
		rows = append(rows, []any{CatalogName, schema, table, text})
		return nil
	})
	return rows, err
}

// relationProperties are the properties of a table or view; nil if it went away meanwhile.
func (s *Session) relationProperties(ctx context.Context, id lake.Ident, view bool) (map[string]string, error) {
	if view {
		v, err := s.engine.Lake.LoadView(ctx, id)
		if errors.Is(err, lake.ErrNoView) {
			return nil, nil
		}
		if err != nil || inTrino(v) != nil {
			return nil, err
		}
		return v.Properties, nil
	}
	t, err := s.engine.Lake.Load(ctx, id)
	if lake.IsNoTable(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return t.Properties(), nil
}

// trinoMetadata is one of a table's metadata tables in Trino's form: "t$snapshots".
func (c sessionCatalog) trinoMetadata(ctx context.Context, id lake.Ident, name string, ref *sql.TableRef) (*plan.Relation, error) {
	t, err := c.s.engine.Lake.Load(ctx, id)
	if lake.IsNoTable(err) {
		if !lake.IsTrinoTable(name) {
			return nil, nil
		}
		if _, err := c.s.engine.Lake.LoadView(ctx, id); err == nil {
			return nil, errclass.TrinoInternal("Error processing metadata for table " + id.Namespace + "." + id.Name)
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	schema, rows, ok, err := t.TrinoTable(ctx, name)
	if err != nil || !ok {
		return nil, err
	}
	if ref.Travel != nil {
		return nil, errclass.TrinoConnector("versioned tables").Nowhere()
	}
	full := append(fullName(id)[:2], id.Name+"$"+name)
	return &plan.Relation{Name: full, Source: &metadataSource{c.s, schema, rows}}, nil
}
