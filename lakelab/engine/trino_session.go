package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/engine/trino"
	"mini-lakehouse-lab/lakelab/types"
)

// trinoState is the part of a session that only Trino's statements know. A client of the door carries it in its headers and is
// told of every change; elsewhere it lives as long as the session.
type trinoState struct {
	user        string
	path        string // where functions are looked for, as it was written
	followsPath bool   // the client keeps a path
	properties  map[string]string
	zone        string // the time zone without the property of it, once that was set
	prepared    map[string]string
	transaction string         // as trino.Session.Transaction
	url         string         // the door's address
	queries     *trino.Queries // the door's statements; nil without a door
	streams     bool           // results of any size are read, page by page
}

// trinoUse moves to another schema and perhaps another catalog: USE.
func (s *Session) trinoUse(ctx context.Context, a *plan.Analyzer, st *sql.Use) (*Result, error) {
	parts := names(a.Dialect, st.Name)
	catalog, _ := s.Current()
	if len(parts) == 2 {
		catalog, parts = parts[0], parts[1:]
	} else if catalog == "" {
		return nil, errclass.TrinoMissingCatalog().At(st.Span())
	}
	if !s.trinoCatalog(catalog) {
		return nil, errclass.TrinoUseCatalog(catalog)
	}
	ok, err := s.trinoSchema(ctx, catalog, parts[0])
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errclass.TrinoUseSchema(catalog, parts[0])
	}
	r := updated("USE", -1)
	if len(st.Name) == 2 {
		r.Changes.Catalog = catalog
	}
	r.Changes.Schema = parts[0]
	s.Use(catalog, parts[0])
	return r, nil
}

// prepare keeps a statement under a name: PREPARE name FROM statement.
func (s *Session) prepare(st *sql.Prepare) (*Result, error) {
	switch st.Statement.(type) {
	case *sql.Prepare, *sql.Execute, *sql.Deallocate:
		return nil, errclass.TrinoCannotPrepare(strings.ToUpper(strings.TrimPrefix(fmt.Sprintf("%T", st.Statement), "*sql.")))
	}
	name := trinoName(st.Name)
	s.trino.prepared = with(s.trino.prepared, name, st.Text)
	r := updated("PREPARE", -1)
	r.Changes.AddedPrepare = map[string]string{name: st.Text}
	return r, nil
}

// deallocate forgets a prepared statement: DEALLOCATE PREPARE name.
func (s *Session) deallocate(st *sql.Deallocate) (*Result, error) {
	name := trinoName(st.Name)
	if _, err := s.preparedText(st.Name); err != nil {
		return nil, err
	}
	s.trino.prepared = without(s.trino.prepared, name)
	r := updated("DEALLOCATE", -1)
	r.Changes.DeallocatedPrepare = []string{name}
	return r, nil
}

func (s *Session) preparedText(name sql.Name) (string, error) {
	text, ok := s.trino.prepared[trinoName(name)]
	if !ok {
		return "", errclass.TrinoNoPrepared(trinoName(name))
	}
	return text, nil
}

// executePrepared runs EXECUTE name [USING values] and EXECUTE IMMEDIATE 'text' [USING values]. Places in errors are those in
// the prepared text, and for EXECUTE IMMEDIATE those in the whole statement.
func (s *Session) executePrepared(ctx context.Context, st *sql.Execute) (*Result, error) {
	if st.Immediate == nil {
		text, err := s.preparedText(*st.Name)
		if err != nil {
			return nil, err
		}
		return s.executeText(ctx, text, st.Using)
	}
	r, err := s.executeText(ctx, *st.Immediate, st.Using)
	var e *errclass.Error
	if errors.As(err, &e) && e.HasSpan && e.Span.Start.Line > 0 {
		at := e.Span
		if len(st.Using) > 0 && at.Start.Offset >= st.Using[0].Span().Start.Offset { // behind the text's end: the place is a value's
			return nil, err
		}
		message := strings.TrimPrefix(e.TrinoMessage(), fmt.Sprintf("line %d:%d: ", at.Start.Line, at.Start.Col+1))
		at.Start, at.End = moved(at.Start, st.ImmediateAt), moved(at.End, st.ImmediateAt)
		e = e.Elsewhere(at)
		e.SQL, e.Message = "", message
		return nil, e
	}
	return r, err
}

// moved is the place in a statement of a place in a text that begins at another.
func moved(p, begin token.Pos) token.Pos {
	if p.Line == 1 {
		p.Col += begin.Col
	}
	p.Line += begin.Line - 1
	p.Offset += begin.Offset
	return p
}

