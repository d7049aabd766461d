package engine

import (
	"context"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// replacedRows reads the condition of INSERT INTO t REPLACE WHERE and of writeTo(t).overwrite(condition): which rows the new ones replace.
// As in Spark it must be one that Iceberg can judge by whole files; rows of a file of which only some fulfil it are an error of the commit.
func (s *Session) replacedRows(ctx context.Context, a *plan.Analyzer, t *lake.Table, x sql.Expr) (*lake.Condition, error) {
	if l, ok := x.(*sql.Literal); ok && l.Kind == sql.NullLit {
		return nil, errclass.OverwriteUntranslatable("null")
	}
	cond, err := a.ConditionOn(ctx, s.source(t, nil), x)
	if err != nil {
		return nil, err
	}
	if plan.HasSubquery(cond) {
		return nil, errclass.OverwriteBySubquery()
	}
	if plan.NonDeterministic(cond) {
		return nil, errclass.NonDeterministic(plan.NameOf(a.Dialect, cond))
	}
	c := s.condition(ctx, cond)
	if side, ok := otherSide(cond); ok {
		return nil, errclass.IllegalArgument("Cannot convert filter to Iceberg: " + side)
	}
	if !c.Known() {
		return nil, errclass.OverwriteUnsupported(fullName(t.Ident()))
	}
	return c, nil
}

// otherSide finds a comparison with the end or the middle of a text, which Spark knows as a filter and Iceberg does not.
func otherSide(x expr.Expr) (string, bool) {
	call, ok := x.(*expr.Call)
	if !ok {
		return "", false
	}
	if kind, path, text := sideOf(call); kind == "StringEndsWith" || kind == "StringContains" {
		return fmt.Sprintf("%s(%s,%s)", kind, path[len(path)-1], text), true
	}
	for _, arg := range call.Args {
		if side, ok := otherSide(arg); ok {
			return side, true
		}
	}
	return "", false
}
