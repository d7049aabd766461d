package engine

import (
	"context"
	"fmt"
	"slices"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// matching is the read of the files in partitions for which the conditions that read nothing but partition columns can be true.
func (r *fileRead) matching(ctx context.Context, filter expr.Expr) *fileRead {
	if filter == nil || len(r.partition) == 0 {
		return r
	}
	out := *r
	for _, cond := range plan.Conjuncts(filter) {
		columns := plan.Columns(cond)
		var places []int
		for _, c := range columns {
			at := slices.IndexFunc(r.partition, func(f types.Field) bool { return f.Name == c.Name })
			if at < 0 {
				break
			}
			places = append(places, at)
		}
		if len(places) < len(columns) || len(places) == 0 {
			continue
		}
		values := make([][]any, len(out.files))
		for i, f := range out.files {
			for _, at := range places {
				if v := f.values[at]; v != nil {
					values[i] = append(values[i], *v)
				} else {
					values[i] = append(values[i], nil)
				}
			}
		}
		rows, err := r.session.matchingRows(ctx, columns, values, cond)
		if err != nil {
			continue // the query itself will report it
		}
		kept := make([]dataFile, len(rows))
		for i, at := range rows {
			kept[i] = out.files[at]
		}
		out.files = kept
	}
	return &out
}

// explain says how many of the files a scan reads.
func (r *fileRead) explain(ctx context.Context, filter expr.Expr) string {
	left := len(r.matching(ctx, filter).files)
	return fmt.Sprintf("files: %d considered, %d skipped, %d read", len(r.files), len(r.files)-left, left)
}
