package lake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Namespaces lists the namespaces: those made, and those that tables imply.
func (l *Lakehouse) Namespaces(ctx context.Context) ([]string, error) {
	return l.strings(ctx, `SELECT table_namespace FROM iceberg_tables WHERE catalog_name = ?
		UNION SELECT namespace FROM iceberg_namespace_properties WHERE catalog_name = ? ORDER BY 1`, CatalogName, CatalogName)
}

// NamespaceExists reports whether there is a namespace of that name.
func (l *Lakehouse) NamespaceExists(ctx context.Context, name string) (bool, error) {
	found, err := l.strings(ctx, `SELECT table_namespace FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ?
		UNION SELECT namespace FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ?`, CatalogName, name, CatalogName, name)
	return len(found) > 0, err
}

// CreateNamespace makes a namespace with properties. ErrNamespaceExists.
func (l *Lakehouse) CreateNamespace(ctx context.Context, name string, properties map[string]string) error {
	if err := checkName(strings.Split(name, ".")...); err != nil {
		return err
	}
	if len(properties) == 0 {
		properties = map[string]string{existsKey: "true"}
	}
	return l.inTransaction(ctx, func(tx *sql.Tx) error {
		var used int
		err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM iceberg_tables WHERE catalog_name = ?1 AND table_namespace = ?2)
			+ (SELECT count(*) FROM iceberg_namespace_properties WHERE catalog_name = ?1 AND namespace = ?2)`, CatalogName, name).Scan(&used)
		if err != nil {
			return err
		}
		if used > 0 {
			return fmt.Errorf("%w: %s", ErrNamespaceExists, name)
		}
		return setNamespaceProperties(ctx, tx, name, properties)
	})
}

// SetNamespaceProperties sets and removes properties of a namespace. ErrNoNamespace.
func (l *Lakehouse) SetNamespaceProperties(ctx context.Context, name string, set map[string]string, remove []string) error {
	if ok, err := l.NamespaceExists(ctx, name); err != nil || !ok {
		if err == nil {
			err = fmt.Errorf("%w: %s", ErrNoNamespace, name)
		}
		return err
	}
	return l.inTransaction(ctx, func(tx *sql.Tx) error {
		for _, k := range remove {
			if _, err := tx.ExecContext(ctx, `DELETE FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ? AND property_key = ?`, CatalogName, name, k); err != nil {
				return err
			}
		}
		var left int
		err := tx.QueryRowContext(ctx, `SELECT count(*) FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ?`, CatalogName, name).Scan(&left)
		if err != nil {
			return err
		}
		if left == 0 && len(set) == 0 {
			set = map[string]string{existsKey: "true"}
		}
		return setNamespaceProperties(ctx, tx, name, set)
	})
}

func setNamespaceProperties(ctx context.Context, tx *sql.Tx, name string, properties map[string]string) error {
	for k, v := range properties {
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO iceberg_namespace_properties (catalog_name, namespace, property_key, property_value) VALUES (?, ?, ?, ?)`,
			CatalogName, name, k, v); err != nil {
			return err
		}
	}
	return nil
}

func (l *Lakehouse) inTransaction(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// DropNamespace removes a namespace without tables and child namespaces. ErrNoNamespace, ErrNamespaceNotEmpty.
func (l *Lakehouse) DropNamespace(ctx context.Context, name string) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var used int
	err = tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM iceberg_tables WHERE catalog_name = ?1 AND (table_namespace = ?2 OR substr(table_namespace, 1, length(?2) + 1) = ?2 || '.'))
		+ (SELECT count(*) FROM iceberg_namespace_properties WHERE catalog_name = ?1 AND substr(namespace, 1, length(?2) + 1) = ?2 || '.')`,
		CatalogName, name).Scan(&used)
	if err != nil {
		return err
	}
	if used > 0 {
		return fmt.Errorf("%w: %s", ErrNamespaceNotEmpty, name)
	}
	r, err := tx.ExecContext(ctx, `DELETE FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ?`, CatalogName, name)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, fmt.Errorf("%w: %s", ErrNoNamespace, name))
	}
	return tx.Commit()
}

// NamespaceProperties are a namespace's properties with its location. ErrNoNamespace.
func (l *Lakehouse) NamespaceProperties(ctx context.Context, name string) (map[string]string, error) {
	if ok, err := l.NamespaceExists(ctx, name); err != nil || !ok {
		if err == nil {
			err = fmt.Errorf("%w: %s", ErrNoNamespace, name)
		}
		return nil, err
	}
	props := map[string]string{"location": l.NamespaceLocation(name)}
	rows, err := l.db.QueryContext(ctx, `SELECT property_key, property_value FROM iceberg_namespace_properties
		WHERE catalog_name = ? AND namespace = ? AND property_key <> ?`, CatalogName, name, existsKey)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var k string
		var v sql.NullString
		if err := rows.Scan(&k, &v); err != nil {
			return nil, err
		}
		props[k] = v.String
	}
	return props, rows.Err()
}

// NamespaceLocation is the folder of a namespace's tables.
func (l *Lakehouse) NamespaceLocation(name string) string {
	return filepath.Join(append([]string{l.dir, "warehouse"}, strings.Split(name, ".")...)...)
}

// checkName refuses names that are no names of folders: a table's location is made of them.
func checkName(parts ...string) error {
	for _, p := range parts {
		if p == "" || p == "." || p == ".." || strings.ContainsAny(p, "/\x00") {
			return errclass.Unsupported(fmt.Sprintf("the name %q for a table or a namespace", p))
		}
	}
	return nil
}
