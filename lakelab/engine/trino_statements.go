package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's statements that change tables and schemas ("SQL statement list", "Iceberg connector"). They are brought into the form that
// both dialects share; what only Trino has is done here.

// runTrino runs a statement in Trino's dialect, and places its errors as Trino does.
func (s *Session) runTrino(ctx context.Context, a *plan.Analyzer, st sql.Statement) (*Result, error) {
	if err := s.checkTransaction(st); err != nil {
		return nil, err
	}
	if err := s.autocommitOnly(ctx, st); err != nil {
		s.abort()
		return nil, err
	}
	r, err := s.trinoStatement(ctx, a, st)
	if err != nil {
		s.abort()
		if _, ok := st.(*sql.Update); ok {
			err = errclass.TrinoUpdateNull(err)
		}
		return nil, trinoPlace(st, errclass.InTrino(err))
	}
	return r, nil
}

func (s *Session) trinoStatement(ctx context.Context, a *plan.Analyzer, st sql.Statement) (*Result, error) {
	if err := s.refuse(ctx, st); err != nil {
		return nil, err
	}
	switch st := st.(type) {
	case *sql.Access:
		return s.access(ctx, st)
	case *sql.Materialized:
		return s.materializedView(ctx, st)
	case *sql.CreateView:
		return s.trinoCreateView(ctx, a, st)
	case *sql.AlterNamespace:
		return nil, s.renameSchema(ctx, st)
	case *sql.Show:
		return s.trinoShow(ctx, a, st)
	case *sql.CreateTable:
		return s.trinoCreateTable(ctx, a, st)
	case *sql.CreateNamespace:
		return s.trinoCreateSchema(ctx, a, st)
	case *sql.Comment:
		return s.trinoComment(ctx, st)
	case *sql.AlterTable:
		return s.trinoAlter(ctx, a, st)
	case *sql.CallProc:
		return s.trinoCall(ctx, a, st)
	case *sql.Analyze:
		return s.trinoAnalyze(ctx, a, st)
	case *sql.Explain:
		return s.trinoExplain(ctx, a, st)
	case *sql.Insert:
		if _, err := s.trinoTable(ctx, st.Table, st); err != nil {
			if errclass.Is(err, "SCHEMA_NOT_FOUND") {
				catalog, schema, table, _ := s.trinoName3(ctx, st.Table)
				err = errclass.TableNotFound(sql.Trino, []string{catalog, schema, table}).At(st.Span())
			}
			return nil, err
		}
	case *sql.Drop:
		switch catalog, schema, err := s.trinoSchemaName(st.Name); {
		case st.Kind == "VIEW":
			return s.trinoDropView(ctx, st)
		case st.Kind == "NAMESPACE" && err == nil:
			if ok, err := s.trinoSchema(ctx, catalog, schema); err != nil || !ok {
				if err == nil && st.IfExists {
					return updated("DROP SCHEMA", -1), nil
				}
				if err == nil {
					err = errclass.TrinoSchemaNotFound(catalog + "." + schema).At(st.Span())
				}
				return nil, err
			}
		}
	}
	return s.runShared(ctx, a, st)
}

// wholeStatement are the errors about a statement's target that Trino reports at the statement's start.
var wholeStatement = []string{"TABLE_NOT_FOUND", "SCHEMA_NOT_FOUND", "TABLE_ALREADY_EXISTS", "SCHEMA_ALREADY_EXISTS", "SCHEMA_NOT_EMPTY", "COLUMN_ALREADY_EXISTS", "CATALOG_NOT_FOUND"}

// trinoPlace moves an error about a statement's target to the statement's start.
func trinoPlace(st sql.Statement, err error) error {
	var e *errclass.Error
	if !errors.As(err, &e) || !slices.Contains(wholeStatement, e.Class) {
		return err
	}
	target := targetOf(st)
	if target == nil || e.HasSpan && (e.Span.Start.Offset < span(target).Start.Offset || e.Span.Start.Offset > span(target).End.Offset) {
		return err
	}
	return e.Elsewhere(st.Span())
}

// targetOf is the name of the table or schema that a statement is about; nil for queries.
func targetOf(st sql.Statement) []sql.Name {
	switch st := st.(type) {
	case *sql.CreateTable:
		return st.Name
	case *sql.CreateNamespace:
		return st.Name
	case *sql.CreateView:
		return st.Name
	case *sql.Drop:
		return st.Name
	case *sql.Insert:
		return st.Table
	case *sql.Delete:
		return st.Table.Name
	case *sql.Update:
		return st.Table.Name
	case *sql.Merge:
		return st.Target.Name
	case *sql.Truncate:
		return st.Table
	case *sql.AlterTable:
		return st.Name
	case *sql.Analyze:
		return st.Table
	case *sql.Describe:
		return st.Name
	case *sql.Show:
		if st.What == "COLUMNS" {
			return st.Name
		}
	}
	return nil
}

