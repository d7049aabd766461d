package render

import (
	"math"
	"strconv"
	"strings"
)

// column is one column as pandas lays it out. Texts have a blank in front where pandas has one (the place of a sign), which
// decides how far columns stand apart; so has the header of a column of numbers or booleans.
type column struct {
	header string
	texts  []string
}

// newColumn makes texts of the picked rows. Which dtype pandas gives a column hangs on all of its rows: integers beside NULLs
// become floats, timestamps beside NULLs stay timestamps, NULLs alone are objects.
func newColumn(header, typ string, rows [][]any, j int, pick []int) column {
	var floats, ints, bools, nulls int
	stamps := strings.HasPrefix(typ, "timestamp")
	for _, r := range rows {
		switch v := r[j].(type) {
		case nil:
			nulls++
		case float64:
			floats++
		case int64:
			ints++
		case bool:
			bools++
		case string:
			stamps = stamps && nanosecondRange(v) && (!strings.Contains(typ, "with time zone") || strings.HasSuffix(v, " UTC"))
		}
	}
	shown := make([]any, len(pick))
	for i, p := range pick {
		shown[i] = rows[p][j]
	}
	switch n := len(rows); {
	case ints == n:
		return column{" " + header, signed(objects(typ, shown))}
	case ints+floats > 0 && ints+floats+nulls == n:
		return column{" " + header, floatTexts(shown)}
	case bools == n:
		return column{" " + header, blank(objects(typ, shown))}
	case stamps && nulls < n:
		return column{header, stampTexts(typ, shown)}
	}
	return column{header, blank(objects(typ, shown))}
}

func objects(typ string, values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = pretty(typ, v, escaped, 0)
	}
	return out
}

// blank puts a blank in front of every text.
func blank(texts []string) []string {
	for i, s := range texts {
		texts[i] = " " + s
	}
	return texts
}

// signed puts a blank in front of every number that has no sign.
func signed(texts []string) []string {
	for i, s := range texts {
		if !strings.HasPrefix(s, "-") && s != "NaN" {
			texts[i] = " " + s
		}
	}
	return texts
}

// precision is pandas' display.precision.
const precision = 6

// floatTexts writes floats with as many digits as the column needs, six at most; with an exponent if one of them would lose
// all of its digits, or would be both large and long.
func floatTexts(values []any) []string {
	numbers := make([]float64, len(values))
	small, large := false, false
	for i, v := range values {
		switch v := v.(type) {
		case int64:
			numbers[i] = float64(v)
		case float64:
			numbers[i] = v
		default:
			numbers[i] = math.NaN()
		}
		a := math.Abs(numbers[i])
		large = large || a > 1e6
		small = small || a > 0 && a < 1e-6
	}
	out := signed(trimZeros(format(numbers, 'f')))
	longest := 0
	for _, s := range out {
		longest = max(longest, len(s))
	}
	if small || large && longest > precision+6 {
		return signed(format(numbers, 'e'))
	}
	return out
}

func format(numbers []float64, verb byte) []string {
	out := make([]string, len(numbers))
	for i, f := range numbers {
		switch {
		case math.IsNaN(f):
			out[i] = "NaN"
		case math.IsInf(f, 0):
			out[i] = pythonFloat(f)
		default:
			out[i] = strconv.FormatFloat(f, verb, precision, 64)
		}
	}
	return out
}

// trimZeros drops zeros at the end as long as every plain number has one and keeps a digit behind its point.
func trimZeros(texts []string) []string {
	plain := func(s string) bool { return strings.Contains(s, ".") }
	drop := precision - 1
	for _, s := range texts {
		if plain(s) {
			drop = min(drop, len(s)-len(strings.TrimRight(s, "0")))
		}
	}
	for i, s := range texts {
		if plain(s) {
			texts[i] = s[:len(s)-drop]
		}
	}
	return texts
}

// nanosecondRange says whether pandas can hold a timestamp as datetime64[ns].
func nanosecondRange(s string) bool { return s >= "1677-09-21 00:12:44" && s < "2262-04-11 23:47:16" }

// stampTexts writes datetime64 columns. Without a zone: dates alone if all are at midnight, else all with the same fraction of
// three or six digits, or none. With a zone each has its own.
func stampTexts(typ string, values []any) []string {
	zoned := strings.Contains(typ, "with time zone")
	midnight, digits := !zoned, 0
	for _, v := range values {
		if s, ok := v.(string); ok {
			_, clock, _ := strings.Cut(s, " ")
			midnight = midnight && strings.Trim(clock, "0:.") == ""
			_, fraction, _ := strings.Cut(clock, ".")
			for _, n := range []int{0, 3} {
				if len(fraction) > n && strings.Trim(fraction[n:], "0") != "" {
					digits = max(digits, n+3)
				}
			}
		}
	}
	out := make([]string, len(values))
	for i, v := range values {
		s, ok := v.(string)
		switch {
		case !ok:
			out[i] = "NaT"
		case midnight:
			out[i], _, _ = strings.Cut(s, " ")
		case zoned:
			out[i] = pythonText(typ, s)
		default:
			whole, fraction, _ := strings.Cut(s, ".")
			out[i] = whole
			if digits > 0 {
				out[i] += "." + (fraction + "000000")[:digits]
			}
		}
	}
	return out
}
