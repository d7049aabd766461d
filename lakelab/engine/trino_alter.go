package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's ALTER TABLE ("ALTER TABLE" in its documentation): IF EXISTS of the table and of columns, EXECUTE, fields of rows, and Trino's
// names of properties.

// trinoAlter runs ALTER TABLE.
func (s *Session) trinoAlter(ctx context.Context, a *plan.Analyzer, st *sql.AlterTable) (*Result, error) {
	if st.View {
		return s.trinoRenameView(ctx, st)
	}
	act := st.Actions[0]
	t, err := s.trinoTable(ctx, st.Name, st)
	if err != nil {
		missing := errclass.Is(err, "TABLE_NOT_FOUND") || errclass.Is(err, "SCHEMA_NOT_FOUND")
		switch {
		case act.Kind == "EXECUTE":
			return nil, s.noExecuted(ctx, st, err)
		case missing && st.IfExists:
			return updated(alterKind(act), -1), nil
		case missing && act.Kind == "SET PROPERTIES":
			return nil, s.noCommented(st.Name, err, st)
		}
		return nil, err
	}
	done, err := false, error(nil)
	switch act.Kind {
	case "EXECUTE":
		return s.tableProcedure(ctx, a, t, st, &act)
	case "SET PROPERTIES":
		return s.setProperties(ctx, a, t, act.Properties)
	case "ADD COLUMNS":
		done, err = s.checkAdded(a, t, st, &act)
	case "RENAME COLUMN":
		done, err = checkRenamed(t, st, &act)
	case "DROP COLUMNS":
		done, err = checkDropped(t, st, &act)
	case "ALTER COLUMN":
		if act.Type != nil {
			return s.setDataType(ctx, t, st, &act)
		}
		err = checkColumn(t, st, act.Path[0])
		if err == nil && act.DropNotNull && slices.ContainsFunc(t.Schema().Fields, func(f types.Field) bool {
			return strings.EqualFold(f.Name, act.Path[0].Text) && f.Nullable
		}) {
			err = errclass.TrinoAlreadyNullable().At(st.Span())
		}
	case "RENAME TO":
		err = s.checkNewName(ctx, t, st, &act)
	}
	if err != nil || done {
		return updated(alterKind(act), -1), err
	}
	r, err := s.alterTable(ctx, a, st)
	if act.Kind == "DROP COLUMNS" {
		err = inLibrary("drop column", err)
	}
	return r, err
}

// inLibrary words what Iceberg's library says against a change.
func inLibrary(what string, err error) error {
	var e *errclass.Error
	if errors.As(err, &e) && !e.Trino() && e.Class == "" {
		return errclass.TrinoNotChanged(what, e)
	}
	return err
}

// checkColumn refuses to change a column that the table does not have.
func checkColumn(t *lake.Table, st *sql.AlterTable, column sql.Name) error {
	if name := strings.ToLower(column.Text); !hasField(t, name) {
		return errclass.TrinoNoColumn(name).At(st.Span())
	}
	return nil
}

// fieldIn finds a field of a row, or the element of an array, by its name; false if there is none.
func fieldIn(t types.Type, name string) (types.Type, bool) {
	if t.Kind == types.Array && strings.EqualFold(name, "element") {
		return *t.Elem, true
	}
	at := slices.IndexFunc(t.Fields, func(f types.Field) bool { return t.Kind == types.Struct && strings.EqualFold(f.Name, name) })
	if at < 0 {
		return t, false
	}
	return t.Fields[at].Type, true
}

// rowOf walks along a path to the type in which its last field lies.
func (s *Session) rowOf(t *lake.Table, st *sql.AlterTable, path []sql.Name) (types.Type, error) {
	if err := checkColumn(t, st, path[0]); err != nil {
		return types.Type{}, err
	}
	in, _ := fieldIn(t.Schema(), path[0].Text)
	for _, n := range path[1 : len(path)-1] {
		next, ok := fieldIn(in, n.Text)
		if !ok {
			return in, errclass.TrinoNoField(strings.ToLower(n.Text), in).At(st.Span())
		}
		in = next
	}
	if in.Kind != types.Struct && !(in.Kind == types.Array && strings.EqualFold(path[len(path)-1].Text, "element")) {
		return in, errclass.TrinoFieldOfNoRow(in)
	}
	return in, nil
}

