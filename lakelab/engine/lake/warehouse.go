package lake

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// openWarehouse is the location below which new tables get theirs: the folder warehouse of the lakehouse, or what the settings name. Where
// that is s3://bucket[/prefix], or the settings have an S3 service for tables that are there already, this process is connected with it.
func openWarehouse(ctx context.Context, dir string, settings config.Config) (string, error) {
	location := settings.Get(config.Warehouse)
	bucket := ""
	if objects.Remote(location) {
		bucket = location
	}
	if bucket != "" || settings.S3() {
		if err := openObjects(ctx, dir, bucket, settings); err != nil {
			return "", err
		}
	}
	if bucket == "" {
		if location == "" {
			location = filepath.Join(dir, "warehouse")
		}
		location = localPath(location)
		if config.IsREST(settings.Get(config.Catalog)) {
			return location, nil // a name that the server knows, or its folder
		}
		if !filepath.IsAbs(location) {
			return "", fmt.Errorf("the warehouse %q is neither an absolute path nor s3://bucket/…", location)
		}
		return location, makeFolder(location)
	}
	return strings.TrimRight(objects.Canonical(location), "/"), nil
}

// openObjects connects this process with the S3 service of the settings, which must let us into the warehouse's bucket, if that is there.
func openObjects(ctx context.Context, dir, bucket string, settings config.Config) error {
	limit, err := settings.Bytes(config.CacheSize)
	if err != nil {
		return err
	}
	store, err := objects.Open(ctx, bucket, objects.Options{
		Endpoint: settings.Get(config.S3Endpoint), PathStyle: settings.Get(config.S3PathStyle) == "true", Region: settings.Get(config.S3Region),
		AccessKey: settings.Get(config.S3AccessKey), SecretKey: settings.Get(config.S3SecretKey), SessionToken: settings.Get(config.S3SessionToken),
		Dir: filepath.Join(wire.RunFolder(dir), "objects"), Limit: limit,
	})
	if err != nil && bucket == "" {
		return fmt.Errorf("open S3: %w", err)
	}
	if err != nil {
		return fmt.Errorf("open the warehouse %s: %w", bucket, err)
	}
	remote.Store(store)
	return nil
}

// Warehouse is the location below which new tables have theirs.
func (l *Lakehouse) Warehouse() string { return l.warehouse }

// NamespaceLocation is the folder of a namespace's tables, to be shown: the usual one if the catalog does not answer.
func (l *Lakehouse) NamespaceLocation(name string) string {
	if location, err := l.namespaceLocation(context.Background(), name); err == nil {
		return location
	}
	return l.usualFolder(name)
}

// UniqueLocation is a folder for a new table that no other had before it, as Trino gives tables (iceberg.unique-table-location): what a table of
// that name has left behind is not in its way. It is nil where the catalog has places of its own for tables.
func (l *Lakehouse) UniqueLocation(ctx context.Context, id Ident) (*string, error) {
	props, err := l.NamespaceProperties(ctx, id.Namespace)
	folder := props["location"]
	if err != nil || l.hadoop || l.rest != nil && (folder == "" || folder == l.NamespaceLocation(id.Namespace)) {
		return nil, err
	}
	if folder == "" {
		folder = l.NamespaceLocation(id.Namespace)
	}
	location := strings.TrimRight(folder, "/") + "/" + id.Name + "-" + strings.ReplaceAll(uuid.NewString(), "-", "")
	return &location, nil
}

// namespaceLocation is the folder of a namespace's tables.
func (l *Lakehouse) namespaceLocation(ctx context.Context, name string) (string, error) {
	if l.rest != nil { // the server may have a place for it
		props, err := l.restProperties(ctx, name)
		if err != nil && !errors.Is(err, ErrNoNamespace) {
			return "", err
		}
		if location := props["location"]; location != "" {
			return location, nil
		}
	}
	return l.usualFolder(name), nil
}

// usualFolder is the folder of a namespace that has no place of its own.
func (l *Lakehouse) usualFolder(namespace string) string {
	return join(l.warehouse, strings.Split(namespace, ".")...)
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

// Begin says that work begins that reads tables: files that are fetched for it stay until end is called.
func (l *Lakehouse) Begin() (end func()) {
	if s := remote.Load(); s != nil {
		return s.Begin()
	}
	return func() {}
}
