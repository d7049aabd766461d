package lake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// A table's metadata names its files by whole paths, so a table that is copied elsewhere is none there. rewrite_table_path writes those
// files anew that hold paths — metadata, manifest lists, manifests, position delete files — as they have to be at the other place, into a
// staging folder, and lists what is to be copied where.

// PathRewriting says from where to where (Iceberg's "Spark Procedures" page, rewrite_table_path).
type PathRewriting struct {
	Source, Target string
	// Start and End are file names of metadata: what the table had at the one is at the target already. Empty: nothing, and the table as it is.
	Start, End string
	// Staging is the folder of the new files; empty: one in the table's metadata folder.
	Staging string
}

// pathRewrite is one at work.
type pathRewrite struct {
	PathRewriting
	l    *Lakehouse
	db   DB
	end  *metadata
	plan map[string]string // what is copied, and where to
}

// RewritePath writes the staging folder. It returns the name of the newest metadata file and the list of copies: lines of a file and its
// target, with a comma between them. The table itself stays as it is.
func (l *Lakehouse) RewritePath(ctx context.Context, t *Table, what PathRewriting, db DB) (latest, list string, err error) {
	what.Source, what.Target = strings.TrimRight(what.Source, "/")+"/", strings.TrimRight(what.Target, "/")+"/"
	if what.Staging == "" {
		what.Staging = join(t.meta.Location(), "metadata", "copy-table-staging-"+uuid.NewString())
	}
	what.Staging = strings.TrimRight(what.Staging, "/") + "/"
	r := &pathRewrite{PathRewriting: what, l: l, db: db, plan: map[string]string{}}
	versions, start, err := r.versions(ctx, t.meta)
	if err != nil {
		return "", "", err
	}
	known := map[int64]bool{}
	if start != nil {
		for _, s := range start.Snapshots() {
			known[s.SnapshotID] = true
		}
	}
	for _, v := range versions {
		if err := r.version(ctx, v); err != nil {
			return "", "", err
		}
	}
	rewritten := map[string]iceberg.ManifestFile{}
	for _, s := range r.end.Snapshots() {
		if known[s.SnapshotID] {
			continue
		}
		if err := r.snapshot(ctx, s, start != nil, known, rewritten); err != nil {
			return "", "", err
		}
	}
	for s := range r.end.Statistics() {
		if err := r.copied(s.StatisticsPath); err != nil {
			return "", "", err
		}
	}
	var lines []string
	for from, to := range r.plan {
		lines = append(lines, from+","+to+"\n")
	}
	slices.Sort(lines)
	list = r.Staging + "file-list"
	if err := writeBytes(list, []byte(strings.Join(lines, ""))); err != nil {
		return "", "", err
	}
	return fileName(r.end.location), list, nil
}

// fileName is the last part of a location.
func fileName(location string) string { return location[strings.LastIndexByte(location, '/')+1:] }

// versions are the metadata files to write anew, newest first, and the metadata that is at the target already.
func (r *pathRewrite) versions(ctx context.Context, m *metadata) (files []string, start *metadata, err error) {
	if m.Version() >= lineageVersion {
		return nil, nil, errclass.Unsupported(fmt.Sprintf("rewrite_table_path of a table of format version %d", m.Version()))
	}
	all := []string{m.location}
	for e := range m.PreviousFiles() {
		all = slices.Insert(all, 1, e.MetadataFile)
	}
	find := func(name string) (int, error) {
		i := slices.IndexFunc(all, func(location string) bool { return fileName(location) == name })
		if i < 0 {
			return 0, errclass.IllegalArgument("Cannot find provided version file " + name + " in metadata log.")
		}
		return i, nil
	}
	r.end = m
	first, last := 0, len(all)
	if r.End != "" {
		if first, err = find(r.End); err != nil {
			return nil, nil, err
		}
		if r.end, err = r.l.cache.metadata(ctx, all[first]); err != nil {
			return nil, nil, err
		}
	}
	if r.Start != "" {
		if last, err = find(r.Start); err != nil {
			return nil, nil, err
		}
		if start, err = r.l.cache.metadata(ctx, all[last]); err != nil {
			return nil, nil, err
		}
	}
	for range r.end.PartitionStatistics() {
		return nil, nil, errclass.IllegalArgument("Partition statistics files are not supported yet.")
	}
	return all[first:max(first, last)], start, nil
}

