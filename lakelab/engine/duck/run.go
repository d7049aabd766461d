package duck

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// RunOptions of Run.
type RunOptions struct {
	TimeZone string // the session's
	// Stream has the rows made as they are read, so that a result of any size needs little memory. A query that fails after some
	// thousands of rows is not run again in Spark's order of evaluation then.
	Stream bool
}

// batchRows is how many rows Next returns at most.
const batchRows = 1024

// Result is a running query.
type Result struct {
	ctx    context.Context
	types  []types.Type
	conn   *conn
	rows   rows
	node   plan.Node
	query  string
	stream bool
	given  bool // rows have been returned
}

// Run starts a plan's query.
func Run(ctx context.Context, db *DB, n plan.Node, opts RunOptions) (*Result, error) {
	query, err := SQL(ctx, n, PrintOptions{})
	if err != nil {
		return nil, err
	}
	c, err := db.In(opts.TimeZone).conn(ctx)
	if err != nil {
		return nil, err
	}
	r := &Result{ctx: ctx, conn: c, node: n, query: query, stream: opts.Stream}
	for _, col := range n.Output() {
		r.types = append(r.types, col.T)
	}
	if err := r.constants(); err != nil {
		c.Close()
		return nil, err
	}
	r.rows, err = r.start(r.query)
	if err != nil {
		if err := r.again(failure(ctx, err)); err != nil {
			c.Close()
			return nil, describe(err, query)
		}
	}
	return r, nil
}

