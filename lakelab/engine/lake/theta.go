package lake

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/twmb/murmur3"
)

// A theta sketch of Apache DataSketches says about how many different values a column has (the blob apache-datasketches-theta-v1 of a
// Puffin file). It keeps the values whose hashes are below a bound, theta: all of them while they are few, else as many as thetaEntries.

const (
	// thetaEntries is how many hashes an estimating sketch keeps, the library's default.
	thetaEntries = 4096
	// thetaSeed is the seed of the library's hash.
	thetaSeed = 9001
	// thetaSeedHash is the hash of the seed, by which readers tell sketches of another seed.
	thetaSeedHash = 0x93cc
)

// Bits of the sketch's flags.
const (
	thetaReadOnly = 1 << 1
	thetaEmpty    = 1 << 2
	thetaCompact  = 1 << 3
	thetaOrdered  = 1 << 4
	thetaSingle   = 1 << 5
)

// theta is a sketch that is being filled.
type theta struct {
	hashes map[uint64]bool
	bound  uint64 // hashes from it on are left out
}

func newTheta() *theta { return &theta{map[uint64]bool{}, math.MaxInt64} }

// add puts a value's bytes in; a value without bytes does not count, as in the library.
func (t *theta) add(value []byte) {
	if len(value) == 0 {
		return
	}
	h, _ := murmur3.SeedSum128(thetaSeed, thetaSeed, value)
	if h >>= 1; h == 0 || h >= t.bound {
		return
	}
	t.hashes[h] = true
	if len(t.hashes) > 4*thetaEntries {
		t.cut()
	}
}

// cut lowers the bound so that thetaEntries hashes are left.
func (t *theta) cut() {
	if len(t.hashes) <= thetaEntries {
		return
	}
	all := t.sorted()
	t.bound = all[thetaEntries]
	for _, h := range all[thetaEntries:] {
		delete(t.hashes, h)
	}
}

func (t *theta) sorted() []uint64 {
	all := make([]uint64, 0, len(t.hashes))
	for h := range t.hashes {
		all = append(all, h)
	}
	slices.Sort(all)
	return all
}

// estimate is about how many different values there were.
func (t *theta) estimate() int64 {
	t.cut()
	return int64(float64(len(t.hashes)) / (float64(t.bound) / math.MaxInt64))
}

// bytes is the sketch in the library's compact, ordered form (serial version 3).
func (t *theta) bytes() []byte {
	t.cut()
	all := t.sorted()
	estimating := t.bound != math.MaxInt64
	words, flags, seed := byte(2), byte(thetaReadOnly|thetaCompact|thetaOrdered), uint16(thetaSeedHash)
	switch {
	case estimating:
		words = 3
	case len(all) == 0:
		words, flags, seed = 1, flags|thetaEmpty, 0
	case len(all) == 1:
		words, flags = 1, flags|thetaSingle
	}
	const version, compactFamily = 3, 3
	b := []byte{words, version, compactFamily, 0, 0, flags}
	b = binary.LittleEndian.AppendUint16(b, seed)
	if words > 1 {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(all)))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(1)) // the sampling probability
	}
	if estimating {
		b = binary.LittleEndian.AppendUint64(b, t.bound)
	}
	for _, h := range all {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return b
}
