package engine

import (
	"context"
	"encoding/json"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// describeFunction runs DESCRIBE FUNCTION [EXTENDED] name: Spark's name and class, and a usage of our own. Nothing here has examples, so
// that EXTENDED says for all what Spark says for functions without.
func (s *Session) describeFunction(a *plan.Analyzer, st *sql.Describe) (*Result, error) {
	parts := names(a.Dialect, st.Name)
	var rows [][]any
	say := func(line string) { rows = append(rows, []any{line}) }
	name := strings.ToLower(parts[len(parts)-1])
	if r := s.routine(name); len(parts) == 1 && r != nil {
		say("Function: " + name)
		say("Class: sqlFunction.")
		say("Usage: " + r.Usage)
	} else {
		f, ok := functions.SparkFunctionNamed(name)
		if len(parts) > 1 || !ok {
			if f := functions.Lookup(sql.Spark, name); len(parts) == 1 && f != nil && f.Missing != "" {
				return nil, errclass.FunctionMissing(int(sql.Spark), f.Name, f.Missing).At(span(st.Name))
			}
			catalog, namespace := s.Current()
			return nil, errclass.RoutineNotResolved(parts, []string{catalog, namespace}).At(span(st.Name))
		}
		say("Function: " + f.Name)
		if f.Class != "" {
			say("Class: " + f.Class)
		}
		say("Usage: " + f.Usage)
	}
	if st.Extended {
		say("Extended Usage:\n    No example/argument for " + name + ".\n")
	}
	return local(rows, text("function_desc", false)), nil
}

// describeRoutine keeps with a SQL function what Spark 4.0 shows as its usage: its properties, as JSON. In Spark these have the order of a
// hash table; here they are sorted.
func (s *Session) describeRoutine(r *plan.Routine, st *sql.CreateFunction) {
	catalog, namespace := s.Current()
	p := map[string]string{
		"referredTempViewNames": "[]", "referredTempVariableNames": "[]", "referredTempFunctionsNames": "[]",
		"catalogAndNamespace.numParts": "2", "catalogAndNamespace.part.0": catalog, "catalogAndNamespace.part.1": namespace,
		"sqlFunction.isTableFunc": strconv.FormatBool(r.Table), "sqlFunction.createTime": strconv.FormatInt(time.Now().UnixMilli(), 10),
		"sqlFunction.deterministic": strconv.FormatBool(!st.NotDeterministic),
	}
	for _, k := range []string{"spark.sql.ansi.enabled", confTimeZone} {
		p["sqlConfig."+k] = s.Conf(k)
	}
	if st.ParamsText != "" {
		p["sqlFunction.inputParam"] = st.ParamsText
	}
	if st.SQLAccess != "" {
		p["sqlFunction.containsSQL"] = strconv.FormatBool(st.SQLAccess == "CONTAINS")
	}
	if st.Comment != nil {
		p["sqlFunction.comment"] = *st.Comment
	}
	if r.Table {
		p["sqlFunction.query"] = st.BodyText
	} else {
		p["sqlFunction.expression"] = st.BodyText
	}
	switch {
	case r.Table:
		columns := make([]string, len(r.Columns))
		for i, c := range r.Columns {
			columns[i] = types.QuoteIfNeeded(c.Name) + " " + c.Type.SQL()
			if c := st.Columns[i].Comment; c != nil {
				columns[i] += " COMMENT " + literalText(*c)
			}
		}
		p["sqlFunction.returnType"] = strings.Join(columns, ",")
	default:
		p["sqlFunction.returnType"] = r.Gives.SQL()
	}
	usage, _ := json.Marshal(p) // of texts
	r.Usage = string(usage)
}

// showFunctions runs SHOW [USER | SYSTEM | ALL] FUNCTIONS: the session's SQL functions are the user's.
func (s *Session) showFunctions(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	if err := s.functionsNamespace(ctx, a, st); err != nil {
		return nil, err
	}
	var list []string
	if st.Key != "USER" {
		for _, f := range functions.SparkFunctions() {
			list = append(list, f.Name)
		}
	}
	if st.Key != "SYSTEM" {
		s.mu.Lock()
		for name := range s.routines {
			list = append(list, name)
		}
		s.mu.Unlock()
	}
	sort.Strings(list)
	var rows [][]any
	for _, name := range list {
		if st.Like == nil || filtered(*st.Like, name) {
			rows = append(rows, []any{name})
		}
	}
	return local(rows, text("function", false)), nil
}

// functionsNamespace refuses a schema that does not exist. None has functions of its own here; Iceberg's are in lakehouse.system.
func (s *Session) functionsNamespace(ctx context.Context, a *plan.Analyzer, st *sql.Show) error {
	parts := names(a.Dialect, st.Name)
	inside := parts
	if len(parts) > 0 && (strings.EqualFold(parts[0], CatalogName) || strings.EqualFold(parts[0], HiveCatalogName)) {
		inside = parts[1:]
	}
	if len(inside) == 0 || len(inside) == 1 && (inside[0] == "system" || inside[0] == DefaultNamespace) {
		return nil
	}
	if len(inside) < len(parts) && strings.EqualFold(parts[0], CatalogName) {
		parts = inside
	}
	if ok, err := s.engine.Lake.NamespaceExists(ctx, strings.Join(inside, ".")); err != nil || ok && len(inside) == len(parts) {
		return err
	}
	return errclass.SchemaNotFound(a.Dialect, parts).At(span(st.Name))
}

// filtered compares a name with SHOW's pattern: regular expressions between |, in which * stands for any characters.
func filtered(pattern, name string) bool {
	for p := range strings.SplitSeq(strings.TrimSpace(pattern), "|") {
		if re, err := regexp.Compile("(?i)^(?:" + strings.ReplaceAll(p, "*", ".*") + ")$"); err == nil && re.MatchString(name) {
			return true
		}
	}
	return false
}
