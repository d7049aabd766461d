package engine

import (
	"context"
	"maps"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// virtualTable is a table made up when it is read.
type virtualTable struct {
	fields []types.Field
	rows   func(ctx context.Context, s *Session, in scope) ([][]any, error) // nil: it has none
}

// columnsAs reads `a, b:bigint`: columns with their types, varchar if none is named.
func columnsAs(text string) []types.Field {
	kinds := map[string]types.Type{
		"": types.Of(types.String), "bigint": types.Of(types.Long), "boolean": types.Of(types.Boolean), "double": types.Of(types.Double), "percentiles": types.MapOf(types.Of(types.Double), types.Of(types.Double), true),
		"strings": types.ArrayOf(types.Of(types.String), true),
		"time":    types.TemporalOf(types.Timestamp, 3), "nanos": types.TemporalOf(types.Timestamp, 9),
	}
	var out []types.Field
	for _, c := range strings.Split(text, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(c), ":")
		out = append(out, types.Field{Name: name, Type: kinds[kind], Nullable: true})
	}
	return out
}

// virtualTables by schema and name; those of information_schema are in every catalog, those of the schema system in Iceberg's, the others in
// the catalog system.
var virtualTables map[string]map[string]virtualTable

// madeUp are the tables of a schema that are made up when they are read; nil if that schema is no such one.
func madeUp(catalog, schema string) map[string]virtualTable {
	switch {
	case schema == informationSchema, catalog == systemCatalog && schema != systemCatalog, catalog == CatalogName && schema == systemCatalog:
		return virtualTables[schema]
	}
	return nil
}

func init() {
	columnList := "table_cat, table_schem, table_name, column_name, data_type:bigint, type_name, column_size:bigint, buffer_length:bigint, decimal_digits:bigint, num_prec_radix:bigint, nullable:bigint, remarks, column_def, sql_data_type:bigint, sql_datetime_sub:bigint, char_octet_length:bigint, ordinal_position:bigint, is_nullable, scope_catalog, scope_schema, scope_table, source_data_type:bigint, is_autoincrement, is_generatedcolumn"
	propertyList := "catalog_name, property_name, default_value, type, description"
	virtualTables = map[string]map[string]virtualTable{
		informationSchema: {
			"tables":           {columnsAs("table_catalog, table_schema, table_name, table_type"), infoTables},
			"columns":          {columnsAs("table_catalog, table_schema, table_name, column_name, ordinal_position:bigint, column_default, is_nullable, data_type"), infoColumns},
			"schemata":         {columnsAs("catalog_name, schema_name"), infoSchemata},
			"views":            {columnsAs("table_catalog, table_schema, table_name, view_definition"), infoViews},
			"applicable_roles": {columnsAs("grantee, grantee_type, role_name, is_grantable"), noRoles},
			"enabled_roles":    {columnsAs("role_name"), noRoles},
			"roles":            {columnsAs("role_name"), noRoles},
			"table_privileges": {columnsAs("grantor, grantor_type, grantee, grantee_type, table_catalog, table_schema, table_name, privilege_type, is_grantable, with_hierarchy"), nil},
		},
		"jdbc": {
			"catalogs":          {columnsAs("table_cat"), jdbcCatalogs},
			"schemas":           {columnsAs("table_schem, table_catalog"), jdbcSchemas},
			"tables":            {columnsAs("table_cat, table_schem, table_name, table_type, remarks, type_cat, type_schem, type_name, self_referencing_col_name, ref_generation"), jdbcTables},
			"columns":           {columnsAs(columnList), jdbcColumns},
			"table_types":       {columnsAs("table_type"), func(context.Context, *Session, scope) ([][]any, error) { return [][]any{{"TABLE"}, {"VIEW"}}, nil }},
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
			"table_properties":             {columnsAs(propertyList), metadataTableProperties},
			"schema_properties":            {columnsAs(propertyList), propertyRows([]any{"location", "", "varchar", "Where the schema's tables lie"})},
			"column_properties":            {columnsAs(propertyList), nil},
			"analyze_properties":           {columnsAs(propertyList), propertyRows([]any{"columns", "", "array(varchar)", "The columns to count"})},
			"materialized_view_properties": {columnsAs(propertyList), nil},
			"materialized_views":           {columnsAs("catalog_name, schema_name, name, storage_catalog, storage_schema, storage_table, freshness, last_fresh_time:nanos, comment, definition"), nil},
		},
		systemCatalog: {
			"iceberg_tables": {columnsAs("table_schema, table_name"), icebergTables},
		},
		"runtime": {
			"nodes": {columnsAs("node_id, http_uri, node_version, coordinator:boolean, state"), func(_ context.Context, s *Session, _ scope) ([][]any, error) {
				return [][]any{{"lakelab", s.trino.url, trinoVersion, true, "active"}}, nil
			}},
			"queries":              {columnsAs("query_id, state, user, source, query, resource_group_id:strings, queued_time_ms:bigint, analysis_time_ms:bigint, planning_time_ms:bigint, created:time, started:time, last_heartbeat:time, end:time, error_type, error_code"), runtimeQueries},
			"transactions":         {columnsAs("transaction_id, isolation_level, read_only:boolean, auto_commit_context:boolean, create_time:time, idle_time_secs:bigint, written_catalog, catalogs:strings"), nil},
			"tasks":                {columnsAs("node_id, task_id, stage_id, query_id, state, splits:bigint, queued_splits:bigint, running_splits:bigint, completed_splits:bigint, split_scheduled_time_ms:bigint, split_cpu_time_ms:bigint, split_blocked_time_ms:bigint, raw_input_bytes:bigint, raw_input_rows:bigint, processed_input_bytes:bigint, processed_input_rows:bigint, output_bytes:bigint, output_rows:bigint, physical_input_bytes:bigint, physical_written_bytes:bigint, created:time, start:time, last_heartbeat:time, end:time"), nil},
			"optimizer_rule_stats": {columnsAs("rule_name, invocations:bigint, matches:bigint, failures:bigint, average_time:double, time_distribution_percentiles:percentiles"), nil},
		},
	}
}

