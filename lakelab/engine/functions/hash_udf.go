package functions

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

func hashUDFs() {
	define("spark_crc32", "binary -> long", func(a []any) any { return int64(crc32.ChecksumIEEE(a[0].([]byte))) })
	define("spark_sha2", "binary, int -> string", func(a []any) any {
		b := a[0].([]byte)
		var h []byte
		switch a[1].(int32) {
		case 0, 256:
			s := sha256.Sum256(b)
			h = s[:]
		case 224:
			s := sha256.Sum224(b)
			h = s[:]
		case 384:
			s := sha512.Sum384(b)
			h = s[:]
		case 512:
			s := sha512.Sum512(b)
			h = s[:]
		default:
			return nil
		}
		return hex.EncodeToString(h)
	})
	type hasher struct {
		name   string
		result string
		i32    func(v int32, seed any) any
		i64    func(v int64, seed any) any
		bytes  func(v []byte, seed any) any
	}
	for _, h := range []hasher{
		{"murmur", "int", func(v int32, s any) any { return murmurInt(v, s.(int32)) }, func(v int64, s any) any { return murmurLong(v, s.(int32)) }, func(v []byte, s any) any { return murmurBytes(v, s.(int32)) }},
		{"xxhash", "long", func(v int32, s any) any { return int64(xxInt(v, uint64(s.(int64)))) }, func(v int64, s any) any { return int64(xxLong(v, uint64(s.(int64)))) }, func(v []byte, s any) any { return int64(xxBytes(v, uint64(s.(int64)))) }},
	} {
		add := func(kind, arg string, f func(v, seed any) any) {
			withNulls("spark_"+h.name+"_"+kind, arg+", "+h.result+" -> "+h.result, func(a []any) (any, error) {
				if a[0] == nil {
					return a[1], nil
				}
				return f(a[0], a[1]), nil
			})
		}
		add("int", "int", func(v, s any) any { return h.i32(v.(int32), s) })
		add("long", "long", func(v, s any) any { return h.i64(v.(int64), s) })
		add("bytes", "binary", func(v, s any) any { return h.bytes(v.([]byte), s) })
		add("float", "float", func(v, s any) any {
			f := v.(float32)
			if f == 0 {
				f = 0 // -0.0 hashes as 0.0
			}
			if f != f {
				return h.i32(0x7fc00000, s)
			}
			return h.i32(int32(math.Float32bits(f)), s)
		})
		add("double", "double", func(v, s any) any {
			f := v.(float64)
			if f == 0 {
				f = 0
			}
			if f != f {
				return h.i64(0x7ff8000000000000, s)
			}
			return h.i64(int64(math.Float64bits(f)), s)
		})
		add("decimal", "string", func(v, s any) any {
			n, _ := new(big.Int).SetString(strings.Replace(v.(string), ".", "", 1), 10)
			return h.bytes(twosComplement(n), s)
		})
	}
}

// icebergHashUDFs are the hash behind Iceberg's bucket transform ("Bucket Transform Details" in the table spec): package lake writes
// bucket partitions with it.
func icebergHashUDFs() {
	define("iceberg_hash_long", "long -> int", func(a []any) any { return murmurLong(a[0].(int64), 0) })
	define("iceberg_hash_bytes", "binary -> int", func(a []any) any { return murmurStandard(a[0].([]byte), 0) })
	define("iceberg_hash_decimal", "string -> int", func(a []any) any {
		n, _ := new(big.Int).SetString(strings.Replace(a[0].(string), ".", "", 1), 10)
		return murmurStandard(twosComplement(n), 0)
	})
}

// twosComplement is Java's BigInteger.toByteArray.
func twosComplement(n *big.Int) []byte {
	if n.Sign() >= 0 {
		b := n.Bytes()
		if len(b) == 0 || b[0]&0x80 != 0 {
			b = append([]byte{0}, b...)
		}
		return b
	}
	size := new(big.Int).Sub(new(big.Int).Neg(n), big.NewInt(1)).BitLen()/8 + 1
	return new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size))).FillBytes(make([]byte, size))
}

