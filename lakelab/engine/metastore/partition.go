package metastore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// AddPartitions adds partitions to a table. One that is there fails with ErrPartitionExists, or is left as it is.
func (s *Store) AddPartitions(ctx context.Context, table *Table, parts []Partition, ifNotExists bool) error {
	return s.in(ctx, func(t *tx) { t.addPartitions(table, parts, ifNotExists) })
}

// changed counts a change of a table's partitions.
func (t *tx) changed(table int64) { t.ids(partitionChanges(table), 1) }

func partitionChanges(table int64) string { return fmt.Sprint("PARTITIONS of ", table) }

// PartitionChanges counts the changes of a table's partitions: what was listed under the same number is still so.
func (s *Store) PartitionChanges(ctx context.Context, table *Table) (int64, error) {
	n := int64(0)
	err := s.rows(ctx, func(r *sql.Rows) error { return r.Scan(&n) }, `SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = ?`, partitionChanges(table.ID))
	return n, err
}

func (t *tx) addPartitions(table *Table, parts []Partition, ifNotExists bool) {
	seen := map[string]bool{}
	var fresh []Partition
	some, _ := t.one(`SELECT count(*) FROM "PARTITIONS" WHERE "TBL_ID" = ?`, table.ID)
	for _, p := range parts {
		name := table.PartitionName(p.Values)
		there := false
		if some > 0 {
			_, there = t.one(`SELECT "PART_ID" FROM "PARTITIONS" WHERE "TBL_ID" = ? AND "PART_NAME" = ?`, table.ID, name)
		}
		switch {
		case (there || seen[name]) && !ifNotExists:
			t.fail(ErrPartitionExists, name)
			return
		case !there && !seen[name]:
			fresh = append(fresh, p)
		}
		seen[name] = true
	}
	if len(fresh) == 0 || t.err != nil {
		return
	}
	t.changed(table.ID)
	cd, _ := t.one(`SELECT "CD_ID" FROM "SDS" WHERE "SD_ID" = ?`, table.storage)
	id, sd := t.ids("PARTITIONS", len(fresh)), t.ids("SDS", len(fresh))
	var rows, storage, values, params [][]any
	for i, p := range fresh {
		n := int64(i)
		storage = append(storage, []any{sd + n, table.Storage.InputFormat, false, p.Location, -1, table.Storage.OutputFormat, table.serde, cd})
		rows = append(rows, []any{id + n, t.now.Unix(), 0, table.PartitionName(p.Values), sd + n, table.ID})
		for j, v := range p.Values {
			values = append(values, []any{id + n, v, j})
		}
		for k, v := range p.Params {
			params = append(params, []any{id + n, k, v})
		}
	}
	t.insert("SDS", []string{"SD_ID", "INPUT_FORMAT", "IS_COMPRESSED", "LOCATION", "NUM_BUCKETS", "OUTPUT_FORMAT", "SERDE_ID", "CD_ID"}, storage)
	t.insert("PARTITIONS", []string{"PART_ID", "CREATE_TIME", "LAST_ACCESS_TIME", "PART_NAME", "SD_ID", "TBL_ID"}, rows)
	t.insert("PARTITION_KEY_VALS", []string{"PART_ID", "PART_KEY_VAL", "INTEGER_IDX"}, values)
	t.insert("PARTITION_PARAMS", []string{"PART_ID", "PARAM_KEY", "PARAM_VALUE"}, params)
}

// Spec selects partitions: for each partition key the values allowed; nil allows all.
type Spec [][]string

