package lake

import (
	"context"
	"slices"
	"sort"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Orphans finds the files below a folder (empty: the table's) that were last written before a time and that no metadata of the table
// refers to, and deletes them unless it is only a trial. A file that is younger may belong to a commit under way.
func (l *Lakehouse) Orphans(ctx context.Context, t *Table, folder string, before time.Time, trial bool) ([]string, error) {
	if t.meta.Properties().Get("gc.enabled", "true") == "false" {
		return nil, errclass.Validation("Cannot delete orphan files: GC is disabled (deleting files may corrupt other tables)")
	}
	if folder == "" {
		folder = t.meta.Location()
	}
	// The files are listed first: what a writer commits in the meantime is known by the time the metadata is read.
	var found []string
	err := eachBelow(ctx, folder, func(location string, modified time.Time) {
		if modified.Before(before) {
			found = append(found, location)
		}
	})
	if err != nil {
		return nil, err
	}
	known, err := l.knownFiles(ctx, t.id)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(p string) bool { return known[localPath(p)] })
	sort.Strings(found)
	if !trial {
		removeAll(found)
	}
	return found, nil
}

// knownFiles are all files that a table's metadata, as it is now, refers to, as local paths.
func (l *Lakehouse) knownFiles(ctx context.Context, id Ident) (map[string]bool, error) {
	m, live, err := l.liveFiles(ctx, id)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	add := func(path string) { known[localPath(path)] = true }
	add(join(m.Location(), "metadata", versionHint)) // of a table without a catalog
	for path := range live {
		add(path)
	}
	for s := range m.Statistics() {
		add(s.StatisticsPath)
	}
	for s := range m.PartitionStatistics() {
		add(s.StatisticsPath)
	}
	// Metadata files name those before them.
	todo := []string{m.location}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		if known[localPath(path)] {
			continue
		}
		add(path)
		old, err := l.cache.metadata(ctx, path)
		if err != nil {
			continue // older ones may have been deleted
		}
		for e := range old.PreviousFiles() {
			todo = append(todo, e.MetadataFile)
		}
	}
	return known, nil
}
