package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

const bucketedAppend = "bucketBy with saveAsTable on a table that is there"

// insert runs INSERT INTO and INSERT OVERWRITE.
func (s *Session) insert(ctx context.Context, a *plan.Analyzer, st *sql.Insert) (*Result, error) {
	if st.Saved != nil && st.Saved.Bucketed {
		return nil, errclass.UnsupportedStatement(a.Dialect, bucketedAppend)
	}
	if st.ReplaceWhere != nil || st.IfNotExists || len(st.Options) > 0 {
		return nil, errclass.UnsupportedStatement(a.Dialect, "INSERT with REPLACE WHERE, IF NOT EXISTS or options").At(st.Span())
	}
	t, err := s.writeTable(ctx, a.Dialect, st.Table)
	if err != nil {
		return nil, err
	}
	return s.insertInto(ctx, a, t, st)
}

// insertInto runs an INSERT into a table that was loaded.
func (s *Session) insertInto(ctx context.Context, a *plan.Analyzer, t *lake.Table, st *sql.Insert) (*Result, error) {
	static, err := s.staticPartition(ctx, a, t, st)
	if err != nil {
		return nil, err
	}
	if a.Dialect == sql.Spark {
		nullDefaults(st.Query)
	}
	n, err := a.Insert(ctx, fullName(t.Ident()), t.Schema().Fields, st)
	if err != nil {
		return nil, err
	}
	query, err := s.copySQL(ctx, n)
	if err != nil {
		return nil, err
	}
	var rows int64
	if st.Overwrite {
		dynamic := st.Dynamic || strings.EqualFold(s.Conf(confOverwriteMode), "dynamic")
		rows, err = s.engine.Lake.Overwrite(ctx, t, lake.Overwriting{Dynamic: dynamic, Where: static}, query, s.db())
	} else if a.Dialect == sql.Trino {
		rows, err = s.engine.Lake.AppendSome(ctx, t, query, s.db())
	} else {
		rows, err = s.engine.Lake.Append(ctx, t, query, s.db())
	}
	if err != nil {
		return nil, err
	}
	return updated("INSERT", rows), nil
}

// nullDefaults puts NULL in the place of DEFAULT in a query's rows: no column of an Iceberg table has another default in Spark.
func nullDefaults(q *sql.Query) {
	var rows [][]sql.Expr
	switch b := q.Body.(type) {
	case *sql.Select:
		rows = [][]sql.Expr{b.Items}
	case *sql.Values:
		rows = b.Rows
	case *sql.Query:
		nullDefaults(b)
	}
	for _, row := range rows {
		for i, x := range row {
			if id, ok := x.(*sql.Ident); ok && len(id.Parts) == 1 && !id.Parts[0].Quoted && strings.EqualFold(id.Parts[0].Text, "default") {
				row[i] = &sql.Literal{At: id.At, Kind: sql.NullLit}
			}
		}
	}
}

// staticPartition checks INSERT's PARTITION clause; it returns what the columns given a value there select, nil if there are none.
func (s *Session) staticPartition(ctx context.Context, a *plan.Analyzer, t *lake.Table, st *sql.Insert) (*lake.Condition, error) {
	if len(st.Partition) == 0 {
		return nil, nil
	}
	columns := t.IdentityPartitions()
	var all []lake.Condition
	for _, p := range st.Partition {
		name := names(a.Dialect, []sql.Name{p.Name})[0]
		at := -1
		for i, c := range columns {
			if strings.EqualFold(c.Name, name) {
				at = i
			}
		}
		if at < 0 {
			return nil, errclass.NonPartitionColumn(name).At(p.Name.Span())
		}
		if p.Value == nil {
			continue
		}
		v, err := a.Eval(ctx, p.Value, columns[at].Type)
		if err != nil {
			return nil, err
		}
		if v == nil {
			all = append(all, lake.Condition{Op: "null", Column: []string{columns[at].Name}})
		} else {
			all = append(all, lake.Condition{Op: "=", Column: []string{columns[at].Name}, Values: []any{v}})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return &lake.Condition{Op: "and", Of: all}, nil
}

// truncate runs TRUNCATE TABLE.
func (s *Session) truncate(ctx context.Context, a *plan.Analyzer, st *sql.Truncate) (*Result, error) {
	t, err := s.writeTable(ctx, a.Dialect, st.Table)
	if err != nil {
		return nil, err
	}
	if len(st.Partition) > 0 {
		return nil, errclass.NoPartitionManagement(fullName(t.Ident())).At(span(st.Table))
	}
	if _, _, err := s.engine.Lake.DeleteFiles(ctx, t, nil, false); err != nil {
		return nil, err
	}
	return updated("TRUNCATE TABLE", -1), nil
}
