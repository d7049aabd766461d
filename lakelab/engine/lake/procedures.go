package lake

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// RollbackToSnapshot makes an ancestor of the current snapshot the current one again. It makes no snapshot; the history gets an entry.
func (l *Lakehouse) RollbackToSnapshot(ctx context.Context, t *Table, id int64) (previous, current any, err error) {
	return l.setMain(ctx, t, func(m *metadata) (int64, error) {
		if m.SnapshotByID(id) == nil {
			return 0, errclass.Validation("Cannot roll back to unknown snapshot id: %d", id)
		}
		if !m.isAncestor(id) {
			return 0, errclass.Validation("Cannot roll back to snapshot, not an ancestor of the current state: %d", id)
		}
		return id, nil
	})
}

// RollbackToTimestamp rolls back to the newest ancestor of the current snapshot that is older than a time.
func (l *Lakehouse) RollbackToTimestamp(ctx context.Context, t *Table, at types.Micros) (previous, current any, err error) {
	ms := time.UnixMicro(int64(at)).UnixMilli()
	return l.setMain(ctx, t, func(m *metadata) (int64, error) {
		var found *table.Snapshot
		for s := m.CurrentSnapshot(); s != nil; s = m.parent(s) {
			if s.TimestampMs < ms && (found == nil || s.TimestampMs > found.TimestampMs) {
				found = s
			}
		}
		if found == nil {
			return 0, errclass.IllegalArgument(fmt.Sprintf("Cannot roll back, no valid snapshot older than: %d", ms))
		}
		return found.SnapshotID, nil
	})
}

// SetCurrentSnapshot makes any snapshot the current one: by id or, if ref is not empty, by branch or tag.
func (l *Lakehouse) SetCurrentSnapshot(ctx context.Context, t *Table, id int64, ref string) (previous, current any, err error) {
	return l.setMain(ctx, t, func(m *metadata) (int64, error) {
		if ref != "" {
			for name, r := range m.Refs() {
				if name == ref {
					return r.SnapshotID, nil
				}
			}
			return 0, errclass.Validation("Cannot find matching snapshot ID for ref %s", ref)
		}
		if m.SnapshotByID(id) == nil {
			return 0, errclass.Validation("Cannot roll back to unknown snapshot id: %d", id)
		}
		return id, nil
	})
}

// FastForward moves a branch to where another branch or tag is, if the branch's head is an ancestor of that; a branch that is not there
// is made. previous is nil then.
func (l *Lakehouse) FastForward(ctx context.Context, t *Table, branch, to string) (previous, current any, err error) {
	err = l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		target, ok := a.base.ref(to)
		if !ok {
			return errclass.IllegalArgument("Ref does not exist: " + to)
		}
		previous, current = nil, target.SnapshotID
		if old, ok := a.base.ref(branch); ok {
			if old.SnapshotRefType != table.BranchRef {
				return errclass.IllegalArgument("Ref " + branch + " is a tag not a branch")
			}
			previous = old.SnapshotID
			if !a.base.descends(target.SnapshotID, old.SnapshotID) {
				return errclass.IllegalArgument(fmt.Sprintf("Cannot fast-forward: %s is not an ancestor of %s", branch, to))
			}
		}
		if previous == current {
			return nil
		}
		return b.NewRetainingSnapshotRefUpdate(branch, target.SnapshotID, table.BranchRef).Apply(b)
	})
	return previous, current, err
}

// descends reports whether a snapshot is another one or grew from it.
func (m *metadata) descends(id, from int64) bool {
	for s := m.SnapshotByID(id); s != nil; s = m.parent(s) {
		if s.SnapshotID == from {
			return true
		}
	}
	return false
}

// setMain moves the branch main to the snapshot that choose picks. previous is an int64, or nil if the table had no snapshot.
func (l *Lakehouse) setMain(ctx context.Context, t *Table, choose func(*metadata) (int64, error)) (previous, current any, err error) {
	err = l.commit(ctx, t.id, func(a *attempt) (*table.MetadataBuilder, error) {
		if a.base == nil {
			return nil, fmt.Errorf("%w: %s", ErrNoTable, t.id)
		}
		if err := checkNumbers(a.base.Properties(), retryNumbers...); err != nil {
			return nil, err
		}
		previous = nil
		if s := a.base.CurrentSnapshot(); s != nil {
			previous = s.SnapshotID
		}
		id, err := choose(a.base)
		if err != nil {
			return nil, err
		}
		current = id
		if previous == current {
			return nil, nil
		}
		b, err := a.builder()
		if err != nil {
			return nil, err
		}
		return b, b.NewRetainingSnapshotRefUpdate(table.MainBranch, id, table.BranchRef).Apply(b)
	})
	return previous, current, err
}

// parent is a snapshot's parent; nil if it has none, or none that is still there.
func (m *metadata) parent(s *table.Snapshot) *table.Snapshot {
	if s.ParentSnapshotID == nil {
		return nil
	}
	return m.SnapshotByID(*s.ParentSnapshotID)
}

// isAncestor reports whether a snapshot is the current one or one it grew from.
func (m *metadata) isAncestor(id int64) bool {
	for s := m.CurrentSnapshot(); s != nil; s = m.parent(s) {
		if s.SnapshotID == id {
			return true
		}
	}
	return false
}
