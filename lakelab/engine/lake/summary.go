package lake

import (
	"strconv"

	"github.com/apache/iceberg-go"
)

// Version is what snapshots carry as engine-version.
const Version = "0.1"

// tally counts files by kind, as a snapshot's summary does.
type tally struct {
	dataFiles, records, bytes         int64
	positionFiles, positions, vectors int64
	equalityFiles, equalities         int64
	partitions                        map[string]bool
}

func newTally() tally { return tally{partitions: map[string]bool{}} }

func tallyOf(files []iceberg.DataFile) tally {
	t := newTally()
	for _, f := range files {
		t.add(f)
	}
	return t
}

func (t tally) files() int64 { return t.dataFiles + t.positionFiles + t.vectors + t.equalityFiles }

func (t *tally) add(f iceberg.DataFile) {
	t.bytes += f.FileSizeBytes()
	t.partitions[partitionKey(f)] = true
	switch f.ContentType() {
	case iceberg.EntryContentData:
		t.dataFiles++
		t.records += f.Count()
	case iceberg.EntryContentPosDeletes:
		if f.FileFormat() == iceberg.PuffinFile {
			t.vectors++
			t.bytes += opt0(f.ContentSizeInBytes()) - f.FileSizeBytes()
		} else {
			t.positionFiles++
		}
		t.positions += f.Count()
	default:
		t.equalityFiles++
		t.equalities += f.Count()
	}
}

func opt0(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// summary has Spark's keys; the engine's name and version are this engine's own.
func (l *Lakehouse) summary(extra map[string]string, added, removed tally, previous iceberg.Properties) iceberg.Properties {
	partitions := map[string]bool{}
	for _, t := range []tally{added, removed} {
		for p := range t.partitions {
			partitions[p] = true
		}
	}
	p := iceberg.Properties{
		"spark.app.id": l.appID, "app-id": l.appID, "engine-name": "lakelab", "engine-version": Version,
		"iceberg-version": icebergVersion, "changed-partition-count": strconv.Itoa(len(partitions)),
	}
	for k, v := range extra {
		p[k] = v
	}
	for _, c := range []struct {
		key string
		n   int64
	}{
		{"added-data-files", added.dataFiles}, {"deleted-data-files", removed.dataFiles},
		{"added-records", added.records}, {"deleted-records", removed.records},
		{"added-files-size", added.bytes}, {"removed-files-size", removed.bytes},
		{"added-delete-files", added.positionFiles + added.equalityFiles + added.vectors},
		{"removed-delete-files", removed.positionFiles + removed.equalityFiles + removed.vectors},
		{"added-position-delete-files", added.positionFiles}, {"removed-position-delete-files", removed.positionFiles},
		{"added-position-deletes", added.positions}, {"removed-position-deletes", removed.positions},
		{"added-equality-delete-files", added.equalityFiles}, {"removed-equality-delete-files", removed.equalityFiles},
		{"added-equality-deletes", added.equalities}, {"removed-equality-deletes", removed.equalities},
		{"added-dvs", added.vectors}, {"removed-dvs", removed.vectors},
	} {
		if c.n > 0 {
			p[c.key] = strconv.FormatInt(c.n, 10)
		}
	}
	for _, t := range []struct {
		key string
		by  int64
	}{
		{"total-records", added.records - removed.records},
		{"total-files-size", added.bytes - removed.bytes},
		{"total-data-files", added.dataFiles - removed.dataFiles},
		{"total-delete-files", added.positionFiles + added.equalityFiles + added.vectors - removed.positionFiles - removed.equalityFiles - removed.vectors},
		{"total-position-deletes", added.positions - removed.positions},
		{"total-equality-deletes", added.equalities - removed.equalities},
	} {
		// A snapshot of another engine may have no totals; then there are none to continue, as in Java.
		before, err := strconv.ParseInt(previous.Get(t.key, "0"), 10, 64)
		if _, known := previous[t.key]; len(previous) > 0 && (!known || err != nil) {
			continue
		}
		if n := before + t.by; n >= 0 {
			p[t.key] = strconv.FormatInt(n, 10)
		}
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
