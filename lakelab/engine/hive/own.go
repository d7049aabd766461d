package hive

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// What may be deleted is what the lakehouse made: a managed table's folder, directly in its database's folder, and what lies in it. A
// path counts as the place that it leads to, so that neither .. nor a symbolic link leads out; a link itself is removed, never what it
// points to.

// owned reports whether a path lies in a managed table's own folder, or is that folder. database is its database's location.
func owned(t *Table, database *metastore.Database, path string) bool {
	if !t.Managed() || !metastore.PlainName(t.Name) {
		return false
	}
	root := filepath.Join(Path(database.Location), t.Name)
	path = filepath.Clean(path)
	if path != root && !strings.HasPrefix(path, root+string(filepath.Separator)) {
		return false
	}
	home, err := filepath.EvalSymlinks(Path(database.Location))
	if err != nil {
		return false
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return false
	}
	within := filepath.Join(home, t.Name)
	if path == root {
		return parent == home
	}
	return parent == within || strings.HasPrefix(parent, within+string(filepath.Separator))
}

// removeEmpty removes a folder, and its parents up to root, as far as they are empty.
func removeEmpty(dir, root string) {
	for dir != root && strings.HasPrefix(dir, root+string(filepath.Separator)) {
		if os.Remove(dir) != nil {
			return
		}
		dir = filepath.Dir(dir)
	}
}

// Around lists the folders of tables and partitions at a path, below it and above it.
func (w *Warehouse) Around(ctx context.Context, path string) ([]string, error) {
	return paths(w.Store.Around(ctx, URI(path)))
}

// Touches reports whether one of the tables' folders around a path (Around) is it, or is below or above it. What a statement overwrites
// there goes into the trash (TrashFrom).
func Touches(path string, around []string) bool {
	return slices.ContainsFunc(around, func(f string) bool { return Within(f, path) || Within(path, f) })
}

// Locations are the folders of all tables and partitions.
func (w *Warehouse) Locations(ctx context.Context) ([]string, error) {
	return paths(w.Store.Locations(ctx))
}

// paths makes paths of locations.
func paths(locations []string, err error) ([]string, error) {
	for i := range locations {
		locations[i] = Path(locations[i])
	}
	return locations, err
}
