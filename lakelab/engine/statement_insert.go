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
	run, err := s.preparedInsert(ctx, a, st)
	if err != nil {
		return nil, err
	}
	return run()
}

// multiInsert runs FROM t INSERT … INSERT …: one after the other, when nothing is wrong with any of them.
func (s *Session) multiInsert(ctx context.Context, a *plan.Analyzer, st *sql.MultiInsert) (*Result, error) {
	var runs []func() (*Result, error)
	for _, part := range st.Parts {
		switch part := part.(type) {
		case *sql.Insert:
			prepared := s.preparedInsert
			id, ok, err := s.hiveTarget(part.Table)
			if err != nil {
				return nil, err
			}
			if ok {
				prepared = func(ctx context.Context, a *plan.Analyzer, st *sql.Insert) (func() (*Result, error), error) {
					return s.preparedHiveInsert(ctx, a, st, id)
				}
			}
			run, err := prepared(ctx, a, part)
			if err != nil {
				return nil, err
			}
			runs = append(runs, run)
		case *sql.InsertDirectory:
			if _, err := a.Query(ctx, part.Query); err != nil {
				return nil, err
			}
			runs = append(runs, func() (*Result, error) { return s.insertDirectory(ctx, a, part) })
		}
	}
	for _, run := range runs {
		if _, err := run(); err != nil {
			return nil, err
		}
	}
	return done(), nil
}

// preparedInsert analyzes INSERT into an Iceberg table; the result runs it.
func (s *Session) preparedInsert(ctx context.Context, a *plan.Analyzer, st *sql.Insert) (func() (*Result, error), error) {
	if st.Saved != nil && st.Saved.Bucketed {
		return nil, errclass.UnsupportedStatement(a.Dialect, bucketedAppend)
	}
	if st.IfNotExists {
		id, err := s.ident(a.Dialect, st.Table)
		if err != nil {
			return nil, err
		}
		return nil, errclass.InsertIfNotExists(fullName(id))
	}
	t, err := s.writeTable(ctx, a.Dialect, st.Table)
	if err != nil {
		return nil, err
	}
	if len(st.Options) > 0 {
		given, err := s.propertyValues(ctx, a, st.Options)
		if err != nil {
			return nil, err
		}
		options, err := writeOptions(given, st.Overwrite || st.ReplaceWhere != nil)
		if err != nil {
			return nil, err
		}
		if t, err = t.Writing(options); err != nil {
			return nil, err
		}
	}
	return s.preparedInto(ctx, a, t, st)
}

// insertInto runs an INSERT into a table that was loaded.
func (s *Session) insertInto(ctx context.Context, a *plan.Analyzer, t *lake.Table, st *sql.Insert) (*Result, error) {
	run, err := s.preparedInto(ctx, a, t, st)
	if err != nil {
		return nil, err
	}
	return run()
}

// preparedInto is preparedInsert for a table that was loaded.
func (s *Session) preparedInto(ctx context.Context, a *plan.Analyzer, t *lake.Table, st *sql.Insert) (func() (*Result, error), error) {
	static, err := s.staticPartition(ctx, a, t, st)
	if err != nil {
		return nil, err
	}
	if a.Dialect == sql.Spark {
		// No column of an Iceberg table has another default than NULL in Spark.
		if err := fillDefaults(st, t.Schema().Fields, nil); err != nil {
			return nil, err
		}
	}
	replaced := static
	if st.ReplaceWhere != nil {
		if replaced, err = s.replacedRows(ctx, a, t, st.ReplaceWhere); err != nil {
			return nil, err
		}
	}
	n, err := a.Insert(ctx, fullName(t.Ident()), t.Schema().Fields, st)
	if err != nil {
		return nil, err
	}
	return func() (*Result, error) {
		query, err := s.copySQL(ctx, n)
		if err != nil {
			return nil, err
		}
		var rows int64
		if st.Overwrite || st.ReplaceWhere != nil {
			dynamic := st.ReplaceWhere == nil && (st.Dynamic || strings.EqualFold(s.Conf(confOverwriteMode), "dynamic"))
			rows, err = s.engine.Lake.Overwrite(ctx, t, lake.Overwriting{Dynamic: dynamic, Where: replaced}, query, s.db())
		} else if a.Dialect == sql.Trino {
			rows, err = s.engine.Lake.AppendSome(ctx, t, query, s.db())
		} else {
			rows, err = s.engine.Lake.Append(ctx, t, query, s.db())
		}
		if err != nil {
			return nil, err
		}
		return updated("INSERT", rows), nil
	}, nil
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
