package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// timeZoneProperty is the session property that SET TIME ZONE sets.
const timeZoneProperty = "time_zone_id"

// sessionProperty is one of Trino's session properties ("Session properties" in its documentation).
type sessionProperty struct {
	kind   types.Kind // String, Int, Long, Boolean, Double; Array of texts
	value  string     // by default
	words  []string   // the values that it may have, if they are listed
	doc    string
	hidden bool                            // SHOW SESSION leaves it out
	check  func(name, value string) string // says what is wrong with a value; empty if nothing is
}

// sessionProperties are those that scripts set. The time zone, the longest run and execution and the depth of recursion are obeyed. The others tune how a cluster runs
// a query, which DuckDB does in its own way: they are kept and shown, so that a script for a real Trino runs unchanged.
var sessionProperties = map[string]sessionProperty{
	timeZoneProperty:                      {kind: types.String, hidden: true, doc: "Time zone of the session"},
	recursionDepth:                        {kind: types.Int, value: "10", check: isDepth, doc: "How often the step of a recursive query may give rows"},
	maxRunTime:                            {kind: types.String, value: "100.00d", check: isDuration, doc: "Longest time from start to end of a query"},
	maxExecutionTime:                      {kind: types.String, value: "100.00d", check: isDuration, doc: "Longest time that a query may execute"},
	"query_max_planning_time":             {kind: types.String, value: "10.00m", check: isDuration, doc: "Longest time that planning may take"},
	"query_max_cpu_time":                  {kind: types.String, value: "1000000000.00d", check: isDuration, doc: "Most CPU time of a query"},
	"query_max_memory":                    {kind: types.String, value: "1GB", hidden: true, doc: "Most memory of a query"},
	"query_priority":                      {kind: types.Int, value: "1", doc: "Priority of queries"},
	"join_distribution_type":              {kind: types.String, value: "AUTOMATIC", words: []string{"BROADCAST", "PARTITIONED", "AUTOMATIC"}, doc: "How joins are distributed"},
	"join_reordering_strategy":            {kind: types.String, value: "AUTOMATIC", words: []string{"NONE", "ELIMINATE_CROSS_JOINS", "AUTOMATIC"}, doc: "How joins are ordered"},
	"join_max_broadcast_table_size":       {kind: types.String, value: "100MB", doc: "Largest table to broadcast"},
	"task_concurrency":                    {kind: types.Int, value: "2", doc: "Parallel jobs of a worker"},
	"task_min_writer_count":               {kind: types.Int, value: "1", doc: "Least number of writers of a task"},
	"task_max_writer_count":               {kind: types.Int, value: "4", doc: "Greatest number of writers of a task"},
	"scale_writers":                       {kind: types.Boolean, value: "true", doc: "Add writers while a query writes"},
	"redistribute_writes":                 {kind: types.Boolean, value: "true", doc: "Distribute what is written"},
	"enable_dynamic_filtering":            {kind: types.Boolean, value: "true", doc: "Filter by the other side of a join while it runs"},
	"optimize_hash_generation":            {kind: types.Boolean, value: "false", hidden: true, doc: "Compute hashes early"},
	"push_aggregation_through_outer_join": {kind: types.Boolean, value: "true", doc: "Aggregate below outer joins"},
	"push_partial_aggregation_through_join": {
		kind: types.Boolean, value: "true", doc: "Aggregate in part below joins"},
	"spill_enabled":            {kind: types.Boolean, value: "false", doc: "Spill to disk"},
	"hash_partition_count":     {kind: types.Int, hidden: true},
	"max_hash_partition_count": {kind: types.Int, value: "100", doc: "Greatest number of partitions of an exchange"},
	"retry_policy":             {kind: types.String, value: "NONE", hidden: true, words: []string{"NONE", "TASK", "QUERY"}, doc: "What is run again after a failure"},
	"distinct_aggregations_strategy": {
		kind: types.String, words: []string{"AUTOMATIC", "MARK_DISTINCT", "SINGLE_STEP", "PRE_AGGREGATE", "SPLIT_TO_SUBQUERIES"}, doc: "How DISTINCT aggregates run"},
	"ignore_stats_calculator_failures": {kind: types.Boolean, value: "true", doc: "Plan without statistics that cannot be had"},
}

