package lake

import (
	"context"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// removeDangling removes the delete files that delete nothing any more (rewrite_data_files' option remove-dangling-deletes): those older
// than all data files that they reach, and deletion vectors of files that are gone. It returns how many. Those that are older than all of the table
// go with any commit that removes files, so that a table without partitions has none.
func (l *Lakehouse) removeDangling(ctx context.Context, t *Table) (n int64, err error) {
	specs := t.meta.PartitionSpecs()
	if len(specs) == 1 && specs[0].IsUnpartitioned() {
		return 0, nil
	}
	now, err := l.Load(ctx, t.id)
	if err != nil {
		return 0, err
	}
	t = t.As(now)
	parent := t.head()
	if parent == nil {
		return 0, nil
	}
	if dead, err := l.danglingIn(ctx, t.meta, parent); err != nil || len(dead) == 0 {
		return 0, err
	}
	var dead map[string]bool
	c := newChange(nil)
	c.on(t)
	c.procedure = true
	c.operation = func(_, _ tally) table.Operation { return table.OpReplace }
	c.check = func(a *attempt, parent *table.Snapshot) (err error) {
		dead = nil
		if parent != nil {
			dead, err = l.danglingIn(ctx, a.base, parent)
		}
		return err
	}
	c.remove = func(f iceberg.DataFile) bool { return dead[fileKey(f)] }
	err = l.commitChange(ctx, t, c)
	return int64(len(dead)), err
}

// danglingIn are the keys of a snapshot's delete files that delete nothing.
func (l *Lakehouse) danglingIn(ctx context.Context, m *metadata, s *table.Snapshot) (map[string]bool, error) {
	list, err := l.cache.fileList(ctx, m, s)
	if err != nil {
		return nil, err
	}
	sequence := list.sequence
	oldest, there := map[string]int64{}, map[string]bool{} // by partition, and of all
	for _, f := range list.data {
		there[f.FilePath()] = true
		for _, key := range []string{partitionKey(f), ""} {
			if n, ok := oldest[key]; !ok || sequence[f.FilePath()] < n {
				oldest[key] = sequence[f.FilePath()]
			}
		}
	}
	dead := map[string]bool{}
	for _, d := range list.deletes {
		if isVector(d) {
			if path, one := deletesOne(d); one && !there[path] {
				dead[fileKey(d)] = true
			}
			continue
		}
		key, reach := partitionKey(d), sequence[d.FilePath()] // the youngest data that it deletes from
		if d.ContentType() == iceberg.EntryContentEqDeletes {
			reach--
			if spec := m.PartitionSpecByID(int(d.SpecID())); spec == nil || spec.IsUnpartitioned() {
				key = "" // it reaches all partitions
			}
		}
		if path, one := deletesOne(d); one && there[path] && sequence[path] <= reach {
			continue // whatever partition it is said to be in
		}
		if n, ok := oldest[key]; !ok || reach < n {
			dead[fileKey(d)] = true
		}
	}
	return dead, nil
}
