package lake

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/types"
)

// Condition is a filter as far as a file's statistics can judge it: comparisons of columns with constants under AND, OR and NOT.
type Condition struct {
	// Op is and, or, not (over Of); never; =, <, <=, >, >=, in, starts (Column with Values); null (Column). Anything else can't be judged.
	Op     string
	Of     []Condition
	Column []string // a path, without regard to case
	Values []any    // as package types documents them; nil is NULL
}

// Known reports whether all of a condition can be judged by files.
func (c *Condition) Known() bool {
	switch c.Op {
	case "and", "or", "not":
		return !slices.ContainsFunc(c.Of, func(of Condition) bool { return !of.Known() })
	case "never", "=", "<", "<=", ">", ">=", "in", "starts", "null":
		return true
	}
	return false
}

// ofPartitions reports whether a condition (nil: none) is about nothing but columns by whose values the table is partitioned.
func (c *Condition) ofPartitions(m *metadata) bool {
	if c == nil {
		return true
	}
	switch c.Op {
	case "and", "or", "not":
		return !slices.ContainsFunc(c.Of, func(of Condition) bool { return !of.ofPartitions(m) })
	case "=", "<", "<=", ">", ">=", "in", "starts", "null":
		field, err := findColumn(m.CurrentSchema(), c.Column)
		spec := m.PartitionSpec()
		return err == nil && slices.ContainsFunc(spec.FieldsBySourceID(field.ID), func(p iceberg.PartitionField) bool {
			_, identity := p.Transform.(iceberg.IdentityTransform)
			return identity
		})
	}
	return false
}

// String is a condition as Iceberg's messages show it.
func (c *Condition) String() string {
	term := `ref(name="` + strings.Join(c.Column, ".") + `")`
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		if values[i] = fmt.Sprint(v); v != nil {
			if s, ok := v.(string); ok {
				values[i] = `"` + s + `"`
			}
		}
	}
	of := make([]string, len(c.Of))
	for i := range c.Of {
		of[i] = c.Of[i].String()
	}
	switch c.Op {
	case "and", "or":
		if len(of) == 1 {
			return of[0]
		}
		return "(" + strings.Join(of, " "+c.Op+" ") + ")"
	case "not":
		if c.Of[0].Op == "null" {
			return "not_null(" + strings.TrimPrefix(of[0], "is_null(")
		}
		return "not(" + of[0] + ")"
	case "null":
		return "is_null(" + term + ")"
	case "in":
		return term + " in (" + strings.Join(values, ", ") + ")"
	case "never":
		return "false"
	}
	op := map[string]string{"=": "==", "starts": "startsWith"}[c.Op]
	if op == "" {
		op = c.Op
	}
	return term + " " + op + " " + strings.Join(values, ", ")
}

// outcomes are the values that a condition may have for the rows of a file. A bit too many does no harm, one too few loses rows.
type outcomes struct{ yes, no, null bool }

var anything = outcomes{true, true, true}

// mayHold reports whether a file may hold a row for which the condition is true.
func (c *Condition) mayHold(s *iceberg.Schema, m *metadata, f iceberg.DataFile) bool {
	return c == nil || c.judge(s, m, f).yes
}

// holds reports whether the condition is surely true for every row of a file.
func (c *Condition) holds(s *iceberg.Schema, m *metadata, f iceberg.DataFile) bool {
	if c == nil {
		return true
	}
	o := c.judge(s, m, f)
	return !o.no && !o.null
}

func (c *Condition) judge(s *iceberg.Schema, m *metadata, f iceberg.DataFile) outcomes {
	return c.judgment(s, func(field iceberg.NestedField) func(int) known {
		k := newColumn(field, m).known(f)
		return func(int) known { return k }
	})(0)
}

