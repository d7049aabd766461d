package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// tableSource reads an Iceberg table as it is, or as it was at a snapshot.
type tableSource struct {
	s      *Session
	table  *lake.Table
	at     *lake.Snapshot // nil: the current one, which may be none
	schema types.Type
	trino  bool // hidden columns have Trino's names, too
}

// source reads a table's state; nil is the current one.
func (s *Session) source(t *lake.Table, at *lake.Snapshot) *tableSource {
	if at == nil {
		return &tableSource{s: s, table: t, schema: t.Schema()}
	}
	return &tableSource{s: s, table: t, at: at, schema: t.SchemaAt(at)}
}

func (t *tableSource) Schema() types.Type { return t.schema }

// Hidden are the columns that * leaves out.
func (t *tableSource) Hidden() []types.Field {
	if t.trino {
		return append(t.table.Hidden(), t.table.TrinoHidden()...)
	}
	return t.table.Hidden()
}

func (t *tableSource) SQL(ctx context.Context, columns []int, filter expr.Expr) (string, error) {
	names, all := make([]string, len(columns)), append(slices.Clone(t.schema.Fields), t.Hidden()...)
	for i, c := range columns {
		names[i] = all[c].Name
	}
	if err := t.s.checkFilter(t.table, filter); err != nil {
		return "", err
	}
	return t.table.ScanSQL(ctx, t.at, names, t.s.condition(ctx, filter))
}

// Explain says how many of the table's data files a scan reads.
func (t *tableSource) Explain(ctx context.Context, filter expr.Expr) string {
	considered, read, err := t.table.Planned(ctx, t.at, t.s.condition(ctx, filter))
	if err != nil {
		return "files: " + err.Error()
	}
	return fmt.Sprintf("files: %d considered, %d skipped, %d read", considered, considered-read, read)
}

// table makes the relation of a table, travelling in time if asked.
func (c sessionCatalog) table(ctx context.Context, t *lake.Table, id lake.Ident, ref *sql.TableRef, eval plan.Eval) (*plan.Relation, error) {
	if b := c.s.Conf(confWAPBranch); b != "" && ref.Travel == nil && t.Staging() {
		t = t.OnFreshBranch(b)
	}
	if names := t.ReservedNames(); len(names) > 0 && c.d == sql.Spark {
		return nil, errclass.Validation("Table column names conflict with names reserved for Iceberg metadata columns: [%s].", strings.Join(names, ", "))
	}
	at, err := c.travel(ctx, t, ref.Travel, eval)
	if err == nil {
		at, err = stateAsked(t, ref.Options, at)
	}
	if err != nil {
		return nil, err
	}
	src := c.s.source(t, at)
	src.trino = c.d == sql.Trino
	return &plan.Relation{Name: fullName(id), Source: src}, nil
}

// travel finds the snapshot that a time-travel clause names; nil without a clause.
func (c sessionCatalog) travel(ctx context.Context, t *lake.Table, tt *sql.TimeTravel, eval plan.Eval) (*lake.Snapshot, error) {
	if tt == nil {
		return nil, nil
	}
	if c.d == sql.Trino {
		if err := c.checkPointer(ctx, tt, eval); err != nil {
			return nil, err
		}
	}
	at, err := c.snapshot(ctx, t, tt, eval)
	if err != nil && c.d == sql.Trino {
		return nil, c.trinoTravel(t, tt, err)
	}
	return at, err
}

func (c sessionCatalog) snapshot(ctx context.Context, t *lake.Table, tt *sql.TimeTravel, eval plan.Eval) (*lake.Snapshot, error) {
	if !tt.Version {
		v, err := eval(ctx, tt.X, types.Of(types.Timestamp))
		if id, ok := tt.X.(*sql.Ident); ok && err != nil && c.d == sql.Spark {
			return nil, errclass.TravelColumn().At(id.Span())
		}
		if err != nil || v == nil {
			return nil, errclass.InvalidTimeTravel(c.d, plan.Written(tt.X), err)
		}
		return t.SnapshotAsOf(v.(types.Micros))
	}
	if lit, ok := tt.X.(*sql.Literal); ok && lit.Kind == sql.StringLit {
		if c.d == sql.Trino {
			return t.SnapshotOfRef(lit.Text)
		}
		return t.SnapshotByRef(lit.Text)
	}
	v, err := eval(ctx, tt.X, types.Of(types.Long))
	if err != nil {
		return nil, err
	}
	id, ok := v.(int64)
	if !ok {
		return nil, errclass.InvalidTimeTravel(c.d, plan.Written(tt.X), nil)
	}
	return t.SnapshotByID(id)
}