// checkAdded checks ADD COLUMN; true if the column is there and may be.
func (s *Session) checkAdded(a *plan.Analyzer, t *lake.Table, st *sql.AlterTable, act *sql.AlterAction) (bool, error) {
	for _, d := range act.Columns {
		if _, err := storedType(a, d); err != nil {
			var e *errclass.Error
			if errclass.Is(err, "NOT_SUPPORTED") && errors.As(err, &e) {
				err = errclass.TrinoNotChanged("add column", e)
			}
			return false, err
		}
		if len(d.Path) > 1 {
			in, err := s.rowOf(t, st, d.Path)
			if err != nil {
				return false, err
			}
			if name := strings.ToLower(d.Path[len(d.Path)-1].Text); slices.ContainsFunc(in.Fields, func(f types.Field) bool { return strings.EqualFold(f.Name, name) }) {
				if act.IfNotExists {
					return true, nil
				}
				return false, errclass.TrinoFieldExists(name).At(st.Span())
			}
			continue
		}
		if hasField(t, d.Name.Text) {
			if act.IfNotExists {
				return true, nil
			}
			return false, errclass.TrinoColumnExists(strings.ToLower(d.Name.Text)).At(st.Span())
		}
		if d.NotNull {
			return false, errclass.TrinoConnector("adding not null columns").Nowhere()
		}
		if d.After != nil && !hasField(t, d.After.Text) {
			return false, errclass.TrinoNoColumnAfter(strings.ToLower(d.After.Text)).At(st.Span())
		}
	}
	return false, nil
}

// checkRenamed checks RENAME COLUMN; true if there is nothing to rename and need not be.
func checkRenamed(t *lake.Table, st *sql.AlterTable, act *sql.AlterAction) (bool, error) {
	if err := checkColumn(t, st, act.Path[0]); err != nil {
		return act.IfExists, unless(act.IfExists, err)
	}
	to := strings.ToLower(act.To.Text)
	if len(act.Path) == 1 {
		if hasField(t, to) {
			return false, errclass.TrinoColumnExists(to).At(st.Span())
		}
		return false, nil
	}
	in, _ := fieldIn(t.Schema(), act.Path[0].Text)
	for i, n := range act.Path[1:] {
		if in.Kind != types.Struct { // fields of an array's rows, too, are out of its reach
			return false, errclass.TrinoFieldOfNoRow(in)
		}
		next, ok := fieldIn(in, n.Text)
		if !ok {
			return act.IfExists, unless(act.IfExists, errclass.TrinoNoFieldAtAll(strings.ToLower(act.Path[0].Text)).At(st.Span()))
		}
		if _, taken := fieldIn(in, to); taken && i == len(act.Path)-2 {
			return false, errclass.TrinoFieldExists(to).At(st.Span())
		}
		in = next
	}
	return false, nil
}

// unless is an error that does not count if something holds.
func unless(passed bool, err error) error {
	if passed {
		return nil
	}
	return err
}

// checkDropped checks DROP COLUMN; true if there is nothing to drop and need not be.
func checkDropped(t *lake.Table, st *sql.AlterTable, act *sql.AlterAction) (bool, error) {
	path := act.Paths[0]
	if err := checkColumn(t, st, path[0]); err != nil {
		return act.IfExists, unless(act.IfExists, err)
	}
	if len(path) == 1 {
		if len(t.Schema().Fields) == 1 {
			return false, errclass.TrinoOnlyColumn().At(st.Span())
		}
		name := strings.ToLower(path[0].Text)
		switch now, ever := t.Partitions(name); {
		case now:
			return false, errclass.TrinoDropPartition(name)
		case ever:
			return false, errclass.TrinoDropOldPartition(name)
		}
		return false, nil
	}
	top, _ := fieldIn(t.Schema(), path[0].Text)
	in := top
	for i, n := range path[1:] {
		next, ok := fieldIn(in, n.Text)
		switch {
		case !ok:
			return act.IfExists, unless(act.IfExists, errclass.TrinoDropNoField(strings.ToLower(n.Text), in, names(sql.Trino, path[1:]), top).At(st.Span()))
		case i == len(path)-2 && len(in.Fields) == 1:
			return false, errclass.TrinoOnlyField().At(st.Span())
		}
		in = next
	}
	return false, nil
}

