package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// parameter is one parameter of a procedure.
type parameter struct {
	name     string
	typ      types.Type
	required bool
}

// procedure is one row of the procedure table (Iceberg's "Spark Procedures" page).
type procedure struct {
	params []parameter
	result []types.Field
	run    func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error)
	// source says that the procedure takes a table of spark_catalog.
	source bool
	// create runs in the place of run for a procedure that makes the table.
	create func(ctx context.Context, s *Session, id lake.Ident, args map[string]any) ([][]any, error)
}

func long(name string, nullable bool) types.Field {
	return types.Field{Name: name, Type: types.Of(types.Long), Nullable: nullable}
}

var tableParam = parameter{"table", types.Of(types.String), true}

// procedures of catalog.system. Those of Iceberg that are not here are refused by name, as procedures that do not exist.
var procedures = map[string]procedure{
	"rollback_to_snapshot": {
		params: []parameter{tableParam, {"snapshot_id", types.Of(types.Long), true}},
		result: []types.Field{long("previous_snapshot_id", false), long("current_snapshot_id", false)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			prev, cur, err := s.engine.Lake.RollbackToSnapshot(ctx, t, args["snapshot_id"].(int64))
			return [][]any{{prev, cur}}, err
		},
	},
	"rollback_to_timestamp": {
		params: []parameter{tableParam, {"timestamp", types.Of(types.Timestamp), true}},
		result: []types.Field{long("previous_snapshot_id", false), long("current_snapshot_id", false)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			prev, cur, err := s.engine.Lake.RollbackToTimestamp(ctx, t, args["timestamp"].(types.Micros))
			return [][]any{{prev, cur}}, err
		},
	},
	"fast_forward": {
		params: []parameter{tableParam, {"branch", types.Of(types.String), true}, {"to", types.Of(types.String), true}},
		result: []types.Field{text("branch_updated", false), long("previous_ref", true), long("updated_ref", false)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			branch := args["branch"].(string)
			prev, cur, err := s.engine.Lake.FastForward(ctx, t, branch, args["to"].(string))
			return [][]any{{branch, prev, cur}}, err
		},
	},
	"set_current_snapshot": {
		params: []parameter{tableParam, {"snapshot_id", types.Of(types.Long), false}, {"ref", types.Of(types.String), false}},
		result: []types.Field{long("previous_snapshot_id", true), long("current_snapshot_id", false)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			id, hasID := args["snapshot_id"].(int64)
			ref, hasRef := args["ref"].(string)
			if hasID == hasRef {
				return nil, errclass.IllegalArgument("Either snapshot_id or ref must be provided, not both")
			}
			prev, cur, err := s.engine.Lake.SetCurrentSnapshot(ctx, t, id, ref)
			return [][]any{{prev, cur}}, err
		},
	},
}

// procedureNamed is the catalog of [catalog.]system.procedure and the procedure; without one if the name is another.
func (s *Session) procedureNamed(name []string) (catalog, routine string) {
	catalog, _ = s.Current()
	if len(name) == 3 {
		catalog, name = name[0], name[1:]
	}
	if len(name) != 2 || !strings.EqualFold(name[0], "system") {
		return catalog, ""
	}
	return catalog, name[1]
}

// routineName completes the name of a procedure that is not there.
func (s *Session) routineName(name []string) []string {
	catalog, namespace := s.Current()
	switch {
	case len(name) == 1:
		return []string{catalog, namespace, name[0]}
	case !strings.EqualFold(name[0], CatalogName) && !strings.EqualFold(name[0], HiveCatalogName):
		return append([]string{catalog}, name...)
	}
	return name
}

// call runs CALL catalog.system.procedure(…).
func (s *Session) call(ctx context.Context, a *plan.Analyzer, st *sql.CallProc) (*Result, error) {
	name := names(a.Dialect, st.Name)
	catalog, routine := s.procedureNamed(name)
	p, ok := procedures[strings.ToLower(routine)]
	if !ok || !strings.EqualFold(catalog, CatalogName) {
		return nil, errclass.RoutineNotFound(s.routineName(name)).At(st.Span())
	}
	args, err := bind(ctx, a, routine, p, st)
	if err != nil {
		return nil, err
	}
	if args["table"] == "" {
		return nil, errclass.IllegalArgument("Cannot handle an empty identifier for argument table")
	}
	table, err := sql.ParseName(args["table"].(string))
	if err != nil {
		return nil, errclass.ProcedureIdentifier("table", args["table"].(string))
	}
	id, ok, err := s.procedureTable(names(a.Dialect, table))
	if err != nil && !p.source {
		return nil, err
	}
	if !ok && !p.source {
		return nil, errclass.ProcedureTable(args["table"].(string), CatalogName)
	}
	rows, err := s.perform(ctx, p, id, args)
	if err != nil {
		return nil, err
	}
	r := local(rows, p.result...)
	r.UpdateType = "CALL"
	return r, nil
}

