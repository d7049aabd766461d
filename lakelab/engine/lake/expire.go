package lake

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Expiring says which snapshots expire_snapshots removes.
type Expiring struct {
	// OlderThan is the time before which snapshots go, in milliseconds; nil: what history.expire.max-snapshot-age-ms says.
	OlderThan *int64
	// RetainLast is how many of each branch's last snapshots stay; nil: what history.expire.min-snapshots-to-keep says.
	RetainLast *int
	// IDs go whatever their age.
	IDs []int64
}

// Removed counts the files that were deleted.
type Removed struct{ Data, PositionDeletes, EqualityDeletes, Manifests, ManifestLists, Statistics int64 }

// Expire removes snapshots that no branch and no tag needs, and the files that only they refer to. Snapshots that a ref points to stay,
// and so does everything that is still reachable. It returns what it deleted.
func (l *Lakehouse) Expire(ctx context.Context, t *Table, what Expiring) (Removed, error) {
	if t.meta.Properties().Get("gc.enabled", "true") == "false" {
		return Removed{}, errclass.Validation("Cannot expire snapshots: GC is disabled (deleting files may corrupt other tables)")
	}
	if what.RetainLast != nil && *what.RetainLast < 1 {
		return Removed{}, errclass.IllegalArgument(fmt.Sprintf("Number of snapshots to retain must be at least 1, cannot be: %d", *what.RetainLast))
	}
	var gone []table.Snapshot
	err := l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		gone = nil
		refs, keep, err := a.base.retained(what)
		if err != nil {
			return err
		}
		for _, name := range refs {
			if err := b.RemoveSnapshotRef(name); err != nil {
				return err
			}
		}
		var ids []int64
		for _, s := range a.base.Snapshots() {
			if !keep[s.SnapshotID] {
				gone = append(gone, s)
				ids = append(ids, s.SnapshotID)
			}
		}
		if len(ids) == 0 {
			return nil
		}
		return b.RemoveSnapshots(ids, false)
	})
	if err != nil || len(gone) == 0 {
		return Removed{}, err
	}
	// What is reachable now, not at the attempt: a writer may have come in between.
	now, err := l.load(ctx, t.id)
	if err != nil {
		return Removed{}, err
	}
	return l.removeUnreachable(ctx, now, gone)
}

// retained finds the refs whose time is over and the snapshots that stay.
func (m *metadata) retained(what Expiring) (expiredRefs []string, keep map[int64]bool, err error) {
	now := time.Now().UnixMilli()
	props := m.Properties()
	older := now - int64(props.GetInt("history.expire.max-snapshot-age-ms", 432_000_000))
	if what.OlderThan != nil {
		older = *what.OlderThan
	}
	last := props.GetInt("history.expire.min-snapshots-to-keep", 1)
	if what.RetainLast != nil {
		last = *what.RetainLast
	}
	keep = map[int64]bool{}
	referenced := map[int64]bool{}
	for name, r := range m.Refs() {
		s := m.SnapshotByID(r.SnapshotID)
		if name != table.MainBranch {
			age := int64(props.GetInt("history.expire.max-ref-age-ms", -1))
			if r.MaxRefAgeMs != nil {
				age = *r.MaxRefAgeMs
			}
			if s == nil || age >= 0 && now-s.TimestampMs > age {
				expiredRefs = append(expiredRefs, name)
				continue
			}
		}
		if r.SnapshotRefType == table.TagRef {
			keep[s.SnapshotID], referenced[s.SnapshotID] = true, true
			continue
		}
		olderHere, lastHere := older, last
		if r.MaxSnapshotAgeMs != nil {
			olderHere = now - *r.MaxSnapshotAgeMs
		}
		if r.MinSnapshotsToKeep != nil {
			lastHere = *r.MinSnapshotsToKeep
		}
		n := 0
		for ; s != nil; s = m.parent(s) {
			referenced[s.SnapshotID] = true
			if n < lastHere || s.TimestampMs >= olderHere {
				keep[s.SnapshotID] = true
			}
			n++
		}
	}
	for _, s := range m.Snapshots() {
		if !referenced[s.SnapshotID] && s.TimestampMs >= older {
			keep[s.SnapshotID] = true
		}
	}
	for _, id := range what.IDs {
		for name, r := range m.Refs() {
			if r.SnapshotID == id && !slices.Contains(expiredRefs, name) {
				return nil, nil, errclass.IllegalArgument(fmt.Sprintf("Cannot expire %d. Still referenced by refs: [%s]", id, name))
			}
		}
		delete(keep, id)
	}
	return expiredRefs, keep, nil
}

// removeUnreachable deletes the files of expired snapshots that nothing in the table's metadata refers to any more.
func (l *Lakehouse) removeUnreachable(ctx context.Context, now *metadata, gone []table.Snapshot) (Removed, error) {
	var r Removed
	live := map[string]bool{}
	if err := l.eachFile(ctx, now, now.Snapshots(), func(path string, _ *int64) { live[path] = true }); err != nil {
		return r, err
	}
	var dead []string
	err := l.eachFile(ctx, now, gone, func(path string, count *int64) {
		if !live[path] {
			live[path] = true // counted once
			dead = append(dead, path)
			*count++
		}
	}, &r)
	if err != nil {
		return Removed{}, err
	}
	removeAll(dead)
	return r, nil
}

// eachFile visits every file that snapshots refer to, with the counter of its kind in r.
func (l *Lakehouse) eachFile(ctx context.Context, m *metadata, snapshots []table.Snapshot, visit func(path string, count *int64), into ...*Removed) error {
	r := &Removed{}
	if len(into) > 0 {
		r = into[0]
	}
	for _, s := range snapshots {
		list, err := l.cache.fileList(ctx, m, &s)
		if err != nil {
			return err
		}
		visit(s.ManifestList, &r.ManifestLists)
		for _, mf := range list.manifests {
			visit(mf.FilePath(), &r.Manifests)
		}
		for _, d := range slices.Concat(list.data, list.deletes) {
			switch d.ContentType() {
			case iceberg.EntryContentData:
				visit(d.FilePath(), &r.Data)
			case iceberg.EntryContentPosDeletes:
				visit(d.FilePath(), &r.PositionDeletes)
			default:
				visit(d.FilePath(), &r.EqualityDeletes)
			}
		}
	}
	return nil
}
