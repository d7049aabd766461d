package lake

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// ScanSQL is a DuckDB query that reads columns of a table, in the order given, under the names of the schema at that snapshot; nil
// columns are all, none gives one constant column so that rows can be counted. A nil snapshot means the current one.
//
// Columns are found by field id: one that was added later reads NULL, one that was renamed, dropped and added again, or widened reads
// right. Files come in the order of the manifests, newest first, so LIMIT without ORDER BY is stable. Files whose statistics rule out
// the condition where (nil: none) are left out; the rows of the others are not filtered.
func (t *Table) ScanSQL(ctx context.Context, at *Snapshot, columns []string, where *Condition) (string, error) {
	snapshot, schema := t.head(), t.meta.CurrentSchema()
	if at != nil {
		snapshot, schema = t.meta.SnapshotByID(at.ID), t.schemaAt(at)
	}
	fields, err := t.project(schema, columns)
	if err != nil {
		return "", err
	}
	if snapshot == nil {
		return emptyRelation(fields)
	}
	list, err := t.lake.cache.fileList(ctx, t.meta, snapshot)
	if err != nil {
		return "", err
	}
	if err := list.checkReadable(); err != nil {
		return "", err
	}
	data := list.matching(schema, t.meta, where)
	if err := fetch(ctx, data, list.deletes); err != nil {
		return "", err
	}
	return t.scanFiles(schema, fields, data, list.deletes)
}

// scanFiles reads fields of data files, without the rows that delete files delete.
func (t *Table) scanFiles(schema *iceberg.Schema, fields []iceberg.NestedField, data, deletes []iceberg.DataFile) (string, error) {
	if len(data) == 0 {
		return emptyRelation(fields)
	}
	groups, err := t.lake.cache.group(t.meta, schema, fields, data)
	if err != nil {
		return "", err
	}
	parts := make([]string, len(groups))
	for i, g := range groups {
		if parts[i], err = g.sql(t, schema, fields, deletes); err != nil {
			return "", err
		}
	}
	return strings.Join(parts, " UNION ALL "), nil
}

// project finds the fields of columns in a schema; a name that no column has may be a hidden column's.
func (t *Table) project(schema *iceberg.Schema, columns []string) ([]iceberg.NestedField, error) {
	all := schema.Fields()
	if columns == nil {
		return all, nil
	}
	all = append(append(all, t.hidden()...), trinoHidden...)
	out := make([]iceberg.NestedField, len(columns))
	for i, c := range columns {
		n := slices.IndexFunc(all, func(f iceberg.NestedField) bool { return f.Name == c })
		if n < 0 {
			return nil, fmt.Errorf("the table has no column %q", c)
		}
		out[i] = all[n]
	}
	return out, nil
}

// noColumn is what a scan without columns yields.
const noColumn = `1 AS "1"`

func emptyRelation(fields []iceberg.NestedField) (string, error) {
	items := make([]string, len(fields))
	for i, f := range fields {
		d, err := duckType(f.Type)
		if err != nil {
			return "", err
		}
		items[i] = "CAST(NULL AS " + d + ") AS " + quote(f.Name)
	}
	if len(items) == 0 {
		items = []string{noColumn}
	}
	return "SELECT " + strings.Join(items, ", ") + " WHERE false", nil
}

// fileGroup is a run of files whose nested fields have the same names, so that one read_parquet reads them.
type fileGroup struct {
	files  []iceberg.DataFile
	layout *layout // nil: the schema's own names
}