// target is where a path lies after the copy.
func (r *pathRewrite) target(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, r.Source)
	if !ok {
		return "", errclass.IllegalArgument("Path " + path + " does not start with " + r.Source)
	}
	return r.Target + rest, nil
}

// staged is where the new text of a file is written; it is copied to the file's target.
func (r *pathRewrite) staged(path string) (string, error) {
	to, err := r.target(path)
	if err != nil {
		return "", err
	}
	staged := r.Staging + strings.TrimPrefix(path, r.Source)
	r.plan[staged] = to
	return staged, nil
}

// copied takes a file that holds no paths into the plan.
func (r *pathRewrite) copied(path string) error {
	to, err := r.target(path)
	r.plan[path] = to
	return err
}

// pathProperties are the table properties that are paths.
var pathProperties = []string{"write.object-storage.path", "write.folder-storage.path", "write.data.path", "write.metadata.path"}

// version writes a metadata file anew.
func (r *pathRewrite) version(ctx context.Context, location string) error {
	staged, err := r.staged(location)
	if err != nil {
		return err
	}
	text, err := readMetadataFile(ctx, location)
	if err != nil {
		return err
	}
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		return fmt.Errorf("read the metadata %s: %w", location, err)
	}
	moved := func(in any, key string) {
		o, ok := in.(map[string]any)
		if path, is := o[key].(string); ok && is && err == nil {
			o[key], err = r.target(path)
		}
	}
	each := func(list any, key string) {
		items, _ := list.([]any)
		for _, item := range items {
			moved(item, key)
		}
	}
	if place, ok := m["location"].(string); ok { // which may be the prefix itself
		to, terr := r.target(strings.TrimRight(place, "/") + "/")
		m["location"], err = strings.TrimRight(to, "/"), terr
	}
	properties, _ := m["properties"].(map[string]any)
	for _, key := range pathProperties {
		if path, ok := properties[key].(string); ok && strings.HasPrefix(path+"/", r.Source) {
			properties[key] = strings.TrimRight(r.Target+strings.TrimPrefix(path+"/", r.Source), "/")
		}
	}
	each(m["snapshots"], "manifest-list")
	each(m["metadata-log"], "metadata-file")
	each(m["statistics"], "statistics-path")
	if err != nil {
		return err
	}
	if text, err = json.Marshal(m); err != nil {
		return err
	}
	if strings.HasSuffix(location, ".gz") || strings.Contains(fileName(location), ".gz.") {
		if text, err = gzipped(text); err != nil {
			return err
		}
	}
	return writeBytes(staged, text)
}

// snapshot writes a snapshot's manifest list anew, and those of its manifests that are not in rewritten yet. Of a copy that goes on from an
// earlier one, manifests of known snapshots are there.
func (r *pathRewrite) snapshot(ctx context.Context, s table.Snapshot, further bool, known map[int64]bool, rewritten map[string]iceberg.ManifestFile) error {
	list, err := r.l.cache.manifests(&s)
	if err != nil {
		return err
	}
	var out []iceberg.ManifestFile
	for _, m := range list {
		done := rewritten[m.FilePath()]
		switch {
		case done != nil:
		case further && known[m.SnapshotID()]:
			to, err := r.target(m.FilePath())
			if err != nil {
				return err
			}
			done = manifestAt(m, to, m.Length(), m.Partitions())
		default:
			if done, err = r.manifest(ctx, m, further, known); err != nil {
				return err
			}
		}
		rewritten[m.FilePath()] = done
		out = append(out, done)
	}
	staged, err := r.staged(s.ManifestList)
	if err != nil {
		return err
	}
	return writeFile(staged, func(b *bytes.Buffer) error {
		_, err := writeList(b, r.end.Version(), s.SnapshotID, s.ParentSnapshotID, s.SequenceNumber, 0, out)
		return err
	})
}

