package lake

import (
	"context"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Orphaned says where remove_orphan_files looks, and what it does.
type Orphaned struct {
	Folder string // empty: the table's
	Before time.Time
	Trial  bool
	// Listed are the files that there are, with the times at which they were last written; nil: the folder is listed.
	Listed map[string]time.Time
	// Schemes and Authorities name, for each one, another that it counts as equal to, besides those of S3.
	Schemes, Authorities map[string]string
	// Mismatch is what becomes of a file that metadata names under another scheme or authority: error, ignore or delete.
	Mismatch string
}

// Orphans finds the files below a folder that were last written before a time and that no metadata of the table or of another one refers to,
// and deletes them unless it is only a trial. A file that is younger may belong to a commit under way.
func (l *Lakehouse) Orphans(ctx context.Context, t *Table, what Orphaned) ([]string, error) {
	if !collects(t.meta) {
		return nil, errclass.Validation("Cannot delete orphan files: GC is disabled (deleting files may corrupt other tables)")
	}
	folder := what.Folder
	if folder == "" {
		folder = t.meta.Location()
	}
	// The files are listed first: what a writer commits in the meantime is known by the time the metadata is read.
	var found []string
	take := func(location string, modified time.Time) {
		if modified.Before(what.Before) {
			found = append(found, location)
		}
	}
	if what.Listed == nil {
		if err := eachBelow(ctx, folder, take); err != nil {
			return nil, err
		}
	}
	for location, modified := range what.Listed {
		if below(pathOf(location), pathOf(folder)) {
			take(location, modified)
		}
	}
	real := places{}
	known, now, err := l.knownFiles(ctx, t.id, real)
	if err == nil {
		err = t.still(now)
	}
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(p string) bool { return known[real.of(p)] != "" })
	if found, err = what.settle(found, known, folder); err != nil {
		return nil, err
	}
	if found, err = l.withoutOthers(ctx, t, folder, found, real); err != nil {
		return nil, err
	}
	if found, err = l.own(ctx, now, found, what.Folder); err != nil {
		return nil, err
	}
	if len(found) > 0 && !below(spot(folder), spot(t.meta.Location())) && !holdsKnown(folder, known) {
		// The metadata names the files otherwise than the listing does, or lies about where they are: all that live would go.
		return nil, errclass.Validation("Cannot tell orphan files in %s: none of the table's files is there", folder)
	}
	sort.Strings(found)
	if !what.Trial {
		removeAll(found)
	}
	return found, nil
}

// spot is where a location's file is, however the location is written: two are equal if they are the same file.
func spot(location string) string {
	if path := localPath(location); strings.HasPrefix(path, "/") {
		return filepath.Clean(path)
	}
	return location
}

// below reports whether a spot lies below that of a folder.
func below(path, folder string) bool {
	return strings.HasPrefix(path, strings.TrimRight(folder, "/")+"/")
}

// holdsKnown reports whether some file that metadata refers to lies below a folder.
func holdsKnown(folder string, known map[string]string) bool {
	folder = withoutLinks(spot(folder))
	for path, location := range known {
		if below(path, folder) && !strings.HasSuffix(location, "/"+versionHint) { // which is taken to be there
			return true
		}
	}
	return false
}

// settle decides about files of which metadata knows the path, under another scheme or authority. Those of another one than the folder's
// are none in the folder.
func (what Orphaned) settle(found []string, known map[string]string, folder string) ([]string, error) {
	byPath := map[string]string{}
	for _, k := range known {
		byPath[pathOf(k)] = k
	}
	same := func(equal map[string]string, a, b string) bool {
		for _, x := range []*string{&a, &b} {
			for from, to := range equal {
				if slices.Contains(strings.Split(strings.ReplaceAll(from, " ", ""), ","), *x) {
					*x = to
					break
				}
			}
		}
		return a == b
	}
	out, conflicts := found[:0], []string(nil)
	for _, f := range found {
		k, ok := byPath[pathOf(f)]
		if !ok {
			k = folder
		}
		s1, a1 := prefixOf(f)
		s2, a2 := prefixOf(k)
		if !ok {
			if same(what.Schemes, s1, s2) && same(what.Authorities, a1, a2) {
				out = append(out, f)
			}
			continue
		}
		switch {
		case same(what.Schemes, s1, s2) && same(what.Authorities, a1, a2):
		case what.Mismatch == "delete":
			out = append(out, f)
		case what.Mismatch != "ignore":
			if s1 != s2 {
				conflicts = append(conflicts, "("+s1+", "+s2+")")
			} else {
				conflicts = append(conflicts, "("+a1+", "+a2+")")
			}
		}
	}
	if len(conflicts) > 0 {
		slices.Sort(conflicts)
		return nil, errclass.Validation("Unable to determine whether certain files are orphan. Metadata references files that match listed/provided files except for authority/scheme. "+
			"Please, inspect the conflicting authorities/schemes and provide which of them are equal by further configuring the action via equalSchemes() and equalAuthorities() methods. "+
			"Set the prefix mismatch mode to 'NONE' to ignore remaining locations with conflicting authorities/schemes or to 'DELETE' iff you are ABSOLUTELY confident that remaining "+
			"conflicting authorities/schemes are different. It will be impossible to recover deleted files. Conflicting authorities/schemes: [%s].", strings.Join(slices.Compact(conflicts), ", "))
	}
	return out, nil
}

// prefixOf are the scheme and the authority of a location; a file's on this machine have none.
func prefixOf(location string) (scheme, authority string) {
	scheme, rest, ok := strings.Cut(location, "://")
	if !ok || scheme == "file" {
		return "", ""
	}
	if strings.HasPrefix(scheme, "s3") { // s3a and s3n are the same store
		scheme = "s3"
	}
	authority, _, _ = strings.Cut(rest, "/")
	return scheme, authority
}

// pathOf is a location without its scheme and authority.
func pathOf(location string) string {
	if scheme, rest, ok := strings.Cut(location, "://"); ok && scheme != "file" {
		_, path, _ := strings.Cut(rest, "/")
		return "/" + path
	}
	return spot(location)
}

// knownFiles are the locations of all files that a table's metadata, as it is now, refers to, by where they really are, with that metadata.
func (l *Lakehouse) knownFiles(ctx context.Context, id Ident, real places) (map[string]string, *metadata, error) {
	m, live, err := l.liveFiles(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	known := map[string]string{}
	add := func(location string) { known[real.of(location)] = location }
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
		if known[real.of(path)] != "" {
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
	return known, m, nil
}
