package lake

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// TrinoChanges is the changes between two snapshots as Trino's table_changes gives them: the columns that the table had at the second one
// and what happened to each row, and the DuckDB query that reads them. A row that is only copied to another file goes and comes.
func (t *Table) TrinoChanges(ctx context.Context, start, end int64) (types.Type, string, error) {
	for _, id := range []int64{start, end} {
		if t.meta.SnapshotByID(id) == nil {
			return types.Type{}, "", errclass.TrinoTableValue(fmt.Sprintf("Snapshot not found in Iceberg table history: %d", id))
		}
	}
	_, snapshots, err := t.between(&start, &end)
	if err != nil || start == end {
		return types.Type{}, "", errclass.TrinoTableValue(fmt.Sprintf("Starting snapshot (exclusive) %d is not a parent ancestor of end snapshot %d", start, end))
	}
	schema := t.schemaAt(&Snapshot{ID: end})
	fields := append(slices.Clone(structOf(schema.Fields()).Fields), types.Field{Name: "_change_type", Type: types.Of(types.String)}, types.Field{Name: "_change_version_id", Type: types.Of(types.Long)},
		types.Field{Name: "_change_timestamp", Type: types.TemporalOf(types.Timestamp, 3).InZone("UTC")}, types.Field{Name: "_change_ordinal", Type: types.Of(types.Int)})
	columns := make([]string, len(schema.Fields()))
	for i, f := range schema.Fields() {
		columns[i] = quote(f.Name)
	}
	list := strings.Join(columns, ", ")
	var parts []string
	for _, s := range snapshots {
		if s.Summary != nil && s.Summary.Operation == table.OpReplace {
			continue // the same rows in other files
		}
		q, err := t.changesOf(ctx, s, len(parts), true, schema)
		if err != nil {
			var e *errclass.Error
			if errors.As(err, &e) && e.Exception == "UnsupportedOperationException" {
				err = errclass.TrinoNoChanges()
			}
			return types.Type{}, "", err
		}
		parts = append(parts, fmt.Sprintf("SELECT %s, lower(_change_type) AS _change_type, _commit_snapshot_id AS _change_version_id, make_timestamptz(%d) AS _change_timestamp, _change_ordinal FROM (%s)", list, s.TimestampMs*1000, q))
	}
	if len(parts) == 0 {
		empty, err := emptyRelation(schema.Fields())
		return types.StructOf(fields...), "SELECT " + list + ", '', 0::BIGINT, make_timestamptz(0), 0 FROM (" + empty + ")", err
	}
	return types.StructOf(fields...), strings.Join(parts, " UNION ALL "), nil
}
