package metastore

import (
	"context"
	"database/sql"
	"encoding/json"
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

// Commit writes a change into the journal and adds and drops its partitions, all in one transaction.
func (s *Store) Commit(ctx context.Context, table *Table, w *Write, add, drop []Partition) error {
	body, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return s.in(ctx, func(t *tx) {
		if len(drop) > 0 {
			t.changed(table.ID)
		}
		for _, p := range drop {
			t.dropPartitions(`"PART_ID" = ?`, p.ID)
		}
		t.addPartitions(table, add, true)
		w.ID, w.Table = t.ids("WRITE_JOURNAL", 1), table.ID
		t.exec(`INSERT INTO "WRITE_JOURNAL" ("WRITE_ID", "TBL_ID", "BODY") VALUES (?, ?, ?)`, w.ID, w.Table, string(body))
	})
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
