package lake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
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
	// CleanMetadata removes the schemas and partition specs that nothing uses then.
	CleanMetadata bool
}

// Removed counts the files that were deleted.
type Removed struct{ Data, PositionDeletes, EqualityDeletes, Manifests, ManifestLists, Statistics int64 }

// Expire removes snapshots that no branch and no tag needs, and the files that only they refer to. Snapshots that a ref points to stay,
// and so does everything that is still reachable. It returns what it deleted.
func (l *Lakehouse) Expire(ctx context.Context, t *Table, what Expiring) (Removed, error) {
	if !collects(t.meta) {
		return Removed{}, errclass.Validation("Cannot expire snapshots: GC is disabled (deleting files may corrupt other tables)")
	}
	if what.RetainLast != nil && *what.RetainLast < 1 {
		return Removed{}, errclass.IllegalArgument(fmt.Sprintf("Number of snapshots to retain must be at least 1, cannot be: %d", *what.RetainLast))
	}
	var gone []table.Snapshot
	var statistics []string
	err := l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		if err := t.still(a.base); err != nil {
			return err
		}
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
		if what.CleanMetadata {
			if err := l.removeUnused(a.base, b, keep); err != nil {
				return err
			}
		}
		if len(ids) == 0 {
			return nil
		}
		statistics = nil // they go with their snapshots, whose ids their names carry
		for s := range a.base.Statistics() {
			if slices.Contains(ids, s.SnapshotID) {
				statistics = append(statistics, s.StatisticsPath)
			}
		}
		for s := range a.base.PartitionStatistics() {
			if slices.Contains(ids, s.SnapshotID) {
				statistics = append(statistics, s.StatisticsPath)
			}
		}
		return b.RemoveSnapshots(ids, false)
	})
	if err != nil || len(gone) == 0 {
		return Removed{}, err
	}
	r, err := l.removeUnreachable(ctx, t, gone)
	if err != nil {
		return r, err
	}
	if statistics, err = l.own(ctx, t.meta, statistics); err == nil {
		r.Statistics = int64(len(statistics) - len(removeAll(statistics)))
	}
	return r, err
}

// removeUnused removes the schemas and partition specs that neither the table nor the snapshots that it keeps use.
func (l *Lakehouse) removeUnused(m *metadata, b *table.MetadataBuilder, keep map[int64]bool) error {
	schemas, specs := map[int]bool{m.CurrentSchema().ID: true}, map[int]bool{m.DefaultPartitionSpec(): true}
	for _, s := range m.Snapshots() {
		if !keep[s.SnapshotID] {
			continue
		}
		if s.SchemaID != nil {
			schemas[*s.SchemaID] = true
		}
		manifests, err := l.cache.manifests(&s)
		if err != nil {
			return err
		}
		for _, f := range manifests {
			specs[int(f.PartitionSpecID())] = true
		}
	}
	var oldSchemas, oldSpecs []int
	for _, s := range m.Schemas() {
		if !schemas[s.ID] {
			oldSchemas = append(oldSchemas, s.ID)
		}
	}
	for _, s := range m.PartitionSpecs() {
		if !specs[s.ID()] {
			oldSpecs = append(oldSpecs, s.ID())
		}
	}
	return errors.Join(b.RemoveSchemas(oldSchemas), b.RemovePartitionSpecs(oldSpecs))
}

// retained finds the refs whose time is over and the snapshots that stay.
func (m *metadata) retained(what Expiring) (expiredRefs []string, keep map[int64]bool, err error) {
	now := time.Now().UnixMilli()
	props := m.Properties()
	if err := checkNumbers(props, "history.expire.max-snapshot-age-ms", "history.expire.min-snapshots-to-keep", "history.expire.max-ref-age-ms"); err != nil {
		return nil, nil, err
	}
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
		var names []string
		for name, r := range m.Refs() {
			if r.SnapshotID == id && !slices.Contains(expiredRefs, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			sortAsJava(names)
			return nil, nil, errclass.IllegalArgument(fmt.Sprintf("Cannot expire %d. Still referenced by refs: [%s]", id, strings.Join(names, ", ")))
		}
		delete(keep, id)
	}
	return expiredRefs, keep, nil
}

// removeUnreachable deletes, and counts, the files of expired snapshots that nothing in the table's metadata refers to any more. Others may expire
// snapshots meanwhile: a file that is gone is then theirs to count.
func (l *Lakehouse) removeUnreachable(ctx context.Context, t *Table, gone []table.Snapshot) (Removed, error) {
	now, live, err := l.liveFiles(ctx, t.id)
	if err != nil {
		return Removed{}, err
	}
	if err := t.still(now); err != nil {
		return Removed{}, fmt.Errorf("%w; its files are left", err)
	}
	var r Removed
	var dead []string
	kinds := map[string]fileKind{}
	for _, s := range gone {
		err := l.eachFile(ctx, s, func(path string, kind fileKind) {
			if !live[path] {
				live[path] = true // counted once
				dead = append(dead, path)
				kinds[spot(path)] = kind
			}
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Removed{}, err
		}
	}
	reached("before the removal of expired files")
	l.cache.forget(dead)
	if dead, err = l.own(ctx, now, dead); err != nil {
		return Removed{}, err
	}
	for _, path := range dead {
		*r.counter(kinds[spot(path)])++
	}
	for _, path := range removeAll(dead) {
		*r.counter(kinds[spot(path)])--
	}
	return r, nil
}

// liveFiles are the files of a table's snapshots as they are now, with the metadata that says so: not as they were at some commit, since
// writers come in between.
func (l *Lakehouse) liveFiles(ctx context.Context, id Ident) (*metadata, map[string]bool, error) {
	for {
		now, err := l.load(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		live := map[string]bool{}
		for _, s := range now.Snapshots() {
			if err = l.eachFile(ctx, s, func(path string, _ fileKind) { live[path] = true }); err != nil {
				break
			}
		}
		if err == nil || !errors.Is(l.outrun(ctx, id, &attempt{base: now}, err), errOutrun) {
			return now, live, err
		}
	}
}

// fileKind is what a file that a snapshot refers to is.
type fileKind int

const (
	dataFileKind fileKind = iota
	positionDeletesKind
	equalityDeletesKind
	manifestKind
	manifestListKind
)

// counter is where files of a kind are counted.
func (r *Removed) counter(k fileKind) *int64 {
	return [...]*int64{&r.Data, &r.PositionDeletes, &r.EqualityDeletes, &r.Manifests, &r.ManifestLists}[k]
}

// eachFile visits every file that a snapshot refers to. It goes on behind a manifest that can't be read, whose error it returns.
func (l *Lakehouse) eachFile(ctx context.Context, s table.Snapshot, visit func(path string, kind fileKind)) error {
	manifests, err := l.cache.manifests(&s)
	if err != nil {
		return err
	}
	visit(s.ManifestList, manifestListKind)
	var errs []error
	for _, m := range manifests {
		if err := ctx.Err(); err != nil {
			return err
		}
		visit(m.FilePath(), manifestKind)
		entries, err := l.cache.manifest(m)
		errs = append(errs, err)
		for _, e := range entries {
			kind := dataFileKind
			switch {
			case e.Status() == iceberg.EntryStatusDELETED:
				continue
			case e.DataFile().ContentType() == iceberg.EntryContentPosDeletes:
				kind = positionDeletesKind
			case e.DataFile().ContentType() == iceberg.EntryContentEqDeletes:
				kind = equalityDeletesKind
			}
			visit(e.DataFile().FilePath(), kind)
		}
	}
	return errors.Join(errs...)
}
