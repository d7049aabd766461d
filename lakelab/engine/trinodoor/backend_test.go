package trinodoor

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

const transactionID = "5516885f-bcd7-4d60-a08c-42576041bd00"

// table is a backend's result at hand: batches of rows, each after a while.
type table struct {
	ctx     context.Context
	schema  types.Type
	batches [][][]any
	wait    time.Duration
	fail    error
	update  string
	count   int64
	changes Changes
	closed  *atomic.Int32
	endless [][]any // given times times in place of batches
	times   int
}

func (t *table) Schema() types.Type { return t.schema }

func (t *table) Next() ([][]any, error) {
	select {
	case <-time.After(t.wait):
	case <-t.ctx.Done():
		return nil, t.ctx.Err()
	}
	if t.times > 0 {
		t.times--
		return t.endless, nil
	}
	if len(t.batches) == 0 {
		return nil, t.fail
	}
	b := t.batches[0]
	t.batches = t.batches[1:]
	return b, nil
}

func (t *table) Close() error               { t.closed.Add(1); return nil }
func (t *table) UpdateType() string         { return t.update }
func (t *table) UpdateCount() (int64, bool) { return t.count, t.count >= 0 }
func (t *table) Changes() Changes           { return t.changes }

// statements is a backend that knows some statements.
type statements struct {
	closed   atomic.Int32
	began    atomic.Int32
	sessions chan Session
}

func field(name string, t types.Type) types.Field { return types.Field{Name: name, Type: t} }

func (b *statements) Execute(ctx context.Context, s Session, sql string) (Result, error) {
	select {
	case b.sessions <- s:
	default:
	}
	b.began.Add(1)
	r := &table{ctx: ctx, schema: types.StructOf(), count: -1, closed: &b.closed}
	long := types.Of(types.Long)
	switch sql {
	case "SELECT every type":
		r.schema = types.StructOf(everyType...)
		r.batches = [][][]any{everyValue, nulls(len(everyType))}
	case "SELECT pages":
		r.schema = types.StructOf(field("n", long))
		r.batches = [][][]any{{{int64(1)}, {int64(2)}}, {{int64(3)}}, {{int64(4)}}}
	case "SELECT many":
		r.schema = types.StructOf(field("n", long))
		batch := make([][]any, 1000)
		for i := range batch {
			batch[i] = []any{int64(i)}
		}
		for range 200 {
			r.batches = append(r.batches, batch)
		}
	case "SELECT a million":
		r.schema = types.StructOf(field("n", long), field("s", types.Of(types.String)))
		for i := range 1000 {
			r.endless = append(r.endless, []any{int64(i), "a text of about fifty bytes, so that a page is big"})
		}
		r.times = 1000
	case "SELECT one batch":
		r.schema = types.StructOf(field("s", types.Of(types.String)))
		big := strings.Repeat("x", 100_000)
		batch := make([][]any, 50)
		for i := range batch {
			batch[i] = []any{big}
		}
		r.batches = [][][]any{{}, batch}
	case "SELECT nothing":
		r.schema = types.StructOf(field("n", long))
	case "SELECT slowly":
		r.schema = types.StructOf(field("n", long))
		r.batches, r.wait = [][][]any{{{int64(1)}}}, 1500*time.Millisecond
	case "SELECT endlessly":
		r.schema, r.wait = types.StructOf(field("n", long)), time.Hour
	case "SELECT deaf": // it does not see that it is to end
		time.Sleep(3 * time.Second)
	case "SELECT late error":
		r.schema = types.StructOf(field("n", long))
		r.batches = [][][]any{{{int64(1)}}}
		r.fail = &errclass.Error{Exception: "TrinoUserError", Class: "DIVISION_BY_ZERO", Code: 8, Message: "Division by zero"}
	case "SELECT panic":
		panic("a defect of the engine")
	case "SELECT interval":
		r.schema = types.StructOf(field("i", types.Of(types.CalendarInterval)))
		r.batches = [][][]any{{{types.Interval{Months: 1, Days: 1}}}}
	case "SELECT pickup_borough FROM trips":
		at := token.Span{}
		at.Start.Line, at.Start.Col = 1, 7
		return nil, errclass.TrinoColumnNotFound("pickup_borough").At(at)
	case "SELECT defect":
		return nil, context.DeadlineExceeded
	case "INSERT":
		r.update, r.count = "INSERT", 2
	case "CREATE SCHEMA s":
		r.update = "CREATE SCHEMA"
	case "USE lakehouse.demo":
		r.update = "USE"
		r.changes = Changes{Catalog: "lakehouse", Schema: "demo", SetSession: map[string]string{"a.b": "x, y"}, ClearSession: []string{"c"},
			AddedPrepare: map[string]string{"мой p": "SELECT ?"}, DeallocatedPrepare: []string{"q+"}}
	case "START TRANSACTION":
		r.update = "START TRANSACTION"
		r.changes = Changes{StartedTransaction: transactionID}
	case "COMMIT":
		r.update = "COMMIT"
		r.changes = Changes{ClearTransaction: true}
	default:
		return nil, &errclass.Error{Exception: "TrinoUserError", Class: "SYNTAX_ERROR", Code: 1, Message: "mismatched input " + sql}
	}
	return r, nil
}

