package engine

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// createHive runs CREATE TABLE in spark_catalog.
func (s *Session) createHive(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable, id hiveIdent, err error) (*Result, error) {
	if parts := names(a.Dialect, st.Name); err != nil && st.Saved && len(parts) > 2 {
		err = errclass.NoCatalogFor(parts)
	}
	if err != nil {
		return nil, err
	}
	if (st.OrReplace || st.ReplaceOnly) && !st.Saved {
		op := "REPLACE TABLE"
		if st.AsQuery != nil {
			op += " AS SELECT"
		}
		return nil, errclass.TableOperation(id.full(), op)
	}
	for _, c := range st.Columns {
		if c.Generated != "" {
			return nil, errclass.TableOperation(id.full(), c.Generated)
		}
	}
	n, err := s.newHive(ctx, a, st, id)
	if err != nil {
		return nil, err
	}
	there, err := s.engine.Hive.Store.Exists(ctx, id.database, id.name)
	if err != nil {
		return nil, err
	}
	switch {
	case there && st.IfNotExists:
		return updated("CREATE TABLE", -1), nil
	case there && !st.OrReplace:
		return nil, errclass.AlreadyExistsIn(id.full())
	}
	if _, err := s.engine.Hive.Store.Database(ctx, id.database); err != nil {
		return nil, hiveError(err, id)
	}
	if !metastore.PlainName(id.name) {
		return nil, errclass.InvalidRelationName(id.name)
	}
	if st.AsQuery != nil {
		return s.createHiveAs(ctx, a, st, id, n)
	}
	if len(st.Columns) == 0 && !slices.ContainsFunc(st.PartitionedBy, func(t sql.Transform) bool { return t.Column != nil }) {
		err = s.foundColumns(ctx, st, &n)
	} else {
		err = s.hiveColumns(a, st, id, &n)
	}
	if err != nil {
		return nil, err
	}
	if n.Defaults, err = s.newDefaults(ctx, a, st.Columns, slices.Concat(n.Data, n.Keys)); err != nil {
		return nil, err
	}
	if err := storable(n); err != nil {
		return nil, err
	}
	if err := s.checkLocation(ctx, id, n, nil); err != nil {
		return nil, err
	}
	t, err := s.engine.Hive.Create(ctx, n)
	if err != nil {
		return nil, hiveError(err, id)
	}
	return updated("CREATE TABLE", -1), os.MkdirAll(t.Location(), 0o755)
}

// storable refuses columns of types that files of a new table's format can't hold.
func storable(n hive.NewTable) error {
	format := strings.ToLower(n.Provider)
	name := map[string]string{"hive": "Parquet", "parquet": "Parquet", "csv": "CSV", "json": "JSON", "text": "Text"}[format]
	for _, f := range n.Data {
		nested := f.Type.Kind == types.Array || f.Type.Kind == types.Map || f.Type.Kind == types.Struct
		if format == "csv" && nested || format == "text" && f.Type.Kind != types.String || f.Type.Holds(func(t types.Type) bool {
			return t.Kind == types.CalendarInterval || t.Kind == types.Null && format != "json"
		}) {
			return errclass.FormatType(name, f.Name, f.Type)
		}
	}
	return nil
}

// newHive reads the clauses that do not name columns.
func (s *Session) newHive(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable, id hiveIdent) (hive.NewTable, error) {
	n := hive.NewTable{Database: id.database, Name: id.name}
	var err error
	if n.Provider, n.Storage, err = hiveProvider(a, st); err != nil {
		return n, err
	}
	if n.Params, err = s.propertyValues(ctx, a, st.Properties); err != nil {
		return n, err
	}
	if n.Options, err = s.propertyValues(ctx, a, st.Options); err != nil {
		return n, err
	}
	if len(st.Write) > 0 {
		return n, errclass.UnsupportedOption(n.Provider, st.Write[0].Key)
	}
	if st.Comment != nil {
		n.Params["comment"] = *st.Comment
	}
	location := st.Location
	for k, v := range n.Options {
		if !strings.EqualFold(k, "path") {
			continue
		}
		if location != nil {
			return n, errclass.TwoTablePaths(*location, v).At(st.Span())
		}
		location = &v
		delete(n.Options, k)
	}
	if location != nil {
		n.Location, err = s.userPlace(*location)
	} else if st.External {
		err = errclass.ExternalWithoutLocation()
	}
	return n, err
}

