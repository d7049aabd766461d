package types

import (
	"encoding/json"
	"os"
	"testing"
)

// recorded is what real Spark printed; testdata/record_show.py makes the file.
type recorded struct {
	Tables []struct {
		Columns     []string
		Rows        [][]string
		N, Truncate int
		Vertical    bool
		Text        string
	}
	Schemas []struct {
		DDL   string
		Level int
		Text  string
	}
}

func spark(t *testing.T) (r recorded) {
	t.Helper()
	b, err := os.ReadFile("testdata/show.json")
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestShowTable(t *testing.T) {
	for _, c := range spark(t).Tables {
		rows := c.Rows[:min(c.N, len(c.Rows))]
		if got := ShowTable(c.Columns, rows, c.Truncate, c.Vertical, len(c.Rows) > c.N, c.N); got != c.Text {
			t.Errorf("%v %v n=%d truncate=%d vertical=%v\ngot\n%s\nwant\n%s", c.Columns, c.Rows, c.N, c.Truncate, c.Vertical, got, c.Text)
		}
	}
}

// TestTreeString builds by hand the schemas that testdata/record_show.py writes as DDL.
func TestTreeString(t *testing.T) {
	col := func(name string, t Type) Field { return Field{Name: name, Type: t, Nullable: true} }
	deep := ArrayOf(StructOf(col("x", Of(Int)), col("y", MapOf(Of(String), ArrayOf(Of(Double), true), true))), true)
	schemas := []Type{
		StructOf(col("a", Of(Int)), Field{Name: "b", Type: Of(String)}),
		StructOf(col("a", deep), col("b", DecimalOf(10, 2)), col("c", Of(TimestampNTZ)), col("d", DayTime(Day, Second))),
		StructOf(col("a", deep), col("b", DecimalOf(10, 2))),
		StructOf(col("a", deep), col("b", DecimalOf(10, 2))),
		StructOf(col("a", Of(Long)), col("b", Of(Short)), col("c", Of(Byte)), col("d", Of(Float)), col("e", Of(Binary)), col("f", Of(Boolean)), col("g", Of(Date)), col("h", Of(Timestamp))),
	}
	want := spark(t).Schemas
	if len(want) != len(schemas) {
		t.Fatalf("%d recorded schemas, %d here", len(want), len(schemas))
	}
	for i, w := range want {
		if got := TreeString(schemas[i], w.Level); got != w.Text {
			t.Errorf("%s, %d levels\ngot\n%s\nwant\n%s", w.DDL, w.Level, got, w.Text)
		}
	}
}

func BenchmarkShowTable(b *testing.B) {
	rows := make([][]string, 20)
	for i := range rows {
		rows[i] = []string{"2024-01-05 06:07:08", "Manhattan", "12.50", "{k -> 1}"}
	}
	for b.Loop() {
		ShowTable([]string{"pickup", "borough", "fare", "extra"}, rows, 20, false, true, 20)
	}
}
