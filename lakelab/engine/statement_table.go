package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// span covers a dotted name.
func span(names []sql.Name) token.Span {
	if len(names) == 0 {
		return token.Span{}
	}
	return token.Cover(names[0].Span(), names[len(names)-1].Span())
}

// createTable runs CREATE [OR REPLACE] TABLE, with columns or AS a query.
func (s *Session) createTable(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable) (*Result, error) {
	if err := checkCreate(a.Dialect, st); err != nil {
		return nil, err
	}
	id, err := s.ident(a.Dialect, st.Name)
	if err != nil {
		return nil, err
	}
	opts, err := s.createOptions(ctx, a, st)
	if err != nil {
		return nil, err
	}
	declared, fields, err := partitioning(a.Dialect, st.PartitionedBy)
	if err != nil {
		return nil, err
	}
	opts.Partitioning, opts.Snapshot = fields, a.Dialect == sql.Trino
	exists, err := s.engine.Lake.Exists(ctx, id)
	if err != nil {
		return nil, err
	}
	if v, err := s.lastingView(ctx, a.Dialect, st.Name); err != nil {
		return nil, err
	} else if v != nil && a.Dialect == sql.Spark {
		return nil, errclass.RenameTarget(id.Namespace, id.Name)
	} else if v != nil {
		exists = true
	}
	switch {
	case exists && st.IfNotExists:
		return updated("CREATE TABLE", -1), nil
	case exists && !st.OrReplace && !st.ReplaceOnly:
		return nil, errclass.TableExists(a.Dialect, id.Namespace, id.Name).At(span(st.Name))
	case !exists && st.ReplaceOnly:
		return nil, errclass.TableNotFound(a.Dialect, fullName(id)[1:]).At(span(st.Name))
	}
	for _, c := range st.Columns {
		if c.Generated != "" {
			return nil, errclass.TableOperation(fullName(id), strings.Replace(c.Generated, "identity columns", "identity column", 1)) // in Spark's words
		}
	}
	if slices.ContainsFunc(st.Columns, func(c sql.ColumnDef) bool { return c.Default != nil }) {
		return nil, errclass.ColumnDefaults(a.Dialect == sql.Spark, fullName(id)).At(span(st.Name))
	}
	if st.AsQuery == nil {
		columns, err := columnsOf(a.Dialect, st.Columns)
		if err != nil {
			return nil, err
		}
		schema := types.StructOf(append(columns, declared...)...)
		if err := checkTable(schema, opts); err != nil {
			return nil, err
		}
		if err := s.engine.Lake.Create(ctx, id, schema, opts); err != nil {
			return nil, err
		}
		return updated("CREATE TABLE", -1), nil
	}
	if len(declared) > 0 {
		return nil, errclass.TypedPartitionOfCTAS().At(st.Span())
	}
	n, err := a.Query(ctx, st.AsQuery)
	if err != nil {
		return nil, err
	}
	return s.createAs(ctx, a.Dialect, id, n, opts)
}

// createAs makes a table that holds the rows of a plan.
func (s *Session) createAs(ctx context.Context, d sql.Dialect, id lake.Ident, n plan.Node, opts lake.CreateOptions) (*Result, error) {
	schema := SchemaOf(n)
	for i := range schema.Fields {
		if d == sql.Trino {
			var err error
			if schema.Fields[i].Type, err = trinoStored(schema.Fields[i].Type); err != nil {
				return nil, err
			}
		}
		schema.Fields[i].Nullable = true // a CTAS table's columns are optional, whatever the query guarantees
	}
	if err := checkTable(schema, opts); err != nil {
		return nil, err
	}
	if d == sql.Trino {
		var err error
		if n, err = plan.AsStored(n, schema); err != nil {
			return nil, err
		}
	}
	query, err := s.copySQL(ctx, n)
	if err != nil {
		return nil, err
	}
	rows, err := s.engine.Lake.CreateAs(ctx, id, schema, opts, query, s.db())
	if err != nil {
		return nil, err
	}
	return updated("CREATE TABLE", rows), nil
}

