package lake

import (
	"strconv"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// Snapshot is a table's state to travel to.
type Snapshot struct {
	ID int64
	// branch says that it was named by a branch: then it is read with the table's current schema, not with its own.
	branch bool
	// since is the snapshot behind which an incremental read begins; nil: all rows are read.
	since *int64
}

// SnapshotByID is VERSION AS OF a number.
func (t *Table) SnapshotByID(id int64) (*Snapshot, error) {
	if t.meta.SnapshotByID(id) == nil {
		return nil, errclass.SnapshotNotFound(id)
	}
	return &Snapshot{ID: id}, nil
}

// SnapshotByRef is VERSION AS OF a text: a branch, a tag, or an id in digits.
func (t *Table) SnapshotByRef(version string) (*Snapshot, error) {
	if id, err := strconv.ParseInt(version, 10, 64); err == nil {
		return t.SnapshotByID(id)
	}
	ref, ok := t.meta.ref(version)
	if !ok {
		return nil, errclass.RefNotFound(version)
	}
	return &Snapshot{ID: ref.SnapshotID, branch: ref.SnapshotRefType == table.BranchRef}, nil
}

// SnapshotOfRef is FOR VERSION AS OF a text in Trino: a branch or a tag, whose snapshot is read with its own schema.
func (t *Table) SnapshotOfRef(name string) (*Snapshot, error) {
	ref, ok := t.meta.ref(name)
	if !ok {
		return nil, errclass.RefNotFound(name)
	}
	return &Snapshot{ID: ref.SnapshotID}, nil
}

// Tagged is the state that a tag names; it reports false if there is no such tag.
func (t *Table) Tagged(name string) (*Snapshot, bool) {
	ref, ok := t.meta.ref(name)
	if !ok || ref.SnapshotRefType != table.TagRef {
		return nil, false
	}
	return &Snapshot{ID: ref.SnapshotID}, true
}

// SnapshotAsOf is TIMESTAMP AS OF: what was current at that time. Iceberg's history counts in milliseconds.
func (t *Table) SnapshotAsOf(at types.Micros) (*Snapshot, error) {
	ms := time.UnixMicro(int64(at)).UnixMilli()
	var found *Snapshot
	latest := int64(0) // the log need not be in the order of time
	for e := range t.meta.SnapshotLogs() {
		if e.TimestampMs <= ms && (found == nil || e.TimestampMs >= latest) {
			found, latest = &Snapshot{ID: e.SnapshotID}, e.TimestampMs
		}
	}
	if found == nil {
		return nil, errclass.NoSnapshotBefore(instant(ms))
	}
	return t.SnapshotByID(found.ID) // it may have expired since
}

// instant prints milliseconds as Iceberg does: no fraction, or three digits.
func instant(ms int64) string {
	layout := "2006-01-02T15:04:05"
	if ms%1000 != 0 {
		layout += ".000"
	}
	return time.UnixMilli(ms).UTC().Format(layout) + "+00:00"
}

// SchemaAt is the schema that a snapshot is read with.
func (t *Table) SchemaAt(s *Snapshot) types.Type { return t.meta.types(t.schemaAt(s)) }

func (t *Table) schemaAt(s *Snapshot) *iceberg.Schema {
	if snap := t.meta.SnapshotByID(s.ID); snap != nil && snap.SchemaID != nil && !s.branch {
		if schema := t.meta.schemaOf(*snap.SchemaID); schema != nil {
			return schema
		}
	}
	return t.meta.CurrentSchema()
}