// noRoles refuses to list roles: Iceberg's connector has none, and says so.
func noRoles(_ context.Context, _ *Session, in scope) ([][]any, error) {
	if in.of == systemCatalog {
		return nil, nil
	}
	return nil, errclass.TrinoConnector("roles").Nowhere()
}

// icebergTables is system.iceberg_tables of the lakehouse: its tables, without views.
func icebergTables(ctx context.Context, s *Session, _ scope) ([][]any, error) {
	var rows [][]any
	err := s.eachTable(ctx, CatalogName, scope{}, func(schema, table string, view bool) error {
		if !view && madeUp(CatalogName, schema) == nil {
			rows = append(rows, []any{schema, table})
		}
		return nil
	})
	return rows, err
}

// propertyRows lists properties of the lakehouse: name, default, type, description.
func propertyRows(list ...[]any) func(context.Context, *Session, scope) ([][]any, error) {
	return func(context.Context, *Session, scope) ([][]any, error) {
		rows := make([][]any, len(list))
		for i, p := range list {
			rows[i] = append([]any{CatalogName}, p...)
		}
		return rows, nil
	}
}

// metadataTableProperties is system.metadata.table_properties: the properties that CREATE TABLE … WITH takes.
func metadataTableProperties(ctx context.Context, s *Session, in scope) ([][]any, error) {
	var list [][]any
	for _, name := range slices.Sorted(maps.Keys(trinoTableProperties)) {
		p := trinoTableProperties[name]
		list = append(list, []any{name, p.value, p.kind.Trino(), p.doc})
	}
	return propertyRows(list...)(ctx, s, in)
}

// virtual is a made-up table's relation; nil if there is none of that name.
func (s *Session) virtual(catalog, schema, name string) *plan.Relation {
	t, ok := madeUp(catalog, schema)[name]
	if !ok {
		return nil
	}
	source := virtualSource{metadataSource{s, types.StructOf(t.fields...), nil}, t, catalog}
	r := &plan.Relation{Name: []string{catalog, schema, name}, Source: &source}
	if hidden := hiddenInformation[name]; schema == informationSchema && hidden != nil {
		r.Source = &hidingSource{source, hidden}
	}
	return r
}

// virtualSource makes a table up when it is read, as far as the query's conditions on catalogs, schemas and tables want it.
type virtualSource struct {
	metadataSource
	table   virtualTable
	catalog string
}