// judgment is the condition as a function of a file's number; columns gives what is known of a column in the files.
func (c *Condition) judgment(s *iceberg.Schema, columns func(iceberg.NestedField) func(file int) known) func(file int) outcomes {
	switch c.Op {
	case "and", "or":
		all := make([]func(int) outcomes, len(c.Of))
		for i := range c.Of {
			all[i] = c.Of[i].judgment(s, columns)
		}
		both := func(o, p outcomes) outcomes {
			return outcomes{o.yes && p.yes, o.no || p.no, o.null && (p.null || p.yes) || p.null && (o.null || o.yes)}
		}
		if c.Op == "or" {
			both = func(o, p outcomes) outcomes {
				return outcomes{o.yes || p.yes, o.no && p.no, o.null && (p.null || p.no) || p.null && (o.null || o.no)}
			}
		}
		return func(file int) outcomes {
			o := all[0](file)
			for _, next := range all[1:] {
				o = both(o, next(file))
			}
			return o
		}
	case "not":
		of := c.Of[0].judgment(s, columns)
		return func(file int) outcomes {
			o := of(file)
			return outcomes{o.no, o.yes, o.null}
		}
	case "=", "<", "<=", ">", ">=", "in", "starts", "null":
		field, err := findColumn(s, c.Column)
		if err != nil {
			return func(int) outcomes { return anything }
		}
		column := columns(field)
		return func(file int) outcomes { return c.compare(column(file)) }
	case "never":
		return func(int) outcomes { return outcomes{no: true} }
	}
	return func(int) outcomes { return anything }
}

// known is what a file's entry says about the values of one column.
type known struct {
	nulls, values bool // there may be NULLs, there may be other values
	lower, upper  any  // bounds of the other values; nil: unknown
	buckets       map[int]int32
	source        iceberg.Type
}

// column is a column of a table with the partition fields that are made of it, by partition spec.
type column struct {
	iceberg.NestedField
	partitions map[int32][]iceberg.PartitionField
	unlike     bool // the table had this field with a type that can't be told from the bounds: they are left aside
}

func newColumn(field iceberg.NestedField, m *metadata) column {
	c := column{field, map[int32][]iceberg.PartitionField{}, m.retyped(field, func(other, t iceberg.Type) bool { return !promotes(other, t) && !promotes(t, other) })}
	for _, spec := range m.PartitionSpecs() {
		for _, p := range spec.FieldsBySourceID(field.ID) {
			if _, void := p.Transform.(iceberg.VoidTransform); !void {
				c.partitions[int32(spec.ID())] = append(c.partitions[int32(spec.ID())], p)
			}
		}
	}
	return c
}

// known reads a file's entry. Statistics are left aside where the partition tells the value: the entry hands out copies of all of them.
func (c column) known(f iceberg.DataFile) known {
	k := known{nulls: true, values: true, source: c.Type}
	if c.unlike {
		return k
	}
	if c.partition(&k, f) {
		return k
	}
	count, counted := f.ValueCounts()[c.ID]
	if nulls, ok := f.NullValueCounts()[c.ID]; ok && counted {
		k.nulls, k.values = k.nulls && nulls > 0, k.values && nulls < count
	}
	lower, upper := f.LowerBoundValues()[c.ID], f.UpperBoundValues()[c.ID]
	switch c.Type.(type) {
	case iceberg.Float32Type, iceberg.Float64Type:
		if nan, ok := f.NaNValueCounts()[c.ID]; !ok || nan > 0 { // NaN is above every bound
			upper, lower = nil, nil
		}
	}
	var least, greatest any
	if lower != nil {
		least = boundValue(c.Type, lower)
	}
	if upper != nil {
		greatest = boundValue(c.Type, upper)
	}
	k.narrow(least, greatest)
	return k
}

// partition adds what the file's partition says; true if that is the one value that all rows have.
func (c column) partition(k *known, f iceberg.DataFile) bool {
	fields := c.partitions[f.SpecID()]
	if len(fields) == 0 {
		return false
	}
	values := f.Partition()
	for _, p := range fields {
		v, ok := values[p.FieldID]
		if !ok {
			continue
		}
		k.nulls, k.values = k.nulls && v == nil, k.values && v != nil
		if v == nil {
			continue
		}
		v = value(p.Transform.ResultType(c.Type), v)
		lower, upper := v, v
		switch t := p.Transform.(type) {
		case iceberg.IdentityTransform:
			if d, ok := v.(float64); ok && math.IsNaN(d) {
				continue
			}
			k.lower, k.upper = v, v
			return true
		case iceberg.BucketTransform:
			if k.buckets == nil {
				k.buckets = map[int]int32{}
			}
			k.buckets[t.NumBuckets] = int32(v.(int64))
			continue
		case iceberg.YearTransform, iceberg.MonthTransform, iceberg.DayTransform, iceberg.HourTransform:
			lower, upper = timeRange(p.Transform, c.Type, v)
		case iceberg.TruncateTransform:
			n, ok := v.(int64)
			if !ok || n%int64(t.Width) != 0 {
				// What is cut off of texts is not bounded here; the column's own bounds say more. A number that is no multiple came round (wrapped).
				continue
			}
			upper = n + min(int64(t.Width)-1, math.MaxInt64-max(n, 0))
		default:
			continue
		}
		k.narrow(lower, upper)
	}
	return false
}

