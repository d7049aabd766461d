package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Execute parses and runs one statement. A query is analyzed only: open its Result to run it. Every error that a user can
// cause is an *errclass.Error that carries the statement's text.
func (s *Session) Execute(ctx context.Context, d sql.Dialect, text string, params plan.Params) (*Result, error) {
	defer s.engine.busy()()
	s.touch("", "")
	ctx, finish := withTemporaries(ctx)
	defer finish()
	a := s.analyzerOf(d, text, params)
	if d == sql.Trino {
		ctx = lake.WithWriting(ctx, s.writing())
	}
	if zone := s.Conf(confTimeZone); d == sql.Spark && duck.TimeZone(zone) == "" { // Trino's statements may set it
		return nil, errclass.Unsupported("a session time zone that is no region and no whole number of hours: " + zone)
	}
	if d == sql.Spark {
		a.Functions = functionsOf(ctx)
		var err error
		if text, err = s.substituted(text); err != nil {
			return nil, err
		}
	}
	st, err := s.parse(ctx, a, text)
	if err != nil {
		return nil, errclass.InText(err, text)
	}
	if _, ok := st.(*sql.Prepare); d == sql.Trino && !ok {
		if want := sql.CountParams(d, text); want > len(params.Positional) {
			return nil, errclass.InText(errclass.TrinoParameterCount(want, len(params.Positional)).At(st.Span()), text)
		}
	}
	r, err := s.run(ctx, a, st)
	if err != nil {
		return nil, errclass.InText(inDialect(d, err), text)
	}
	r.Text = text
	if d == sql.Trino {
		r.dialect, r.Schema = d, s.shownZones(r.Schema)
	}
	return r, nil
}

// analyzerOf is an analyzer of a text, which offers hidden columns where the text may name one.
func (s *Session) analyzerOf(d sql.Dialect, text string, params plan.Params) *plan.Analyzer {
	a := s.analyzer(d, params)
	a.Hidden = mentionsHidden(text) || d == sql.Trino && (strings.Contains(text, `"$`) || mentionsTrinoHidden(strings.ToLower(text)))
	return a
}

// mentionsTrinoHidden reports whether a text in lower case may name a hidden column of tpch or of an information_schema.
func mentionsTrinoHidden(text string) bool {
	return slices.ContainsFunc([]string{tpchRowNumber, "comment", "extra_info"}, func(name string) bool { return strings.Contains(text, name) })
}

// inDialect words an error of the parts that both dialects share.
func inDialect(d sql.Dialect, err error) error {
	if d == sql.Trino {
		return errclass.InTrino(err)
	}
	return err
}

func (s *Session) run(ctx context.Context, a *plan.Analyzer, st sql.Statement) (*Result, error) {
	if a.Dialect == sql.Trino {
		return s.runTrino(ctx, a, st)
	}
	return s.runShared(ctx, a, st)
}

// runShared runs a statement that both dialects have.
func (s *Session) runShared(ctx context.Context, a *plan.Analyzer, st sql.Statement) (*Result, error) {
	if a.Dialect == sql.Spark {
		if r, err := s.runHive(ctx, a, st); r != nil || err != nil {
			return r, err
		}
	}
	switch st := st.(type) {
	case *sql.QueryStmt:
		n, err := a.Query(ctx, st.Query)
		if err != nil {
			return nil, err
		}
		return &Result{Schema: SchemaOf(n), Node: n, UpdateCount: -1}, nil
	case *sql.CreateTable:
		return s.createTable(ctx, a, st)
	case *sql.CreateView:
		return s.createView(ctx, a, st)
	case *sql.CreateNamespace:
		return s.createNamespace(ctx, a, st)
	case *sql.AlterNamespace:
		return s.alterNamespace(ctx, a, st)
	case *sql.Drop:
		return s.drop(ctx, a, st)
	case *sql.Insert:
		return s.insert(ctx, a, st)
	case *sql.MultiInsert:
		return s.multiInsert(ctx, a, st)
	case *sql.Truncate:
		return s.truncate(ctx, a, st)
	case *sql.Delete:
		return s.delete(ctx, a, st)
	case *sql.Update:
		return s.update(ctx, a, st)
	case *sql.Merge:
		return s.merge(ctx, a, st)
	case *sql.AlterTable:
		return s.alterTable(ctx, a, st)
	case *sql.SaveFiles:
		return s.saveFiles(ctx, a, st)
	case *sql.CallProc:
		return s.call(ctx, a, st)
	case *sql.Describe:
		return s.describe(ctx, a, st)
	case *sql.Show:
		return s.show(ctx, a, st)
	case *sql.Use:
		return s.use(ctx, a, st)
	case *sql.Set:
		return s.set(ctx, a, st)
	case *sql.Explain:
		return s.explain(ctx, a, st)
	case *sql.Cache:
		return s.cache(ctx, a, st)
	case *sql.DeclareVariable:
		return s.declareVariable(ctx, a, st)
	case *sql.SetVariable:
		return s.setVariables(ctx, a, st)
	case *sql.DropVariable:
		return s.dropVariable(a, st)
	case *sql.CreateFunction:
		return s.createFunction(ctx, a, st)
	case *sql.DropFunction:
		return s.dropFunction(a, st)
	case *sql.Execute:
		if a.Dialect == sql.Spark {
			return s.executeImmediate(ctx, a, st)
		}
		return s.executePrepared(ctx, st)
	case *sql.Prepare:
		return s.prepare(st)
	case *sql.Deallocate:
		return s.deallocate(st)
	case *sql.Transaction:
		return s.transact(st)
	case *sql.Repair:
		if _, err := s.loadTable(ctx, a.Dialect, st.Table); err != nil {
			return nil, errclass.Place(err, st.Span())
		}
		return nil, errclass.NotForV2Tables("MSCK REPAIR TABLE")
	case *sql.Analyze:
		if _, err := s.loadTable(ctx, a.Dialect, st.Table); err != nil {
			return nil, errclass.Place(err, st.Span())
		}
		return nil, errclass.NotForV2Tables("ANALYZE TABLE")
	}
	return nil, errclass.UnsupportedStatement(a.Dialect, statementName(st)).At(st.Span())
}