// start starts a query on the result's connection.
func (r *Result) start(query string) (rows, error) {
	if r.stream {
		s, err := r.conn.stream(r.ctx, query)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	rows, err := r.conn.QueryContext(r.ctx, query)
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// describe adds the printed query to an error that is a defect of ours: DuckDB could not read or bind it.
func describe(err error, query string) error {
	if err == nil {
		return nil
	}
	if s := err.Error(); strings.Contains(s, "Binder Error") || strings.Contains(s, "Parser Error") || strings.Contains(s, "Catalog Error") {
		return fmt.Errorf("%w\nin: %s", err, query)
	}
	return err
}

// again runs a query that failed once more, carefully: nil if it succeeds then, since Spark would not have computed what failed, else
// the error that Spark would have met first. What has returned rows already is not run again.
func (r *Result) again(err error) error {
	err = r.cause(err)
	var e *errclass.Error
	if !errors.As(err, &e) {
		return r.conn.blame(r.ctx, r.query, err)
	}
	query, perr := SQL(r.ctx, r.node, PrintOptions{Careful: true})
	if perr != nil || query == r.query {
		return err
	}
	rows, rerr := r.start(query)
	if rerr == nil && !r.given {
		r.rows, r.query = rows, query
		return nil // its errors come with its rows
	}
	if exact := r.drain(rows, rerr); exact != nil {
		return exact
	}
	return err
}

// causeTries bounds how often a query is run for the error that it failed with.
const causeTries = 3

// cause is the error behind an interruption that nobody asked for: DuckDB interrupts the other threads of a query that fails, and now and
// then tells theirs. The query is run again for its own.
func (r *Result) cause(err error) error {
	for range causeTries {
		if err == nil || r.ctx.Err() != nil || !strings.Contains(err.Error(), interrupted) {
			break
		}
		_, rerr := exhaust(r.start(r.query))
		if rerr == nil {
			break
		}
		err = failure(r.ctx, rerr)
	}
	return err
}

// interrupted is DuckDB's error of a query that was interrupted.
const interrupted = "INTERRUPT Error"

// exhaust reads rows to their end: how many there are, and what they, or the query that should have given them, failed with.
func exhaust(rows rows, err error) (n int, _ error) {
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// drain reads rows to their end. If they, or the query that should have given them, failed with an error of a class, that is returned.
func (r *Result) drain(rows rows, err error) *errclass.Error {
	_, err = exhaust(rows, err)
	var known *errclass.Error
	errors.As(failure(r.ctx, err), &known)
	return known
}

// Next returns the next rows, as package types documents their values; nil at the end.
func (r *Result) Next() ([][]any, error) {
	var out [][]any
	width := max(len(r.types), 1)
	for len(out) < batchRows && r.rows.Next() {
		raw := make([]any, width)
		ptr := make([]any, width)
		for i := range raw {
			ptr[i] = &raw[i]
		}
		if err := r.rows.Scan(ptr...); err != nil {
			return nil, err
		}
		row := make([]any, len(r.types))
		for i, t := range r.types {
			v, err := value(t, raw[i])
			if err != nil {
				return nil, err
			}
			row[i] = v
		}
		out = append(out, row)
	}
	if len(out) > 0 {
		r.given = true
		return out, nil
	}
	err := failure(r.ctx, r.rows.Err())
	if err == nil {
		return nil, nil
	}
	r.rows.Close() // the connection runs one query at a time
	if err := r.again(err); err != nil {
		return nil, err
	}
	return r.Next()
}

// Checked computes what Spark computes before a query runs, of a plan whose query is run elsewhere. It returns the plan, or one of no rows.
func Checked(ctx context.Context, db *DB, n plan.Node) (plan.Node, error) {
	c, err := db.conn(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	r := &Result{ctx: ctx, conn: c, node: n}
	err = r.constants()
	return r.node, err
}

// constants computes what Spark computes before a query runs: see plan.Constants.
func (r *Result) constants() error {
	list, none, err := plan.Constants(r.node, func(n plan.Node) (bool, error) {
		rows, err := r.compute(n)
		return rows == 0, err
	})
	if none && err == nil {
		r.node = &plan.Local{Columns: r.node.Output()}
		r.query, err = SQL(r.ctx, r.node, PrintOptions{})
	}
	if err != nil || len(list) == 0 {
		return err
	}
	items := make([]plan.Item, len(list))
	for i, x := range list {
		items[i] = plan.NewItem("c"+strconv.Itoa(i), x)
	}
	_, err = r.compute(&plan.Project{Items: items, Child: &plan.OneRow{}})
	return err
}

// compute runs a plan carefully for its errors and the number of its rows, which is -1 if only the query around it knows how to say it.
func (r *Result) compute(n plan.Node) (int, error) {
	query, err := SQL(r.ctx, n, PrintOptions{Careful: true})
	if err != nil {
		return -1, nil
	}
	count, err := exhaust(r.conn.QueryContext(r.ctx, query))
	err = failure(r.ctx, err)
	var known *errclass.Error
	if err == nil || errors.As(err, &known) || r.ctx.Err() != nil {
		return count, err
	}
	return -1, nil
}

// Close ends the query.
func (r *Result) Close() error {
	err := r.rows.Close()
	if cerr := r.conn.Close(); err == nil {
		err = cerr
	}
	return err
}

// value turns a driver's value into ours.
func value(t types.Type, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	bad := func() (any, error) { return nil, fmt.Errorf("DuckDB gave a %T for %s", v, t.SQL()) }
	if t.InPicos() {
		n, ok := v.(*big.Int)
		switch {
		case !ok:
			return bad()
		case t.Kind == types.TimeTZ:
			return functions.UnpackClock(n), nil
		}
		return functions.PicosFrom(n), nil
	}
	switch t.Kind {
	case types.Null:
		return nil, nil
	case types.Boolean, types.String, types.Char, types.JSON, types.Binary, types.Float, types.Double:
		switch v.(type) {
		case bool, string, []byte, float32, float64:
			return v, nil
		}
		return bad()
	case types.Byte, types.Short, types.Int, types.Long, types.DayTimeInterval, types.YearMonthInterval:
		return integer(t, v)
	case types.Decimal:
		d, ok := v.(duckdb.Decimal)
		if !ok {
			return bad()
		}
		return types.Dec(decimal(d.Value, int(d.Scale))), nil
	case types.Date:
		d, ok := v.(time.Time)
		if !ok {
			return bad()
		}
		return types.Days(floorDiv(d.Unix(), 86400)), nil
	case types.Timestamp, types.TimestampNTZ:
		d, ok := v.(time.Time)
		if !ok {
			return bad()
		}
		return types.Micros(d.UnixMicro()), nil
	case types.Time:
		d, ok := v.(time.Time)
		if !ok {
			return bad()
		}
		return int64(d.Hour())*3600e6 + int64(d.Minute())*60e6 + int64(d.Second())*1e6 + int64(d.Nanosecond()/1000), nil
	case types.CalendarInterval:
		d, ok := v.(duckdb.Interval)
		if !ok {
			return bad()
		}
		return types.Interval{Months: d.Months, Days: d.Days, Micros: d.Micros}, nil
	case types.IPAddress:
		if b, ok := v.([]byte); ok && len(b) == 16 {
			return functions.IPText(b), nil
		}
		return bad()
	case types.UUID:
		if u, ok := v.(duckdb.UUID); ok {
			return u.String(), nil
		}
		if b, ok := v.([]byte); ok && len(b) == 16 {
			u := duckdb.UUID(b)
			return u.String(), nil
		}
		return bad()
	case types.Array:
		list, ok := v.([]any)
		if !ok {
			return bad()
		}
		out := make([]any, len(list))
		for i, x := range list {
			var err error
			if out[i], err = value(*t.Elem, x); err != nil {
				return nil, err
			}
		}
		return out, nil
	case types.Map:
		m, ok := v.(duckdb.OrderedMap)
		if !ok {
			return entries(t, v)
		}
		keys, values := m.Keys(), m.Values()
		out := make([]types.Entry, len(keys))
		for i := range keys {
			k, err := value(*t.Key, keys[i])
			if err != nil {
				return nil, err
			}
			x, err := value(*t.Value, values[i])
			if err != nil {
				return nil, err
			}
			out[i] = types.Entry{Key: k, Value: x}
		}
		return out, nil
	case types.Struct:
		m, ok := v.(map[string]any)
		if !ok {
			return bad()
		}
		out, names := make([]any, len(t.Fields)), functions.FieldNames(t.Fields)
		for i, f := range t.Fields {
			var err error
			if out[i], err = value(f.Type, m[names[i]]); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return bad()
}

// entries reads a map that came as a list of its entries (functions.Entries).
func entries(t types.Type, v any) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("DuckDB gave a %T for %s", v, t.SQL())
	}
	out := make([]types.Entry, len(list))
	for i, x := range list {
		m, ok := x.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("DuckDB gave a %T for an entry of %s", x, t.SQL())
		}
		k, err := value(*t.Key, m["key"])
		if err != nil {
			return nil, err
		}
		e, err := value(*t.Value, m["value"])
		if err != nil {
			return nil, err
		}
		out[i] = types.Entry{Key: k, Value: e}
	}
	return out, nil
}

func integer(t types.Type, v any) (any, error) {
	switch v := v.(type) {
	case int8:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case int64:
		return v, nil
	case uint8:
		return int64(v), nil
	case uint16:
		return int64(v), nil
	case uint32:
		return int64(v), nil
	case uint64:
		return int64(v), nil
	case *big.Int:
		if v.IsInt64() {
			return v.Int64(), nil
		}
	}
	return nil, fmt.Errorf("DuckDB gave a %T for %s", v, t.SQL())
}

// decimal writes an unscaled value with its scale.
func decimal(v *big.Int, scale int) string {
	s := new(big.Int).Abs(v).String()
	if scale > 0 {
		if len(s) <= scale {
			s = strings.Repeat("0", scale-len(s)+1) + s
		}
		s = s[:len(s)-scale] + "." + s[len(s)-scale:]
	}
	if v.Sign() < 0 {
		s = "-" + s
	}
	return s
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// SchemaOf asks DuckDB for the columns of a table function such as read_parquet('…').
func SchemaOf(ctx context.Context, db *DB, reader string) (types.Type, error) {
	_, rows, err := db.Query(ctx, "DESCRIBE SELECT * FROM "+reader)
	if err != nil {
		return types.Type{}, err
	}
	fields := make([]types.Field, len(rows))
	for i, r := range rows {
		t, err := TypeOf(fmt.Sprint(r[1]))
		if err != nil {
			return types.Type{}, fmt.Errorf("column %v: %w", r[0], err)
		}
		fields[i] = types.Field{Name: fmt.Sprint(r[0]), Type: t, Nullable: true}
	}
	return types.StructOf(fields...), nil
}
