package duck

import "testing"

func TestTypeName(t *testing.T) {
	for name, want := range map[string]string{
		"INTEGER": "INT", "DECIMAL(10,2)[]": "ARRAY<DECIMAL(10,2)>", "TIMESTAMP WITH TIME ZONE": "TIMESTAMP",
		`STRUCT(a INTEGER, "b ""c)," VARCHAR[], s STRUCT(t TIMESTAMP WITH TIME ZONE, u DATE)[])`: "STRUCT<a: INT, `b \"c),`: ARRAY<STRING>, s: ARRAY<STRUCT<t: TIMESTAMP, u: DATE>>>",
		"MAP(VARCHAR, STRUCT(x DOUBLE, m MAP(BIGINT, BOOLEAN)))[][]":                             "ARRAY<ARRAY<MAP<STRING, STRUCT<x: DOUBLE, m: MAP<BIGINT, BOOLEAN>>>>>",
	} {
		got, err := TypeOf(name)
		if err != nil || got.SQL() != want {
			t.Errorf("%s: got %s, %v, want %s", name, got.SQL(), err, want)
		}
	}
	for _, name := range []string{"", "HUGEINT", "STRUCT(a", "STRUCT()", "MAP(INTEGER)", "DECIMAL(x)", "INTEGER[3]", "STRUCT(a INTEGER))", `STRUCT("a INTEGER)`} {
		if got, err := TypeOf(name); err == nil {
			t.Errorf("%s is %s", name, got.SQL())
		}
	}
}
