package lake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Rows that merge-on-read deleted are named by delete files: by file and position (position delete files of format v2, deletion vectors
// of v3), or by the values of some columns (equality delete files, scan_equality.go). A scan leaves them out by anti-joins. A position
// belongs to one data file, named by its path, so only equality deletes need a look at ages and partitions.

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
	sequence                     map[string]int64 // data sequence numbers by path: see sequences
	deleted                      string           // the query of positionsSQL
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
	if len(d.equality) == 0 {
		return d, nil
	}
	_, err := d.sequences(l.cache)
	return d, err
}

// sequences are the data sequence numbers of the snapshot's files, by path. They are read once, and known from the start where there are
// equality deletes.
func (d *deletions) sequences(c *cache) (map[string]int64, error) {
	if d.sequence != nil {
		return d.sequence, nil
	}
	out := make(map[string]int64, len(d.list.data)+len(d.list.deletes))
	for _, m := range d.list.manifests {
		entries, err := c.manifest(m)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Status() != iceberg.EntryStatusDELETED {
				out[e.DataFile().FilePath()] = max(e.SequenceNum(), 0) // files of format v1 have none and count as 0
			}
		}
	}
	d.sequence = out
	return out, nil
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
		parts = append(parts, fmt.Sprintf("SELECT %s AS path, pos FROM read_parquet([%s], hive_partitioning = false)", localSQL("file_path"), texts(paths)))
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
