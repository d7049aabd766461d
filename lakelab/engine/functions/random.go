package functions

import (
	"encoding/binary"
	"math"
	"sync"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// A seed gives Spark's own numbers, in the order of the rows: those that Spark gives where the rows are one partition.

func randomFunctions() {
	number := func(name, doc, unseeded, udf string) *expr.Func {
		f := nondeterministic(ruled(name+"([seed])", doc, seeded("seed? -> double!", 0, nil), func(c *expr.Call, a []string) string {
			if len(a) == 0 {
				return unseeded
			}
			return udf + "(coalesce(" + a[0] + ", 0), " + rowIndex + ")"
		}))
		f.ByRow = func(c *expr.Call) bool { return len(c.Args) > 0 }
		return f
	}
	text := byRow(nondeterministic(ruled("randstr(length[, seed])", "a random text of letters and digits", seeded("int, seed? -> string!", 1, constants("integer", "length")), func(c *expr.Call, a []string) string {
		seed := "CAST(random() * 4294967296 AS BIGINT)"
		if len(a) > 1 {
			seed = "coalesce(" + a[1] + ", 0)"
		}
		length := "coalesce(" + a[0] + ", 0)"
		return "CASE WHEN " + length + " < 0 THEN " + Fail(c, "INVALID_PARAMETER_VALUE.LENGTH", "'randstr'", "CAST("+length+" AS VARCHAR)") +
			" ELSE spark_randstr(" + seed + ", " + length + ", " + rowIndex + ") END"
	})))
	uniform := byRow(nondeterministic(ruled("uniform(min, max[, seed])", "a random number between two, of their common type", seeded("plain, plain, seed? -> void!", 2, uniformType), func(c *expr.Call, a []string) string {
		r := "random()"
		if len(a) > 2 {
			r = "spark_rand(coalesce(" + a[2] + ", 0), " + rowIndex + ")"
		}
		x := "(CAST(" + a[0] + " AS DOUBLE) + (CAST(" + a[1] + " AS DOUBLE) - CAST(" + a[0] + " AS DOUBLE)) * " + r + ")"
		switch c.T.Kind {
		case types.Byte, types.Short, types.Int, types.Long:
			x = "trunc(" + x + ")"
		}
		return typedAs(c.T, x)
	})))
	spark(
		defaults(1, number("rand", "a random number from 0 to 1", "random()", "spark_rand")),
		shown("rand", number("random", "a random number from 0 to 1", "random()", "spark_rand")),
		number("randn", "a random number, normally distributed", "(sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()))", "spark_randn"),
		text, uniform,
	)
	failing("spark_rand", "long, long -> double", func(a []any) (any, error) {
		return uniforms.at(a[0].(int64), a[1].(int64)), nil
	})
	failing("spark_randn", "long, long -> double", func(a []any) (any, error) {
		return gaussians.at(a[0].(int64), a[1].(int64)), nil
	})
	failing("spark_randstr", "long, int, long -> string", func(a []any) (any, error) {
		n := int64(a[1].(int32))
		out := make([]byte, n)
		for i := range out {
			out[i] = letters.at(a[0].(int64), a[2].(int64)*n+int64(i))
		}
		return string(out), nil
	})
}

// rowIndex counts the rows of a projection from 0: plan puts a ByRow call into one.
const rowIndex = "(row_number() OVER () - 1)"

// seeded checks a call's types, and that its seed, the argument at a place, is a constant.
func seeded(kinds string, at int, then func(*expr.Call) error) func(*expr.Call) error {
	r := parseRule(kinds)
	return func(c *expr.Call) error {
		if err := r.resolve(c); err != nil {
			return err
		}
		if then != nil {
			if err := then(c); err != nil {
				return err
			}
		}
		if len(c.Args) > at && !Foldable(c.Args[at]) {
			return errclass.SeedUnfoldable(at + 1)
		}
		return nil
	}
}

func constants(what string, names ...string) func(*expr.Call) error {
	return func(c *expr.Call) error {
		for i, n := range names {
			if !Foldable(c.Args[i]) {
				return errclass.NonFoldableKind(n, i+1, what)
			}
		}
		return nil
	}
}

func uniformType(c *expr.Call) error {
	a, b := c.Args[0].Type(), c.Args[1].Type()
	switch {
	case a.Kind == types.Null || b.Kind == types.Null:
		c.T = types.Of(types.Double)
	case a.IsIntegral() && b.IsIntegral():
		c.T = a
		if b.Kind > a.Kind {
			c.T = b
		}
	case a.Kind == types.Double || b.Kind == types.Double:
		c.T = types.Of(types.Double)
	case a.Kind == types.Float || b.Kind == types.Float:
		c.T = types.Of(types.Float)
	case a.Kind == types.Decimal && (b.Kind != types.Decimal || a.Precision-a.Scale >= b.Precision-b.Scale):
		c.T = a
	default:
		c.T = b
	}
	return constants("integer or floating-point", "min", "max")(c)
}

// generator is Spark's XORShiftRandom.
type generator struct{ state int64 }

func newGenerator(seed int64) generator {
	b := binary.BigEndian.AppendUint64(nil, uint64(seed))
	low := murmurStandard(b, 0x3c074a61)
	high := murmurStandard(b, uint32(low))
	return generator{int64(high)<<32 | int64(uint32(low))}
}

func (g *generator) next(n int) int32 {
	s := g.state ^ g.state<<21
	s ^= int64(uint64(s) >> 35)
	s ^= s << 4
	g.state = s
	return int32(s & (1<<n - 1))
}

func (g *generator) double() float64 { return javaNextDouble(g.next) }

// pair is what two calls of nextGaussian give.
func (g *generator) pair() [2]float64 {
	for {
		a := 2*g.double() - 1
		b := 2*g.double() - 1
		if s := a*a + b*b; s < 1 && s != 0 {
			m := math.Sqrt(-2 * math.Log(s) / s)
			return [2]float64{a * m, b * m}
		}
	}
}

func (g *generator) letter() byte {
	n := g.next(32) % 62
	if n < 0 {
		n = -n
	}
	switch {
	case n < 10:
		return '0' + byte(n)
	case n < 36:
		return 'a' + byte(n-10)
	}
	return 'A' + byte(n-36)
}

// sequence gives the elements of a seed's sequence by place. Rows come in batches from several threads, so it keeps a cursor for
// each of the last places asked for, and a mark now and then to start again from.
type sequence[T any] struct {
	// step gives some elements at a time.
	step func(*generator) []T

	mu    sync.Mutex
	seeds map[int64]*seedState[T]
}

type seedState[T any] struct {
	marks   []cursor[T] // every markEach-th place
	cursors map[int64]cursor[T]
}

// cursor stands before the element at a place: elements already made, then the generator's.
type cursor[T any] struct {
	place int64
	made  []T
	g     generator
}

const (
	markEach    = 4096
	mostCursors = 16
	mostSeeds   = 64
)

func (s *sequence[T]) at(seed, place int64) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.seeds[seed]
	if p == nil {
		if s.seeds == nil || len(s.seeds) >= mostSeeds {
			s.seeds = map[int64]*seedState[T]{}
		}
		p = &seedState[T]{marks: []cursor[T]{{g: newGenerator(seed)}}, cursors: map[int64]cursor[T]{}}
		s.seeds[seed] = p
	}
	c, ok := p.cursors[place]
	if ok {
		delete(p.cursors, place)
	} else {
		c = p.marks[min(place/markEach, int64(len(p.marks)-1))]
	}
	for {
		if len(c.made) == 0 {
			c.made = s.step(&c.g)
		}
		v := c.made[0]
		c.made = c.made[1:]
		c.place++
		if c.place == int64(len(p.marks))*markEach {
			p.marks = append(p.marks, c)
		}
		if c.place > place {
			if len(p.cursors) >= mostCursors {
				clear(p.cursors)
			}
			p.cursors[c.place] = c
			return v
		}
	}
}

var (
	uniforms  = sequence[float64]{step: func(g *generator) []float64 { return []float64{g.double()} }}
	gaussians = sequence[float64]{step: func(g *generator) []float64 { p := g.pair(); return p[:] }}
	letters   = sequence[byte]{step: func(g *generator) []byte { return []byte{g.letter()} }}
)
