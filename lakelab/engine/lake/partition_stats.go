package lake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// ComputePartitionStats writes what a snapshot (nil: the current one) has in each partition to a Parquet file, and registers it with the table
// (Iceberg's procedure compute_partition_stats; "Partition statistics" of its specification). It returns the file, which may have been there;
// empty without a snapshot.
func (l *Lakehouse) ComputePartitionStats(ctx context.Context, t *Table, snapshot *int64, db DB) (string, error) {
	s, err := t.snapshotOr(snapshot)
	if s == nil {
		return "", err
	}
	c := newFileColumns(t)
	if len(c.partition) == 0 {
		return "", errclass.IllegalArgument("Table must be partitioned")
	}
	if file := t.meta.partitionStats(s.SnapshotID); file != "" {
		return file, nil
	}
	query, err := c.partitionStatsSQL(s)
	if err != nil || query == "" {
		return "", err
	}
	stats := table.PartitionStatisticsFile{SnapshotID: s.SnapshotID,
		StatisticsPath: join(t.meta.Location(), "metadata", fmt.Sprintf("partition-stats-%d-%s.parquet", s.SnapshotID, uuid.New()))}
	path := localPath(stats.StatisticsPath)
	written := func() error {
		if err := db.Exec(ctx, fmt.Sprintf("COPY (%s) TO %s (FORMAT parquet, COMPRESSION zstd, FIELD_IDS {%s})", query, text(path), c.partitionStatsIDs())); err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		stats.FileSizeInBytes = info.Size()
		if err := upload(ctx, path); err != nil {
			return err
		}
		if err := flushAll(path); err != nil {
			return err
		}
		return l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
			if a.base.SnapshotByID(s.SnapshotID) == nil {
				return errclass.Validation("Snapshot not found: %d", s.SnapshotID)
			}
			return b.SetPartitionStatistics(stats)
		})
	}
	if err := written(); err != nil {
		if !errors.Is(err, errUnknownOutcome) {
			removeAll([]string{path})
		}
		return "", err
	}
	return stats.StatisticsPath, nil
}

// partitionStats is the file with a snapshot's partition statistics; empty if it has none.
func (m *metadata) partitionStats(snapshot int64) string {
	for s := range m.PartitionStatistics() {
		if s.SnapshotID == snapshot {
			return s.StatisticsPath
		}
	}
	return ""
}

// statsField is a column of a file with partition statistics, behind the partition, which has the id 1.
type statsField struct {
	name, kind string
	id         int
	value      func(n *partitionCount) any
}

// statsFields are the columns; vectors are counted from format v3 on.
func (c *fileColumns) statsFields() []statsField {
	fields := []statsField{
		{"spec_id", "INTEGER", 2, func(n *partitionCount) any { return n.spec }},
		{"data_record_count", "BIGINT", 3, func(n *partitionCount) any { return n.records }},
		{"data_file_count", "INTEGER", 4, func(n *partitionCount) any { return n.files }},
		{"total_data_file_size_in_bytes", "BIGINT", 5, func(n *partitionCount) any { return n.size }},
		{"position_delete_record_count", "BIGINT", 6, func(n *partitionCount) any { return n.positions }},
		{"position_delete_file_count", "INTEGER", 7, func(n *partitionCount) any { return n.positionFiles }},
		{"equality_delete_record_count", "BIGINT", 8, func(n *partitionCount) any { return n.equalities }},
		{"equality_delete_file_count", "INTEGER", 9, func(n *partitionCount) any { return n.equalityFiles }},
		{"total_record_count", "BIGINT", 10, func(*partitionCount) any { return "NULL" }}, // nobody has counted the rows
		{"last_updated_at", "BIGINT", 11, func(n *partitionCount) any {
			if n.updated == nil {
				return "NULL"
			}
			return n.updated.TimestampMs
		}},
		{"last_updated_snapshot_id", "BIGINT", 12, func(n *partitionCount) any {
			if n.updated == nil {
				return "NULL"
			}
			return n.updated.SnapshotID
		}},
	}
	if c.t.meta.Version() >= lineageVersion {
		fields = append(fields, statsField{"dv_count", "INTEGER", 13, func(n *partitionCount) any { return n.vectors }})
	}
	return fields
}

// partitionStatsIDs are the field ids of a file with partition statistics.
func (c *fileColumns) partitionStatsIDs() string {
	ids := []string{"partition: " + fieldIDs(1, c.partitionStruct())}
	for _, f := range c.statsFields() {
		ids = append(ids, fmt.Sprintf("%s: %d", f.name, f.id))
	}
	return strings.Join(ids, ", ")
}

// partitionStatsSQL is the query of a snapshot's partition statistics, in the partitions' order; empty if it has no files.
func (c *fileColumns) partitionStatsSQL(s *table.Snapshot) (string, error) {
	manifests, err := c.t.lake.cache.manifests(s)
	if err != nil {
		return "", err
	}
	counts, err := c.countPartitions(manifests, true)
	if err != nil || len(counts) == 0 {
		return "", err
	}
	if err := c.touchDeleted(s, counts); err != nil {
		return "", err
	}
	fields, rows := c.statsFields(), make([]string, len(counts))
	for i, n := range counts {
		partition, err := c.partitionLiteral(n.key.Partition())
		if err != nil {
			return "", err
		}
		items := []string{partition}
		for _, f := range fields {
			items = append(items, fmt.Sprintf("CAST(%v AS %s)", f.value(n), f.kind))
		}
		rows[i] = "(" + strings.Join(items, ", ") + ")"
	}
	names := []string{"partition"}
	for _, f := range fields {
		names = append(names, f.name)
	}
	order := make([]string, len(c.partition))
	for i, p := range c.partition {
		order[i] = "partition." + quote(p.Name) + " NULLS FIRST"
	}
	return "SELECT * FROM (VALUES " + strings.Join(rows, ", ") + ") AS v(" + strings.Join(names, ", ") + ") ORDER BY " + strings.Join(order, ", ") + ", spec_id", nil
}

// touchDeleted notes which snapshots took files out of partitions: a snapshot and, as Java does, those before it back to one that has statistics.
func (c *fileColumns) touchDeleted(s *table.Snapshot, counts []*partitionCount) error {
	of := map[string]*partitionCount{}
	for _, n := range counts {
		of[c.partitionKey(n.key, true)] = n
	}
	meta, last := c.t.meta, s
	for at := s; at != nil; at = meta.parent(at) {
		if meta.partitionStats(at.SnapshotID) != "" {
			last = at
			break
		}
	}
	for at := s; at != nil; at = meta.parent(at) {
		manifests, err := c.t.lake.cache.manifests(at)
		if err != nil {
			return err
		}
		for _, m := range manifests {
			if m.SnapshotID() != at.SnapshotID {
				continue
			}
			entries, err := c.t.lake.cache.manifest(m)
			if err != nil {
				return err
			}
			for _, e := range entries {
				if e.Status() != iceberg.EntryStatusDELETED {
					continue
				}
				if n := of[c.partitionKey(e.DataFile(), true)]; n != nil {
					n.touch(at)
				}
			}
		}
		if at.SnapshotID == last.SnapshotID {
			break
		}
	}
	return nil
}
