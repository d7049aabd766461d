package lake

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Drop removes a table from the catalog. Its files stay, as with Spark's DROP TABLE, unless purge is set: then the data and metadata
// files that the table refers to are deleted. ErrNoTable.
func (l *Lakehouse) Drop(ctx context.Context, id Ident, purge bool) error {
	var files []string
	if purge {
		m, err := l.load(ctx, id)
		if err != nil {
			return err
		}
		if m.Properties().Get("gc.enabled", "true") == "false" {
			return errclass.Validation("Cannot purge table: GC is disabled (deleting files may corrupt other tables)")
		}
		if files, err = l.allFiles(ctx, m); err != nil {
			return err
		}
	}
	if err := l.dropRow(ctx, isTable, id, ErrNoTable); err != nil {
		return err
	}
	removeAll(files)
	return nil
}

// allFiles lists every file that a table's metadata refers to, that file included.
func (l *Lakehouse) allFiles(ctx context.Context, m *metadata) ([]string, error) {
	seen := map[string]bool{m.location: true}
	for p := range m.PreviousFiles() {
		seen[p.MetadataFile] = true
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
