package lake

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/store"
)

// Namespaces lists the namespaces: those made, and those that tables imply.
func (l *Lakehouse) Namespaces(ctx context.Context) ([]string, error) {
	if l.hadoop {
		return folderNames(ctx, l.warehouse, false)
	}
	if l.rest != nil {
		return l.restSpaces(ctx, nil)
	}
	return l.db.Strings(ctx, `SELECT table_namespace FROM iceberg_tables WHERE catalog_name = ?
		UNION SELECT namespace FROM iceberg_namespace_properties WHERE catalog_name = ? ORDER BY 1`, CatalogName, CatalogName)
}

// NamespaceExists reports whether there is a namespace of that name.
func (l *Lakehouse) NamespaceExists(ctx context.Context, name string) (bool, error) {
	if l.hadoop {
		return l.namespaceFolder(ctx, name)
	}
	if l.rest != nil {
		return l.rest.CheckNamespaceExists(ctx, restSpace(name))
	}
	found, err := l.db.Strings(ctx, `SELECT table_namespace FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ?
		UNION SELECT namespace FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ?`, CatalogName, name, CatalogName, name)
	return len(found) > 0, err
}

// CreateNamespace makes a namespace with properties. ErrNamespaceExists.
func (l *Lakehouse) CreateNamespace(ctx context.Context, name string, properties map[string]string) error {
	if err := checkName(strings.Split(name, ".")...); err != nil {
		return err
	}
	if l.hadoop {
		return l.createFolder(ctx, name, properties)
	}
	if l.rest != nil {
		return restSpaceError(name, l.rest.CreateNamespace(ctx, restSpace(name), properties))
	}
	if len(properties) == 0 {
		properties = map[string]string{existsKey: "true"}
	}
	return l.db.InTransaction(ctx, func(tx *store.Tx) error {
		var used int
		err := tx.Row(ctx, `SELECT (SELECT count(*) FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ?)
			+ (SELECT count(*) FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ?)`, []any{CatalogName, name, CatalogName, name}, &used)
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
	if l.rest != nil {
		_, err := l.rest.UpdateNamespaceProperties(ctx, restSpace(name), remove, set)
		return restSpaceError(name, err)
	}
	if ok, err := l.NamespaceExists(ctx, name); err != nil || !ok {
		if err == nil {
			err = fmt.Errorf("%w: %s", ErrNoNamespace, name)
		}
		return err
	}
	if l.hadoop {
		return errHadoopProperties
	}
	return l.db.InTransaction(ctx, func(tx *store.Tx) error {
		for _, k := range remove {
			if _, err := tx.Exec(ctx, `DELETE FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ? AND property_key = ?`, CatalogName, name, k); err != nil {
				return err
			}
		}
		var left int
		err := tx.Row(ctx, `SELECT count(*) FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ?`, []any{CatalogName, name}, &left)
		if err != nil {
			return err
		}
		if left == 0 && len(set) == 0 {
			set = map[string]string{existsKey: "true"}
		}
		return setNamespaceProperties(ctx, tx, name, set)
	})
}

func setNamespaceProperties(ctx context.Context, tx *store.Tx, name string, properties map[string]string) error {
	for k, v := range properties {
		if _, err := tx.Exec(ctx, `INSERT INTO iceberg_namespace_properties (catalog_name, namespace, property_key, property_value) VALUES (?, ?, ?, ?)
			ON CONFLICT (catalog_name, namespace, property_key) DO UPDATE SET property_value = excluded.property_value`,
			CatalogName, name, k, v); err != nil {
			return err
		}
	}
	return nil
}

// DropNamespace removes a namespace without tables and, unless it leaves them behind, child namespaces: these stay, with their tables, where a
// catalog keeps each for itself. ErrNoNamespace, ErrNamespaceNotEmpty.
func (l *Lakehouse) DropNamespace(ctx context.Context, name string, leave bool) error {
	if checkName(strings.Split(name, ".")...) != nil {
		return fmt.Errorf("%w: %s", ErrNoNamespace, name)
	}
	if l.hadoop {
		return l.dropNamespaceFolder(ctx, name)
	}
	if l.rest != nil {
		return restSpaceError(name, l.rest.DropNamespace(ctx, restSpace(name)))
	}
	return l.db.InTransaction(ctx, func(tx *store.Tx) error {
		children := name + "."
		if leave {
			children = "/" // no name has one
		}
		var used int
		err := tx.Row(ctx, `SELECT (SELECT count(*) FROM iceberg_tables WHERE catalog_name = ? AND (table_namespace = ? OR substr(table_namespace, 1, ?) = ?))
			+ (SELECT count(*) FROM iceberg_namespace_properties WHERE catalog_name = ? AND substr(namespace, 1, ?) = ?)`,
			[]any{CatalogName, name, utf8.RuneCountInString(children), children, CatalogName, utf8.RuneCountInString(children), children}, &used)
		if err != nil {
			return err
		}
		if used > 0 {
			return fmt.Errorf("%w: %s", ErrNamespaceNotEmpty, name)
		}
		n, err := tx.Exec(ctx, `DELETE FROM iceberg_namespace_properties WHERE catalog_name = ? AND namespace = ?`, CatalogName, name)
		if err == nil && n == 0 {
			err = fmt.Errorf("%w: %s", ErrNoNamespace, name)
		}
		return err
	})
}

// NamespaceProperties are a namespace's properties with its location. ErrNoNamespace.
func (l *Lakehouse) NamespaceProperties(ctx context.Context, name string) (map[string]string, error) {
	if l.rest != nil {
		props := map[string]string{"location": l.usualFolder(name)}
		theirs, err := l.restProperties(ctx, name)
		if err != nil {
			return nil, err
		}
		maps.Copy(props, theirs)
		return props, nil
	}
	if ok, err := l.NamespaceExists(ctx, name); err != nil || !ok {
		if err == nil {
			err = fmt.Errorf("%w: %s", ErrNoNamespace, name)
		}
		return nil, err
	}
	props := map[string]string{"location": l.usualFolder(name)}
	if l.hadoop {
		return props, nil
	}
	rows, err := l.db.Rows(ctx, `SELECT property_key, property_value FROM iceberg_namespace_properties
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
