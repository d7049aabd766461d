package engine

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// partitionSpec reads a PARTITION clause: each key's value as the metastore has it. Keys that are left out are open.
func (s *Session) partitionSpec(ctx context.Context, a *plan.Analyzer, t *hive.Table, list []sql.PartitionValue) (metastore.Spec, error) {
	if len(t.Keys) == 0 {
		return nil, errclass.NotPartitioned(tableName(t))
	}
	spec := make(metastore.Spec, len(t.Keys))
	for _, p := range list {
		i := slices.IndexFunc(t.Keys, func(f types.Field) bool { return strings.EqualFold(f.Name, p.Name.Text) })
		if i < 0 {
			return nil, errclass.PartitionNotFoundIn(p.Name.Text, tableName(t))
		}
		if p.Value == nil {
			return nil, errclass.EmptyPartitionValue(p.Name.Text).At(p.Name.Span())
		}
		v, err := a.Eval(ctx, p.Value, t.Keys[i].Type)
		if err != nil {
			return nil, err
		}
		if v == "" {
			return nil, errclass.EmptyPartition(specTexts(list))
		}
		text, err := s.keyValue(t.Keys[i], v)
		if err != nil {
			return nil, err
		}
		spec[i] = []string{text}
	}
	return spec, nil
}

// specTexts are the values of a PARTITION clause as errors show them.
func specTexts(list []sql.PartitionValue) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = p.Name.Text + "="
		x := p.Value
		if c, ok := x.(*sql.Cast); ok {
			x = c.X
		}
		if l, ok := x.(*sql.Literal); ok {
			out[i] += l.Text
		}
	}
	return out
}

// fullPartition reads a PARTITION clause that must give every key a value.
func (s *Session) fullPartition(ctx context.Context, a *plan.Analyzer, t *hive.Table, list []sql.PartitionValue) ([]string, error) {
	spec, err := s.partitionSpec(ctx, a, t, list)
	if err != nil {
		return nil, err
	}
	values := make([]string, len(spec))
	for i, v := range spec {
		if v == nil {
			var given []string
			for _, p := range list {
				given = append(given, p.Name.Text)
			}
			return nil, errclass.PartitionSpecDiffers(given, keyNamesOf(t), tableName(t))
		}
		values[i] = v[0]
	}
	return values, nil
}

// tableName is a table's name with its catalog.
func tableName(t *hive.Table) []string { return []string{HiveCatalogName, t.Database, t.Name} }

func keyNamesOf(t *hive.Table) []string {
	out := make([]string, len(t.Keys))
	for i, k := range t.Keys {
		out[i] = k.Name
	}
	return out
}

// partitionError gives an error about a partition Spark's words.
func partitionError(err error, t *hive.Table, values []string) error {
	switch {
	case errors.Is(err, metastore.ErrNoPartition):
		return errclass.PartitionsNotFound(keyNamesOf(t), [][]string{values}, tableName(t)[1:])
	case errors.Is(err, metastore.ErrPartitionExists):
		return errclass.PartitionsExist(keyNamesOf(t), [][]string{values}, tableName(t)[1:])
	}
	return err
}

// noPartitions says that there are no partitions of a spec.
func noPartitions(t *hive.Table, spec metastore.Spec) error {
	var keys, values []string
	for i, v := range spec {
		if v != nil {
			keys, values = append(keys, t.Keys[i].Name), append(values, v[0])
		}
	}
	return errclass.PartitionsNotFound(keys, [][]string{values}, tableName(t)[1:])
}

