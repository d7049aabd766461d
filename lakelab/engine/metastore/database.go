package metastore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// CreateDatabase makes a database. ErrDatabaseExists; ErrLocation if it would lie in the folder of a table.
func (s *Store) CreateDatabase(ctx context.Context, d Database) error {
	d.Name = strings.ToLower(d.Name)
	return s.in(ctx, func(t *tx) {
		if t.checkName(d.Name); t.err != nil {
			return
		}
		if _, ok := t.one(`SELECT "DB_ID" FROM "DBS" WHERE "NAME" = ?`, d.Name); ok {
			t.err = fmt.Errorf("%w: %s", ErrDatabaseExists, d.Name)
			return
		}
		t.checkFree(d.Location)
		id := t.ids("DBS", 1)
		t.exec(`INSERT INTO "DBS" ("DB_ID", "DESC", "DB_LOCATION_URI", "NAME", "OWNER_NAME", "OWNER_TYPE") VALUES (?, ?, ?, ?, ?, 'USER')`,
			id, d.Comment, d.Location, d.Name, d.Owner)
		t.setParams("DATABASE_PARAMS", "DB_ID", id, d.Params)
	})
}

// Database finds a database. ErrNoDatabase.
func (s *Store) Database(ctx context.Context, name string) (*Database, error) {
	d := &Database{}
	var comment, owner sql.NullString
	var changes sql.NullInt64
	err := s.db.Row(ctx, `SELECT "DB_ID", "DESC", "DB_LOCATION_URI", "NAME", "OWNER_NAME",
			(SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = 'DATABASE ' || "DB_ID") FROM "DBS" WHERE "NAME" = ?`, []any{strings.ToLower(name)},
		&d.ID, &comment, &d.Location, &d.Name, &owner, &changes)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: %s", ErrNoDatabase, name)
	}
	if err != nil {
		return nil, err
	}
	d.changes = changes.Int64 // before the rest is read: what is newer than it is not written over
	d.Comment, d.Owner = comment.String, owner.String
	d.Params, err = s.params(ctx, "DATABASE_PARAMS", "DB_ID", d.ID)
	return d, err
}

// Databases lists the names of all databases, in order.
func (s *Store) Databases(ctx context.Context) ([]string, error) {
	return s.db.Strings(ctx, `SELECT "NAME" FROM "DBS" ORDER BY "NAME"`)
}

// AlterDatabase writes a database that was read and changed: its comment, location and parameters. ErrNoDatabase; ErrOutrun if the entry
// was changed since it was read: it is to be read again.
func (s *Store) AlterDatabase(ctx context.Context, d *Database) error {
	return s.in(ctx, func(t *tx) {
		changes := fmt.Sprint("DATABASE ", d.ID) // which Database reads
		if n, _ := t.one(`SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = ?`, changes); n != d.changes {
			t.fail(ErrOutrun, d.Name)
			return
		}
		if t.exec(`UPDATE "DBS" SET "DESC" = ?, "DB_LOCATION_URI" = ? WHERE "DB_ID" = ?`, d.Comment, d.Location, d.ID) == 0 {
			t.fail(ErrNoDatabase, d.Name)
			return
		}
		t.ids(changes, 1)
		t.setParams("DATABASE_PARAMS", "DB_ID", d.ID, d.Params)
	})
}

// DropDatabase removes a database that has no tables. ErrNoDatabase, ErrNotEmpty.
func (s *Store) DropDatabase(ctx context.Context, name string) error {
	return s.in(ctx, func(t *tx) {
		id, ok := t.one(`SELECT "DB_ID" FROM "DBS" WHERE "NAME" = ?`, strings.ToLower(name))
		if !ok {
			t.fail(ErrNoDatabase, name)
			return
		}
		if n, _ := t.one(`SELECT count(*) FROM "TBLS" WHERE "DB_ID" = ?`, id); n > 0 {
			t.fail(ErrNotEmpty, name)
			return
		}
		t.exec(`DELETE FROM "DATABASE_PARAMS" WHERE "DB_ID" = ?`, id)
		t.exec(`DELETE FROM "DBS" WHERE "DB_ID" = ?`, id)
	})
}

// fail keeps an error about a name, if there is none yet.
func (t *tx) fail(err error, name string) {
	if t.err == nil {
		t.err = fmt.Errorf("%w: %s", err, name)
	}
}