// Partitions lists a table's partitions in the order of their names, without their parameters.
func (s *Store) Partitions(ctx context.Context, table *Table, spec Spec) ([]Partition, error) {
	where, args := `p."TBL_ID" = ?`, []any{table.ID}
	for i, values := range spec {
		if values == nil {
			continue
		}
		where += fmt.Sprintf(` AND p."PART_ID" IN (SELECT "PART_ID" FROM "PARTITION_KEY_VALS" WHERE "INTEGER_IDX" = %d AND "PART_KEY_VAL" IN (?%s))`,
			i, strings.Repeat(", ?", len(values)-1))
		for _, v := range values {
			args = append(args, v)
		}
	}
	var out []Partition
	err := s.rows(ctx, func(r *sql.Rows) error {
		var p Partition
		var name string
		var created int64
		if err := r.Scan(&p.ID, &name, &created, &p.Location, &p.storage); err != nil {
			return err
		}
		p.Created = time.Unix(created, 0)
		p.Values = ValuesOf(name)
		out = append(out, p)
		return nil
	}, `SELECT p."PART_ID", p."PART_NAME", p."CREATE_TIME", s."LOCATION", s."SD_ID" FROM "PARTITIONS" p JOIN "SDS" s ON s."SD_ID" = p."SD_ID"
		WHERE `+where+` ORDER BY p."PART_NAME"`, args...)
	return out, err
}

// Partition finds one partition with its parameters. ErrNoPartition.
func (s *Store) Partition(ctx context.Context, table *Table, values []string) (*Partition, error) {
	spec := make(Spec, len(values))
	for i, v := range values {
		spec[i] = []string{v}
	}
	list, err := s.Partitions(ctx, table, spec)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoPartition, table.PartitionName(values))
	}
	p := &list[0]
	p.Params, err = s.params(ctx, "PARTITION_PARAMS", "PART_ID", p.ID)
	return p, err
}

// AlterPartition writes a partition that was read and changed: its location and parameters.
func (s *Store) AlterPartition(ctx context.Context, table *Table, p *Partition) error {
	return s.in(ctx, func(t *tx) {
		t.changed(table.ID)
		t.exec(`UPDATE "SDS" SET "LOCATION" = ? WHERE "SD_ID" = ?`, p.Location, p.storage)
		t.setParams("PARTITION_PARAMS", "PART_ID", p.ID, p.Params)
	})
}

// RenamePartition gives a partition other values and another place. ErrPartitionExists, ErrNoPartition.
func (s *Store) RenamePartition(ctx context.Context, table *Table, p *Partition, values []string, location string) error {
	return s.in(ctx, func(t *tx) { t.renamePartition(table, p, values, location) })
}

func (t *tx) renamePartition(table *Table, p *Partition, values []string, location string) {
	name := table.PartitionName(values)
	if id, there := t.one(`SELECT "PART_ID" FROM "PARTITIONS" WHERE "TBL_ID" = ? AND "PART_NAME" = ?`, table.ID, name); there && id != p.ID {
		t.fail(ErrPartitionExists, name)
		return
	}
	t.changed(table.ID)
	if t.exec(`UPDATE "PARTITIONS" SET "PART_NAME" = ? WHERE "PART_ID" = ?`, name, p.ID) == 0 {
		t.fail(ErrNoPartition, name)
	}
	t.exec(`UPDATE "SDS" SET "LOCATION" = ? WHERE "SD_ID" = ?`, location, p.storage)
	for i, v := range values {
		t.exec(`UPDATE "PARTITION_KEY_VALS" SET "PART_KEY_VAL" = ? WHERE "PART_ID" = ? AND "INTEGER_IDX" = ?`, v, p.ID, i)
	}
}

// DropPartitions removes partitions.
func (s *Store) DropPartitions(ctx context.Context, table *Table, parts []Partition) error {
	return s.in(ctx, func(t *tx) {
		t.changed(table.ID)
		for _, p := range parts {
			t.dropPartitions(`"PART_ID" = ?`, p.ID)
		}
	})
}

func (t *tx) dropPartitions(where string, id int64) {
	of := `(SELECT "PART_ID" FROM "PARTITIONS" WHERE ` + where + ")"
	t.exec(`DELETE FROM "PARTITION_PARAMS" WHERE "PART_ID" IN `+of, id)
	t.exec(`DELETE FROM "PARTITION_KEY_VALS" WHERE "PART_ID" IN `+of, id)
	t.exec(`DELETE FROM "SDS" WHERE "SD_ID" IN (SELECT "SD_ID" FROM "PARTITIONS" WHERE `+where+")", id)
	t.exec(`DELETE FROM "PARTITIONS" WHERE `+where, id)
}
