package engine

import (
	"context"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// trashProcedures are spark_catalog.system's: Hadoop has `hdfs dfs -ls .Trash` and `-expunge` for them.
var trashProcedures = map[string]procedure{
	"list_trash": {
		result: []types.Field{text("path", false), text("deleted_from", false), {Name: "deleted_at", Type: types.Of(types.Timestamp)}, long("size", false)},
	},
	"expunge": {
		params: []parameter{{"older_than", types.Of(types.Timestamp), false}},
		result: []types.Field{long("deleted_files", false)},
	},
}

// callHive runs CALL spark_catalog.system.list_trash() and expunge(…); nil without an error for a call of another catalog.
func (s *Session) callHive(ctx context.Context, a *plan.Analyzer, st *sql.CallProc) (*Result, error) {
	name := names(a.Dialect, st.Name)
	catalog, routine := s.procedureNamed(name)
	if routine == "" || !strings.EqualFold(catalog, HiveCatalogName) {
		return nil, nil
	}
	routine = strings.ToLower(routine)
	p, ok := trashProcedures[routine]
	if !ok {
		return nil, errclass.NoProcedures(HiveCatalogName).At(st.Span())
	}
	args, err := bind(ctx, a, routine, p, st)
	if err != nil {
		return nil, err
	}
	if routine == "expunge" {
		before := time.Now()
		if at, ok := args["older_than"].(types.Micros); ok {
			before = time.UnixMicro(int64(at))
		}
		n, err := s.engine.Hive.Expunge(before)
		return local([][]any{{n}}, p.result...), err
	}
	list, err := s.engine.Hive.Trash()
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, f := range list {
		rows = append(rows, []any{f.Path, f.From, types.Micros(f.Deleted.UnixMicro()), f.Size})
	}
	return local(rows, p.result...), nil
}
