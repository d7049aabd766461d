package lake

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/apache/iceberg-go"
)

// TestBatches spreads groups over as many commits as are allowed.
func TestBatches(t *testing.T) {
	for _, c := range []struct {
		groups  int
		commits int64
		want    int
	}{{3, 1, 1}, {3, 2, 2}, {3, 10, 3}, {3, math.MaxInt64, 3}, {1, math.MaxInt64, 1}, {0, 5, 0}} {
		if got := (limits{partial: true, commits: c.commits}).batches(make([]rewriteGroup, c.groups)); len(got) != c.want {
			t.Errorf("%d groups in at most %d commits: %d", c.groups, c.commits, len(got))
		}
	}
}

// TestMillisecondBounds: a time in milliseconds that has no place in microseconds is no bound.
func TestMillisecondBounds(t *testing.T) {
	node, err := schema.NewPrimitiveNodeLogical("at", parquet.Repetitions.Optional, schema.NewTimestampLogicalType(true, schema.TimeUnitMillis), parquet.Types.Int64, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	column := schema.NewColumn(node, 1, 0)
	for n, known := range map[int64]bool{0: true, -1: true, math.MaxInt64 / 1000: true, math.MinInt64 / 1000: true, math.MaxInt64/1000 + 1: false, math.MinInt64/1000 - 1: false} {
		got := parquetBound(iceberg.PrimitiveTypes.Timestamp, column, binary.LittleEndian.AppendUint64(nil, uint64(n)), false, 16)
		if (got != nil) != known || known && int64(binary.LittleEndian.Uint64(got)) != n*1000 {
			t.Errorf("%d: %v", n, got)
		}
	}
}

// TestZerosOfFooters: a zero in a Parquet file's statistics may stand for either.
func TestZerosOfFooters(t *testing.T) {
	column := schema.NewColumn(schema.NewFloat64Node("d", parquet.Repetitions.Optional, 1), 1, 0)
	for _, zero := range []float64{0, math.Copysign(0, -1)} {
		b := binary.LittleEndian.AppendUint64(nil, math.Float64bits(zero))
		for _, upper := range []bool{false, true} {
			got := parquetBound(iceberg.PrimitiveTypes.Float64, column, b, upper, 16)
			if math.Signbit(math.Float64frombits(binary.LittleEndian.Uint64(got))) == upper {
				t.Errorf("%v, upper: %v: %v", zero, upper, got)
			}
		}
	}
}

// TestDepth: braces in texts don't count, nor do those that are closed.
func TestDepth(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":[`, n) + strings.Repeat(`]}`, n) }
	for text, ok := range map[string]bool{deep(500): true, deep(501): false, strings.Repeat("[", 1<<20): false, `["` + strings.Repeat(`{\"[`, 2000) + `"]`: true,
		"[" + strings.Repeat(deep(2)+",", 2000) + "1]": true, `["\\",` + deep(500) + "]": false} {
		if err := checkDepth([]byte(text)); (err == nil) != ok {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}