// narrow adds bounds; nil is none.
func (k *known) narrow(lower, upper any) {
	if n, ok := order(k.lower, lower); lower != nil && (!ok || n < 0) {
		k.lower = lower
	}
	if n, ok := order(k.upper, upper); upper != nil && (!ok || n > 0) {
		k.upper = upper
	}
}

func (c *Condition) compare(k known) outcomes {
	if c.Op == "null" {
		return outcomes{yes: k.nulls, no: k.values}
	}
	o := outcomes{null: k.nulls}
	if !k.values {
		return o
	}
	if slices.Contains(c.Values, nil) {
		o.null = true
	}
	for _, v := range c.Values {
		if v == nil {
			continue
		}
		p := k.against(c.Op, v)
		o.yes = o.yes || p.yes
		if c.Op != "in" {
			o.no = p.no
		}
	}
	if c.Op == "in" {
		n, ok := order(k.lower, k.upper)
		o.no = !ok || n != 0 || !slices.ContainsFunc(c.Values, func(v any) bool { n, ok := order(k.lower, v); return ok && n == 0 })
	}
	return o
}

// against compares the column's values, NULLs left aside, with one value.
func (k known) against(op string, v any) outcomes {
	if op == "starts" {
		prefix, _ := v.(string)
		lower, ok1 := k.lower.(string)
		upper, ok2 := k.upper.(string)
		if !ok1 || !ok2 {
			return anything
		}
		cut := func(s string) string { return s[:min(len(s), len(prefix))] }
		return outcomes{yes: cut(lower) <= prefix && cut(upper) >= prefix, no: !strings.HasPrefix(lower, prefix) || !strings.HasPrefix(upper, prefix)}
	}
	low, ok1 := order(k.lower, v)  // the least value against v
	high, ok2 := order(k.upper, v) // the greatest
	switch op {
	case "<":
		return outcomes{yes: !ok1 || low < 0, no: !ok2 || high >= 0}
	case "<=":
		return outcomes{yes: !ok1 || low <= 0, no: !ok2 || high > 0}
	case ">":
		return outcomes{yes: !ok2 || high > 0, no: !ok1 || low <= 0}
	case ">=":
		return outcomes{yes: !ok2 || high >= 0, no: !ok1 || low < 0}
	}
	yes := (!ok1 || low <= 0) && (!ok2 || high >= 0)
	for n, bucket := range k.buckets {
		if b, ok := bucketOf(n, k.source, v); ok && b != bucket {
			yes = false
		}
	}
	return outcomes{yes: yes, no: !ok1 || !ok2 || low != 0 || high != 0}
}

// order compares two values of comparable types; false if they are none, or one is unknown.
func order(a, b any) (int, bool) {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b), true
		}
	case types.Micros:
		b, ok := b.(types.Micros)
		return cmp.Compare(a, b), ok
	case types.Days:
		b, ok := b.(types.Days)
		return cmp.Compare(a, b), ok
	case string:
		b, ok := b.(string)
		return cmp.Compare(a, b), ok
	case []byte:
		b, ok := b.([]byte)
		return bytes.Compare(a, b), ok
	case bool:
		b, ok := b.(bool)
		n := 0
		if a != b {
			n = 1
			if b {
				n = -1
			}
		}
		return n, ok
	}
	x, ok1 := number(a)
	y, ok2 := number(b)
	if !ok1 || !ok2 {
		return 0, false
	}
	return x.Cmp(y), true
}

// number is a number's exact value; NaN and the infinities have none.
func number(v any) (*big.Rat, bool) {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v), true
	case float32:
		r := new(big.Rat).SetFloat64(float64(v))
		return r, r != nil
	case float64:
		r := new(big.Rat).SetFloat64(v)
		return r, r != nil
	case types.Dec:
		return new(big.Rat).SetString(string(v))
	}
	return nil, false
}
