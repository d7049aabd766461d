package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// sysDatabase is the database of spark_catalog in which the metastore's own tables can be read, as Hive's sys.
const sysDatabase = "sys"

// sys makes the relation of sys.TBLS, sys.PARTITIONS …; nil if the name is none of these.
func (c sessionCatalog) sys(ctx context.Context, id hiveIdent) (*plan.Relation, error) {
	if id.database != sysDatabase {
		return nil, nil
	}
	for _, t := range metastore.SysTables() {
		if !strings.EqualFold(t.Name, id.name) {
			continue
		}
		rows, err := c.s.engine.Hive.Store.SysRows(ctx, t)
		if err != nil {
			return nil, err
		}
		kinds := map[string]types.Kind{"string": types.String, "bigint": types.Long, "int": types.Int, "boolean": types.Boolean}
		var schema types.Type
		for _, col := range t.Columns {
			schema.Fields = append(schema.Fields, types.Field{Name: col.Name, Type: types.Of(kinds[col.Type]), Nullable: true})
		}
		schema.Kind = types.Struct
		return &plan.Relation{Name: []string{HiveCatalogName, sysDatabase, t.Name}, Source: &metadataSource{c.s, schema, rows}}, nil
	}
	return nil, nil
}
