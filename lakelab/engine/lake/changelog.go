package lake

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// Changes says which changes of a table a changelog shows.
type Changes struct {
	// Start is the snapshot after which they begin, nil: with the first one; End is the last one, nil: the current one.
	Start, End *int64
	// None shows no changes: there was no snapshot in the time asked for.
	None bool
	// Copied shows the rows, too, that a snapshot only copied to another file: as deleted and as inserted.
	Copied bool
	// Net leaves out rows that come and go between the two, and shows the rest without what happened to it in between.
	Net bool
	// Identifier are columns by which a deleted and an inserted row of one snapshot are taken for an update; none: there are no updates.
	Identifier []string
}

// ChangelogType is the type of a changelog's rows: the table's, with what happened to them, in which snapshot of the changelog, and its id.
func (t *Table) ChangelogType() types.Type {
	return types.StructOf(append(slices.Clone(t.schema.Fields), types.Field{Name: changeType, Type: types.Of(types.String), Comment: "Record type in changelog"},
		types.Field{Name: changeOrdinal, Type: types.Of(types.Int), Nullable: true, Comment: "Change ordinal in changelog"},
		types.Field{Name: commitSnapshot, Type: types.Of(types.Long), Nullable: true, Comment: "Commit snapshot ID"})...)
}

// The columns that a changelog adds.
const (
	changeType     = "_change_type"
	changeOrdinal  = "_change_ordinal"
	commitSnapshot = "_commit_snapshot_id"
)

// Changelog is the DuckDB query that reads the changes of a table, snapshot by snapshot: rows of ChangelogType (Iceberg's t.changes and
// create_changelog_view).
func (t *Table) Changelog(ctx context.Context, what Changes) (query string, err error) {
	var snapshots []table.Snapshot
	if !what.None {
		if _, snapshots, err = t.between(what.Start, what.End); err != nil {
			return "", err
		}
	}
	var parts []string
	for _, s := range snapshots {
		if s.Summary != nil && s.Summary.Operation == table.OpReplace {
			continue // the same rows in other files
		}
		q, err := t.changesOf(ctx, s, len(parts), what.Net || what.Copied, t.meta.CurrentSchema())
		if err != nil {
			return "", err
		}
		parts = append(parts, q)
	}
	if len(parts) == 0 {
		added := []iceberg.NestedField{{Name: changeType, Type: iceberg.PrimitiveTypes.String}, {Name: changeOrdinal, Type: iceberg.PrimitiveTypes.Int32}, {Name: commitSnapshot, Type: iceberg.PrimitiveTypes.Int64}}
		return emptyRelation(slices.Concat(t.meta.CurrentSchema().Fields(), added))
	}
	query = strings.Join(parts, " UNION ALL ")
	columns, ids := make([]string, len(t.schema.Fields)), make([]string, len(what.Identifier))
	for i, f := range t.schema.Fields {
		columns[i] = quote(f.Name)
	}
	if what.Net {
		return netChanges(query, strings.Join(columns, ", ")), nil
	}
	if len(what.Identifier) == 0 {
		return query, nil
	}
	for i, name := range what.Identifier {
		f, err := findColumn(t.meta.CurrentSchema(), []string{name})
		if err != nil {
			return "", err
		}
		ids[i] = quote(f.Name)
	}
	other := func(kind string) string {
		return fmt.Sprintf("count(*) FILTER (WHERE _change_type = '%s') OVER (PARTITION BY _change_ordinal, %s) > 0", kind, strings.Join(ids, ", "))
	}
	return fmt.Sprintf("SELECT %s, CASE WHEN _change_type = 'DELETE' AND %s THEN 'UPDATE_BEFORE' WHEN _change_type = 'INSERT' AND %s THEN 'UPDATE_AFTER' ELSE _change_type END AS _change_type, _change_ordinal, _commit_snapshot_id FROM (%s)",
		strings.Join(columns, ", "), other("INSERT"), other("DELETE"), query), nil
}

