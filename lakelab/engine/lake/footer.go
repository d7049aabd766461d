package lake

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	pqmeta "github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/apache/iceberg-go"
)

// footer is what a Parquet file that is there says about its rows.
type footer struct {
	rows    int64
	metrics metrics
	offsets []int64 // of the row groups
}

// readFooter reads the metrics of a file without field ids, whose columns a name mapping identifies. Like Java's reader it gives counts
// and bounds of what is not inside lists and maps.
func readFooter(path string, s *iceberg.Schema, mapping iceberg.NameMapping, mode func(id int) metricsMode) (*footer, error) {
	return guarded(path, func() (*footer, error) { return footerOf(path, s, mapping, mode) })
}

func footerOf(path string, s *iceberg.Schema, mapping iceberg.NameMapping, mode func(id int) metricsMode) (*footer, error) {
	r, err := file.OpenParquetFile(localPath(path), false)
	if err != nil {
		return nil, fmt.Errorf("read the footer of %s: %w", path, err)
	}
	defer r.Close()
	md := r.MetaData()
	f := &footer{rows: md.NumRows, metrics: newMetrics(mode)}
	columns := map[int]int{} // leaf → field id
	leafIDs(md.Schema, mapping, columns)
	cut := map[int]bool{} // columns whose bounds some row group does not give
	for i := range md.NumRowGroups() {
		g := md.RowGroup(i)
		f.offsets = append(f.offsets, g.FileOffset())
		for leaf, id := range columns {
			chunk, err := g.ColumnChunk(leaf)
			if err != nil {
				return nil, fmt.Errorf("read the footer of %s: %w", path, err)
			}
			f.metrics.sizes[id] += chunk.TotalCompressedSize()
			if md.Schema.Column(leaf).MaxRepetitionLevel() > 0 || md.Schema.Column(leaf).PhysicalType() == parquet.Types.Int96 || !mode(id).counts {
				continue
			}
			f.metrics.values[id] += chunk.NumValues()
			field, ok := s.FindFieldByID(id)
			if !ok {
				continue
			}
			f.metrics.chunk(id, field.Type, md.Schema.Column(leaf), chunk, cut)
		}
	}
	for id := range cut {
		delete(f.metrics.lower, id)
		delete(f.metrics.upper, id)
	}
	for id, n := range f.metrics.nulls {
		if n < 0 {
			delete(f.metrics.nulls, id)
		}
	}
	f.offsets = slices.DeleteFunc(f.offsets, func(o int64) bool { return o <= 0 })
	return f, nil
}

// leafIDs finds the field ids of a file's leaves.
func leafIDs(s *schema.Schema, mapping iceberg.NameMapping, into map[int]int) {
	for i := range s.NumColumns() {
		fields, id := []iceberg.MappedField(mapping), -1
		for _, name := range s.Column(i).ColumnPath() {
			at := slices.IndexFunc(fields, func(m iceberg.MappedField) bool { return slices.Contains(m.Names, name) })
			if at < 0 { // the middle of Parquet's three levels has no field, and writers name an element as they like
				if at = slices.IndexFunc(fields, func(m iceberg.MappedField) bool { return slices.Contains(m.Names, "element") }); at < 0 || name == "list" || name == "bag" || name == "key_value" {
					continue
				}
			}
			id, fields = fields[at].ID(), fields[at].Fields
		}
		if id >= 0 && len(fields) == 0 {
			into[i] = id
		}
	}
}

func newMetrics(mode func(id int) metricsMode) metrics {
	return metrics{map[int]int64{}, map[int]int64{}, map[int]int64{}, map[int]int64{}, map[int][]byte{}, map[int][]byte{}, mode}
}