// trinoCreateTable brings CREATE TABLE into the shared form: properties become partitioning, location and Iceberg's properties.
func (s *Session) trinoCreateTable(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable) (*Result, error) {
	catalog, schema, table, err := s.trinoName3(ctx, st.Name)
	if errclass.Is(err, "SCHEMA_NOT_FOUND") {
		return nil, errclass.TrinoNoSchema(schema)
	}
	if err != nil {
		return nil, err
	}
	if catalog != CatalogName || madeUp(catalog, schema) != nil {
		return nil, errclass.TrinoConnector("creating tables").At(st.Span())
	}
	if strings.Contains(table, "$") {
		return nil, errclass.TrinoInternal("Invalid Iceberg table name: " + table)
	}
	exists, err := s.engine.Lake.Exists(ctx, lake.Ident{Namespace: schema, Name: table})
	if err != nil {
		return nil, err
	}
	if !exists && st.OrReplace {
		switch _, err := s.engine.Lake.LoadView(ctx, lake.Ident{Namespace: schema, Name: table}); {
		case err == nil:
			return nil, errclass.TrinoTableExists([]string{catalog, schema, table}, false).At(st.Span())
		case !errors.Is(err, lake.ErrNoView):
			return nil, err
		}
	}
	switch {
	case exists && !st.OrReplace && !st.IfNotExists:
		return nil, errclass.TrinoTableExists([]string{catalog, schema, table}, st.AsQuery != nil).At(st.Span())
	case exists && st.IfNotExists && st.AsQuery != nil:
		return updated("CREATE TABLE", 0), nil
	case exists && st.IfNotExists && !st.OrReplace:
		return updated("CREATE TABLE", -1), nil
	}
	if st, err = s.likeTables(ctx, a, st); err != nil {
		return nil, err
	}
	c := *st
	given, err := s.tableProperties(ctx, a, st.Properties)
	if err != nil {
		return nil, err
	}
	c.Properties, c.PartitionedBy, c.SortedBy, c.Location = given.props, given.parts, given.order, given.location
	if given.location == nil && !exists {
		if c.Location, err = s.engine.Lake.UniqueLocation(ctx, lake.Ident{Namespace: schema, Name: table}); err != nil {
			return nil, err
		}
	}
	if given.location != nil && !exists {
		if used, err := s.engine.Lake.Used(ctx, *given.location); err != nil || used {
			if err == nil {
				err = errclass.TrinoLocationTaken(*given.location)
			}
			return nil, err
		}
	}
	if codec := s.writing().Codec; codec != "" && !exists {
		c.Properties = append(c.Properties, sql.Property{Key: "write.parquet.compression-codec", Value: &sql.Literal{Kind: sql.StringLit, Text: codec}})
	}
	for _, p := range trinoDefaults {
		if !slices.ContainsFunc(c.Properties, func(q sql.Property) bool { return q.Key == p[0] }) {
			c.Properties = append(c.Properties, sql.Property{Key: p[0], Value: &sql.Literal{Kind: sql.StringLit, Text: p[1]}})
		}
	}
	seen := map[string]string{} // names as they are written, by the names that tables keep
	var columns []types.Field
	for _, d := range st.Columns {
		t, err := storedType(a, d)
		if err != nil {
			return nil, err
		}
		name := strings.ToLower(d.Name.Text)
		if seen[name] != "" {
			return nil, errclass.TrinoDuplicateColumn(d.Name.Text).At(d.Span())
		}
		seen[name] = d.Name.Text
		columns = append(columns, types.Field{Name: name, Type: t})
	}
	if st.AsQuery == nil {
		if _, err := partitionFields(types.StructOf(columns...), given.parts); err != nil {
			return nil, err
		}
		return s.createTable(ctx, a, &c)
	}
	n, err := a.Query(ctx, st.AsQuery)
	if err != nil {
		return nil, err
	}
	out := n.Output()
	if len(st.ColumnNames) > 0 && len(st.ColumnNames) != len(out) {
		return nil, errclass.TrinoColumnAliases(len(st.ColumnNames), len(out)).At(st.ColumnNames[0].Span())
	}
	for i, col := range out {
		written := col.Name
		if len(st.ColumnNames) > 0 {
			written = st.ColumnNames[i].Text
		} else if written == plan.Unnamed(i) {
			return nil, errclass.TrinoUnnamedColumn(i + 1).At(st.Span())
		}
		name := strings.ToLower(written)
		if seen[name] == written {
			return nil, errclass.TrinoDuplicateColumn(name).At(st.Span())
		}
		if seen[name] != "" { // the library finds it
			first := slices.IndexFunc(out, func(o *expr.Column) bool { return strings.EqualFold(o.Name, name) })
			return nil, errclass.TrinoInternal(fmt.Sprintf("Invalid schema: multiple fields for name %s: %d and %d", name, first+1, i+1))
		}
		if col.T.Kind == types.Null {
			return nil, errclass.TrinoColumnUntyped(name).At(st.Span())
		}
		seen[name] = written
		t, err := trinoStored(col.T)
		if err != nil {
			return nil, err
		}
		columns = append(columns, types.Field{Name: name, Type: t, Nullable: true})
	}
	if _, err := partitionFields(types.StructOf(columns...), given.parts); err != nil {
		return nil, err
	}
	c.AsQuery, c.ColumnNames, c.WithNoData = wrapped(st), nil, false
	return s.createTable(ctx, a, &c)
}

