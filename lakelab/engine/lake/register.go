package lake

import (
	"context"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Register makes a table of a metadata file that is there: one that was dropped without its files, or another engine's. It fails with
// ErrTableExists if there is a table of that name.
func (l *Lakehouse) Register(ctx context.Context, id Ident, path string) (*Table, error) {
	if err := id.check(); err != nil {
		return nil, err
	}
	if ok, err := l.Exists(ctx, id); err != nil || ok {
		if err == nil {
			err = fmt.Errorf("%w: %s", ErrTableExists, id)
		}
		return nil, err
	}
	if _, ok := l.folder(id); ok {
		return nil, errclass.Unsupported("registering a table in a Hadoop catalog")
	}
	if l.rest != nil {
		if _, err := l.rest.RegisterTable(ctx, restName(id), path); err != nil {
			return nil, err
		}
		return l.Load(ctx, id)
	}
	m, err := l.cache.metadata(ctx, path)
	if err != nil {
		return nil, err
	}
	done, err := l.swap(ctx, id, isTable, "", m.location)
	if err == nil && !done {
		err = errclass.Validation("Table already exists: %s", id)
	}
	if err != nil {
		return nil, err
	}
	return l.Load(ctx, id)
}

// Totals are the current snapshot's id, and the rows and data files that its summary counts; nil where there is none.
func (t *Table) Totals() (snapshot, records, files any) {
	s := t.meta.CurrentSnapshot()
	if s == nil {
		return nil, nil, nil
	}
	if s.Summary != nil {
		records, files = whole(s.Summary.Properties["total-records"]), whole(s.Summary.Properties["total-data-files"])
	}
	return s.SnapshotID, records, files
}
