package celldoor

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/render"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/internal/decode"
	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

type handler struct {
	session bool // needs hello
	slow    bool // may take long: send progress
	run     func(ctx context.Context, c *conn, req map[string]any) (map[string]any, error)
}

var handlers map[string]handler

func init() {
	handlers = map[string]handler{
		wire.OpHello:      {run: hello},
		wire.OpStatus:     {run: status},
		wire.OpEndSession: {run: endSession},
		wire.OpShutdown:   {run: shutdown},
		wire.OpSQL:        {session: true, slow: true, run: runSQL},
		wire.OpAnalyze:    {session: true, run: analyze},
		wire.OpSchema:     {session: true, run: parseSchema},
		wire.OpCollect:    {session: true, slow: true, run: collect},
		wire.OpCount:      {session: true, slow: true, run: count},
		wire.OpShow:       {session: true, slow: true, run: show},
		wire.OpTree:       {session: true, run: tree},
		wire.OpExplain:    {session: true, run: explain},
		wire.OpHTML:       {session: true, slow: true, run: html},
		wire.OpCreateView: {session: true, run: createView},
		wire.OpWrite:      {session: true, slow: true, run: write},
		wire.OpUDF:        {run: registerUDF},
		wire.OpCatalog:    {session: true, run: catalog},
		wire.OpFiles:      {session: true, run: files},
		wire.OpConf:       {session: true, run: conf},
		wire.OpVarGet:     {session: true, run: varGet},
		wire.OpVarSet:     {session: true, run: varSet},
		wire.OpTrino:      {session: true, slow: true, run: trinoQuery},
		wire.OpStop:       {session: true, run: stop},
	}
}

func str(req map[string]any, key string) string {
	s, _ := req[key].(string)
	return s
}

func num(req map[string]any, key string) int64 {
	n, _ := req[key].(int64)
	return n
}

func hello(_ context.Context, c *conn, req map[string]any) (map[string]any, error) {
	if v := num(req, "version"); v != wire.Version {
		return nil, versionSkew(v)
	}
	if b := str(req, "build"); b != "" && b != c.door.build {
		return nil, buildSkew()
	}
	if c.door.engine.LostSession(str(req, "session")) {
		return nil, sessionLost()
	}
	c.session = c.door.engine.Session(str(req, "session"), str(req, "app"), str(req, "cwd"))
	c.session.SetOwner(int(num(req, "owner")))
	return map[string]any{"engine": "lakelab", "timeZone": c.session.Conf("spark.sql.session.timeZone"), "trino": c.door.url}, nil
}

func status(_ context.Context, c *conn, _ map[string]any) (map[string]any, error) {
	return map[string]any{"sessions": int64(c.door.engine.Sessions()), "protocol": int64(wire.Version)}, nil
}

func endSession(_ context.Context, c *conn, req map[string]any) (map[string]any, error) {
	c.door.engine.EndSession(str(req, "session"))
	return nil, nil
}

// shutdown says whether the engine ends; ServeConn ends it after the reply.
func shutdown(_ context.Context, c *conn, req map[string]any) (map[string]any, error) {
	onlyIdle, _ := req["idle"].(bool)
	return map[string]any{"stopped": !onlyIdle || c.door.engine.Idle() > 0}, nil
}

func stop(_ context.Context, c *conn, _ map[string]any) (map[string]any, error) {
	c.session.Reset()
	return nil, nil
}

// relation decodes a request's relation.
func relation(req map[string]any, key string) (sql.Relation, error) {
	m, ok := req[key].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the request has no %s", key)
	}
	return decode.Relation(m)
}

// kept is the plan of a query that spark.SQL has just analyzed. An action that comes next runs it as it is; anything else may have
// changed what the names mean.
type kept struct {
	relation []byte // encoded
	result   *engine.Result
}

// keep remembers a plan for the next request.
func (c *conn) keep(relation map[string]any, r *engine.Result) {
	if b, err := wire.Append(nil, relation); err == nil {
		c.kept = &kept{b, r}
	}
}

// reuse gives the plan that the request before made, if it is of the same relation.
func (c *conn) reuse() *engine.Result {
	if k := c.before; k != nil && bytes.Equal(c.relation, k.relation) {
		return k.result
	}
	return nil
}

func planned(ctx context.Context, c *conn, req map[string]any) (*engine.Result, error) {
	if r := c.reuse(); r != nil {
		return r, nil
	}
	rel, err := relation(req, "relation")
	if err != nil {
		return nil, err
	}
	n, err := c.session.Plan(ctx, rel)
	if err != nil {
		return nil, errclass.InText(err, decode.SoleText(req["relation"]))
	}
	return &engine.Result{Schema: engine.SchemaOf(n), Node: n, UpdateCount: -1, Text: decode.SoleText(req["relation"])}, nil
}

func runSQL(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	text := str(req, "text")
	params, err := decode.Params(req["args"])
	if err != nil {
		return nil, err
	}
	r, err := c.session.Execute(ctx, sql.Spark, text, params)
	if err != nil {
		return nil, err
	}
	if r.Node != nil {
		rel := map[string]any{"n": "sql", "text": r.Text}
		if req["args"] != nil {
			rel["args"] = req["args"]
		}
		c.keep(rel, r)
		return map[string]any{"schema": r.Schema, "relation": rel}, nil
	}
	rows := make([]any, len(r.Rows))
	for i, row := range r.Rows {
		rows[i] = row
	}
	return map[string]any{"schema": r.Schema, "relation": map[string]any{"n": "rows", "schema": r.Schema, "rows": rows}}, nil
}

