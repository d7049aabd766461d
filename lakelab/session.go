package lakelab

import (
	"fmt"
	"slices"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// node is a relation's or a column's tree, as package wire describes it.
type node = wire.Node

// Session is the way into the lakehouse (pyspark.sql.SparkSession). The engine keeps its state between cells: current
// catalog and database, settings, temporary views and values of Var.
type Session struct{ app string }

// NewSession returns the session of this notebook (SparkSession.builder.appName(app).getOrCreate()). It does no work:
// the engine is found, or started, with the first request. A cell declares it as a variable:
//
//	var spark = lakelab.NewSession("my-lesson")
func NewSession(app string) *Session {
	if engine.app == "" {
		engine.app = app
	}
	return &Session{app: app}
}

// SQL runs a statement of Spark SQL (spark.sql). A command runs at once, a query when its rows are needed. Arguments
// fill the parameters: a single map[string]any for :name, anything else for ? in order. They may be Go values or
// Columns. Errors: ParseException, AnalysisException and whatever the command fails with.
func (s *Session) SQL(text string, args ...any) *DataFrame {
	req := node{"op": wire.OpSQL, "text": text, "args": sqlArgs(args)}
	reply := call(req)
	rel, ok := reply["relation"].(map[string]any)
	if !ok {
		raise("EngineError", "", "ответ движка на SQL без результата")
	}
	return &DataFrame{rel: rel, schema: schemaOf(reply)}
}

func sqlArgs(args []any) any {
	if len(args) == 0 {
		return nil
	}
	if named, ok := args[0].(map[string]any); ok && len(args) == 1 {
		m := node{}
		for _, k := range sortedKeys(named) {
			m[k] = LiteralOf(named[k]).node
		}
		return m
	}
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = LiteralOf(a).node
	}
	return list
}

// Table reads a table or view by name (spark.table). Error: AnalysisException TABLE_OR_VIEW_NOT_FOUND.
func (s *Session) Table(name string) *DataFrame { return analyze(node{"n": "table", "name": name}) }

// Range makes one column id BIGINT (spark.range): Range(end), Range(start, end) or Range(start, end, step), without end
// itself.
func (s *Session) Range(bounds ...int64) *DataFrame {
	start, end, step := int64(0), int64(0), int64(1)
	switch len(bounds) {
	case 1:
		end = bounds[0]
	case 2:
		start, end = bounds[0], bounds[1]
	case 3:
		start, end, step = bounds[0], bounds[1], bounds[2]
	default:
		raise("TypeError", "", "Range(end), Range(start, end) или Range(start, end, step): получено аргументов: %d", len(bounds))
	}
	return analyze(node{"n": "range", "start": start, "end": end, "step": step})
}

// Catalog looks at databases, tables and columns (spark.catalog).
func (s *Session) Catalog() *Catalog { return &Catalog{} }

// Conf reads and changes settings of the session (spark.conf).
func (s *Session) Conf() *Conf { return &Conf{} }

// Stop ends the session (spark.stop): its temporary views, settings and values of Var are gone. The tables stay.
func (s *Session) Stop() {
	call(node{"op": wire.OpStop})
	engine.mu.Lock()
	defer engine.mu.Unlock()
	engine.close()
}

// Conf is the session's settings (pyspark.sql.conf.RuntimeConfig).
type Conf struct{}

// Get returns a setting (spark.conf.get). A key that is not set gives the default, if one is passed, or fails.
func (*Conf) Get(key string, defaultValue ...string) string {
	value, isSet := call(node{"op": wire.OpConf, "call": "get", "key": key})["value"].(string)
	switch {
	case isSet:
		return value
	case len(defaultValue) > 0:
		return defaultValue[0]
	}
	raiseClass("SparkNoSuchElementException", "SQL_CONF_NOT_FOUND", "42K0I",
		"The SQL config \"%s\" cannot be found. Please verify that the config exists.", key)
	return ""
}

// Set changes a setting for this session (spark.conf.set). The value may be a string, a number or a bool.
func (*Conf) Set(key string, value any) {
	call(node{"op": wire.OpConf, "call": "set", "key": key, "value": fmt.Sprint(value)})
}

// Unset brings the default back (spark.conf.unset).
func (*Conf) Unset(key string) { call(node{"op": wire.OpConf, "call": "unset", "key": key}) }

// sortedKeys makes what is built from a Go map the same every time.
func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// analyze asks the engine for a relation's schema; an error in it belongs to the calling line.
func analyze(rel node) *DataFrame {
	return &DataFrame{rel: rel, schema: schemaOf(call(node{"op": wire.OpAnalyze, "relation": rel}))}
}

// Schema types, under the names a cell uses.
type (
	// Type is a data type of Spark; SimpleString, SQL and TypeName spell it.
	Type = types.Type
	// Field is a column of a schema.
	Field = types.Field
)
