package hive

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// partitionList is a table's partitions as they were after a number of changes.
type partitionList struct {
	changes int64
	parts   []metastore.Partition
}

// keptPartitions is how many partitions of all tables are kept at most.
const keptPartitions = 300_000

// Partitions lists all partitions of a table; the caller must not change the list.
func (w *Warehouse) Partitions(ctx context.Context, t *Table) ([]metastore.Partition, error) {
	if len(t.Keys) == 0 {
		return nil, nil
	}
	changes, err := w.Store.PartitionChanges(ctx, t.Table)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	kept, ok := w.parts[t.ID]
	w.mu.Unlock()
	if ok && kept.changes == changes {
		return kept.parts, nil
	}
	parts, err := w.Store.Partitions(ctx, t.Table, nil)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := len(parts)
	for _, p := range w.parts {
		sum += len(p.parts)
	}
	if sum > keptPartitions {
		clear(w.parts)
	}
	w.parts[t.ID] = partitionList{changes, parts}
	return parts, nil
}