// The properties that bound a query's time.
const (
	maxRunTime       = "query_max_run_time"
	maxExecutionTime = "query_max_execution_time"
)

// recursionDepth is the property that bounds recursive queries.
const recursionDepth = "max_recursion_depth"

// recursionLimit is how often the step of a recursive query may give rows.
func (s *Session) recursionLimit() int {
	if n, err := strconv.Atoi(s.trino.properties[recursionDepth]); err == nil && n > 0 {
		return n
	}
	return 10
}

// property finds a session property by its lower-case name.
func (s *Session) property(key string) (sessionProperty, error) {
	catalog, rest, qualified := strings.Cut(key, ".")
	if strings.Contains(rest, ".") {
		return sessionProperty{}, errclass.TrinoPropertyName(key)
	}
	if qualified && !s.trinoCatalog(catalog) {
		return sessionProperty{}, errclass.CatalogNotFound(sql.Trino, catalog)
	}
	p, ok := sessionProperties[key]
	if !ok {
		return p, errclass.TrinoNoProperty(key)
	}
	return p, nil
}

// propertyValue computes and checks the value of SET SESSION key = expression.
func (s *Session) propertyValue(ctx context.Context, a *plan.Analyzer, p sessionProperty, st *sql.Set) (string, error) {
	x, err := a.Value(ctx, st.X)
	if err != nil {
		return "", err
	}
	got := x.Type()
	if st.TimeZone && got.Kind != types.String && got.Kind != types.DayTimeInterval {
		return "", errclass.TrinoZoneType(plan.Formatted(st.X), got)
	}
	if got.Kind == types.Null {
		return "", errclass.TrinoPropertyNull(st.Key, plan.Formatted(st.X))
	} else if got.Kind == types.DayTimeInterval && st.TimeZone {
		v, err := s.eval(ctx, a, st.X, got)
		if err != nil {
			return "", err
		}
		micros, ok := v.(int64)
		if !ok {
			return "", errclass.TrinoZoneValue(plan.Formatted(st.X))
		}
		if micros%60e6 != 0 {
			return "", errclass.TrinoZoneSeconds()
		}
		minutes := micros / 60e6
		sign := '+'
		if minutes < 0 {
			sign, minutes = '-', -minutes
		}
		return zoneOffset(sign, minutes), nil
	} else if !p.takes(got) {
		written := plan.Written(st.X)
		if l, ok := st.X.(*sql.Literal); ok && l.Kind == sql.TypedLit {
			written = strings.ToUpper(l.TypeName) + " " + trinoQuote(l.Text)
		}
		return "", errclass.TrinoPropertyType(st.Key, written, p.typ(), got)
	}
	to := x.Type()
	if p.kind == types.Double || p.kind == types.Array {
		to = p.typ()
	}
	v, err := s.eval(ctx, a, st.X, to)
	if err != nil {
		return "", err
	}
	if v == nil && st.TimeZone {
		return "", errclass.TrinoZoneValue(plan.Formatted(st.X))
	}
	if v == nil {
		return "", errclass.TrinoPropertyNull(st.Key, plan.Formatted(st.X))
	}
	text := types.Text(to, v, nil)
	if list, ok := v.([]any); ok {
		quoted, err := json.Marshal(list)
		if err != nil {
			return "", err
		}
		text = string(quoted)
	}
	if fault := propertyFault(strings.ToLower(st.Key), p, text); fault != "" {
		return "", errclass.TrinoBadProperty(fault).At(st.X.Span())
	}
	return text, nil
}

// invalidWord says that a value is none of the words that it may be.
func invalidWord(value string, words []string) string {
	return "Invalid value [" + value + "]. Valid values: [" + strings.Join(words, ", ") + "]"
}

// typ is a property's type.
func (p sessionProperty) typ() types.Type {
	if p.kind == types.Array {
		return texts
	}
	return types.Of(p.kind)
}

