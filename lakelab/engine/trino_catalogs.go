package engine

import (
	"context"
	"errors"
	"log"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

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

// virtualTable is a table made up when it is read.
type virtualTable struct {
	fields []types.Field
	rows   func(ctx context.Context, s *Session, catalog string) ([][]any, error) // nil: it has none
}

// columnsAs reads `a, b:bigint`: columns with their types, varchar if none is named.
func columnsAs(text string) []types.Field {
	kinds := map[string]types.Type{
		"": types.Of(types.String), "bigint": types.Of(types.Long), "boolean": types.Of(types.Boolean), "strings": types.ArrayOf(types.Of(types.String), true),
		"time": types.TemporalOf(types.Timestamp, 3), "nanos": types.TemporalOf(types.Timestamp, 9),
	}
	var out []types.Field
	for _, c := range strings.Split(text, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(c), ":")
		out = append(out, types.Field{Name: name, Type: kinds[kind], Nullable: true})
	}
	return out
}

// virtualTables by schema and name; those of information_schema are in every catalog, the others in system.
var virtualTables map[string]map[string]virtualTable

func init() {
	columnList := "table_cat, table_schem, table_name, column_name, data_type:bigint, type_name, column_size:bigint, buffer_length:bigint, decimal_digits:bigint, num_prec_radix:bigint, nullable:bigint, remarks, column_def, sql_data_type:bigint, sql_datetime_sub:bigint, char_octet_length:bigint, ordinal_position:bigint, is_nullable, scope_catalog, scope_schema, scope_table, source_data_type:bigint, is_autoincrement, is_generatedcolumn"
	propertyList := "catalog_name, property_name, default_value, type, description"
	virtualTables = map[string]map[string]virtualTable{
		informationSchema: {
			"tables":           {columnsAs("table_catalog, table_schema, table_name, table_type"), infoTables},
			"columns":          {columnsAs("table_catalog, table_schema, table_name, column_name, ordinal_position:bigint, column_default, is_nullable, data_type"), infoColumns},
			"schemata":         {columnsAs("catalog_name, schema_name"), infoSchemata},
			"views":            {columnsAs("table_catalog, table_schema, table_name, view_definition"), infoViews},
			"applicable_roles": {columnsAs("grantee, grantee_type, role_name, is_grantable"), nil},
			"enabled_roles":    {columnsAs("role_name"), nil},
			"roles":            {columnsAs("role_name"), nil},
			"table_privileges": {columnsAs("grantor, grantor_type, grantee, grantee_type, table_catalog, table_schema, table_name, privilege_type, is_grantable, with_hierarchy"), nil},
		},
		"jdbc": {
			"catalogs":          {columnsAs("table_cat"), jdbcCatalogs},
			"schemas":           {columnsAs("table_schem, table_catalog"), jdbcSchemas},
			"tables":            {columnsAs("table_cat, table_schem, table_name, table_type, remarks, type_cat, type_schem, type_name, self_referencing_col_name, ref_generation"), jdbcTables},
			"columns":           {columnsAs(columnList), jdbcColumns},
			"table_types":       {columnsAs("table_type"), func(context.Context, *Session, string) ([][]any, error) { return [][]any{{"TABLE"}, {"VIEW"}}, nil }},
			"types":             {columnsAs("type_name, data_type:bigint, precision:bigint, literal_prefix, literal_suffix, create_params, nullable:bigint, case_sensitive:boolean, searchable:bigint, unsigned_attribute:boolean, fixed_prec_scale:boolean, auto_increment:boolean, local_type_name, minimum_scale:bigint, maximum_scale:bigint, sql_data_type:bigint, sql_datetime_sub:bigint, num_prec_radix:bigint"), jdbcTypes},
			"udts":              {columnsAs("type_cat, type_schem, type_name, class_name, data_type, remarks, base_type"), nil},
			"procedures":        {columnsAs("procedure_cat, procedure_schem, procedure_name, remarks, procedure_type:bigint, specific_name"), nil},
			"procedure_columns": {columnsAs("procedure_cat, procedure_schem, procedure_name, column_name, column_type:bigint, data_type:bigint, type_name, precision:bigint, length:bigint, scale:bigint, radix:bigint, nullable:bigint, remarks, column_def, sql_data_type:bigint, sql_datetime_sub:bigint, char_octet_length:bigint, ordinal_position:bigint, is_nullable, specific_name"), nil},
			"attributes":        {columnsAs("type_cat, type_schem, type_name, attr_name, data_type:bigint, attr_type_name, attr_size:bigint, decimal_digits:bigint, num_prec_radix:bigint, nullable:bigint, remarks, attr_def, sql_data_type:bigint, sql_datetime_sub:bigint, char_octet_length:bigint, ordinal_position:bigint, is_nullable, scope_catalog, scope_schema, scope_table, source_data_type:bigint"), nil},
			"super_tables":      {columnsAs("table_cat, table_schem, table_name, supertable_name"), nil},
			"super_types":       {columnsAs("type_cat, type_schem, type_name, supertype_cat, supertype_schem, supertype_name"), nil},
			"pseudo_columns":    {columnsAs("table_cat, table_schem, table_name, column_name, data_type:bigint, column_size:bigint, decimal_digits:bigint, num_prec_radix:bigint, column_usage, remarks, char_octet_length:bigint, is_nullable:bigint"), nil},
		},
		"metadata": {
			"catalogs":                     {columnsAs("catalog_name, connector_id, connector_name"), metadataCatalogs},
			"table_comments":               {columnsAs("catalog_name, schema_name, table_name, comment"), metadataComments},
			"table_properties":             {columnsAs(propertyList), nil},
			"schema_properties":            {columnsAs(propertyList), nil},
			"column_properties":            {columnsAs(propertyList), nil},
			"analyze_properties":           {columnsAs(propertyList), nil},
			"materialized_view_properties": {columnsAs(propertyList), nil},
			"materialized_views":           {columnsAs("catalog_name, schema_name, name, storage_catalog, storage_schema, storage_table, freshness, last_fresh_time:nanos, comment, definition"), nil},
		},
		"runtime": {
			"nodes": {columnsAs("node_id, http_uri, node_version, coordinator:boolean, state"), func(_ context.Context, s *Session, _ string) ([][]any, error) {
				return [][]any{{"lakelab", s.trino.url, trinoVersion, true, "active"}}, nil
			}},
			"queries":              {columnsAs("query_id, state, user, source, query, resource_group_id:strings, queued_time_ms:bigint, analysis_time_ms:bigint, planning_time_ms:bigint, created:time, started:time, last_heartbeat:time, end:time, error_type, error_code"), runtimeQueries},
			"transactions":         {columnsAs("transaction_id, isolation_level, read_only:boolean, auto_commit_context:boolean, create_time:time, idle_time_secs:bigint, written_catalog, catalogs:strings"), nil},
			"tasks":                {columnsAs("node_id, task_id, stage_id, query_id, state, splits:bigint, queued_splits:bigint, running_splits:bigint, completed_splits:bigint, split_scheduled_time_ms:bigint, split_cpu_time_ms:bigint, split_blocked_time_ms:bigint, raw_input_bytes:bigint, raw_input_rows:bigint, processed_input_bytes:bigint, processed_input_rows:bigint, output_bytes:bigint, output_rows:bigint, physical_input_bytes:bigint, physical_written_bytes:bigint, created:time, start:time, last_heartbeat:time, end:time"), nil},
			"optimizer_rule_stats": {columnsAs("rule_name, invocations:bigint, matches:bigint, failures:bigint"), nil},
		},
	}
}

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
	return list, nil
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

