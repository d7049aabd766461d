package lakelab

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// TestRowText: what PySpark 4.0.1 printed for str(row) of the same values.
func TestRowText(t *testing.T) {
	f := func(name string, typ Type) Field { return Field{Name: name, Type: typ, Nullable: true} }
	str, dbl, ts := types.Of(types.String), types.Of(types.Double), types.Of(types.Timestamp)
	nested := types.StructOf(f("x", types.Of(types.Int)), f("y", types.ArrayOf(str, true)))
	const at = 1704164645000000 // 2024-01-02 03:04:05 UTC
	for _, c := range []struct {
		typ  Type
		v    any
		want string
	}{
		{types.Of(types.Boolean), true, "True"}, {types.Of(types.Int), int64(1), "1"},
		{types.Of(types.Long), int64(math.MaxInt64), "9223372036854775807"},
		{types.Of(types.Float), float32(1.1), "1.100000023841858"}, {types.Of(types.Float), float32(1e10), "10000000000.0"},
		{dbl, 1.0, "1.0"}, {dbl, 1e16, "1e+16"}, {dbl, 1e15, "1000000000000000.0"}, {dbl, 1e-5, "1e-05"}, {dbl, 1e-4, "0.0001"},
		{dbl, 123456789.125, "123456789.125"}, {dbl, math.NaN(), "nan"}, {dbl, math.Inf(-1), "-inf"}, {dbl, 1e22, "1e+22"},
		{types.DecimalOf(10, 2), Decimal("12.30"), "Decimal('12.30')"},
		{types.DecimalOf(38, 10), Decimal("1234567890.0123456789"), "Decimal('1234567890.0123456789')"},
		{types.DecimalOf(20, 10), Decimal("0.0000000000"), "Decimal('0E-10')"}, {types.DecimalOf(3, 2), Decimal("0.00"), "Decimal('0.00')"},
		{str, "Привет", "'Привет'"}, {str, "it's", `"it's"`}, {str, `say "hi"`, `'say "hi"'`}, {str, `both ' and "`, `'both \' and "'`},
		{str, "tab\tnl\n\\", `'tab\tnl\n\\'`}, {str, "\u00a0й\u200b😀", `'\xa0й\u200b😀'`},
		{types.Of(types.Binary), []byte{0, 255, 65}, `bytearray(b'\x00\xffA')`},
		{types.Of(types.Binary), []byte("\x00A\xff\x7f'"), `bytearray(b"\x00A\xff\x7f\'")`}, {types.Of(types.Binary), []byte{}, `bytearray(b'')`},
		{types.Of(types.Date), types.Days(19753), "datetime.date(2024, 1, 31)"}, {types.Of(types.Date), types.Days(-1), "datetime.date(1969, 12, 31)"},
		{types.Of(types.Date), types.Days(-719162), "datetime.date(1, 1, 1)"},
		{ts, types.Micros(at), "datetime.datetime(2024, 1, 2, 3, 4, 5)"},
		{ts, types.Micros(1704153600000001), "datetime.datetime(2024, 1, 2, 0, 0, 0, 1)"},
		{ts, types.Micros(1706702400000000), "datetime.datetime(2024, 1, 31, 12, 0)"},
		{types.Of(types.TimestampNTZ), types.Micros(1706702400123456), "datetime.datetime(2024, 1, 31, 12, 0, 0, 123456)"},
		{types.DayTime(types.Day, types.Second), int64(93784500000), "datetime.timedelta(days=1, seconds=7384, microseconds=500000)"},
		{types.DayTime(types.Day, types.Second), int64(-86399000000), "datetime.timedelta(days=-1, seconds=1)"},
		{types.ArrayOf(types.Of(types.Int), true), []any{int64(1), int64(2), nil}, "[1, 2, None]"},
		{types.ArrayOf(types.Type{}, false), []any{}, "[]"}, {types.StructOf(), []any{}, "Row()"},
		{types.MapOf(str, dbl, true), []types.Entry{{Key: "a", Value: 1.5}, {Key: "b"}}, "{'a': 1.5, 'b': None}"},
		{types.MapOf(str, types.ArrayOf(dbl, true), true), []types.Entry{{Key: "k", Value: []any{1.5, nil}}}, "{'k': [1.5, None]}"},
		{types.StructOf(f("a b", types.Of(types.Int)), f("c", types.Type{})), []any{int64(1), nil}, "Row(a b=1, c=None)"},
		{types.ArrayOf(nested, true), []any{[]any{int64(1), []any{"p", "q"}}}, "[Row(x=1, y=['p', 'q'])]"},
		{types.Type{}, nil, "None"},
	} {
		engine.zone = time.UTC
		schema := types.StructOf(f("v", c.typ))
		row := Row{schema: &schema, values: []any{c.v}}
		if got := fmt.Sprint(row); got != "Row(v="+c.want+")" {
			t.Errorf("%s %#v: %s, want %s", c.typ, c.v, got, c.want)
		}
	}
}