// checkPointer checks the type of what Trino's FOR VERSION | TIMESTAMP AS OF names, and that a time is past.
func (c sessionCatalog) checkPointer(ctx context.Context, tt *sql.TimeTravel, eval plan.Eval) error {
	if q, ok := tt.X.(*sql.Subquery); ok {
		return errclass.TrinoConstantSubquery().At(q.Span())
	}
	x, err := c.s.analyzer(sql.Trino, plan.Params{}).Value(ctx, tt.X)
	if err != nil {
		return err
	}
	isNull := func() bool {
		v, err := eval(ctx, tt.X, x.Type())
		return err == nil && v == nil
	}
	switch t := x.Type(); {
	case t.Kind == types.Null:
		return errclass.TrinoPointer("Pointer value cannot be NULL").At(tt.Span())
	case tt.Version && t.Kind != types.String && t.Kind != types.Long:
		return errclass.TrinoUnsupportedVersionType(t.Trino())
	case tt.Version && isNull():
		return errclass.TrinoPointer("Pointer value cannot be NULL").At(tt.Span())
	case tt.Version:
	case t.Kind != types.Date && t.Kind != types.Timestamp && t.Kind != types.TimestampNTZ:
		return errclass.TrinoPointerType(t).At(tt.Span())
	default:
		// The present, which current_timestamp gives in milliseconds, is not past either.
		start := time.Now().Truncate(time.Millisecond)
		v, err := eval(ctx, tt.X, types.Of(types.Timestamp))
		if err == nil && v == nil {
			return errclass.TrinoPointer("Pointer value cannot be NULL").At(tt.Span())
		}
		if at, ok := v.(types.Micros); err == nil && ok && !time.UnixMicro(int64(at)).Before(start) {
			text, err := eval(ctx, &sql.Cast{At: sql.At{Pos: tt.X.Span()}, X: tt.X, Type: &sql.TypeName{Name: "VARCHAR"}}, types.Of(types.String))
			if err != nil {
				return err
			}
			return errclass.TrinoPointer(fmt.Sprintf("Pointer value '%v' is not in the past", text)).At(tt.Span())
		}
		return err
	}
	return nil
}

// trinoTravel says in Trino's words why a snapshot was not found.
func (c sessionCatalog) trinoTravel(t *lake.Table, tt *sql.TimeTravel, err error) error {
	var e *errclass.Error
	if !errors.As(err, &e) || e.Code != 0 {
		return err
	}
	lit, ok := tt.X.(*sql.Literal)
	switch {
	case !tt.Version:
		return errclass.TrinoNoHistory(t.Ident().String(), e.Message)
	case ok && lit.Kind == sql.StringLit:
		return errclass.TrinoNoRef(lit.Text)
	case ok:
		return errclass.TrinoNoSnapshot(lit.Text)
	}
	if id, ok := strings.CutPrefix(e.Message, "Cannot find snapshot with ID "); ok {
		return errclass.TrinoNoSnapshot(id)
	}
	return err
}

// metadataSource is one of a table's metadata tables, computed when it is read.
type metadataSource struct {
	s      *Session
	schema types.Type
	rows   [][]any
}

func (m *metadataSource) Schema() types.Type { return m.schema }

func (m *metadataSource) SQL(context.Context, []int, expr.Expr) (string, error) {
	return "", fmt.Errorf("metadata tables are read as rows at hand")
}

// LocalRows gives the rows at hand; they are read in place of SQL.
func (m *metadataSource) LocalRows(context.Context, expr.Expr) ([][]any, error) { return m.rows, nil }

// querySource reads what a DuckDB query yields.
type querySource struct {
	schema types.Type
	query  string
}

func (q *querySource) Schema() types.Type { return q.schema }

func (q *querySource) SQL(_ context.Context, columns []int, _ expr.Expr) (string, error) {
	names, items := make([]string, len(q.schema.Fields)), []string{}
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	for _, c := range columns {
		items = append(items, names[c])
	}
	if len(items) == 0 {
		items = []string{"1 AS one"}
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM (" + q.query + ") AS q(" + strings.Join(names, ", ") + ")", nil
}

// metadata makes the relation of t.snapshots, t.history …; nil if the table, or a metadata table of that name, does not exist.
func (c sessionCatalog) metadata(ctx context.Context, id lake.Ident, name string, ref *sql.TableRef, eval plan.Eval) (*plan.Relation, error) {
	t, err := c.s.engine.Lake.Load(ctx, id)
	if err != nil {
		if lake.IsNoTable(err) {
			return nil, nil
		}
		return nil, err
	}
	if name == changesTable {
		return c.changes(t, id, ref)
	}
	if !lake.IsMetadataTable(name) {
		return nil, nil
	}
	if ref.Travel != nil && strings.HasPrefix(name, "all_") {
		return nil, errclass.UnsupportedOperation("Cannot select snapshot in table: " + strings.ToUpper(name)).At(ref.Span())
	}
	at, err := c.travel(ctx, t, ref.Travel, eval)
	if err == nil {
		if at, err = stateAsked(t, ref.Options, at); at.Appended() {
			err = errclass.UnsupportedOperation("Incremental append scan is not supported")
		}
	}
	if err != nil {
		return nil, err
	}
	if !lake.Travels(name) {
		at = nil // the table is about all snapshots, whichever is named
	}
	if name == lake.PositionDeletesTable {
		schema, query, err := t.PositionDeletes(ctx, at)
		return &plan.Relation{Name: append(fullName(id), name), Source: &querySource{schema: schema, query: query}}, err
	}
	schema, rows, err := t.MetadataTable(ctx, name, at)
	if err != nil {
		return nil, err
	}
	return &plan.Relation{Name: append(fullName(id), name), Source: &metadataSource{c.s, schema, rows}}, nil
}
