package metastore

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// Write is a change of a table's files together with its partitions. Commit makes it so at once; the files are moved after that, and
// whoever looks at the table before they all are moves the rest: so that a reader, also one after a crash, sees all of a change or nothing.
type Write struct {
	ID    int64       `json:"-"`
	Table int64       `json:"-"`
	Aside string      `json:"aside"` // the folder where the new files are, removed at the end; empty if there are none and the folders stay
	Moves [][2]string `json:"moves"` // from aside to their places
	Gone  [][2]string `json:"gone"`  // files replaced, each with its place in the trash; an empty one: deleted
}

// Commit writes a change into the journal and adds and drops its partitions, all in one transaction. ErrNoTable if the table that was read
// is not there any more, or lies elsewhere; ErrUnknownOutcome.
func (s *Store) Commit(ctx context.Context, table *Table, w *Write, add, drop []Partition) error {
	return s.journalled(ctx, w, func(t *tx) {
		if n, _ := t.one(`SELECT count(*) FROM "TBLS" t JOIN "SDS" s ON s."SD_ID" = t."SD_ID" WHERE t."TBL_ID" = ? AND s."LOCATION" = ?`,
			table.ID, table.Storage.Location); n == 0 {
			t.fail(ErrNoTable, table.Name)
			return
		}
		if len(drop) > 0 {
			t.changed(table.ID)
		}
		for _, p := range drop {
			t.dropPartitions(`"PART_ID" = ?`, p.ID)
		}
		t.addPartitions(table, add, true)
		w.Table = table.ID
	})
}

// CreateWritten makes a table whose rows a change brings, with its partitions, in the place of old unless that is nil, all in one transaction.
// ErrNoDatabase; ErrTableExists, also if another table than old has the name now; ErrUnknownOutcome.
func (s *Store) CreateWritten(ctx context.Context, table, old *Table, w *Write, add []Partition) error {
	return s.journalled(ctx, w, func(t *tx) {
		if old != nil {
			if id, ok := t.tableID(old.Database, old.Name); ok && id == old.ID {
				t.dropTable(id)
			}
		}
		t.createTable(table)
		t.addPartitions(table, add, true)
		w.Table = table.ID
	})
}

// journalled makes a change of entries and writes the change of files into the journal, in one transaction. do sets the change's table.
func (s *Store) journalled(ctx context.Context, w *Write, do func(*tx)) error {
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	asked := false // to commit
	err = s.in(ctx, func(t *tx) {
		do(t)
		w.ID = t.ids("WRITE_JOURNAL", 1)
		t.exec(`INSERT INTO "WRITE_JOURNAL" ("WRITE_ID", "TBL_ID", "BODY") VALUES (?, ?, ?)`, w.ID, w.Table, string(body))
		asked = t.err == nil
	})
	if err == nil || !asked || s.db.Certain(err) {
		return err
	}
	// The database may have got the commit although no answer came. The entry says that it has; without it nothing is known: the commit
	// may still be under way, or another process has finished the change.
	n := 0
	if s.db.Row(context.WithoutCancel(ctx), `SELECT count(*) FROM "WRITE_JOURNAL" WHERE "WRITE_ID" = ? AND "BODY" = ?`, []any{w.ID, string(body)}, &n) == nil && n == 1 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
}

// Unfinished are the changes, of all tables, whose files are not all moved, oldest first.
func (s *Store) Unfinished(ctx context.Context) ([]Write, error) {
	var out []Write
	err := s.rows(ctx, func(r *sql.Rows) error {
		var w Write
		var body string
		if err := r.Scan(&w.ID, &w.Table, &body); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(body), &w); err != nil {
			return err
		}
		out = append(out, w)
		return nil
	}, `SELECT "WRITE_ID", "TBL_ID", "BODY" FROM "WRITE_JOURNAL" ORDER BY "WRITE_ID"`)
	return out, err
}

// Finished removes a change from the journal: its files are in their places.
func (s *Store) Finished(ctx context.Context, w *Write) error {
	return s.in(ctx, func(t *tx) { t.exec(`DELETE FROM "WRITE_JOURNAL" WHERE "WRITE_ID" = ?`, w.ID) })
}