// trinoDefaults are properties that Trino gives to every table.
var trinoDefaults = [][2]string{{"write.format.default", "PARQUET"}, {"commit.retry.num-retries", "4"}}

// wrapped puts CREATE TABLE AS's column names and WITH NO DATA around its query.
func wrapped(st *sql.CreateTable) *sql.Query {
	if len(st.ColumnNames) == 0 && !st.WithNoData {
		return st.AsQuery
	}
	at := sql.At{Pos: st.AsQuery.Span()}
	d := &sql.Derived{At: at, Query: st.AsQuery}
	d.Alias.Name = &sql.Name{At: at, Text: "query"}
	d.Alias.Columns = st.ColumnNames
	q := &sql.Query{At: at, Body: &sql.Select{At: at, Items: []sql.Expr{&sql.Star{At: at}}, From: []sql.Relation{d}}}
	if st.WithNoData {
		q.Limit = &sql.Literal{At: at, Kind: sql.NumberLit, Text: "0"}
	}
	return q
}

// storedType is the type of a column definition; a type that does not exist is named with its column.
func storedType(a *plan.Analyzer, d sql.ColumnDef) (types.Type, error) {
	t, err := columnType(a.Dialect, d.Type)
	if errclass.Is(err, "TYPE_MISMATCH") {
		return t, errclass.TrinoColumnType(d.Type.Name, strings.ToLower(d.Name.Text)).At(d.Span())
	}
	return t, err
}

// trinoStored is the type that an Iceberg table keeps a type as: text has no length there, whole numbers have 32 bits at least, and
// times have microseconds. Some types have no place there.
func trinoStored(t types.Type) (types.Type, error) {
	var err error
	switch t.Kind {
	case types.String, types.Char:
		return types.Of(types.String), nil
	case types.Byte, types.Short:
		return types.Of(types.Int), nil
	case types.Timestamp, types.TimestampNTZ, types.Time:
		return types.Of(t.Kind), nil
	case types.Array:
		e, err := trinoStored(*t.Elem)
		if err != nil {
			return t, err
		}
		t.Elem = &e
	case types.Map:
		k, v := *t.Key, *t.Value
		if k, err = trinoStored(k); err != nil {
			return t, err
		}
		if v, err = trinoStored(v); err != nil {
			return t, err
		}
		t.Key, t.Value = &k, &v
	case types.Struct:
		fields := slices.Clone(t.Fields)
		for i := range fields {
			if fields[i].Name == "" {
				return t, errclass.TrinoUnnamedField(t)
			}
			if fields[i].Type, err = trinoStored(fields[i].Type); err != nil {
				return t, err
			}
		}
		t.Fields = fields
	case types.JSON, types.IPAddress, types.Null, types.DayTimeInterval, types.YearMonthInterval, types.TimeTZ:
		return t, errclass.TrinoStoredType(t)
	}
	return t, nil
}

// checkIceberg refuses a type that is not exactly one of Iceberg's, as views' columns and SET DATA TYPE need it.
func checkIceberg(t types.Type) error {
	switch t.Kind {
	case types.Timestamp, types.TimestampNTZ, types.Time:
		if t.Digits() != 6 {
			return errclass.TrinoStoredDigits(t)
		}
	case types.Byte, types.Short, types.Char:
		return errclass.TrinoStoredType(t)
	case types.Array:
		return checkIceberg(*t.Elem)
	case types.Map:
		return cmp.Or(checkIceberg(*t.Key), checkIceberg(*t.Value))
	case types.Struct:
		for _, f := range t.Fields {
			if err := checkIceberg(f.Type); err != nil {
				return err
			}
		}
	}
	_, err := trinoStored(t)
	return err
}

