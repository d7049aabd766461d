package lake

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/apache/iceberg-go"
)

// Equality deletes, which streaming writers such as Flink make: a delete file holds values of some columns, and deletes the rows that have
// the same ones (NULL equals NULL) in all data files of its partition that are older than it; under a spec without partition fields, in
// all older data files of the table (Iceberg's spec, "Scan Planning").

// equality is the equality delete files of a scan that compare the same columns and reach equally far.
type equality struct {
	ids    []int
	global bool // they reach all partitions
	files  []iceberg.DataFile
}

// equalities puts equality delete files together that one anti-join applies.
func (t *Table) equalities(d *deletions) []equality {
	byKey := map[string]*equality{}
	var keys []string
	for _, f := range d.equality {
		spec := t.meta.PartitionSpecByID(int(f.SpecID()))
		e := equality{ids: slices.Clone(f.EqualityFieldIDs()), global: spec == nil || spec.IsUnpartitioned()}
		sort.Ints(e.ids)
		key := fmt.Sprint(e.ids, e.global)
		if byKey[key] == nil {
			byKey[key] = &e
			keys = append(keys, key)
		}
		byKey[key].files = append(byKey[key].files, f)
	}
	out := make([]equality, len(keys))
	for i, k := range keys {
		out[i] = *byKey[k]
	}
	return out
}

// reaching are the delete files that concern one of the data files.
func (e equality) reaching(data []iceberg.DataFile, sequence map[string]int64) equality {
	oldest := map[string]int64{} // the oldest data file's sequence number, by partition
	for _, f := range data {
		key := ""
		if !e.global {
			key = partitionKey(f)
		}
		if s, ok := oldest[key]; !ok || sequence[f.FilePath()] < s {
			oldest[key] = sequence[f.FilePath()]
		}
	}
	e.files = slices.DeleteFunc(slices.Clone(e.files), func(f iceberg.DataFile) bool {
		key := ""
		if !e.global {
			key = partitionKey(f)
		}
		s, ok := oldest[key]
		return !ok || s >= sequence[f.FilePath()]
	})
	return e
}

// ages is a relation of files' paths, sequence numbers and partitions.
func ages(files []iceberg.DataFile, sequence map[string]int64, global bool) string {
	var rows []string
	seen := map[string]bool{}
	for _, f := range files {
		key := ""
		if !global {
			key = partitionKey(f)
		}
		if !seen[f.FilePath()] {
			seen[f.FilePath()] = true
			rows = append(rows, fmt.Sprintf("(%s, %d::BIGINT, %s)", text(localPath(f.FilePath())), sequence[f.FilePath()], text(key)))
		}
	}
	return "(VALUES " + strings.Join(rows, ", ") + ")"
}

// keyColumn finds an equality delete's column: the column of the table that it is, or is in, and the names of the fields down to it. A
// column that has been dropped since is found in an older schema.
func (m *metadata) keyColumn(s *iceberg.Schema, id int) (column iceberg.NestedField, path []string, err error) {
	for _, s := range m.newestFirst(s) {
		for _, f := range s.Fields() {
			if path, ok := fieldPath(f, id); ok {
				return f, path, nil
			}
		}
	}
	return column, nil, fmt.Errorf("an equality delete compares the field %d, which no schema of the table has", id)
}

// fieldPath are the names from a field down to the one with an id.
func fieldPath(f iceberg.NestedField, id int) ([]string, bool) {
	if f.ID == id {
		return nil, true
	}
	if s, ok := f.Type.(*iceberg.StructType); ok {
		for _, inner := range s.FieldList {
			if p, ok := fieldPath(inner, id); ok {
				return append([]string{inner.Name}, p...), true
			}
		}
	}
	return nil, false
}

// keySQL is a key's expression, given its column's.
func keySQL(column string, path []string) string {
	for _, p := range path {
		column += "." + quote(p)
	}
	return column
}

// withoutEqual is what FROM reads without the rows that equality deletes delete. keys gives the expressions of the rows' columns by field
// id; n numbers the anti-joins of a scan.
func (t *Table) withoutEqual(from string, n int, e equality, g fileGroup, schema *iceberg.Schema, keys map[int]string, d *deletions) (string, error) {
	deleted, err := t.equalitySQL(e, schema, d)
	if err != nil {
		return "", err
	}
	on := []string{fmt.Sprintf("a%d.sequence < e%d.sequence", n, n), fmt.Sprintf("a%d.partition = e%d.partition", n, n)}
	for i, id := range e.ids {
		on = append(on, fmt.Sprintf("%s IS NOT DISTINCT FROM e%d.k%d", keys[id], n, i))
	}
	return fmt.Sprintf("%s JOIN %s AS a%d(path, sequence, partition) ON t.%s = a%d.path ANTI JOIN (%s) AS e%d ON %s",
		from, ages(g.files, d.sequence, e.global), n, quote(fileColumn), n, deleted, n, strings.Join(on, " AND ")), nil
}

// equalitySQL is a query of the rows of equality delete files: k0, k1 … in the order of the ids, sequence and partition.
func (t *Table) equalitySQL(e equality, schema *iceberg.Schema, d *deletions) (string, error) {
	fields, paths := []iceberg.NestedField(nil), make([][]string, len(e.ids))
	columns := make([]int, len(e.ids))
	nested := false
	for i, id := range e.ids {
		f, path, err := t.meta.keyColumn(schema, id)
		if err != nil {
			return "", err
		}
		at := slices.IndexFunc(fields, func(o iceberg.NestedField) bool { return o.ID == f.ID })
		if at < 0 {
			at = len(fields)
			fields = append(fields, f)
		}
		columns[i], paths[i] = at, path
		nested = nested || len(path) > 0
	}
	var groups []fileGroup
	for _, f := range e.files {
		var l *layout
		if nested { // such a file holds only a part of the struct
			var err error
			if l, err = t.lake.cache.layout(f.FilePath(), nil); err != nil {
				return "", err
			}
		}
		if n := len(groups); n == 0 || l != nil && groups[n-1].layout.key != l.key {
			groups = append(groups, fileGroup{layout: l, meta: t.meta})
		}
		g := &groups[len(groups)-1]
		g.files = append(g.files, f)
	}
	parts := make([]string, len(groups))
	for i, g := range groups {
		entries, values := make([]string, len(fields)), make([]string, len(fields))
		for j, f := range fields {
			var err error
			if values[j], entries[j], err = g.read(f, fmt.Sprintf("c%d", j)); err != nil {
				return "", err
			}
		}
		items := make([]string, len(e.ids))
		for j := range e.ids {
			items[j] = fmt.Sprintf("%s AS k%d", keySQL(values[columns[j]], paths[j]), j)
		}
		parts[i] = fmt.Sprintf("SELECT %s, a.sequence, a.partition FROM %s JOIN %s AS a(path, sequence, partition) ON t.%s = a.path",
			strings.Join(items, ", "), g.reader(entries, ", filename = "+text(fileColumn)), ages(g.files, d.sequence, e.global), quote(fileColumn))
	}
	return strings.Join(parts, " UNION ALL "), nil
}

// newestFirst are a schema and then all that the table has had, the newest first.
func (m *metadata) newestFirst(s *iceberg.Schema) []*iceberg.Schema {
	all := slices.Clone(m.Schemas())
	slices.Reverse(all)
	return append([]*iceberg.Schema{s}, all...)
}
