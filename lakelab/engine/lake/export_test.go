package lake

import (
	"context"

	"github.com/apache/iceberg-go"
)

// OnReached has f called at the named points of every write.
func OnReached(f func(point string)) { reached = f }

// OnSwapped has f called after every move of a table's metadata; false is taken for an answer that somebody else was first.
func OnSwapped(f func() bool) { answered = f }

// OnFlushed has f called with every file and folder that was flushed to disk.
func OnFlushed(f func(path string)) { flushed = f }

// Pragma asks the catalog's SQLite for a setting.
func (l *Lakehouse) Pragma(ctx context.Context, name string) (value string, err error) {
	return value, l.db.Row(ctx, "PRAGMA "+name, nil, &value)
}

// CommitFiles lets a test commit files that another writer would have written.
func (l *Lakehouse) CommitFiles(ctx context.Context, t *Table, data, deletes []iceberg.DataFile) error {
	c := newChange(data)
	c.deletes = deletes
	return l.commitChange(ctx, t, c)
}

// Spec is a partition spec of the table.
func (t *Table) Spec(id int) iceberg.PartitionSpec { return *t.meta.PartitionSpecByID(id) }

// FieldID is the id of a column of the current schema.
func (t *Table) FieldID(name string) int {
	f, _ := t.meta.CurrentSchema().FindFieldByName(name)
	return f.ID
}

// ForgetObjects takes the process's S3 service away.
func ForgetObjects() { remote.Store(nil) }

// MetadataLocation is the table's metadata file.
func (t *Table) MetadataLocation() string { return t.meta.location }
