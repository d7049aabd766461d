package lake

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// CherryPick applies what a snapshot added to the current state. A snapshot that follows the current one becomes the current one itself.
func (l *Lakehouse) CherryPick(ctx context.Context, t *Table, id int64) (current any, err error) {
	var c *change
	err = l.commit(ctx, t.id, func(a *attempt) (*table.MetadataBuilder, error) {
		if a.base == nil {
			return nil, fmt.Errorf("%w: %s", ErrNoTable, t.id)
		}
		if c != nil && a.base.SnapshotByID(c.snapshot) != nil { // an earlier attempt happened, whatever its answer was
			return nil, nil
		}
		s := a.base.SnapshotByID(id)
		if s == nil {
			return nil, errclass.Validation("Cannot cherry-pick unknown snapshot ID: %d", id)
		}
		head := a.base.CurrentSnapshot()
		if head == nil && s.ParentSnapshotID == nil || head != nil && s.ParentSnapshotID != nil && *s.ParentSnapshotID == head.SnapshotID {
			current = id
			b, err := a.builder()
			if err != nil {
				return nil, err
			}
			return b, b.NewRetainingSnapshotRefUpdate(table.MainBranch, id, table.BranchRef).Apply(b)
		}
		dynamic := s.Summary != nil && s.Summary.Operation == table.OpOverwrite && s.Summary.Properties["replace-partitions"] == "true"
		if s.Summary == nil || s.Summary.Operation != table.OpAppend && !dynamic {
			return nil, errclass.Validation("Cannot cherry-pick snapshot %d: not append, dynamic overwrite, or fast-forward", id)
		}
		if err := a.base.checkPicked(s); err != nil {
			return nil, err
		}
		if dynamic {
			if err := l.checkReplaced(a.base, s); err != nil {
				return nil, err
			}
		}
		if c == nil {
			added, err := l.addedBy(s)
			if err != nil {
				return nil, err
			}
			for i := range added {
				if added[i], err = withoutRowID(a.base, added[i]); err != nil {
					return nil, err
				}
			}
			c = newChange(added)
			c.procedure = true
			c.summary = map[string]string{"source-snapshot-id": strconv.FormatInt(id, 10)}
			if w := s.Summary.Properties["wap.id"]; w != "" {
				c.summary["published-wap-id"] = w
			}
			if dynamic {
				replaced := tallyOf(added).partitions
				c.remove = func(f iceberg.DataFile) bool { return replaced[partitionKey(f)] }
				c.operation = func(_, _ tally) table.Operation { return table.OpOverwrite }
			}
		}
		current = c.snapshot
		b, err := a.builder()
		if err != nil {
			return nil, err
		}
		return b, c.apply(ctx, l, a, b, a.base.Location(), a.base.Version(), head)
	})
	if err != nil && c != nil {
		c.data = nil // the other snapshot's
		err = l.failed(ctx, t.id, c, err)
	}
	return current, err
}

// checkPicked refuses a snapshot whose rows are there already.
func (m *metadata) checkPicked(s *table.Snapshot) error {
	wap := s.Summary.Properties["wap.id"]
	for h := m.CurrentSnapshot(); h != nil && wap != ""; h = m.parent(h) {
		if h.Summary != nil && (h.Summary.Properties["published-wap-id"] == wap || h.Summary.Properties["wap.id"] == wap) {
			return errclass.DuplicateWAP(wap)
		}
	}
	if m.isAncestor(s.SnapshotID) {
		return errclass.CherryPickAncestor(s.SnapshotID)
	}
	for h := m.CurrentSnapshot(); h != nil; h = m.parent(h) {
		if h.Summary != nil && h.Summary.Properties["source-snapshot-id"] == strconv.FormatInt(s.SnapshotID, 10) {
			return errclass.CherryPickTwice(s.SnapshotID, h.SnapshotID)
		}
	}
	return nil
}

// checkReplaced refuses a snapshot that replaced partitions, if they have changed since: what it replaced is not what is there now.
func (l *Lakehouse) checkReplaced(m *metadata, s *table.Snapshot) error {
	if s.ParentSnapshotID != nil && !m.isAncestor(*s.ParentSnapshotID) {
		return errclass.Validation("Cannot cherry-pick overwrite not based on an ancestor of the current state: %d", s.SnapshotID)
	}
	added, err := l.addedBy(s)
	if err != nil {
		return err
	}
	replaced := tallyOf(added).partitions
	for h := m.CurrentSnapshot(); h != nil && (s.ParentSnapshotID == nil || h.SnapshotID != *s.ParentSnapshotID); h = m.parent(h) {
		since, err := l.addedBy(h)
		if err != nil {
			return err
		}
		for _, f := range since {
			if replaced[partitionKey(f)] {
				return errclass.Validation("Cannot cherry-pick replace partitions with changed partition: %s", partitionText(m, f))
			}
		}
	}
	return nil
}

