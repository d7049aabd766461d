package lake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// change is what one commit does to a table's files. Its files are written once; each attempt puts them into a snapshot of what is
// there then.
type change struct {
	id       uuid.UUID
	snapshot int64
	branch   string             // whose head moves; empty: main
	fresh    bool               // the branch may not be there yet: then it begins at main
	wap      string             // the id under which the snapshot is staged, without a branch; empty: it is not
	data     []iceberg.DataFile // new data files
	taken    bool               // the data files were there before: they stay if the commit fails
	deletes  []iceberg.DataFile // new delete files
	// remove picks the files of the parent snapshot that go; nil: none.
	remove func(iceberg.DataFile) bool
	// operation names the snapshot's operation, given what was added and removed; nil: append.
	operation func(added, removed tally) table.Operation
	// check refuses to commit on top of what others did meanwhile; nil: nothing can be in the way.
	check   func(a *attempt, parent *table.Snapshot) error
	summary map[string]string // further entries of the snapshot's summary
	custom  map[string]string // and those of its writer
	// procedure is a change that no query's rows go into: in Spark such a snapshot does not say which application it is of.
	procedure bool
	// manifests gives the snapshot's manifests where no file comes or goes; nil otherwise.
	manifests func() ([]iceberg.ManifestFile, error)

	made  []iceberg.ManifestFile // of the new files, data first, made at the first attempt
	paths []string               // of those
}

func newChange(data []iceberg.DataFile) *change {
	id := uuid.New()
	// As Java does: the two halves of a UUID folded together, made positive.
	var n uint64
	for i := range 8 {
		n = n<<8 | uint64(id[i]^id[i+8])
	}
	return &change{id: uuid.New(), snapshot: int64(n & math.MaxInt64), data: data}
}

// on makes the change one of the branch that a table was loaded for.
func (c *change) on(t *Table) {
	c.branch, c.fresh, c.wap, c.custom = t.branch, t.fresh, t.wap, t.options.Summary
}

// failed deletes what the change wrote after its commit has failed, unless the table has its snapshot all the same: then it has happened, and
// there is no error.
func (l *Lakehouse) failed(ctx context.Context, id Ident, c *change, err error) error {
	if !errors.Is(err, errUnknownOutcome) && c.made != nil {
		there, herr := l.holds(context.WithoutCancel(ctx), id, c.snapshot)
		if there {
			return nil
		}
		if herr != nil {
			return errors.Join(err, herr)
		}
	}
	c.discard(err)
	return err
}

// discard deletes everything that the change wrote, after its commit failed.
func (c *change) discard(err error) {
	if errors.Is(err, errUnknownOutcome) {
		return
	}
	made := c.deletes
	if !c.taken {
		made = slices.Concat(c.data, c.deletes)
	}
	for _, f := range made {
		removeAll([]string{f.FilePath()})
	}
	removeAll(c.paths)
}

// manifestPath is the path of the n-th manifest that the change writes.
func (c *change) manifestPath(location string, n int) string {
	return join(location, "metadata", fmt.Sprintf("%s-m%d.avro", c.id, n))
}

// manifest writes a manifest; fill puts its entries in.
func (c *change) manifest(path string, version int, spec iceberg.PartitionSpec, schema *iceberg.Schema, content iceberg.ManifestContent,
	fill func(*iceberg.ManifestWriter) error) (m iceberg.ManifestFile, err error) {
	err = writeFile(path, func(b *bytes.Buffer) error {
		w, err := iceberg.NewManifestWriter(version, b, avroSpec(spec), schema, c.snapshot, iceberg.WithManifestWriterContent(content))
		if err != nil {
			return err
		}
		if err := fill(w); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		m, err = w.ToManifestFile(path, int64(b.Len()))
		return err
	})
	if err != nil {
		return nil, err
	}
	return withMendedBounds(m, spec, schema), nil
}