// hiveProvider tells a new table's format: that of USING, or Parquet's by STORED AS or by the names of its classes.
func hiveProvider(a *plan.Analyzer, st *sql.CreateTable) (string, *metastore.Storage, error) {
	switch {
	case st.InputFormat != "":
		if st.Serde != hive.ParquetSerde {
			return "", nil, errclass.UnsupportedStatement(a.Dialect, "ROW FORMAT SERDE '"+st.Serde+"'").At(st.Span())
		}
		return "hive", &metastore.Storage{InputFormat: st.InputFormat, OutputFormat: st.OutputFormat, Serde: st.Serde}, nil
	case st.StoredAs != "":
		format := strings.ToLower(st.StoredAs)
		switch format {
		case "parquet":
		case "textfile", "sequencefile", "rcfile", "orc", "avro":
			return "", nil, errclass.UnsupportedStatement(a.Dialect, "STORED AS "+st.StoredAs).At(st.Span())
		default:
			return "", nil, errclass.StoredAsInvalid(st.StoredAs)
		}
		if st.Serde != "" {
			return "", nil, errclass.SerdeWithFormat(format).At(st.Span())
		}
		return "hive", nil, nil
	case st.Serde != "":
		return "", nil, errclass.UnsupportedStatement(a.Dialect, "ROW FORMAT SERDE without STORED AS").At(st.Span())
	case st.Using == "":
		return "parquet", nil, nil
	}
	switch strings.ToLower(st.Using) {
	case "parquet", "csv", "json", "text":
		return st.Using, nil, nil
	case "orc", "avro", "jdbc", "hive":
		return "", nil, errclass.UnsupportedStatement(a.Dialect, "CREATE TABLE … USING "+st.Using+" in "+HiveCatalogName).At(st.Span())
	case "iceberg":
		return "", nil, errclass.UnsupportedStatement(a.Dialect, "an Iceberg table in "+HiveCatalogName+"; make it in "+CatalogName).At(st.Span())
	}
	return "", nil, errclass.DataSourceNotFound(st.Using)
}

// hiveLikeName completes a name in CREATE TABLE … LIKE, a statement of Spark's own catalog whatever the current one is.
func (s *Session) hiveLikeName(name []sql.Name) hiveIdent {
	parts := names(sql.Spark, name)
	if len(parts) > 1 {
		return hiveIdent{strings.ToLower(parts[0]), strings.ToLower(parts[1])}
	}
	database := "default"
	if catalog, namespace := s.Current(); catalog == HiveCatalogName {
		database = namespace
	}
	return hiveIdent{database, strings.ToLower(parts[0])}
}

// createHiveLike runs CREATE TABLE … LIKE: the columns and the format of another table, and nothing else of it.
func (s *Session) createHiveLike(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable, id hiveIdent) (*Result, error) {
	if s.viewNamed(names(sql.Spark, st.Like)) != nil {
		return nil, errclass.UnsupportedStatement(a.Dialect, "CREATE TABLE … LIKE a temporary view").At(span(st.Like))
	}
	source := s.hiveLikeName(st.Like)
	if _, err := s.engine.Hive.Store.Database(ctx, source.database); err != nil {
		return nil, hiveError(err, source)
	}
	like, err := s.loadHive(ctx, source.database, source.name)
	if hive.IsNoTable(err) {
		return nil, errclass.TableNotFound(a.Dialect, source.full()[1:])
	}
	if err != nil {
		return nil, err
	}
	n, err := s.newHive(ctx, a, st, id)
	if err != nil {
		return nil, err
	}
	if st.Using == "" && st.StoredAs == "" {
		n.Provider, n.Storage = like.Provider, nil
		n.Options = like.Options()
		delete(n.Options, "serialization.format")
	}
	n.Data, n.Keys, n.Defaults = like.Data, like.Keys, like.Defaults()
	if !metastore.PlainName(id.name) {
		return nil, errclass.InvalidRelationName(id.name)
	}
	if err := s.checkLocation(ctx, id, n, nil); err != nil {
		return nil, err
	}
	t, err := s.engine.Hive.Create(ctx, n)
	switch {
	case errors.Is(err, metastore.ErrTableExists) && st.IfNotExists:
		return done(), nil
	case errors.Is(err, metastore.ErrTableExists):
		return nil, errclass.AlreadyExistsIn(id.full()[1:])
	case err != nil:
		return nil, hiveError(err, id)
	}
	return done(), os.MkdirAll(t.Location(), 0o755)
}

