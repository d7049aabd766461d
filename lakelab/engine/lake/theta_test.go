package lake

import (
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"github.com/apache/iceberg-go"
)

// TestTheta compares sketches with those that compute_table_stats of real Spark 4.0.1 with Iceberg 1.10.1 wrote for the same values.
func TestTheta(t *testing.T) {
	texts := func(format string, n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf(format, i))
		}
		return out
	}
	for _, c := range []struct {
		typ    iceberg.Type
		values []string
		want   string
	}{
		{iceberg.PrimitiveTypes.String, texts("n%d", 7), "02030300001acc93070000000000803fdd5dca4d29383406f6d1627407491608987319601604040a01196917008d6912308c7c9b228165174648b82dcad69f53744331dd2d27f16f"},
		{iceberg.DecimalTypeOf(10, 2), texts("%d.00", 3), "02030300001acc93030000000000803f5443e83313d70104c7bd0fc2c732dd2ee05f35ed751d0073"},
		{iceberg.PrimitiveTypes.Date, []string{"19723"}, "01030300003acc93d04d9cd556319366"},
		{iceberg.PrimitiveTypes.TimestampTz, []string{"1704067200000000"}, "01030300003acc938e5038e3ea7df750"},
		{iceberg.PrimitiveTypes.Bool, []string{"true", "false"}, "02030300001acc93020000000000803f649f00331e40e8035443e83313d70104"},
		{iceberg.PrimitiveTypes.Binary, []string{"6230", "6231", "6232", "6233"}, "02030300001acc93040000000000803f8f2b05481e6ec7054b588526c4ff43092e59a828fbbec01198d1587a9a20af58"},
		{iceberg.PrimitiveTypes.String, nil, "01030300001e0000"},
	} {
		sketch := newTheta()
		for range 2 { // a value counts once
			for _, v := range c.values {
				b, err := singleValue(c.typ, v)
				if err != nil {
					t.Fatal(err)
				}
				sketch.add(b)
			}
		}
		if got := hex.EncodeToString(sketch.bytes()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.typ, got, c.want)
		}
		if n := sketch.estimate(); n != int64(len(c.values)) {
			t.Errorf("%s: %d values are estimated as %d", c.typ, len(c.values), n)
		}
	}
}

// TestThetaEstimates counts more values than a sketch keeps: the estimate is near, and the sketch no larger for it.
func TestThetaEstimates(t *testing.T) {
	sketch := newTheta()
	const n = 200_000
	for i := range n {
		sketch.add(fmt.Appendf(nil, "value %d", i))
	}
	if e := float64(sketch.estimate()); math.Abs(e-n) > 0.05*n {
		t.Errorf("%d values are estimated as %.0f", n, e)
	}
	if b := sketch.bytes(); len(b) != 24+8*thetaEntries || b[0] != 3 {
		t.Errorf("%d bytes, %d words before the hashes", len(b), b[0])
	}
}
