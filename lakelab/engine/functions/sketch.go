package functions

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Aggregates that keep a summary of fixed size. Their bytes and bins are those of Spark where the rows are one partition.

func sketches() {
	spark(
		aggregate("histogram_numeric(x, bins)", "a histogram of bins of different widths: an array of structs of center x and count y", histogramRule, printHistogram),
		aggregate("count_min_sketch(x, eps, confidence, seed)", "a count-min sketch as bytes", countMinRule, func(c *expr.Call, a []string) string {
			items := "coalesce(" + agg(c, "list", a[0], a[0]+" IS NOT NULL") + ", [])"
			name := "spark_count_min_bytes"
			if c.Args[0].Type().IsIntegral() {
				name, items = "spark_count_min_longs", "CAST("+items+" AS BIGINT[])"
			} else if c.Args[0].Type().Kind == types.String {
				items = "list_transform(" + items + ", lambda _s: encode(_s))"
			}
			return name + "(" + items + ", " + join(a[1:]) + ")"
		}),
	)
	define("spark_histogram", "doubles, int -> doubles", func(a []any) any {
		h := histogram{most: int(a[1].(int32)), ties: newJavaRandom(31183)}
		for _, v := range a[0].([]any) {
			h.add(v.(float64))
		}
		out := make([]any, 0, 2*len(h.bins))
		for _, b := range h.bins {
			out = append(out, b.x, b.y)
		}
		return out
	})
	failing("spark_count_min_longs", "longs, double, double, int -> binary", func(a []any) (any, error) {
		s, err := newCountMin(a[1].(float64), a[2].(float64), int64(a[3].(int32)))
		if err != nil {
			return nil, err
		}
		for _, v := range a[0].([]any) {
			s.addLong(v.(int64))
		}
		return s.bytes(), nil
	})
	failing("spark_count_min_bytes", "blobs, double, double, int -> binary", func(a []any) (any, error) {
		s, err := newCountMin(a[1].(float64), a[2].(float64), int64(a[3].(int32)))
		if err != nil {
			return nil, err
		}
		for _, v := range a[0].([]any) {
			s.addBytes(v.([]byte))
		}
		return s.bytes(), nil
	})
}

func histogramRule(c *expr.Call) error {
	if len(c.Args) != 2 {
		return errclass.WrongNumArgs("histogram_numeric", "2", len(c.Args))
	}
	t := c.Args[0].Type()
	switch {
	case t.Kind == types.String || t.Kind == types.Null:
		t = types.Of(types.Double)
		c.Args[0] = implicitCast(c.Args[0], t)
	case !t.IsNumeric() && !temporal(t) && !interval(t):
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `("NUMERIC" or "DATE" or "TIMESTAMP" or "TIMESTAMP_NTZ" or "INTERVAL YEAR TO MONTH" or "INTERVAL DAY TO SECOND")`)
	}
	n, null, ok := constantNumber(c.Args[1])
	switch t := c.Args[1].Type(); {
	case t.Kind != types.Null && !t.IsNumeric() && t.Kind != types.String:
		return errclass.UnexpectedInputType(c.Func.Name, 2, t, types.Of(types.Int))
	case null:
		return errclass.UnexpectedNull("nb")
	case !ok:
		return errclass.NonFoldableInput("nb", 2, types.Of(types.Int))
	case n < 2:
		return errclass.ValueOutOfRange("nb", "[2, 2147483647]", strconv.Itoa(int(n)))
	}
	c.T = types.ArrayOf(types.StructOf(types.Field{Name: "x", Type: t, Nullable: true}, types.Field{Name: "y", Type: types.Of(types.Double), Nullable: true}), true)
	c.Null = true
	return nil
}

func printHistogram(c *expr.Call, a []string) string {
	into, back := throughDouble(c.Args[0].Type(), a[0])
	bins := "spark_histogram(" + agg(c, "list", into, a[0]+" IS NOT NULL") + ", CAST(trunc(CAST(" + a[1] + " AS DOUBLE)) AS INTEGER))"
	return let(bins, func(b string) string {
		at := func(i string) string { return "list_extract(" + b + ", " + i + ")" }
		x := strings.Replace(back, "$", at("2 * _i + 1"), 1)
		return "list_transform(range(len(" + b + ") // 2), lambda _i: {'x': " + x + ", 'y': " + at("2 * _i + 2") + "})"
	})
}

