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

// alterHive runs ALTER TABLE on a table of spark_catalog.
func (s *Session) alterHive(ctx context.Context, a *plan.Analyzer, st *sql.AlterTable, id hiveIdent) (*Result, error) {
	for i := range st.Actions {
		if err := s.changing(ctx, id, st.Name, func(t *hive.Table) error { return s.alterHiveBy(ctx, a, t, &st.Actions[i]) }); err != nil {
			return nil, err
		}
	}
	return done(), nil
}

// changing changes a table's entry: once more, on the entry as it is then, if another session or process changed it meanwhile.
func (s *Session) changing(ctx context.Context, id hiveIdent, shown []sql.Name, do func(*hive.Table) error) error {
	for {
		t, err := s.hiveTable(ctx, id, shown)
		if err != nil {
			return err
		}
		if err := do(t); !errors.Is(err, metastore.ErrOutrun) || ctx.Err() != nil {
			return err
		}
	}
}

func (s *Session) alterHiveBy(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	w := s.engine.Hive
	switch act.Kind {
	case "ADD PARTITION":
		return s.addPartitions(ctx, a, t, act)
	case "DROP PARTITION":
		return s.dropPartitions(ctx, a, t, act)
	case "RENAME PARTITION":
		return s.renamePartition(ctx, a, t, act)
	case "RECOVER PARTITIONS":
		_, err := s.repairHive(ctx, t, "ALTER TABLE RECOVER PARTITIONS", "")
		return err
	case "SET LOCATION":
		path, err := s.userPlace(act.Text)
		if err != nil {
			return err
		}
		if len(act.Partitions) == 0 {
			if err := w.SetLocation(ctx, t, path); err != nil {
				return err
			}
			return placeOfHive(t)
		}
		p, err := s.hivePartition(ctx, a, t, act.Partitions[0])
		if err != nil {
			return err
		}
		return w.SetPartitionLocation(ctx, t, p, path)
	case "SET SERDE":
		return s.setSerde(ctx, a, t, act)
	case "SET PROPERTIES":
		return s.setHiveProperties(ctx, a, t, act)
	case "UNSET PROPERTIES":
		for _, k := range act.Keys {
			delete(t.Params, k)
		}
		return w.Alter(ctx, t)
	case "RENAME TO":
		return s.renameHive(ctx, a, t, act)
	case "ADD COLUMNS":
		return s.addHiveColumns(ctx, a, t, act)
	case "ALTER COLUMN":
		return s.alterHiveColumn(ctx, a, t, act)
	case "DROP COLUMNS":
		return errclass.TableOperation(tableName(t), "DROP COLUMN")
	case "RENAME COLUMN":
		return errclass.TableOperation(tableName(t), "RENAME COLUMN")
	case "REPLACE COLUMNS":
		return errclass.TableOperation(tableName(t), "REPLACE COLUMNS")
	}
	return errclass.UnsupportedStatement(a.Dialect, "ALTER TABLE … "+act.Kind+" in "+HiveCatalogName).At(act.Span())
}

// setHiveProperties runs SET TBLPROPERTIES. Only the property EXTERNAL says something to the catalog, and Spark does not let it be set.
func (s *Session) setHiveProperties(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	props, err := s.propertyValues(ctx, a, act.Properties)
	if err != nil {
		return err
	}
	for k, v := range props {
		if clause := map[string]string{"provider": "USING", "location": "LOCATION"}[k]; clause != "" {
			return errclass.ReservedByClause(k, clause).At(act.Span())
		}
		if k == "EXTERNAL" {
			return errclass.PreservedProperty(k)
		}
		if strings.HasPrefix(k, "spark.sql.") {
			return errclass.ReservedProperty(tableName(t), k)
		}
		t.Params[k] = v
	}
	return s.engine.Hive.Alter(ctx, t)
}

// placeOfHive refuses a table made with STORED AS, without partitions, whose folder is not there.
func placeOfHive(t *hive.Table) error {
	if t.Provider != "hive" || len(t.Keys) > 0 {
		return nil
	}
	if _, err := os.Stat(t.Location()); errors.Is(err, os.ErrNotExist) {
		return errclass.PathNotFound(t.Location())
	}
	return nil
}

