package trinodoor

import (
	"encoding/json"
	"math"
	"testing"

	"mini-lakehouse-lab/lakelab/types"
)

var inf = math.Inf(1)

// What Trino 476 sends for these types and values, as recorded; in the order of everyType: type, typeSignature, value.
var recorded = [][3]string{
	{`bigint`, `{"rawType":"bigint","arguments":[]}`, `9007199254740993`},
	{`integer`, `{"rawType":"integer","arguments":[]}`, `7`},
	{`boolean`, `{"rawType":"boolean","arguments":[]}`, `true`},
	{`varchar`, `{"rawType":"varchar","arguments":[{"kind":"LONG","value":2147483647}]}`, `"Осло <&>"`},
	{`decimal(10, 2)`, `{"rawType":"decimal","arguments":[{"kind":"LONG","value":10},{"kind":"LONG","value":2}]}`, `"12.50"`},
	{`date`, `{"rawType":"date","arguments":[]}`, `"2024-01-01"`},
	{`timestamp(6)`, `{"rawType":"timestamp","arguments":[{"kind":"LONG","value":6}]}`, `"2024-01-01 10:00:00.123456"`},
	{`timestamp(6) with time zone`, `{"rawType":"timestamp with time zone","arguments":[{"kind":"LONG","value":6}]}`, `"2024-01-01 10:00:00.123456 UTC"`},
	{`time(6)`, `{"rawType":"time","arguments":[{"kind":"LONG","value":6}]}`, `"10:11:12.123456"`},
	{`real`, `{"rawType":"real","arguments":[]}`, `0.1`},
	{`double`, `{"rawType":"double","arguments":[]}`, `1.0`},
	{`double`, `{"rawType":"double","arguments":[]}`, `"Infinity"`},
	{`varbinary`, `{"rawType":"varbinary","arguments":[]}`, `"yv4="`},
	{`uuid`, `{"rawType":"uuid","arguments":[]}`, `"12151fd2-7586-11e9-8f9e-2a86e4085a59"`},
	{`INTERVAL DAY TO SECOND`, `{"rawType":"interval day to second","arguments":[]}`, `"1 00:00:00.000"`},
	{`INTERVAL YEAR TO MONTH`, `{"rawType":"interval year to month","arguments":[]}`, `"2-0"`},
	{`array(varchar)`, `{"rawType":"array","arguments":[{"kind":"TYPE","value":{"rawType":"varchar","arguments":[{"kind":"LONG","value":2147483647}]}}]}`, `["a",null]`},
	{`array(timestamp(6))`, `{"rawType":"array","arguments":[{"kind":"TYPE","value":{"rawType":"timestamp","arguments":[{"kind":"LONG","value":6}]}}]}`, `["2024-01-01 10:00:00.123456"]`},
	{`map(varchar, integer)`, `{"rawType":"map","arguments":[{"kind":"TYPE","value":{"rawType":"varchar","arguments":[{"kind":"LONG","value":2147483647}]}},{"kind":"TYPE","value":{"rawType":"integer","arguments":[]}}]}`, `{"z":1,"k":null}`},
	{`map(integer, varchar)`, `{"rawType":"map","arguments":[{"kind":"TYPE","value":{"rawType":"integer","arguments":[]}},{"kind":"TYPE","value":{"rawType":"varchar","arguments":[{"kind":"LONG","value":2147483647}]}}]}`, `{"1":"a"}`},
	{`row(lat double, lon double)`, `{"rawType":"row","arguments":[{"kind":"NAMED_TYPE","value":{"fieldName":{"name":"lat"},"typeSignature":{"rawType":"double","arguments":[]}}},{"kind":"NAMED_TYPE","value":{"fieldName":{"name":"lon"},"typeSignature":{"rawType":"double","arguments":[]}}}]}`, `[59.9,10.7]`},
}

func TestNames(t *testing.T) {
	row := types.StructOf(field("a", types.Of(types.Int)), field("two words", types.DecimalOf(3, 1)), field("", types.Of(types.Byte)))
	if got, want := TypeName(row), `row(a integer, "two words" decimal(3, 1), tinyint)`; got != want {
		t.Errorf("TypeName: %s, want %s", got, want)
	}
	for _, c := range []struct {
		typ  types.Type
		want string
	}{
		{types.DecimalOf(10, 2), "decimal(10,2)"}, {types.Of(types.TimestampNTZ), "timestamp(6)"},
		{types.Of(types.Timestamp), "timestamp(6) with time zone"}, {types.Of(types.Short), "smallint"},
		{types.StructOf(field("min", types.DecimalOf(10, 2)), field("max", types.Of(types.Time))), "row(min decimal(10,2), max time(6))"},
	} {
		if got := c.typ.Trino(); got != c.want {
			t.Errorf("described: %s, want %s", got, c.want)
		}
	}
}

func TestKeysOfMaps(t *testing.T) {
	e := encoder{parametric: true}
	row := types.StructOf(field("", types.Of(types.Int)))
	for _, c := range []struct {
		key   types.Type
		value any
		want  string
	}{
		{row, []any{int64(1)}, `{"[1]":"z"}`}, {types.Of(types.Double), 1.0, `{"1.0":"z"}`}, {types.Of(types.Boolean), true, `{"true":"z"}`},
	} {
		b, err := json.Marshal(e.value(types.MapOf(c.key, types.Of(types.String), true), []types.Entry{{Key: c.value, Value: "z"}}))
		if err != nil || e.err != nil || string(b) != c.want {
			t.Errorf("%s, %v, %v; want %s", b, err, e.err, c.want)
		}
	}
}
