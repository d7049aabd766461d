package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/trino"
	"mini-lakehouse-lab/lakelab/types"
)

// EXPLAIN and EXPLAIN ANALYZE show our own plan, in the forms in which Trino shows its own ("EXPLAIN", "EXPLAIN ANALYZE"). Nothing is
// estimated here, so there are no estimates; what runs is one fragment.

// explained is a statement that EXPLAIN is about.
type explained struct {
	st     sql.Statement
	a      *plan.Analyzer
	node   plan.Node
	target []string // the table that it writes to: catalog, schema, table
	text   string   // where its errors have their places, if that is another text than EXPLAIN's
}

// trinoExplain runs EXPLAIN.
func (s *Session) trinoExplain(ctx context.Context, a *plan.Analyzer, st *sql.Explain) (*Result, error) {
	x, err := s.explainedOf(a, st.Statement)
	if err != nil {
		return nil, err
	}
	if st.Verbose { // there are no figures of single operators
		return nil, errclass.UnsupportedStatement(sql.Trino, "EXPLAIN ANALYZE VERBOSE").At(st.Span())
	}
	if planned(x.st) {
		began := time.Now()
		if err := s.plan(ctx, x); err != nil {
			if x.text != "" {
				err = errclass.InText(err, x.text)
			}
			return nil, err
		}
		if st.Analyze {
			return s.explainAnalyze(ctx, x, time.Since(began))
		}
		return s.showPlan(ctx, x, st)
	}
	if st.Analyze {
		return nil, errclass.TrinoUnsupported("EXPLAIN ANALYZE doesn't support statement type: " + javaName(x.st)).Nowhere()
	}
	if _, use := x.st.(*sql.Use); use {
		if st.Type == "VALIDATE" {
			return nil, errclass.TrinoUnsupported("USE statement is not supported").At(x.st.Span())
		}
		return nil, errclass.TrinoInternal("not yet implemented: Use{}")
	}
	if st.Type == "VALIDATE" {
		return valid(), s.refuse(ctx, x.st)
	}
	return sized([][]any{{definition(x.st, st.Text)}}, "Query Plan"), nil
}

// valid is the answer of TYPE VALIDATE.
func valid() *Result {
	return local([][]any{{true}}, types.Field{Name: "Valid", Type: types.Of(types.Boolean)})
}

// explainedOf is a statement itself, or the one that EXECUTE means.
func (s *Session) explainedOf(a *plan.Analyzer, st sql.Statement) (*explained, error) {
	e, ok := st.(*sql.Execute)
	if !ok {
		return &explained{st: st, a: a}, nil
	}
	text := ""
	if e.Immediate != nil {
		text = *e.Immediate
	} else {
		var err error
		if text, err = s.preparedText(*e.Name); err != nil {
			return nil, err
		}
	}
	inner, err := s.preparedStatement(text, e.Using)
	if err != nil {
		return nil, err
	}
	return &explained{st: inner, a: s.analyzerOf(sql.Trino, text, plan.Params{Positional: e.Using}), text: text}, nil
}

// planned tells the statements that have a plan from those that define something.
func planned(st sql.Statement) bool {
	switch st := st.(type) {
	case *sql.QueryStmt, *sql.Insert, *sql.Delete, *sql.Update, *sql.Merge, *sql.Show, *sql.Describe, *sql.Explain:
		return true
	case *sql.CreateTable:
		return st.AsQuery != nil
	}
	return false
}

// plan analyzes a statement.
func (s *Session) plan(ctx context.Context, x *explained) (err error) {
	if err := s.refuse(ctx, x.st); err != nil {
		return err
	}
	switch st := x.st.(type) {
	case *sql.CreateTable:
		catalog, schema, table, err := s.trinoName3(ctx, st.Name)
		if err != nil {
			return err
		}
		x.target = []string{catalog, schema, table}
		list, err := s.trinoTables(ctx, catalog, schema)
		if err != nil {
			return err
		}
		if slices.Contains(list, table) {
			if !st.IfNotExists {
				return errclass.TrinoTableExists(x.target, true).At(st.Span())
			}
			x.target, x.node = nil, plan.LocalOf(types.StructOf(long("rows", false)), [][]any{{int64(0)}})
			return nil
		}
		x.node, err = x.a.Query(ctx, wrapped(st))
		return err
	case *sql.Insert:
		t, err := s.trinoTable(ctx, st.Table, st)
		if err != nil {
			return err
		}
		x.target = fullName(t.Ident())
		x.node, err = x.a.Insert(ctx, x.target, t.Schema().Fields, st)
		return err
	case *sql.Show, *sql.Describe, *sql.Explain:
		r, err := s.trinoStatement(ctx, x.a, st)
		if err != nil {
			return err
		}
		if x.node = r.Node; x.node == nil {
			x.node = plan.LocalOf(r.Schema, r.Rows)
		}
		return nil
	case *sql.Delete, *sql.Update, *sql.Merge:
		catalog, schema, table, err := s.trinoName3(ctx, targetOf(st))
		if err != nil {
			return err
		}
		x.target = []string{catalog, schema, table}
	}
	x.node, err = s.planOf(ctx, x.a, x.st)
	return err
}