// throughDouble prints a value as a DOUBLE, and the way back, where $ stands for a DOUBLE that may lie between values.
func throughDouble(t types.Type, x string) (into, back string) {
	switch {
	case t.Kind == types.Date:
		return "CAST((" + x + " - DATE '1970-01-01') AS DOUBLE)", "(DATE '1970-01-01' + CAST(trunc($) AS INTEGER))"
	case t.Kind == types.Timestamp:
		return "CAST(epoch_us(" + x + ") AS DOUBLE)", "make_timestamptz(CAST(trunc($) AS BIGINT))"
	case t.Kind == types.TimestampNTZ:
		return "CAST(epoch_us(" + x + ") AS DOUBLE)", "make_timestamp(CAST(trunc($) AS BIGINT))"
	case t.IsIntegral() || interval(t):
		return "CAST(" + x + " AS DOUBLE)", "CAST(trunc($) AS " + DuckType(t) + ")"
	}
	return "CAST(" + x + " AS DOUBLE)", "CAST($ AS " + DuckType(t) + ")"
}

// histogram is that of Ben-Haim and Tom-Tov, "A Streaming Parallel Decision Tree Algorithm": the two nearest bins become one when
// there are too many. Among pairs as near as each other chance decides.
type histogram struct {
	most int
	bins []bin
	ties *javaRandom
}

type bin struct{ x, y float64 }

func (h *histogram) add(v float64) {
	at := sort.Search(len(h.bins), func(i int) bool { return h.bins[i].x >= v })
	if at < len(h.bins) && h.bins[at].x == v {
		h.bins[at].y++
		return
	}
	h.bins = slices.Insert(h.bins, at, bin{v, 1})
	if len(h.bins) > h.most {
		h.merge()
	}
}

func (h *histogram) merge() {
	gap := func(i int) float64 { return h.bins[i+1].x - h.bins[i].x }
	at, least, equal := 0, gap(0), 1
	for i := 1; i < len(h.bins)-1; i++ {
		switch d := gap(i); {
		case d < least:
			at, least, equal = i, d, 1
		case d == least:
			equal++
			if h.ties.double() <= 1/float64(equal) {
				at = i
			}
		}
	}
	l, r := &h.bins[at], h.bins[at+1]
	y := l.y + r.y
	l.x *= l.y / y
	l.x += r.x / y * r.y
	l.y = y
	h.bins = slices.Delete(h.bins, at+1, at+2)
}

func countMinRule(c *expr.Call) error {
	params := []string{"column", "epsilon", "confidence", "seed"}
	if n := len(c.Args); n < 4 {
		return errclass.RequiredParameter("count_min_sketch", params[n], 0)
	} else if n > 4 {
		return errclass.WrongNumArgs("count_min_sketch", "4", n)
	}
	t := c.Args[0].Type()
	if !t.IsIntegral() && t.Kind != types.String && t.Kind != types.Binary {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `("INTEGRAL" or "STRING" or "BINARY")`)
	}
	for i, p := range []struct {
		name string
		t    types.Kind
	}{{"eps", types.Double}, {"confidence", types.Double}, {"seed", types.Int}} {
		x := c.Args[i+1]
		v, null, ok := constantNumber(x)
		y, can := coerceArg(c, x, types.Of(p.t))
		k := x.Type().Kind
		switch {
		case p.t == types.Int && k != types.Int && k != types.Long && k != types.Null:
			return errclass.UnexpectedInputTypes(c.Func.Name, i+2, x.Type(), `("INT" or "BIGINT")`)
		case !can || p.t == types.Double && k != types.Double && k != types.Null:
			return errclass.UnexpectedInputType(c.Func.Name, i+2, x.Type(), types.Of(p.t))
		case null:
			return errclass.UnexpectedNull(p.name)
		case !ok:
			return errclass.NonFoldableInput(p.name, i+2, types.Of(p.t))
		case p.name == "eps" && v <= 0:
			return errclass.ValueOutOfRange("eps", "(0.0, 1.7976931348623157E308]", types.Text(types.Of(types.Double), v, nil)+"D")
		case p.name == "confidence" && (v <= 0 || v >= 1):
			return errclass.ValueOutOfRange("confidence", "(0.0, 1.0]", types.Text(types.Of(types.Double), v, nil)+"D")
		}
		c.Args[i+1] = y
	}
	c.T = types.Of(types.Binary)
	return nil
}