// executeText runs a prepared statement.
func (s *Session) executeText(ctx context.Context, text string, using []sql.Expr) (*Result, error) {
	inner, err := s.preparedStatement(text, using)
	if err != nil {
		return nil, err
	}
	r, err := s.run(ctx, s.analyzerOf(sql.Trino, text, plan.Params{Positional: using}), inner)
	return r, errclass.InText(err, text)
}

// preparedStatement reads a prepared statement that is to be run with some values.
func (s *Session) preparedStatement(text string, using []sql.Expr) (sql.Statement, error) {
	inner, err := sql.Parse(sql.Trino, text)
	if err != nil {
		return nil, errclass.InText(err, text)
	}
	want, nested := sql.CountParams(sql.Trino, text), ""
	if e, ok := inner.(*sql.Execute); ok { // a client's header can say that, which would run without end
		want, nested = 0, "Execute"
		if e.Immediate != nil {
			nested = "ExecuteImmediate"
		}
	}
	if want != len(using) {
		return nil, errclass.TrinoParameterCount(want, len(using)).At(inner.Span())
	}
	if nested != "" {
		return nil, errclass.TrinoUnsupported("Unsupported statement type: " + nested).Nowhere()
	}
	return inner, nil
}

// describePrepared answers DESCRIBE INPUT and DESCRIBE OUTPUT.
func (s *Session) describePrepared(ctx context.Context, st *sql.Describe) (*Result, error) {
	text, err := s.preparedText(st.Name[0])
	if err != nil {
		return nil, err
	}
	inner, err := sql.Parse(sql.Trino, text)
	if err != nil {
		return nil, errclass.InText(err, text)
	}
	a := s.analyzerOf(sql.Trino, text, plan.Params{Unbound: true})
	var node plan.Node
	switch q := inner.(type) {
	case *sql.QueryStmt, *sql.Update, *sql.Delete:
		node, err = s.planOf(ctx, a, inner)
	case *sql.Insert:
		var t *lake.Table
		if t, err = s.loadTable(ctx, sql.Trino, q.Table); err == nil {
			node, err = a.Insert(ctx, fullName(t.Ident()), t.Schema().Fields, q)
		}
	}
	if err != nil {
		return nil, errclass.InText(err, text)
	}
	if st.What == "INPUT" {
		return describeInput(node, sql.CountParams(sql.Trino, text)), nil
	}
	named, err := aliased(ctx, a, inner)
	if err != nil {
		return nil, errclass.InText(err, text)
	}
	return describeOutput(node, inner, named), nil
}

// describeInput lists the parameters with the types that they must have.
func describeInput(n plan.Node, count int) *Result {
	found := map[int]types.Type{}
	if n != nil {
		found = plan.ParamTypes(n)
	}
	places := slices.Sorted(maps.Keys(found))
	rows := make([][]any, count)
	for i := range rows {
		var t types.Type
		if i < len(places) {
			t = found[places[i]]
		}
		rows[i] = []any{int64(i), t.Trino()}
	}
	r := sized(rows, "Position", "Type")
	r.Schema.Fields[0].Type = types.Of(types.Int)
	return r
}

// describeOutput lists the columns of a prepared statement's result, of which aliased says which ones were named.
func describeOutput(n plan.Node, st sql.Statement, aliased []bool) *Result {
	var rows [][]any
	if _, ok := st.(*sql.QueryStmt); !ok {
		rows = append(rows, []any{"rows", "", "", "", "bigint", int64(8), false})
	} else {
		for i, c := range n.Output() {
			table := plan.Origin(n, c)
			for len(table) < 3 {
				table = append(table, "")
			}
			rows = append(rows, []any{c.Name, table[0], table[1], table[2], c.T.Trino(), fixedSize(c.T), i < len(aliased) && aliased[i]})
		}
	}
	r := sized(rows, "Column Name", "Catalog", "Schema", "Table", "Type", "Type Size", "Aliased")
	r.Schema.Fields[5].Type, r.Schema.Fields[6].Type = types.Of(types.Int), types.Of(types.Boolean)
	return r
}

// aliased reports of each column of a query whether it was given its name with AS. Columns of a star were not, nor were those of a
// query without SELECT, which may be missing from the list.
func aliased(ctx context.Context, a *plan.Analyzer, st sql.Statement) ([]bool, error) {
	q, ok := st.(*sql.QueryStmt)
	if !ok {
		return nil, nil
	}
	with, body := q.Query.With, q.Query.Body
	var sel *sql.Select
	for sel == nil {
		switch b := body.(type) {
		case *sql.Select:
			sel = b
		case *sql.SetOp: // the first one names the columns
			body = b.L
		case *sql.Query:
			if b.With != nil {
				with = b.With
			}
			body = b.Body
		default:
			return nil, nil
		}
	}
	var out []bool
	for _, x := range sel.Items {
		if _, star := x.(*sql.Star); star {
			only := &sql.Query{At: sel.At, With: with, Body: &sql.Select{At: sel.At, Items: []sql.Expr{x}, From: sel.From}}
			n, err := a.Query(ctx, only)
			if err != nil {
				return nil, err
			}
			out = append(out, make([]bool, len(n.Output()))...)
			continue
		}
		_, named := x.(*sql.Aliased)
		out = append(out, named)
	}
	return out, nil
}

