package lake

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
)

// Merge-on-read: a delete file lists the positions of the deleted rows of one data file. Earlier delete files of that data file are
// written into the new one and removed, so that a data file has one at most.

// The field ids of a position delete file's columns.
const (
	deletePathID     = 2147483546
	deletePositionID = 2147483545
)

func (l *Lakehouse) mergeOnRead(ctx context.Context, t *Table, ch RowChanges, changes string, parent *table.Snapshot, list *fileList, files []iceberg.DataFile, db DB) (_ *change, err error) {
	c := newChange(nil)
	defer func() {
		if err != nil {
			c.discard(err)
		}
	}()
	if ch.Command != "delete" {
		query, err := newRows(t, changes, files, list)
		if err != nil {
			return nil, err
		}
		if c.data, err = writeData(ctx, t.meta.moved(), query, db); err != nil {
			return nil, err
		}
	}
	earlier, shared := map[string][]iceberg.DataFile{}, []iceberg.DataFile(nil)
	sequence := list.sequence
	for _, d := range list.deletes {
		if path, one := deletesOne(d); one {
			if sequence[d.FilePath()] >= sequence[path] {
				earlier[path] = append(earlier[path], d)
			}
		} else if d.ContentType() == iceberg.EntryContentPosDeletes {
			shared = append(shared, d)
		}
	}
	gone, touched := map[string]bool{}, map[string]bool{}
	vectors := t.newVectors()
	for i, f := range files {
		touched[f.FilePath()] = true
		old := earlier[f.FilePath()]
		for _, d := range old {
			gone[fileKey(d)] = true
		}
		query := fmt.Sprintf("SELECT pos FROM %s WHERE file = %s AND action <> %d", changes, text(shownPath(f.FilePath())), RowKept)
		if t.meta.Version() >= lineageVersion {
			// Readers pass over position delete files where there is a vector, so it takes in those that are about other files too.
			if err := vectors.add(ctx, f, query, slices.Concat(old, notOlder(shared, f, sequence)), db); err != nil {
				return nil, err
			}
			continue
		}
		if len(old) > 0 {
			query += " UNION " + positionsOf(old, f)
		}
		d, err := t.writePositions(ctx, i, f, query, db)
		if err != nil {
			return nil, err
		}
		c.deletes = append(c.deletes, d)
	}
	made, err := vectors.write(ctx)
	if err != nil {
		return nil, err
	}
	c.deletes = append(c.deletes, made...)
	c.on(t)
	c.operation = func(added, _ tally) table.Operation {
		switch {
		case added.dataFiles == 0:
			return table.OpDelete
		case added.files() == added.dataFiles:
			return table.OpAppend
		}
		return table.OpOverwrite
	}
	c.remove = func(f iceberg.DataFile) bool { return gone[fileKey(f)] }
	c.check = l.unchanged(ctx, t, ch, parent, list, touched)
	return c, nil
}

// notOlder are the delete files that may delete rows of a data file by their age.
func notOlder(deletes []iceberg.DataFile, f iceberg.DataFile, sequence map[string]int64) []iceberg.DataFile {
	return slices.DeleteFunc(slices.Clone(deletes), func(d iceberg.DataFile) bool { return sequence[d.FilePath()] < sequence[f.FilePath()] })
}

// writePositions writes the delete file of one data file; query yields the positions.
func (t *Table) writePositions(ctx context.Context, n int, f iceberg.DataFile, query string, db DB) (iceberg.DataFile, error) {
	spec := t.meta.PartitionSpecByID(int(f.SpecID()))
	if spec == nil {
		return nil, fmt.Errorf("%s belongs to the unknown partition spec %d", f.FilePath(), f.SpecID())
	}
	path := join(t.meta.Location(), "data", partitionPath(spec, t.meta.schemaFor(*spec), f.Partition()), fmt.Sprintf("%05d-0-%s-00001-deletes.parquet", n, uuid.NewString()))
	if err := checkNumbers(t.meta.Properties(), "write.delete.target-file-size-bytes", "write.delete.parquet.row-group-size-bytes"); err != nil {
		return nil, err
	}
	rows, size, err := copyPositions(ctx, fmt.Sprintf("SELECT %s AS file_path, pos FROM (SELECT DISTINCT CAST(pos AS BIGINT) AS pos FROM (%s)) ORDER BY pos", text(f.FilePath()), query), path, db)
	if err != nil {
		removeAll([]string{localPath(path)})
		return nil, err
	}
	b, err := iceberg.NewDataFileBuilder(*spec, iceberg.EntryContentPosDeletes, path, iceberg.ParquetFile, f.Partition(), nil, nil, rows, size)
	if err != nil {
		return nil, err
	}
	bound := map[int][]byte{deletePathID: []byte(f.FilePath())}
	return b.LowerBoundValues(bound).UpperBoundValues(bound).ReferencedDataFile(f.FilePath()).SplitOffsets([]int64{4}).Build(), nil
}

// copyPositions writes a query's file_path and pos as a position delete file. It returns how many rows and bytes that has.
func copyPositions(ctx context.Context, query, path string, db DB) (rows, size int64, err error) {
	local := localPath(path)
	if err := makeFolder(filepath.Dir(local)); err != nil {
		return 0, 0, err
	}
	_, copied, err := db.Query(ctx, fmt.Sprintf("COPY (%s) TO %s (FORMAT parquet, COMPRESSION zstd, FIELD_IDS {file_path: %d, pos: %d})", query, text(local), deletePathID, deletePositionID))
	if err != nil {
		return 0, 0, err
	}
	if _, err := plainIntegers(ctx, local); err != nil {
		return 0, 0, err
	}
	info, err := os.Stat(local)
	if err != nil {
		return 0, 0, err
	}
	return whole(copied[0][0]), info.Size(), settle(ctx, local, info.Size())
}

// positionsOf is a query of the positions that delete files list for one data file.
func positionsOf(deletes []iceberg.DataFile, f iceberg.DataFile) string {
	paths := make([]string, len(deletes))
	for i, d := range deletes {
		paths[i] = localPath(d.FilePath())
	}
	return fmt.Sprintf("SELECT pos FROM read_parquet(%s, hive_partitioning = false) WHERE file_path = %s", duckpath.List(paths), text(f.FilePath()))
}
