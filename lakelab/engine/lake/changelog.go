package lake

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// Changes says which changes of a table a changelog shows.
type Changes struct {
	// Start is the snapshot after which they begin, nil: with the first one; End is the last one, nil: the current one.
	Start, End *int64
	// Net leaves out rows that come and go between the two, and shows the rest without what happened to it in between.
	Net bool
	// Identifier are columns by which a deleted and an inserted row of one snapshot are taken for an update; none: there are no updates.
	Identifier []string
}

// Changelog is the changes of a table, snapshot by snapshot: its rows with _change_type, _change_ordinal and _commit_snapshot_id, and the
// DuckDB query that reads them. Rows that a snapshot only copied to another file are left out (Iceberg's create_changelog_view).
func (t *Table) Changelog(ctx context.Context, what Changes) (types.Type, string, error) {
	fields := slices.Clone(t.schema.Fields)
	fields = append(fields, types.Field{Name: "_change_type", Type: types.Of(types.String)}, types.Field{Name: "_change_ordinal", Type: types.Of(types.Int)},
		types.Field{Name: "_commit_snapshot_id", Type: types.Of(types.Long)})
	schema := types.StructOf(fields...)
	snapshots, err := t.between(what.Start, what.End)
	if err != nil {
		return schema, "", err
	}
	var parts []string
	ordinal := 0
	for _, s := range snapshots {
		if s.Summary != nil && s.Summary.Operation == table.OpReplace {
			continue // the same rows in other files
		}
		q, err := t.changesOf(ctx, s, ordinal, what.Net, t.meta.CurrentSchema())
		if err != nil {
			return schema, "", err
		}
		parts = append(parts, q)
		ordinal++
	}
	if len(parts) == 0 {
		empty, err := emptyRelation(t.meta.CurrentSchema().Fields())
		return schema, "SELECT *, '' AS _change_type, 0 AS _change_ordinal, 0::BIGINT AS _commit_snapshot_id FROM (" + empty + ")", err
	}
	query := strings.Join(parts, " UNION ALL ")
	columns, ids := make([]string, len(t.schema.Fields)), make([]string, len(what.Identifier))
	for i, f := range t.schema.Fields {
		columns[i] = quote(f.Name)
	}
	if what.Net {
		return schema, netChanges(query, strings.Join(columns, ", ")), nil
	}
	if len(what.Identifier) == 0 {
		return schema, query, nil
	}
	for i, name := range what.Identifier {
		f, err := findColumn(t.meta.CurrentSchema(), []string{name})
		if err != nil {
			return schema, "", err
		}
		ids[i] = quote(f.Name)
	}
	other := func(kind string) string {
		return fmt.Sprintf("count(*) FILTER (WHERE _change_type = '%s') OVER (PARTITION BY _change_ordinal, %s) > 0", kind, strings.Join(ids, ", "))
	}
	return schema, fmt.Sprintf("SELECT %s, CASE WHEN _change_type = 'DELETE' AND %s THEN 'UPDATE_BEFORE' WHEN _change_type = 'INSERT' AND %s THEN 'UPDATE_AFTER' ELSE _change_type END AS _change_type, _change_ordinal, _commit_snapshot_id FROM (%s)",
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

// between lists the snapshots behind start up to end, oldest first.
func (t *Table) between(start, end *int64) ([]table.Snapshot, error) {
	s := t.head()
	if end != nil {
		if s = t.meta.SnapshotByID(*end); s == nil {
			return nil, errclass.IllegalArgument(fmt.Sprintf("Cannot find the end snapshot: %d", *end))
		}
	}
	var out []table.Snapshot
	found := start == nil
	for ; s != nil; s = t.meta.parent(s) {
		if start != nil && s.SnapshotID == *start {
			found = true
			break
		}
		out = append(out, *s)
	}
	if !found {
		last := int64(0)
		if len(out) > 0 {
			last = out[0].SnapshotID
		}
		return nil, errclass.IllegalArgument(fmt.Sprintf("Starting snapshot (exclusive) %d is not a parent ancestor of end snapshot %d", *start, last))
	}
	slices.Reverse(out)
	return out, nil
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
		return fmt.Sprintf("SELECT *, '%s' AS _change_type, %d AS _change_ordinal, %d::BIGINT AS _commit_snapshot_id FROM (%s)", kind, ordinal, s.SnapshotID, these)
	}
	return side("DELETE", went, came) + " UNION ALL " + side("INSERT", came, went), nil
}

// Before is the newest snapshot of the current state's history that is older than a time; nil if there is none.
func (t *Table) Before(at time.Time) *int64 {
	for s := t.head(); s != nil; s = t.meta.parent(s) {
		if s.TimestampMs < at.UnixMilli() {
			return &s.SnapshotID
		}
	}
	return nil
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
