package taxi

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Defaults of Options.
const (
	DefaultRows = 200_000
	DefaultSeed = 20240101
)

// Options of Generate. A zero field means its default.
type Options struct {
	Rows int    // number of trips, DefaultRows
	Seed uint64 // DefaultSeed
	Dir  string // folder of the two files; it is made if it is missing
}

// Generate writes a month of trips (January 2024), in the order of pick-ups, and the zone lookup.
//
// The same rows and seed give the same values on every machine and with every Go version: the generator is our own
// (random.go) and all arithmetic is done in integers (cents, hundredths of a mile, microseconds), with one division at
// the end.
func Generate(ctx context.Context, opts Options) error {
	if opts.Rows == 0 {
		opts.Rows = DefaultRows
	}
	if opts.Seed == 0 {
		opts.Seed = DefaultSeed
	}
	if opts.Rows < 0 {
		return fmt.Errorf("the number of rows is negative: %d", opts.Rows)
	}
	zones, err := cityZones()
	if err != nil {
		return err
	}
	if err := writeZones(filepath.Join(opts.Dir, ZonesFile), zones); err != nil {
		return err
	}
	g := newGenerator(opts, zones)
	_, err = writeTrips(filepath.Join(opts.Dir, TripsFile), func() (arrow.RecordBatch, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return g.batch(rowGroup)
	})
	return err
}

type generator struct {
	r       *random
	rows    int
	done    int
	weights []int // of the zones, cumulative
	zones   []zone
	builder *array.RecordBuilder
}

func newGenerator(opts Options, zones []zone) *generator {
	g := &generator{r: newRandom(opts.Seed), rows: opts.Rows, zones: zones, builder: array.NewRecordBuilder(memory.DefaultAllocator, Schema())}
	sum := 0
	for _, z := range zones {
		sum += zoneWeight(z)
		g.weights = append(g.weights, sum)
	}
	return g
}

func (g *generator) batch(limit int) (arrow.RecordBatch, error) {
	n := min(limit, g.rows-g.done)
	if n == 0 {
		return nil, io.EOF
	}
	g.builder.Reserve(n)
	for range n {
		g.append(g.trip())
		g.done++
	}
	return g.builder.NewRecordBatch(), nil
}

// trip is one row; money in cents, distance in hundredths of a mile, times in microseconds since 1970.
type trip struct {
	vendor, pickupZone, dropoffZone           int32
	pickup, dropoff                           int64
	passengers, distance, rate, payment       int64
	flag                                      string
	fare, extra, mta, tip, tolls, improvement int64
	total, congestion, airport                int64
}

func (g *generator) trip() trip {
	r := g.r
	t := trip{
		vendor:      int32(pick(r, vendors)),
		passengers:  pick(r, passengers),
		rate:        pick(r, rates),
		payment:     pick(r, payments),
		extra:       pick(r, extras),
		congestion:  pick(r, congestions),
		pickupZone:  int32(r.cumulative(g.weights) + 1),
		dropoffZone: int32(r.cumulative(g.weights) + 1),
		flag:        "N",
		mta:         50,
		improvement: 100,
	}
	fromAirport, toAirport := isAirport(t.pickupZone), isAirport(t.dropoffZone)
	if fromAirport || toAirport {
		t.distance = r.quantile(airportDistances)
	} else {
		t.distance = r.quantile(distances)
	}
	if fromAirport {
		t.airport = airportFee
	}
	if r.chance(5, 1000) {
		t.flag = "Y"
	}
	if r.chance(70, 1000) {
		t.tolls = 694
	}
	seconds := 60 + t.distance*r.between(pace(t.distance))/100
	t.pickup = g.pickupTime()
	t.dropoff = t.pickup + seconds*1e6
	t.fare = (300 + t.distance*350/100 + seconds*35/60 + 5) / 10 * 10 // meters count in ten cents
	if g.flatFare(t) {
		t.rate, t.fare = jfkRate, jfkFare
	}
	if t.payment == creditCard {
		t.tip = t.fare * pick(r, tipPercents) / 100 // cash tips aren't recorded
	}
	if r.chance(4, 1000) { // a voided trip: TLC's files hold it as a second row with the signs turned
		t.fare, t.mta, t.improvement = -t.fare, -t.mta, -t.improvement
	}
	t.total = t.fare + t.extra + t.mta + t.tip + t.tolls + t.improvement + t.congestion + t.airport
	g.spoil(&t, seconds)
	return t
}

