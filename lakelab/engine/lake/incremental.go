package lake

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Incremental reads: the rows that snapshots with plain appends added, without those that overwrites and deletes brought or took (Iceberg's
// "Spark Queries" page, "Incremental read").

// AppendedSince is the state that an incremental read reads: what was appended behind the snapshot start up to end (nil: the current one of
// main). It is read with the table's current schema.
func (t *Table) AppendedSince(start int64, end *int64) (*Snapshot, error) {
	last, _, err := t.between(&start, end)
	if err != nil {
		return nil, err
	}
	return &Snapshot{ID: last.SnapshotID, branch: true, since: &start}, nil
}

// Appended reports whether a state is that of an incremental read.
func (s *Snapshot) Appended() bool { return s != nil && s.since != nil }

// appended lists the data files of an incremental read. Nothing that was deleted of them later counts.
func (t *Table) appended(ctx context.Context, at *Snapshot) (*fileList, error) {
	_, snapshots, err := t.between(at.since, &at.ID)
	if err != nil {
		return nil, err
	}
	list := &fileList{}
	for _, s := range slices.Backward(snapshots) { // the newest first, as scans have them
		if s.Summary == nil || s.Summary.Operation != table.OpAppend {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		manifests, err := t.lake.cache.manifests(&s)
		if err != nil {
			return nil, err
		}
		data, err := t.lake.addedBy(&s)
		if err != nil {
			return nil, err
		}
		list.data = append(list.data, data...)
		for _, m := range manifests {
			if m.SnapshotID() == s.SnapshotID { // addedBy's
				list.manifests = append(list.manifests, m)
			}
		}
	}
	return list, nil
}

// between lists the snapshots behind start (nil: all) up to end (nil: main's current one), oldest first, with end; nil if the table has none.
func (t *Table) between(start, end *int64) (last *table.Snapshot, list []table.Snapshot, err error) {
	last = t.meta.CurrentSnapshot()
	switch {
	case end != nil:
		if last = t.meta.SnapshotByID(*end); last == nil {
			return nil, nil, errclass.IllegalArgument(fmt.Sprintf("Cannot find the end snapshot: %d", *end))
		}
	case last == nil && start != nil:
		return nil, nil, errclass.IllegalArgument("End snapshot is not set and table has no current snapshot")
	}
	found := start == nil
	for s := last; s != nil && (start == nil || !found); s = t.meta.parent(s) {
		list = append(list, *s)
		found = found || s.ParentSnapshotID != nil && *s.ParentSnapshotID == *start // which may have expired
	}
	if !found {
		return nil, nil, errclass.IllegalArgument(fmt.Sprintf("Starting snapshot (exclusive) %d is not a parent ancestor of end snapshot %d", *start, last.SnapshotID))
	}
	slices.Reverse(list)
	return last, list, nil
}
