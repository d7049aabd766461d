package lake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/store"
)

// The tables of Iceberg's Java JdbcCatalog with schema version V1.
var catalogSchema = map[string]string{
	"iceberg_tables": `CREATE TABLE IF NOT EXISTS iceberg_tables (catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL,
		table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000),
		iceberg_type VARCHAR(5), PRIMARY KEY (catalog_name, table_namespace, table_name))`,
	"iceberg_namespace_properties": `CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL,
		property_key VARCHAR(255), property_value VARCHAR(1000), PRIMARY KEY (catalog_name, namespace, property_key))`,
}

// rowKind is the condition that a row is a table's or a view's.
type rowKind string

const (
	isTable rowKind = ` AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)` // a row written under schema V0 has no type
	isView  rowKind = ` AND iceberg_type = 'VIEW'`
)

// name is what iceberg_type holds.
func (k rowKind) name() string {
	if k == isView {
		return "VIEW"
	}
	return "TABLE"
}

// existsKey is the property that stands for a namespace without properties, in Java's catalog as here.
const existsKey = "exists"

func openCatalog(ctx context.Context, uri string) (*store.DB, error) {
	db, err := store.Open(ctx, uri)
	if err != nil {
		return nil, err
	}
	if err := prepareCatalog(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// prepareCatalog makes the catalog's tables where they are missing.
func prepareCatalog(ctx context.Context, db *store.DB) error {
	for table, create := range catalogSchema {
		if err := db.MakeTable(ctx, table, "catalog_name", create); err != nil {
			return err
		}
	}
	// A catalog that Java made with its default, schema V0, has no type column; Java's own migration is this statement.
	typed, err := db.HasColumn(ctx, "iceberg_tables", "iceberg_type")
	if err == nil && !typed {
		_, err = db.Exec(ctx, `ALTER TABLE iceberg_tables ADD COLUMN iceberg_type VARCHAR(5)`)
	}
	return err
}

// location is the path of a table's current metadata file.
func (l *Lakehouse) location(ctx context.Context, id Ident) (string, error) {
	location, err := l.rowLocation(ctx, id, isTable)
	if err == nil && location == "" {
		err = fmt.Errorf("%w: %s", ErrNoTable, id)
	}
	return location, err
}

// rowLocation is the path of the metadata file that a table's or a view's row names; empty if there is no such row.
func (l *Lakehouse) rowLocation(ctx context.Context, id Ident, kind rowKind) (string, error) {
	if id.check() != nil {
		return "", nil // no table can have that name
	}
	if folder, ok := l.folder(id); ok {
		if kind == isView {
			return "", nil
		}
		location, _, err := folderVersion(ctx, folder)
		return location, err
	}
	if l.rest != nil && kind == isView {
		_, location, err := l.restView(ctx, id)
		return location, err
	}
	if l.rest != nil {
		return l.restLocation(ctx, id)
	}
	var location sql.NullString
	err := l.db.Row(ctx, `SELECT metadata_location FROM iceberg_tables
		WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?`+string(kind), []any{CatalogName, id.Namespace, id.Name}, &location)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
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

// swap moves a table's or a view's row from one metadata file to the next; "" as old makes the row. It is false if somebody else was
// first. An error that is no errUnknownOutcome says that nothing has happened.
func (l *Lakehouse) swap(ctx context.Context, id Ident, kind rowKind, old, next string) (bool, error) {
	// Done twice, the statement does nothing the second time: after a failure of the network that leaves it open whether the first
	// one happened, a second one that is answered settles it, and one that arrives late has no effect.
	done, err := l.swapOnce(ctx, id, kind, old, next)
	for i := 0; !l.db.Certain(err); i++ {
		if i == swapRetries {
			return false, errors.Join(errUnknownOutcome, err)
		}
		time.Sleep(time.Duration(i+1) * 200 * time.Millisecond)
		again, aerr := l.swapOnce(ctx, id, kind, old, next)
		if aerr == nil && !again { // maybe the first one did it
			again, aerr = l.happened(ctx, id, kind, next)
		}
		if aerr == nil {
			return again, nil
		}
	}
	return done, err
}

// happened reports whether a row names a metadata file, or a table's one that came after it: others may have gone on from there.
func (l *Lakehouse) happened(ctx context.Context, id Ident, kind rowKind, file string) (bool, error) {
	now, err := l.rowLocation(ctx, id, kind)
	if err != nil || now == "" || now == file || kind != isTable {
		return err == nil && now == file, err
	}
	m, err := l.cache.metadata(ctx, now)
	if err != nil {
		return false, err
	}
	for e := range m.PreviousFiles() {
		if e.MetadataFile == file {
			return true, nil
		}
	}
	return false, nil
}

// swapRetries bounds how often a swap of unknown outcome is sent again.
const swapRetries = 8

func (l *Lakehouse) swapOnce(ctx context.Context, id Ident, kind rowKind, old, next string) (bool, error) {
	var n int64
	var err error
	if old == "" {
		n, err = l.db.Exec(ctx, `INSERT INTO iceberg_tables
			(catalog_name, table_namespace, table_name, metadata_location, previous_metadata_location, iceberg_type)
			VALUES (?, ?, ?, ?, NULL, ?)`, CatalogName, id.Namespace, id.Name, next, kind.name())
		if l.db.IsDuplicate(err) {
			return false, nil
		}
	} else {
		n, err = l.db.Exec(ctx, `UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?
			WHERE catalog_name = ? AND table_namespace = ? AND table_name = ? AND metadata_location = ?`+string(kind),
			next, old, CatalogName, id.Namespace, id.Name, old)
	}
	return n == 1, err
}

// Tables lists the tables of a namespace.
func (l *Lakehouse) Tables(ctx context.Context, namespace string) ([]string, error) {
	if l.hadoop {
		return folderNames(ctx, l.usualFolder(namespace), true)
	}
	if l.rest != nil {
		return l.restNames(ctx, namespace, isTable)
	}
	return l.db.Strings(ctx, `SELECT table_name FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ?`+string(isTable)+` ORDER BY table_name`,
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
	return l.renameRow(ctx, isTable, from, to, ErrNoTable)
}

// renameRow gives a table's or a view's row another name.
func (l *Lakehouse) renameRow(ctx context.Context, kind rowKind, from, to Ident, missing error) error {
	if from.check() != nil {
		return fmt.Errorf("%w: %s", missing, from)
	}
	if err := to.check(); err != nil {
		return err
	}
	if _, ok := l.folder(from); ok {
		return errclass.Unsupported("renaming a table without a catalog: its name is its folder's")
	}
	if l.rest != nil {
		return l.restRename(ctx, kind, from, to, missing)
	}
	n, err := l.db.Exec(ctx, `UPDATE iceberg_tables SET table_namespace = ?, table_name = ?
		WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?`+string(kind), to.Namespace, to.Name, CatalogName, from.Namespace, from.Name)
	if l.db.IsDuplicate(err) {
		return errclass.RenameTarget(to.Namespace, to.Name)
	}
	if err == nil && n == 0 {
		err = fmt.Errorf("%w: %s", missing, from)
	}
	return err
}

// dropRow removes a table's or a view's row, if it names a metadata file ("": whatever it names).
func (l *Lakehouse) dropRow(ctx context.Context, kind rowKind, id Ident, location string, missing error) error {
	if id.check() != nil {
		return fmt.Errorf("%w: %s", missing, id)
	}
	if folder, ok := l.folder(id); ok {
		if kind == isView {
			return fmt.Errorf("%w: %s", missing, id)
		}
		return l.dropFolder(ctx, folder)
	}
	if l.rest != nil {
		return l.restDrop(ctx, kind, id, missing)
	}
	n, err := l.db.Exec(ctx, `DELETE FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?
		AND (? = '' OR metadata_location = ?)`+string(kind), CatalogName, id.Namespace, id.Name, location, location)
	if err == nil && n == 0 {
		err = fmt.Errorf("%w: %s", missing, id)
	}
	return err
}
