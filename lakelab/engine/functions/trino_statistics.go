package functions

import (
	"math"
	"sort"

	"mini-lakehouse-lab/lakelab/engine/expr"
)

// Trino's distributions ("Mathematical functions and operators") and numeric_histogram ("Aggregate functions").

func init() {
	trino(
		tr("beta_cdf", "beta distribution", "trino_beta_cdf($1, $2, $3)"), tr("inverse_beta_cdf", "quantile of the beta distribution", "trino_inverse_beta_cdf($1, $2, $3)"),
		tr("t_cdf", "Student's t distribution", "trino_t_cdf($1, $2)"), tr("t_pdf", "density of Student's t distribution", "trino_t_pdf($1, $2)"),
		ta("numeric_histogram", "about how often values occur, in some buckets", func(c *expr.Call, a []string) string {
			weight := "1"
			if len(a) == 3 {
				weight = a[2]
			}
			pairs := agg(c, "list", "[CAST("+a[1]+" AS DOUBLE), CAST("+weight+" AS DOUBLE)]", a[1]+" IS NOT NULL")
			return let("trino_histogram(flatten("+pairs+"), "+a[0]+")", func(v string) string { return typedAs(c.T, pairsToMap(v)) })
		}),
	)
	failing("trino_beta_cdf", "double, double, double -> double", func(a []any) (any, error) {
		p, q, x := a[0].(float64), a[1].(float64), a[2].(float64)
		switch {
		case x < 0 || x > 1:
			return nil, badArgument("value must be 0 >= v >= 1")
		case p <= 0 || q <= 0:
			return nil, badArgument("a, b must be > 0")
		}
		return betaCDF(p, q, x), nil
	})
	failing("trino_inverse_beta_cdf", "double, double, double -> double", func(a []any) (any, error) {
		p, q, x := a[0].(float64), a[1].(float64), a[2].(float64)
		switch {
		case x < 0 || x > 1:
			return nil, badArgument("p must be 0 >= p >= 1")
		case p <= 0 || q <= 0:
			return nil, badArgument("a, b must be > 0")
		}
		return inverseBetaCDF(p, q, x), nil
	})
	freedom := func(f func(x, n float64) float64) func(a []any) (any, error) {
		return func(a []any) (any, error) {
			if a[1].(float64) < 1 {
				return nil, badArgument("degrees of freedom must be greater than or equal to 1")
			}
			return f(a[0].(float64), a[1].(float64)), nil
		}
	}
	failing("trino_t_cdf", "double, double -> double", freedom(func(x, n float64) float64 {
		tail := betaCDF(n/2, 0.5, n/(n+x*x)) / 2
		if x < 0 {
			return tail
		}
		return 1 - tail
	}))
	failing("trino_t_pdf", "double, double -> double", freedom(func(x, n float64) float64 {
		a, _ := math.Lgamma((n + 1) / 2)
		b, _ := math.Lgamma(n / 2)
		return math.Exp(a - b - (math.Log(math.Pi)+math.Log(n))/2 - (n+1)/2*math.Log(1+x*x/n))
	}))
	failing("trino_histogram", "doubles, long -> doubles", func(a []any) (any, error) {
		switch n := a[1].(int64); {
		case n < 2:
			return nil, badArgument("numeric_histogram bucket count must be greater than one")
		case n > math.MaxInt32:
			return nil, raise("TRINO", "GENERIC_INTERNAL_ERROR", "integer overflow")
		}
		return histogramOf(a[0].([]any), int(a[1].(int64))), nil
	})
}

// betaCDF is the regularized incomplete beta function, by its continued fraction.
func betaCDF(a, b, x float64) float64 {
	if x <= 0 || x >= 1 {
		return x
	}
	if x > (a+1)/(a+b+2) {
		return 1 - betaCDF(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(a*math.Log(x) + b*math.Log1p(-x) + lab - la - lb)
	const tiny = 1e-300
	c, d := 1.0, 1-(a+b)*x/(a+1)
	if math.Abs(d) < tiny {
		d = tiny
	}
	d = 1 / d
	f := d
	for i := 1; i <= 500; i++ {
		m := float64(i)
		for _, term := range []float64{m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)), -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))} {
			if d = 1 + term*d; math.Abs(d) < tiny {
				d = tiny
			}
			if c = 1 + term/c; math.Abs(c) < tiny {
				c = tiny
			}
			d = 1 / d
			f *= c * d
		}
		if math.Abs(c*d-1) < 1e-16 {
			break
		}
	}
	return front * f / a
}

// inverseBetaCDF finds the place of a probability by halving.
func inverseBetaCDF(a, b, p float64) float64 {
	if p == 0 || p == 1 {
		return p
	}
	low, high := 0.0, 1.0
	for range 200 {
		mid := (low + high) / 2
		if mid == low || mid == high {
			break
		}
		if betaCDF(a, b, mid) < p {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// histogramOf brings values with their weights, in turn, to a number of buckets: the two that lose least are joined, again and again.
// As in Trino, that is done whenever a hundred values have come in more than there are buckets.
func histogramOf(pairs []any, buckets int) []any {
	const spare = 100
	list := make([]bucket, 0, min(buckets+spare, len(pairs)/2)) // no more are ever needed, however many are asked for
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, bucket{pairs[i].(float64), pairs[i+1].(float64)})
		if len(list) == buckets+spare {
			list = compact(list, buckets)
		}
	}
	list = compact(list, buckets)
	out := make([]any, 0, 2*len(list))
	for _, b := range list {
		out = append(out, b.value, b.weight)
	}
	return out
}

type bucket struct{ value, weight float64 }

func (b bucket) with(o bucket) bucket {
	w := b.weight + o.weight
	return bucket{(b.value*b.weight + o.value*o.weight) / w, w}
}

// compact sorts buckets, joins those of one value, and then those that lose least until there are no more than a number of them.
func compact(list []bucket, most int) []bucket {
	sort.SliceStable(list, func(i, j int) bool { return list[i].value < list[j].value })
	n := 0
	for _, b := range list {
		if n > 0 && list[n-1].value == b.value {
			list[n-1] = list[n-1].with(b)
			continue
		}
		list[n] = b
		n++
	}
	list = list[:n]
	for len(list) > most {
		best, least := 0, math.Inf(1)
		for i := range len(list) - 1 {
			a, b := list[i], list[i+1]
			loss := (a.value - b.value) * (a.value - b.value) * a.weight * b.weight / (a.weight + b.weight)
			if loss < least {
				best, least = i, loss
			}
		}
		list[best] = list[best].with(list[best+1])
		list = append(list[:best+1], list[best+2:]...)
	}
	return list
}