// checkTable refuses a new table's columns and partitioning where Spark refuses them.
func checkTable(schema types.Type, opts lake.CreateOptions) error {
	if err := duplicateColumn(schema); err != nil {
		return err
	}
	return checkPartitioning(schema, opts.Partitioning)
}

// icebergFormats are what USING can say of an Iceberg table: what it is, or what its data files are.
var icebergFormats = []string{"iceberg", "parquet", "orc", "avro"}

// checkCreate refuses, by name, the clauses that an Iceberg table can't have here yet.
func checkCreate(d sql.Dialect, st *sql.CreateTable) error {
	refuse := func(what string) error { return errclass.UnsupportedStatement(d, what).At(st.Span()) }
	switch {
	case st.Using != "" && !slices.Contains(icebergFormats, strings.ToLower(st.Using)):
		return errclass.IllegalArgument("Unsupported format in USING: " + st.Using)
	case st.External && d == sql.Trino:
		return refuse("CREATE EXTERNAL TABLE")
	case len(st.Like) > 0 || len(st.LikeTables) > 0:
		return refuse("CREATE TABLE … LIKE")
	case st.StoredAs != "":
		return refuse("STORED AS")
	case len(st.ColumnNames) > 0:
		return refuse("a column list without types before AS")
	case st.WithNoData:
		return refuse("WITH NO DATA")
	}
	return nil
}

func (s *Session) createOptions(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable) (lake.CreateOptions, error) {
	opts := lake.CreateOptions{Replace: st.OrReplace || st.ReplaceOnly, IfNotExists: st.IfNotExists}
	var err error
	if opts.Properties, err = s.propertyValues(ctx, a, st.Properties); err != nil {
		return opts, err
	}
	if a.Dialect == sql.Spark {
		if err := reservedProperty(opts.Properties, st); err != nil {
			return opts, err
		}
		options, err := s.propertyValues(ctx, a, st.Options)
		if err != nil {
			return opts, err
		}
		for k, v := range options { // Spark keeps both
			opts.Properties[k], opts.Properties["option."+k] = v, v
		}
		if st.Saved { // they are the writer's, too
			maps.DeleteFunc(options, func(k, _ string) bool {
				_, known := propertyOfOption[strings.ToLower(k)]
				return !known && !strings.HasPrefix(strings.ToLower(k), customSummary)
			})
		} else if options, err = s.propertyValues(ctx, a, st.Write); err != nil {
			return opts, err
		}
		if opts.Write, err = writeOptions(options, false); err != nil {
			return opts, err
		}
		if opts.Write.Spec != nil && *opts.Write.Spec != 0 {
			return opts, errclass.IllegalArgument(fmt.Sprintf("Output spec id %d is not a valid spec id for table", *opts.Write.Spec))
		}
	}
	if format := strings.ToLower(st.Using); format != "" && format != "iceberg" {
		opts.Properties["write.format.default"] = format
	}
	if st.Comment != nil {
		opts.Properties["comment"] = *st.Comment
	}
	for _, o := range st.SortedBy {
		f, err := sortField(a.Dialect, st.At, o)
		if err != nil {
			return opts, err
		}
		opts.Order = append(opts.Order, f)
	}
	if st.Location != nil {
		if err := s.tableLocation(*st.Location); err != nil {
			return opts, err
		}
		opts.Location = *st.Location
	}
	return opts, nil
}

// reservedProperty refuses properties that a clause gives, or Spark itself.
func reservedProperty(properties map[string]string, st *sql.CreateTable) error {
	for _, k := range slices.Sorted(maps.Keys(properties)) {
		if how, ok := map[string]string{"location": "please use the LOCATION clause to specify it", "provider": "please use the USING clause to specify it", "owner": "it will be set to the current user"}[k]; ok {
			return errclass.ReservedTableProperty(k, how).At(st.Span())
		}
	}
	return nil
}

