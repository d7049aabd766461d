package lake

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// DELETE, UPDATE and MERGE. What they do to single rows comes as a DuckDB query, which is run once; then the files that hold those
// rows are written anew without them (copy-on-write), or delete files name them (merge-on-read; write.delete.mode, write.update.mode and
// write.merge.mode say which). New and changed rows go to new files.

// Actions on a row.
const (
	RowKept = iota // matched, but nothing is done to it
	RowDeleted
	RowUpdated
	RowInserted
)

// RowChanges is a statement that changes single rows.
type RowChanges struct {
	// Command is delete, update or merge.
	Command string
	// Positions writes delete files whatever the table's properties say, as Trino does.
	Positions bool
	// Query yields for each row its file and position (NULL for a new one), the action, then the table's columns as they become.
	Query string
	// Once says that a row of the table may come only once, whatever the action; ByClause, that it may come so for each value of the
	// query's column clause.
	Once, ByClause bool
	// Inserts says that the statement can only insert.
	Inserts bool
	// Where is a condition that all changed rows fulfil; rows that others add meanwhile and that may fulfil it are conflicts. Nil: all rows.
	Where *Condition
}

var changesTables atomic.Int64

// ChangeRows runs the change. It returns how many rows were deleted, updated or inserted.
func (l *Lakehouse) ChangeRows(ctx context.Context, t *Table, ch RowChanges, db DB) (rows int64, err error) {
	if err := l.checkWritable(t.meta); err != nil {
		return 0, err
	}
	name := fmt.Sprintf("lake_changes_%d", changesTables.Add(1))
	if err := db.Exec(ctx, "CREATE TABLE "+name+" AS "+ch.Query); err != nil {
		return 0, err
	}
	defer func() {
		if derr := db.Exec(context.WithoutCancel(ctx), "DROP TABLE "+name); err == nil {
			err = derr
		}
	}()
	if ch.Once {
		row := "file, pos"
		if ch.ByClause {
			row += ", clause"
		}
		_, twice, err := db.Query(ctx, "SELECT 1 FROM "+name+" WHERE file IS NOT NULL GROUP BY "+row+" HAVING count(*) > 1 LIMIT 1")
		if err != nil {
			return 0, err
		}
		if len(twice) > 0 {
			return 0, errclass.MergeCardinality()
		}
	}
	touched, rows, err := changedFiles(ctx, name, db)
	if err != nil {
		return 0, err
	}
	if rows == 0 {
		return 0, l.changeNothing(ctx, t, ch)
	}
	c, err := l.rowChange(ctx, t, ch, name, touched, db)
	if err != nil {
		return 0, err
	}
	return rows, l.commitChange(ctx, t, c)
}

// changeNothing commits the snapshot of a statement that has found no row: Spark makes one all the same, Trino does not.
func (l *Lakehouse) changeNothing(ctx context.Context, t *Table, ch RowChanges) error {
	if ch.Positions {
		return nil
	}
	parent := t.head()
	list, err := l.cache.fileList(ctx, t.meta, parent)
	if err != nil {
		return err
	}
	c := newChange(nil)
	c.on(t)
	c.operation = func(_, _ tally) table.Operation {
		if ch.Inserts {
			return table.OpAppend
		}
		return table.OpOverwrite
	}
	if !ch.Inserts {
		c.check = l.unchanged(ctx, t, ch, parent, list, nil)
	}
	return l.commitChange(ctx, t, c)
}

// changedFiles counts, for each data file, the rows that go, and all changes.
func changedFiles(ctx context.Context, changes string, db DB) (touched map[string]int64, rows int64, err error) {
	_, found, err := db.Query(ctx, fmt.Sprintf("SELECT file, count(DISTINCT pos), count(*) FROM %s WHERE action <> %d GROUP BY file", changes, RowKept))
	if err != nil {
		return nil, 0, err
	}
	touched = map[string]int64{}
	for _, r := range found {
		if file, ok := r[0].(string); ok {
			touched[file] = whole(r[1])
		}
		rows += whole(r[2])
	}
	return touched, rows, nil
}

