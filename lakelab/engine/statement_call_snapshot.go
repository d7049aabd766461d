package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// The procedures that make Iceberg tables of Spark's own, whose files stay where they are.

func init() {
	procedures["snapshot"] = procedure{
		params: []parameter{{"source_table", types.Of(types.String), true}, tableParam, param("location", types.String),
			{"properties", optionsParam.typ, false}, param("parallelism", types.Int)},
		result: []types.Field{long("imported_files_count", false)},
		source: true,
		create: snapshotTable,
	}
	procedures["migrate"] = procedure{
		params: []parameter{tableParam, {"properties", optionsParam.typ, false}, param("drop_backup", types.Boolean), param("backup_table_name", types.String), param("parallelism", types.Int)},
		result: []types.Field{long("migrated_files_count", false)},
		source: true,
		// Iceberg's migrate replaces a table in Spark's own catalog, which must be Iceberg's SparkSessionCatalog for that; here it is not.
		create: func(_ context.Context, _ *Session, _ lake.Ident, args map[string]any) ([][]any, error) {
			catalog, class := CatalogName, "org.apache.iceberg.spark.SparkCatalog"
			if c, _, ok := strings.Cut(args["table"].(string), "."); ok && strings.EqualFold(c, HiveCatalogName) {
				catalog, class = HiveCatalogName, "org.apache.spark.sql.execution.datasources.v2.V2SessionCatalog"
			}
			return nil, errclass.IllegalArgument("Cannot migrate a table from a non-Iceberg Spark Session Catalog. Found " + catalog + " of class " + class + " as the source catalog.")
		},
	}
}

// snapshotTable makes an Iceberg table of the files of one of spark_catalog's, which is left as it is.
func snapshotTable(ctx context.Context, s *Session, id lake.Ident, args map[string]any) ([][]any, error) {
	given := args["source_table"].(string)
	if given == "" {
		return nil, errclass.IllegalArgument("Cannot handle an empty identifier for argument source_table")
	}
	if given == args["table"].(string) {
		return nil, errclass.IllegalArgument("Cannot create a snapshot with the same name as the source of the snapshot.")
	}
	if catalog, _, ok := strings.Cut(given, "."); ok && strings.EqualFold(catalog, CatalogName) {
		return nil, errclass.IllegalArgument("Cannot snapshot a table that isn't in the session catalog (i.e. spark_catalog). Found source catalog: " + CatalogName + ".")
	}
	source, err := s.sparkTable(ctx, given, "Cannot find source table '%s.%s'")
	if err != nil {
		return nil, err
	}
	opts := lake.CreateOptions{Properties: sourceProperties(source)}
	maps.Copy(opts.Properties, stringMap(args["properties"]))
	opts.Properties["gc.enabled"], opts.Properties["snapshot"] = "false", "true" // expiry must not delete the other table's files
	opts.Location, _ = args["location"].(string)
	for _, k := range source.Keys {
		opts.Partitioning = append(opts.Partitioning, lake.PartitionField{Transform: "identity", Column: []string{k.Name}})
	}
	files, err := s.sparkFiles(ctx, source, nil)
	if err != nil {
		return nil, err
	}
	n, err := s.engine.Lake.CreateOf(ctx, id, source.Schema(), opts, files)
	if errors.Is(err, lake.ErrTableExists) {
		return nil, errclass.SnapshotExists(id.String())
	}
	if err != nil {
		return nil, err
	}
	return [][]any{{n}}, nil
}

// sparkTable finds a table of spark_catalog that a procedure takes files from; missing words the error if there is none.
func (s *Session) sparkTable(ctx context.Context, given, missing string) (*hive.Table, error) {
	name, err := sql.ParseName(given)
	if err != nil {
		return nil, errclass.ProcedureIdentifier("source_table", given)
	}
	parts := names(sql.Spark, name)
	if strings.EqualFold(parts[0], HiveCatalogName) {
		parts = parts[1:]
	}
	if len(parts) == 1 {
		_, namespace := s.Current()
		parts = append([]string{namespace}, parts...)
	}
	if len(parts) != 2 {
		return nil, errclass.ProcedureSource(missing, parts[len(parts)-2], parts[len(parts)-1])
	}
	t, err := s.loadHive(ctx, strings.ToLower(parts[0]), strings.ToLower(parts[1]))
	if hive.IsNoTable(err) {
		return nil, errclass.ProcedureSource(missing, parts[0], parts[1])
	}
	if err == nil && t.Format != "parquet" {
		return nil, errclass.Unsupported("taking in files of format " + t.Format)
	}
	return t, err
}

// sparkFiles are the files of a table of spark_catalog in the partitions that a filter selects.
func (s *Session) sparkFiles(ctx context.Context, t *hive.Table, filter map[string]string) ([]lake.SourceFile, error) {
	files, err := s.scanHive(ctx, &t, func(ctx context.Context) ([]metastore.Partition, error) {
		parts, err := s.engine.Hive.Partitions(ctx, t)
		return slices.DeleteFunc(slices.Clone(parts), func(p metastore.Partition) bool {
			for i, k := range t.Keys {
				if v, ok := filter[k.Name]; ok && v != p.Values[i] {
					return true
				}
			}
			return false
		}), err
	})
	if err != nil {
		return nil, err
	}
	out := make([]lake.SourceFile, len(files))
	for i, f := range files {
		out[i] = lake.SourceFile{Path: f.Path, Values: map[string]string{}}
		for j, k := range t.Keys {
			out[i].Values[strings.ToLower(k.Name)] = f.Values[j]
		}
	}
	return out, nil
}

// sourceProperties are a table's own properties, without those that say where and how its files are.
func sourceProperties(t *hive.Table) map[string]string {
	out := map[string]string{}
	for k, v := range t.UserParams() {
		switch k {
		case "path", "transient_lastDdlTime", "serialization.format", "location", "provider":
		default:
			out[k] = v
		}
	}
	return out
}
