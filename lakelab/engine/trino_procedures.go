package engine

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's procedures: ALTER TABLE … EXECUTE and CALL ("Iceberg connector", "ALTER TABLE EXECUTE", "Procedures").

// tableProcedure is one that ALTER TABLE … EXECUTE runs.
type tableProcedure struct {
	params []tableParameter
	where  bool   // it takes WHERE
	least  string // the session property that bounds the retention from below; empty: there is none
	run    func(ctx context.Context, s *Session, t *lake.Table, args map[string]any, what lake.Rewriting) error
}

// tableParameter is a parameter; read checks a text further and gives its value.
type tableParameter struct {
	name string
	kind types.Kind
	read func(text string) (any, error)
}

// sevenDays is how old what goes must be if nothing is said.
const sevenDays = "7d"

var retention = tableParameter{"retention_threshold", types.String, func(text string) (any, error) {
	d, err := trinoDuration(text)
	if err != nil {
		return nil, fmt.Errorf("duration is not a valid data duration string: %s", text)
	}
	return types.Micros(time.Now().Add(-d).UnixMicro()), nil
}}

var dataSizeForm = regexp.MustCompile(`^\s*\d+(\.\d+)?\s*(B|kB|MB|GB|TB|PB)\s*$`)

var tableProcedures = map[string]tableProcedure{
	"OPTIMIZE": {
		params: []tableParameter{{"file_size_threshold", types.String, func(text string) (any, error) {
			if !dataSizeForm.MatchString(text) {
				return nil, fmt.Errorf("size is not a valid data size string: %s", text)
			}
			return text, nil
		}}},
		where: true,
		run: func(ctx context.Context, s *Session, t *lake.Table, _ map[string]any, what lake.Rewriting) error {
			// Files are small here: what Trino would leave alone because of its size is written anew, too.
			if what.Where == nil {
				if err := s.checkFilter(t, nil); err != nil {
					return err
				}
			}
			what.Options = map[string]string{"rewrite-all": "true"}
			_, err := s.engine.Lake.Rewrite(ctx, t, what, s.db())
			return err
		},
	},
	"OPTIMIZE_MANIFESTS": {run: func(ctx context.Context, s *Session, t *lake.Table, _ map[string]any, _ lake.Rewriting) error {
		_, _, err := s.engine.Lake.RewriteManifests(ctx, t, nil)
		return err
	}},
	"EXPIRE_SNAPSHOTS": {params: []tableParameter{retention}, least: expireRetention, run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any, _ lake.Rewriting) error {
		_, err := expireSnapshots(ctx, s, t, map[string]any{"older_than": args[retention.name], "retain_last": int64(1)})
		return err
	}},
	"REMOVE_ORPHAN_FILES": {params: []tableParameter{retention}, least: orphanRetention, run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any, _ lake.Rewriting) error {
		// A younger file may belong to a commit under way.
		older := min(args[retention.name].(types.Micros), types.Micros(time.Now().Add(-orphanAge).UnixMicro()))
		_, err := procedures["remove_orphan_files"].run(ctx, s, t, map[string]any{"older_than": older})
		return err
	}},
	// Statistics beyond those in the manifests are not kept, so there are none to drop.
	"DROP_EXTENDED_STATS": {run: func(context.Context, *Session, *lake.Table, map[string]any, lake.Rewriting) error { return nil }},
	"ROLLBACK_TO_SNAPSHOT": {params: []tableParameter{{"snapshot_id", types.Long, nil}}, run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any, _ lake.Rewriting) error {
		id, ok := args["snapshot_id"].(int64)
		if !ok {
			return errclass.TrinoNoSnapshotArgument()
		}
		return s.trinoRollback(ctx, t, id, 65536)
	}},
	"ADD_FILES": {params: []tableParameter{{"location", types.String, nil}, {"format", types.String, nil}, {"recursive_directory", types.String, nil}},
		run: func(context.Context, *Session, *lake.Table, map[string]any, lake.Rewriting) error {
			return errclass.TrinoDenied("add_files procedure is disabled")
		}},
	"ADD_FILES_FROM_TABLE": {params: []tableParameter{{"schema_name", types.String, nil}, {"table_name", types.String, nil}, {"recursive_directory", types.String, nil}},
		run: func(context.Context, *Session, *lake.Table, map[string]any, lake.Rewriting) error {
			return errclass.TrinoUnsupported("This catalog does not support add_files_from_table procedure").Nowhere()
		}},
}

