package lake

import (
	"context"
	"fmt"
	"time"

	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Branches and tags (Iceberg's "Branching and Tagging" page).

// Ref is a branch or a tag to make.
type Ref struct {
	Name string
	Tag  bool
	// Snapshot it points to; nil: the current one.
	Snapshot *int64
	// Create makes it, Replace moves one that is there; both: whichever is needed.
	Create, Replace bool
	IfNotExists     bool
	// Retention; zero leaves it to the table's properties.
	MaxAge         time.Duration
	MaxSnapshotAge time.Duration
	MinSnapshots   int
}

func (r Ref) kind() (table.RefType, string) {
	if r.Tag {
		return table.TagRef, "tag"
	}
	return table.BranchRef, "branch"
}

// SetRef makes or moves a branch or a tag.
func (l *Lakehouse) SetRef(ctx context.Context, t *Table, r Ref) error {
	kind, word := r.kind()
	return l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		old, exists := a.base.ref(r.Name)
		id := r.Snapshot
		if id == nil {
			if s := a.base.CurrentSnapshot(); s != nil {
				id = &s.SnapshotID
			}
		}
		switch {
		case r.Replace && (exists || !r.Create):
			if id == nil {
				return errclass.IllegalArgument(fmt.Sprintf("Cannot complete replace %s operation on %s, main has no snapshot", word, t.id))
			}
			if !exists {
				return errclass.IllegalArgument(fmt.Sprintf("%s does not exist: %s", title(word), r.Name))
			}
			if old.SnapshotRefType != kind {
				return errclass.IllegalArgument(fmt.Sprintf("Ref %s is a %s not a %s", r.Name, old.SnapshotRefType, word))
			}
		case exists && r.IfNotExists:
			return nil
		case exists:
			return errclass.IllegalArgument("Ref " + r.Name + " already exists")
		case id == nil && r.Tag:
			return errclass.IllegalArgument(fmt.Sprintf("Cannot complete create or replace tag operation on %s, main has no snapshot", t.id))
		case id == nil:
			return l.emptySnapshot(ctx, a, b, r.Name)
		}
		if a.base.SnapshotByID(*id) == nil {
			return errclass.Validation("Cannot set %s to unknown snapshot: %d", r.Name, *id)
		}
		return r.update(*id, kind, old).Apply(b)
	})
}

// update keeps the retention that the ref has where the statement gives none.
func (r Ref) update(id int64, kind table.RefType, old table.SnapshotRef) table.Update {
	age, snapshotAge, keep := r.MaxAge.Milliseconds(), r.MaxSnapshotAge.Milliseconds(), r.MinSnapshots
	if age == 0 {
		age = opt0(old.MaxRefAgeMs)
	}
	if snapshotAge == 0 {
		snapshotAge = opt0(old.MaxSnapshotAgeMs)
	}
	if keep == 0 && old.MinSnapshotsToKeep != nil {
		keep = *old.MinSnapshotsToKeep
	}
	return table.NewSetSnapshotRefUpdate(r.Name, id, kind, age, snapshotAge, keep)
}

// emptySnapshot makes a branch of a table without snapshots: with a snapshot of its own that has no files.
func (l *Lakehouse) emptySnapshot(ctx context.Context, a *attempt, b *table.MetadataBuilder, branch string) error {
	c := newChange(nil)
	c.branch = branch
	return c.apply(ctx, l, a, b, a.base.Location(), a.base.Version(), nil)
}

// DropRef drops a branch or a tag.
func (l *Lakehouse) DropRef(ctx context.Context, t *Table, r Ref, ifExists bool) error {
	kind, word := r.kind()
	return l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		old, exists := a.base.ref(r.Name)
		switch {
		case !exists && ifExists:
			return nil
		case !r.Tag && r.Name == table.MainBranch:
			return errclass.IllegalArgument("Cannot remove main branch")
		case !exists:
			return errclass.IllegalArgument(fmt.Sprintf("%s does not exist: %s", title(word), r.Name))
		case old.SnapshotRefType != kind:
			return errclass.IllegalArgument(fmt.Sprintf("Ref %s is a %s not a %s", r.Name, old.SnapshotRefType, word))
		}
		return b.RemoveSnapshotRef(r.Name)
	})
}

// ref is a branch or a tag by its name.
func (m *metadata) ref(name string) (table.SnapshotRef, bool) {
	for n, r := range m.Refs() {
		if n == name {
			return r, true
		}
	}
	return table.SnapshotRef{}, false
}

func title(word string) string { return string(word[0]-'a'+'A') + word[1:] }

// OnBranch is the table with a branch in the place of main: what is read and written is the branch's. It fails if there is no such branch.
func (t *Table) OnBranch(name string) (*Table, error) {
	if _, err := t.meta.head(name); err != nil {
		return nil, err
	}
	b := *t
	b.branch = name
	return &b, nil
}

// head is the snapshot that the table is read at if nothing else is said; nil if it has none.
func (t *Table) head() *table.Snapshot {
	s, err := t.meta.head(t.branch)
	if err != nil { // a branch that the first write makes
		return t.meta.CurrentSnapshot()
	}
	return s
}

// Staging reports whether the table takes writes for review first (write.wap.enabled: write, audit, publish).
func (t *Table) Staging() bool {
	return t.meta.Properties().Get("write.wap.enabled", "false") == "true"
}

// Staged is the table with writes that make a snapshot under an id, for Publish, and leave main where it is.
func (t *Table) Staged(id string) *Table {
	s := *t
	s.wap = id
	return &s
}

// As is the table as another loading of it found it, for the same branch: what is written then belongs to the rows that were read.
func (t *Table) As(read *Table) *Table {
	if t.meta == read.meta || t.meta.TableUUID() != read.meta.TableUUID() {
		return t
	}
	a := *t
	a.meta, a.schema = read.meta, read.schema
	return &a
}

// still reports, as an error, that the name is another table's by now.
func (t *Table) still(now *metadata) error {
	if now.TableUUID() != t.meta.TableUUID() {
		return fmt.Errorf("%w: %s is another table now", ErrCommitFailed, t.id)
	}
	return nil
}

// OnFreshBranch is the table on a branch that the first write makes if it is not there.
func (t *Table) OnFreshBranch(name string) *Table {
	b := *t
	b.branch, b.fresh = name, true
	return &b
}
