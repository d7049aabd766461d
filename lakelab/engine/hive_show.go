package engine

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// showHive runs SHOW … in spark_catalog; nil without an error for what is not there.
func (s *Session) showHive(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	switch st.What {
	case "NAMESPACES", "TABLES":
		name, ok, err := s.hiveDatabase(st.Name)
		if !ok || err != nil {
			return nil, err
		}
		if st.What == "TABLES" {
			return s.showHiveTables(ctx, st, name)
		}
		list, err := s.engine.Hive.Store.Databases(ctx)
		if err != nil {
			return nil, err
		}
		return local(like(st, column(list), 0), text("namespace", false)), nil
	}
	return nil, nil
}

// showHiveTables lists a database's tables, then the session's temporary views.
func (s *Session) showHiveTables(ctx context.Context, st *sql.Show, database string) (*Result, error) {
	if _, err := s.engine.Hive.Store.Database(ctx, database); err != nil {
		return nil, hiveError(err, hiveIdent{database: database})
	}
	list, err := s.engine.Hive.Store.Tables(ctx, database, false)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, t := range list {
		rows = append(rows, []any{database, t, false})
	}
	for _, v := range s.views.all() {
		rows = append(rows, []any{"", v.name, true})
	}
	return local(like(st, rows, 1), text("namespace", false), text("tableName", false),
		types.Field{Name: "isTemporary", Type: types.Of(types.Boolean)}), nil
}

// column makes rows of one column.
func column(list []string) [][]any {
	rows := make([][]any, len(list))
	for i, v := range list {
		rows[i] = []any{v}
	}
	return rows
}