// hiveColumns gives a new table the columns that the statement lists: data first, then the partition keys in the order of PARTITIONED BY.
func (s *Session) hiveColumns(a *plan.Analyzer, st *sql.CreateTable, id hiveIdent, n *hive.NewTable) error {
	var columns []types.Field
	for _, c := range st.Columns {
		f, err := hiveColumn(a.Dialect, c)
		if err != nil {
			return err
		}
		columns = append(columns, f)
	}
	for _, t := range st.PartitionedBy {
		if t.Column != nil {
			f, err := hiveColumn(a.Dialect, *t.Column)
			if err != nil {
				return err
			}
			columns = append(columns, f)
		}
	}
	if err := duplicateColumn(types.StructOf(columns...)); err != nil {
		return err
	}
	return partitioned(st, id, n, columns)
}

// hiveColumn is a column's definition in spark_catalog, where CHAR(n) and VARCHAR(n) keep their lengths.
func hiveColumn(d sql.Dialect, c sql.ColumnDef) (types.Field, error) {
	f, err := columnDefinition(d, c)
	if err != nil {
		return f, err
	}
	f.Lengths = functions.Lengths(c.Type, f.Type)
	return f, nil
}

// foundColumns gives a new table the columns of the files at its location, and the partitions that their folders' names tell.
func (s *Session) foundColumns(ctx context.Context, st *sql.CreateTable, n *hive.NewTable) error {
	if len(st.PartitionedBy) > 0 {
		return errclass.PartitionWithoutColumns()
	}
	format := strings.ToLower(n.Provider)
	entries, err := os.ReadDir(n.Location)
	if n.Location == "" || errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return errclass.CannotInfer(format)
	}
	f := &sql.Files{Format: format, Paths: []string{n.Location}, Options: n.Options}
	rel, partition, err := s.openFiles(ctx, f)
	if err != nil {
		return err
	}
	plan, err := s.Plan(ctx, rel)
	if err != nil {
		return err
	}
	for _, c := range SchemaOf(plan).Fields {
		if slices.ContainsFunc(partition, func(p types.Field) bool { return strings.EqualFold(p.Name, c.Name) }) {
			n.Keys = append(n.Keys, c)
		} else {
			n.Data = append(n.Data, c)
		}
	}
	return nil
}

// partitioned splits columns into data and the keys that PARTITIONED BY names.
func partitioned(st *sql.CreateTable, id hiveIdent, n *hive.NewTable, columns []types.Field) error {
	n.Data = columns
	if err := mixedPartitioning(st); err != nil {
		return err
	}
	for _, t := range st.PartitionedBy {
		name := ""
		switch {
		case t.Column != nil:
			name = t.Column.Name.Text
		case t.Name == "":
			name = names(sql.Spark, t.Args[0].(*sql.Ident).Parts)[0]
		case t.Name == "bucket":
			return errclass.UnsupportedStatement(sql.Spark, "a bucketed table in "+HiveCatalogName).At(t.Span())
		default:
			return errclass.PartitionTransform(transformText(sql.Spark, t))
		}
		if slices.ContainsFunc(n.Keys, func(f types.Field) bool { return strings.EqualFold(f.Name, name) }) {
			return errclass.ColumnAlreadyExists(strings.ToLower(name))
		}
		i := slices.IndexFunc(n.Data, func(f types.Field) bool { return strings.EqualFold(f.Name, name) })
		if i < 0 {
			return errclass.PartitionColumnUndefined(id.full(), name, columns)
		}
		switch n.Data[i].Type.Kind {
		case types.Array, types.Map, types.Struct:
			return errclass.PartitionColumnType(n.Data[i].Type)
		}
		n.Keys = append(n.Keys, n.Data[i])
		n.Data = slices.Delete(slices.Clone(n.Data), i, i+1)
	}
	if len(n.Data) == 0 && len(n.Keys) > 0 {
		return errclass.AllPartitionColumns()
	}
	return nil
}

