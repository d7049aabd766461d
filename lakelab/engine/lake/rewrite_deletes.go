package lake

import (
	"context"
	"slices"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// RewrotePositions counts what RewritePositions did.
type RewrotePositions struct{ Files, Added, Bytes, AddedBytes int64 }

// RewritePositions writes position delete files anew, one for each data file, and drops the positions in data files that are gone. Like
// rewrite_data_files it leaves a partition alone that has too few of them, unless the option rewrite-all is set.
func (l *Lakehouse) RewritePositions(ctx context.Context, t *Table, what Rewriting, db DB) (out RewrotePositions, err error) {
	limits, err := t.rewriteLimits(what.Options)
	if err != nil {
		return out, err
	}
	limits.target = int64(t.meta.Properties().GetInt("write.delete.target-file-size-bytes", 67_108_864))
	limits.minSize, limits.maxSize = limits.target*3/4, limits.target*9/5
	parent := t.head()
	if parent == nil {
		return out, nil
	}
	list, err := l.cache.fileList(ctx, t.meta, parent)
	if err != nil {
		return out, err
	}
	groups := map[string]*rewriteGroup{}
	for _, d := range list.deletes {
		if d.ContentType() != iceberg.EntryContentPosDeletes || d.FileFormat() == iceberg.PuffinFile || !what.Where.mayHold(t.meta.CurrentSchema(), t.meta, d) {
			continue
		}
		if limits.all || limits.outside(d) {
			key := partitionKey(d)
			if groups[key] == nil {
				groups[key] = &rewriteGroup{}
			}
			groups[key].files = append(groups[key].files, d)
		}
	}
	c := newChange(nil)
	c.on(t)
	c.operation = func(_, _ tally) table.Operation { return table.OpReplace }
	defer func() {
		if err != nil {
			c.discard(err)
		}
	}()
	gone, touched := map[string]bool{}, map[string]bool{}
	for _, g := range groups {
		if !limits.all && !limits.worthwhile(g) {
			continue
		}
		if err := fetch(ctx, g.files); err != nil {
			return out, err
		}
		for _, d := range g.files {
			gone[d.FilePath()] = true
			out.Files++
			out.Bytes += d.FileSizeBytes()
		}
		for _, f := range list.data {
			about := slices.DeleteFunc(slices.Clone(g.files), func(d iceberg.DataFile) bool {
				path, one := deletesOne(d)
				return one && path != f.FilePath()
			})
			if len(about) == 0 || partitionKey(f) != partitionKey(about[0]) {
				continue
			}
			d, err := t.writePositions(ctx, len(c.deletes), f, positionsOf(about, f), db)
			if err != nil {
				return out, err
			}
			if d.Count() == 0 {
				removeAll([]string{d.FilePath()})
				continue
			}
			touched[f.FilePath()] = true
			c.deletes = append(c.deletes, d)
			out.Added++
			out.AddedBytes += d.FileSizeBytes()
		}
	}
	if out.Files == 0 {
		return out, nil
	}
	c.remove = func(f iceberg.DataFile) bool { return gone[f.FilePath()] }
	c.check = l.unchanged(ctx, t, RowChanges{Where: never, Command: "rewrite"}, parent, list, touched)
	return out, l.commitChange(ctx, t, c)
}

// never is a condition that no row fulfils.
var never = &Condition{Op: "never"}
