package lake

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Overwriting says what an INSERT OVERWRITE replaces.
type Overwriting struct {
	// Dynamic replaces the partitions that get new rows; in a table without partitions that is the whole table.
	Dynamic bool
	// Where are the rows that are replaced if it is not dynamic; nil: all. They must fill whole files.
	Where *Condition
}

// Overwrite replaces rows of a table by a query's. It returns how many rows it wrote.
func (l *Lakehouse) Overwrite(ctx context.Context, t *Table, what Overwriting, query string, db DB) (int64, error) {
	if err := l.checkWritable(t.meta); err != nil {
		return 0, err
	}
	data, err := writeData(ctx, t.target(), query, db)
	if err != nil {
		return 0, err
	}
	if what.Dynamic && len(data) == 0 {
		return 0, nil // Spark commits nothing then
	}
	c := newChange(data)
	c.on(t)
	c.operation = overwriteOperation
	if what.Dynamic {
		c.operation = func(_, _ tally) table.Operation { return table.OpOverwrite }
		c.summary = map[string]string{"replace-partitions": "true"}
		replaced := tallyOf(data).partitions
		c.remove = func(f iceberg.DataFile) bool { return replaced[partitionKey(f)] }
	} else {
		l.removeWhere(ctx, c, what.Where)
		if what.Where == nil || what.Where.Op != "never" {
			c.operation = overwriteWhereOperation
		}
	}
	return records(data), l.commitChange(ctx, t, c)
}

// overwriteOperation is what Iceberg calls an overwrite by what it did.
func overwriteOperation(added, removed tally) table.Operation {
	switch {
	case added.files() == 0:
		return table.OpDelete
	case removed.files() == 0:
		return table.OpAppend
	}
	return table.OpOverwrite
}

// overwriteWhereOperation is what Iceberg calls an overwrite under a condition, whether or not any rows fulfilled it.
func overwriteWhereOperation(added, _ tally) table.Operation {
	if added.files() == 0 {
		return table.OpDelete
	}
	return table.OpOverwrite
}

// removeWhere makes a change remove the files whose rows all fulfil a condition, and fail if some rows of a file do and some don't.
func (l *Lakehouse) removeWhere(ctx context.Context, c *change, where *Condition) {
	var gone map[string]bool
	c.check = func(a *attempt, parent *table.Snapshot) error {
		gone = map[string]bool{}
		if parent == nil {
			return nil
		}
		list, err := l.cache.fileList(ctx, a.base, parent)
		if err != nil {
			return err
		}
		schema := a.base.CurrentSchema()
		for _, f := range list.data {
			switch {
			case where.holds(schema, a.base, f):
				gone[f.FilePath()] = true
			case where.mayHold(schema, a.base, f):
				return errclass.Validation("Cannot delete file where some, but not all, rows match filter %s: %s", where, f.FilePath())
			}
		}
		for _, d := range list.deletes { // of partitions that go as a whole
			gone[fileKey(d)] = where.holds(schema, a.base, d)
		}
		return nil
	}
	c.remove = func(f iceberg.DataFile) bool { return gone[fileKey(f)] }
}

// DeleteFiles deletes the rows that fulfil a condition (nil: all) by removing whole files. It reports false, and does nothing, if the
// files' statistics don't tell that every file's rows fulfil it all or not at all.
//
// Trino tells how many rows went: counted leaves what has to be counted one by one alone. Rows are -1 where Trino does not know it, which
// is where a condition on whole partitions meets no file; it commits a snapshot then, as Spark always does.
func (l *Lakehouse) DeleteFiles(ctx context.Context, t *Table, where *Condition, counted bool) (rows int64, done bool, err error) {
	if err := l.checkWritable(t.meta); err != nil {
		return 0, false, err
	}
	list, err := l.cache.fileList(ctx, t.meta, t.head())
	if err != nil {
		return 0, false, err
	}
	if !counted && where != nil && !where.Known() {
		return 0, false, nil // to Spark it is one about rows, though there may be no file
	}
	var concerned []iceberg.DataFile
	for _, f := range list.data {
		if !where.mayHold(t.meta.CurrentSchema(), t.meta, f) {
			continue
		}
		if !where.holds(t.meta.CurrentSchema(), t.meta, f) {
			return 0, false, nil
		}
		concerned = append(concerned, f)
	}
	if counted && len(concerned) == 0 && !where.ofPartitions(t.meta) {
		return 0, true, nil
	}
	if counted && slices.ContainsFunc(list.deletes, func(d iceberg.DataFile) bool {
		return !where.holds(t.meta.CurrentSchema(), t.meta, d) && mayDeleteFrom(d, concerned)
	}) {
		return 0, false, nil
	}
	if !counted && where != nil && where.Op == "never" {
		return 0, true, nil
	}
	c := newChange(nil)
	c.on(t)
	c.wap = "" // as in Spark, whole files go at once, under whatever id other writes are staged
	c.operation = func(_, removed tally) table.Operation {
		rows = -1
		if removed.dataFiles > 0 {
			rows = removed.records - removed.positions - removed.equalities
		}
		return table.OpDelete
	}
	l.removeWhere(ctx, c, where)
	err = l.commitChange(ctx, t, c)
	return rows, true, err
}

// mayDeleteFrom reports whether a delete file may be about rows of one of some data files.
func mayDeleteFrom(d iceberg.DataFile, files []iceberg.DataFile) bool {
	path, one := deletesOne(d)
	everywhere := d.ContentType() == iceberg.EntryContentEqDeletes && len(d.Partition()) == 0
	return slices.ContainsFunc(files, func(f iceberg.DataFile) bool {
		if one {
			return f.FilePath() == path
		}
		return everywhere || partitionKey(d) == partitionKey(f)
	})
}

// partitionKey is equal for files of one partition, and for no others: values are quoted, and a field that is NULL is not in it. A partition
// stays the same one when its column's type gets wider.
func partitionKey(f iceberg.DataFile) string {
	values := f.Partition()
	key := strconv.Itoa(int(f.SpecID()))
	for _, id := range slices.Sorted(maps.Keys(values)) {
		if v := values[id]; v != nil {
			key += fmt.Sprintf(" %d=%q", id, fmt.Sprint(widest(v)))
		}
	}
	return key
}

// widest is a partition value in the widest type that its column may be given. Integers are printed the same in all of theirs.
func widest(v any) any {
	switch v := v.(type) {
	case float32:
		return float64(v)
	case iceberg.Decimal:
		return decimal(decimal128.Num(v.Val).BigInt(), v.Scale)
	case iceberg.DecimalLiteral:
		return decimal(decimal128.Num(v.Val).BigInt(), v.Scale)
	}
	return v
}
