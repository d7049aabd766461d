package lake

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// metadataTables are the tables behind t.snapshots, t.history … with the schemas that Iceberg's Spark tables have.
var metadataTables = map[string]func(context.Context, *Table) (types.Type, [][]any, error){
	"snapshots":            snapshotsTable,
	"history":              historyTable,
	"refs":                 refsTable,
	"metadata_log_entries": metadataLogTable,
	"files":                filesTable((*Table).current, bothOf),
	"data_files":           filesTable((*Table).current, dataOf),
	"delete_files":         filesTable((*Table).current, deletesOf),
	"all_files":            filesTable((*Table).all, bothOf),
	"all_data_files":       filesTable((*Table).all, dataOf),
	"all_delete_files":     filesTable((*Table).all, deletesOf),
	"entries":              entriesTable((*Table).current),
	"all_entries":          entriesTable((*Table).all),
	"manifests":            manifestsTable,
	"all_manifests":        allManifestsTable,
	"partitions":           partitionsTable,
}

// IsMetadataTable reports whether there are metadata tables of that name, in lower case.
func IsMetadataTable(name string) bool {
	return metadataTables[name] != nil || name == PositionDeletesTable
}

// travels are the metadata tables that can be read as of a snapshot; the others are about all of them.
var travels = map[string]bool{"files": true, "data_files": true, "delete_files": true, "entries": true, "manifests": true, "partitions": true, PositionDeletesTable: true}

// PositionDeletesTable is the metadata table whose rows are in files: PositionDeletes reads it.
const PositionDeletesTable = "position_deletes"

// Travels reports whether a metadata table can be read as of a snapshot.
func Travels(name string) bool { return travels[name] }

// MetadataTable is one of a table's metadata tables as of a snapshot (nil: the current one): its schema and its rows, in the order in which
// Spark reads them.
func (t *Table) MetadataTable(ctx context.Context, name string, at *Snapshot) (types.Type, [][]any, error) {
	read := metadataTables[name]
	if read == nil {
		return types.Type{}, nil, errclass.Unsupported("the metadata table " + name)
	}
	schema, rows, err := read(ctx, t.atSnapshot(at))
	return commented(name, schema), rows, err
}

func required(name string, k types.Kind) types.Field {
	return types.Field{Name: name, Type: types.Of(k)}
}
func optional(name string, k types.Kind) types.Field {
	return types.Field{Name: name, Type: types.Of(k), Nullable: true}
}

// micros turns Iceberg's milliseconds into a timestamp.
func micros(ms int64) types.Micros { return types.Micros(ms * 1000) }

// opt is the value behind a pointer, or nil.
func opt[T any, V any](p *T, value func(T) V) any {
	if p == nil {
		return nil
	}
	return value(*p)
}

func asLong[T int | int32 | int64](n T) int64 { return int64(n) }

func snapshotsTable(_ context.Context, t *Table) (types.Type, [][]any, error) {
	schema := types.StructOf(required("committed_at", types.Timestamp), required("snapshot_id", types.Long), optional("parent_id", types.Long),
		optional("operation", types.String), optional("manifest_list", types.String),
		types.Field{Name: "summary", Type: types.MapOf(types.Of(types.String), types.Of(types.String), false), Nullable: true})
	var rows [][]any
	for _, s := range t.meta.Snapshots() {
		var operation, summary any
		if s.Summary != nil {
			operation, summary = string(s.Summary.Operation), summaryEntries(s.Summary.Properties)
		}
		rows = append(rows, []any{micros(s.TimestampMs), s.SnapshotID, opt(s.ParentSnapshotID, asLong[int64]), operation, s.ManifestList, summary})
	}
	return schema, rows, nil
}

// summaryEntries is a summary in the order in which Spark's own snapshots show it; a metadata file keeps none.
func summaryEntries(p map[string]string) []types.Entry {
	keys := slices.SortedFunc(maps.Keys(p), func(a, b string) int {
		place := func(k string) int {
			if i := slices.Index(summaryOrder, k); i >= 0 {
				return i
			}
			return len(summaryOrder)
		}
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
	})
	out := make([]types.Entry, len(keys))
	for i, k := range keys {
		out[i] = types.Entry{Key: k, Value: p[k]}
	}
	return out
}

func historyTable(_ context.Context, t *Table) (types.Type, [][]any, error) {
	schema := types.StructOf(required("made_current_at", types.Timestamp), required("snapshot_id", types.Long), optional("parent_id", types.Long),
		required("is_current_ancestor", types.Boolean))
	var rows [][]any
	for e := range t.meta.SnapshotLogs() {
		var parent any
		if s := t.meta.SnapshotByID(e.SnapshotID); s != nil {
			parent = opt(s.ParentSnapshotID, asLong[int64])
		}
		rows = append(rows, []any{micros(e.TimestampMs), e.SnapshotID, parent, t.meta.isAncestor(e.SnapshotID)})
	}
	return schema, rows, nil
}

func refsTable(_ context.Context, t *Table) (types.Type, [][]any, error) {
	schema := types.StructOf(required("name", types.String), required("type", types.String), required("snapshot_id", types.Long),
		optional("max_reference_age_in_ms", types.Long), optional("min_snapshots_to_keep", types.Int), optional("max_snapshot_age_in_ms", types.Long))
	refs := maps.Collect(t.meta.Refs())
	var rows [][]any
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		r := refs[name]
		kind := "BRANCH"
		if r.SnapshotRefType == "tag" {
			kind = "TAG"
		}
		rows = append(rows, []any{name, kind, r.SnapshotID, opt(r.MaxRefAgeMs, asLong[int64]), opt(r.MinSnapshotsToKeep, asLong[int]),
			opt(r.MaxSnapshotAgeMs, asLong[int64])})
	}
	return schema, rows, nil
}

func metadataLogTable(_ context.Context, t *Table) (types.Type, [][]any, error) {
	schema := types.StructOf(required("timestamp", types.Timestamp), required("file", types.String), optional("latest_snapshot_id", types.Long),
		optional("latest_schema_id", types.Int), optional("latest_sequence_number", types.Long))
	var rows [][]any
	add := func(ms int64, file string) {
		row := []any{micros(ms), file, nil, nil, nil}
		// What was current then, by the history.
		for e := range t.meta.SnapshotLogs() {
			if s := t.meta.SnapshotByID(e.SnapshotID); e.TimestampMs <= ms && s != nil {
				row[2], row[3], row[4] = s.SnapshotID, opt(s.SchemaID, asLong[int]), s.SequenceNumber
			}
		}
		rows = append(rows, row)
	}
	for e := range t.meta.PreviousFiles() {
		add(e.TimestampMs, e.MetadataFile)
	}
	add(t.meta.LastUpdatedMillis(), t.meta.location)
	return schema, rows, nil
}