// takes reports whether values of a type can be given to a property.
func (p sessionProperty) takes(t types.Type) bool {
	switch {
	case p.kind == types.Array && t.Kind == types.Array:
		return t.Elem.Kind == types.String || t.Elem.Kind == types.Null
	case p.kind == types.Double:
		return t.IsNumeric()
	}
	return t.Kind == p.kind || p.kind == types.Long && t.Kind == types.Int
}

// propertyFault says what is wrong with a value that has the right type; empty if nothing is.
func propertyFault(key string, p sessionProperty, value string) string {
	if len(p.words) > 0 && !slices.ContainsFunc(p.words, func(w string) bool { return strings.EqualFold(w, value) }) {
		return invalidWord(value, p.words)
	}
	if p.check != nil {
		return p.check(key[strings.LastIndexByte(key, '.')+1:], value)
	}
	return ""
}

// isDepth checks how deep recursive queries may go.
func isDepth(name, value string) string {
	if n, err := strconv.Atoi(value); err != nil || n < 1 {
		return name + " must be equal or greater than 1"
	}
	return ""
}

// checkProperties checks what a client sends along.
func (s *Session) checkProperties() error {
	for _, k := range slices.Sorted(maps.Keys(s.trino.properties)) {
		if i := strings.LastIndexByte(k, '.'); i >= 0 && !s.trinoCatalog(k[:i]) {
			return errclass.CatalogNotFound(sql.Trino, k[:i]).Nowhere()
		}
		p, err := s.property(k)
		if err != nil {
			return err
		}
		fault := propertyFault(k, p, s.trino.properties[k])
		if fault != "" && k != recursionDepth {
			fault = "Session property '" + k + "' is invalid: " + fault
		}
		if fault != "" {
			return errclass.TrinoBadProperty(fault).Nowhere()
		}
	}
	return nil
}

// propertyNow is the value of a property: what the session set, or the default.
func (s *Session) propertyNow(key string) string {
	if v, ok := s.trino.properties[key]; ok {
		return v
	}
	return sessionProperties[key].value
}

// showSession is SHOW SESSION.
func (s *Session) showSession() *Result {
	var rows [][]any
	for k, p := range sessionProperties {
		if p.hidden {
			continue
		}
		rows = append(rows, []any{k, s.propertyNow(k), p.value, p.typ().Trino(), p.doc})
	}
	// Properties of the engine come first, then each catalog's.
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i][0].(string), rows[j][0].(string)
		if qa, qb := strings.Contains(a, "."), strings.Contains(b, "."); qa != qb {
			return qb
		}
		return a < b
	})
	return sized(rows, "Name", "Value", "Default", "Type", "Description")
}

// timeLimit is how long a query may run, and the error that it ends with then.
type timeLimit struct {
	after time.Duration
	err   error
}

// timeLimits are the limits that the session has set. From when a query begins to execute is from when it comes: nothing waits here.
func (s *Session) timeLimits() (out []timeLimit) {
	for _, l := range []struct{ property, what string }{{maxRunTime, "maximum time"}, {maxExecutionTime, "the maximum execution time"}} {
		text := s.trino.properties[l.property]
		if d, err := trinoDuration(text); err == nil && d > 0 {
			out = append(out, timeLimit{d, errclass.TrinoTooLong(l.what, roundedDuration(text))})
		}
	}
	return out
}

// durationUnits are the units of Trino's durations.
var durationUnits = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
}

// trinoDuration reads a time such as 5m or 1.50h.
func trinoDuration(text string) (time.Duration, error) {
	digits := strings.TrimRight(text, "nsumhd")
	unit, ok := durationUnits[text[len(digits):]]
	n, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no duration", text)
	}
	return time.Duration(n * float64(unit)), nil
}

// zoneOffset spells a zone that is an offset: +03:00.
func zoneOffset(sign rune, minutes int64) string {
	return fmt.Sprintf("%c%02d:%02d", sign, minutes/60, minutes%60)
}
