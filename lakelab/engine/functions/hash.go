package functions

import (
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	blob := func(signature, doc, duck string) *expr.Func {
		return printed(signature, "blob -> string", doc, func(c *expr.Call, a []string) string { return duck + "(" + asBlob(c.Args[0], a[0]) + ")" })
	}
	spark(
		blob("md5(expr)", "MD5 in hex", "md5"), blob("sha(expr)", "SHA-1 in hex", "sha1"), blob("sha1(expr)", "SHA-1 in hex", "sha1"),
		printed("sha2(expr, bits)", "blob, int -> string?", "SHA-224, 256 (also 0), 384 or 512 in hex", func(c *expr.Call, a []string) string {
			if n, ok := constantInt(c.Args[1]); ok && (n == 0 || n == 256) {
				return "sha256(" + asBlob(c.Args[0], a[0]) + ")"
			}
			return "spark_sha2(" + asBlob(c.Args[0], a[0]) + ", " + a[1] + ")"
		}),
		printed("crc32(expr)", "blob -> long", "CRC-32", func(c *expr.Call, a []string) string { return "spark_crc32(" + asBlob(c.Args[0], a[0]) + ")" }),
		ruled("hash(expr, …)", "Murmur3 with seed 42", hashRule(types.Int), printHash("murmur", "42::INTEGER")),
		ruled("xxhash64(expr, …)", "xxHash64 with seed 42", hashRule(types.Long), printHash("xxhash", "42::BIGINT")),
	)
	hashUDFs()
	icebergHashUDFs()
}

func hashRule(k types.Kind) func(*expr.Call) error {
	return func(c *expr.Call) error {
		if len(c.Args) == 0 {
			return errclass.WrongNumArgs(c.Func.Name, "> 0", 0)
		}
		for _, a := range c.Args {
			if hasMap(a.Type()) {
				return errclass.HashMapType(c.Func.Name)
			}
		}
		c.T = types.Of(k)
		return nil
	}
}

func hasMap(t types.Type) bool {
	switch t.Kind {
	case types.Map:
		return true
	case types.Array:
		return hasMap(*t.Elem)
	case types.Struct:
		for _, f := range t.Fields {
			if hasMap(f.Type) {
				return true
			}
		}
	}
	return false
}

// printHash chains: the hash so far is the seed of the next value. NULL leaves it as it is.
func printHash(name, seed string) func(*expr.Call, []string) string {
	return func(c *expr.Call, a []string) string {
		h := seed
		for i, x := range c.Args {
			h = hashOf(name, x.Type(), a[i], h, 0)
		}
		return h
	}
}

func hashOf(name string, t types.Type, s, seed string, depth int) string {
	call := func(kind, s string) string { return "spark_" + name + "_" + kind + "(" + s + ", " + seed + ")" }
	switch t.Kind {
	case types.Null:
		return seed
	case types.Boolean, types.Byte, types.Short, types.Int:
		return call("int", "CAST("+s+" AS INTEGER)")
	case types.Date:
		return call("int", "CAST("+s+" - DATE '1970-01-01' AS INTEGER)")
	case types.YearMonthInterval:
		return call("int", "CAST("+s+" AS INTEGER)")
	case types.Long, types.DayTimeInterval:
		return call("long", s)
	case types.Timestamp, types.TimestampNTZ:
		return call("long", "epoch_us("+s+")")
	case types.Float:
		return call("float", s)
	case types.Double:
		return call("double", s)
	case types.Decimal:
		if t.Precision <= 18 {
			return call("long", "CAST("+unscaled(s, t, 0, "HUGEINT")+" AS BIGINT)")
		}
		return call("decimal", "CAST("+s+" AS VARCHAR)")
	case types.Binary:
		return call("bytes", s)
	case types.Array:
		h, e := "_h"+itoa(depth), "_x"+itoa(depth)
		// The seed and the elements must have one type for a fold: elements are hashed with the accumulator inside.
		return "list_reduce(list_prepend({'h': " + seed + ", 'e': CAST(NULL AS " + DuckType(*t.Elem) + ")}, list_transform(coalesce(" + s + ", []), lambda " + e + ": {'h': " + zeroOf(name) + ", 'e': " + e + "})), lambda " + h + ", " + e + ": {'h': " +
			hashOf(name, *t.Elem, e+".e", h+".h", depth+1) + ", 'e': " + h + ".e}).h"
	case types.Struct:
		for i, f := range t.Fields {
			seed = hashOf(name, f.Type, fieldAt(s, i), seed, depth+1)
		}
		return seed
	}
	return call("bytes", "encode("+textOf(t, s)+")")
}

func zeroOf(name string) string {
	if name == "murmur" {
		return "0::INTEGER"
	}
	return "0::BIGINT"
}
