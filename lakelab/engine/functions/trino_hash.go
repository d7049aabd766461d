package functions

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's murmur3 ("Binary functions and operators") and checksum ("Aggregate functions").

// checksumPrime is what a hash is multiplied with before it is added up, and what NULL counts.
const checksumPrime = 0x9e3779b185ebca87

func init() {
	trino(tr("murmur3", "MurmurHash3 of 128 bits", "trino_murmur3($1)"))
	sum := ta("checksum", "a checksum of the values, whatever their order", func(c *expr.Call, a []string) string {
		hash := checksumHash(c.Args[0].Type(), a[0])
		prime := int64(math.MinInt64) + int64(checksumPrime&math.MaxInt64)
		return "trino_checksum(CAST(" + agg(c, "sum", "CAST(coalesce("+hash+", "+big.NewInt(prime).String()+") AS HUGEINT)", "") + " AS VARCHAR))"
	})
	sum.Resolve = func(c *expr.Call) error {
		if err := bindTrino(c); err != nil {
			return err
		}
		if t := c.Args[0].Type(); checksumHash(t, "") == "" {
			return errclass.UnsupportedStatement(sql.Trino, "checksum of "+t.Trino())
		}
		return nil
	}
	trino(sum)
	define("trino_checksum", "string -> binary", func(a []any) any {
		n, ok := new(big.Int).SetString(a[0].(string), 10)
		if !ok {
			return nil
		}
		low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)) // of a negative number too: And is two's complement
		return binary.LittleEndian.AppendUint64(nil, low.Uint64())
	})
	scaled := func(h uint64) int64 { return int64(h * checksumPrime) }
	define("trino_checksum_long", "long -> long", func(a []any) any { return scaled(xxLong(a[0].(int64), 0)) })
	define("trino_checksum_double", "double -> long", func(a []any) any {
		return scaled(xxLong(int64(math.Float64bits(a[0].(float64)+0)), 0)) // + 0 makes 0 of -0
	})
	define("trino_checksum_text", "string -> long", func(a []any) any { return scaled(xxBytes([]byte(a[0].(string)), 0)) })
	define("trino_checksum_bytes", "binary -> long", func(a []any) any { return scaled(xxBytes(a[0].([]byte), 0)) })
	define("trino_checksum_date", "date -> long", func(a []any) any { return scaled(xxLong(a[0].(time.Time).Unix()/86400, 0)) })
	define("trino_murmur3", "binary -> binary", func(a []any) any { return murmur128(a[0].([]byte)) })
}

// checksumHash prints a value's hash, multiplied; empty for types that have none here.
func checksumHash(t types.Type, s string) string {
	switch t.Kind {
	case types.Boolean:
		return "trino_checksum_long(CAST(" + s + " AS BIGINT))"
	case types.Byte, types.Short, types.Int, types.Long, types.DayTimeInterval, types.YearMonthInterval:
		return "trino_checksum_long(CAST(" + s + " AS BIGINT))"
	case types.Decimal:
		if t.Precision <= 18 {
			return "trino_checksum_long(CAST(" + s + " * CAST(1e" + itoa(t.Scale) + " AS DECIMAL(19, 0)) AS BIGINT))"
		}
	case types.Double:
		return "trino_checksum_double(" + s + ")"
	case types.String:
		return "trino_checksum_text(" + s + ")"
	case types.Binary:
		return "trino_checksum_bytes(" + s + ")"
	case types.Date:
		return "trino_checksum_date(" + s + ")"
	}
	return ""
}

// murmur128 is MurmurHash3 of 128 bits for 64-bit machines, with seed 0.
func murmur128(b []byte) []byte {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	var h1, h2 uint64
	mix1 := func(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }
	mix2 := func(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }
	rest := b
	for ; len(rest) >= 16; rest = rest[16:] {
		h1 ^= mix1(binary.LittleEndian.Uint64(rest))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= mix2(binary.LittleEndian.Uint64(rest[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], rest)
	if len(rest) > 8 {
		h2 ^= mix2(binary.LittleEndian.Uint64(tail[8:]))
	}
	if len(rest) > 0 {
		h1 ^= mix1(binary.LittleEndian.Uint64(tail[:]))
	}
	h1, h2 = h1^uint64(len(b)), h2^uint64(len(b))
	h1 += h2
	h2 += h1
	finish := func(k uint64) uint64 {
		k = (k ^ k>>33) * 0xff51afd7ed558ccd
		k = (k ^ k>>33) * 0xc4ceb9fe1a85ec53
		return k ^ k>>33
	}
	h1, h2 = finish(h1), finish(h2)
	h1 += h2
	h2 += h1
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, h1), h2)
}
