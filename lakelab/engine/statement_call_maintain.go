package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// The procedures that maintain tables and publish changes.

func param(name string, k types.Kind) parameter { return parameter{name, types.Of(k), false} }

var optionsParam = parameter{"options", types.MapOf(types.Of(types.String), types.Of(types.String), true), false}

// count is a result column of a number that fits an INT.
func count(name string) types.Field { return types.Field{Name: name, Type: types.Of(types.Int)} }

func init() {
	procedures["cherrypick_snapshot"] = procedure{
		params: []parameter{tableParam, {"snapshot_id", types.Of(types.Long), true}},
		result: []types.Field{long("source_snapshot_id", false), long("current_snapshot_id", false)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			id := args["snapshot_id"].(int64)
			current, err := s.engine.Lake.CherryPick(ctx, t, id)
			return [][]any{{id, current}}, err
		},
	}
	procedures["publish_changes"] = procedure{
		params: []parameter{tableParam, {"wap_id", types.Of(types.String), true}},
		result: []types.Field{long("source_snapshot_id", false), long("current_snapshot_id", false)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			source, current, err := s.engine.Lake.Publish(ctx, t, args["wap_id"].(string))
			return [][]any{{source, current}}, err
		},
	}
	procedures["ancestors_of"] = procedure{
		params: []parameter{tableParam, param("snapshot_id", types.Long)},
		result: []types.Field{long("snapshot_id", true), long("timestamp", true)},
		run: func(_ context.Context, _ *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			var id *int64
			if v, ok := args["snapshot_id"].(int64); ok {
				id = &v
			}
			list, err := t.Ancestors(id)
			rows := make([][]any, len(list))
			for i, a := range list {
				rows[i] = []any{a[0], a[1]}
			}
			return rows, err
		},
	}
	procedures["expire_snapshots"] = procedure{
		params: []parameter{tableParam, param("older_than", types.Timestamp), param("retain_last", types.Int), param("max_concurrent_deletes", types.Int),
			param("stream_results", types.Boolean), {"snapshot_ids", types.ArrayOf(types.Of(types.Long), true), false}, param("clean_expired_metadata", types.Boolean)},
		result: []types.Field{long("deleted_data_files_count", true), long("deleted_position_delete_files_count", true), long("deleted_equality_delete_files_count", true),
			long("deleted_manifest_files_count", true), long("deleted_manifest_lists_count", true), long("deleted_statistics_files_count", true)},
		run: expireSnapshots,
	}
	procedures["remove_orphan_files"] = procedure{
		params: []parameter{tableParam, param("older_than", types.Timestamp), param("location", types.String), param("dry_run", types.Boolean),
			param("max_concurrent_deletes", types.Int), param("file_list_view", types.String), optionsOf("equal_schemes"), optionsOf("equal_authorities"),
			param("prefix_mismatch_mode", types.String), param("prefix_listing", types.Boolean)},
		result: []types.Field{text("orphan_file_location", false)},
		run:    removeOrphans,
	}
	procedures["rewrite_data_files"] = procedure{
		params: []parameter{tableParam, param("strategy", types.String), param("sort_order", types.String), optionsParam, param("where", types.String)},
		result: []types.Field{count("rewritten_data_files_count"), count("added_data_files_count"), long("rewritten_bytes_count", false),
			count("failed_data_files_count"), count("removed_delete_files_count")},
		run: rewriteDataFiles,
	}
	procedures["rewrite_manifests"] = procedure{
		params: []parameter{tableParam, param("use_caching", types.Boolean), param("spec_id", types.Int)},
		result: []types.Field{count("rewritten_manifests_count"), count("added_manifests_count")},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			var spec *int
			if v, ok := args["spec_id"].(int64); ok {
				n := int(v)
				spec = &n
			}
			replaced, added, err := s.engine.Lake.RewriteManifests(ctx, t, spec)
			return [][]any{{replaced, added}}, err
		},
	}
	procedures["rewrite_position_delete_files"] = procedure{
		params: []parameter{tableParam, optionsParam, param("where", types.String)},
		result: []types.Field{count("rewritten_delete_files_count"), count("added_delete_files_count"), long("rewritten_bytes_count", false), long("added_bytes_count", false)},
		run: func(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
			what, err := s.rewriting(ctx, t, args)
			if err != nil {
				return nil, err
			}
			r, err := s.engine.Lake.RewritePositions(ctx, t, what, s.db())
			return [][]any{{r.Files, r.Added, r.Bytes, r.AddedBytes}}, err
		},
	}
}

func optionsOf(name string) parameter { return parameter{name, optionsParam.typ, false} }

