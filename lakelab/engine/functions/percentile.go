package functions

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// percentages are the constant second argument of the percentile functions: one number or an array of them.
type percentages struct {
	values []float64
	array  bool
	desc   bool // the greatest value comes first (WITHIN GROUP)
}

func (p percentages) String() string {
	parts := make([]string, len(p.values))
	for i, v := range p.values {
		parts[i] = types.Text(types.Of(types.Double), v, nil) + "D"
	}
	return strings.Join(parts, ",")
}

// duck is the value for DuckDB's quantile functions, which take negative numbers for those of the other order. To Spark NaN is 0.
func (p percentages) duck() string {
	parts := make([]string, len(p.values))
	least := !slices.ContainsFunc(p.values, func(v float64) bool { return v > 0 })
	for i, v := range p.values {
		switch {
		case math.IsNaN(v):
			v = 0
		case p.desc && !least:
			v = -v
		}
		if p.desc && least { // there is no negative 0, so no number says what the order is
			v = 1
		}
		parts[i] = strconv.FormatFloat(v, 'g', -1, 64) + "::DOUBLE"
	}
	if p.array {
		return "[" + join(parts) + "]"
	}
	return parts[0]
}

// constantNumber is a number written as a constant, NULL included.
func constantNumber(x expr.Expr) (v float64, null, ok bool) {
	switch y := x.(type) {
	case *expr.Call:
		if y.Func.Name == "negative" {
			v, null, ok = constantNumber(y.Args[0])
			return -v, null, ok
		}
	case *expr.Cast:
		return constantNumber(y.X)
	case *expr.Lit:
		switch v := y.Value.(type) {
		case nil:
			return 0, true, true
		case int64:
			return float64(v), false, true
		case float32:
			return float64(v), false, true
		case float64:
			return v, false, true
		case types.Dec:
			f, err := strconv.ParseFloat(string(v), 64)
			return f, false, err == nil
		case string:
			f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			return f, false, err == nil
		}
	}
	return 0, false, false
}

// percentageType checks the type of the percentage: a number, or an array of numbers of which none may be NULL.
func percentageType(c *expr.Call, text string) error {
	t := c.Args[1].Type()
	number := func(t types.Type) bool { return t.IsNumeric() || t.Kind == types.Null }
	if t.Kind == types.Array && number(*t.Elem) && !t.ElemNull || t.Kind == types.String || number(t) {
		return nil
	}
	if text == "" {
		text = `"` + map[bool]string{false: "DOUBLE", true: "ARRAY<DOUBLE>"}[t.Kind == types.Array] + `"`
	}
	return errclass.UnexpectedInputTypes(c.Func.Name, 2, t, text)
}

// checkPercentage reads the percentage; text names the types wanted in errors.
func checkPercentage(c *expr.Call) (p percentages, err error) {
	x := c.Args[1]
	t := x.Type()
	list, want := []expr.Expr{x}, types.Of(types.Double)
	if t.Kind == types.Array {
		p.array, want = true, types.ArrayOf(want, false)
		t = *t.Elem
		call, ok := x.(*expr.Call)
		if !ok || call.Func.Name != "array" {
			return p, errclass.NonFoldableInput("percentage", 2, want)
		}
		list = call.Args
	}
	for _, e := range list {
		v, null, ok := constantNumber(e)
		switch {
		case null:
			return p, errclass.UnexpectedNull("percentage")
		case !ok && e.Type().Kind == types.String:
			if s, is := constantString(e); is {
				return p, errclass.CastInvalidInput(s, e.Type(), types.Of(types.Double)).At(c.At)
			}
			fallthrough
		case !ok:
			return p, errclass.NonFoldableInput("percentage", 2, want)
		}
		p.values = append(p.values, v)
	}
	for _, v := range p.values {
		if v < 0 || v > 1 {
			return p, errclass.ValueOutOfRange("percentage", "[0.0, 1.0]", p.String())
		}
	}
	return p, nil
}

