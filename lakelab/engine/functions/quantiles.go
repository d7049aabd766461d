package functions

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// quantiles is the summary of Greenwald and Khanna, "Space-efficient Online Computation of Quantile Summaries", in the variant of
// Spark's approx_percentile: values gather in a buffer, are merged into the samples when it is full, and the samples are thinned out
// when they are many. Its answers are Spark's where the rows are one partition.
type quantiles struct {
	err     float64 // how far a rank may be off, as a part of all
	buffer  []float64
	samples []sample
	count   int64
}

// sample stands for the values behind the sample before, up to its own: how many they are, and how far its rank may be off.
type sample struct {
	value     float64
	n, unsure int64
}

const (
	quantilesBuffer  = 50000
	quantilesSamples = 10000
)

func (q *quantiles) add(v float64) {
	q.buffer = append(q.buffer, v)
	if len(q.buffer) < quantilesBuffer {
		return
	}
	if q.flush(); len(q.samples) >= quantilesSamples {
		q.compress()
	}
}

// flush merges the buffer into the samples.
func (q *quantiles) flush() {
	slices.SortFunc(q.buffer, compareDoubles)
	out := make([]sample, 0, len(q.samples)+len(q.buffer))
	at := 0
	for i, v := range q.buffer {
		for at < len(q.samples) && q.samples[at].value <= v {
			out = append(out, q.samples[at])
			at++
		}
		q.count++
		s := sample{value: v, n: 1}
		if last := at == len(q.samples) && i == len(q.buffer)-1; len(out) > 0 && !last {
			s.unsure = int64(math.Floor(2 * q.err * float64(q.count)))
		}
		out = append(out, s)
	}
	q.samples = append(out, q.samples[at:]...)
	q.buffer = q.buffer[:0]
}

// compareDoubles has NaN at the end and -0.0 before 0.0, as Java does.
func compareDoubles(a, b float64) int {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return cmp.Compare(bit(math.IsNaN(a)), bit(math.IsNaN(b)))
	case a == 0 && b == 0:
		return cmp.Compare(bit(math.Signbit(b)), bit(math.Signbit(a)))
	}
	return cmp.Compare(a, b)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compress joins neighbours that together are sure enough. The first and the last stay.
func (q *quantiles) compress() {
	q.flush()
	n := len(q.samples)
	if n == 0 {
		return
	}
	most := 2 * q.err * float64(q.count)
	head := q.samples[n-1]
	var out []sample // backwards
	for i := n - 2; i >= 1; i-- {
		if s := q.samples[i]; float64(s.n+head.n+head.unsure) < most {
			head.n += s.n
		} else {
			out = append(out, head)
			head = s
		}
	}
	out = append(out, head)
	if first := q.samples[0]; n > 1 && first.value <= head.value {
		out = append(out, first)
	}
	slices.Reverse(out)
	q.samples = out
}

// at gives the values at percentages; nil if there are none.
func (q *quantiles) at(percentages []any) any {
	q.compress()
	if q.count == 0 || len(percentages) == 0 {
		return nil
	}
	worst := int64(math.MinInt64)
	for _, s := range q.samples {
		worst = max(worst, s.unsure+s.n)
	}
	order := make([]int, len(percentages))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return percentages[order[i]].(float64) < percentages[order[j]].(float64) })
	out := make([]any, len(percentages))
	i, rank, last := 0, q.samples[0].n, len(q.samples)-1
	for _, place := range order {
		switch p := percentages[place].(float64); {
		case p <= q.err || last == 0:
			out[place] = q.samples[0].value
		case p >= 1-q.err:
			out[place] = q.samples[last].value
		default:
			i, rank = q.find(p, i, rank, worst/2)
			out[place] = q.samples[i].value
		}
	}
	return out
}

// find goes from sample i, whose least rank is given, to the one that holds the percentage.
func (q *quantiles) find(p float64, i int, rank, off int64) (int, int64) {
	wanted := int64(math.Ceil(p * float64(q.count)))
	for ; i < len(q.samples)-1; rank += q.samples[i].n {
		if rank+q.samples[i].unsure-off <= wanted && wanted <= rank+off {
			return i, rank
		}
		i++
	}
	return len(q.samples) - 1, 0
}