func expireSnapshots(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
	if err := checkDeletes(args); err != nil {
		return nil, err
	}
	var what lake.Expiring
	what.CleanMetadata, _ = args["clean_expired_metadata"].(bool)
	if v, ok := args["older_than"].(types.Micros); ok {
		ms := time.UnixMicro(int64(v)).UnixMilli()
		what.OlderThan = &ms
	}
	if v, ok := args["retain_last"].(int64); ok {
		n := int(v)
		what.RetainLast = &n
	}
	if list, ok := args["snapshot_ids"].([]any); ok {
		for _, v := range list {
			if id, ok := v.(int64); ok {
				what.IDs = append(what.IDs, id)
			}
		}
	}
	r, err := s.engine.Lake.Expire(ctx, t, what)
	return [][]any{{r.Data, r.PositionDeletes, r.EqualityDeletes, r.Manifests, r.ManifestLists, r.Statistics}}, err
}

// checkDeletes checks how many files are to be deleted at once, which is not visible in the result.
func checkDeletes(args map[string]any) error {
	if n, ok := args["max_concurrent_deletes"].(int64); ok && n < 1 {
		return errclass.IllegalArgument(fmt.Sprintf("max_concurrent_deletes should have value > 0, value: %d", n))
	}
	return nil
}

// orphanAge is how old a file must be at least to count as an orphan: a younger one may belong to a commit under way.
const orphanAge = 24 * time.Hour

func removeOrphans(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
	what := lake.Orphaned{Schemes: stringMap(args["equal_schemes"]), Authorities: stringMap(args["equal_authorities"])}
	mode, _ := args["prefix_mismatch_mode"].(string)
	switch what.Mismatch = strings.ToLower(mode); what.Mismatch {
	case "", "error", "ignore", "delete":
	default:
		return nil, errclass.IllegalArgument("Invalid mode: " + mode)
	}
	if err := checkDeletes(args); err != nil {
		return nil, err
	}
	what.Before = time.Now().Add(-3 * orphanAge)
	if v, ok := args["older_than"].(types.Micros); ok {
		what.Before = time.UnixMicro(int64(v))
		if time.Since(what.Before) < orphanAge {
			return nil, errclass.OrphanInterval()
		}
	}
	location, given := args["location"].(string)
	if given && location == "" {
		return nil, errclass.IllegalArgument("Can not create a Path from an empty string")
	}
	if what.Folder = location; given && !objects.Remote(location) {
		if _, err := s.userPath(location); err != nil {
			return nil, fmt.Errorf("%s: %w", location, err)
		}
		what.Folder = s.absolute(location)
	}
	if err := s.cleanable(what.Folder, t); err != nil {
		return nil, err
	}
	if view, ok := args["file_list_view"].(string); ok {
		var err error
		if what.Listed, err = s.listedFiles(ctx, view); err != nil {
			return nil, err
		}
	}
	what.Trial, _ = args["dry_run"].(bool)
	files, err := s.engine.Lake.Orphans(ctx, t, what)
	rows := make([][]any, len(files))
	for i, f := range files {
		rows[i] = []any{f}
	}
	return rows, err
}

// cleanable refuses a folder (empty: the table's) whose unknown files must stay: one that holds more than tables, or is the engine's own, and a
// table's that its metadata, which may be anybody's, puts elsewhere than where this session and the lakehouse have their files.
func (s *Session) cleanable(folder string, t *lake.Table) error {
	if folder == "" {
		folder = t.Location()
	}
	if objects.Remote(folder) {
		return nil
	}
	real, err := filepath.EvalSymlinks(s.absolute(folder))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // nothing is there
	case err != nil:
		return hive.LinkError(folder, err)
	case s.protected(real) || hive.Within(s.engine.Hive.TrashDir(), real):
		return errclass.PathProtected(real)
	}
	if _, err := s.userPath(real); err != nil && !slices.ContainsFunc(s.engine.warehouses(), func(dir string) bool { return hive.Within(dir, real) }) {
		return err
	}
	return nil
}

// listedFiles reads file_list_view: a table or view with the columns file_path and last_modified.
func (s *Session) listedFiles(ctx context.Context, view string) (map[string]time.Time, error) {
	name, err := sql.ParseName(view)
	if err != nil {
		return nil, err
	}
	n, err := s.Plan(ctx, &sql.TableRef{Name: name})
	if err != nil {
		return nil, err
	}
	columns := SchemaOf(n)
	at := map[string]int{}
	for i, f := range columns.Fields {
		at[f.Name] = i
	}
	for _, c := range []string{"file_path", "last_modified"} {
		if _, ok := at[c]; !ok {
			return nil, errclass.NoStructField(c, columns)
		}
	}
	rows, err := s.Collect(ctx, &Result{Node: n}, -1)
	if err != nil {
		return nil, err
	}
	out := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		path, ok1 := r[at["file_path"]].(string)
		modified, ok2 := r[at["last_modified"]].(types.Micros)
		if ok1 && ok2 {
			out[path] = time.UnixMicro(int64(modified))
		}
	}
	return out, nil
}