func open(t testing.TB) (*Door, *statements) { return openWith(t, pageBytes) }

// openWith opens a door with pages of another size.
func openWith(t testing.TB, pageBytes int) (*Door, *statements) {
	t.Helper()
	b := &statements{sessions: make(chan Session, 1)}
	d, err := listen("127.0.0.1:0", b, nil, pageBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d, b
}

// The types and values of goldens' table demo.trips (see the wire facts in values_test.go), and what the engine has besides.
var everyType = []types.Field{
	field("id", types.Of(types.Long)), field("i", types.Of(types.Int)), field("ok", types.Of(types.Boolean)), field("city", types.Of(types.String)),
	field("fare", types.DecimalOf(10, 2)), field("day", types.Of(types.Date)), field("ts", types.Of(types.TimestampNTZ)), field("tz", types.Of(types.Timestamp)),
	field("t", types.Of(types.Time)), field("r", types.Of(types.Float)), field("d", types.Of(types.Double)), field("inf", types.Of(types.Double)),
	field("raw", types.Of(types.Binary)), field("u", types.Of(types.UUID)),
	field("dt", types.DayTime(types.Day, types.Second)), field("ym", types.YearMonth(types.Year, types.Month)),
	field("tags", types.ArrayOf(types.Of(types.String), true)), field("stamps", types.ArrayOf(types.Of(types.TimestampNTZ), true)),
	field("attrs", types.MapOf(types.Of(types.String), types.Of(types.Int), true)), field("byint", types.MapOf(types.Of(types.Int), types.Of(types.String), true)),
	field("pos", types.StructOf(field("lat", types.Of(types.Double)), field("lon", types.Of(types.Double)))),
}

// 2024-01-01 10:00:00.123456
const micros = 1704103200123456

var everyValue = [][]any{{
	int64(9007199254740993), int64(7), true, "Осло <&>",
	types.Dec("12.50"), types.Days(19723), types.Micros(micros), types.Micros(micros),
	int64(36672123456), float32(0.1), 1.0, inf,
	[]byte{0xca, 0xfe}, "12151fd2-7586-11e9-8f9e-2a86e4085a59",
	int64(86400e6), int64(24),
	[]any{"a", nil}, []any{types.Micros(micros)},
	[]types.Entry{{Key: "z", Value: int64(1)}, {Key: "k", Value: nil}}, []types.Entry{{Key: int64(1), Value: "a"}},
	[]any{59.9, 10.7},
}}

func nulls(n int) [][]any { return [][]any{make([]any, n)} }