// rowChange writes the files of the change.
func (l *Lakehouse) rowChange(ctx context.Context, t *Table, ch RowChanges, changes string, touched map[string]int64, db DB) (*change, error) {
	parent, list := t.head(), &fileList{}
	if parent != nil {
		var err error
		if list, err = l.cache.fileList(ctx, t.meta, parent); err != nil {
			return nil, err
		}
	}
	var files []iceberg.DataFile
	found := map[string]bool{} // add_files may have taken in a file twice
	for _, f := range list.data {
		if touched[shownPath(f.FilePath())] > 0 {
			files = append(files, f)
			found[f.FilePath()] = true
		}
	}
	if len(found) != len(touched) {
		return nil, fmt.Errorf("rows of %d files change, but only %d of them are the table's", len(touched), len(found))
	}
	if err := fetch(ctx, files, list.deletes); err != nil {
		return nil, err
	}
	mode := t.meta.Properties().Get("write."+ch.Command+".mode", "copy-on-write")
	if ch.Positions {
		mode = "merge-on-read"
	}
	switch mode {
	case "copy-on-write":
		return l.copyOnWrite(ctx, t, ch, changes, parent, list, files, db)
	case "merge-on-read":
		return l.mergeOnRead(ctx, t, ch, changes, parent, list, files, db)
	}
	return nil, errclass.IllegalArgument("Unknown row-level operation mode: " + mode)
}

// newRows is the query of the rows that come or become. From format v3 on, changed rows keep the row ids that they have in files.
func newRows(t *Table, changes string, files []iceberg.DataFile, list *fileList) (string, error) {
	columns := make([]string, t.meta.CurrentSchema().NumFields())
	for i := range columns {
		columns[i] = valueColumn(i)
	}
	if t.meta.Version() < lineageVersion {
		return fmt.Sprintf("SELECT %s FROM %s WHERE action >= %d", strings.Join(columns, ", "), changes, RowUpdated), nil
	}
	fields, err := t.project(t.meta.CurrentSchema(), []string{FileColumn, PositionColumn, RowIDColumn})
	if err != nil {
		return "", err
	}
	ids, err := t.scanFiles(t.meta.CurrentSchema(), fields, files, &fileList{manifests: list.manifests})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("SELECT %s, r.%s, NULL FROM %s AS c LEFT JOIN (%s) AS r ON c.file = r.%s AND c.pos = r.%s WHERE c.action >= %d", strings.Join(columns, ", "),
		quote(RowIDColumn), changes, ids, quote(FileColumn), quote(PositionColumn), RowUpdated), nil
}

// moved is where rows go that a change of the table moves from file to file.
func (m *metadata) moved() target {
	to := m.target()
	to.lineage = m.Version() >= lineageVersion
	return to
}

// valueColumn is the name of a table's column in RowChanges' query.
func valueColumn(i int) string { return fmt.Sprintf("v%d", i) }

// copyOnWrite writes the rest of the touched files' rows, and the new ones, to new files that replace them.
func (l *Lakehouse) copyOnWrite(ctx context.Context, t *Table, ch RowChanges, changes string, parent *table.Snapshot, list *fileList, files []iceberg.DataFile, db DB) (*change, error) {
	schema := t.meta.CurrentSchema()
	query := ""
	if ch.Command != "delete" {
		var err error
		if query, err = newRows(t, changes, files, list); err != nil {
			return nil, err
		}
	}
	if len(files) > 0 {
		place := []string{FileColumn, PositionColumn}
		if t.meta.Version() >= lineageVersion {
			place = append(place, RowIDColumn, SequenceColumn)
		}
		hidden, err := t.project(schema, place)
		if err != nil {
			return nil, err
		}
		fields := slices.Concat(schema.Fields(), hidden)
		scan, err := t.scanFiles(schema, fields, files, list)
		if err != nil {
			return nil, err
		}
		columns := make([]string, schema.NumFields())
		for i, f := range schema.Fields() {
			columns[i] = "s." + quote(f.Name)
		}
		if t.meta.Version() >= lineageVersion {
			columns = append(columns, "s."+quote(RowIDColumn), "s."+quote(SequenceColumn))
		}
		kept := fmt.Sprintf("SELECT %s FROM (%s) AS s ANTI JOIN (SELECT file, pos FROM %s WHERE action <> %d AND file IS NOT NULL) AS c ON s.%s = c.pos",
			strings.Join(columns, ", "), scan, changes, RowKept, quote(PositionColumn))
		if len(files) > 1 {
			kept += " AND s." + quote(FileColumn) + " = c.file"
		}
		if query != "" {
			kept += " UNION ALL " + query
		}
		query = kept
	}
	var data []iceberg.DataFile
	var err error
	if query != "" {
		if data, err = writeData(ctx, t.meta.moved(), query, db); err != nil {
			return nil, err
		}
	}
	gone := map[string]bool{}
	for _, f := range files {
		gone[f.FilePath()] = true
	}
	c := newChange(data)
	c.on(t)
	c.operation = overwriteOperation
	c.remove = func(f iceberg.DataFile) bool { return gone[f.FilePath()] }
	c.check = l.unchanged(ctx, t, ch, parent, list, gone)
	return c, nil
}

