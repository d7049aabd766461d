package lake

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Rows that merge-on-read deleted are named by delete files: by file and position (position delete files of format v2, deletion vectors
// of v3), or by the values of some columns (equality delete files, scan_equality.go). A scan leaves them out by anti-joins. A delete file does
// nothing to data files that are younger: one that was taken out may come in again later.

// checkReadable refuses, by name, what the scan can't read.
func (f *fileList) checkReadable() error {
	for _, d := range slices.Concat(f.data, f.deletes) {
		if isVector(d) {
			continue
		}
		if d.FileFormat() != iceberg.ParquetFile {
			return errclass.Unsupported("reading data files of format " + string(d.FileFormat()))
		}
		if !reachable(d.FilePath()) {
			return errclass.Unsupported("reading data files at " + d.FilePath())
		}
	}
	return nil
}

// isVector reports whether a delete file is a deletion vector.
func isVector(f iceberg.DataFile) bool {
	return f.ContentType() == iceberg.EntryContentPosDeletes && f.FileFormat() == iceberg.PuffinFile
}

// fileKey tells a snapshot's files apart: several deletion vectors share a Puffin file.
func fileKey(f iceberg.DataFile) string {
	if isVector(f) && f.ContentOffset() != nil {
		return fmt.Sprintf("%s@%d", f.FilePath(), *f.ContentOffset())
	}
	return f.FilePath()
}

// deletions are the delete files that a scan of some data files applies.
type deletions struct {
	list                         *fileList
	positions, vectors, equality []iceberg.DataFile
	sequence                     map[string]int64   // data sequence numbers by path: see sequences
	young                        []iceberg.DataFile // data files that are younger than some file of positions in several data files
	deleted                      string             // the query of positionsSQL
}

// deletions picks a snapshot's delete files that may concern data files; those that are about one other file do not.
func (l *Lakehouse) deletions(list *fileList, data []iceberg.DataFile) (*deletions, error) {
	if list == nil {
		list = &fileList{}
	}
	d := &deletions{list: list}
	if len(list.deletes) == 0 {
		return d, nil
	}
	scanned := make(map[string]bool, len(data))
	for _, f := range data {
		scanned[f.FilePath()] = true
	}
	for _, f := range list.deletes {
		path, one := deletesOne(f)
		switch {
		case f.ContentType() == iceberg.EntryContentEqDeletes:
			d.equality = append(d.equality, f)
		case one && !scanned[path]:
		case isVector(f):
			d.vectors = append(d.vectors, f)
		default:
			d.positions = append(d.positions, f)
		}
	}
	if len(d.equality)+len(d.positions) == 0 {
		return d, nil
	}
	sequence, err := d.sequences(l.cache)
	if err != nil {
		return nil, err
	}
	first := int64(math.MaxInt64)
	d.positions = slices.DeleteFunc(d.positions, func(f iceberg.DataFile) bool {
		path, one := deletesOne(f)
		if !one {
			first = min(first, sequence[f.FilePath()])
		}
		return one && sequence[f.FilePath()] < sequence[path]
	})
	for _, f := range data {
		if sequence[f.FilePath()] > first {
			d.young = append(d.young, f)
		}
	}
	return d, nil
}

// sequences are the data sequence numbers of the snapshot's files, by path. They are known from the start where there are deletes.
func (d *deletions) sequences(c *cache) (map[string]int64, error) {
	if d.sequence == nil {
		d.sequence = d.list.sequence
	}
	if d.sequence != nil {
		return d.sequence, nil
	}
	out := make(map[string]int64, len(d.list.data)+len(d.list.deletes))
	for _, m := range d.list.manifests {
		entries, err := c.manifest(m)
		if err != nil {
			return nil, err
		}
		addSequences(out, entries)
	}
	d.sequence = out
	return out, nil
}

// addSequences notes the data sequence numbers of a manifest's files, by path.
func addSequences(out map[string]int64, entries []iceberg.ManifestEntry) {
	for _, e := range entries {
		if e.Status() != iceberg.EntryStatusDELETED {
			out[e.DataFile().FilePath()] = max(e.SequenceNum(), 0) // files of format v1 have none and count as 0
		}
	}
}

// byPosition reports whether rows are deleted by their positions.
func (d *deletions) byPosition() bool { return len(d.positions)+len(d.vectors) > 0 }

// positionsSQL is a query of the deleted positions: path, as DuckDB names files, and pos. Vectors are read once for all groups of files.
func (d *deletions) positionsSQL() (string, error) {
	if d.deleted != "" {
		return d.deleted, nil
	}
	var parts []string
	if len(d.positions) > 0 {
		paths := make([]string, len(d.positions))
		for i, f := range d.positions {
			paths[i] = localPath(f.FilePath())
		}
		if len(d.young) == 0 {
			parts = append(parts, fmt.Sprintf("SELECT %s AS path, pos FROM read_parquet(%s, hive_partitioning = false)", localSQL("file_path"), duckpath.List(paths)))
		} else {
			parts = append(parts, fmt.Sprintf(`SELECT p.path, p.pos FROM (SELECT %s AS path, pos, %s AS file FROM read_parquet(%s, hive_partitioning = false, filename = %s)) AS p
				JOIN %s AS a(path, sequence, partition) ON p.file = a.path ANTI JOIN %s AS y(path, sequence, partition) ON p.path = y.path AND y.sequence > a.sequence`,
				localSQL("file_path"), quote(fileColumn), duckpath.List(paths), text(fileColumn), ages(d.positions, d.sequence, true), ages(d.young, d.sequence, true)))
		}
	}
	if len(d.vectors) > 0 {
		q, err := vectorsSQL(d.vectors)
		if err != nil {
			return "", err
		}
		parts = append(parts, q)
	}
	d.deleted = strings.Join(parts, " UNION ALL ")
	return d.deleted, nil
}

// fileColumn is the name under which a scan sees the file that a row is in.
const fileColumn = "__lake_file"