// setDataType runs ALTER COLUMN … SET DATA TYPE.
func (s *Session) setDataType(ctx context.Context, t *lake.Table, st *sql.AlterTable, act *sql.AlterAction) (*Result, error) {
	if err := checkColumn(t, st, act.Path[0]); err != nil {
		return nil, err
	}
	what := "set column type"
	if len(act.Path) > 1 {
		what = "set field type"
		in, err := s.rowOf(t, st, act.Path)
		if err != nil {
			return nil, err
		}
		name := act.Path[len(act.Path)-1].Text
		if _, ok := fieldIn(in, name); !ok {
			return nil, errclass.TrinoNoField(strings.ToLower(name), in).At(st.Span())
		}
	}
	to, err := functions.TypeOf(sql.Trino, act.Type)
	if errclass.Is(err, "TYPE_MISMATCH") {
		return nil, errclass.TrinoColumnType(act.Type.Name, strings.ToLower(act.Path[len(act.Path)-1].Text)).At(act.Type.Span())
	}
	if err == nil {
		err = checkIceberg(to)
	}
	if err == nil {
		to, err = trinoStored(to)
	}
	if err != nil {
		return nil, err
	}
	if err := inLibrary(what, s.engine.Lake.RetypeColumn(ctx, t, names(sql.Trino, act.Path), to)); err != nil {
		return nil, err
	}
	return updated("SET COLUMN TYPE", -1), nil
}

// checkNewName checks RENAME TO.
func (s *Session) checkNewName(ctx context.Context, t *lake.Table, st *sql.AlterTable, act *sql.AlterAction) error {
	to, err := s.trinoTarget(ctx, "Table", t.Ident(), act.NewName, st)
	if err != nil {
		return err
	}
	if _, err := s.engine.Lake.LoadView(ctx, to); !errors.Is(err, lake.ErrNoView) {
		if err == nil {
			err = errclass.TrinoTargetIsView(fullName(to)).At(st.Span())
		}
		return err
	}
	if ok, err := s.engine.Lake.Exists(ctx, to); err != nil || ok {
		if err == nil {
			err = errclass.TrinoTargetExists(fullName(to)).At(st.Span())
		}
		return err
	}
	return nil
}

// noExecuted is the error about the table of ALTER TABLE … EXECUTE, which Trino places at the word TABLE.
func (s *Session) noExecuted(ctx context.Context, st *sql.AlterTable, err error) error {
	catalog, schema, table, nameErr := s.trinoName3(ctx, st.Name)
	if nameErr != nil && !errclass.Is(nameErr, "SCHEMA_NOT_FOUND") {
		return err
	}
	if catalog != CatalogName {
		return errclass.TrinoNoTableProcedure(strings.ToUpper(st.Actions[0].To.Text))
	}
	at := st.Span()
	at.Start.Col += len("ALTER ")
	at.Start.Offset += len("ALTER ")
	return errclass.TableNotFound(sql.Trino, []string{catalog, schema, table}).At(at)
}

// alterKind is Trino's name of what an action does.
func alterKind(act sql.AlterAction) string {
	switch {
	case act.Kind == "ADD COLUMNS":
		return "ADD COLUMN"
	case act.Kind == "DROP COLUMNS":
		return "DROP COLUMN"
	case act.Kind == "RENAME TO":
		return "RENAME TABLE"
	case act.Kind == "EXECUTE":
		return "ALTER TABLE EXECUTE"
	case act.Type != nil:
		return "SET COLUMN TYPE"
	case act.DropNotNull:
		return "DROP NOT NULL"
	}
	return act.Kind
}