func mixK(k uint32) uint32 { return bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593 }

func mixH(h, k uint32) uint32 { return bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64 }

func finishMurmur(h uint32, n int) int32 {
	h ^= uint32(n)
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return int32(h ^ h>>16)
}

func murmurInt(v, seed int32) int32 { return finishMurmur(mixH(uint32(seed), mixK(uint32(v))), 4) }

func murmurLong(v int64, seed int32) int32 {
	h := mixH(uint32(seed), mixK(uint32(v)))
	return finishMurmur(mixH(h, mixK(uint32(v>>32))), 8)
}

// murmurBytes is Spark's variant: bytes behind the last whole word are mixed in one by one, as signed numbers.
func murmurBytes(b []byte, seed int32) int32 {
	h := uint32(seed)
	n := len(b) &^ 3
	for i := 0; i < n; i += 4 {
		h = mixH(h, mixK(binary.LittleEndian.Uint32(b[i:])))
	}
	for _, c := range b[n:] {
		h = mixH(h, mixK(uint32(int32(int8(c)))))
	}
	return finishMurmur(h, len(b))
}

// murmurStandard is the published 32-bit variant.
func murmurStandard(b []byte, seed uint32) int32 {
	h := seed
	n := len(b) &^ 3
	for i := 0; i < n; i += 4 {
		h = mixH(h, mixK(binary.LittleEndian.Uint32(b[i:])))
	}
	tail := uint32(0)
	for i, c := range b[n:] {
		tail |= uint32(c) << (8 * i)
	}
	return finishMurmur(h^mixK(tail), len(b))
}

const (
	xx1 uint64 = 0x9E3779B185EBCA87
	xx2 uint64 = 0xC2B2AE3D27D4EB4F
	xx3 uint64 = 0x165667B19E3779F9
	xx4 uint64 = 0x85EBCA77C2B2AE63
	xx5 uint64 = 0x27D4EB2F165667C5
)

func xxEnd(h uint64) uint64 {
	h ^= h >> 33
	h *= xx2
	h ^= h >> 29
	h *= xx3
	return h ^ h>>32
}

func xxInt(v int32, seed uint64) uint64 {
	h := seed + xx5 + 4
	h ^= uint64(uint32(v)) * xx1
	return xxEnd(bits.RotateLeft64(h, 23)*xx2 + xx3)
}

func xxLong(v int64, seed uint64) uint64 {
	h := seed + xx5 + 8
	h ^= bits.RotateLeft64(uint64(v)*xx2, 31) * xx1
	return xxEnd(bits.RotateLeft64(h, 27)*xx1 + xx4)
}

func xxBytes(b []byte, seed uint64) uint64 {
	n := len(b)
	var h uint64
	if n >= 32 {
		a1, a2, a3, a4 := seed+xx1+xx2, seed+xx2, seed, seed-xx1
		round := func(acc, v uint64) uint64 { return bits.RotateLeft64(acc+v*xx2, 31) * xx1 }
		for len(b) >= 32 {
			a1, a2 = round(a1, binary.LittleEndian.Uint64(b)), round(a2, binary.LittleEndian.Uint64(b[8:]))
			a3, a4 = round(a3, binary.LittleEndian.Uint64(b[16:])), round(a4, binary.LittleEndian.Uint64(b[24:]))
			b = b[32:]
		}
		h = bits.RotateLeft64(a1, 1) + bits.RotateLeft64(a2, 7) + bits.RotateLeft64(a3, 12) + bits.RotateLeft64(a4, 18)
		for _, a := range []uint64{a1, a2, a3, a4} {
			h = (h^round(0, a))*xx1 + xx4
		}
	} else {
		h = seed + xx5
	}
	h += uint64(n)
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^bits.RotateLeft64(binary.LittleEndian.Uint64(b)*xx2, 31)*xx1, 27)*xx1 + xx4
	}
	if len(b) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(b))*xx1, 23)*xx2 + xx3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*xx5, 11) * xx1
	}
	return xxEnd(h)
}