// manifest writes a manifest anew, and the position delete files in it.
func (r *pathRewrite) manifest(ctx context.Context, m iceberg.ManifestFile, further bool, known map[int64]bool) (iceberg.ManifestFile, error) {
	entries, err := r.l.cache.manifest(m)
	if err != nil {
		return nil, err
	}
	spec := r.end.PartitionSpecByID(int(m.PartitionSpecID()))
	if spec == nil {
		return nil, fmt.Errorf("the manifest %s belongs to the unknown partition spec %d", m.FilePath(), m.PartitionSpecID())
	}
	to, err := r.target(m.FilePath())
	if err != nil {
		return nil, err
	}
	staged, err := r.staged(m.FilePath())
	if err != nil {
		return nil, err
	}
	c := &change{snapshot: m.SnapshotID()}
	made, err := c.manifest(staged, m.Version(), *spec, r.end.schemaFor(*spec), m.ManifestContent(), func(w *iceberg.ManifestWriter) error {
		for _, e := range entries {
			f, err := r.entry(ctx, e, *spec, !further || !known[e.SnapshotID()])
			if err != nil {
				return err
			}
			snapshot, sequence := e.SnapshotID(), e.SequenceNum()
			next := iceberg.NewManifestEntry(e.Status(), &snapshot, &sequence, e.FileSequenceNum(), f)
			switch e.Status() {
			case iceberg.EntryStatusADDED:
				if sequence == m.SequenceNum() { // which the list tells
					next = iceberg.NewManifestEntry(e.Status(), &snapshot, nil, nil, f)
				}
				err = w.Add(next)
			case iceberg.EntryStatusDELETED:
				err = w.Delete(next)
			default:
				err = w.Existing(next)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return manifestAt(m, to, made.Length(), made.Partitions()), nil
}

// entry is a manifest entry's file at its target. What is new of it, and there, is copied.
func (r *pathRewrite) entry(ctx context.Context, e iceberg.ManifestEntry, spec iceberg.PartitionSpec, news bool) (iceberg.DataFile, error) {
	f := e.DataFile()
	live := e.Status() != iceberg.EntryStatusDELETED
	to, err := r.target(f.FilePath())
	if err != nil {
		return nil, err
	}
	size := f.FileSizeBytes()
	lower, upper := maps.Clone(f.LowerBoundValues()), maps.Clone(f.UpperBoundValues())
	positions := f.ContentType() == iceberg.EntryContentPosDeletes
	switch {
	case positions && live:
		if size, err = r.positions(ctx, f); err != nil {
			return nil, err
		}
	case live && news:
		if err := r.copied(f.FilePath()); err != nil {
			return nil, err
		}
	}
	if positions {
		for _, bounds := range []map[int][]byte{lower, upper} {
			if b := bounds[deletePathID]; b != nil {
				if path, err := r.target(string(b)); err == nil {
					bounds[deletePathID] = []byte(path)
				}
			}
		}
	}
	b, err := dataFileAt(f, spec, to, size)
	if err != nil {
		return nil, err
	}
	b.LowerBoundValues(lower).UpperBoundValues(upper)
	if ids := f.EqualityFieldIDs(); len(ids) > 0 {
		b.EqualityFieldIDs(ids)
	}
	if path := f.ReferencedDataFile(); path != nil {
		moved, err := r.target(*path)
		if err != nil {
			return nil, err
		}
		b.ReferencedDataFile(moved)
	}
	return b.Build(), nil
}

// positions writes a position delete file anew and returns its size.
func (r *pathRewrite) positions(ctx context.Context, f iceberg.DataFile) (int64, error) {
	staged, err := r.staged(f.FilePath())
	if err != nil {
		return 0, err
	}
	if err := fetch(ctx, nil, []iceberg.DataFile{f}); err != nil {
		return 0, err
	}
	moved := fmt.Sprintf("CASE WHEN starts_with(file_path, %[1]s) THEN concat(%[2]s, substr(file_path, %[3]d)) ELSE file_path END", text(r.Source), text(r.Target), len([]rune(r.Source))+1)
	_, size, err := copyPositions(ctx, fmt.Sprintf("SELECT %s AS file_path, pos FROM read_parquet(%s, hive_partitioning = false) ORDER BY 1, 2", moved, duckpath.List([]string{localPath(f.FilePath())})), staged, r.db)
	return size, err
}
