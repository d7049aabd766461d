package lake

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
)

// Version is what snapshots carry as engine-version.
const Version = "0.1"

// commitFiles are the data files of one commit: written once, put into a snapshot again at each attempt.
type commitFiles struct {
	id       uuid.UUID
	snapshot int64
	data     []iceberg.DataFile
	manifest iceberg.ManifestFile // made at the first attempt
	path     string               // the manifest's
}

func newCommitFiles(data []iceberg.DataFile) *commitFiles {
	id := uuid.New()
	// As Java does: the two halves of a UUID folded together, made positive.
	var n uint64
	for i := range 8 {
		n = n<<8 | uint64(id[i]^id[i+8])
	}
	return &commitFiles{id: uuid.New(), snapshot: int64(n & 0x7fffffffffffffff), data: data}
}

// remove deletes everything that the commit wrote, after it failed.
func (c *commitFiles) remove() {
	for _, f := range c.data {
		os.Remove(localPath(f.FilePath()))
	}
	if c.path != "" {
		os.Remove(localPath(c.path))
	}
}

// writeManifest lists the data files in a manifest. Their sequence number is inherited from the snapshot, so one manifest serves all attempts.
func (c *commitFiles) writeManifest(location string, version int, spec iceberg.PartitionSpec, schema *iceberg.Schema) error {
	if c.manifest != nil || len(c.data) == 0 {
		return nil
	}
	path := filepath.Join(location, "metadata", c.id.String()+"-m0.avro")
	entries := make([]iceberg.ManifestEntry, len(c.data))
	for i, f := range c.data {
		entries[i] = iceberg.NewManifestEntry(iceberg.EntryStatusADDED, &c.snapshot, nil, nil, f)
	}
	var m iceberg.ManifestFile
	err := writeFile(path, func(w *bytes.Buffer) (err error) {
		m, err = iceberg.WriteManifest(path, w, version, spec, schema, c.snapshot, entries)
		return err
	})
	if err == nil {
		c.manifest, c.path = m, path
	}
	return err
}

// append adds to b a snapshot that holds parent's files and the commit's, and makes it the current one.
// New manifests come first in the list, as Java puts them: readers meet the newest rows first.
func (c *commitFiles) append(l *Lakehouse, a *attempt, b *table.MetadataBuilder, location string, version int, parent *table.Snapshot, op table.Operation) error {
	schema := b.CurrentSchema()
	spec, err := b.CurrentSpec()
	if err != nil {
		return err
	}
	if version >= 3 {
		return fmt.Errorf("writing to a table of format version %d is not supported", version)
	}
	if err := c.writeManifest(location, version, *spec, schema); err != nil {
		return err
	}
	var manifests []iceberg.ManifestFile
	if c.manifest != nil {
		manifests = append(manifests, c.manifest)
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
		list, err := parent.Manifests(localFS{})
		if err != nil {
			return err
		}
		manifests = append(manifests, list...)
		if parent.Summary != nil {
			previous = parent.Summary.Properties
		}
	}
	path := filepath.Join(location, "metadata", fmt.Sprintf("snap-%d-1-%s.avro", c.snapshot, uuid.New()))
	err = a.write(path, func(w *bytes.Buffer) error {
		return iceberg.WriteManifestList(version, w, c.snapshot, parentID, &sequence, 0, manifests)
	})
	if err != nil {
		return err
	}
	schemaID := schema.ID
	s := table.Snapshot{
		SnapshotID: c.snapshot, ParentSnapshotID: parentID, SequenceNumber: sequence, TimestampMs: a.clock(),
		ManifestList: path, SchemaID: &schemaID,
		Summary: &table.Summary{Operation: op, Properties: l.summary(c.data, previous)},
	}
	if err := b.AddSnapshot(&s); err != nil {
		return err
	}
	return b.NewRetainingSnapshotRefUpdate(table.MainBranch, s.SnapshotID, table.BranchRef).Apply(b)
}

// totals are the summary's running totals and what each commit adds to them.
var totals = []struct{ total, added string }{
	{"total-records", "added-records"}, {"total-files-size", "added-files-size"}, {"total-data-files", "added-data-files"},
	{"total-delete-files", ""}, {"total-position-deletes", ""}, {"total-equality-deletes", ""},
}

// summary has Spark's keys; the engine's name and version are this engine's own.
func (l *Lakehouse) summary(files []iceberg.DataFile, previous iceberg.Properties) iceberg.Properties {
	p := iceberg.Properties{
		"spark.app.id": l.appID, "app-id": l.appID, "engine-name": "lakelab", "engine-version": Version,
		"iceberg-version": icebergVersion, "changed-partition-count": "0",
	}
	if len(files) > 0 {
		var records, bytes int64
		for _, f := range files {
			records += f.Count()
			bytes += f.FileSizeBytes()
		}
		p["changed-partition-count"] = "1" // tables that are written here have no partitions
		p["added-data-files"] = strconv.Itoa(len(files))
		p["added-records"] = strconv.FormatInt(records, 10)
		p["added-files-size"] = strconv.FormatInt(bytes, 10)
	}
	for _, t := range totals {
		// A snapshot of another engine may have no totals; then there are none to continue, as in Java.
		before, err := strconv.ParseInt(previous.Get(t.total, "0"), 10, 64)
		if _, known := previous[t.total]; len(previous) > 0 && (!known || err != nil) {
			continue
		}
		added, _ := strconv.ParseInt(p.Get(t.added, "0"), 10, 64)
		p[t.total] = strconv.FormatInt(before+added, 10)
	}
	return p
}

// summaryOrder is the order in which Spark shows a summary's entries; entries that it does not name come last, by name.
var summaryOrder = []string{
	"spark.app.id", "replace-partitions", "added-data-files", "deleted-data-files", "added-equality-delete-files", "removed-equality-delete-files",
	"added-position-delete-files", "removed-position-delete-files", "added-delete-files", "removed-delete-files", "added-dvs", "removed-dvs",
	"added-records", "deleted-records", "added-files-size", "removed-files-size", "added-position-deletes", "removed-position-deletes",
	"added-equality-deletes", "removed-equality-deletes", "changed-partition-count",
	"total-records", "total-files-size", "total-data-files", "total-delete-files", "total-position-deletes", "total-equality-deletes",
	"engine-version", "app-id", "engine-name", "iceberg-version",
}
