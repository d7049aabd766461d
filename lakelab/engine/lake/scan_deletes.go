package lake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Rows that merge-on-read deleted are listed by file and position in delete files of their own; a scan leaves them out by an
// anti-join. A position belongs to one data file, named by its path, so the delete's age needs no look.

// checkReadable refuses, by name, what the scan can't read yet.
func (f *fileList) checkReadable() error {
	for _, d := range f.deletes {
		switch {
		case d.ContentType() == iceberg.EntryContentEqDeletes:
			return errclass.Unsupported("reading a table with equality deletes")
		case d.FileFormat() == iceberg.PuffinFile:
			return errclass.Unsupported("reading a table with deletion vectors")
		}
	}
	for _, d := range slices.Concat(f.data, f.deletes) {
		if d.FileFormat() != iceberg.ParquetFile {
			return errclass.Unsupported("reading data files of format " + string(d.FileFormat()))
		}
		if !reachable(d.FilePath()) {
			return errclass.Unsupported("reading data files at " + d.FilePath())
		}
	}
	return nil
}

// withoutDeleted is what FROM reads, a read_parquet named t, without the deleted rows.
func withoutDeleted(read string, deletes []iceberg.DataFile) string {
	paths := make([]string, len(deletes))
	for i, d := range deletes {
		paths[i] = text(localPath(d.FilePath()))
	}
	return fmt.Sprintf("%s ANTI JOIN (SELECT %s AS path, pos FROM read_parquet([%s])) AS d ON t.%s = d.path AND t.file_row_number = d.pos",
		read, localSQL("file_path"), strings.Join(paths, ", "), quote(fileColumn))
}

// fileColumn is the name under which a scan sees the file that a row is in.
const fileColumn = "__lake_file"