func isAirport(zone int32) bool { return zone == jfk || zone == laGuardia }

// flatFare says whether a trip goes between JFK and Manhattan.
func (g *generator) flatFare(t trip) bool {
	manhattan := func(id int32) bool { return g.zones[id-1].borough == "Manhattan" }
	return t.pickupZone == jfk && manhattan(t.dropoffZone) || manhattan(t.pickupZone) && t.dropoffZone == jfk
}

// pickupTime spreads trips over the month in rising order, few at night and many in the evening.
func (g *generator) pickupTime() int64 {
	const days, unit = 31, 1_000_000
	// Each trip has its own slot of the month; inside it the time is drawn, so the file stays sorted at any size.
	pos := (int64(g.done)*unit + g.r.below(unit)) * days / int64(g.rows) // in millionths of a day
	day, within := pos/unit, pos%unit
	within = within * int64(hourWeights[len(hourWeights)-1]) // in millionths of an hour's weight
	hour, before := 0, int64(0)
	for ; int64(hourWeights[hour])*unit <= within; hour++ {
		before = int64(hourWeights[hour]) * unit
	}
	width := int64(hourWeights[hour])*unit - before
	second := int64(hour)*3600 + (within-before)*3600/width
	return month.Add(time.Duration(day*86400+second) * time.Second).UnixMicro()
}

// spoil gives few trips the flaws of the real files: a taximeter clock that was reset, a pick-up in a neighbouring
// month, no duration, an end before the beginning.
func (g *generator) spoil(t *trip, seconds int64) {
	switch n := g.r.below(40_000); {
	case n < 2:
		t.pickup = clockReset.UnixMicro() + g.r.below(3600)*1e6
		t.dropoff = t.pickup + seconds*1e6
	case n < 4:
		t.pickup = month.UnixMicro() - (1+g.r.below(3600))*1e6
		t.dropoff = t.pickup + seconds*1e6
	case n < 24:
		t.dropoff = t.pickup
	case n < 28:
		t.dropoff = t.pickup - seconds*1e6
	}
}

func (g *generator) append(t trip) {
	i := 0
	next := func() array.Builder { i++; return g.builder.Field(i - 1) }
	known := t.payment != unknownPayment // TLC leaves five columns empty when the payment is unknown
	i32 := func(v int32) { next().(*array.Int32Builder).Append(v) }
	ts := func(v int64) { next().(*array.TimestampBuilder).Append(arrow.Timestamp(v)) }
	i64 := func(v int64, valid bool) {
		b := next().(*array.Int64Builder)
		appendOr(valid, b, func() { b.Append(v) })
	}
	hundredths := func(v int64, valid bool) {
		b := next().(*array.Float64Builder)
		appendOr(valid, b, func() { b.Append(float64(v) / 100) })
	}
	i32(t.vendor)
	ts(t.pickup)
	ts(t.dropoff)
	i64(t.passengers, known)
	hundredths(t.distance, true)
	i64(t.rate, known)
	flags := next().(*array.StringBuilder)
	appendOr(known, flags, func() { flags.Append(t.flag) })
	i32(t.pickupZone)
	i32(t.dropoffZone)
	i64(t.payment, true)
	for _, money := range []int64{t.fare, t.extra, t.mta, t.tip, t.tolls, t.improvement, t.total} {
		hundredths(money, true)
	}
	hundredths(t.congestion, known)
	hundredths(t.airport, known)
}

func appendOr(valid bool, b array.Builder, add func()) {
	if valid {
		add()
	} else {
		b.AppendNull()
	}
}
