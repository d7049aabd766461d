package taxi

// random is SplitMix64 (Steele, Lea, Flood 2014): one addition and a mix per number. Written out here because the
// standard library may change how it turns a source into numbers of a range; the course's data must not change.
type random struct{ state uint64 }

func newRandom(seed uint64) *random { return &random{state: seed} }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number of [0, n), n up to 2³². The bias of the multiplication is below 2⁻³⁰.
func (r *random) below(n int64) int64 { return int64((r.next() >> 32) * uint64(n) >> 32) }

// between returns a number of [lo, hi].
func (r *random) between(lo, hi int64) int64 { return lo + r.below(hi-lo+1) }

func (r *random) chance(n, of int64) bool { return r.below(of) < n }

// cumulative draws an index by running sums of weights.
func (r *random) cumulative(sums []int) int {
	n := int(r.below(int64(sums[len(sums)-1])))
	lo, hi := 0, len(sums)-1
	for lo < hi {
		if mid := (lo + hi) / 2; sums[mid] <= n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// weighted is a value and its share, in thousandths.
type weighted struct {
	value int64
	share int64
}

func pick(r *random, from []weighted) int64 {
	n := r.below(1000)
	for _, w := range from {
		if n -= w.share; n < 0 {
			return w.value
		}
	}
	return from[len(from)-1].value
}

// knot says that a share of all values, in ten-thousandths, is at most value.
type knot struct{ share, value int64 }

// quantile draws from a distribution given by its quantiles, straight lines between them.
func (r *random) quantile(q []knot) int64 {
	n := r.below(10_000_000) // thousandths of a ten-thousandth
	i := 1
	for q[i].share*1000 <= n {
		i++
	}
	a, b := q[i-1], q[i]
	return a.value + (n-a.share*1000)*(b.value-a.value)/((b.share-a.share)*1000)
}
