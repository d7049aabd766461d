package celldoor

import (
	"context"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/types"
)

// catalog answers spark.catalog calls; wire's package doc lists them with their arguments.
func catalog(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	args, _ := req["args"].([]any)
	v, err := catalogCall(ctx, c.session, str(req, "call"), arguments(args))
	return map[string]any{"value": v}, err
}

// arguments are those of a call; nil, and what was left out, is the zero value.
type arguments []any

func (a arguments) text(i int) string {
	if i < len(a) {
		s, _ := a[i].(string)
		return s
	}
	return ""
}

func (a arguments) texts(i int) map[string]string {
	out := map[string]string{}
	if i < len(a) {
		m, _ := a[i].(map[string]any)
		for k, v := range m {
			out[k], _ = v.(string)
		}
	}
	return out
}

func (a arguments) schema(i int) *types.Type {
	if i < len(a) {
		if t, ok := a[i].(types.Type); ok {
			return &t
		}
	}
	return nil
}

func catalogCall(ctx context.Context, s *engine.Session, call string, arg arguments) (any, error) {
	cat, ns := s.Current()
	switch call {
	case "currentCatalog":
		return cat, nil
	case "currentDatabase":
		return ns, nil
	case "setCurrentCatalog":
		return nil, s.UseCatalog(arg.text(0))
	case "setCurrentDatabase":
		return nil, s.UseNamespace(ctx, arg.text(0))
	case "listCatalogs":
		return s.ListCatalogs(arg.text(0)), nil
	case "databaseExists":
		return s.NamespaceExists(ctx, arg.text(0))
	case "getDatabase":
		return s.Database(ctx, arg.text(0))
	case "listDatabases":
		return s.ListDatabases(ctx, arg.text(0))
	case "tableExists":
		return s.TableExists(ctx, arg.text(0))
	case "getTable":
		return s.Table(ctx, arg.text(0))
	case "listTables":
		return s.ListTables(ctx, arg.text(0), arg.text(1))
	case "listColumns":
		return s.ListColumns(ctx, arg.text(0))
	case "createTable":
		return nil, s.NewTable(ctx, arg.text(0), arg.text(1), arg.text(2), arg.schema(3), arg.text(4), arg.texts(5))
	case "recoverPartitions":
		return nil, s.RecoverPartitions(ctx, arg.text(0))
	case "refreshTable":
		return nil, s.Refresh(ctx, arg.text(0))
	case "refreshByPath":
		return nil, s.RefreshPath(arg.text(0))
	case "isCached":
		return s.Cached(ctx, arg.text(0))
	case "cacheTable":
		return nil, s.Cache(ctx, arg.text(0))
	case "uncacheTable":
		return nil, s.Uncache(ctx, arg.text(0))
	case "clearCache":
		s.ClearCache()
		return nil, nil
	case "dropTempView":
		return s.DropTempView(arg.text(0)), nil
	case "dropGlobalTempView":
		return s.DropGlobalTempView(arg.text(0)), nil
	case "functionExists":
		return s.FunctionExists(arg.text(0)), nil
	case "getFunction":
		return s.Function(arg.text(0))
	case "listFunctions":
		return s.ListFunctions(ctx, arg.text(0), arg.text(1))
	}
	return nil, fmt.Errorf("catalog.%s is not supported", call)
}
