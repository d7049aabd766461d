package engine

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// trinoShow runs SHOW in Trino's dialect.
func (s *Session) trinoShow(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	var pattern *regexp.Regexp
	if st.Like != nil {
		var err error
		if pattern, err = likePattern(*st.Like, st.Escape); err != nil {
			return nil, err
		}
	}
	r, err := s.trinoShown(ctx, a, st)
	if err == nil && pattern != nil {
		r.Rows = slices.DeleteFunc(r.Rows, func(row []any) bool { return !pattern.MatchString(row[0].(string)) })
	}
	return r, err
}

// trinoShown answers SHOW without regard to its pattern.
func (s *Session) trinoShown(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	switch st.What {
	case "SESSION":
		return s.showSession(), nil
	case "CATALOGS":
		var rows [][]any
		for _, c := range s.catalogs() {
			rows = append(rows, []any{c})
		}
		return sized(rows, "Catalog"), nil
	case "NAMESPACES":
		return s.trinoShowSchemas(ctx, st)
	case "TABLES":
		return s.trinoShowTables(ctx, st)
	case "COLUMNS":
		return s.describeTrino(ctx, st.Name)
	case "FUNCTIONS":
		return s.trinoShowFunctions(st.Name)
	case "CREATE TABLE":
		return s.trinoShowCreate(ctx, a, st)
	case "CREATE VIEW":
		return s.trinoShowCreateView(ctx, st)
	case "CREATE NAMESPACE":
		return s.trinoShowCreateSchema(ctx, st)
	case "STATS":
		return s.trinoShowStats(ctx, a, st)
	}
	return nil, errclass.UnsupportedStatement(sql.Trino, "SHOW "+st.What).At(st.Span())
}

// sized is a result whose text columns are as long as their longest value: Trino plans such statements as VALUES.
func sized(rows [][]any, names ...string) *Result {
	fields := make([]types.Field, len(names))
	for i, n := range names {
		longest := 0
		for _, r := range rows {
			if t, ok := r[i].(string); ok {
				longest = max(longest, len([]rune(t)))
			}
		}
		fields[i] = types.Field{Name: n, Type: types.VarcharOf(longest), Nullable: true}
	}
	return local(rows, fields...)
}