func TestRowAccess(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Moscow")
	if err != nil {
		t.Fatal(err)
	}
	engine.zone = zone
	defer func() { engine.zone = time.UTC }()
	f := func(name string, typ Type) Field { return Field{Name: name, Type: typ, Nullable: true} }
	str := types.Of(types.String)
	schema := types.StructOf(
		f("n", types.Of(types.Long)), f("s", str), f("d", types.Of(types.Double)), f("dec", types.DecimalOf(5, 2)), f("at", types.Of(types.Timestamp)),
		f("wall", types.Of(types.TimestampNTZ)), f("day", types.Of(types.Date)), f("list", types.ArrayOf(types.Of(types.Int), true)),
		f("m", types.MapOf(str, str, true)), f("st", types.StructOf(f("x", str))), f("nothing", str), f("s", str),
		f("took", types.DayTime(types.Day, types.Second)),
	)
	row := Row{schema: &schema, values: []any{
		int64(7), "x", 2.5, Decimal("-1.25"), types.Micros(0), types.Micros(0), types.Days(1), []any{int64(1), int64(2)},
		[]types.Entry{{Key: "k", Value: "v"}}, []any{"inner"}, nil, "second s", int64(1500000),
	}}
	if row.Int64("n") != 7 || row.String("s") != "x" || row.Float64("d") != 2.5 || row.Float64("dec") != -1.25 || Get[Decimal](row, "dec") != "-1.25" {
		t.Error("simple values")
	}
	if got := row.Time("at").Format(time.DateTime); got != "1970-01-01 03:00:00" {
		t.Errorf("a timestamp in the session's zone: %s", got)
	}
	if got := row.Text("at") + " " + row.Text("dec") + " " + row.Text("nothing"); got != "1970-01-01 03:00:00 -1.25 NULL" {
		t.Errorf("texts: %s", got)
	}
	if got := row.Time("wall").Format(time.DateTime); got != "1970-01-01 00:00:00" {
		t.Errorf("a timestamp without a zone: %s", got)
	}
	if got := row.Time("day").Format(time.DateTime); got != "1970-01-02 00:00:00" {
		t.Errorf("a date: %s", got)
	}
	if got := Get[[]int64](row, "list"); len(got) != 2 || got[1] != 2 {
		t.Errorf("an array: %v", got)
	}
	if got := Get[map[string]string](row, "m"); got["k"] != "v" {
		t.Errorf("a map: %v", got)
	}
	if got := Get[Row](row, "st").String("x"); got != "inner" {
		t.Errorf("a struct: %v", got)
	}
	if got := Get[time.Duration](row, "took"); got != 1500*time.Millisecond {
		t.Errorf("an interval: %v", got)
	}
	if row.Get("nothing") != nil || !row.IsNull("nothing") || row.At(11) != "second s" || row.Len() != 13 {
		t.Error("NULL, or a value by position")
	}
	for _, c := range []struct {
		f               func()
		exception, want string
	}{
		{func() { row.Int64("N") }, "KeyError", "«N»; есть: n, s, d"},
		{func() { row.Int64("s") }, "TypeError", "«s» имеет тип string, её не прочитать как int64"},
		{func() { row.String("n") }, "TypeError", "тип bigint"},
		{func() { row.String("nothing") }, "ValueError", "NULL"},
		{func() { Get[[]string](row, "list") }, "TypeError", "array<int>"},
		{func() { row.At(13) }, "IndexError", "колонок: 13"},
		{func() { Row{}.Int64("n") }, "KeyError", "результат запроса пуст"},
	} {
		err := Try(c.f)
		if e, ok := err.(*Error); !ok || e.Exception != c.exception || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%v, want %s … %s", err, c.exception, c.want)
		}
	}
}

func TestValueFor(t *testing.T) {
	at := time.Date(2024, 1, 31, 23, 30, 0, 1000, time.FixedZone("x", 3*3600))
	for _, c := range []struct {
		typ  Type
		v    any
		want string // %#v, or the error's text
	}{
		{types.Of(types.Byte), 127, "127"}, {types.Of(types.Byte), 128, "число 128 не помещается в tinyint"},
		{types.Of(types.Short), -32768, "-32768"}, {types.Of(types.Int), int64(1) << 31, "число 2147483648 не помещается в int"},
		{types.Of(types.Long), int64(math.MinInt64), "-9223372036854775808"}, {types.Of(types.Int), 1.0, "значение 1 (float64) не подходит к типу int"},
		{types.Of(types.Double), 2, "2"}, {types.Of(types.Float), 2.5, "2.5"}, {types.Of(types.String), 2, "значение 2 (int) не подходит к типу string"},
		{types.DecimalOf(5, 2), 7, `"7.00"`}, {types.DecimalOf(5, 2), "-0.5", `"-0.50"`}, {types.DecimalOf(5, 2), Decimal("-0"), `"0.00"`},
		{types.DecimalOf(5, 2), "1.234", "число 1.234 не помещается в decimal(5,2)"}, {types.DecimalOf(5, 2), "1000", "число 1000 не помещается"},
		{types.DecimalOf(5, 2), "1e3", `"1e3" — не десятичное число`}, {types.DecimalOf(5, 2), "", `"" — не`}, {types.DecimalOf(5, 0), "3.0", `"3"`},
		{types.Of(types.Date), at, "19753"}, {types.Of(types.Timestamp), at, "1706733000000001"}, {types.Of(types.TimestampNTZ), at, "1706743800000001"},
		{types.ArrayOf(types.Of(types.Int), true), []int{1, 2}, "[]interface {}{1, 2}"},
		{types.ArrayOf(types.Of(types.Int), true), []string{"a"}, "элемент 0: значение a (string)"},
		{types.MapOf(types.Of(types.String), types.Of(types.Int), true), map[string]int{"b": 2, "a": 1}, `[]types.Entry{types.Entry{Key:"a", Value:1}, types.Entry{Key:"b", Value:2}}`},
		{types.StructOf(Field{Name: "x", Type: types.Of(types.Int)}), []any{"q"}, "поле «x»: значение q (string)"},
		{types.Of(types.Int), nil, "<nil>"},
	} {
		v, err := valueFor(c.v, c.typ)
		got := fmt.Sprintf("%#v", v)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%#v as %s: %s, want %s", c.v, c.typ, got, c.want)
		}
	}
}
