package lake

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/iceberg-go"
	duckdb "github.com/duckdb/duckdb-go/v2"
	"github.com/google/uuid"
)

// dataFile describes a written file with the metrics that Iceberg keeps, from the statistics that COPY returned. Like Java's writer it
// leaves out counts and bounds of what is inside lists and maps.
func dataFile(path string, to target, partition map[int]any, stats map[string]any) (iceberg.DataFile, error) {
	b, err := iceberg.NewDataFileBuilder(to.spec, iceberg.EntryContentData, path, iceberg.ParquetFile, partition, nil, nil, whole(stats["count"]), whole(stats["file_size_bytes"]))
	if err != nil {
		return nil, err
	}
	m := newMetrics(metricsModes(to.schema, to.props))
	columns := entries(stats["column_statistics"])
	for _, f := range to.schema.Fields() {
		m.add(quote(f.Name), f.ID, f.Type, columns, false)
	}
	return b.ColumnSizes(m.sizes).ValueCounts(m.values).NullValueCounts(m.nulls).NaNValueCounts(m.nans).
		LowerBoundValues(m.lower).UpperBoundValues(m.upper).SplitOffsets([]int64{4}).SortOrderID(to.order.OrderID()).Build(), nil
}

type metrics struct {
	sizes, values, nulls, nans map[int]int64
	lower, upper               map[int][]byte
	mode                       func(id int) metricsMode
}

func (m *metrics) add(path string, id int, t iceberg.Type, columns map[string]any, repeated bool) {
	switch t := t.(type) {
	case *iceberg.StructType:
		for _, f := range t.FieldList {
			m.add(path+"."+quote(f.Name), f.ID, f.Type, columns, repeated)
		}
		return
	case *iceberg.ListType:
		m.add(path+`."element"`, t.ElementID, t.Element, columns, true)
		return
	case *iceberg.MapType:
		m.add(path+`."key"`, t.KeyID, t.KeyType, columns, true)
		m.add(path+`."value"`, t.ValueID, t.ValueType, columns, true)
		return
	}
	s := entries(columns[path])
	if s == nil {
		return
	}
	m.sizes[id] = whole(s["column_size_bytes"])
	mode := m.mode(id)
	if repeated || !mode.counts {
		return
	}
	m.values[id], m.nulls[id] = whole(s["num_values"]), whole(s["null_count"])
	nan, float := s["has_nan"]
	if float && nan != "true" {
		m.nans[id] = 0
	}
	// COPY says only that there are NaNs, not how many, and its bounds may or may not count them: then none are given.
	if float && nan == "true" || !mode.bounds {
		return
	}
	if v, ok := s["min"].(string); ok {
		if b := bound(t, v, false, mode.length); b != nil {
			m.lower[id] = b
		}
	}
	if v, ok := s["max"].(string); ok {
		if b := bound(t, v, true, mode.length); b != nil {
			m.upper[id] = b
		}
	}
}

// bound is a statistic's text as Iceberg's single-value bytes, texts and binaries cut to a length (0: not); nil if it has no bound.
func bound(t iceberg.Type, s string, upper bool, length int) []byte {
	var lit iceberg.Literal
	switch t := t.(type) {
	case iceberg.BooleanType:
		lit = iceberg.BoolLiteral(s == "1" || s == "true")
	case iceberg.Int32Type:
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil {
			return nil
		}
		lit = iceberg.Int32Literal(n)
	case iceberg.Int64Type:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil
		}
		lit = iceberg.Int64Literal(n)
	case iceberg.Float32Type:
		n, err := strconv.ParseFloat(s, 32)
		if err != nil {
			return nil
		}
		return zeroBound(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(n))), upper)
	case iceberg.Float64Type:
		n, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return nil
		}
		return zeroBound(binary.LittleEndian.AppendUint64(nil, math.Float64bits(n)), upper)
	case iceberg.DecimalType:
		n, ok := new(big.Int).SetString(strings.Replace(s, ".", "", 1), 10)
		if !ok {
			return nil
		}
		lit = iceberg.DecimalLiteral{Val: decimal128.FromBigInt(n), Scale: t.Scale()}
	case iceberg.DateType:
		d, err := time.Parse("2006-01-02", s)
		if err != nil {
			return nil
		}
		lit = iceberg.DateLiteral(d.Unix() / 86400)
	case iceberg.TimestampType, iceberg.TimestampTzType:
		// COPY prints instants in the session's time zone, with the offset.
		for _, layout := range []string{"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05Z07", "2006-01-02 15:04:05"} {
			if d, err := time.Parse(layout, s); err == nil {
				lit = iceberg.TimestampLiteral(d.UnixMicro())
				break
			}
		}
	case iceberg.UUIDType:
		u, err := uuid.Parse(s)
		if err != nil {
			return nil
		}
		lit = iceberg.UUIDLiteral(u)
	case iceberg.StringType:
		return textBound(s, upper, length)
	case iceberg.BinaryType:
		b, err := hex.DecodeString(s)
		if err != nil {
			return nil
		}
		return binaryBound(b, upper, length)
	}
	if lit == nil {
		return nil
	}
	b, err := lit.MarshalBinary()
	if err != nil {
		return nil
	}
	return b
}

// zeroBound is a FLOAT's or DOUBLE's bound that holds for both zeros if it is one: a lower one is -0.0 and an upper one 0.0. Statistics take
// them for equal, whereas Iceberg puts -0.0 before 0.0.
func zeroBound(b []byte, upper bool) []byte {
	last := len(b) - 1
	for i, v := range b {
		if i == last && v&0x7F != 0 || i < last && v != 0 {
			return b
		}
	}
	zero := make([]byte, len(b))
	if !upper {
		zero[last] = 0x80
	}
	return zero
}

// textBound cuts a string bound; a cut upper bound is raised by one in its last character, so that it stays above.
func textBound(s string, upper bool, length int) []byte {
	if length == 0 || utf8.RuneCountInString(s) <= length {
		return []byte(s)
	}
	r := []rune(s)[:length]
	if !upper {
		return []byte(string(r))
	}
	for i := len(r) - 1; i >= 0; i-- {
		next := r[i] + 1
		if next >= 0xD800 && next <= 0xDFFF { // surrogates are no characters
			next = 0xE000
		}
		if next <= utf8.MaxRune {
			return []byte(string(append(r[:i:i], next)))
		}
	}
	return nil
}

func binaryBound(b []byte, upper bool, length int) []byte {
	if length == 0 || len(b) <= length {
		return b
	}
	b = b[:length]
	if !upper {
		return b
	}
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] < 0xFF {
			return append(b[:i:i], b[i]+1)
		}
	}
	return nil
}

// entries is a DuckDB map with text keys.
func entries(v any) map[string]any {
	var keys, values []any
	switch v := v.(type) {
	case duckdb.OrderedMap:
		keys, values = v.Keys(), v.Values()
	default:
		return nil
	}
	out := make(map[string]any, len(keys))
	for i, k := range keys {
		if s, ok := k.(string); ok {
			out[s] = values[i]
		}
	}
	return out
}

// whole is a count, however the driver gives it: as a number, or as text inside the statistics.
func whole(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case uint64:
		return int64(v)
	case string:
		n, _ := strconv.ParseInt(v, 10, 64)
		return n
	}
	return 0
}