// netChanges is what a changelog, copied rows among it, comes to. As in Java equal rows are followed in the order of the changes: an INSERT and a DELETE cancel each
// other, and what is left over looks like the first row behind the last moment at which nothing was left.
func netChanges(query, columns string) string {
	sign := "CASE _change_type WHEN 'INSERT' THEN 1 ELSE -1 END"
	all := "PARTITION BY " + columns
	order := all + " ORDER BY _change_ordinal, _change_type, __lake_n"
	return fmt.Sprintf(`SELECT %[1]s, _change_type, _change_ordinal, _commit_snapshot_id FROM (
		SELECT *, max(CASE WHEN __lake_left = 0 THEN __lake_row ELSE 0 END) OVER (%[4]s) AS __lake_even, sum(%[2]s) OVER (%[4]s) AS __lake_net FROM (
			SELECT *, sum(%[2]s) OVER (%[3]s ROWS UNBOUNDED PRECEDING) AS __lake_left, row_number() OVER (%[3]s) AS __lake_row FROM (
				SELECT *, row_number() OVER () AS __lake_n FROM (%[5]s))))
		, unnest(range(abs(__lake_net)::BIGINT)) WHERE __lake_row = __lake_even + 1`, columns, sign, order, all, query)
}

// changesOf is a query of the rows that one snapshot added and deleted; those that it only copied are among them if copied
// says so. schema says which columns they have.
func (t *Table) changesOf(ctx context.Context, s table.Snapshot, ordinal int, copied bool, schema *iceberg.Schema) (string, error) {
	list, err := t.lake.cache.fileList(ctx, t.meta, &s)
	if err != nil {
		return "", err
	}
	var added, deleted []iceberg.DataFile
	for _, m := range list.manifests {
		if m.ManifestContent() == iceberg.ManifestContentDeletes { // earlier ones, too: rows of a file that goes may have gone before
			return "", errclass.UnsupportedOperation("Delete files are currently not supported in changelog scans")
		}
		if m.SnapshotID() != s.SnapshotID {
			continue
		}
		entries, err := t.lake.cache.manifest(m)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			switch {
			case e.SnapshotID() != s.SnapshotID:
			case e.Status() == iceberg.EntryStatusADDED:
				added = append(added, e.DataFile())
			case e.Status() == iceberg.EntryStatusDELETED:
				deleted = append(deleted, e.DataFile())
			}
		}
	}
	if err := fetch(ctx, added, deleted); err != nil {
		return "", err
	}
	came, err := t.scanFiles(schema, schema.Fields(), added, nil)
	if err != nil {
		return "", err
	}
	went, err := t.scanFiles(schema, schema.Fields(), deleted, nil)
	if err != nil {
		return "", err
	}
	side := func(kind, these, those string) string {
		if !copied {
			these = fmt.Sprintf("(%s) EXCEPT ALL (%s)", these, those)
		}
		return fmt.Sprintf("SELECT *, '%s' AS %s, %d AS %s, %d::BIGINT AS %s FROM (%s)", kind, changeType, ordinal, changeOrdinal, s.SnapshotID, commitSnapshot, these)
	}
	return side("DELETE", went, came) + " UNION ALL " + side("INSERT", came, went), nil
}

// ChangesFrom is the snapshot behind which the changes since a time begin, by the snapshots that main's current one grew from; nil if they begin
// with the first one. It reports false if there are none since.
func (t *Table) ChangesFrom(ms int64) (start *int64, some bool, err error) {
	var oldest *table.Snapshot
	for s := t.meta.CurrentSnapshot(); s != nil && s.TimestampMs >= ms; s = t.meta.parent(s) {
		oldest = s
	}
	switch {
	case oldest == nil:
		return nil, false, nil
	case oldest.TimestampMs == ms:
		return &oldest.SnapshotID, true, nil
	case oldest.ParentSnapshotID != nil && t.meta.parent(oldest) == nil:
		return nil, false, errclass.NoOlderSnapshot(instant(ms))
	}
	return oldest.ParentSnapshotID, true, nil
}

// ChangesUpTo is the snapshot that was current at a time; nil if there was none.
func (t *Table) ChangesUpTo(ms int64) (end *int64) {
	for e := range t.meta.SnapshotLogs() {
		if e.TimestampMs <= ms {
			end = &e.SnapshotID
		}
	}
	return end
}

// IdentifierColumns are the names of the table's identifier fields.
func (t *Table) IdentifierColumns() []string {
	s := t.meta.CurrentSchema()
	var out []string
	for _, id := range s.IdentifierFieldIDs {
		out = append(out, columnName(s, id))
	}
	return out
}