// withMendedBounds mends the summaries of partition fields. A least or greatest value that is an empty text or binary is written as NULL by
// iceberg-go, from which Java's readers conclude that all values are NULL; and of two zeros it takes either for both bounds.
func withMendedBounds(m iceberg.ManifestFile, spec iceberg.PartitionSpec, schema *iceberg.Schema) iceberg.ManifestFile {
	summaries, mended := m.Partitions(), false
	for i := range summaries {
		floating := false
		if i < spec.NumFields() && spec.Field(i).Transform == (iceberg.IdentityTransform{}) {
			source, _ := schema.FindTypeByID(spec.Field(i).SourceID())
			switch source.(type) {
			case iceberg.Float32Type, iceberg.Float64Type:
				floating = true
			}
		}
		for n, bound := range []**[]byte{&summaries[i].LowerBound, &summaries[i].UpperBound} {
			switch {
			case *bound == nil:
			case **bound == nil:
				*bound, mended = &[]byte{}, true
			case floating:
				if zero := zeroBound(**bound, n == 1); !bytes.Equal(zero, **bound) {
					*bound, mended = &zero, true
				}
			}
		}
	}
	if !mended {
		return m
	}
	return manifestAt(m, m.FilePath(), m.Length(), summaries)
}

// manifestAt is a manifest under another path, length and summaries of its partitions.
func manifestAt(m iceberg.ManifestFile, path string, length int64, partitions []iceberg.FieldSummary) iceberg.ManifestFile {
	return iceberg.NewManifestFile(m.Version(), path, length, m.PartitionSpecID(), m.SnapshotID()).
		SequenceNum(m.SequenceNum(), m.MinSequenceNum()).Content(m.ManifestContent()).
		AddedFiles(m.AddedDataFiles()).ExistingFiles(m.ExistingDataFiles()).DeletedFiles(m.DeletedDataFiles()).
		AddedRows(m.AddedRows()).ExistingRows(m.ExistingRows()).DeletedRows(m.DeletedRows()).Partitions(partitions).Build()
}

// avroSpec is a spec under names that Avro allows; readers find partition fields by id.
func avroSpec(spec iceberg.PartitionSpec) iceberg.PartitionSpec {
	var fields []iceberg.PartitionField
	for i, f := range spec.Fields() {
		var name strings.Builder
		for j, r := range f.Name {
			switch {
			case r == '_' || r|0x20 >= 'a' && r|0x20 <= 'z' || j > 0 && r >= '0' && r <= '9':
				name.WriteRune(r)
			case r >= '0' && r <= '9':
				name.WriteString("_" + string(r))
			default:
				fmt.Fprintf(&name, "_x%X", r)
			}
		}
		f.Name = name.String()
		if slices.ContainsFunc(fields, func(o iceberg.PartitionField) bool { return o.Name == f.Name }) {
			f.Name += fmt.Sprintf("_%d", i)
		}
		fields = append(fields, f)
	}
	return iceberg.NewPartitionSpecID(spec.ID(), fields...)
}