// percentileRule is percentile(expr, percentage[, frequency]).
func percentileRule(c *expr.Call) error {
	if n := len(c.Args); n < 2 || n > 3 {
		return errclass.WrongNumArgs(c.Func.Name, "[2, 3]", n)
	}
	t := numericArg(c)
	if !t.IsNumeric() && !interval(t) {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, numericOrInterval)
	}
	if err := percentageType(c, ""); err != nil {
		return err
	}
	if len(c.Args) == 3 {
		if t := c.Args[2].Type(); !t.IsIntegral() && t.Kind != types.Null {
			return errclass.UnexpectedInputTypes(c.Func.Name, 3, t, `"INTEGRAL"`)
		}
	}
	p, err := checkPercentage(c)
	if err != nil {
		return err
	}
	if len(c.Args) == 3 {
		x, ok := coerceArg(c, c.Args[2], types.Of(types.Long))
		if !ok || c.Args[2].Type().IsNumeric() && !c.Args[2].Type().IsIntegral() {
			return errclass.UnexpectedInputTypes(c.Func.Name, 3, c.Args[2].Type(), `"INTEGRAL"`)
		}
		c.Args[2] = x
	}
	c.Extra = p
	c.T, c.Null = types.Of(types.Double), true
	if interval(t) {
		c.T = fullInterval(t)
	}
	if p.array {
		c.T = types.ArrayOf(c.T, false)
	}
	return nil
}

// withinRule is percentile_cont and percentile_disc(percentage) WITHIN GROUP (ORDER BY expr): percentile's rule, and an order.
func withinRule(c *expr.Call) error {
	if len(c.Args) != 1 || len(c.OrderBy) != 1 {
		return errclass.WrongNumArgs(c.Func.Name, "1", len(c.Args))
	}
	desc := c.OrderBy[0].Desc
	c.Args, c.OrderBy = []expr.Expr{c.OrderBy[0].X, c.Args[0]}, nil
	if err := percentileRule(c); err != nil {
		return err
	}
	p := c.Extra.(percentages)
	p.desc = desc
	c.Extra = p
	return nil
}

// Descending reports whether a call of percentile_cont or percentile_disc has the greatest value first.
func Descending(c *expr.Call) bool {
	p, _ := c.Extra.(percentages)
	return p.desc
}

// printPercentiles prints a percentile by the DuckDB function that chooses or interpolates.
func printPercentiles(name string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string { return printPercentile(name, c, a) }
}

func printPercentile(name string, c *expr.Call, a []string) string {
	p := c.Extra.(percentages)
	x := "CAST(" + a[0] + " AS DOUBLE)"
	s := ""
	switch {
	case len(p.values) == 0:
		s = agg(c, "any_value", "NULL", "")
	case len(a) == 2:
		s = agg(c, name, x+", "+p.duck(), "")
	default:
		list := p
		list.array = true
		s = "spark_percentile(" + agg(c, "list", x, a[0]+" IS NOT NULL AND "+a[2]+" <> 0") + ", " + agg(c, "list", a[2], a[0]+" IS NOT NULL AND "+a[2]+" <> 0") + ", " + list.duck() + ")"
		if !p.array {
			s += "[1]"
		}
	}
	if e := elemOf(c.T); interval(e) {
		if p.array {
			return typedAs(c.T, "list_transform("+s+", lambda _q: CAST(trunc(_q) AS BIGINT))")
		}
		return typedAs(c.T, "trunc("+s+")")
	}
	return typedAs(c.T, s)
}

// elemOf is an array's element type, or the type itself.
func elemOf(t types.Type) types.Type {
	if t.Kind == types.Array {
		return *t.Elem
	}
	return t
}

