package engine

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// createHive runs CREATE TABLE in spark_catalog.
func (s *Session) createHive(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable, id hiveIdent, err error) (*Result, error) {
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
	if err := s.checkLocation(ctx, id, n); err != nil {
		return nil, err
	}
	t, err := s.engine.Hive.Create(ctx, n, false)
	if err != nil {
		return nil, hiveError(err, id)
	}
	return updated("CREATE TABLE", -1), os.MkdirAll(t.Location(), 0o755)
}

// newHive reads the clauses that do not name columns.
func (s *Session) newHive(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable, id hiveIdent) (hive.NewTable, error) {
	n := hive.NewTable{Database: id.database, Name: id.name, Provider: st.Using}
	if n.Provider == "" {
		n.Provider = "parquet"
	}
	if st.StoredAs != "" {
		n.Provider = "hive"
	} else if !isFileFormat(n.Provider) {
		return n, errclass.DataSourceNotFound(n.Provider)
	}
	var err error
	if n.Params, err = s.propertyValues(ctx, a, st.Properties); err != nil {
		return n, err
	}
	if n.Options, err = s.propertyValues(ctx, a, st.Options); err != nil {
		return n, err
	}
	if st.Comment != nil {
		n.Params["comment"] = *st.Comment
	}
	if st.Location != nil {
		n.Location, err = s.userTarget(*st.Location)
	}
	return n, err
}

// hiveColumns gives a new table the columns that the statement lists: data first, then the partition keys in the order of PARTITIONED BY.
func (s *Session) hiveColumns(a *plan.Analyzer, st *sql.CreateTable, id hiveIdent, n *hive.NewTable) error {
	columns, err := columnsOf(a.Dialect, st.Columns)
	if err != nil {
		return err
	}
	for _, t := range st.PartitionedBy {
		if t.Column != nil {
			f, err := columnDefinition(a.Dialect, *t.Column)
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

// foundColumns gives a new table the columns of the files at its location, and the partitions that their folders' names tell.
func (s *Session) foundColumns(ctx context.Context, st *sql.CreateTable, n *hive.NewTable) error {
	if len(st.PartitionedBy) > 0 {
		return errclass.PartitionWithoutColumns()
	}
	format := strings.ToLower(n.Provider)
	entries, err := os.ReadDir(n.Location)
	if n.Location == "" || errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return errclass.PathMissing(format)
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
	for _, t := range st.PartitionedBy {
		name := ""
		switch {
		case t.Column != nil:
			name = t.Column.Name.Text
		case t.Name == "":
			name = names(sql.Spark, t.Args[0].(*sql.Ident).Parts)[0]
		default:
			return errclass.UnsupportedStatement(sql.Spark, "partitioning by expressions").At(t.Span())
		}
		i := slices.IndexFunc(n.Data, func(f types.Field) bool { return strings.EqualFold(f.Name, name) })
		if i < 0 {
			return errclass.PartitionColumnUndefined(id.full(), name, columns)
		}
		n.Keys = append(n.Keys, n.Data[i])
		n.Data = slices.Delete(slices.Clone(n.Data), i, i+1)
	}
	if len(n.Data) == 0 && len(n.Keys) > 0 {
		return errclass.AllPartitionColumns()
	}
	return nil
}

// checkLocation refuses a managed table whose folder is there already and not empty.
func (s *Session) checkLocation(ctx context.Context, id hiveIdent, n hive.NewTable) error {
	if n.Location != "" {
		return nil
	}
	dir, err := s.engine.Hive.ManagedLocation(ctx, id.database, id.name)
	if err != nil {
		return hiveError(err, id)
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
	schema := SchemaOf(q)
	if err := duplicateColumn(schema); err != nil {
		return nil, err
	}
	if err := partitioned(st, id, &n, schema.Fields); err != nil {
		return nil, err
	}
	if err := s.checkLocation(ctx, id, n); err != nil {
		return nil, err
	}
	// The rows' columns in the table's order: keys last.
	out := q.Output()
	items := make([]plan.Item, 0, len(out))
	for _, f := range slices.Concat(n.Data, n.Keys) {
		i := slices.IndexFunc(schema.Fields, func(c types.Field) bool { return c.Name == f.Name })
		items = append(items, plan.NewItem(f.Name, reference(out[i])))
	}
	t, err := s.engine.Hive.Create(ctx, n, st.OrReplace)
	if err != nil {
		return nil, hiveError(err, id)
	}
	rows, err := s.engine.Hive.Write(ctx, t, hive.Writing{Overwrite: st.OrReplace}, s.producer(t, &plan.Project{Items: items, Child: q}))
	if err != nil {
		return nil, errors.Join(err, s.engine.Hive.Drop(ctx, t, true))
	}
	return updated("CREATE TABLE", rows), nil
}