// unchanged refuses to commit if others changed meanwhile what the statement read: the files of the rows that it changes, or rows that
// its condition selects. The latter is what isolation level serializable, the default, adds to snapshot.
func (l *Lakehouse) unchanged(ctx context.Context, t *Table, ch RowChanges, parent *table.Snapshot, list *fileList, touched map[string]bool) func(*attempt, *table.Snapshot) error {
	serializable := !strings.EqualFold(t.meta.Properties().Get("write."+ch.Command+".isolation-level", "serializable"), "snapshot")
	return func(a *attempt, now *table.Snapshot) error {
		if now == nil && parent == nil || now != nil && parent != nil && now.SnapshotID == parent.SnapshotID {
			return nil
		}
		if err := a.base.follows(now, parent); err != nil {
			return err
		}
		current := &fileList{}
		if now != nil {
			var err error
			if current, err = l.cache.fileList(ctx, a.base, now); err != nil {
				return err
			}
		}
		before, there := map[string]bool{}, map[string]bool{}
		for _, f := range slices.Concat(list.data, list.deletes) {
			before[f.FilePath()] = true
		}
		var added []string
		for _, f := range current.data {
			there[f.FilePath()] = true
			if serializable && !before[f.FilePath()] && ch.Where.mayHold(a.base.CurrentSchema(), a.base, f) {
				added = append(added, f.FilePath())
			}
		}
		for path := range touched {
			if !there[path] {
				return errclass.Validation("Missing required files to delete: %s", path)
			}
		}
		if len(added) > 0 {
			var err error
			if added, err = l.conflicting(a.base, ch.Where, parent, now, added); err != nil {
				return err
			}
		}
		if len(added) > 0 {
			sort.Strings(added)
			return errclass.Validation("Found conflicting files that can contain records matching the condition: [%s]", strings.Join(added, ", "))
		}
		deletes := map[string]bool{}
		for _, d := range current.deletes {
			deletes[fileKey(d)] = true
		}
		for _, d := range list.deletes {
			if path, known := deletesOne(d); !deletes[fileKey(d)] && known && touched[path] {
				return errclass.Validation("Cannot commit, found a delete that is gone for replaced data file: %s", d.FilePath())
			}
		}
		for _, d := range current.deletes {
			if before[d.FilePath()] {
				continue
			}
			if path, known := deletesOne(d); !known || touched[path] {
				return errclass.Validation("Cannot commit, found new delete for replaced data file: %s", d.FilePath())
			}
		}
		return nil
	}
}

// follows refuses a state that did not grow from the one that a statement has read (nil: none), though that is still known: others have rolled
// the table back meanwhile, and what the statement did away with is wanted again.
func (m *metadata) follows(now, read *table.Snapshot) error {
	if read == nil || m.SnapshotByID(read.SnapshotID) == nil {
		return nil
	}
	last := "null"
	for s := now; s != nil; s = m.parent(s) {
		if s.SnapshotID == read.SnapshotID {
			return nil
		}
		last = strconv.FormatInt(s.SnapshotID, 10)
	}
	return errclass.Validation("Cannot determine history between starting snapshot %d and the last known ancestor %s", read.SnapshotID, last)
}

// conflicting are the files that snapshots between two added and whose rows may fulfil a condition. Files that a snapshot put in the place of
// others, with the same rows, are none. Where the one is no ancestor of the other, all the files that are new count.
func (l *Lakehouse) conflicting(m *metadata, where *Condition, parent, now *table.Snapshot, news []string) ([]string, error) {
	var out []string
	for s := now; s != nil; s = m.parent(s) {
		if parent != nil && s.SnapshotID == parent.SnapshotID {
			return out, nil
		}
		if s.Summary != nil && s.Summary.Operation != table.OpReplace {
			added, err := l.addedBy(s)
			if err != nil {
				return nil, err
			}
			for _, f := range added {
				if where.mayHold(m.CurrentSchema(), m, f) {
					out = append(out, f.FilePath())
				}
			}
		}
		if s.ParentSnapshotID == nil && parent == nil {
			return out, nil
		}
	}
	return news, nil
}

// deletesOne is the data file that a delete file is about, if it is about one only.
func deletesOne(d iceberg.DataFile) (string, bool) {
	if r := d.ReferencedDataFile(); r != nil {
		return *r, true
	}
	lower, upper := d.LowerBoundValues()[deletePathID], d.UpperBoundValues()[deletePathID]
	if lower != nil && string(lower) == string(upper) {
		return string(lower), true
	}
	return "", false
}