func rewriteDataFiles(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
	what, err := s.rewriting(ctx, t, args)
	if err != nil {
		return nil, err
	}
	strategy, _ := args["strategy"].(string)
	order, ordered := args["sort_order"].(string)
	what.ZOrder = strings.Contains(strings.ToLower(order), "zorder(")
	switch strings.ToLower(strategy) {
	case "sort":
		if what.OrderBy, err = sortedBy(t, order); err != nil {
			return nil, err
		}
	case "", "binpack":
		if ordered && strategy != "" {
			return nil, errclass.IllegalArgument("Cannot set rewrite mode, it has already been set to BIN-PACK")
		}
		if ordered {
			if what.OrderBy, err = sortedBy(t, order); err != nil {
				return nil, err
			}
		}
	default:
		return nil, errclass.IllegalArgument("unsupported strategy: " + strategy + ". Only binpack or sort is supported")
	}
	r, err := s.engine.Lake.Rewrite(ctx, t, what, s.db())
	return [][]any{{r.Files, r.Added, r.Bytes, r.Failed, r.RemovedDeletes}}, err
}

// sortedBy reads sort_order: columns or transforms with ASC | DESC and NULLS FIRST | LAST, or zorder(a, b).
func sortedBy(t *lake.Table, order string) (string, error) {
	if order == "" {
		return t.SortedBy(nil)
	}
	st, err := sql.Parse(sql.Spark, "ALTER TABLE t WRITE ORDERED BY "+order)
	if err != nil {
		return "", errclass.IllegalArgument("Unable to parse sortOrder: " + order)
	}
	act := st.(*sql.AlterTable).Actions[0]
	var fields []lake.SortField
	var z [][]string
	for _, o := range act.Order {
		if c, ok := o.X.(*sql.Call); ok && strings.EqualFold(c.Name[0].Text, "zorder") {
			for _, arg := range c.Args {
				id, ok := arg.X.(*sql.Ident)
				if !ok {
					return "", errclass.IllegalArgument("Unable to parse sortOrder: " + order)
				}
				z = append(z, names(sql.Spark, id.Parts))
			}
			continue
		}
		f, err := sortField(sql.Spark, act.At, o)
		if err != nil {
			return "", err
		}
		fields = append(fields, f)
	}
	if len(z) > 0 {
		if len(fields) > 0 {
			return "", errclass.IllegalArgument("Cannot mix identity sort columns and a Zorder sort expression: " + order)
		}
		return t.ZOrderedBy(z)
	}
	return t.SortedBy(fields)
}

// filterText is a condition as Spark's message shows it: with what Spark concludes from it, that columns are not NULL, before it.
func filterText(cond expr.Expr) string {
	text := plan.NameOf(sql.Spark, cond)
	implied := ""
	for _, c := range notNullBy(cond) {
		part := "(" + c.Name + " IS NOT NULL)"
		if implied == "" {
			implied = part
		} else {
			implied = "(" + implied + " AND " + part + ")"
		}
	}
	if implied == "" {
		return strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	}
	return implied + " AND " + text
}

// notNullBy are the nullable columns that are not NULL where a condition is true, as far as its comparisons tell.
func notNullBy(cond expr.Expr) (out []*expr.Column) {
	call, ok := cond.(*expr.Call)
	if !ok {
		return nil
	}
	switch call.Func.Name {
	case "and":
		for _, x := range call.Args {
			for _, c := range notNullBy(x) {
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	case "=", "<", ">", "<=", ">=", "like", "not":
		if call.Func.Name == "not" {
			inner, ok := call.Args[0].(*expr.Call)
			if !ok || inner.Func.Name == "and" || inner.Func.Name == "or" {
				return nil
			}
		}
		for _, c := range plan.Columns(cond) {
			if c.Null {
				out = append(out, c)
			}
		}
	}
	return out
}

// rewriting reads the arguments options and where.
func (s *Session) rewriting(ctx context.Context, t *lake.Table, args map[string]any) (lake.Rewriting, error) {
	what := lake.Rewriting{Options: map[string]string{}}
	if m, ok := args["options"].([]types.Entry); ok {
		for _, e := range m {
			what.Options[fmt.Sprint(e.Key)] = fmt.Sprint(e.Value)
		}
	}
	where, ok := args["where"].(string)
	if !ok {
		return what, nil
	}
	x, err := sql.ParseExpr(sql.Spark, where)
	if err != nil {
		return what, errclass.IllegalArgument("Cannot parse predicates in where option: " + where)
	}
	a := s.analyzer(sql.Spark, plan.Params{})
	cond, err := a.ConditionOn(ctx, s.source(t, nil), x)
	if err != nil {
		return what, errclass.IllegalArgument("Cannot parse predicates in where option: " + where)
	}
	if what.Where = s.condition(ctx, cond); what.Where != nil && !what.Where.Known() {
		if _, literal := cond.(*expr.Lit); !literal {
			return what, errclass.IllegalArgument("Cannot convert Spark filter: " + filterText(cond) + " to Iceberg expression")
		}
	}
	return what, nil
}
