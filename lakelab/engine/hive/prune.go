package hive

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// Partitions lists the partitions that a scan reads: those that spec selects and keep (nil: all) does not rule out.
func (w *Warehouse) Partitions(ctx context.Context, t *Table, spec metastore.Spec, keep func(values []string) bool) ([]metastore.Partition, error) {
	if len(t.Keys) == 0 {
		return nil, nil
	}
	parts, err := w.Store.Partitions(ctx, t.Table, spec)
	if err != nil || keep == nil {
		return parts, err
	}
	out := parts[:0]
	for _, p := range parts {
		if keep(p.Values) {
			out = append(out, p)
		}
	}
	return out, nil
}