// likePattern is a pattern of LIKE as a regular expression.
func likePattern(like string, escape *string) (*regexp.Regexp, error) {
	const none = -1
	escaping := rune(none)
	if escape != nil {
		c := []rune(*escape)
		if len(c) != 1 {
			return nil, errclass.TrinoLike(errclass.TrinoEscapeLength)
		}
		escaping = c[0]
	}
	var re strings.Builder
	literal := false
	for _, c := range like {
		switch {
		case literal && c != '%' && c != '_' && c != escaping:
			return nil, errclass.TrinoLike(errclass.TrinoEscapePlace)
		case literal:
			re.WriteString(regexp.QuoteMeta(string(c)))
			literal = false
		case c == escaping:
			literal = true
		case c == '%':
			re.WriteString(".*")
		case c == '_':
			re.WriteString(".")
		default:
			re.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	if literal {
		return nil, errclass.TrinoLike(errclass.TrinoEscapePlace)
	}
	return regexp.Compile("(?s)^(?:" + re.String() + ")$")
}

func (s *Session) trinoShowSchemas(ctx context.Context, st *sql.Show) (*Result, error) {
	catalog, _ := s.Current()
	if len(st.Name) > 0 {
		catalog = names(sql.Trino, st.Name)[0]
	}
	if catalog == "" {
		return nil, errclass.TrinoMissingCatalog().At(st.Span())
	}
	if !s.trinoCatalog(catalog) {
		return nil, errclass.CatalogNotFound(sql.Trino, catalog).Nowhere()
	}
	list, err := s.trinoSchemas(ctx, catalog)
	rows := make([][]any, len(list))
	for i, n := range list {
		rows[i] = []any{n}
	}
	return local(rows, text("Schema", false)), err
}

func (s *Session) trinoShowTables(ctx context.Context, st *sql.Show) (*Result, error) {
	catalog, schema := s.Current()
	switch parts := names(sql.Trino, st.Name); len(parts) {
	case 0:
	case 1:
		schema = parts[0]
	case 2:
		catalog, schema = parts[0], parts[1]
	default:
		return nil, errclass.TrinoDots(strings.Join(parts, "."))
	}
	switch {
	case schema == "":
		return nil, errclass.TrinoMissingSchema().At(st.Span())
	case catalog == "":
		return nil, errclass.TrinoMissingCatalog().At(st.Span())
	case !s.trinoCatalog(catalog):
		return nil, errclass.CatalogNotFound(sql.Trino, catalog).At(st.Span())
	}
	ok, err := s.trinoSchema(ctx, catalog, schema)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errclass.TrinoSchemaNotFound(schema).At(st.Span())
	}
	list, err := s.trinoTables(ctx, catalog, schema)
	var rows [][]any
	for _, t := range list {
		rows = append(rows, []any{t})
	}
	return local(rows, text("Table", false)), err
}

// schemaFunctions are the functions that lie in schemas: those of tables. All others are in none, and every session has them.
var schemaFunctions = map[string][][]any{
	systemCatalog + ".builtin":        {{"sequence", "unknown", "bigint, bigint, bigint", "table", false, ""}},
	CatalogName + "." + systemCatalog: {{"table_changes", "unknown", "varchar, varchar, bigint, bigint", "table", false, ""}},
}

// trinoShowFunctions runs SHOW FUNCTIONS, of all functions or those of a schema.
func (s *Session) trinoShowFunctions(of []sql.Name) (*Result, error) {
	var rows [][]any
	if len(of) == 0 {
		for _, f := range functions.TrinoFunctions() {
			rows = append(rows, []any{f.Name, f.Result, f.Args, f.Kind, f.Deterministic, f.Doc})
		}
	} else {
		catalog, schema, err := s.trinoSchemaName(of)
		if err != nil {
			return nil, err
		}
		rows = schemaFunctions[catalog+"."+schema]
	}
	r := sized(rows, "Function", "Return Type", "Argument Types", "Function Type", "Deterministic", "Description")
	if len(rows) == 0 {
		for i := range r.Schema.Fields {
			r.Schema.Fields[i].Type = types.Of(types.String)
		}
	}
	r.Schema.Fields[4].Type = types.Of(types.Boolean)
	return r, nil
}

// trinoTable finds the Iceberg table that a statement is about.
func (s *Session) trinoTable(ctx context.Context, names []sql.Name, at sql.Node) (*lake.Table, error) {
	catalog, schema, table, err := s.trinoName3(ctx, names)
	if err != nil {
		return nil, errclass.Elsewhere(err, at.Span())
	}
	missing := errclass.TableNotFound(sql.Trino, []string{catalog, schema, table}).At(at.Span())
	if catalog != CatalogName {
		return nil, missing
	}
	t, err := s.engine.Lake.Load(ctx, lake.Ident{Namespace: schema, Name: table})
	if lake.IsNoTable(err) {
		return nil, missing
	}
	return t, err
}

func (s *Session) trinoShowCreate(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	if v, err := s.trinoView(ctx, st.Name, st); err == nil {
		return nil, errclass.TrinoUnsupported("Relation '" + strings.Join(fullName(v.ID), ".") + "' is a view, not a table").At(st.Span())
	}
	text, err := s.trinoTableDefinition(ctx, a, st.Name, st)
	if err != nil {
		return nil, err
	}
	return sized([][]any{{text}}, "Create Table"), nil
}

// trinoTableDefinition is the statement that would make a table; at is where errors about its name belong.
func (s *Session) trinoTableDefinition(ctx context.Context, a *plan.Analyzer, name []sql.Name, at sql.Node) (string, error) {
	catalog, schema, table, err := s.trinoName3(ctx, name)
	if err != nil {
		return "", errclass.Elsewhere(err, at.Span())
	}
	if catalog == CatalogName && schema != informationSchema && !strings.Contains(table, "$") {
		t, err := s.trinoTable(ctx, name, at)
		if err != nil {
			return "", err
		}
		return trinoTableText(fullName(t.Ident()), t.Schema().Fields) + "\n" + trinoTableEnd(t), nil
	}
	n, err := a.Relation(ctx, &sql.TableRef{At: sql.At{Pos: at.Span()}, Name: name})
	if err != nil {
		return "", errclass.Elsewhere(err, at.Span())
	}
	fields := SchemaOf(n).Fields
	for i := range fields {
		fields[i].Nullable = fields[i].Nullable || strings.Contains(table, "$")
	}
	return trinoTableText([]string{catalog, schema, table}, fields), nil
}

// trinoTableText is CREATE TABLE with the columns.
func trinoTableText(name []string, fields []types.Field) string {
	var b strings.Builder
	for i, n := range name {
		name[i] = trinoIdent(n)
	}
	b.WriteString("CREATE TABLE " + strings.Join(name, ".") + " (\n")
	for i, f := range fields {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("   " + trinoIdent(f.Name) + " " + trinoColumnType(f.Type))
		if !f.Nullable {
			b.WriteString(" NOT NULL")
		}
		if f.Comment != "" {
			b.WriteString(" COMMENT " + trinoQuote(f.Comment))
		}
	}
	b.WriteString("\n)")
	return b.String()
}

// trinoTableEnd is the rest of CREATE TABLE for an Iceberg table: its comment and its properties.
func trinoTableEnd(t *lake.Table) string {
	comment, given := "", t.Properties()
	if c := given["comment"]; c != "" {
		comment = "COMMENT " + trinoQuote(c) + "\n"
	}
	props := []string{"format = 'PARQUET'", "format_version = " + t.FormatVersion(), "location = " + trinoQuote(t.Location())}
	if n := given["commit.retry.num-retries"]; n != "" {
		props = append(props, "max_commit_retry = "+n)
	}
	if fields, _ := t.Partitioning(); len(fields) > 0 {
		for i, f := range fields {
			fields[i] = trinoQuote(trinoTransform(f))
		}
		props = append(props, "partitioning = ARRAY["+strings.Join(fields, ",")+"]")
	}
	if order := t.SortOrder(); order != "" {
		var keys []string
		for _, k := range strings.Split(order, ", ") {
			keys = append(keys, trinoQuote(k))
		}
		props = append(props, "sorted_by = ARRAY["+strings.Join(keys, ",")+"]")
	}
	return comment + "WITH (\n   " + strings.Join(props, ",\n   ") + "\n)"
}

// trinoTransform spells a partition transform as Trino's property `partitioning` does: day(ts) for Spark's days(ts).
func trinoTransform(f string) string {
	for spark, trino := range map[string]string{"years(": "year(", "months(": "month(", "days(": "day(", "hours(": "hour("} {
		if rest, ok := strings.CutPrefix(f, spark); ok {
			return trino + rest
		}
	}
	for _, name := range []string{"bucket(", "truncate("} {
		if rest, ok := strings.CutPrefix(f, name); ok {
			width, column, _ := strings.Cut(strings.TrimSuffix(rest, ")"), ", ")
			return name + column + ", " + width + ")"
		}
	}
	return f
}

func trinoQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// trinoIdent quotes a name that is no plain identifier.
func trinoIdent(name string) string {
	for i, c := range name {
		if letter := c >= 'a' && c <= 'z' || c == '_'; !letter && (i == 0 || c < '0' || c > '9') {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

// trinoColumnType is a type as SHOW CREATE TABLE spells it.
func trinoColumnType(t types.Type) string {
	return strings.ReplaceAll(t.TrinoText(types.TrinoSpelling{Comma: ", "}), "row(", "ROW(")
}

func (s *Session) trinoShowCreateSchema(ctx context.Context, st *sql.Show) (*Result, error) {
	catalog, _ := s.Current()
	parts := names(sql.Trino, st.Name)
	if len(parts) > 2 {
		return nil, errclass.TrinoSyntax("Too many parts in schema name: "+strings.Join(parts, "."), st.Span())
	}
	if len(parts) == 2 {
		catalog, parts = parts[0], parts[1:]
	}
	if !s.trinoCatalog(catalog) {
		return nil, errclass.TrinoSchemaNotFound(catalog + "." + parts[0]).At(st.Span())
	}
	ok, err := s.trinoSchema(ctx, catalog, parts[0])
	if err != nil {
		return nil, err
	}
	switch {
	case !ok:
		return nil, errclass.TrinoSchemaNotFound(catalog + "." + parts[0]).At(st.Span())
	case catalog != CatalogName || parts[0] == informationSchema:
		return sized([][]any{{"CREATE SCHEMA " + catalog + "." + trinoIdent(parts[0])}}, "Create Schema"), nil
	}
	props, err := s.engine.Lake.NamespaceProperties(ctx, parts[0])
	if err != nil {
		return nil, err
	}
	location := props["location"]
	return sized([][]any{{"CREATE SCHEMA " + catalog + "." + trinoIdent(parts[0]) + "\nWITH (\n   location = " + trinoQuote(location) + "\n)"}}, "Create Schema"), nil
}