// added lists the change's new files in manifests, one for each content and partition spec. Their sequence number is inherited from the
// snapshot, so the manifests serve all attempts.
func (c *change) added(location string, version int, b *table.MetadataBuilder, schemaFor func(iceberg.PartitionSpec) *iceberg.Schema) ([]iceberg.ManifestFile, error) {
	if c.made != nil {
		return c.made, nil
	}
	var made []iceberg.ManifestFile // all or none are kept for the next attempt
	for _, group := range []struct {
		content iceberg.ManifestContent
		files   []iceberg.DataFile
	}{{iceberg.ManifestContentData, c.data}, {iceberg.ManifestContentDeletes, c.deletes}} {
		for rest := group.files; len(rest) > 0; {
			id := rest[0].SpecID()
			spec, err := b.GetSpecByID(int(id))
			if err != nil {
				return nil, err
			}
			var later []iceberg.DataFile
			path := c.manifestPath(location, len(c.paths))
			m, err := c.manifest(path, version, *spec, schemaFor(*spec), group.content, func(w *iceberg.ManifestWriter) error {
				for _, f := range rest {
					if f.SpecID() != id {
						later = append(later, f)
						continue
					}
					if err := w.Add(iceberg.NewManifestEntry(iceberg.EntryStatusADDED, &c.snapshot, nil, nil, f)); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			c.paths, made, rest = append(c.paths, path), append(made, m), later
		}
	}
	c.made = made
	return made, nil
}

// apply adds to b a snapshot that holds parent's files with the change made, and makes it the branch's head. New manifests come first in
// the list, as Java puts them: readers meet the newest rows first.
func (c *change) apply(ctx context.Context, l *Lakehouse, a *attempt, b *table.MetadataBuilder, location string, version int, parent *table.Snapshot) error {
	schema := b.CurrentSchema()
	if c.check != nil {
		if err := c.check(a, parent); err != nil {
			return err
		}
	}
	k, err := &remains{}, error(nil)
	if parent != nil {
		if k, err = c.keep(ctx, l, a, b, location, version, parent); err != nil {
			return err
		}
	}
	schemaFor := func(iceberg.PartitionSpec) *iceberg.Schema { return schema } // a new table has one spec, of its own schema
	if parent != nil {
		schemaFor = a.base.schemaFor
	}
	made, err := c.added(location, version, b, schemaFor)
	if err != nil {
		return err
	}
	a.kept = append(a.kept, c.paths...)
	if !c.taken {
		a.kept = append(a.kept, unsettled(slices.Concat(c.data, c.deletes)...)...)
	}
	manifests := slices.Concat(made, k.data, k.deletes)
	switch {
	case c.manifests != nil:
		manifests, err = c.manifests()
	case parent != nil:
		manifests, err = c.merge(ctx, l, a, b, location, version, manifests)
	}
	if err != nil {
		return err
	}
	var sequence int64
	if a.base != nil {
		sequence = a.base.LastSequenceNumber()
	}
	if version > 1 {
		sequence++
	}
	var parentID *int64
	previous := iceberg.Properties{}
	if parent != nil {
		parentID = &parent.SnapshotID
		if parent.Summary != nil {
			previous = parent.Summary.Properties
		}
	}
	path := join(location, "metadata", fmt.Sprintf("snap-%d-1-%s.avro", c.snapshot, uuid.New()))
	firstRow := b.NextRowID()
	nextRow := firstRow
	var text bytes.Buffer
	if nextRow, err = writeList(&text, version, c.snapshot, parentID, sequence, firstRow, manifests); err != nil {
		return err
	}
	if err := a.write(path, text.Bytes()); err != nil {
		return err
	}
	if c.wap != "" {
		c.summary = maps.Clone(c.summary)
		if c.summary == nil {
			c.summary = map[string]string{}
		}
		c.summary["wap.id"] = c.wap
	}
	added := tallyOf(slices.Concat(c.data, c.deletes))
	operation := table.OpAppend
	if c.operation != nil {
		operation = c.operation(added, k.removed)
	}
	properties := l.summary(c.summary, added, k.removed, previous)
	if c.procedure {
		delete(properties, "spark.app.id")
	}
	if c.taken { // Java imports whole manifests and does not look into them
		delete(properties, "changed-partition-count")
	}
	if err := addCustom(properties, c.custom); err != nil {
		return err
	}
	schemaID := schema.ID
	s := table.Snapshot{
		SnapshotID: c.snapshot, ParentSnapshotID: parentID, SequenceNumber: sequence, TimestampMs: a.clock(),
		ManifestList: path, SchemaID: &schemaID,
		Summary: &table.Summary{Operation: operation, Properties: properties},
	}
	if version >= lineageVersion {
		added := nextRow - firstRow
		s.FirstRowID, s.AddedRows = &firstRow, &added
	}
	if err := b.AddSnapshot(&s); err != nil {
		return err
	}
	if c.wap != "" {
		return nil
	}
	return b.NewRetainingSnapshotRefUpdate(c.ref(), s.SnapshotID, table.BranchRef).Apply(b)
}

// writeList writes a manifest list. From format v3 on it gives row ids, from firstRow on, to the manifests that have none, and returns the
// next one that is free.
func writeList(w *bytes.Buffer, version int, snapshot int64, parent *int64, sequence, firstRow int64, manifests []iceberg.ManifestFile) (nextRow int64, err error) {
	if version < lineageVersion {
		return firstRow, iceberg.WriteManifestList(version, w, snapshot, parent, &sequence, firstRow, manifests)
	}
	next := firstRow // the writer moves it
	list, err := iceberg.NewManifestListWriterV3(w, snapshot, sequence, next, parent)
	if err != nil {
		return 0, err
	}
	if err := list.AddManifests(manifests); err != nil {
		return 0, err
	}
	return *list.NextRowID(), list.Close()
}

// ref is the branch that the change moves.
func (c *change) ref() string {
	if c.branch == "" {
		return table.MainBranch
	}
	return c.branch
}

// remains is what a change leaves of its parent's manifests, and what it removes from them.
type remains struct {
	data, deletes []iceberg.ManifestFile
	removed       tally
}

// live reports whether a manifest may hold files that are there; one of deleted files only is dropped from the next snapshot, as in Java.
func live(m iceberg.ManifestFile) bool { return m.HasAddedFiles() || m.HasExistingFiles() }

// keep takes the change's removed files out of the parent's manifests. Delete files older than every data file that is left have nothing
// to delete, and go too, as in Java.
func (c *change) keep(ctx context.Context, l *Lakehouse, a *attempt, b *table.MetadataBuilder, location string, version int, parent *table.Snapshot) (*remains, error) {
	list, err := l.cache.manifests(parent)
	if err != nil {
		return nil, err
	}
	k := &remains{removed: newTally()}
	if c.remove == nil {
		for _, m := range list {
			switch {
			case !live(m):
			case m.ManifestContent() == iceberg.ManifestContentData:
				k.data = append(k.data, m)
			default:
				k.deletes = append(k.deletes, m)
			}
		}
		return k, nil
	}
	n := 0
	filter := func(m iceberg.ManifestFile, gone func(iceberg.ManifestEntry) bool) (iceberg.ManifestFile, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !live(m) {
			return nil, nil
		}
		entries, err := l.cache.manifest(m)
		if err != nil || !slices.ContainsFunc(entries, gone) {
			return m, err
		}
		spec, err := b.GetSpecByID(int(m.PartitionSpecID()))
		if err != nil {
			return nil, err
		}
		path := join(location, "metadata", fmt.Sprintf("%s-m%d.avro", uuid.New(), n))
		n++
		out, err := c.manifest(path, version, *spec, a.base.schemaFor(*spec), m.ManifestContent(), func(w *iceberg.ManifestWriter) error {
			for _, e := range entries {
				switch {
				case e.Status() == iceberg.EntryStatusDELETED:
				case gone(e):
					k.removed.add(e.DataFile())
					if err := w.Delete(e); err != nil {
						return err
					}
				default:
					if err := w.Existing(e); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err == nil {
			a.files = append(a.files, path)
		}
		return out, err
	}
	oldest := a.base.LastSequenceNumber() + 1
	removed := map[string]bool{} // data files: their deletion vectors go with them
	for _, m := range list {
		if m.ManifestContent() != iceberg.ManifestContentData {
			continue
		}
		m, err := filter(m, func(e iceberg.ManifestEntry) bool {
			if e.Status() == iceberg.EntryStatusDELETED || !c.remove(e.DataFile()) {
				return false
			}
			removed[e.DataFile().FilePath()] = true
			return true
		})
		if err != nil {
			return nil, err
		}
		if m != nil {
			k.data = append(k.data, m)
			if s := m.MinSequenceNum(); s >= 0 { // files of a table that was of format version 1 have 0; no files, -1
				oldest = min(oldest, s)
			}
		}
	}
	for _, m := range list {
		if m.ManifestContent() != iceberg.ManifestContentDeletes {
			continue
		}
		m, err := filter(m, func(e iceberg.ManifestEntry) bool {
			f := e.DataFile()
			return e.Status() != iceberg.EntryStatusDELETED &&
				(c.remove(f) || e.SequenceNum() > 0 && e.SequenceNum() < oldest || dangling(f, removed))
		})
		if err != nil {
			return nil, err
		}
		if m != nil {
			k.deletes = append(k.deletes, m)
		}
	}
	return k, nil
}

// dangling reports whether a delete file is a deletion vector of a removed data file.
func dangling(f iceberg.DataFile, removed map[string]bool) bool {
	path, one := deletesOne(f)
	return isVector(f) && one && removed[path]
}

// schemaFor is a schema that has all source columns of a spec: the current one, or an older one if a column was dropped since.
func (m *metadata) schemaFor(spec iceberg.PartitionSpec) *iceberg.Schema {
	has := func(s *iceberg.Schema) bool {
		for _, f := range spec.Fields() {
			if _, ok := s.FindFieldByID(f.SourceID()); !ok {
				return false
			}
		}
		return true
	}
	if s := m.CurrentSchema(); has(s) {
		return s
	}
	for _, s := range slices.Backward(m.Schemas()) {
		if has(s) {
			return s
		}
	}
	return m.CurrentSchema()
}

// commitChange commits a change to an existing table that was loaded as t.
func (l *Lakehouse) commitChange(ctx context.Context, t *Table, c *change) error {
	err := l.commit(ctx, t.id, func(a *attempt) (*table.MetadataBuilder, error) {
		if a.base == nil {
			return nil, fmt.Errorf("%w: %s", ErrNoTable, t.id)
		}
		if a.base.SnapshotByID(c.snapshot) != nil { // an earlier attempt happened, whatever its answer was
			return nil, nil
		}
		if a.base.TableUUID() != t.meta.TableUUID() || len(c.data) > 0 && !readableAs(t.meta.CurrentSchema(), a.base.CurrentSchema()) {
			return nil, fmt.Errorf("%w: %s was changed while its rows were written", ErrCommitFailed, t.id)
		}
		if err := l.checkWritable(a.base); err != nil {
			return nil, err
		}
		keys := append([]string{"commit.manifest.target-size-bytes", "write.metadata.previous-versions-max"}, retryNumbers...)
		if c.manifests == nil {
			keys = append(keys, "commit.manifest.min-count-to-merge")
		}
		if err := checkNumbers(a.base.Properties(), keys...); err != nil {
			return nil, err
		}
		if err := c.checkDeletes(t.meta.Version(), a.base.Version()); err != nil {
			return nil, err
		}
		b, err := a.builder()
		if err != nil {
			return nil, err
		}
		parent, err := a.base.head(c.ref())
		if err != nil && c.fresh {
			parent, err = a.base.CurrentSnapshot(), nil
		}
		if err != nil {
			return nil, err
		}
		return b, c.apply(ctx, l, a, b, a.base.Location(), a.base.Version(), parent)
	})
	if err != nil {
		err = l.failed(ctx, t.id, c, err)
	}
	return err
}

// checkDeletes refuses position delete files that the change has written for the format version that the table had then, if that it has by now takes
// deletion vectors only.
func (c *change) checkDeletes(then, version int) error {
	if then >= lineageVersion || version < lineageVersion {
		return nil
	}
	for _, d := range c.deletes {
		if d.ContentType() == iceberg.EntryContentPosDeletes && !isVector(d) {
			return errclass.IllegalArgument(fmt.Sprintf("Must use DVs for position deletes in V%d: %s", version, d.FilePath()))
		}
	}
	return nil
}

// head is the snapshot that a branch points to; nil for main in a table without a snapshot.
func (m *metadata) head(branch string) (*table.Snapshot, error) {
	if branch == table.MainBranch || branch == "" {
		return m.CurrentSnapshot(), nil
	}
	for name, ref := range m.Refs() {
		if name == branch {
			if ref.SnapshotRefType != table.BranchRef {
				return nil, errclass.IllegalArgument(branch + " is a tag, not a branch. Tags cannot be targets for producing snapshots")
			}
			return m.SnapshotByID(ref.SnapshotID), nil
		}
	}
	return nil, errclass.Validation("Cannot use branch (does not exist): %s", branch)
}