// procedureTable completes a name given to a procedure: it is one of the procedure's own catalog, whatever the session's is. It is false for a
// name that no table there can have.
func (s *Session) procedureTable(parts []string) (lake.Ident, bool, error) {
	catalog, _ := s.Current()
	switch {
	case len(parts) == 2 && catalog != CatalogName:
		if strings.EqualFold(parts[0], HiveCatalogName) || strings.EqualFold(parts[0], CatalogName) {
			return lake.Ident{}, false, nil
		}
		return lake.Ident{Namespace: parts[0], Name: parts[1]}, true, nil
	case len(parts) == 3 && strings.EqualFold(parts[0], HiveCatalogName):
		return lake.Ident{}, false, errclass.ProcedureCatalog(CatalogName, strings.Join(parts[1:], "."), HiveCatalogName)
	}
	id, ok := s.qualify(parts)
	return id, ok, nil
}

func (s *Session) perform(ctx context.Context, p procedure, id lake.Ident, args map[string]any) ([][]any, error) {
	if p.create != nil {
		rows, err := p.create(ctx, s, id, args)
		if errors.Is(err, lake.ErrTableExists) {
			err = errclass.AlreadyExists(id.String())
		}
		return rows, err
	}
	t, err := s.engine.Lake.Load(ctx, id)
	if lake.IsNoTable(err) {
		return nil, errclass.ProcedureTable(id.String(), CatalogName)
	}
	if err != nil {
		return nil, err
	}
	return p.run(ctx, s, t, args)
}

// bind matches a call's arguments with a procedure's parameters and computes them.
func bind(ctx context.Context, a *plan.Analyzer, routine string, p procedure, st *sql.CallProc) (map[string]any, error) {
	args := map[string]any{}
	given := map[string]bool{}
	named, positions := "", 0
	for i, arg := range st.Args {
		var par *parameter
		if arg.Name != nil {
			named = arg.Name.Text
			for j := range p.params {
				if strings.EqualFold(p.params[j].name, arg.Name.Text) {
					par = &p.params[j]
				}
			}
			if par == nil {
				return nil, errclass.UnrecognizedParameter(routine, arg.Name.Text, parameterNames(p)).At(arg.Name.Span())
			}
			if given[par.name] {
				return nil, errclass.DuplicateParameter(routine, par.name).At(arg.Name.Span())
			}
		} else {
			if named != "" {
				return nil, errclass.UnexpectedPositional(routine, named).At(arg.X.Span())
			}
			positions++
			if i >= len(p.params) {
				return nil, errclass.WrongNumArgs(routine, p.arity(), len(st.Args)).At(st.Span())
			}
			par = &p.params[i]
		}
		v, err := argument(ctx, a, arg.X, p, par)
		if err != nil {
			return nil, err
		}
		given[par.name], args[par.name] = true, v
	}
	for i, par := range p.params {
		if zero := nullNumber(par.typ); given[par.name] && args[par.name] == nil && par.required && zero != nil {
			args[par.name] = zero
		}
		if par.required && args[par.name] == nil {
			return nil, errclass.RequiredParameter(routine, par.name, i-positions).At(st.Span())
		}
	}
	return args, nil
}

// nullNumber is what a NULL for a parameter that must be given counts as, as in Java; nil: it is not taken.
func nullNumber(t types.Type) any {
	switch t.Kind {
	case types.Long:
		return int64(0)
	case types.Timestamp:
		return types.Micros(0)
	}
	return nil
}

// argument computes an argument of a parameter, whose type it must have, or one that is cast to it unasked.
func argument(ctx context.Context, a *plan.Analyzer, x sql.Expr, p procedure, par *parameter) (any, error) {
	if value, err := a.Value(ctx, x); err == nil && !castUnasked(value.Type(), par.typ) {
		i := slices.IndexFunc(p.params, func(q parameter) bool { return q.name == par.name })
		return nil, errclass.ProcedureArgument(i, plan.NameOf(sql.Spark, value), value.Type(), par.typ)
	}
	return a.Eval(ctx, x, par.typ)
}

// castUnasked reports whether Spark casts a procedure's argument by itself: numbers and texts to each other's types, a date to a time, and
// what has no type to any.
func castUnasked(from, to types.Type) bool {
	switch {
	case from.Kind == types.Null || from.Kind == to.Kind && from.Kind < types.Array:
		return true
	case from.Kind == types.Array && to.Kind == types.Array:
		return from.Elem.Kind == types.Null || from.Elem.IsNumeric() && to.Elem.IsNumeric() || from.Elem.Kind == to.Elem.Kind
	case from.Kind == types.Map && to.Kind == types.Map:
		return castUnasked(*from.Key, *to.Key) && castUnasked(*from.Value, *to.Value)
	case from.Kind >= types.Array || to.Kind >= types.Array:
		return false
	case to.Kind == types.Timestamp:
		return from.Kind == types.String || from.Kind == types.Date || from.Kind == types.TimestampNTZ
	}
	return from.Kind == types.String || to.Kind == types.String || from.IsNumeric() && to.IsNumeric()
}

// arity says how many arguments a procedure takes, as Spark's message does: a number, or all that are possible.
func (p procedure) arity() string {
	required := 0
	for _, par := range p.params {
		if par.required {
			required++
		}
	}
	if required == len(p.params) {
		return strconv.Itoa(required)
	}
	var all []string
	for n := required; n <= len(p.params); n++ {
		all = append(all, strconv.Itoa(n))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func parameterNames(p procedure) []string {
	out := make([]string, len(p.params))
	for i, par := range p.params {
		out[i] = par.name
	}
	return out
}