// fixedSize is how many bytes a value of a type takes in Trino's memory; 0 where that varies.
func fixedSize(t types.Type) int64 {
	switch t.Kind {
	case types.Boolean, types.Byte, types.Null:
		return 1
	case types.Short:
		return 2
	case types.Int, types.Float, types.Date, types.YearMonthInterval:
		return 4
	case types.Timestamp: // with the zone in the same eight bytes
		if t.Digits() > 3 {
			return 12
		}
		return 8
	case types.TimestampNTZ:
		if t.Digits() > 6 {
			return 12
		}
		return 8
	case types.TimeTZ:
		if t.Digits() > 9 {
			return 12
		}
		return 8
	case types.Long, types.Double, types.Time, types.DayTimeInterval:
		return 8
	case types.Decimal:
		if t.Precision > 18 {
			return 16
		}
		return 8
	case types.UUID, types.IPAddress:
		return 16
	}
	return 0
}

// setProperty runs SET SESSION, RESET SESSION and SET TIME ZONE.
func (s *Session) setProperty(ctx context.Context, a *plan.Analyzer, st *sql.Set) (*Result, error) {
	key := strings.ToLower(st.Key)
	place := st.Span()
	if st.X != nil && !st.TimeZone {
		place = st.X.Span()
	}
	p, err := s.property(key)
	if err != nil {
		return nil, errclass.Place(err, place)
	}
	kind := "SET SESSION"
	if st.TimeZone {
		kind = "SET TIME ZONE"
	}
	if st.Reset || st.Value != nil { // SET TIME ZONE LOCAL
		if st.Reset {
			kind = "RESET SESSION"
		}
		if key == timeZoneProperty && s.trino.zone != "" {
			if err := s.trinoZone(s.trino.zone); err != nil {
				return nil, err
			}
		}
		s.trino.properties = without(s.trino.properties, key)
		r := updated(kind, -1)
		r.Changes.ClearSession = []string{key}
		return r, nil
	}
	value, err := s.propertyValue(ctx, a, p, st)
	if err != nil {
		return nil, err
	}
	if key == timeZoneProperty {
		before := s.Conf(confTimeZone)
		if err := s.trinoZone(value); err != nil {
			var e *errclass.Error
			if !st.TimeZone && errclass.Is(err, "NOT_SUPPORTED") && errors.As(err, &e) {
				err = errclass.TrinoBadProperty(e.Message).At(place)
			}
			return nil, err
		}
		value, _ = functions.TrinoZone(value)
		if s.trino.zone == "" {
			s.trino.zone = before
		}
	}
	s.trino.properties = with(s.trino.properties, key, value)
	r := updated(kind, -1)
	r.Changes.SetSession = map[string]string{key: value}
	return r, nil
}

// trinoZone sets the session's time zone, which may be an offset.
func (s *Session) trinoZone(zone string) error {
	name, ok := functions.TrinoZone(zone)
	if !ok {
		return errclass.TrinoBadZone(zone).Nowhere()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conf[confTimeZone] = name // Spark's sessions may have no offset with minutes
	return nil
}

func with(m map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	for k, v := range m {
		if k != key {
			out[k] = v
		}
	}
	return out
}

func without(m map[string]string, key string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		if k != key {
			out[k] = v
		}
	}
	return out
}

// trinoName is a name as Trino compares it.
func trinoName(n sql.Name) string {
	if n.Quoted {
		return n.Text
	}
	return strings.ToLower(n.Text)
}

// shownZones puts the session's time zone in place of the mark that timestamps of the session's zone carry in their type.
func (s *Session) shownZones(t types.Type) types.Type {
	t.Zone = functions.ZoneName(t, s.Conf(confTimeZone))
	for _, p := range []**types.Type{&t.Elem, &t.Key, &t.Value} {
		if *p != nil {
			in := s.shownZones(**p)
			*p = &in
		}
	}
	fields := make([]types.Field, len(t.Fields))
	for i, f := range t.Fields {
		f.Type = s.shownZones(f.Type)
		fields[i] = f
	}
	if t.Fields != nil {
		t.Fields = fields
	}
	return t
}
