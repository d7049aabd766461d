package lake

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/types"
)

// Enforces reports whether the partitions that a table's files lie in tell for every row if a condition holds, so that it selects whole
// files: each part of it is about one column, and each partition spec that files have has a field on whose borders it divides the values.
// Columns that begin with $ are about files anyway.
func (l *Lakehouse) Enforces(ctx context.Context, t *Table, c *Condition) (bool, error) {
	specs := []iceberg.PartitionSpec{t.meta.PartitionSpec()}
	if head := t.head(); head != nil {
		list, err := l.cache.fileList(ctx, t.meta, head)
		if err != nil {
			return false, err
		}
		used := map[int]bool{}
		for _, f := range slices.Concat(list.data, list.deletes) {
			used[int(f.SpecID())] = true
		}
		if len(used) > 0 {
			specs = slices.DeleteFunc(slices.Clone(t.meta.PartitionSpecs()), func(s iceberg.PartitionSpec) bool { return !used[s.ID()] })
		}
	}
	for _, part := range c.conjuncts() {
		if !enforced(t.meta.CurrentSchema(), specs, part) {
			return false, nil
		}
	}
	return true, nil
}

// conjuncts are the parts that all must hold.
func (c *Condition) conjuncts() []*Condition {
	if c.Op != "and" {
		return []*Condition{c}
	}
	var out []*Condition
	for i := range c.Of {
		out = append(out, c.Of[i].conjuncts()...)
	}
	return out
}

// comparison is a comparison in a condition; negated if it stands under an odd number of NOTs.
type comparison struct {
	*Condition
	negated bool
}

// comparisons are those that a condition is made of.
func (c *Condition) comparisons(negated bool) []comparison {
	if len(c.Of) == 0 {
		return []comparison{{c, negated}}
	}
	var out []comparison
	for i := range c.Of {
		out = append(out, c.Of[i].comparisons(negated != (c.Op == "not"))...)
	}
	return out
}

func enforced(schema *iceberg.Schema, specs []iceberg.PartitionSpec, part *Condition) bool {
	column := ""
	all := slices.DeleteFunc(part.comparisons(false), func(c comparison) bool { return c.Op == "never" })
	for _, c := range all {
		name := strings.ToLower(strings.Join(c.Column, "."))
		if !c.Known() || c.Op == "starts" || column != "" && column != name {
			return false
		}
		column = name
	}
	if column == "" || strings.HasPrefix(column, "$") {
		return true
	}
	field, err := findColumn(schema, strings.Split(column, "."))
	if err != nil {
		return false
	}
	for _, spec := range specs {
		if !slices.ContainsFunc(spec.FieldsBySourceID(field.ID), func(p iceberg.PartitionField) bool {
			return !slices.ContainsFunc(all, func(c comparison) bool { return !divides(p.Transform, field.Type, c) })
		}) {
			return false
		}
	}
	return true
}

// divides reports whether a comparison divides a column's values where a transform's partitions begin.
func divides(t iceberg.Transform, source iceberg.Type, c comparison) bool {
	switch t.(type) {
	case iceberg.VoidTransform:
		return false
	case iceberg.IdentityTransform:
		return true
	}
	if c.Op == "null" && !c.negated {
		return true
	}
	if _, hashed := t.(iceberg.BucketTransform); hashed {
		return false
	}
	for _, v := range c.Values {
		if v != nil && !borders(t, source, c.Op, v) {
			return false
		}
	}
	return true
}

// borders reports whether partitions begin where a value begins (>= and <), ends (> and <=), or both.
func borders(t iceberg.Transform, source iceberg.Type, op string, v any) bool {
	first, last, ok := between(source, v)
	if !ok {
		return false
	}
	begins, ends := partitionOf(t, source, first-1) != partitionOf(t, source, first), partitionOf(t, source, last) != partitionOf(t, source, last+1)
	switch op {
	case ">=", "<":
		return begins
	case ">", "<=":
		return ends
	}
	return begins && ends
}

// between is a value in the steps of its column's type, of which first-1 is the last one below it, and last+1 the first one above it.
func between(source iceberg.Type, v any) (first, last int64, ok bool) {
	switch v := v.(type) {
	case types.Days:
		return int64(v), int64(v), true
	case types.Micros:
		return int64(v), int64(v), true
	}
	n, ok := number(v)
	if !ok {
		return 0, 0, false
	}
	if d, isDecimal := source.(iceberg.DecimalType); isDecimal {
		n.Mul(n, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale())), nil)))
	}
	floor := new(big.Int).Div(n.Num(), n.Denom()) // Euclidean, so down: denominators are positive
	if !floor.IsInt64() {
		return 0, 0, false
	}
	if n.IsInt() {
		return floor.Int64(), floor.Int64(), true
	}
	return floor.Int64() + 1, floor.Int64(), true
}

// partitionOf numbers the partition of a value that is given in its type's steps.
func partitionOf(t iceberg.Transform, source iceberg.Type, v int64) int64 {
	if w, ok := t.(iceberg.TruncateTransform); ok {
		return floorOf(v, int64(w.Width))
	}
	at := time.UnixMicro(v).UTC()
	if _, date := source.(iceberg.DateType); date {
		at = time.Unix(v*86_400, 0).UTC()
	}
	switch t.(type) {
	case iceberg.YearTransform:
		return int64(at.Year())
	case iceberg.MonthTransform:
		return int64(at.Year())*12 + int64(at.Month())
	case iceberg.DayTransform:
		return floorOf(at.Unix(), 86_400)
	}
	return floorOf(at.Unix(), 3_600)
}

func floorOf(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
