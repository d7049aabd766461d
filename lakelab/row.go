package lakelab

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/types"
)

// Decimal is an exact decimal number as text, such as "-12.50".
type Decimal = types.Dec

// Row is a row of a result (pyspark.sql.Row). Values are read by column name, spelled as in the result, with the method
// for their type; a name that is not there, another type, or NULL is a failure that says what there is.
//
//	BOOLEAN Bool · TINYINT … BIGINT Int64 · FLOAT, DOUBLE Float64 · DECIMAL Get (Decimal), Float64 (rounded) · STRING String
//	DATE, TIMESTAMP Time · others Get: ARRAY []any, MAP map[any]any, STRUCT Row, BINARY []byte, intervals time.Duration or months
//
// Printing a row gives PySpark's text: Row(a=1, b='x').
type Row struct {
	schema *Type
	values []any
}

// Exists is false for the row that First returns when there is none.
func (r Row) Exists() bool { return r.schema != nil }

// Len is the number of columns.
func (r Row) Len() int { return len(r.values) }

// Columns lists the column names.
func (r Row) Columns() []string {
	if r.schema == nil {
		return nil
	}
	names := make([]string, len(r.schema.Fields))
	for i, f := range r.schema.Fields {
		names[i] = f.Name
	}
	return names
}

// index finds a column; of several with one name the first counts, as in PySpark.
func (r Row) index(name string) int {
	if r.schema == nil {
		raise("KeyError", "", "строки нет: результат запроса пуст")
	}
	i := slices.IndexFunc(r.schema.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		raise("KeyError", "", "в строке нет колонки «%s»; есть: %s", name, strings.Join(r.Columns(), ", "))
	}
	return i
}

// IsNull reports whether the value is NULL.
func (r Row) IsNull(name string) bool { return r.values[r.index(name)] == nil }

// Get returns the value as a Go value, nil for NULL: bool, int64, float32, float64, string, []byte, Decimal, time.Time,
// time.Duration, []any, map[any]any or Row.
func (r Row) Get(name string) any { return r.At(r.index(name)) }

// At is Get by position, from 0.
func (r Row) At(i int) any {
	if i < 0 || i >= len(r.values) {
		raise("IndexError", "", "в строке нет колонки с номером %d; колонок: %d", i, len(r.values))
	}
	return goValue(r.values[i], r.schema.Fields[i].Type)
}

// Text is the value as show prints it, whatever its type: a TIMESTAMP as "2024-01-31 12:00:00.5", NULL as "NULL". The text
// of a date or time may be put into SQL, as in TIMESTAMP AS OF '…'.
func (r Row) Text(name string) string {
	i := r.index(name)
	return types.Text(r.schema.Fields[i].Type, r.values[i], engine.zone)
}

// Int64 reads a TINYINT, SMALLINT, INT or BIGINT.
func (r Row) Int64(name string) int64 { return Get[int64](r, name) }

// Float64 reads a FLOAT or DOUBLE, or a DECIMAL rounded to the nearest float64.
func (r Row) Float64(name string) float64 { return Get[float64](r, name) }

// String reads a STRING.
func (r Row) String(name string) string { return Get[string](r, name) }

// Bool reads a BOOLEAN.
func (r Row) Bool(name string) bool { return Get[bool](r, name) }

// Time reads a DATE (midnight UTC), a TIMESTAMP (in the session's time zone) or a TIMESTAMP_NTZ (its wall clock as UTC).
func (r Row) Time(name string) time.Time { return Get[time.Time](r, name) }

// Get reads a value as a Go type: one of those that Row.Get returns, int, []int64, []float64, []string, []bool,
// map[string]string or map[string]any.
func Get[T any](r Row, name string) T {
	i := r.index(name)
	var out T
	t := r.schema.Fields[i].Type
	if r.values[i] == nil {
		raise("ValueError", "Проверьте значение через IsNull(…) или уберите NULL в запросе: coalesce(…, 0).",
			"в колонке «%s» здесь NULL", name)
	}
	if !assign(&out, goValue(r.values[i], t)) {
		raise("TypeError", "", "колонка «%s» имеет тип %s, её не прочитать как %T", name, t.SimpleString(), out)
	}
	return out
}

// Format prints PySpark's text of the row, whatever the verb.
func (r Row) Format(w fmt.State, verb rune) {
	if r.schema == nil {
		fmt.Fprint(w, "None")
		return
	}
	fmt.Fprint(w, python(r.values, *r.schema))
}