// virtual is a made-up table's relation; nil if there is none of that name.
func (s *Session) virtual(ctx context.Context, catalog, schema, name string) (*plan.Relation, error) {
	if schema != informationSchema && catalog != systemCatalog {
		return nil, nil
	}
	t, ok := virtualTables[schema][name]
	if !ok {
		return nil, nil
	}
	var rows [][]any
	if t.rows != nil {
		var err error
		if rows, err = t.rows(ctx, s, catalog); err != nil {
			return nil, err
		}
	}
	return &plan.Relation{Name: []string{catalog, schema, name}, Source: &metadataSource{s, types.StructOf(t.fields...), rows}}, nil
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

// eachTable calls f for every table and view of a catalog, made-up ones among them, in order. One that can't be read is left out, and the log
// says why, as Trino does: a broken table must not hide the others.
func (s *Session) eachTable(ctx context.Context, catalog string, f func(schema, table string, view bool) error) error {
	schemas, err := s.trinoSchemas(ctx, catalog)
	if err != nil {
		return err
	}
	for _, schema := range schemas {
		tables, err := s.trinoTables(ctx, catalog, schema)
		if err != nil {
			return err
		}
		views, err := s.trinoViews(ctx, catalog, schema)
		if err != nil {
			return err
		}
		for _, t := range tables {
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
	if catalog != CatalogName || schema == informationSchema || schema == systemCatalog {
		return nil, nil
	}
	return s.engine.Lake.Views(ctx, schema)
}

// trinoTables are the tables and views of a schema, in order.
func (s *Session) trinoTables(ctx context.Context, catalog, schema string) ([]string, error) {
	var list []string
	switch {
	case schema == informationSchema || catalog == systemCatalog:
		list = slices.Collect(maps.Keys(virtualTables[schema]))
	case catalog == tpchCatalog:
		list = slices.Collect(maps.Keys(tpchTables))
	case schema != systemCatalog:
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

func infoTables(ctx context.Context, s *Session, catalog string) ([][]any, error) {
	var rows [][]any
	err := s.eachTable(ctx, catalog, func(schema, table string, view bool) error {
		rows = append(rows, []any{catalog, schema, table, map[bool]string{true: "VIEW", false: "BASE TABLE"}[view]})
		return nil
	})
	return rows, err
}

func infoColumns(ctx context.Context, s *Session, catalog string) ([][]any, error) {
	var rows [][]any
	err := s.eachTable(ctx, catalog, func(schema, table string, view bool) error {
		fields, err := s.fieldsOf(ctx, catalog, schema, table)
		for i, f := range fields {
			rows = append(rows, []any{catalog, schema, table, strings.ToLower(f.Name), int64(i + 1), nil, yesNo(f.Nullable), f.Type.Trino()})
		}
		return err
	})
	return rows, err
}

// fieldsOf are a table's or view's columns; nil if it went away meanwhile.
func (s *Session) fieldsOf(ctx context.Context, catalog, schema, table string) ([]types.Field, error) {
	switch {
	case schema == informationSchema || catalog == systemCatalog:
		return virtualTables[schema][table].fields, nil
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

func infoSchemata(ctx context.Context, s *Session, catalog string) ([][]any, error) {
	list, err := s.trinoSchemas(ctx, catalog)
	rows := make([][]any, len(list))
	for i, n := range list {
		rows[i] = []any{catalog, n}
	}
	return rows, err
}

func jdbcCatalogs(_ context.Context, s *Session, _ string) ([][]any, error) {
	var rows [][]any
	for _, c := range s.catalogs() {
		rows = append(rows, []any{c})
	}
	return rows, nil
}

func jdbcSchemas(ctx context.Context, s *Session, _ string) ([][]any, error) {
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

func jdbcTables(ctx context.Context, s *Session, _ string) ([][]any, error) {
	var rows [][]any
	for _, c := range s.catalogs() {
		if err := s.eachTable(ctx, c, func(schema, table string, view bool) error {
			rows = append(rows, []any{c, schema, table, map[bool]string{true: "VIEW", false: "TABLE"}[view], nil, nil, nil, nil, nil, nil})
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func jdbcColumns(ctx context.Context, s *Session, _ string) ([][]any, error) {
	var rows [][]any
	for _, c := range s.catalogs() {
		if err := s.eachTable(ctx, c, func(schema, table string, view bool) error {
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
func jdbcTypes(context.Context, *Session, string) ([][]any, error) {
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

func metadataCatalogs(_ context.Context, s *Session, _ string) ([][]any, error) {
	return [][]any{{CatalogName, CatalogName, "iceberg"}, {systemCatalog, systemCatalog, "system"}, {tpchCatalog, tpchCatalog, "tpch"}}, nil
}

func metadataComments(ctx context.Context, s *Session, _ string) ([][]any, error) {
	var rows [][]any
	err := s.eachTable(ctx, CatalogName, func(schema, table string, view bool) error {
		var text any
		if schema != informationSchema {
			t, err := s.engine.Lake.Load(ctx, lake.Ident{Namespace: schema, Name: table})
			if err != nil && !lake.IsNoTable(err) {
				return err
			}
			if err == nil && t.Properties()["comment"] != "" {
				text = t.Properties()["comment"]
			}
			if view {
				v, err := s.engine.Lake.LoadView(ctx, lake.Ident{Namespace: schema, Name: table})
				if err != nil && !errors.Is(err, lake.ErrNoView) {
					return err
				}
				if err == nil && v.Properties["comment"] != "" {
					text = v.Properties["comment"]
				}
			}
		}
		rows = append(rows, []any{CatalogName, schema, table, text})
		return nil
	})
	return rows, err
}

// trinoQuery is a statement of the Trino door that runs.
type trinoQuery struct {
	user, source, text string
	began              time.Time
	kill               context.CancelCauseFunc
}

func runtimeQueries(_ context.Context, s *Session, _ string) ([][]any, error) {
	var rows [][]any
	for id, q := range s.engine.runningQueries() {
		at := types.Micros(q.began.UnixMicro())
		now := types.Micros(time.Now().UnixMicro())
		rows = append(rows, []any{id, "RUNNING", q.user, q.source, q.text, []any{"global"}, int64(0), int64(0), int64(0), at, at, now, nil, nil, nil})
	}
	return rows, nil
}

// runningQueries are the Trino door's, by their ids.
func (e *Engine) runningQueries() map[string]trinoQuery {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := map[string]trinoQuery{}
	for id, q := range e.queries {
		out[id] = q
	}
	return out
}

// started notes a statement of the Trino door; call the result when it has ended.
func (e *Engine) started(id string, q trinoQuery) func() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.queries == nil {
		e.queries = map[string]trinoQuery{}
	}
	e.queries[id] = q
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.queries, id)
	}
}

// killQuery ends a running statement of the Trino door; false if there is none of that id.
func (e *Engine) killQuery(id, message string) bool {
	q, ok := e.runningQueries()[id]
	if ok {
		q.kill(errclass.TrinoKilled(message))
	}
	return ok
}

// trinoMetadata is one of a table's metadata tables in Trino's form: "t$snapshots".
func (c sessionCatalog) trinoMetadata(ctx context.Context, id lake.Ident, name string, ref *sql.TableRef) (*plan.Relation, error) {
	t, err := c.s.engine.Lake.Load(ctx, id)
	if lake.IsNoTable(err) {
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
