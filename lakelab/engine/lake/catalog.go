package lake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// The tables of Iceberg's Java JdbcCatalog with schema version V1.
var catalogSchema = []string{
	`CREATE TABLE IF NOT EXISTS iceberg_tables (catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL,
		table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000),
		iceberg_type VARCHAR(5), PRIMARY KEY (catalog_name, table_namespace, table_name))`,
	`CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL,
		property_key VARCHAR(255), property_value VARCHAR(1000), PRIMARY KEY (catalog_name, namespace, property_key))`,
}

// isTable leaves views out; a row written under schema V0 has no type.
const isTable = ` AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)`

// existsKey is the property that stands for a namespace without properties, in Java's catalog as here.
const existsKey = "exists"

func openCatalog(ctx context.Context, path string) (*sql.DB, error) {
	// WAL lets readers pass while a commit writes; immediate takes the write lock at BEGIN, so two writers wait instead of failing.
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(30000)&_pragma=journal_mode(WAL)&_txlock=immediate"
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	for _, s := range catalogSchema {
		if _, err := db.ExecContext(ctx, s); err != nil {
			db.Close()
			return nil, err
		}
	}
	// A catalog that Java made with its default, schema V0, has no type column; Java's own migration is this statement.
	var typed int
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM pragma_table_info('iceberg_tables') WHERE name = 'iceberg_type'`).Scan(&typed)
	if err == nil && typed == 0 {
		_, err = db.ExecContext(ctx, `ALTER TABLE iceberg_tables ADD COLUMN iceberg_type VARCHAR(5)`)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// location is the path of a table's current metadata file.
func (l *Lakehouse) location(ctx context.Context, id Ident) (string, error) {
	var location sql.NullString
	err := l.db.QueryRowContext(ctx, `SELECT metadata_location FROM iceberg_tables
		WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?`+isTable, CatalogName, id.Namespace, id.Name).Scan(&location)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !location.Valid {
		return "", fmt.Errorf("%w: %s", ErrNoTable, id)
	}
	return location.String, err
}

// Exists reports whether there is a table of that name.
func (l *Lakehouse) Exists(ctx context.Context, id Ident) (bool, error) {
	_, err := l.location(ctx, id)
	if IsNoTable(err) {
		return false, nil
	}
	return err == nil, err
}

// swap moves a table's row from one metadata file to the next; "" as old makes the row. It is false if somebody else was first.
func (l *Lakehouse) swap(ctx context.Context, id Ident, old, next string) (bool, error) {
	if old == "" {
		_, err := l.db.ExecContext(ctx, `INSERT INTO iceberg_tables
			(catalog_name, table_namespace, table_name, metadata_location, previous_metadata_location, iceberg_type)
			VALUES (?, ?, ?, ?, NULL, 'TABLE')`, CatalogName, id.Namespace, id.Name, next)
		if err != nil && strings.Contains(err.Error(), "UNIQUE constraint failed") {
			return false, nil
		}
		return err == nil, err
	}
	r, err := l.db.ExecContext(ctx, `UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?
		WHERE catalog_name = ? AND table_namespace = ? AND table_name = ? AND metadata_location = ?`+isTable,
		next, old, CatalogName, id.Namespace, id.Name, old)
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n == 1, err
}

// Tables lists the tables of a namespace.
func (l *Lakehouse) Tables(ctx context.Context, namespace string) ([]string, error) {
	return l.strings(ctx, `SELECT table_name FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ?`+isTable+` ORDER BY table_name`,
		CatalogName, namespace)
}

// Rename gives a table another name, possibly in another namespace; its files stay where they are. ErrNoTable, or Spark's errors.
func (l *Lakehouse) Rename(ctx context.Context, from, to Ident) error {
	if err := checkName(to.Name); err != nil {
		return err
	}
	if ok, err := l.NamespaceExists(ctx, to.Namespace); err != nil || !ok {
		if err == nil {
			err = errclass.NoSuchNamespace(to.Namespace)
		}
		return err
	}
	r, err := l.db.ExecContext(ctx, `UPDATE iceberg_tables SET table_namespace = ?, table_name = ?
		WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?`+isTable, to.Namespace, to.Name, CatalogName, from.Namespace, from.Name)
	if err != nil {
		if strings.Contains(err.Error(), "UNIQUE constraint failed") {
			return errclass.RenameTarget(to.Namespace, to.Name)
		}
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, fmt.Errorf("%w: %s", ErrNoTable, from))
	}
	return nil
}

func (l *Lakehouse) strings(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := l.db.QueryContext(ctx, query, args...)
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