func analyze(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	r, err := planned(ctx, c, req)
	if err != nil {
		return nil, err
	}
	return map[string]any{"schema": r.Schema}, nil
}

func parseSchema(_ context.Context, _ *conn, req map[string]any) (map[string]any, error) {
	t, err := decode.Schema(str(req, "ddl"))
	if err != nil {
		return nil, err
	}
	return map[string]any{"schema": t}, nil
}

func collect(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	r, err := planned(ctx, c, req)
	if err != nil {
		return nil, err
	}
	limit := num(req, "limit")
	if limit >= 0 {
		r.Node = &plan.Limit{N: limit, Child: r.Node}
	}
	rows, err := c.session.Open(ctx, r)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for {
		batch, err := rows.Next()
		if err != nil {
			return nil, err
		}
		if batch == nil {
			return map[string]any{"schema": r.Schema, "timeZone": c.session.Conf("spark.sql.session.timeZone")}, nil
		}
		out := make([]any, len(batch))
		for i, row := range batch {
			out[i] = row
		}
		if err := c.send(map[string]any{"t": "rows", "rows": out}); err != nil {
			return nil, err
		}
	}
}

func count(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	rel, err := relation(req, "relation")
	if err != nil {
		return nil, err
	}
	n, err := c.session.Count(ctx, rel)
	if err != nil {
		return nil, err
	}
	return map[string]any{"count": n}, nil
}

// shown is the beginning of a query's result, as Spark's texts.
type shown struct {
	columns []string
	rows    [][]string
	nulls   [][]*string // the same cells, nil for NULL
	more    bool        // there are others
}

// texts runs a query for at most n rows.
func texts(ctx context.Context, c *conn, r *engine.Result, n int64) (shown, error) {
	var out shown
	r.Node = &plan.Limit{N: n + 1, Child: r.Node}
	values, err := c.session.Collect(ctx, r, n+1)
	if err != nil {
		return out, err
	}
	if int64(len(values)) > n {
		values, out.more = values[:n], true
	}
	format := c.session.Format()
	for _, f := range r.Schema.Fields {
		out.columns = append(out.columns, f.Name)
	}
	out.rows, out.nulls = make([][]string, len(values)), make([][]*string, len(values))
	for i, v := range values {
		out.rows[i], out.nulls[i] = make([]string, len(v)), make([]*string, len(v))
		for j := range v {
			out.rows[i][j] = format.Text(r.Schema.Fields[j].Type, v[j])
			if v[j] != nil {
				out.nulls[i][j] = &out.rows[i][j]
			}
		}
	}
	return out, nil
}

// maxShown bounds show and Display: Spark's own limit of an int is of no use in a notebook.
const maxShown = 1 << 20

func show(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	r, err := planned(ctx, c, req)
	if err != nil {
		return nil, err
	}
	n := min(max(num(req, "n"), 0), maxShown)
	s, err := texts(ctx, c, r, n)
	if err != nil {
		return nil, err
	}
	vertical, _ := req["vertical"].(bool)
	return map[string]any{"text": types.ShowTable(s.columns, s.rows, int(num(req, "truncate")), vertical, s.more, int(n))}, nil
}

func tree(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	r, err := planned(ctx, c, req)
	if err != nil {
		return nil, err
	}
	return map[string]any{"text": types.TreeString(r.Schema, int(num(req, "level")))}, nil
}

func explain(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	r, err := planned(ctx, c, req)
	if err != nil {
		return nil, err
	}
	return map[string]any{"text": plan.Explain(ctx, r.Node)}, nil
}

func html(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	r, err := planned(ctx, c, req)
	if err != nil {
		return nil, err
	}
	n := min(max(num(req, "n"), 0), maxShown)
	s, err := texts(ctx, c, r, n)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"html": render.Frame(r.Schema, s.nulls, s.more),
		"text": types.ShowTable(s.columns, s.rows, 20, false, s.more, int(n)),
	}, nil
}

func createView(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	rel, err := relation(req, "relation")
	if err != nil {
		return nil, err
	}
	global, _ := req["global"].(bool)
	replace, _ := req["replace"].(bool)
	return nil, c.session.CreateView(ctx, str(req, "name"), rel, replace, global)
}

func write(ctx context.Context, c *conn, req map[string]any) (map[string]any, error) {
	st, err := decode.Write(req, func(name string) (bool, error) { return c.session.TableExists(ctx, name) })
	if err != nil {
		return nil, err
	}
	_, err = c.session.Command(ctx, st)
	return nil, err
}

func conf(_ context.Context, c *conn, req map[string]any) (map[string]any, error) {
	key := str(req, "key")
	switch call := str(req, "call"); call {
	case "get":
		if !c.session.KnownConf(key) {
			return map[string]any{"value": nil}, nil
		}
		return map[string]any{"value": c.session.Conf(key)}, nil
	case "set":
		return nil, c.session.SetConf(key, str(req, "value"))
	case "unset":
		c.session.UnsetConf(key)
		return nil, nil
	default:
		return nil, fmt.Errorf("unknown conf call %q", call)
	}
}

func varGet(_ context.Context, c *conn, req map[string]any) (map[string]any, error) {
	v, ok := c.session.Var(str(req, "name"))
	return map[string]any{"value": v, "found": ok}, nil
}

func varSet(_ context.Context, c *conn, req map[string]any) (map[string]any, error) {
	name := str(req, "name")
	if strings.TrimSpace(name) == "" {
		return nil, fmt.Errorf("a variable needs a name")
	}
	c.session.SetVar(name, req["value"])
	return nil, nil
}