// setSerde runs SET SERDE and SET SERDEPROPERTIES. The properties are the options of the table's format; another SerDe would make other files of it.
func (s *Session) setSerde(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	ofHive := t.Provider == "hive"
	switch {
	case !ofHive && len(act.Partitions) > 0:
		return errclass.SerdeOfPartition()
	case !ofHive && act.Text != "":
		return errclass.SerdeOfDataSource(tableName(t))
	case act.Text != "":
		return errclass.UnsupportedStatement(a.Dialect, "ALTER TABLE SET SERDE").At(act.Span())
	}
	props, err := s.propertyValues(ctx, a, act.Properties)
	if err != nil {
		return err
	}
	if len(act.Partitions) > 0 {
		return errclass.UnsupportedStatement(a.Dialect, "ALTER TABLE … PARTITION … SET SERDEPROPERTIES").At(act.Span())
	}
	for k, v := range props {
		if strings.EqualFold(k, "path") {
			return errclass.UnsupportedStatement(a.Dialect, "SET SERDEPROPERTIES ('path'); say SET LOCATION").At(act.Span())
		}
		t.Storage.SerdeParams[k] = v
	}
	return s.engine.Hive.Alter(ctx, t)
}

// renameHive runs RENAME TO: a name of one part stays in the table's database.
func (s *Session) renameHive(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	to := names(a.Dialect, act.NewName)
	if len(to) == 3 && strings.EqualFold(to[0], HiveCatalogName) {
		to = to[1:]
	}
	database := t.Database
	if len(to) > 1 {
		database = strings.Join(to[:len(to)-1], ".")
	}
	if !strings.EqualFold(database, t.Database) {
		return errclass.RenameAcross(t.Database, database)
	}
	id := hiveIdent{t.Database, strings.ToLower(to[len(to)-1])}
	if !metastore.PlainName(id.name) {
		return errclass.InvalidRelationName(id.name)
	}
	if err := placeOfHive(t); err != nil {
		return err
	}
	err := s.engine.Hive.Rename(ctx, t, id.database, id.name)
	if errors.Is(err, metastore.ErrTableExists) {
		return errclass.TableExists(sql.Spark, id.database, id.name)
	}
	return hiveError(err, id)
}

func (s *Session) addHiveColumns(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	if t.Format == "text" {
		return errclass.UnsupportedStatement(a.Dialect, "ADD COLUMNS to a table of text files").At(act.Span())
	}
	var fields []types.Field
	for _, c := range act.Columns {
		switch { // FIRST and AFTER are let pass: the column becomes the last one
		case len(c.Path) > 1:
			return errclass.FieldUnresolved(names(a.Dialect, c.Path[:1]), t.Schema())
		case c.NotNull:
			return errclass.AddNotNullColumn()
		}
		f, err := hiveColumn(a.Dialect, c)
		if err != nil {
			return err
		}
		if c.Default != nil {
			d, err := s.newDefault(ctx, a, "ALTER TABLE ADD COLUMNS", f, c.Default, c.DefaultText)
			if err != nil {
				return err
			}
			if err := t.SetDefault(f.Name, d); err != nil {
				return err
			}
		}
		fields = append(fields, f)
	}
	schema := types.StructOf(slices.Concat(t.Data, fields, t.Keys)...)
	if err := duplicateColumn(schema); err != nil {
		return err
	}
	return s.engine.Hive.AddColumns(ctx, t, fields)
}