// tableProcedure runs ALTER TABLE … EXECUTE.
func (s *Session) tableProcedure(ctx context.Context, a *plan.Analyzer, t *lake.Table, st *sql.AlterTable, act *sql.AlterAction) (*Result, error) {
	name := strings.ToUpper(act.To.Text)
	p, ok := tableProcedures[name]
	if !ok {
		return nil, errclass.TrinoNoTableProcedure(name)
	}
	args, err := s.tableArguments(ctx, a, name, p, st, act)
	if err != nil {
		return nil, err
	}
	var what lake.Rewriting
	none := false
	if act.Where != nil {
		if !p.where {
			return nil, errclass.TrinoUnsupported("WHERE not supported for procedure " + name).At(st.Span())
		}
		if what.Where, what.Only, err = s.fileCondition(ctx, a, t, st, act.Where); err != nil {
			return nil, err
		}
		none = what.Where == nil
	}
	r := local([][]any{{nil}}, long("rows", true)) // what Trino answers where it sees that no row is concerned
	if !none {
		if err := p.run(ctx, s, t, args, what); err != nil {
			return nil, err
		}
		r = local(nil, long("rows", true))
	}
	r.UpdateType = "ALTER TABLE EXECUTE"
	return r, nil
}

// tableArguments reads a procedure's arguments, given by place or by name.
func (s *Session) tableArguments(ctx context.Context, a *plan.Analyzer, name string, p tableProcedure, st *sql.AlterTable, act *sql.AlterAction) (map[string]any, error) {
	args := map[string]any{}
	if len(p.params) > 0 && p.params[0].name == retention.name {
		args[retention.name], _ = retention.read(sevenDays)
	}
	given, seen := sevenDays, map[string]bool{}
	for i, arg := range act.Args {
		key, at := "", arg.X.Span()
		if arg.Name != nil {
			key, at = strings.ToLower(arg.Name.Text), arg.Name.Span()
		} else if i >= len(p.params) {
			return nil, errclass.TrinoTooManyArguments().At(st.Span())
		} else {
			key = p.params[i].name
		}
		if seen[key] {
			return nil, errclass.TrinoDuplicateArgument(key).At(at)
		}
		seen[key] = true
		n := slices.IndexFunc(p.params, func(q tableParameter) bool { return q.name == key })
		if n < 0 {
			return nil, errclass.TrinoProcedureProperty(CatalogName, name, key, " does not exist").At(at)
		}
		v, err := s.tableArgument(ctx, a, arg.X, p.params[n].kind)
		if err != nil {
			return nil, errclass.TrinoProcedureValue(CatalogName, name, key, plan.Formatted(arg.X), types.Of(p.params[n].kind)).At(at)
		}
		if text, ok := v.(string); ok && p.params[n].read != nil {
			given = text
			if v, err = p.params[n].read(text); err != nil {
				return nil, errclass.TrinoProcedureArgument(CatalogName, name, key, text, err.Error()).At(at)
			}
		}
		if v == nil {
			return nil, errclass.TrinoNullProcedureValue(CatalogName, name, key, plan.Formatted(arg.X)).At(at)
		}
		args[key] = v
	}
	if p.least != "" {
		return args, s.checkRetention(given, p.least)
	}
	return args, nil
}

// tableArgument computes an argument, which must have its parameter's type or be cast to it by itself.
func (s *Session) tableArgument(ctx context.Context, a *plan.Analyzer, x sql.Expr, kind types.Kind) (any, error) {
	e, err := a.Value(ctx, x)
	if err != nil {
		return nil, err
	}
	if got := e.Type(); got.Kind != kind && got.Kind != types.Null && !(kind == types.Long && got.IsIntegral()) {
		return nil, fmt.Errorf("a %s", got.Trino())
	}
	return s.eval(ctx, a, x, types.Of(kind))
}

// trinoRollback moves a table back to one of its snapshots; code is that of Trino's error for a snapshot that it does not have.
func (s *Session) trinoRollback(ctx context.Context, t *lake.Table, id int64, code int) error {
	_, _, err := s.engine.Lake.RollbackToSnapshot(ctx, t, id)
	if err != nil {
		return errclass.TrinoRollback(id, code, err)
	}
	return nil
}

