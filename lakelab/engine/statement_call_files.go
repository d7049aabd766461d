package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// The procedures that take in files that are there, and that count a table's values.

func init() {
	procedures["add_files"] = procedure{
		params: []parameter{tableParam, {"source_table", types.Of(types.String), true}, optionsOf("partition_filter"),
			param("check_duplicate_files", types.Boolean), param("parallelism", types.Int)},
		result: []types.Field{long("added_files_count", false), long("changed_partition_count", true)},
		run:    addFiles,
	}
	procedures["compute_partition_stats"] = procedure{
		params: []parameter{tableParam, param("snapshot_id", types.Long)},
		result: []types.Field{text("partition_statistics_file", true)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			var snapshot *int64
			if v, ok := args["snapshot_id"].(int64); ok {
				snapshot = &v
			}
			file, err := s.engine.Lake.ComputePartitionStats(ctx, t, snapshot, s.db())
			if err != nil || file == "" {
				return nil, err
			}
			return [][]any{{file}}, nil
		},
	}
	procedures["compute_table_stats"] = procedure{
		params: []parameter{tableParam, param("snapshot_id", types.Long), {"columns", types.ArrayOf(types.Of(types.String), true), false}},
		result: []types.Field{text("statistics_file", true)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			var snapshot *int64
			if v, ok := args["snapshot_id"].(int64); ok {
				snapshot = &v
			}
			var columns []string
			list, given := args["columns"].([]any)
			if given && len(list) == 0 {
				return nil, errclass.IllegalArgument("Columns cannot be null/empty")
			}
			for _, c := range list {
				name, _ := c.(string)
				columns = append(columns, name)
			}
			file, err := s.engine.Lake.ComputeStats(ctx, t, snapshot, columns, s.db())
			if err != nil || file == "" {
				return nil, err
			}
			return [][]any{{file}}, nil
		},
	}
}

func addFiles(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
	given := args["source_table"].(string)
	if given == "" {
		return nil, errclass.EmptyIdentifier("source_table")
	}
	name, err := sql.ParseName(given)
	if err != nil {
		return nil, errclass.ProcedureIdentifier("source_table", given)
	}
	filter := stringMap(args["partition_filter"])
	if err := checkPartitionFilter(t, filter); err != nil {
		return nil, err
	}
	var columns []string
	var source []lake.SourceFile
	if parts := names(sql.Spark, name); len(parts) == 2 && isFileFormat(parts[0]) {
		if !strings.EqualFold(parts[0], "parquet") {
			return nil, errclass.Unsupported("add_files from files of format " + parts[0])
		}
		r := &fileRead{Files: &sql.Files{Format: "parquet", Paths: parts[1:]}, session: s}
		r.options = newFileOptions(r.Format, nil)
		if err := r.find(); err != nil {
			return nil, err
		}
		columns, source = fieldNames(r.partition), r.selected(filter)
	} else {
		from, err := s.sparkTable(ctx, given, "Table `%s`.`%s` does not exist")
		if err != nil {
			return nil, err
		}
		columns = fieldNames(from.Keys)
		if source, err = s.sparkFiles(ctx, from, filter); err != nil {
			return nil, err
		}
	}
	spec, ok := t.HiveSpec(columns)
	if !ok {
		return nil, errclass.IllegalArgument(fmt.Sprintf("Cannot find a partition spec in Iceberg table %s that matches the partition columns ([%s]) in input table", fullTableName(t), strings.Join(columns, ", ")))
	}
	if len(columns) > 0 && len(source) == 0 {
		return nil, errclass.IllegalArgument("Cannot find any matching partitions in table " + fullTableName(t))
	}
	check, set := args["check_duplicate_files"].(bool)
	files, err := s.engine.Lake.AddFiles(ctx, t, spec, source, check || !set)
	return [][]any{{files, nil}}, err // Iceberg does not count the partitions of files that it imports
}

func fieldNames(fields []types.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// checkPartitionFilter refuses a filter by columns by which the table is not partitioned.
func checkPartitionFilter(t *lake.Table, filter map[string]string) error {
	columns := t.PartitionColumns()
	switch {
	case len(filter) == 0:
		return nil
	case len(columns) == 0:
		return errclass.IllegalArgument("Cannot use partition filter with an unpartitioned table " + fullTableName(t))
	case len(filter) > len(columns):
		return errclass.IllegalArgument(fmt.Sprintf("Cannot add data files to target table %s because that table is partitioned, but the number of columns in the provided partition filter (%d) is greater than the number of partitioned columns in table (%d)",
			fullTableName(t), len(filter), len(columns)))
	}
	var unknown []string
	for k := range filter {
		if !slices.Contains(columns, k) {
			unknown = append(unknown, k)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return errclass.IllegalArgument(fmt.Sprintf("Cannot add files to target table %s. %s is partitioned but the specified partition filter refers to columns that are not partitioned: [%s] . Valid partition columns: [%s]",
		fullTableName(t), fullTableName(t), strings.Join(unknown, ", "), strings.Join(columns, ",")))
}

// selected are the files that a filter selects, with the partition values in their paths.
func (r *fileRead) selected(filter map[string]string) []lake.SourceFile {
	var out []lake.SourceFile
	for _, f := range r.files {
		file := lake.SourceFile{Path: f.path, Values: map[string]string{}}
		keep := true
		for i, p := range r.partition {
			value := hivepath.Default
			if f.values[i] != nil {
				value = *f.values[i]
			}
			file.Values[strings.ToLower(p.Name)] = value
			v, filtered := filter[p.Name]
			keep = keep && (!filtered || v == value)
		}
		if keep {
			out = append(out, file)
		}
	}
	return out
}

func fullTableName(t *lake.Table) string { return strings.Join(fullName(t.Ident()), ".") }

// stringMap is an argument of type MAP<STRING, STRING>.
func stringMap(v any) map[string]string {
	out := map[string]string{}
	entries, _ := v.([]types.Entry)
	for _, e := range entries {
		key, _ := e.Key.(string)
		out[key], _ = e.Value.(string)
	}
	return out
}
