package metastore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sort"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/store"
)

// tx is one transaction. Its methods keep the first error and do nothing after it.
type tx struct {
	*store.Tx
	ctx context.Context
	err error
	now time.Time
}

// in runs a change in a transaction, again if another process was faster.
func (s *Store) in(ctx context.Context, do func(*tx)) error {
	return s.db.InTransaction(ctx, func(t *store.Tx) error {
		x := &tx{Tx: t, ctx: ctx, now: time.Now()}
		do(x)
		return x.err
	})
}

// exec runs a statement and returns how many rows it changed.
func (t *tx) exec(query string, args ...any) int64 {
	if t.err != nil {
		return 0
	}
	n, err := t.Exec(t.ctx, query, args...)
	t.err = err
	return n
}

// batch is how many arguments one statement carries at most.
const batch = 3000

// insert writes rows into a table's columns, many with one statement.
func (t *tx) insert(table string, columns []string, rows [][]any) {
	width := len(columns)
	mark := "(" + strings.Repeat("?, ", width-1) + "?)"
	for list := range slices.Chunk(rows, batch/width) {
		args := make([]any, 0, len(list)*width)
		for _, r := range list {
			args = append(args, r...)
		}
		t.exec(`INSERT INTO "`+table+`" (`+quotedNames(columns)+") VALUES "+strings.Repeat(mark+", ", len(list)-1)+mark, args...)
	}
}

// one reads one number; false if there is no row.
func (t *tx) one(query string, args ...any) (int64, bool) {
	if t.err != nil {
		return 0, false
	}
	var n int64
	err := t.Row(t.ctx, query, args, &n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false
	}
	t.err = err
	return n, err == nil
}

// ids takes n ids of a sequence and returns the first.
func (t *tx) ids(sequence string, n int) int64 {
	next, ok := t.one(`SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = ?`, sequence)
	if !ok {
		next = 1
		t.exec(`INSERT INTO "SEQUENCE_TABLE" ("SEQUENCE_NAME", "NEXT_VAL") VALUES (?, ?)`, sequence, next)
	}
	t.exec(`UPDATE "SEQUENCE_TABLE" SET "NEXT_VAL" = ? WHERE "SEQUENCE_NAME" = ?`, next+int64(n), sequence)
	return next
}

// setParams gives an object the parameters, in the place of those it has.
func (t *tx) setParams(table, key string, id int64, params map[string]string) {
	t.exec(`DELETE FROM "`+table+`" WHERE "`+key+`" = ?`, id)
	var rows [][]any
	for k, v := range params {
		rows = append(rows, []any{id, k, v})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i][1].(string) < rows[j][1].(string) })
	t.insert(table, []string{key, "PARAM_KEY", "PARAM_VALUE"}, rows)
}

// rows reads a query's rows; scan is called for each.
func (s *Store) rows(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := s.db.Rows(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// params reads an object's parameters.
func (s *Store) params(ctx context.Context, table, key string, id int64) (map[string]string, error) {
	out := map[string]string{}
	err := s.rows(ctx, func(r *sql.Rows) error {
		var k string
		var v sql.NullString
		err := r.Scan(&k, &v)
		out[k] = v.String
		return err
	}, `SELECT "PARAM_KEY", "PARAM_VALUE" FROM "`+table+`" WHERE "`+key+`" = ?`, id)
	return out, err
}