// mixedPartitioning refuses PARTITIONED BY with both names of columns and definitions.
func mixedPartitioning(st *sql.CreateTable) error {
	var named, defined []string
	for _, t := range st.PartitionedBy {
		if t.Column == nil {
			named = append(named, transformText(sql.Spark, t))
			continue
		}
		ty, err := columnType(sql.Spark, t.Column.Type)
		if err != nil {
			return err
		}
		defined = append(defined, t.Column.Name.Text+" "+ty.SimpleString())
	}
	if len(named) > 0 && len(defined) > 0 {
		return errclass.MixedPartitioning(named, defined).At(st.Span())
	}
	return nil
}

// checkLocation refuses a managed table whose folder is there already and not empty, unless it is that of the table it replaces.
func (s *Session) checkLocation(ctx context.Context, id hiveIdent, n hive.NewTable, old *hive.Table) error {
	if n.Location != "" {
		return nil
	}
	dir, err := s.engine.Hive.ManagedLocation(ctx, id.database, id.name)
	if err != nil {
		return hiveError(err, id)
	}
	if err := hive.Fits(dir); err != nil {
		return err
	}
	if old != nil && old.Managed() && old.Location() == dir {
		return nil
	}
	if err := s.engine.Hive.Tidy(ctx, dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	return errclass.LocationExists(id.full(), hive.URI(dir))
}

// createHiveAs runs CREATE TABLE … AS SELECT, and saveAsTable.
func (s *Session) createHiveAs(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable, id hiveIdent, n hive.NewTable) (*Result, error) {
	q, err := a.Query(ctx, st.AsQuery)
	if err != nil {
		return nil, err
	}
	var old *hive.Table
	if st.OrReplace {
		if old, err = s.loadHive(ctx, id.database, id.name); err != nil && !hive.IsNoTable(err) {
			return nil, err
		}
		if old != nil && readsHive(q, old.ID) {
			return nil, errclass.OverwriteOfSource(id.full())
		}
	}
	schema := SchemaOf(q)
	if err := duplicateColumn(schema); err != nil {
		return nil, err
	}
	if err := partitioned(st, id, &n, schema.Fields); err != nil {
		return nil, err
	}
	if err := storable(n); err != nil {
		return nil, err
	}
	if err := s.checkLocation(ctx, id, n, old); err != nil {
		return nil, err
	}
	if n.Location != "" && !st.OrReplace {
		if entries, err := os.ReadDir(n.Location); err == nil && len(entries) > 0 {
			return nil, errclass.CTASNotEmpty(hive.URI("//" + n.Location))
		}
	}
	// The rows' columns in the table's order: keys last.
	out := q.Output()
	items := make([]plan.Item, 0, len(out))
	for _, f := range slices.Concat(n.Data, n.Keys) {
		i := slices.IndexFunc(schema.Fields, func(c types.Field) bool { return c.Name == f.Name })
		items = append(items, plan.NewItem(f.Name, reference(out[i])))
	}
	t, rows, err := s.engine.Hive.CreateAs(ctx, n, old, func(t *hive.Table) hive.Producer {
		return s.producer(t, &plan.Project{Items: items, Child: q})
	})
	if err != nil {
		return nil, hiveError(err, id)
	}
	if t.Provider != "hive" { // as Spark does after a CTAS, upon which Hive measures the table
		err := s.engine.Hive.Alter(context.WithoutCancel(ctx), t)
		if err != nil && !errors.Is(err, metastore.ErrOutrun) { // else it was measured for another change
			return nil, err
		}
	}
	return updated("CREATE TABLE", rows), nil
}