// sql reads a group's files.
func (g fileGroup) sql(t *Table, schema *iceberg.Schema, fields []iceberg.NestedField, deletes []iceberg.DataFile) (string, error) {
	var items, columns, paths []string
	positions, described := len(deletes) > 0, false
	for _, f := range fields {
		if x := hiddenSQL(f.ID); x != "" {
			items = append(items, x+" AS "+quote(f.Name))
			positions, described = true, described || f.ID < 0 || f.ID == specColumn || f.ID == partitionColumns
			continue
		}
		item, column, err := g.column(f)
		if err != nil {
			return "", err
		}
		items, columns = append(items, item), append(columns, column)
	}
	if len(items) == 0 {
		items = []string{noColumn}
	}
	if len(columns) == 0 && schema.NumFields() > 0 { // read_parquet wants a column; counting reads none of it
		_, column, err := g.column(schema.Field(0))
		if err != nil {
			return "", err
		}
		columns = []string{column}
	}
	for _, f := range g.files {
		paths = append(paths, localPath(f.FilePath()))
	}
	options := ""
	if positions {
		options = ", filename = " + text(fileColumn) + ", file_row_number = true"
	}
	if len(columns) > 0 { // a table may have lost its last column; its rows are still there
		options = ", schema = MAP {" + strings.Join(columns, ", ") + "}" + options
	}
	from := fmt.Sprintf("read_parquet([%s], hive_partitioning = false%s) AS t", texts(paths), options)
	if len(deletes) > 0 {
		from = withoutDeleted(from, deletes)
	}
	if described {
		d, err := t.describeFiles(g.files)
		if err != nil {
			return "", err
		}
		from += " JOIN (" + d + ") AS f ON t." + quote(fileColumn) + " = f.path"
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM " + from, nil
}

// column is how a field is selected, and its entry in read_parquet's schema.
func (g fileGroup) column(f iceberg.NestedField) (item, column string, err error) {
	inFile, item := f.Type, "t."+quote(f.Name)
	if g.layout != nil {
		if t := g.layout.rename(f.ID, f.Type); t != nil {
			inFile = t
			item = remap(item, t, f.Type, 0) + " AS " + quote(f.Name)
		}
	}
	d, err := duckType(inFile)
	return item, fmt.Sprintf("%d: {name: %s, type: %s, default_value: NULL}", f.ID, text(f.Name), text(d)), err
}

// fileList is what a snapshot consists of, in the order of its manifests.
type fileList struct {
	data      []iceberg.DataFile
	deletes   []iceberg.DataFile
	manifests []iceberg.ManifestFile
}

// matching are the data files that may hold rows for which a condition is true.
func (f *fileList) matching(schema *iceberg.Schema, m *metadata, where *Condition) []iceberg.DataFile {
	if where == nil {
		return f.data
	}
	var out []iceberg.DataFile
	for _, d := range f.data {
		if where.mayHold(schema, m, d) {
			out = append(out, d)
		}
	}
	return out
}

// Planned counts the data files of a snapshot (nil: the current one), and those that a scan under a condition reads.
func (t *Table) Planned(ctx context.Context, at *Snapshot, where *Condition) (considered, read int, err error) {
	snapshot, schema := t.head(), t.meta.CurrentSchema()
	if at != nil {
		snapshot, schema = t.meta.SnapshotByID(at.ID), t.schemaAt(at)
	}
	if snapshot == nil {
		return 0, 0, nil
	}
	list, err := t.lake.cache.fileList(ctx, t.meta, snapshot)
	if err != nil {
		return 0, 0, err
	}
	return len(list.data), len(list.matching(schema, t.meta, where)), nil
}

// fileList reads a snapshot's manifests.
func (c *cache) fileList(ctx context.Context, m *metadata, s *table.Snapshot) (*fileList, error) {
	return kept(c, &c.scans, cacheLimit, s.ManifestList, func() (*fileList, error) {
		manifests, err := c.manifests(s)
		if err != nil {
			return nil, err
		}
		list := &fileList{manifests: manifests}
		for _, mf := range manifests {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := list.read(c, mf); err != nil {
				return nil, err
			}
		}
		return list, nil
	})
}

// manifests reads a snapshot's manifest list.
func (c *cache) manifests(s *table.Snapshot) ([]iceberg.ManifestFile, error) {
	return kept(c, &c.lists, cacheLimit, s.ManifestList, func() ([]iceberg.ManifestFile, error) {
		list, err := s.Manifests(localFS{})
		if err != nil {
			err = fmt.Errorf("read the manifests of snapshot %d: %w", s.SnapshotID, err)
		}
		return list, err
	})
}

// read adds a manifest's live files.
func (f *fileList) read(c *cache, m iceberg.ManifestFile) error {
	entries, err := c.manifest(m)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch {
		case e.Status() == iceberg.EntryStatusDELETED:
		case e.DataFile().ContentType() == iceberg.EntryContentData:
			f.data = append(f.data, e.DataFile())
		default:
			f.deletes = append(f.deletes, e.DataFile())
		}
	}
	return nil
}

// manifest reads a manifest's entries, deleted ones too.
func (c *cache) manifest(m iceberg.ManifestFile) ([]iceberg.ManifestEntry, error) {
	return kept(c, &c.entries, cacheLimit, m.FilePath(), func() ([]iceberg.ManifestEntry, error) { return entriesOf(m) })
}

// entriesOf reads a manifest's entries.
func entriesOf(m iceberg.ManifestFile) ([]iceberg.ManifestEntry, error) {
	var entries []iceberg.ManifestEntry
	for e, err := range m.Entries(localFS{}, false) {
		if err != nil {
			return nil, fmt.Errorf("read the manifest %s: %w", m.FilePath(), err)
		}
		entries = append(entries, e)
	}
	return entries, nil
}