// alterHiveColumn runs ALTER COLUMN and CHANGE COLUMN: a column's comment is all that can change.
func (s *Session) alterHiveColumn(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	path := names(a.Dialect, act.Path)
	named := func(f types.Field) bool { return strings.EqualFold(f.Name, path[0]) }
	i := slices.IndexFunc(t.Data, named)
	switch {
	case slices.ContainsFunc(t.Keys, named):
		return errclass.AlterPartitionColumn(path[0], tableName(t))
	case i < 0:
		return errclass.FieldUnresolved(path, t.Schema())
	case len(path) > 1:
		return errclass.TableOperation(tableName(t), "ALTER COLUMN with qualified column")
	case act.First || act.After != nil:
		return errclass.TableOperation(tableName(t), "ALTER COLUMN ... FIRST | AFTER")
	case act.SetNotNull, act.DropNotNull:
		return errclass.TableOperation(tableName(t), "ALTER COLUMN ... SET NOT NULL")
	}
	if act.Default != nil || act.DropDefault {
		d := t.Default(path[0])
		d.Current = ""
		if act.Default != nil {
			made, err := s.newDefault(ctx, a, "ALTER TABLE ALTER COLUMN", t.Data[i], act.Default, act.Text)
			if err != nil {
				return err
			}
			d.Current = made.Current
		}
		if err := t.SetDefault(t.Data[i].Name, d); err != nil {
			return err
		}
	}
	if act.Type != nil {
		ty, err := columnType(a.Dialect, act.Type)
		if err != nil {
			return err
		}
		changed := types.Field{Name: t.Data[i].Name, Type: ty, Lengths: functions.Lengths(act.Type, ty)}
		if changed.Declared() != t.Data[i].Declared() {
			return errclass.HiveColumnType(t.Data[i], changed, tableName(t))
		}
	}
	if act.Comment != nil {
		t.Data[i].Comment = *act.Comment
	}
	return s.engine.Hive.Alter(ctx, t)
}

// commentHive runs COMMENT ON TABLE; nil is COMMENT … IS NULL.
func (s *Session) commentHive(ctx context.Context, st *sql.Comment, id hiveIdent) (*Result, error) {
	return done(), s.changing(ctx, id, st.Name, func(t *hive.Table) error {
		t.Params["comment"] = ""
		if st.Text != nil {
			t.Params["comment"] = *st.Text
		}
		return s.engine.Hive.Alter(ctx, t)
	})
}

// alterDatabase runs ALTER DATABASE … SET DBPROPERTIES, SET LOCATION, and COMMENT ON DATABASE: once more if another session or process
// changed the database meanwhile.
func (s *Session) alterDatabase(ctx context.Context, name string, change func(*metastore.Database) error) (*Result, error) {
	for {
		d, err := s.engine.Hive.Store.Database(ctx, name)
		if err != nil {
			return nil, hiveError(err, hiveIdent{database: name})
		}
		if err := change(d); err != nil {
			return nil, err
		}
		if err := s.engine.Hive.Store.AlterDatabase(ctx, d); !errors.Is(err, metastore.ErrOutrun) || ctx.Err() != nil {
			return done(), hiveError(err, hiveIdent{database: name})
		}
	}
}

func (s *Session) alterHiveNamespace(ctx context.Context, a *plan.Analyzer, st *sql.AlterNamespace, name string) (*Result, error) {
	props, err := s.propertyValues(ctx, a, st.Properties)
	if err != nil {
		return nil, err
	}
	return s.alterDatabase(ctx, name, func(d *metastore.Database) error {
		for k, v := range props {
			d.Params[k] = v
		}
		for _, k := range st.UnsetKeys {
			delete(d.Params, k)
		}
		if st.Location != nil && *st.Location == "" {
			return errclass.EmptyLocation()
		}
		if st.Location != nil {
			return errclass.AlterDatabaseLocation()
		}
		return nil
	})
}

// viewExpected is the error of ALTER VIEW if its name is a table's of spark_catalog.
func (s *Session) viewExpected(ctx context.Context, st *sql.AlterTable) error {
	id, ok, err := s.hiveTarget(st.Name)
	if !ok || err != nil {
		return err
	}
	if _, err := s.loadHive(ctx, id.database, id.name); err != nil {
		if hive.IsNoTable(err) {
			return nil
		}
		return err
	}
	switch kind := st.Actions[0].Kind; kind {
	case "RENAME TO":
		return errclass.ViewExpected(names(sql.Spark, st.Name), "")
	case "AS QUERY":
		return errclass.ViewExpected(id.full(), "AS")
	default:
		return errclass.ViewExpected(id.full(), strings.Replace(kind, "PROPERTIES", "TBLPROPERTIES", 1))
	}
}