func (s *Session) trinoCreateSchema(ctx context.Context, a *plan.Analyzer, st *sql.CreateNamespace) (*Result, error) {
	if len(st.Name) > 2 {
		return nil, errclass.TrinoSyntax("Too many parts in schema name: "+strings.Join(names(sql.Trino, st.Name), "."), st.Span())
	}
	if len(st.Name) == 2 && !s.trinoCatalog(trinoName(st.Name[0])) {
		return nil, errclass.CatalogNotFound(sql.Trino, trinoName(st.Name[0])).At(st.Span())
	}
	if st.OwnedByRole {
		return nil, errclass.TrinoConnector("roles").Nowhere()
	}
	c := *st
	c.Properties = nil
	for _, p := range st.Properties {
		if !strings.EqualFold(p.Key, "location") {
			return nil, errclass.TrinoSchemaProperty(CatalogName, p.Key).At(p.Span())
		}
		if _, ok := p.Value.(*sql.Default); ok {
			c.Location = nil
			continue
		}
		v, err := s.propertyOf(ctx, a, "schema", p, types.Of(types.String))
		if err != nil {
			return nil, err
		}
		location := v.(string)
		c.Location = &location
	}
	return s.createNamespace(ctx, a, &c)
}

// trinoComment runs COMMENT ON TABLE and COMMENT ON COLUMN; NULL takes the comment away.
func (s *Session) trinoComment(ctx context.Context, st *sql.Comment) (*Result, error) {
	comment := ""
	if st.Text != nil {
		comment = *st.Text
	}
	name := st.Name
	switch st.On {
	case "VIEW":
		v, err := s.trinoView(ctx, name, st)
		if err != nil {
			return nil, err
		}
		return updated("COMMENT", -1), s.commentView(ctx, v, "", comment, st)
	case "TABLE":
		t, err := s.trinoTable(ctx, name, st)
		if err != nil {
			return nil, s.noCommented(name, err, st)
		}
		if st.Text == nil {
			return updated("COMMENT", -1), s.engine.Lake.UnsetProperties(ctx, t, []string{"comment"}, true)
		}
		return updated("COMMENT", -1), s.engine.Lake.SetProperties(ctx, t, map[string]string{"comment": comment})
	case "COLUMN":
		if len(name) < 2 {
			return nil, errclass.TrinoMissingTable().At(st.Span())
		}
		column := strings.ToLower(name[len(name)-1].Text)
		if v, err := s.trinoView(ctx, name[:len(name)-1], st); err == nil {
			return updated("COMMENT", -1), s.commentView(ctx, v, column, comment, st)
		}
		t, err := s.trinoTable(ctx, name[:len(name)-1], st)
		if err != nil {
			return nil, s.noCommented(name[:len(name)-1], err, st)
		}
		if !hasField(t, column) {
			return nil, errclass.TrinoCommentColumn(column).At(st.Span())
		}
		return updated("COMMENT", -1), s.engine.Lake.SetColumnComment(ctx, t, []string{column}, comment)
	}
	return nil, errclass.UnsupportedStatement(sql.Trino, "COMMENT ON "+st.On).At(st.Span())
}

// noCommented words the error that what COMMENT is about does not exist.
func (s *Session) noCommented(name []sql.Name, err error, at sql.Node) error {
	if !errclass.Is(err, "TABLE_NOT_FOUND") && !errclass.Is(err, "SCHEMA_NOT_FOUND") && !errclass.Is(err, "CATALOG_NOT_FOUND") {
		return err
	}
	catalog, schema := s.Current()
	parts := names(sql.Trino, name)
	if len(parts) < 3 {
		parts = append([]string{catalog, schema}[:3-len(parts)], parts...)
	}
	return errclass.TrinoCommentTable(strings.Join(parts, ".")).At(at.Span())
}

