package engine

import (
	"context"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// alterIceberg runs what Iceberg's extensions add to ALTER TABLE (Iceberg's "Spark DDL" page).
func (s *Session) alterIceberg(ctx context.Context, a *plan.Analyzer, t *lake.Table, act *sql.AlterAction) (string, error) {
	l := s.engine.Lake
	switch act.Kind {
	case "ADD PARTITION FIELD", "DROP PARTITION FIELD", "REPLACE PARTITION FIELD":
		f, err := partitionField(a.Dialect, *act.Transform)
		if err != nil {
			return "", err
		}
		switch act.Kind {
		case "ADD PARTITION FIELD":
			return "", l.AddPartitionField(ctx, t, f)
		case "DROP PARTITION FIELD":
			return "", l.DropPartitionField(ctx, t, f)
		}
		with, err := partitionField(a.Dialect, *act.With)
		if err != nil {
			return "", err
		}
		return "", l.ReplacePartitionField(ctx, t, f, with)
	case "WRITE ORDER":
		return "", s.writeOrder(ctx, a, t, act)
	case "SET IDENTIFIER FIELDS", "DROP IDENTIFIER FIELDS":
		paths := make([][]string, len(act.Paths))
		for i, p := range act.Paths {
			paths[i] = names(a.Dialect, p)
		}
		if act.Kind == "SET IDENTIFIER FIELDS" {
			return "", l.SetIdentifierFields(ctx, t, paths)
		}
		return "", l.DropIdentifierFields(ctx, t, paths)
	case "CREATE BRANCH", "CREATE TAG", "REPLACE BRANCH", "REPLACE TAG":
		r := lake.Ref{Name: act.Ref.Name.Text, Tag: act.Kind == "CREATE TAG" || act.Kind == "REPLACE TAG",
			Create: act.Kind == "CREATE BRANCH" || act.Kind == "CREATE TAG", IfNotExists: act.IfNotExists,
		}
		if err := retained(act.Ref, &r); err != nil {
			return "", err
		}
		r.Replace = !r.Create || act.Ref.OrReplace
		if act.Ref.AsOf != nil {
			v, err := a.Eval(ctx, act.Ref.AsOf, types.Of(types.Long))
			if err != nil {
				return "", err
			}
			id := v.(int64)
			r.Snapshot = &id
		}
		return "", l.SetRef(ctx, t, r)
	case "DROP BRANCH", "DROP TAG":
		return "", l.DropRef(ctx, t, lake.Ref{Name: act.Ref.Name.Text, Tag: act.Kind == "DROP TAG"}, act.IfExists)
	}
	return "", errclass.UnsupportedStatement(a.Dialect, "ALTER TABLE … "+act.Kind).At(act.Span())
}

// retained takes over how long a branch or tag and its snapshots stay.
func retained(ref *sql.RefSpec, r *lake.Ref) error {
	if n := ref.RetainMillis; n != nil {
		if r.MaxAge = time.Duration(*n) * time.Millisecond; *n <= 0 {
			return errclass.IllegalArgument("Max reference age must be greater than 0")
		}
	}
	if n := ref.KeepCount; n != nil {
		if r.MinSnapshots = *n; *n <= 0 {
			return errclass.IllegalArgument("Min snapshots to keep must be greater than 0")
		}
	}
	if n := ref.KeepMillis; n != nil {
		if r.MaxSnapshotAge = time.Duration(*n) * time.Millisecond; *n <= 0 {
			return errclass.IllegalArgument("Max snapshot age must be greater than 0 ms")
		}
	}
	return nil
}

// writeOrder runs WRITE [DISTRIBUTED BY PARTITION] [LOCALLY] ORDERED BY … | UNORDERED.
func (s *Session) writeOrder(ctx context.Context, a *plan.Analyzer, t *lake.Table, act *sql.AlterAction) error {
	fields := make([]lake.SortField, len(act.Order))
	for i, o := range act.Order {
		f, err := sortField(a.Dialect, act.At, o)
		if err != nil {
			return err
		}
		fields[i] = f
	}
	distribution := "range"
	switch {
	case act.Distribution != "":
		distribution = "hash"
	case act.Locally, act.Unordered:
		distribution = "none"
	}
	return s.engine.Lake.SetWriteOrder(ctx, t, fields, distribution)
}

// sortField turns a sort item of the statement into the lake's.
func sortField(d sql.Dialect, at sql.At, o sql.SortItem) (lake.SortField, error) {
	tr := sql.Transform{At: at}
	switch x := o.X.(type) {
	case *sql.Ident:
		tr.Args = []sql.Expr{x}
	case *sql.Call:
		tr.Name = names(d, x.Name)[0]
		for _, arg := range x.Args {
			tr.Args = append(tr.Args, arg.X)
		}
	default:
		return lake.SortField{}, errclass.UnsupportedStatement(d, "WRITE ORDERED BY an expression").At(o.X.Span())
	}
	f, err := partitionField(d, tr)
	if err != nil {
		return lake.SortField{}, err
	}
	k := lake.SortField{PartitionField: f, Descending: o.Desc, NullsFirst: !o.Desc}
	if o.Nulls != "" {
		k.NullsFirst = o.Nulls == "FIRST"
	}
	return k, nil
}