// hiddenInformation are the columns of an information_schema's tables that are read by their names only: they stand behind the others.
var hiddenInformation = map[string][]types.Field{"tables": columnsAs("table_comment"), "columns": columnsAs("comment, extra_info, column_comment")}

// hidingSource is a made-up table with hidden columns.
type hidingSource struct {
	virtualSource
	hidden []types.Field
}

// Hidden are the hidden columns.
func (h *hidingSource) Hidden() []types.Field { return h.hidden }

// LocalRows makes the rows.
func (v *virtualSource) LocalRows(ctx context.Context, filter expr.Expr) ([][]any, error) {
	if v.table.rows == nil {
		return nil, nil
	}
	return v.table.rows(ctx, v.s, scopeOf(v.catalog, v.table.fields, filter))
}

// scope is what a query wants of a table that lists other tables: by its conditions, so that not every table has to be opened.
type scope struct {
	of                     string // the catalog whose information_schema it is, or system
	catalog, schema, table nameSet
}

// nameSet tells some names from all: those listed, if there is a list, which begin with the prefix.
type nameSet struct {
	only   []string // nil: all
	prefix string
}

func (n nameSet) has(name string) bool {
	return (n.only == nil || slices.Contains(n.only, name)) && strings.HasPrefix(name, n.prefix)
}

// within takes away what is not in a list, too.
func (n *nameSet) within(list []string) {
	if n.only != nil {
		list = slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !slices.Contains(n.only, name) })
	}
	n.only = append([]string{}, list...)
}

// scopeOf reads the conditions =, IN and LIKE with a constant on the table's first three columns: the names of a catalog, a schema and a
// table in those that list tables. It may take in more than the conditions, which are applied again, never less.
func scopeOf(catalog string, fields []types.Field, filter expr.Expr) scope {
	in := scope{of: catalog}
	if filter == nil || len(fields) < 3 {
		return in
	}
	of := map[string]*nameSet{fields[0].Name: &in.catalog, fields[1].Name: &in.schema, fields[2].Name: &in.table}
	for _, c := range plan.Conjuncts(filter) {
		call, ok := c.(*expr.Call)
		if !ok || len(call.Args) < 2 {
			continue
		}
		column, values := call.Args[0], call.Args[1:]
		if call.Func.Name == "=" {
			if _, constant := constantText(column); constant {
				column, values = call.Args[1], call.Args[:1]
			}
		}
		path := columnOf(column)
		if len(path) != 1 || of[path[0]] == nil {
			continue
		}
		var texts []string
		for _, x := range values {
			text, ok := constantText(x)
			if !ok {
				texts = nil
				break
			}
			texts = append(texts, text)
		}
		switch n := of[path[0]]; {
		case texts == nil:
		case call.Func.Name == "=" || call.Func.Name == "in":
			n.within(texts)
		case call.Func.Name == "like":
			prefix, whole, ok := likePrefix(texts)
			switch {
			case !ok:
			case whole:
				n.within([]string{prefix})
			case len(prefix) > len(n.prefix):
				n.prefix = prefix
			}
		}
	}
	return in
}

// constantText is a text, perhaps under casts that keep it.
func constantText(x expr.Expr) (string, bool) {
	switch x := x.(type) {
	case *expr.Lit:
		text, ok := x.Value.(string)
		return text, ok && x.T.Kind == types.String
	case *expr.Cast:
		if _, bounded := x.T.Length(); x.T.Kind == types.String && !bounded {
			return constantText(x.X)
		}
	}
	return "", false
}

// likePrefix is what a pattern, perhaps with an escape, begins with; whole if there is nothing else. False for an escape that is none.
func likePrefix(pattern []string) (prefix string, whole, ok bool) {
	escape := rune(-1)
	if len(pattern) > 1 {
		r := []rune(pattern[1])
		if len(r) != 1 {
			return "", false, false
		}
		escape = r[0]
	}
	var out strings.Builder
	escaped := false
	for _, c := range pattern[0] {
		switch {
		case escaped && c != '%' && c != '_' && c != escape:
			return "", false, false
		case !escaped && c == escape:
			escaped = true
			continue
		case !escaped && (c == '%' || c == '_'):
			return out.String(), false, true
		}
		out.WriteRune(c)
		escaped = false
	}
	return out.String(), !escaped, !escaped
}