// explain describes the plan, the operators that write its rows among it.
func (x *explained) explain(ctx context.Context) *plan.Explained {
	if x.target == nil {
		return plan.ExplainTrino(ctx, x.node)
	}
	table := x.target[0] + ":" + strings.Join(x.target[1:], ".")
	writer := &plan.Explained{Name: "TableWriter"}
	switch x.st.(type) {
	case *sql.Delete, *sql.Update, *sql.Merge:
		writer = &plan.Explained{Name: "MergeWriter", Of: []plan.Detail{{Name: "table", Text: table}}}
	}
	return plan.ExplainTrino(ctx, x.node, &plan.Explained{Name: "TableCommit", Of: []plan.Detail{{Name: "target", Text: table}}}, writer)
}

// showPlan answers EXPLAIN of a statement that has a plan.
func (s *Session) showPlan(ctx context.Context, x *explained, st *sql.Explain) (*Result, error) {
	text := ""
	logical := st.Type == "LOGICAL"
	switch {
	case st.Type == "VALIDATE":
		return valid(), nil
	case st.Type == "IO" && st.Format == "GRAPHVIZ":
		return nil, errclass.TrinoInternal("Unhandled plan type: IO")
	case st.Type == "IO":
		text = jackson(s.explainIO(ctx, x), "")
	case st.Format == "GRAPHVIZ":
		text = graphviz(x.explain(ctx), logical)
	case st.Format == "JSON" && logical:
		text = jackson(nodeJSON(x.explain(ctx), new(int)), "")
	case st.Format == "JSON":
		text = jackson(jsonObject{{"0", nodeJSON(x.explain(ctx), new(int))}}, "")
	case logical:
		text = versionLine + planText(x.explain(ctx), "")
	default:
		text = versionLine + fragment("0", x.explain(ctx), "") + "\n"
	}
	return sized([][]any{{text}}, "Query Plan"), nil
}

const versionLine = "Trino version: " + trinoVersion + "\n"

// fragment shows the one fragment that there is; more are further lines about it.
func fragment(number string, n *plan.Explained, more string) string {
	symbols := make([]string, len(n.Outputs))
	for i, o := range n.Outputs {
		symbols[i] = o.Name
	}
	return "Fragment " + number + " [SINGLE]\n" + more + "    Output layout: [" + strings.Join(symbols, ", ") + "]\n    Output partitioning: SINGLE []\n" + planText(n, "    ")
}

// explainAnalyze runs the statement, and shows how long that took and how many rows it gave.
func (s *Session) explainAnalyze(ctx context.Context, x *explained, planning time.Duration) (*Result, error) {
	shown := x.explain(ctx)
	began := time.Now()
	rows := int64(0)
	r := &Result{Node: x.node, Schema: SchemaOf(x.node), UpdateCount: -1, dialect: sql.Trino}
	if x.target != nil {
		var err error
		if r, err = s.trinoStatement(ctx, x.a, x.st); err != nil {
			return nil, err
		}
		rows = 1
	} else {
		in, err := s.Open(ctx, r)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		for {
			batch, err := in.Next()
			if err != nil {
				return nil, err
			}
			if batch == nil {
				break
			}
			rows += int64(len(batch))
		}
	}
	took := time.Since(began)
	more := fmt.Sprintf("    Output: %s\n", counted(rows))
	if r.UpdateCount >= 0 {
		more += fmt.Sprintf("    Changed: %s\n", counted(r.UpdateCount))
	}
	text := versionLine + fmt.Sprintf("Queued: %s, Analysis: %s, Planning: %s, Execution: %s\n", trino.Duration(0), trino.Duration(planning), trino.Duration(0), trino.Duration(took)) +
		fragment("1", shown, more) + "\n"
	return local([][]any{{text}}, types.Field{Name: "Query Plan", Type: types.Of(types.String), Nullable: true}), nil
}

func counted(rows int64) string {
	if rows == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", rows)
}

// definition is what EXPLAIN shows of a statement that defines something.
func definition(st sql.Statement, text string) string {
	name := func(parts []sql.Name) string { return strings.Join(names(sql.Trino, parts), ".") }
	switch st := st.(type) {
	case *sql.CreateTable:
		return "CREATE TABLE " + name(st.Name)
	case *sql.CreateNamespace:
		return "CREATE SCHEMA " + name(st.Name)
	case *sql.CreateView:
		return "CREATE VIEW " + name(st.Name)
	case *sql.Prepare:
		return "PREPARE " + trinoName(st.Name)
	}
	return text
}

// javaName is the name of a statement's kind in Trino's program, which some of its messages have.
func javaName(st sql.Statement) string {
	switch st := st.(type) {
	case *sql.Drop:
		return map[string]string{"TABLE": "DropTable", "VIEW": "DropView", "NAMESPACE": "DropSchema"}[st.Kind]
	case *sql.CreateNamespace:
		return "CreateSchema"
	case *sql.CallProc:
		return "Call"
	case *sql.Truncate:
		return "TruncateTable"
	case *sql.Set:
		return "SetSession"
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", st), "*sql.")
}
