package lake

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// ScanSQL is a DuckDB query that reads columns of a table, in the order given, under the names of the schema at that snapshot; nil
// columns are all, none gives one constant column so that rows can be counted. A nil snapshot means the current one.
//
// Columns are found by field id: one that was added later reads NULL, one that was renamed, dropped and added again, or widened reads
// right. Files come in the order of the manifests, newest first, so LIMIT without ORDER BY is stable. Files whose statistics rule out
// the condition where (nil: none) are left out; the rows of the others are not filtered.
func (t *Table) ScanSQL(ctx context.Context, at *Snapshot, columns []string, where *Condition) (string, error) {
	schema := t.meta.CurrentSchema()
	if at != nil {
		schema = t.schemaAt(at)
	}
	fields, err := t.project(schema, columns)
	if err != nil {
		return "", err
	}
	list, err := t.filesAt(ctx, at)
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
	return t.scanFiles(schema, fields, data, list)
}

// scanFiles reads fields of data files of a snapshot, without the rows that its delete files delete; a nil snapshot deletes none.
func (t *Table) scanFiles(schema *iceberg.Schema, fields []iceberg.NestedField, data []iceberg.DataFile, list *fileList) (string, error) {
	if len(data) == 0 {
		return emptyRelation(fields)
	}
	deletes, err := t.lake.deletions(list, data)
	if err != nil {
		return "", err
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

// filesAt are the files of a table's state (nil: the current one).
func (t *Table) filesAt(ctx context.Context, at *Snapshot) (*fileList, error) {
	snapshot := t.head()
	switch {
	case at != nil && at.since != nil:
		return t.appended(ctx, at)
	case at != nil:
		snapshot = t.meta.SnapshotByID(at.ID)
	}
	if snapshot == nil {
		return &fileList{}, nil
	}
	return t.lake.cache.fileList(ctx, t.meta, snapshot)
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
	own    *layout // of the only file, if it is read by its own columns; nil if DuckDB is given the schema
	meta   *metadata
}

// reader is read_parquet of a group's files as t, with columns as read gives them and more options, each with a comma before it. Without
// columns it has the files' own: a table may have lost its last column; its rows are still there.
func (g fileGroup) reader(columns []string, options string) string {
	paths, rows := make([]string, len(g.files)), int64(0)
	for i, f := range g.files {
		paths[i] = localPath(f.FilePath())
		rows += f.Count()
	}
	if len(columns) > 0 {
		// With a schema DuckDB does not open a file to plan with its rows, and would order joins as if there were none.
		options = fmt.Sprintf(", explicit_cardinality = %d, schema = MAP {%s}%s", max(1, rows), strings.Join(columns, ", "), options)
	}
	return fmt.Sprintf("read_parquet(%s, hive_partitioning = false%s) AS t", duckpath.List(paths), options)
}

// sql reads a group's files.
func (g fileGroup) sql(t *Table, schema *iceberg.Schema, fields []iceberg.NestedField, deletes *deletions) (string, error) {
	var items, columns []string
	positions, described, lineage := deletes.byPosition(), false, false
	marked := slices.ContainsFunc(fields, func(f iceberg.NestedField) bool { return f.ID == deletedColumn }) // deleted rows are read, too
	deleted := ""
	if positions {
		var err error
		if deleted, err = deletes.positionsSQL(); err != nil {
			return "", err
		}
	}
	if slices.ContainsFunc(fields, func(f iceberg.NestedField) bool { return isLineage(f.ID) }) {
		g.own = nil // the file may have these columns or not
	}
	values := map[int]string{} // the columns' expressions, by field id
	for _, f := range fields {
		if x := hiddenSQL(f.ID); x != "" {
			if f.ID == deletedColumn && deleted != "" {
				x = fmt.Sprintf("EXISTS (FROM (%s) AS d WHERE t.%s = d.path AND t.file_row_number = d.pos)", deleted, quote(fileColumn))
			}
			items = append(items, x+" AS "+quote(f.Name))
			positions, described = true, described || f.ID != fileColumnID && f.ID != positionColumnID && f.ID != deletedColumn
			if isLineage(f.ID) { // rows that were moved to another file bring theirs along
				lineage = true
				columns = append(columns, fmt.Sprintf("%d: {name: %s, type: 'BIGINT', default_value: NULL}", f.ID, text(f.Name)))
			}
			continue
		}
		x, column, err := g.read(f, f.Name)
		if err != nil {
			return "", err
		}
		items, columns = append(items, x+" AS "+quote(f.Name)), append(columns, column)
		values[f.ID] = x
		if g.constant(f.ID) != "" {
			positions, described = true, true
		}
	}
	var equal []equality
	keys := map[int]string{}
	for _, e := range t.equalities(deletes) {
		if e = e.reaching(g.files, deletes.sequence); len(e.files) == 0 {
			continue
		}
		if marked {
			return "", errclass.Unsupported("the column " + DeletedColumn + " of a table with equality deletes")
		}
		equal, positions = append(equal, e), true
		for _, id := range e.ids {
			f, path, err := t.meta.keyColumn(schema, id)
			if err != nil {
				return "", err
			}
			if _, ok := values[f.ID]; !ok {
				x, column, err := g.read(f, fmt.Sprintf("__lake_key_%d", f.ID))
				if err != nil {
					return "", err
				}
				values[f.ID], columns = x, append(columns, column)
			}
			keys[id] = keySQL(values[f.ID], path)
		}
	}
	if len(items) == 0 {
		items = []string{noColumn}
	}
	nameless := func(c string) bool { return c == "" } // of files that are read by name, or of nothing that is in a file
	columns = slices.DeleteFunc(columns, nameless)
	if len(columns) == 0 { // read_parquet wants a column; counting reads none of it
		for _, f := range schema.Fields() {
			if hollow(f.Type) {
				continue
			}
			_, column, err := g.read(f, f.Name)
			if err != nil {
				return "", err
			}
			columns = slices.DeleteFunc([]string{column}, nameless)
			break
		}
	}
	options := ""
	if positions {
		options = ", filename = " + text(fileColumn) + ", file_row_number = true"
	}
	from := g.reader(columns, options)
	if deleted != "" && !marked {
		from += fmt.Sprintf(" ANTI JOIN (%s) AS d ON t.%s = d.path AND t.file_row_number = d.pos", deleted, quote(fileColumn))
	}
	for i, e := range equal {
		var err error
		if from, err = t.withoutEqual(from, i, e, g, schema, keys, deletes); err != nil {
			return "", err
		}
	}
	if described {
		var sequence map[string]int64
		if lineage {
			var err error
			if sequence, err = deletes.sequences(t.lake.cache); err != nil {
				return "", err
			}
		}
		d, err := t.describeFiles(g.files, sequence)
		if err != nil {
			return "", err
		}
		from += " JOIN (" + d + ") AS f ON t." + quote(fileColumn) + " = f.path"
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM " + from, nil
}

// read is the expression of a field's value in a row of the files, read under a name, and its entry in read_parquet's schema.
func (g fileGroup) read(f iceberg.NestedField, name string) (x, column string, err error) {
	if hollow(f.Type) {
		return hollowSQL(f), "", nil
	}
	if g.own != nil {
		x, err = g.readOwn(f)
		return x, "", err
	}
	if g.layout != nil && g.layout.plain {
		return g.readPlain(f), "", nil
	}
	inFile, x := solid(f.Type), "t."+quote(name)
	if g.layout != nil {
		if inFile = g.layout.stored(f); inFile == nil {
			return hollowSQL(f), "", nil
		}
	}
	if !inFile.Equals(f.Type) {
		x = remap(x, inFile, f.Type, 0, nil)
	}
	d, err := duckType(inFile)
	return x, fmt.Sprintf("%d: {name: %s, type: %s, default_value: %s}", f.ID, text(name), text(d), defaultText(f, inFile)), err
}

// readOwn is the expression of a field's value in a row of the only file, which is read by its own columns: given a schema, DuckDB would read
// a single file in one thread, since it doesn't know then how many row groups there are, and plan without the columns' statistics.
func (g fileGroup) readOwn(f iceberg.NestedField) (string, error) {
	d, err := duckType(f.Type)
	if err != nil {
		return "", err
	}
	x := initialDefault(f, f.Type)
	if name, there := g.own.names[f.ID]; there {
		inFile := g.own.stored(f)
		switch {
		case inFile == nil:
			return hollowSQL(f), nil
		case inFile.Equals(f.Type):
			x = "t." + quote(name)
		default:
			x = remap("t."+quote(name), inFile, f.Type, 0, nil)
		}
	}
	return "CAST(" + x + " AS " + d + ")", nil
}

// fileList is what a snapshot consists of, in the order of its manifests.
type fileList struct {
	data      []iceberg.DataFile
	deletes   []iceberg.DataFile
	manifests []iceberg.ManifestFile
	sequence  map[string]int64 // data sequence numbers by path, if there are deletes

	mu      sync.Mutex
	columns map[string][]known // by field id and type
}

// matching are the data files that may hold rows for which a condition is true.
func (f *fileList) matching(schema *iceberg.Schema, m *metadata, where *Condition) []iceberg.DataFile {
	if where == nil {
		return f.data
	}
	var out []iceberg.DataFile
	judge := where.judgment(schema, func(field iceberg.NestedField) func(int) known {
		column := f.column(field, m)
		return func(file int) known { return column[file] }
	})
	for i, d := range f.data {
		if judge(i).yes {
			out = append(out, d)
		}
	}
	return out
}

// column is what is known of a column in each of the data files; further queries of the snapshot use it again.
func (f *fileList) column(field iceberg.NestedField, m *metadata) []known {
	key := fmt.Sprintf("%d %s", field.ID, field.Type)
	f.mu.Lock()
	out, ok := f.columns[key]
	f.mu.Unlock()
	if ok {
		return out
	}
	c := newColumn(field, m)
	out = make([]known, len(f.data))
	inParallel(len(f.data), func(i int) { out[i] = c.known(f.data[i]) })
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.columns == nil {
		f.columns = map[string][]known{}
	}
	f.columns[key] = out
	return out
}

// inParallel does n small things in as many goroutines as there are processors.
func inParallel(n int, do func(i int)) {
	var group sync.WaitGroup
	parts := min(runtime.GOMAXPROCS(0), n)
	for p := range parts {
		group.Go(func() {
			for i := n * p / parts; i < n*(p+1)/parts; i++ {
				do(i)
			}
		})
	}
	group.Wait()
}

// Planned counts the data files of a snapshot (nil: the current one), and those that a scan under a condition reads.
func (t *Table) Planned(ctx context.Context, at *Snapshot, where *Condition) (considered, read int, err error) {
	schema := t.meta.CurrentSchema()
	if at != nil {
		schema = t.schemaAt(at)
	}
	list, err := t.filesAt(ctx, at)
	if err != nil {
		return 0, 0, err
	}
	return len(list.data), len(list.matching(schema, t.meta, where)), nil
}

// fileList reads a snapshot's manifests. What was read of metadata that a commit has superseded meanwhile is not kept: nobody may ask for
// it again. Without a snapshot there are no files.
func (c *cache) fileList(ctx context.Context, m *metadata, s *table.Snapshot) (*fileList, error) {
	if s == nil {
		return &fileList{}, nil
	}
	if list, ok := c.scans.look(s.ManifestList); ok {
		return list, nil
	}
	manifests, err := c.manifests(s)
	if err != nil {
		return nil, err
	}
	_, current := c.files.look(m.key)
	read := c.manifest
	if !current {
		read = c.passing
	}
	list, entries, errs := &fileList{manifests: manifests}, make([][]iceberg.ManifestEntry, len(manifests)), make([]error, len(manifests))
	inParallel(len(manifests), func(i int) {
		if errs[i] = ctx.Err(); errs[i] == nil {
			entries[i], errs[i] = read(manifests[i])
		}
	})
	for i := range manifests {
		if errs[i] != nil {
			return nil, errs[i]
		}
		list.add(entries[i])
	}
	if len(list.deletes) > 0 {
		list.sequence = make(map[string]int64, len(list.data)+len(list.deletes))
		for _, e := range entries {
			addSequences(list.sequence, e)
		}
	}
	if current {
		c.scans.put(s.ManifestList, list)
	} else {
		c.lists.drop(s.ManifestList)
	}
	return list, nil
}

// manifests reads a snapshot's manifest list.
func (c *cache) manifests(s *table.Snapshot) ([]iceberg.ManifestFile, error) {
	return c.lists.get(s.ManifestList, func() ([]iceberg.ManifestFile, error) {
		list, err := guarded(s.ManifestList, func() ([]iceberg.ManifestFile, error) { return s.Manifests(localFS{}) })
		if err != nil {
			err = fmt.Errorf("read the manifests of snapshot %d, %s: %w", s.SnapshotID, s.ManifestList, err)
		}
		return list, err
	})
}

// add adds a manifest's live files.
func (f *fileList) add(entries []iceberg.ManifestEntry) {
	for _, e := range entries {
		switch {
		case e.Status() == iceberg.EntryStatusDELETED:
		case e.DataFile().ContentType() == iceberg.EntryContentData:
			f.data = append(f.data, e.DataFile())
		default:
			f.deletes = append(f.deletes, e.DataFile())
		}
	}
}

// manifest reads a manifest's entries, deleted ones too.
func (c *cache) manifest(m iceberg.ManifestFile) ([]iceberg.ManifestEntry, error) {
	return c.entries.get(manifestKey(m), func() ([]iceberg.ManifestEntry, error) { return entriesOf(m) })
}

// passing is manifest, but what it reads is not kept.
func (c *cache) passing(m iceberg.ManifestFile) ([]iceberg.ManifestEntry, error) {
	if entries, ok := c.entries.look(manifestKey(m)); ok {
		return entries, nil
	}
	return entriesOf(m)
}

// manifestKey is the key under which a manifest's entries are kept.
func manifestKey(m iceberg.ManifestFile) string {
	if r := m.FirstRowID(); r != nil { // a manifest of format v2 gets row ids from the first list of v3 that names it
		return fmt.Sprintf("%s#%d", m.FilePath(), *r)
	}
	return m.FilePath()
}

// entriesOf reads a manifest's entries.
func entriesOf(m iceberg.ManifestFile) ([]iceberg.ManifestEntry, error) {
	return guarded(m.FilePath(), func() ([]iceberg.ManifestEntry, error) {
		var entries []iceberg.ManifestEntry
		for e, err := range m.Entries(localFS{}, false) {
			if err != nil {
				return nil, fmt.Errorf("read the manifest %s: %w", m.FilePath(), err)
			}
			entries = append(entries, e)
		}
		return entries, nil
	})
}
