package engine

import (
	"context"
	"slices"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// The catalog's table function: TABLE(system.table_changes(schema_name, table_name, start_snapshot_id, end_snapshot_id)), the rows that
// snapshots added and deleted ("Iceberg connector", "Table functions").

var tableChanges = []plan.TableParameter{
	{Name: "SCHEMA_NAME", Type: types.Of(types.String)}, {Name: "TABLE_NAME", Type: types.Of(types.String)},
	{Name: "START_SNAPSHOT_ID", Type: types.Of(types.Long)}, {Name: "END_SNAPSHOT_ID", Type: types.Of(types.Long)},
}

// TableFunction opens what a call of table_changes gives.
func (c sessionCatalog) TableFunction(ctx context.Context, a *plan.Analyzer, call *sql.Call) (*plan.Relation, error) {
	parts := c.parts(call.Name)
	if len(parts) == 2 {
		catalog, _ := c.s.Current()
		parts = append([]string{catalog}, parts...)
	}
	if len(parts) == 3 && !c.s.trinoCatalog(parts[0]) {
		return nil, errclass.CatalogNotFound(sql.Trino, parts[0])
	}
	if !slices.Equal(parts, []string{CatalogName, "system", "table_changes"}) {
		return nil, nil
	}
	args, err := a.TableArguments(ctx, call, tableChanges)
	if err != nil {
		return nil, err
	}
	values := make([]any, len(args))
	for i, x := range args {
		if values[i], err = a.Eval(ctx, x, tableChanges[i].Type); err != nil {
			return nil, err
		}
		switch {
		case values[i] == nil && i < 2:
			return nil, errclass.TrinoTableValue(tableChanges[i].Name + " argument not found")
		case values[i] == nil:
			return nil, errclass.TrinoTableValue("table_changes arguments may not be null")
		}
	}
	t, err := c.s.calledTable(ctx, values[0], values[1])
	if err != nil {
		return nil, err
	}
	schema, query, err := t.TrinoChanges(ctx, values[2].(int64), values[3].(int64))
	if err != nil {
		return nil, err
	}
	return &plan.Relation{Name: parts, Source: &querySource{schema, query}}, nil
}
