package engine

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// partitions are the partitions for which the conditions that read nothing but partition keys can be true. Keys compared with constants for
// equality are looked up in the metastore; the other conditions are computed on the partitions that leaves.
func (h *hiveSource) partitions(ctx context.Context, filter expr.Expr) ([]metastore.Partition, error) {
	spec := make(metastore.Spec, len(h.table.Keys))
	var rest expr.Expr
	if filter != nil {
		for _, c := range plan.Conjuncts(filter) {
			if !h.onKeys(c) {
				continue
			}
			if h.equality(ctx, c, spec) {
				continue
			}
			if rest == nil {
				rest = c
			} else if both, err := functions.Resolve(sql.Spark, "and", []expr.Expr{rest, c}, token.Span{}); err == nil {
				rest = both
			}
		}
	}
	parts, err := h.s.engine.Hive.Partitions(ctx, h.table, spec, nil)
	if err != nil || rest == nil {
		return parts, err
	}
	return h.matching(ctx, parts, rest)
}

// onKeys reports whether a condition reads partition keys only.
func (h *hiveSource) onKeys(c expr.Expr) bool {
	return !slices.ContainsFunc(plan.Columns(c), func(col *expr.Column) bool { return h.key(col) < 0 })
}

// key is the position of the partition key that a column is; -1 if it is none.
func (h *hiveSource) key(c *expr.Column) int {
	return slices.IndexFunc(h.table.Keys, func(f types.Field) bool { return f.Name == c.Name })
}

// equality puts key = constant and key IN (constants) into a spec, if the constants' texts are what partitions are named by. Only texts,
// whole numbers and dates are: other values have several spellings.
func (h *hiveSource) equality(ctx context.Context, c expr.Expr, spec metastore.Spec) bool {
	cond := h.s.conditionOf(ctx, c)
	if cond.Op != "=" && cond.Op != "in" || len(cond.Column) != 1 {
		return false
	}
	i := slices.IndexFunc(h.table.Keys, func(f types.Field) bool { return f.Name == cond.Column[0] })
	if i < 0 || spec[i] != nil {
		return false
	}
	t := h.table.Keys[i].Type
	texts := []string{}
	for _, v := range cond.Values {
		switch v := v.(type) {
		case string:
			if t.Kind != types.String || v == "" {
				return false
			}
			texts = append(texts, v)
		case types.Days:
			if t.Kind != types.Date {
				return false
			}
			texts = append(texts, types.Text(t, v, nil))
		default:
			return false
		}
	}
	spec[i] = texts
	return true
}

// matching computes a condition on partitions' values.
func (h *hiveSource) matching(ctx context.Context, parts []metastore.Partition, cond expr.Expr) ([]metastore.Partition, error) {
	columns := plan.Columns(cond)
	values := make([][]any, len(parts))
	for i, p := range parts {
		for _, c := range columns {
			if v := p.Values[h.key(c)]; v == metastore.NullPartition {
				values[i] = append(values[i], nil)
			} else {
				values[i] = append(values[i], v)
			}
		}
	}
	rows, err := h.s.matchingRows(ctx, columns, values, cond)
	if err != nil {
		return parts, nil // the query itself will report it
	}
	out := make([]metastore.Partition, 0, len(rows))
	for _, i := range rows {
		out = append(out, parts[i])
	}
	slices.SortFunc(out, func(a, b metastore.Partition) int {
		return strings.Compare(h.table.PartitionName(a.Values), h.table.PartitionName(b.Values))
	})
	return out, nil
}

// matchingRows computes a condition on rows of texts, which are cast to the columns' types. It gives the places of those for which it is
// true, in order.
func (s *Session) matchingRows(ctx context.Context, columns []*expr.Column, values [][]any, cond expr.Expr) ([]int, error) {
	number := &expr.Column{Name: "n", T: types.Of(types.Long)}
	local := &plan.Local{Columns: []*expr.Column{number}}
	for range columns {
		local.Columns = append(local.Columns, &expr.Column{Name: "k", T: types.Of(types.String), Null: true})
	}
	for i, v := range values {
		local.Rows = append(local.Rows, append([]any{int64(i)}, v...))
	}
	cast := &plan.Project{Child: local, Items: []plan.Item{{Column: number, X: reference(number)}}}
	for i, c := range columns {
		x, err := functions.Cast(sql.Spark, reference(local.Columns[i+1]), c.T, false, token.Span{})
		if err != nil {
			return nil, err
		}
		cast.Items = append(cast.Items, plan.Item{Column: c, X: x})
	}
	n := &plan.Project{Items: []plan.Item{{Column: number, X: reference(number)}}, Child: &plan.Filter{Cond: cond, Child: cast}}
	rows, err := s.Collect(ctx, &Result{Node: n}, -1)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(rows))
	for i, r := range rows {
		out[i] = int(r[0].(int64))
	}
	slices.Sort(out)
	return out, nil
}

// reference reads a column.
func reference(c *expr.Column) *expr.Ref {
	r := &expr.Ref{Column: c}
	r.T, r.Null = c.T, c.Null
	return r
}

// constantTexts are the values of a PARTITION clause as the metastore has them; nil stands for a key that the clause leaves open.
func (s *Session) constantTexts(ctx context.Context, a *plan.Analyzer, t *hive.Table, list []sql.PartitionValue) (metastore.Spec, error) {
	spec := make(metastore.Spec, len(t.Keys))
	for _, p := range list {
		i := slices.IndexFunc(t.Keys, func(f types.Field) bool { return strings.EqualFold(f.Name, p.Name.Text) })
		if i < 0 || p.Value == nil {
			continue
		}
		v, err := a.Eval(ctx, p.Value, t.Keys[i].Type)
		if err != nil {
			return nil, err
		}
		spec[i] = []string{s.keyValue(t.Keys[i].Type, v)}
	}
	return spec, nil
}

// keyValue is a partition key's value as the metastore has it.
func (s *Session) keyValue(t types.Type, v any) string {
	if v == nil || v == "" {
		return metastore.NullPartition
	}
	return types.Text(t, v, s.Location())
}
