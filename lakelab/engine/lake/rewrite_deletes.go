package lake

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// RewrotePositions counts what RewritePositions did.
type RewrotePositions struct{ Files, Added, Bytes, AddedBytes int64 }

// RewritePositions writes position delete files anew, one for each data file, and drops the positions in data files that are gone; from
// format v3 on it makes deletion vectors of them. Like rewrite_data_files it leaves a partition alone that has too few of them, unless the
// option rewrite-all is set.
func (l *Lakehouse) RewritePositions(ctx context.Context, t *Table, what Rewriting, db DB) (out RewrotePositions, err error) {
	options := maps.Clone(what.Options)
	if _, given := options["target-file-size-bytes"]; !given {
		if options == nil {
			options = map[string]string{}
		}
		if err := checkNumbers(t.meta.Properties(), "write.delete.target-file-size-bytes"); err != nil {
			return out, err
		}
		options["target-file-size-bytes"] = strconv.Itoa(t.meta.Properties().GetInt("write.delete.target-file-size-bytes", 67_108_864))
	}
	limits, err := t.rewriteLimits(Rewriting{Options: options})
	if err != nil {
		return out, err
	}
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
		if d.ContentType() != iceberg.EntryContentPosDeletes || !what.Where.mayHold(t.meta.CurrentSchema(), t.meta, d) {
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
	c.procedure = true
	c.operation = func(_, _ tally) table.Operation { return table.OpReplace }
	defer func() {
		if err != nil {
			c.discard(err)
		}
	}()
	sequence := list.sequence
	gone, touched := map[string]bool{}, map[string]bool{}
	vectors := t.newVectors()
	for _, g := range groups {
		if !limits.all && !limits.worthwhile(g) || !slices.ContainsFunc(g.files, func(d iceberg.DataFile) bool { return !isVector(d) }) {
			continue // a file's vector is as good as it gets
		}
		if err := fetch(ctx, g.files); err != nil {
			return out, err
		}
		for _, d := range g.files {
			gone[fileKey(d)] = true
			out.Files++
			out.Bytes += deleteSize(d)
		}
		for _, f := range list.data {
			about := slices.DeleteFunc(notOlder(g.files, f, sequence), func(d iceberg.DataFile) bool {
				path, one := deletesOne(d)
				return one && path != f.FilePath() || !one && partitionKey(d) != partitionKey(f)
			})
			if len(about) == 0 {
				continue
			}
			if t.meta.Version() >= lineageVersion {
				for _, d := range list.deletes { // a file has one vector at most: that outside the group is taken in
					if path, _ := deletesOne(d); !isVector(d) || path != f.FilePath() || gone[fileKey(d)] {
						continue
					}
					if err := fetch(ctx, []iceberg.DataFile{d}); err != nil {
						return out, err
					}
					about, gone[fileKey(d)] = append(about, d), true
					out.Files++
					out.Bytes += deleteSize(d)
				}
				if err := vectors.add(ctx, f, "SELECT NULL AS pos WHERE false", about, db); err != nil {
					return out, err
				}
				touched[f.FilePath()] = true
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
		}
	}
	made, err := vectors.write(ctx)
	if err != nil {
		return out, err
	}
	c.deletes = append(c.deletes, made...)
	for _, d := range c.deletes {
		out.Added++
		out.AddedBytes += deleteSize(d)
	}
	if out.Files == 0 {
		return out, nil
	}
	c.remove = func(f iceberg.DataFile) bool { return gone[fileKey(f)] }
	c.check = l.unchanged(ctx, t, RowChanges{Where: never, Command: "rewrite"}, parent, list, touched)
	return out, l.commitChange(ctx, t, c)
}

// deleteSize is how many bytes a delete file has; a deletion vector is a part of a file.
func deleteSize(d iceberg.DataFile) int64 {
	if n := d.ContentSizeInBytes(); isVector(d) && n != nil {
		return *n
	}
	return d.FileSizeBytes()
}

// never is a condition that no row fulfils.
var never = &Condition{Op: "never"}