// countMin is a count-min sketch in the layout of Spark's: rows of counters, each with a hash of its own.
type countMin struct {
	total  int64
	hashes []int64
	width  int
	rows   [][]int64
}

// mostCounters is how many a count-min sketch may have: where Spark's breaks off for want of memory depends on its heap.
const mostCounters = 1 << 26

func newCountMin(eps, confidence float64, seed int64) (*countMin, error) {
	depth, width := math.Ceil(-math.Log1p(-confidence)/math.Log(2)), math.Ceil(2/eps)
	if !(depth*width <= mostCounters) {
		return nil, raise("UNSUPPORTED_FEATURE", fmt.Sprintf("count_min_sketch of more than %d counters", mostCounters))
	}
	s := &countMin{width: int(width)}
	r := newJavaRandom(seed)
	for range int(depth) {
		s.hashes = append(s.hashes, int64(r.below(math.MaxInt32)))
		s.rows = append(s.rows, make([]int64, s.width))
	}
	return s, nil
}

func (s *countMin) addLong(v int64) {
	for i, a := range s.hashes {
		h := a * v
		h += h >> 32
		h &= math.MaxInt32
		s.rows[i][int(int32(h))%s.width]++
	}
	s.total++
}

func (s *countMin) addBytes(b []byte) {
	first := murmurBytes(b, 0)
	second := murmurBytes(b, first)
	for i := range s.rows {
		at := (first + int32(i)*second) % int32(s.width)
		if at < 0 {
			at = -at
		}
		s.rows[i][at]++
	}
	s.total++
}

func (s *countMin) bytes() []byte {
	out := binary.BigEndian.AppendUint32(nil, 1) // version
	out = binary.BigEndian.AppendUint64(out, uint64(s.total))
	out = binary.BigEndian.AppendUint32(out, uint32(len(s.rows)))
	out = binary.BigEndian.AppendUint32(out, uint32(s.width))
	for _, h := range s.hashes {
		out = binary.BigEndian.AppendUint64(out, uint64(h))
	}
	for _, row := range s.rows {
		for _, n := range row {
			out = binary.BigEndian.AppendUint64(out, uint64(n))
		}
	}
	return out
}

// javaRandom is java.util.Random.
type javaRandom struct{ state uint64 }

const javaMultiplier = 0x5DEECE66D

func newJavaRandom(seed int64) *javaRandom {
	return &javaRandom{(uint64(seed) ^ javaMultiplier) & (1<<48 - 1)}
}

func (r *javaRandom) next(n int) int32 {
	r.state = (r.state*javaMultiplier + 0xB) & (1<<48 - 1)
	return int32(r.state >> (48 - n))
}

func (r *javaRandom) double() float64 { return javaNextDouble(r.next) }

// javaNextDouble makes a number from 0 to 1 of a generator's bits, as java.util.Random does.
func javaNextDouble(next func(int) int32) float64 {
	high := int64(next(26)) << 27
	return float64(high+int64(next(27))) * 0x1p-53
}

// below gives a number from 0 to bound-1.
func (r *javaRandom) below(bound int32) int32 {
	if bound&(bound-1) == 0 {
		return int32(int64(bound) * int64(r.next(31)) >> 31)
	}
	for {
		bits := r.next(31)
		v := bits % bound
		if bits-v+(bound-1) >= 0 {
			return v
		}
	}
}
