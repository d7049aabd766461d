package engine_test

import (
	"encoding/binary"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// int96 is a moment as Spark writes it by default: nanoseconds of the day and the Julian day, in UTC.
func int96(t time.Time) (out parquet.Int96) {
	const epoch = 2440588 // the Julian day of 1970-01-01
	day := t.Unix() / 86400
	binary.LittleEndian.PutUint64(out[:8], uint64(t.UnixNano()-day*86400*1e9))
	binary.LittleEndian.PutUint32(out[8:], uint32(day+epoch))
	return out
}

// sparkFile writes a file of one row as Spark does: moments as INT96, flat and within a struct, an array and a map, and decimals in the
// legacy form, as bytes of a fixed length.
func sparkFile(t *testing.T, path string, at time.Time) {
	t.Helper()
	optional, required := parquet.Repetitions.Optional, parquet.Repetitions.Required
	group := func(name string, rep parquet.Repetition, fields ...schema.Node) *schema.GroupNode {
		return schema.MustGroup(schema.NewGroupNode(name, rep, fields, -1))
	}
	moment := func(name string) schema.Node { return schema.NewInt96Node(name, required, -1) }
	decimal := func(name string, precision int32, bytes int) schema.Node {
		return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(name, optional, schema.NewDecimalLogicalType(precision, 2), parquet.Types.FixedLenByteArray, bytes, -1))
	}
	list := schema.MustGroup(schema.ListOfWithName("l", moment("element"), optional, -1))
	pairs := schema.MustGroup(schema.MapOf("m", schema.MustPrimitive(schema.NewPrimitiveNodeLogical("key", required, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)), moment("value"), optional, -1))
	root := group("spark_schema", required, schema.NewInt96Node("ts", optional, -1), group("s", optional, moment("t")), list, pairs, decimal("small", 5, 3), decimal("large", 30, 13))
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := file.NewParquetWriter(f, root)
	row, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	next := func() file.ColumnChunkWriter {
		c, err := row.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	write := func(_ int64, err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	one := []parquet.Int96{int96(at)}
	write(next().(*file.Int96ColumnChunkWriter).WriteBatch(one, []int16{1}, nil))
	write(next().(*file.Int96ColumnChunkWriter).WriteBatch(one, []int16{1}, nil))
	write(next().(*file.Int96ColumnChunkWriter).WriteBatch([]parquet.Int96{int96(at), int96(at.Add(time.Hour))}, []int16{2, 2}, []int16{0, 1}))
	write(next().(*file.ByteArrayColumnChunkWriter).WriteBatch([]parquet.ByteArray{[]byte("k")}, []int16{2}, []int16{0}))
	write(next().(*file.Int96ColumnChunkWriter).WriteBatch(one, []int16{2}, []int16{0}))
	for _, d := range []struct {
		value string
		bytes int
	}{{"-12345", 3}, {"1234567890123456789012345", 13}} {
		v, _ := new(big.Int).SetString(d.value, 10)
		if v.Sign() < 0 {
			v.Add(v, new(big.Int).Lsh(big.NewInt(1), uint(8*d.bytes)))
		}
		write(next().(*file.FixedLenByteArrayColumnChunkWriter).WriteBatch([]parquet.FixedLenByteArray{v.FillBytes(make([]byte, d.bytes))}, []int16{1}, nil))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// What Spark writes by default and in its legacy forms has the same values in tables and by path, whatever the session's zone.
func TestHiveSparkFiles(t *testing.T) {
	root := t.TempDir()
	t.Setenv("LAKELAB_DATA_ROOTS", root)
	dir := filepath.Join(root, "files")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	sparkFile(t, filepath.Join(dir, "part-0.snappy.parquet"), time.Date(2024, 7, 1, 10, 30, 0, 123456000, time.UTC))
	_, run := hiveSession(t)
	run("SET TIME ZONE 'Europe/Moscow'")
	columns := "ts TIMESTAMP, s STRUCT<t: TIMESTAMP>, l ARRAY<TIMESTAMP>, m MAP<STRING, TIMESTAMP>, small DECIMAL(5,2), large DECIMAL(30,2)"
	want := "2024-07-01 13:30:00.123456,{2024-07-01 13:30:00.123456},[2024-07-01 13:30:00.123456, 2024-07-01 14:30:00.123456],{k -> 2024-07-01 13:30:00.123456},-123.45,12345678901234567890123.45"
	for _, c := range []struct{ statement, want string }{
		{"CREATE TABLE t (" + columns + ") USING parquet LOCATION '" + dir + "'", ""},
		{"SELECT * FROM t", want},
		{"SELECT s.t = l[0], l[1] - ts, m['k'] = TIMESTAMP'2024-07-01 10:30:00.123456Z', small + large FROM t", "true,INTERVAL '0 01:00:00' DAY TO SECOND,true,12345678901234567890000.00"},
		{"SELECT * FROM parquet.`" + dir + "`", want},
		{"CREATE TABLE inferred USING parquet LOCATION '" + dir + "'", ""},
		{"SELECT typeof(ts), typeof(s), typeof(l), typeof(m), typeof(small) FROM inferred", "timestamp,struct<t:timestamp>,array<timestamp>,map<string,timestamp>,decimal(5,2)"},
		{"SELECT count(*) FROM t WHERE ts = TIMESTAMP'2024-07-01 13:30:00.123456' AND s.t > '2024-07-01'", "1"},
	} {
		if got := run(c.statement); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.statement, got, c.want)
		}
	}
}

// A file that was written anew is read as it is, also if it has the size that it had.
func TestHiveRewrittenFile(t *testing.T) {
	root := t.TempDir()
	t.Setenv("LAKELAB_DATA_ROOTS", root)
	dir := filepath.Join(root, "files")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "part-0.parquet")
	write := func(value any) {
		t.Helper()
		kind := parquet.Types.Int64
		if _, ok := value.(float64); ok {
			kind = parquet.Types.Double
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := file.NewParquetWriter(f, schema.MustGroup(schema.NewGroupNode("r", parquet.Repetitions.Required, schema.FieldList{
			schema.MustPrimitive(schema.NewPrimitiveNode("a", parquet.Repetitions.Required, kind, -1, -1))}, -1)))
		row, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		c, err := row.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		switch c := c.(type) {
		case *file.Int64ColumnChunkWriter:
			_, err = c.WriteBatch([]int64{value.(int64)}, nil, nil)
		case *file.Float64ColumnChunkWriter:
			_, err = c.WriteBatch([]float64{value.(float64)}, nil, nil)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(int64(1))
	_, run := hiveSession(t)
	run("CREATE TABLE t (a BIGINT) USING parquet LOCATION '" + dir + "'")
	if got := run("SELECT a FROM t"); got != "1" {
		t.Fatal(got)
	}
	before, _ := os.Stat(path)
	write(2.5)
	later := before.ModTime().Add(2 * time.Second) // DuckDB tells a file's states by whole seconds
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(path); after.Size() != before.Size() {
		t.Fatal("the files differ in size", before.Size(), after.Size())
	}
	if got := run("SELECT a FROM t"); !strings.Contains(got, "PARQUET_COLUMN_DATA_TYPE_MISMATCH") {
		t.Error(got)
	}
}