// trinoCall runs CALL of a procedure of the schema system, or system.runtime.kill_query.
func (s *Session) trinoCall(ctx context.Context, a *plan.Analyzer, st *sql.CallProc) (*Result, error) {
	parts := names(sql.Trino, st.Name)
	catalog, schema := s.Current()
	if len(parts) == 1 {
		parts = append([]string{schema}, parts...)
	}
	if len(parts) == 3 {
		catalog, parts = parts[0], parts[1:]
	}
	if !s.trinoCatalog(catalog) {
		return nil, errclass.CatalogNotFound(sql.Trino, catalog).At(st.Span())
	}
	switch name := strings.Join(parts, "."); {
	case catalog == systemCatalog && name == "runtime.kill_query":
		v, err := s.callArguments(ctx, a, st, []tableParameter{{"query_id", types.String, nil}, {"message", types.String, nil}}, 1, "null")
		if err != nil {
			return nil, err
		}
		id, _ := v[0].(string)
		message, _ := v[1].(string)
		if err := s.killQuery(id, message); err != nil {
			return nil, err
		}
		return updated("CALL", -1), nil
	case catalog != CatalogName:
		return nil, errclass.TrinoNoProcedure(name)
	case name == "system.rollback_to_snapshot":
		v, err := s.callArguments(ctx, a, st, []tableParameter{{"schema", types.String, nil}, {"table", types.String, nil}, {"snapshot_id", types.Long, nil}}, 3, "null")
		if err != nil {
			return nil, err
		}
		t, err := s.calledTable(ctx, v[0], v[1])
		if err != nil {
			return nil, err
		}
		if err := s.trinoRollback(ctx, t, v[2].(int64), 65551); err != nil {
			return nil, err
		}
		return updated("CALL", -1), nil
	case name == "system.register_table":
		return nil, errclass.TrinoDenied("register_table procedure is disabled")
	case name == "system.unregister_table":
		v, err := s.callArguments(ctx, a, st, []tableParameter{{"schema_name", types.String, nil}, {"table_name", types.String, nil}}, 2, "null or empty")
		if err != nil {
			return nil, err
		}
		for i, name := range []string{"schema_name", "table_name"} {
			if v[i] == "" {
				return nil, errclass.TrinoNullCallArgument(name, "null or empty")
			}
		}
		schema := strings.ToLower(v[0].(string))
		if ok, err := s.trinoSchema(ctx, CatalogName, schema); err != nil || !ok {
			if err == nil {
				err = errclass.TrinoNoSchema(schema)
			}
			return nil, err
		}
		t, err := s.calledTable(ctx, v[0], v[1])
		if err != nil {
			return nil, err
		}
		return nil, errclass.UnsupportedStatement(sql.Trino, "unregister_table of "+t.Ident().String()).At(st.Span())
	default:
		return nil, errclass.TrinoNoProcedure(name)
	}
}

// calledTable is the table that a procedure is called for.
func (s *Session) calledTable(ctx context.Context, schema, table any) (*lake.Table, error) {
	id := lake.Ident{Namespace: strings.ToLower(schema.(string)), Name: strings.ToLower(table.(string))}
	t, err := s.engine.Lake.Load(ctx, id)
	if lake.IsNoTable(err) {
		return nil, errclass.TrinoNotFound("Table '" + id.String() + "' not found")
	}
	return t, err
}

// callArguments computes CALL's arguments in the order of the parameters. The first `required` must be given, and must not be NULL: null
// says of them what they cannot be.
func (s *Session) callArguments(ctx context.Context, a *plan.Analyzer, st *sql.CallProc, params []tableParameter, required int, null string) ([]any, error) {
	out, given := make([]any, len(params)), make([]bool, len(params))
	for i, arg := range st.Args {
		if arg.Name != nil {
			i = slices.IndexFunc(params, func(p tableParameter) bool { return strings.EqualFold(p.name, arg.Name.Text) })
			if i < 0 {
				return nil, errclass.TrinoUnknownArgument(arg.Name.Text).At(arg.Name.Span())
			}
		}
		if i >= len(params) {
			return nil, errclass.TrinoTooManyArguments().At(st.Span())
		}
		if q, ok := arg.X.(*sql.Subquery); ok {
			return nil, errclass.TrinoConstantSubquery().At(q.Span())
		}
		e, err := a.Value(ctx, arg.X)
		if err != nil {
			return nil, err
		}
		if got := e.Type(); got.Kind != params[i].kind && got.Kind != types.Null && !(params[i].kind == types.Long && got.IsIntegral()) {
			return nil, errclass.TrinoCastArgument(got, types.Of(params[i].kind)).At(arg.X.Span())
		}
		if out[i], err = s.eval(ctx, a, arg.X, types.Of(params[i].kind)); err != nil {
			return nil, err
		}
		given[i] = true
	}
	for i := range required {
		if !given[i] {
			return nil, errclass.TrinoMissingCallArgument(strings.ToUpper(params[i].name)).At(st.Span())
		}
	}
	for i := range required {
		if out[i] == nil {
			return nil, errclass.TrinoNullCallArgument(params[i].name, null)
		}
	}
	return out, nil
}