// approxPercentileRule is approx_percentile(expr, percentage[, accuracy]): a value of the group.
func approxPercentileRule(c *expr.Call) error {
	if n := len(c.Args); n < 2 || n > 3 {
		return errclass.WrongNumArgs(c.Func.Name, "[2, 3]", n)
	}
	t := numericArg(c)
	if !t.IsNumeric() && !temporal(t) && !interval(t) {
		return errclass.UnexpectedInputTypes(c.Func.Name, 1, t, `("NUMERIC" or "DATE" or "TIMESTAMP" or "TIMESTAMP_NTZ" or "INTERVAL YEAR TO MONTH" or "INTERVAL DAY TO SECOND")`)
	}
	const wanted = `("DOUBLE" or "ARRAY<DOUBLE>")`
	if err := percentageType(c, wanted); err != nil {
		return err
	}
	if len(c.Args) == 3 {
		if t := c.Args[2].Type(); !t.IsIntegral() && t.Kind != types.Null {
			return errclass.UnexpectedInputTypes(c.Func.Name, 3, t, `"INTEGRAL"`)
		}
	}
	p, err := checkPercentage(c)
	if err != nil {
		return err
	}
	if len(c.Args) == 3 {
		n, null, ok := constantNumber(c.Args[2])
		switch {
		case null:
			return errclass.UnexpectedNull("accuracy")
		case !ok:
			return errclass.NonFoldableInput("accuracy", 3, types.Of(types.Long))
		case n <= 0 || n > math.MaxInt32:
			return errclass.ValueOutOfRange("accuracy", "(0, 2147483647]", strconv.FormatInt(int64(n), 10)+"L")
		}
	}
	c.Extra = p
	c.T, c.Null = t, true
	if p.array {
		c.T = types.ArrayOf(t, false)
	}
	return nil
}

func printApproxPercentile(c *expr.Call, a []string) string {
	p := c.Extra.(percentages)
	accuracy := 10000.0
	if len(c.Args) == 3 {
		accuracy, _, _ = constantNumber(c.Args[2])
	}
	into, back := throughDouble(elemOf(c.T), a[0])
	list := p
	list.array = true
	s := "spark_approx_percentile(" + agg(c, "list", into, a[0]+" IS NOT NULL") + ", " + list.duck() + ", " + strconv.FormatFloat(accuracy, 'f', -1, 64) + "::DOUBLE)"
	if !p.array {
		return let(s+"[1]", func(v string) string { return typedAs(c.T, strings.ReplaceAll(back, "$", v)) })
	}
	return typedAs(c.T, "list_transform("+s+", lambda _q: "+strings.ReplaceAll(back, "$", "_q")+")")
}

func init() {
	// Values, how often each counts, and the percentages.
	failing("spark_percentile", "doubles, longs, doubles -> doubles", func(a []any) (any, error) {
		return weighted(a[0].([]any), a[1].([]any), a[2].([]any))
	})
	// Values, the percentages, and the accuracy.
	define("spark_approx_percentile", "doubles, doubles, double -> doubles", func(a []any) any {
		s := quantiles{err: 1 / a[2].(float64)}
		for _, v := range a[0].([]any) {
			s.add(v.(float64))
		}
		return s.at(a[1].([]any))
	})
}

// weighted finds percentiles of values that count several times each, between two of them in proportion.
func weighted(values, counts, at []any) (any, error) {
	type item struct {
		v float64
		n int64
	}
	items := make([]item, len(values))
	total := int64(0)
	for i := range values {
		items[i] = item{values[i].(float64), counts[i].(int64)}
		if items[i].n < 0 {
			return nil, raise("NEGATIVE_VALUES_IN_FREQUENCY_EXPRESSION", strconv.FormatInt(items[i].n, 10), strconv.FormatInt(items[i].n, 10)+"L")
		}
		total += items[i].n
	}
	if total == 0 {
		return nil, nil
	}
	sort.Slice(items, func(i, j int) bool { return items[i].v < items[j].v })
	nth := func(k int64) float64 {
		for _, it := range items {
			if k -= it.n; k < 0 {
				return it.v
			}
		}
		return items[len(items)-1].v
	}
	out := make([]any, len(at))
	for i, p := range at {
		pos := p.(float64) * float64(total-1)
		lo, hi := math.Floor(pos), math.Ceil(pos)
		l, h := nth(int64(lo)), nth(int64(hi))
		out[i] = l
		if lo != hi && l != h {
			out[i] = (hi-pos)*l + (pos-lo)*h
		}
	}
	return out, nil
}
