package metastore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Write is a change of a table's files and folders together with its entries. Commit and its like make it so at once; the files are moved
// after that, and whoever looks at the table before they all are moves the rest: so that a reader, also one after a crash, sees all of a
// change or nothing.
type Write struct {
	ID    int64       `json:"-"`
	Table int64       `json:"-"`
	Seen  int64       `json:"-"`              // FileChanges of the table before its files were listed
	Root  string      `json:"root,omitempty"` // the table's folder: empty ones below it are removed; empty: none are
	Aside string      `json:"aside"`          // the folder where the new files are, removed at the end; empty if there are none and the folders stay
	Moves [][2]string `json:"moves"`          // from aside, or from folders that are renamed, to their places
	Gone  [][2]string `json:"gone"`           // files and folders taken away, each with its place in the trash; an empty one: deleted
}

// Commit writes a change into the journal and adds and drops its partitions, all in one transaction. ErrNoTable if the table that was read
// is not there any more, or lies elsewhere; ErrOutrun if its files were changed since change.Seen, or are still being moved;
// ErrUnknownOutcome.
func (s *Store) Commit(ctx context.Context, table *Table, w *Write, add, drop []Partition) error {
	return s.journalled(ctx, w, func(t *tx) {
		t.checkTable(table, w)
		if len(drop) > 0 {
			t.changed(table.ID)
		}
		for _, p := range drop {
			t.dropPartitions(`"PART_ID" = ?`, p.ID)
		}
		t.addPartitions(table, add, true)
	})
}

// DropWritten is DropTable with the change of the table's files that goes with it. The errors are Commit's.
func (s *Store) DropWritten(ctx context.Context, table *Table, w *Write) error {
	return s.journalled(ctx, w, func(t *tx) {
		t.checkPlace(table)
		t.dropTable(table.ID)
		w.Table = table.ID
	})
}

// RenameWritten is Rename with the move of the table's folder. The errors are Rename's and Commit's.
func (s *Store) RenameWritten(ctx context.Context, table *Table, database, name, location string, w *Write) error {
	return s.journalled(ctx, w, func(t *tx) {
		t.checkTable(table, w)
		t.rename(table, database, name, location)
	})
}

// RenamePartitionWritten is RenamePartition with the move of the partition's folder. The errors are RenamePartition's and Commit's.
func (s *Store) RenamePartitionWritten(ctx context.Context, table *Table, p *Partition, values []string, location string, w *Write) error {
	return s.journalled(ctx, w, func(t *tx) {
		t.checkTable(table, w)
		t.renamePartition(table, p, values, location)
	})
}

// UndoRename takes RenameWritten back: its folder could not be moved. table is the one that was renamed, as it was before.
func (s *Store) UndoRename(ctx context.Context, table *Table, location string, w *Write) error {
	return s.in(ctx, func(t *tx) {
		t.finished(w)
		renamed := *table
		renamed.Storage.Location = location
		t.rename(&renamed, table.Database, table.Name, table.Storage.Location)
	})
}

// UndoRenamePartition takes RenamePartitionWritten back; p is the partition as it was before.
func (s *Store) UndoRenamePartition(ctx context.Context, table *Table, p *Partition, w *Write) error {
	return s.in(ctx, func(t *tx) {
		t.renamePartition(table, p, p.Values, p.Location)
		t.finished(w)
	})
}

// FileChanges counts the changes of a table's files that went through the journal: a list of them is right as long as the number is the same
// before it and after, and nothing is unfinished.
func (s *Store) FileChanges(ctx context.Context, table int64) (int64, error) {
	there, n := 0, sql.NullInt64{}
	err := s.db.Row(ctx, `SELECT (SELECT count(*) FROM "TBLS" WHERE "TBL_ID" = ?), (SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = ?)`,
		[]any{table, fileChanges(table)}, &there, &n)
	if err == nil && there == 0 {
		err = fmt.Errorf("%w: it was dropped meanwhile", ErrNoTable)
	}
	return n.Int64, err
}

func fileChanges(table int64) string { return fmt.Sprint("FILES of ", table) }

// checkPlace fails unless a table is there, at the location where it was when it was read.
func (t *tx) checkPlace(table *Table) {
	if n, _ := t.one(`SELECT count(*) FROM "TBLS" t JOIN "SDS" s ON s."SD_ID" = t."SD_ID" WHERE t."TBL_ID" = ? AND s."LOCATION" = ?`,
		table.ID, table.Storage.Location); n == 0 {
		t.fail(ErrNoTable, table.Name)
	}
}

// checkTable is checkPlace for a change of a table's files, which nothing else may have changed meanwhile. It counts the change.
func (t *tx) checkTable(table *Table, w *Write) {
	t.checkPlace(table)
	seen, _ := t.one(`SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = ?`, fileChanges(table.ID))
	moving, _ := t.one(`SELECT count(*) FROM "WRITE_JOURNAL" WHERE "TBL_ID" = ?`, table.ID)
	if seen != w.Seen || moving > 0 {
		t.fail(ErrOutrun, table.Name)
	}
	t.ids(fileChanges(table.ID), 1)
	w.Table = table.ID
}

// checkSettled fails if an unfinished change moves files at a location or below it.
func (t *tx) checkSettled(path string) {
	text, err := json.Marshal(path)
	if err != nil {
		t.err = errors.Join(t.err, err)
		return
	}
	like := "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(strings.TrimSuffix(string(text), `"`))
	if n, _ := t.one(`SELECT count(*) FROM "WRITE_JOURNAL" WHERE "BODY" LIKE ? ESCAPE '!' OR "BODY" LIKE ? ESCAPE '!'`, like+`"%`, like+"/%"); n > 0 {
		t.fail(ErrOutrun, path)
	}
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
		t.ids(fileChanges(table.ID), 1)
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

// IsUnfinished reports whether a change is still in the journal.
func (s *Store) IsUnfinished(ctx context.Context, w *Write) (bool, error) {
	n := 0
	err := s.db.Row(ctx, `SELECT count(*) FROM "WRITE_JOURNAL" WHERE "WRITE_ID" = ?`, []any{w.ID}, &n)
	return n > 0, err
}

// Finished removes a change from the journal: its files are in their places.
func (s *Store) Finished(ctx context.Context, w *Write) error {
	return s.in(ctx, func(t *tx) { t.finished(w) })
}

func (t *tx) finished(w *Write) { t.exec(`DELETE FROM "WRITE_JOURNAL" WHERE "WRITE_ID" = ?`, w.ID) }
