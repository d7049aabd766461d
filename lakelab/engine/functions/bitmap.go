package functions

import (
	"math/bits"
	"strconv"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// Bitmaps of 32768 places: a number falls into a bucket, and into a place of it.

const bitmapBits = 4096 * 8

func bitmaps() {
	spark(
		row("bitmap_bit_position(n)", "long -> long", "place of a number in its bitmap", "(CASE WHEN $1 > 0 THEN ($1 - 1) % 32768 ELSE (-$1) % 32768 END)"),
		row("bitmap_bucket_number(n)", "long -> long", "number of the bitmap a number falls into", "(CASE WHEN $1 > 0 THEN 1 + ($1 - 1) // 32768 ELSE $1 // 32768 END)"),
		exactBinary(row("bitmap_count(bitmap)", "=binary -> long", "number of bits set", "spark_bitmap_count($1)")),
		aggregate("bitmap_construct_agg(place)", "a bitmap of the places", parseRule("long -> binary!").resolve, func(c *expr.Call, a []string) string {
			return "spark_bitmap_of(coalesce(" + agg(c, "list", a[0], a[0]+" IS NOT NULL") + ", []))"
		}),
		exactBinary(aggregate("bitmap_or_agg(bitmap)", "the bitmaps' union", parseRule("=binary -> binary!").resolve, func(c *expr.Call, a []string) string {
			return "spark_bitmap_or(coalesce(" + agg(c, "list", a[0], a[0]+" IS NOT NULL") + ", []))"
		})),
	)
	define("spark_bitmap_count", "binary -> long", func(a []any) any {
		n := 0
		for _, b := range a[0].([]byte) {
			n += bits.OnesCount8(b)
		}
		return int64(n)
	})
	failing("spark_bitmap_of", "longs -> binary", func(a []any) (any, error) {
		out := make([]byte, bitmapBits/8)
		for _, x := range a[0].([]any) {
			n := x.(int64)
			if n < 0 || n >= bitmapBits {
				return nil, raise("INVALID_BITMAP_POSITION", strconv.FormatInt(n, 10), strconv.Itoa(bitmapBits), strconv.Itoa(bitmapBits/8))
			}
			out[n/8] |= 1 << (n % 8)
		}
		return out, nil
	})
	define("spark_bitmap_or", "blobs -> binary", func(a []any) any {
		out := make([]byte, bitmapBits/8)
		for _, x := range a[0].([]any) {
			for i, b := range x.([]byte) {
				if i < len(out) {
					out[i] |= b
				}
			}
		}
		return out
	})
}

// exactBinary refuses NULL, too, where only bytes will do.
func exactBinary(f *expr.Func) *expr.Func {
	resolve := f.Resolve
	f.Resolve = func(c *expr.Call) error {
		if len(c.Args) == 1 && c.Args[0].Type().Kind == types.Null {
			return errclass.UnexpectedInputType(f.Name, 1, c.Args[0].Type(), types.Of(types.Binary))
		}
		return resolve(c)
	}
	return f
}
