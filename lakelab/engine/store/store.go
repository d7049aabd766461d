// Package store opens the database in which a lakehouse keeps its catalogs: SQLite in the lakehouse's folder, or PostgreSQL.
//
// Callers (lake's catalog; whoever keeps more beside it) write one SQL for both: `?` for arguments, no other dialect's words. What
// differs, i.e. arguments' marks, errors and isolation, is here.
package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"mini-lakehouse-lab/lakelab/engine/redact"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	db      *sql.DB
	dialect dialect
}

// Tx is a transaction.
type Tx struct {
	tx      *sql.Tx
	dialect dialect
}

// Open opens the database at a URI: postgresql://[user[:password]@]host[:port]/database[?sslmode=…] as libpq has it, or sqlite:PATH, whose
// file is made if it is not there, and only read where it can't be written. What the URI leaves out, PostgreSQL's own variables and files say: PGUSER, PGPASSWORD, PGPASSFILE
// (~/.pgpass), PGSERVICEFILE, PGSSLMODE. No error tells a password.
func Open(ctx context.Context, uri string) (*DB, error) {
	if path, ok := strings.CutPrefix(uri, "sqlite:"); ok {
		return openSQLite(path)
	}
	if !IsPostgres(uri) {
		return nil, fmt.Errorf("no database at %q: it is sqlite:PATH or postgresql://…", redact.URI(uri))
	}
	db, err := sql.Open("pgx", postgresURI(uri))
	if err == nil {
		if err = db.PingContext(ctx); err != nil {
			db.Close()
			err = fmt.Errorf("%s: %w", redact.URI(uri), err)
		}
	}
	if err != nil {
		return nil, err
	}
	return &DB{db, postgres{}}, nil
}

// Writable says why nothing can be written into the database; nil if nothing is known to stand in the way.
func (d *DB) Writable() error { return d.dialect.writable() }

// Close closes the database.
func (d *DB) Close() error { return d.db.Close() }

// Exec runs a statement and says how many rows it changed. A statement that is sent to PostgreSQL may have happened although it failed:
// see Certain.
func (d *DB) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	n, err := changed(d.db.ExecContext(ctx, d.dialect.query(query), args...))
	return n, d.dialect.explain(err)
}

// Row runs a query of one row. sql.ErrNoRows.
func (d *DB) Row(ctx context.Context, query string, args []any, into ...any) error {
	return d.db.QueryRowContext(ctx, d.dialect.query(query), args...).Scan(into...)
}

// Rows runs a query.
func (d *DB) Rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return d.db.QueryContext(ctx, d.dialect.query(query), args...)
}

// Strings runs a query of one column of texts.
func (d *DB) Strings(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := d.Rows(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// InTransaction runs do in a serializable transaction. do may run several times: others that were faster make it begin again.
func (d *DB) InTransaction(ctx context.Context, do func(tx *Tx) error) error {
	for {
		err := d.transaction(ctx, do)
		if err == nil || !d.dialect.outrun(err) || ctx.Err() != nil {
			return d.dialect.explain(err)
		}
	}
}

func (d *DB) transaction(ctx context.Context, do func(tx *Tx) error) error {
	tx, err := d.db.BeginTx(ctx, &sql.TxOptions{Isolation: d.dialect.isolation()})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(&Tx{tx, d.dialect}); err != nil {
		return err
	}
	return tx.Commit()
}

// Exec is DB's Exec in the transaction.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	return changed(t.tx.ExecContext(ctx, t.dialect.query(query), args...))
}

// Row is DB's Row in the transaction.
func (t *Tx) Row(ctx context.Context, query string, args []any, into ...any) error {
	return t.tx.QueryRowContext(ctx, t.dialect.query(query), args...).Scan(into...)
}

func changed(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// HasColumn reports whether a table has a column.
func (d *DB) HasColumn(ctx context.Context, table, column string) (bool, error) {
	var n int
	err := d.Row(ctx, d.dialect.columns(), []any{table, column}, &n)
	return n > 0, err
}

// MakeTable makes a table, and what belongs to it, if it is not there; column is one of its columns. It is looked for first: whoever may
// not create tables may use those that are there. Another process may make it at the same time, which PostgreSQL reports as an error in
// spite of IF NOT EXISTS.
func (d *DB) MakeTable(ctx context.Context, table, column string, create ...string) error {
	there, err := d.HasColumn(ctx, table, column)
	if there || err != nil {
		return err
	}
	err = d.InTransaction(ctx, func(tx *Tx) error {
		for _, q := range create {
			if _, err := tx.Exec(ctx, q); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		if there, again := d.HasColumn(ctx, table, column); there && again == nil {
			return nil
		}
	}
	return err
}

// IsDuplicate reports whether an error says that a row with the same key is there.
func (d *DB) IsDuplicate(err error) bool { return err != nil && d.dialect.duplicate(err) }

// Certain reports whether an error of Exec says that the statement has not happened. The network may fail after PostgreSQL got it.
func (d *DB) Certain(err error) bool { return err == nil || d.dialect.certain(err) }
