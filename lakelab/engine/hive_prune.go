package engine

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// partitions are the partitions for which the conditions that read nothing but partition keys can be true. Comparisons with constants are
// decided here, the other conditions are computed by DuckDB on the partitions that are left.
func (h *hiveSource) partitions(ctx context.Context, filter expr.Expr) ([]metastore.Partition, error) {
	parts, err := h.s.engine.Hive.Partitions(ctx, h.table)
	if err != nil || filter == nil || len(h.table.Keys) == 0 {
		return parts, err
	}
	var rest expr.Expr
	var known []lake.Condition
	for _, c := range plan.Conjuncts(filter) {
		if !h.onKeys(c) {
			continue
		}
		if cond := h.s.conditionOf(ctx, c); h.decides(cond) {
			known = append(known, cond)
		} else if rest == nil {
			rest = c
		} else if both, err := functions.Resolve(sql.Spark, "and", []expr.Expr{rest, c}, token.Span{}); err == nil {
			rest = both
		}
	}
	if len(known) > 0 {
		var kept []metastore.Partition
		for _, p := range parts {
			if !slices.ContainsFunc(known, func(c lake.Condition) bool { v, ok := h.decide(c, p.Values); return ok && v != yes }) {
				kept = append(kept, p)
			}
		}
		parts = kept
	}
	if rest == nil || len(parts) == 0 {
		return parts, nil
	}
	return h.matching(ctx, parts, rest)
}

// onKeys reports whether a condition reads partition keys only.
func (h *hiveSource) onKeys(c expr.Expr) bool {
	return !slices.ContainsFunc(plan.Columns(c), func(col *expr.Column) bool { return h.key(col.Name) < 0 })
}

// key is the position of the partition key of a name; -1 if there is none.
func (h *hiveSource) key(name string) int {
	return slices.IndexFunc(h.table.Keys, func(f types.Field) bool { return f.Name == name })
}

// verdict is a condition's value for a partition.
type verdict int

const (
	no verdict = iota
	null
	yes
)

// decides reports whether decide knows a condition: all comparisons are of keys that are texts, whole numbers or dates.
func (h *hiveSource) decides(c lake.Condition) bool {
	switch c.Op {
	case "and", "or", "not":
		return !slices.ContainsFunc(c.Of, func(c lake.Condition) bool { return !h.decides(c) })
	case "null":
		return len(c.Column) == 1 && h.key(c.Column[0]) >= 0
	case "=", "<", "<=", ">", ">=", "in":
		i := -1
		if len(c.Column) == 1 {
			i = h.key(c.Column[0])
		}
		if i < 0 {
			return false
		}
		return !slices.ContainsFunc(c.Values, func(v any) bool {
			switch v.(type) {
			case nil:
				return false
			case int64:
				return !h.table.Keys[i].Type.IsIntegral()
			case string:
				return h.table.Keys[i].Type.Kind != types.String
			case types.Days:
				return h.table.Keys[i].Type.Kind != types.Date
			}
			return true
		})
	}
	return false
}

// decide computes a condition on a partition's values, with SQL's three truth values; false if a value's text is none of its key's type as
// compareKey reads them: the query decides then.
func (h *hiveSource) decide(c lake.Condition, values []string) (verdict, bool) {
	switch c.Op {
	case "not":
		v, ok := h.decide(c.Of[0], values)
		return yes - v, ok
	case "and", "or":
		out, ok := h.decide(c.Of[0], values)
		for _, of := range c.Of[1:] {
			v, known := h.decide(of, values)
			if ok = ok && known; (v < out) == (c.Op == "and") {
				out = v
			}
		}
		return out, ok
	}
	i := h.key(c.Column[0])
	v := values[i]
	isNull := v == metastore.NullPartition
	if c.Op == "null" {
		return map[bool]verdict{true: yes, false: no}[isNull], true
	}
	if isNull {
		return null, true
	}
	out := no
	for _, want := range c.Values {
		order, ok := compareKey(h.table.Keys[i].Type, v, want)
		switch {
		case want == nil:
			out = max(out, null)
		case !ok:
			return no, false
		case c.Op == "<" && order < 0, c.Op == "<=" && order <= 0, c.Op == ">" && order > 0, c.Op == ">=" && order >= 0, (c.Op == "=" || c.Op == "in") && order == 0:
			return yes, true
		}
	}
	return out, true
}

// compareKey orders a partition's value and a constant; false if the value is none of the type.
func compareKey(t types.Type, v string, want any) (int, bool) {
	switch want := want.(type) {
	case string:
		return strings.Compare(v, want), true
	case int64:
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		return cmp.Compare(n, want), err == nil
	case types.Days:
		text := types.Text(t, want, nil)
		if len(v) != len("2006-01-02") || len(text) != len(v) { // dates of other years are no texts in order
			return 0, false
		}
		return strings.Compare(v, text), true
	}
	return 0, false
}

// matching computes a condition on partitions' values.
func (h *hiveSource) matching(ctx context.Context, parts []metastore.Partition, cond expr.Expr) ([]metastore.Partition, error) {
	columns := plan.Columns(cond)
	values := make([][]any, len(parts))
	for i, p := range parts {
		for _, c := range columns {
			if v := p.Values[h.key(c.Name)]; v == metastore.NullPartition {
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
		text, err := s.keyValue(t.Keys[i], v)
		if err != nil {
			return nil, err
		}
		spec[i] = []string{text}
	}
	return spec, nil
}

// keyValue is a partition key's value as the metastore has it: that of a CHAR(n) without the spaces at its end.
func (s *Session) keyValue(key types.Field, v any) (string, error) {
	if v == nil {
		return metastore.NullPartition, nil
	}
	text := types.Text(key.Type, v, s.Location())
	if key.Lengths != nil {
		n, _ := key.Lengths.Length()
		trimmed := strings.TrimRight(text, " ")
		if utf8.RuneCountInString(trimmed) > n {
			return "", errclass.ExceedLimitLength(strconv.Itoa(n))
		}
		if runes := []rune(text); len(runes) > n {
			text = string(runes[:n])
		}
		if key.Lengths.Kind == types.Char {
			text = trimmed
		}
	}
	if text == "" {
		return metastore.NullPartition, nil
	}
	return text, nil
}