// statementName names a statement that has no execution yet.
func statementName(st sql.Statement) string {
	switch st.(type) {
	case *sql.Analyze:
		return "ANALYZE TABLE"
	case *sql.Comment:
		return "COMMENT ON"
	}
	return fmt.Sprintf("%T", st)
}

// eval computes a constant expression on DuckDB.
func (s *Session) eval(ctx context.Context, a *plan.Analyzer, x sql.Expr, to types.Type) (any, error) {
	e, err := a.Constant(ctx, x, to)
	if err != nil {
		return nil, err
	}
	if text, ok := constantText(e); ok { // at hand, however busy DuckDB is
		return text, nil
	}
	n := &plan.Project{Items: []plan.Item{plan.NewItem("value", e)}, Child: &plan.OneRow{}}
	rows, err := s.Collect(ctx, &Result{Node: n}, 1)
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 {
		return nil, fmt.Errorf("a constant gave %d rows", len(rows))
	}
	return rows[0][0], nil
}

// explain shows our own plan.
func (s *Session) explain(ctx context.Context, a *plan.Analyzer, st *sql.Explain) (*Result, error) {
	switch st.Mode {
	case "", "EXTENDED", "FORMATTED", "TYPE LOGICAL", "TYPE DISTRIBUTED": // one plan is all there is
	default:
		return nil, errclass.UnsupportedStatement(a.Dialect, "EXPLAIN "+st.Mode).At(st.Span())
	}
	n, err := s.planOf(ctx, a, st.Statement)
	if err != nil {
		return nil, err
	}
	return local([][]any{{plan.Explain(ctx, n)}}, text("plan", false)), nil
}

// planOf is the plan of a statement that has one: a query, or what reads rows to change them.
func (s *Session) planOf(ctx context.Context, a *plan.Analyzer, st sql.Statement) (plan.Node, error) {
	var rows *plan.RowActions
	var err error
	switch st := st.(type) {
	case *sql.QueryStmt:
		return a.Query(ctx, st.Query)
	case *sql.Delete:
		rows, err = a.Delete(ctx, st)
	case *sql.Update:
		rows, err = a.Update(ctx, st)
	case *sql.Merge:
		rows, err = a.Merge(ctx, st)
	default:
		return nil, errclass.UnsupportedStatement(a.Dialect, "EXPLAIN "+statementName(st)).At(st.Span())
	}
	if err != nil {
		return nil, err
	}
	return rows.Plan, nil
}

// cache accepts Spark's cache statements: data is local and metadata is read anew for every query, so there is nothing to keep
// or to refresh. The table must exist; CACHE TABLE … AS makes a temporary view.
func (s *Session) cache(ctx context.Context, a *plan.Analyzer, st *sql.Cache) (*Result, error) {
	if st.What == "CLEAR" {
		return done(), nil
	}
	if st.Query != nil {
		return s.createView(ctx, a, &sql.CreateView{At: st.At, Name: st.Name, Temporary: true, AsQuery: st.Query})
	}
	if _, err := a.Relation(ctx, &sql.TableRef{At: st.At, Name: st.Name}); err != nil && !(st.What == "UNCACHE" && st.IfExists) {
		return nil, err
	}
	return done(), nil
}