// partitionText is a file's partition as Java prints it.
func partitionText(m *metadata, f iceberg.DataFile) string {
	var values []string
	if spec := m.PartitionSpecByID(int(f.SpecID())); spec != nil {
		for _, p := range spec.Fields() {
			text := "null"
			if v := f.Partition()[p.FieldID]; v != nil {
				text = fmt.Sprint(v)
			}
			values = append(values, p.Name+"="+text)
		}
	}
	return "PartitionData{" + strings.Join(values, ", ") + "}"
}

// addedBy lists the data files that a snapshot added.
func (l *Lakehouse) addedBy(s *table.Snapshot) ([]iceberg.DataFile, error) {
	manifests, err := l.cache.manifests(s)
	if err != nil {
		return nil, err
	}
	var out []iceberg.DataFile
	for _, mf := range manifests {
		if mf.SnapshotID() != s.SnapshotID || mf.ManifestContent() != iceberg.ManifestContentData {
			continue
		}
		entries, err := l.cache.manifest(mf)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Status() == iceberg.EntryStatusADDED && e.SnapshotID() == s.SnapshotID {
				out = append(out, e.DataFile())
			}
		}
	}
	return out, nil
}

// Publish cherry-picks the snapshot that was staged under a WAP id (write.wap.enabled).
func (l *Lakehouse) Publish(ctx context.Context, t *Table, wap string) (source, current any, err error) {
	m, err := l.load(ctx, t.id)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range m.Snapshots() {
		if s.Summary != nil && s.Summary.Properties["wap.id"] == wap {
			current, err = l.CherryPick(ctx, t, s.SnapshotID)
			return s.SnapshotID, current, err
		}
	}
	return nil, nil, errclass.Validation("Cannot apply unknown WAP ID '%s'", wap)
}

// Ancestors lists a snapshot (nil: the current one) and those that it grew from, with their times in milliseconds.
func (t *Table) Ancestors(id *int64) ([][2]int64, error) {
	s := t.meta.CurrentSnapshot()
	if id != nil {
		if s = t.meta.SnapshotByID(*id); s == nil {
			return nil, errclass.IllegalArgument(fmt.Sprintf("Cannot find snapshot: %d", *id))
		}
	}
	var out [][2]int64
	for ; s != nil; s = t.meta.parent(s) {
		out = append(out, [2]int64{s.SnapshotID, s.TimestampMs})
	}
	return out, nil
}

// withoutRowID is a data file as a new snapshot adds it: its rows get numbers of their own.
func withoutRowID(m *metadata, f iceberg.DataFile) (iceberg.DataFile, error) {
	if f.FirstRowID() == nil {
		return f, nil
	}
	spec := m.PartitionSpecByID(int(f.SpecID()))
	if spec == nil {
		return nil, fmt.Errorf("%s belongs to the unknown partition spec %d", f.FilePath(), f.SpecID())
	}
	b, err := dataFileAt(f, *spec, f.FilePath(), f.FileSizeBytes())
	if err != nil {
		return nil, err
	}
	return b.Build(), nil
}

// dataFileAt describes a file anew as it is, under a path and with a size.
func dataFileAt(f iceberg.DataFile, spec iceberg.PartitionSpec, path string, size int64) (*iceberg.DataFileBuilder, error) {
	b, err := iceberg.NewDataFileBuilder(spec, f.ContentType(), path, f.FileFormat(), f.Partition(), nil, nil, f.Count(), size)
	if err != nil {
		return nil, err
	}
	b.ColumnSizes(f.ColumnSizes()).ValueCounts(f.ValueCounts()).NullValueCounts(f.NullValueCounts()).NaNValueCounts(f.NaNValueCounts()).
		LowerBoundValues(f.LowerBoundValues()).UpperBoundValues(f.UpperBoundValues()).SplitOffsets(f.SplitOffsets())
	if o := f.SortOrderID(); o != nil {
		b.SortOrderID(*o)
	}
	return b, nil
}
