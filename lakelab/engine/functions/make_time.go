package functions

import (
	"math"
	"strconv"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// makeTimestamp is make_timestamp and kin. Those that try give NULL for parts out of bounds, but not for a zone that is none.
func makeTimestamp(name string, k types.Kind, try bool) *expr.Func {
	kinds, zones := "int, int, int, int, int, seconds, string? -> timestamp", true
	if k == types.TimestampNTZ {
		kinds, zones = "int, int, int, int, int, seconds -> ntz", false
	}
	if try {
		kinds += "?"
	}
	f := printed(name+"(year, month, day, hour, min, sec)", kinds, "a timestamp of its parts", func(c *expr.Call, a []string) string {
		zone := "current_setting('TimeZone')"
		switch {
		case len(a) == 7:
			zone = a[6]
		case !zones:
			zone = "'UTC'"
		}
		s := "spark_make_timestamp(" + join(a[:5]) + ", CAST(CAST(" + a[5] + " AS DECIMAL(38, 6)) * 1000000 AS BIGINT), " + zone + ", " + strconv.FormatBool(try) + ")"
		if zones {
			s = "timezone('UTC', " + s + ")"
		}
		return typedAs(c.T, s)
	})
	if name != "make_timestamp" && name != "try_make_timestamp" {
		resolve := f.Resolve
		f.Resolve = func(c *expr.Call) error {
			if n := len(c.Args); n < 6 || n > 7 {
				return errclass.WrongNumArgs(name, "6", n)
			}
			return resolve(c)
		}
	}
	f.InErrors = name
	if try {
		if name == "try_make_timestamp" {
			f.InErrors = "make_timestamp"
		}
		f.Pretty = func(_ *expr.Call, a []string) string {
			if name == "try_make_timestamp" {
				a = a[:min(6, len(a))]
			}
			return name + "(" + join(a) + ")"
		}
	}
	return f
}

// makeInterval is make_interval, and try_make_interval, which gives NULL where a part is too large.
func makeInterval(name string, try bool) *expr.Func {
	kinds := "int?, int?, int?, int?, int?, int?, fraction? -> interval"
	if try {
		kinds += "?"
	}
	f := defaults(7, printed(name+"([years[, months[, weeks[, days[, hours[, mins[, secs]]]]]]])", kinds, "an interval of its parts", func(_ *expr.Call, a []string) string {
		parts := []string{"0", "0", "0", "0", "0", "0", "0"}
		copy(parts, a)
		parts[6] = "CAST(CAST(" + parts[6] + " AS DECIMAL(38, 6)) * 1000000 AS BIGINT)"
		return "spark_make_interval(" + join(parts) + ", " + strconv.FormatBool(try) + ")"
	}), "0", "0", "0", "0", "0", "0", "0.000000")
	f.InErrors = "make_interval"
	return f
}

// makeSum is make_dt_interval and make_ym_interval: a UDF's sum of the parts, or an error with its place.
func makeSum(signature, kinds, doc, udf string, n int, zeros ...string) *expr.Func {
	return defaults(n, printed(signature, kinds, doc, func(c *expr.Call, a []string) string {
		parts := []string{"0", "0", "0", "0"}[:n]
		copy(parts, a)
		if n == 4 {
			parts[3] = "CAST(CAST(" + parts[3] + " AS DECIMAL(38, 6)) * 1000000 AS BIGINT)"
		}
		s := udf + "(" + join(parts) + ")"
		if len(a) == 0 {
			return s
		}
		return "coalesce(" + s + ", CASE WHEN " + notNull(a) + " THEN CAST(" + Fail(c, "INTERVAL_ARITHMETIC_OVERFLOW.WITHOUT_SUGGESTION") + " AS BIGINT) END)"
	}), zeros...)
}

func int32s(a []any) []int64 {
	out := make([]int64, len(a))
	for i, x := range a {
		out[i] = int64(x.(int32))
	}
	return out
}

func makeTimeUDFs() {
	failing("spark_make_timestamp", "int, int, int, int, int, long, string, boolean -> ntz", func(a []any) (any, error) {
		p := int32s(a[:5])
		zone, ok := types.Zone(a[6].(string))
		if !ok {
			return nil, raise("INVALID_TIMEZONE", a[6].(string))
		}
		try := a[7].(bool)
		// Spark counts the seconds' millionths in 32 bits.
		micros := int64(int32(a[5].(int64)))
		seconds, rest := floorDiv(micros, 1000000), micros-floorDiv(micros, 1000000)*1000000
		over := 0
		if seconds == 60 {
			if rest != 0 {
				if try {
					return nil, nil
				}
				return nil, raise("INVALID_FRACTION_OF_SECOND", types.Text(types.Of(types.Double), float64(micros)/1e6, nil))
			}
			seconds, over = 0, 1
		}
		if why := timeProblem(int(p[0]), int(p[1]), int(p[2]), int(p[3]), int(p[4]), int(seconds)); why != "" {
			if try {
				return nil, nil
			}
			return nil, raise("DATETIME_FIELD_OUT_OF_BOUNDS", why)
		}
		t := time.Date(int(p[0]), time.Month(p[1]), int(p[2]), int(p[3]), int(p[4])+over, int(seconds), int(rest)*1000, zone)
		return t.UTC(), nil
	})
	failing("spark_make_interval", "int, int, int, int, int, int, long, boolean -> interval", func(a []any) (any, error) {
		p := int32s(a[:6])
		months, days := p[0]*12+p[1], p[2]*7+p[3]
		micros, ok := addInts(p[4]*3600000000, p[5]*60000000)
		if ok {
			micros, ok = addInts(micros, a[6].(int64))
		}
		fits := func(n int64) bool { return n >= math.MinInt32 && n <= math.MaxInt32 }
		switch {
		case a[7].(bool) && (!ok || !fits(months) || !fits(days)):
			return nil, nil
		case !fits(months) || !fits(days) || !fits(p[0]*12) || !fits(p[2]*7):
			return nil, raise("ARITHMETIC_OVERFLOW", "integer", "")
		case !ok:
			return nil, raise("ARITHMETIC_OVERFLOW", "long", "")
		}
		return types.Interval{Months: int32(months), Days: int32(days), Micros: micros}, nil
	})
	define("spark_make_dt_interval", "int, int, int, long -> long", func(a []any) any {
		p := int32s(a[:3])
		v := float64(p[0])*864e8 + float64(p[1])*36e8 + float64(p[2])*6e7 + float64(a[3].(int64))
		if math.Abs(v) > 9.3e18 {
			return nil
		}
		sum, ok := p[0]*86400000000, true
		if math.Abs(float64(p[0])*864e8) > math.MaxInt64 {
			return nil
		}
		for _, x := range []int64{p[1] * 3600000000, p[2] * 60000000, a[3].(int64)} {
			if sum, ok = addInts(sum, x); !ok {
				return nil
			}
		}
		return sum
	})
	define("spark_make_ym_interval", "int, int -> long", func(a []any) any {
		n := int64(a[0].(int32))*12 + int64(a[1].(int32))
		if n < math.MinInt32 || n > math.MaxInt32 {
			return nil
		}
		return n
	})
}

func addInts(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// timeProblem says what is wrong with the parts of a timestamp, in Java's words, or nothing.
func timeProblem(year, month, day, hour, minute, second int) string {
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if t.Year() == year && int(t.Month()) == month && t.Day() == day && t.Hour() == hour && t.Minute() == minute && t.Second() == second {
		return ""
	}
	return outOfBounds(year, month, day, hour, minute, second)
}
