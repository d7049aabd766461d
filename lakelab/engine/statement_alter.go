package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// alterTable runs ALTER TABLE. Each action is one commit of metadata; none makes a snapshot.
func (s *Session) alterTable(ctx context.Context, a *plan.Analyzer, st *sql.AlterTable) (*Result, error) {
	if st.View {
		return s.alterView(ctx, a, st)
	}
	t, err := s.loadTable(ctx, a.Dialect, st.Name)
	if err != nil {
		return nil, err
	}
	kind := ""
	for i := range st.Actions {
		if kind, err = s.alter(ctx, a, t, &st.Actions[i]); err != nil {
			return nil, err
		}
	}
	return updated(kind, -1), nil
}

func (s *Session) alter(ctx context.Context, a *plan.Analyzer, t *lake.Table, act *sql.AlterAction) (string, error) {
	l := s.engine.Lake
	switch act.Kind {
	case "ADD COLUMNS":
		cols := make([]lake.NewColumn, len(act.Columns))
		for i, c := range act.Columns {
			ty, err := columnType(a.Dialect, c.Type)
			if err != nil {
				return "", err
			}
			cols[i] = lake.NewColumn{Path: columnPath(a.Dialect, c), First: c.First,
				Field: types.Field{Name: names(a.Dialect, []sql.Name{c.Name})[0], Type: ty, Nullable: !c.NotNull}}
			if c.Comment != nil {
				cols[i].Field.Comment = *c.Comment
			}
			if c.After != nil {
				cols[i].After = c.After.Text
			}
			if c.Default != nil {
				return "", errclass.AddColumnDefault(c.Name.Text)
			}
		}
		return "ADD COLUMN", l.AddColumns(ctx, t, cols)
	case "DROP COLUMNS":
		paths := make([][]string, len(act.Paths))
		for i, p := range act.Paths {
			paths[i] = names(a.Dialect, p)
		}
		return "DROP COLUMN", l.DropColumns(ctx, t, paths, act.IfExists)
	case "RENAME COLUMN":
		return "RENAME COLUMN", l.RenameColumn(ctx, t, names(a.Dialect, act.Path), names(a.Dialect, []sql.Name{act.To})[0])
	case "ALTER COLUMN":
		return s.alterColumn(ctx, a, t, act)
	case "RENAME TO":
		return "RENAME TABLE", s.rename(ctx, a, t, act)
	case "SET PROPERTIES":
		props, err := s.propertyValues(ctx, a, act.Properties)
		if err != nil {
			return "", err
		}
		return "SET PROPERTIES", l.SetProperties(ctx, t, props)
	case "SET LOCATION":
		if len(act.Partitions) > 0 {
			return "", errclass.NoPartitionManagement(fullName(t.Ident()))
		}
		if err := s.tableLocation(act.Text); err != nil {
			return "", err
		}
		return "", l.SetLocation(ctx, t, act.Text)
	case "REPLACE COLUMNS":
		cols := make([]lake.NewColumn, len(act.Columns))
		for i, c := range act.Columns {
			if c.NotNull {
				return "", errclass.ReplaceNotNull().At(act.Span())
			}
			f, err := columnDefinition(a.Dialect, c)
			if err != nil {
				return "", err
			}
			cols[i] = lake.NewColumn{Field: f}
		}
		return "", l.ReplaceColumns(ctx, t, cols)
	case "SET SERDE":
		return "", errclass.NotForV2Tables("ALTER TABLE ... SET [SERDE|SERDEPROPERTIES]")
	case "ADD PARTITION", "DROP PARTITION", "RENAME PARTITION":
		return "", errclass.NoPartitionManagement(fullName(t.Ident()))
	case "RECOVER PARTITIONS":
		return "", errclass.NotForV2Tables("ALTER TABLE ... RECOVER PARTITIONS")
	case "UNSET PROPERTIES":
		return "", l.UnsetProperties(ctx, t, act.Keys, act.IfExists)
	}
	return s.alterIceberg(ctx, a, t, act)
}

// rename gives a table another name.
func (s *Session) rename(ctx context.Context, a *plan.Analyzer, t *lake.Table, act *sql.AlterAction) error {
	if a.Dialect == sql.Spark {
		return s.engine.Lake.Rename(ctx, t.Ident(), s.renameTarget(a, act))
	}
	id, err := s.ident(a.Dialect, act.NewName)
	if err != nil {
		return err
	}
	return s.engine.Lake.Rename(ctx, t.Ident(), id)
}

// renameTarget is Spark's RENAME TO: the name's first parts are a namespace, even if they are the catalog's.
func (s *Session) renameTarget(a *plan.Analyzer, act *sql.AlterAction) lake.Ident {
	to := names(a.Dialect, act.NewName)
	id := lake.Ident{Namespace: strings.Join(to[:len(to)-1], "."), Name: to[len(to)-1]}
	if len(to) == 1 {
		_, id.Namespace = s.Current()
	}
	return id
}

// viewTarget is renameTarget of a view, whose new name may begin with the catalog.
func (s *Session) viewTarget(a *plan.Analyzer, act *sql.AlterAction) lake.Ident {
	id := s.renameTarget(a, act)
	if rest, ok := strings.CutPrefix(id.Namespace, CatalogName+"."); ok {
		id.Namespace = rest
	}
	return id
}

func (s *Session) alterColumn(ctx context.Context, a *plan.Analyzer, t *lake.Table, act *sql.AlterAction) (string, error) {
	l, path := s.engine.Lake, names(a.Dialect, act.Path)
	switch {
	case act.Type != nil:
		ty, err := columnType(a.Dialect, act.Type)
		if err != nil {
			return "", err
		}
		change := lake.ColumnChange{Type: &ty, Comment: act.Comment, First: act.First} // CHANGE COLUMN gives all at once
		if act.After != nil {
			change.After = act.After.Text
		}
		return "SET COLUMN TYPE", l.ChangeColumn(ctx, t, path, change)
	case act.Comment != nil:
		return "COMMENT", l.SetColumnComment(ctx, t, path, *act.Comment)
	case act.DropNotNull:
		return "DROP NOT NULL", l.DropNotNull(ctx, t, path)
	case act.SetNotNull:
		return "", errclass.SetNotNull(path)
	case act.First:
		return "", l.MoveColumn(ctx, t, path, true, "")
	case act.After != nil:
		return "", l.MoveColumn(ctx, t, path, false, act.After.Text)
	}
	return "", errclass.UnsupportedStatement(a.Dialect, "ALTER COLUMN").At(act.Span())
}

// names are the texts of a dotted name; Trino folds unquoted ones.
func names(d sql.Dialect, parts []sql.Name) []string { return sessionCatalog{d: d}.parts(parts) }

// columnPath is the parent path of a new nested column; empty for a top-level one.
func columnPath(d sql.Dialect, c sql.ColumnDef) []string {
	if len(c.Path) < 2 {
		return nil
	}
	return names(d, c.Path[:len(c.Path)-1])
}
