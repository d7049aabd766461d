package main

import (
	"reflect"
	"testing"

	"mini-lakehouse-lab/lakelab/types"
)

func TestParseAnswers(t *testing.T) {
	text := "-- Automatically generated\n-- !query\nselect 1,\n  'x'\n-- !query schema\nstruct<1:int,x:string>\n-- !query output\n1\tx\n\n\n" +
		"-- !query\nselect nope\n-- !query schema\nstruct<>\n-- !query output\norg.apache.spark.sql.catalyst.ExtendedAnalysisException\n" +
		"{\n  \"errorClass\" : \"UNRESOLVED_COLUMN.WITHOUT_SUGGESTION\"\n}\n\n\n" +
		"-- !query\ncreate view v as select 1\n-- !query schema\nstruct<>\n-- !query output\n\n\n"
	got, err := parseAnswers(text)
	if err != nil {
		t.Fatal(err)
	}
	want := []golden{
		{SQL: "select 1,\n  'x'", Schema: "struct<1:int,x:string>", Output: "1\tx"},
		{SQL: "select nope", Schema: "struct<>", Output: got[1].Output, Exception: "AnalysisException", Class: "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION"},
		{SQL: "create view v as select 1", Schema: "struct<>"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if _, err := parseAnswers(text + "-- !query\nselect 2\n"); err == nil {
		t.Error("a query without an answer was taken")
	}
}

func TestDirectives(t *testing.T) {
	got := directives("--SET a=1, b = x\n-- a comment\n--CONFIG_DIM1 c=1\n--CONFIG_DIM1 c=2\n--CONFIG_DIM2 d=3\nselect 1;\n")
	want := [][2]string{{"a", "1"}, {"b", "x"}, {"c", "1"}, {"d", "3"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCell(t *testing.T) {
	str, num := types.Of(types.String), types.Of(types.Int)
	rec := types.StructOf(types.Field{Name: "a", Type: num}, types.Field{Name: "b", Type: types.ArrayOf(str, true)})
	for want, c := range map[string]struct {
		t types.Type
		v any
	}{
		"NULL":                   {num, nil},
		`{"a":1,"b":["x",null]}`: {rec, []any{int64(1), []any{"x", nil}}},
		"-1-2":                   {types.YearMonth(types.Year, types.Month), int64(-14)},
		"1 02:03:04.500000000":   {types.DayTime(types.Day, types.Second), int64(93784500000)},
		`{"x":1}`:                {types.MapOf(str, num, true), []types.Entry{{Key: "x", Value: int64(1)}}},
	} {
		if got := (format{}).cell(c.t, c.v, false); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestWorse(t *testing.T) {
	before := count{Agree: 3, RowsOnly: 1, Class: 2}
	if w := (&count{Agree: 4, RowsOnly: 0, Class: 2}).worse(before); w != "" {
		t.Error(w)
	}
	if w := (&count{Agree: 3, RowsOnly: 0, Class: 2}).worse(before); w == "" {
		t.Error("a lost answer went unnoticed")
	}
}