// trinoAnalyze runs ANALYZE. There is nothing to keep: statistics are counted when they are shown.
func (s *Session) trinoAnalyze(ctx context.Context, a *plan.Analyzer, st *sql.Analyze) (*Result, error) {
	full, err := s.trinoRelation(ctx, st.Table, st)
	if err != nil {
		return nil, err
	}
	n, err := a.Relation(ctx, &sql.TableRef{At: st.At, Name: st.Table})
	if err != nil {
		return nil, err
	}
	for _, p := range st.Properties {
		if p.Key != "columns" {
			return nil, errclass.TrinoAnalyzeProperty("Catalog '" + full[0] + "' analyze property '" + p.Key + "' does not exist").At(p.Span())
		}
		v, err := s.eval(ctx, a, p.Value, types.ArrayOf(types.Of(types.String), true))
		if err != nil {
			return nil, errclass.TrinoAnalyzeProperty("Invalid value for catalog '" + full[0] + "' analyze property 'columns': Cannot convert [" + plan.Formatted(p.Value) + "] to array(varchar)").At(p.Span())
		}
		if v == nil {
			return nil, errclass.TrinoNullProperty(full[0], "analyze", p.Key, plan.Formatted(p.Value)).At(p.Span())
		}
		list, _ := v.([]any)
		if slices.Contains(list, nil) {
			return nil, errclass.TrinoAnalyzeProperty("Unable to set catalog '" + full[0] + "' analyze property 'columns' to [" + plan.Formatted(p.Value) + "]: Invalid null value in analyze columns property").At(p.Span())
		}
		if len(list) == 0 {
			return nil, errclass.TrinoAnalyzeProperty("Cannot specify empty list of columns for analysis").Nowhere()
		}
		var unknown []string
		for _, c := range list {
			if name, _ := c.(string); !slices.ContainsFunc(n.Output(), func(k *expr.Column) bool { return k.Name == name }) {
				unknown = append(unknown, name)
			}
		}
		if len(unknown) > 0 {
			return nil, errclass.TrinoAnalyzeProperty("Invalid columns specified for analysis: [" + strings.Join(unknown, ", ") + "]").Nowhere()
		}
	}
	if full[0] == CatalogName && s.catalogProperty(extendedStats) != "true" {
		return nil, errclass.TrinoNoAnalyze()
	}
	if full[0] == CatalogName {
		r := local([][]any{{nil}}, long("rows", true))
		r.UpdateType = "ANALYZE"
		return r, nil
	}
	counted, err := s.columnStats(ctx, a, &sql.TableRef{At: st.At, Name: st.Table}, nil, false)
	if err != nil {
		return nil, err
	}
	return updated("ANALYZE", int64(counted[0][4].(float64))), nil
}

func hasField(t *lake.Table, name string) bool {
	return slices.ContainsFunc(t.Schema().Fields, func(f types.Field) bool { return strings.EqualFold(f.Name, name) })
}

// trinoSchemaName is the catalog and the schema that a name of one or two parts means.
func (s *Session) trinoSchemaName(name []sql.Name) (catalog, schema string, err error) {
	parts := names(sql.Trino, name)
	catalog, _ = s.Current()
	if len(parts) == 2 {
		catalog, parts = parts[0], parts[1:]
	}
	if catalog == "" {
		return "", "", errclass.TrinoMissingCatalog()
	}
	return catalog, parts[len(parts)-1], nil
}

// renameSchema is ALTER SCHEMA RENAME TO, which neither connector can do.
func (s *Session) renameSchema(ctx context.Context, st *sql.AlterNamespace) error {
	catalog, schema, err := s.trinoSchemaName(st.Name)
	if err != nil {
		return err
	}
	if !s.trinoCatalog(catalog) {
		return errclass.CatalogNotFound(sql.Trino, catalog).At(st.Span())
	}
	ok, err := s.trinoSchema(ctx, catalog, schema)
	switch {
	case err != nil:
		return err
	case !ok:
		return errclass.TrinoSchemaNotFound(catalog + "." + schema).At(st.Span())
	case catalog != CatalogName:
		return errclass.TrinoUnsupported("This connector does not support renaming schemas").Nowhere()
	}
	to := strings.ToLower(st.RenameTo.Text)
	if taken, err := s.trinoSchema(ctx, catalog, to); err != nil || taken {
		if err == nil {
			err = errclass.TrinoTargetSchema(catalog + "." + to).At(st.Span())
		}
		return err
	}
	return errclass.TrinoUnsupported("renameNamespace is not supported for Iceberg JDBC catalogs").Nowhere()
}

func (s *Session) trinoDropView(ctx context.Context, st *sql.Drop) (*Result, error) {
	if id, ok := s.qualify(names(sql.Trino, st.Name)); ok {
		if err := s.engine.Lake.DropView(ctx, id); !errors.Is(err, lake.ErrNoView) {
			return updated("DROP VIEW", -1), err
		}
	}
	if st.IfExists {
		return updated("DROP VIEW", -1), nil
	}
	catalog, schema := s.Current()
	parts := append([]string{catalog, schema}[:3-min(len(st.Name), 3)], names(sql.Trino, st.Name)...)
	return nil, errclass.TrinoNoView(parts).At(st.Span())
}
