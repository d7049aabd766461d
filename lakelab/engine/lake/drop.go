package lake

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Drop removes a table from the catalog. Its files stay, as with Spark's DROP TABLE, unless purge is set: then the data and metadata
// files that the table refers to are deleted, as far as they are the lakehouse's (own). It fails, and drops nothing, where they can't be, and says
// so if some could not. ErrNoTable.
func (l *Lakehouse) Drop(ctx context.Context, id Ident, purge bool) error {
	if !purge {
		return l.dropRow(ctx, isTable, id, "", ErrNoTable)
	}
	for {
		m, err := l.load(ctx, id)
		if err != nil {
			return err
		}
		if !collects(m) {
			return errclass.Validation("Cannot purge table: GC is disabled (deleting files may corrupt other tables)")
		}
		files, err := l.allFiles(ctx, m)
		if err == nil {
			files, err = l.own(ctx, m, files)
		}
		if err != nil {
			if err = l.outrun(ctx, id, &attempt{base: m}, err); errors.Is(err, errOutrun) {
				continue
			}
			return err
		}
		if err := removable(id, files); err != nil {
			return err
		}
		// Only the table whose files were listed: others may have changed it meanwhile.
		if err = l.dropRow(ctx, isTable, id, m.location, errOutrun); err == nil {
			if left := removeAll(files); len(left) > 0 {
				return errclass.FilesLeft(id.String(), len(left), left[0])
			}
		}
		if !errors.Is(err, errOutrun) {
			return err
		}
	}
}

// removable refuses to drop a table with its files where the file system is read-only, or their folders are not ours to change.
func removable(id Ident, files []string) error {
	seen := map[string]bool{}
	for _, f := range files {
		dir := filepath.Dir(localPath(f))
		if _, object := inCache(localPath(f)); object || seen[dir] {
			continue
		}
		seen[dir] = true
		if err := unix.Access(dir, unix.W_OK); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errclass.NotPurgeable(id.String(), dir, err)
		}
	}
	return nil
}

// allFiles lists every file that a table's metadata refers to, that file included.
func (l *Lakehouse) allFiles(ctx context.Context, m *metadata) ([]string, error) {
	seen := map[string]bool{m.location: true}
	for p := range m.PreviousFiles() {
		seen[p.MetadataFile] = true
	}
	for s := range m.Statistics() {
		seen[s.StatisticsPath] = true
	}
	for s := range m.PartitionStatistics() {
		seen[s.StatisticsPath] = true
	}
	for _, s := range m.Snapshots() {
		list, err := l.cache.fileList(ctx, m, &s)
		if err != nil {
			return nil, err
		}
		seen[s.ManifestList] = true
		for _, mf := range list.manifests {
			seen[mf.FilePath()] = true
			entries, err := l.cache.manifest(mf)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				seen[e.DataFile().FilePath()] = true
			}
		}
	}
	files := make([]string, 0, len(seen))
	for f := range seen {
		files = append(files, f)
	}
	return files, nil
}