// chunk adds the statistics of a column in one row group.
func (m *metrics) chunk(id int, t iceberg.Type, column *schema.Column, c *pqmeta.ColumnChunkMetaData, cut map[int]bool) {
	stats, err := c.Statistics()
	if err != nil || stats == nil {
		m.nulls[id], cut[id] = math.MinInt64, true
		return
	}
	if stats.HasNullCount() {
		m.nulls[id] += stats.NullCount()
	} else {
		m.nulls[id] = math.MinInt64
	}
	if !stats.HasMinMax() {
		if !stats.HasNullCount() || stats.NullCount() < c.NumValues() {
			cut[id] = true
		}
		return
	}
	mode := m.mode(id)
	if !mode.bounds {
		return
	}
	lower, upper := parquetBound(t, column, stats.EncodeMin(), false, mode.length), parquetBound(t, column, stats.EncodeMax(), true, mode.length)
	if lower == nil || upper == nil {
		cut[id] = true
		return
	}
	if old, ok := m.lower[id]; !ok || lessBound(t, lower, old) {
		m.lower[id] = lower
	}
	if old, ok := m.upper[id]; !ok || lessBound(t, old, upper) {
		m.upper[id] = upper
	}
}

// lessBound compares two bounds of a type.
func lessBound(t iceberg.Type, a, b []byte) bool {
	n, ok := order(boundValue(t, a), boundValue(t, b))
	return ok && n < 0
}

// parquetBound is a statistic's plain bytes as Iceberg's single-value bytes of a type; nil if they can't be told.
func parquetBound(t iceberg.Type, column *schema.Column, b []byte, upper bool, length int) []byte {
	var n int64
	switch column.PhysicalType() {
	case parquet.Types.Int32:
		if len(b) != 4 {
			return nil
		}
		n = int64(int32(binary.LittleEndian.Uint32(b)))
	case parquet.Types.Int64:
		if len(b) != 8 {
			return nil
		}
		n = int64(binary.LittleEndian.Uint64(b))
	}
	switch t := t.(type) {
	case iceberg.BooleanType:
		if len(b) == 1 {
			return b
		}
	case iceberg.Int32Type, iceberg.DateType:
		if column.PhysicalType() == parquet.Types.Int32 {
			return b
		}
	case iceberg.Int64Type:
		if column.PhysicalType() == parquet.Types.Int32 || column.PhysicalType() == parquet.Types.Int64 {
			return b // of the file's type, as Java keeps it
		}
	case iceberg.TimestampType, iceberg.TimestampTzType:
		unit, ok := column.LogicalType().(schema.TimestampLogicalType)
		if column.PhysicalType() != parquet.Types.Int64 || !ok {
			return nil // INT96 has no order
		}
		switch unit.TimeUnit() {
		case schema.TimeUnitMillis:
			if n > math.MaxInt64/1000 || n < math.MinInt64/1000 {
				return nil
			}
			n *= 1000
		case schema.TimeUnitNanos:
			n = (n - ((n%1000)+1000)%1000) / 1000 // down
		}
		return binary.LittleEndian.AppendUint64(nil, uint64(n))
	case iceberg.Float32Type:
		if len(b) == 4 && !math.IsNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))) {
			return zeroBound(b, upper)
		}
	case iceberg.Float64Type:
		if len(b) == 8 && !math.IsNaN(math.Float64frombits(binary.LittleEndian.Uint64(b))) || len(b) == 4 && !math.IsNaN(float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))) {
			return zeroBound(b, upper)
		}
	case iceberg.DecimalType:
		d, ok := column.LogicalType().(schema.DecimalLogicalType)
		if !ok || int(d.Scale()) != t.Scale() {
			return nil
		}
		unscaled := big.NewInt(n)
		if column.PhysicalType() == parquet.Types.FixedLenByteArray || column.PhysicalType() == parquet.Types.ByteArray {
			unscaled = signed(b)
		}
		return bound(t, string(decimal(unscaled, t.Scale())), upper, length)
	case iceberg.StringType:
		return textBound(string(b), upper, length)
	case iceberg.BinaryType:
		return binaryBound(b, upper, length)
	}
	return nil
}

// signed is a big-endian number in two's complement.
func signed(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}
