package celldoor

import (
	"context"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine"
)

// catalog answers spark.catalog calls; wire's package doc lists them with their arguments.
func catalog(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	args, _ := req["args"].([]any)
	arg := func(i int) string {
		if i < len(args) {
			s, _ := args[i].(string)
			return s
		}
		return ""
	}
	v, err := catalogCall(ctx, c.session, str(req, "call"), arg)
	return map[string]any{"value": v}, err
}

func catalogCall(ctx context.Context, s *engine.Session, call string, arg func(int) string) (any, error) {
	cat, ns := s.Current()
	switch call {
	case "currentCatalog":
		return cat, nil
	case "currentDatabase":
		return ns, nil
	case "setCurrentCatalog":
		return nil, s.UseCatalog(arg(0))
	case "setCurrentDatabase":
		return nil, s.UseNamespace(ctx, arg(0))
	case "listCatalogs":
		return []any{map[string]any{"name": engine.CatalogName, "description": nil}}, nil
	case "databaseExists":
		return s.NamespaceExists(ctx, arg(0))
	case "listDatabases":
		return s.ListDatabases(ctx, arg(0))
	case "tableExists":
		return s.TableExists(ctx, arg(0))
	case "listTables":
		return s.ListTables(ctx, arg(0), arg(1))
	case "listColumns":
		return s.ListColumns(ctx, arg(0))
	case "dropTempView":
		return s.DropTempView(arg(0)), nil
	case "functionExists":
		return s.FunctionExists(arg(0)), nil
	case "refreshTable":
		// Metadata is read anew for every query; the table must exist.
		_, err := s.ListColumns(ctx, arg(0))
		return nil, err
	}
	return nil, fmt.Errorf("catalog.%s is not supported", call)
}