// addPartitions runs ALTER TABLE … ADD PARTITION.
func (s *Session) addPartitions(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	if len(t.Keys) == 0 {
		return errclass.NoPartitionsKept("ALTER TABLE ADD PARTITION", t.Name)
	}
	var parts []metastore.Partition
	var there [][]string
	named := map[string]bool{}
	for i, list := range act.Partitions {
		values, err := s.fullPartition(ctx, a, t, list)
		if err != nil {
			return err
		}
		location := ""
		if l := act.Locations[i]; l != nil {
			if location, err = s.userPlace(*l); err != nil {
				return err
			}
		}
		name := t.PartitionName(values)
		if named[name] {
			return errclass.DuplicatePartition(name)
		}
		named[name] = true
		parts = append(parts, t.NewPartition(values, location))
		if _, err := s.engine.Hive.Store.Partition(ctx, t.Table, values); err == nil {
			there = append(there, values)
		} else if !errors.Is(err, metastore.ErrNoPartition) {
			return err
		}
	}
	if len(there) > 0 && !act.IfNotExists {
		return errclass.PartitionsExist(keyNamesOf(t), there, tableName(t)[1:])
	}
	err := s.engine.Hive.AddPartitions(ctx, t, parts, act.IfNotExists)
	if errors.Is(err, metastore.ErrPartitionExists) { // since a moment
		for _, p := range parts {
			if _, err := s.engine.Hive.Store.Partition(ctx, t.Table, p.Values); err == nil {
				there = append(there, p.Values)
			}
		}
		return errclass.PartitionsExist(keyNamesOf(t), there, tableName(t)[1:])
	}
	return err
}

// dropPartitions runs ALTER TABLE … DROP PARTITION; a clause may name several partitions by some of their keys.
func (s *Session) dropPartitions(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	if len(t.Keys) == 0 {
		return errclass.NoPartitionsKept("ALTER TABLE DROP PARTITION", t.Name)
	}
	var parts []metastore.Partition
	seen := map[int64]bool{}
	for _, list := range act.Partitions {
		spec, err := s.partitionSpec(ctx, a, t, list)
		if err != nil {
			return err
		}
		found, err := s.engine.Hive.Store.Partitions(ctx, t.Table, spec)
		if err != nil {
			return err
		}
		if len(found) == 0 && !act.IfExists {
			return noPartitions(t, spec)
		}
		for _, p := range found {
			if !seen[p.ID] {
				seen[p.ID] = true
				parts = append(parts, p)
			}
		}
	}
	return s.engine.Hive.DropPartitions(ctx, t, parts, act.Purge || s.purges())
}

// renamePartition runs ALTER TABLE … PARTITION (…) RENAME TO PARTITION (…).
func (s *Session) renamePartition(ctx context.Context, a *plan.Analyzer, t *hive.Table, act *sql.AlterAction) error {
	p, err := s.hivePartition(ctx, a, t, act.Partitions[0])
	if err != nil {
		return err
	}
	values, err := s.fullPartition(ctx, a, t, act.Partitions[1])
	if err != nil {
		return err
	}
	return partitionError(s.engine.Hive.RenamePartition(ctx, t, p, values), t, values)
}

// repairHive runs MSCK REPAIR TABLE and ALTER TABLE … RECOVER PARTITIONS.
func (s *Session) repairHive(ctx context.Context, t *hive.Table, statement, mode string) (*Result, error) {
	if len(t.Keys) == 0 {
		return nil, errclass.NotPartitionedTable(statement, tableName(t))
	}
	if _, err := os.Stat(t.Location()); os.IsNotExist(err) {
		return nil, errclass.FolderMissing(t.Location())
	}
	return done(), s.engine.Hive.Repair(ctx, t, mode != "DROP", mode == "DROP" || mode == "SYNC")
}

// truncateHive runs TRUNCATE TABLE.
func (s *Session) truncateHive(ctx context.Context, a *plan.Analyzer, st *sql.Truncate, id hiveIdent) (*Result, error) {
	t, err := s.hiveTable(ctx, id, st.Table)
	if err != nil {
		return nil, err
	}
	if !t.Managed() {
		return nil, errclass.TruncateExternal(id.full())
	}
	var spec metastore.Spec
	if len(st.Partition) > 0 {
		if len(t.Keys) == 0 {
			return nil, errclass.TruncatePartition(tableName(t))
		}
		if spec, err = s.partitionSpec(ctx, a, t, st.Partition); err != nil {
			return nil, err
		}
	}
	parts, err := s.engine.Hive.Store.Partitions(ctx, t.Table, spec)
	if err != nil {
		return nil, err
	}
	if len(st.Partition) > 0 && len(parts) == 0 {
		return nil, noPartitions(t, spec)
	}
	return done(), s.engine.Hive.Truncate(ctx, t, parts)
}