// tableLocation refuses a new table's folder outside the session's roots and the warehouse, and one among the tables of spark_catalog.
func (s *Session) tableLocation(location string) error {
	if objects.Remote(location) {
		return objects.Check(location)
	}
	if hive.Within(s.engine.Lake.Warehouse(), s.absolute(location)) {
		return nil
	}
	full, err := s.userPlace(location)
	if err == nil && hive.Within(s.engine.Hive.Dir(), full) {
		err = errclass.PathProtected(full) // tables of spark_catalog are dropped with their folders
	}
	return err
}

// columnsOf turns column definitions into a table's columns.
func columnsOf(d sql.Dialect, defs []sql.ColumnDef) ([]types.Field, error) {
	fields := make([]types.Field, len(defs))
	for i, c := range defs {
		f, err := columnDefinition(d, c)
		if err != nil {
			return nil, err
		}
		fields[i] = f
	}
	return fields, nil
}

func columnDefinition(d sql.Dialect, c sql.ColumnDef) (types.Field, error) {
	t, err := columnType(d, c.Type)
	if err != nil {
		return types.Field{}, err
	}
	f := types.Field{Name: c.Name.Text, Type: t, Nullable: !c.NotNull}
	if d == sql.Trino && !c.Name.Quoted {
		f.Name = strings.ToLower(c.Name.Text)
	}
	if c.Comment != nil {
		f.Comment = *c.Comment
	}
	return f, nil
}

// columnType is the type that a table's column gets.
func columnType(d sql.Dialect, name *sql.TypeName) (types.Type, error) {
	t, err := functions.TypeOf(d, name)
	if err == nil && d == sql.Trino {
		return trinoStored(t)
	}
	return t, err
}

// duplicateColumn refuses a schema in which two columns differ at most in case.
func duplicateColumn(schema types.Type) error {
	seen := map[string]bool{}
	for _, f := range schema.Fields {
		k := strings.ToLower(f.Name)
		if seen[k] {
			return errclass.ColumnAlreadyExists(k)
		}
		seen[k] = true
	}
	return nil
}

// copySQL prints a plan for COPY: its columns under their own names and exact types.
func (s *Session) copySQL(ctx context.Context, n plan.Node) (string, error) {
	n, drop, err := s.materialized(ctx, n)
	if err != nil {
		return "", err
	}
	atEnd(ctx, drop)
	if n, err = duck.Checked(ctx, s.engine.DB.In(s.Conf(confTimeZone)), n); err != nil {
		return "", err
	}
	return duck.SQL(ctx, n, duck.PrintOptions{Named: true})
}

// db is the engine's DuckDB with the session's time zone.
func (s *Session) db() lake.DB { return s.engine.DB.In(s.Conf(confTimeZone)) }

// drop runs DROP TABLE, VIEW and NAMESPACE.
func (s *Session) drop(ctx context.Context, a *plan.Analyzer, st *sql.Drop) (*Result, error) {
	switch st.Kind {
	case "VIEW":
		if a.Dialect == sql.Spark && s.dropTempView(names(a.Dialect, st.Name)) {
			return done(), nil
		}
		return s.dropLastingView(ctx, a, st)
	case "NAMESPACE":
		return s.dropNamespace(ctx, a, st)
	}
	if a.Dialect == sql.Spark && s.dropTempView(names(a.Dialect, st.Name)) {
		return done(), nil
	}
	id, err := s.ident(a.Dialect, st.Name)
	if err != nil {
		if st.IfExists {
			return updated("DROP TABLE", -1), nil
		}
		return nil, err
	}
	err = s.engine.Lake.Drop(ctx, id, st.Purge)
	if lake.IsNoTable(err) {
		if st.IfExists {
			return updated("DROP TABLE", -1), nil
		}
		return nil, errclass.TableNotFound(a.Dialect, fullName(id))
	}
	if err != nil {
		return nil, err
	}
	return updated("DROP TABLE", -1), nil
}
