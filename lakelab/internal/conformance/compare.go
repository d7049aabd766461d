package main

import (
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/plan"
)

// verdict is how an answer of ours compares with Spark's.
type verdict string

const (
	agrees     verdict = "agrees"      // names, types and rows; or the error class
	rowsOnly   verdict = "rows only"   // the rows, but another name or type
	otherRows  verdict = "other rows"  // both succeed
	fails      verdict = "fails"       // Spark succeeds
	otherClass verdict = "other class" // both fail
	succeeds   verdict = "no error"    // Spark fails
	tooLong    verdict = "too long"    // our time limit
	crashed    verdict = "crashed"     // the process ended
	passedOver verdict = "passed over" // not run: a setting that means nothing here
)

// answer is what our engine gave for a query.
type answer struct {
	Verdict verdict
	Schema  string
	Output  string
	Error   string // class and message
}

// answered is the state of a query that ran to its end.
type answered struct {
	result *engine.Result
	rows   [][]any
	format format
	err    error
}

// judge compares an answer with Spark's.
func judge(g golden, a answered) answer {
	if a.err != nil {
		return judgeError(g, a.err)
	}
	out := answer{Schema: a.result.Schema.SimpleString()}
	lines := make([]string, len(a.rows))
	for i, r := range a.rows {
		switch out.Schema {
		case described:
			lines[i] = padded(r)
			continue
		case shownTables, shownViews:
			lines[i] = fmt.Sprint(r[1])
			continue
		}
		lines[i] = a.format.line(a.result.Schema, r)
	}
	if !sorted(g.SQL, a.result) {
		sort.Strings(lines)
	}
	out.Output = strings.TrimRight(normalize(strings.Join(lines, "\n")), " \t\r\n\f\v")
	if out.Output != g.Output && sameUpToTies(a, lines, g.Output) {
		out.Output = g.Output
	}
	switch {
	case g.fails():
		out.Verdict = succeeds
	case out.Output != g.Output:
		out.Verdict = otherRows
	case out.Schema != g.Schema:
		out.Verdict = rowsOnly
	default:
		out.Verdict = agrees
	}
	return out
}

// described is the schema of DESCRIBE, whose rows Hive pads.
const described = "struct<col_name:string,data_type:string,comment:string>"

// The schemas of SHOW TABLES and SHOW VIEWS, of which Hive prints the names alone.
const (
	shownTables = "struct<namespace:string,tableName:string,isTemporary:boolean>"
	shownViews  = "struct<namespace:string,viewName:string,isTemporary:boolean>"
)

func padded(row []any) string {
	parts := make([]string, len(row))
	for i, v := range row {
		if v == nil {
			v = ""
		}
		parts[i] = fmt.Sprintf("%-20v", v)
	}
	return strings.Join(parts, "\t")
}

func judgeError(g golden, err error) answer {
	name, class := "", ""
	var e *errclass.Error
	if errors.As(err, &e) {
		name, class = e.Exception, e.Class
	}
	if strings.HasPrefix(class, "_LEGACY") {
		class = ""
	}
	out := answer{Error: strings.TrimSpace(name + " " + err.Error())}
	switch {
	case !g.fails():
		out.Verdict = fails
	case class == g.Class && (class != "" || sameException(name, g.Exception)):
		out.Verdict = agrees
	default:
		out.Verdict = otherClass
	}
	return out
}

// sameException compares exceptions without a class: PySpark's names are Java's without the prefix Spark.
func sameException(ours, theirs string) bool {
	return ours != "" && strings.TrimPrefix(ours, "Spark") == strings.TrimPrefix(theirs, "Spark")
}

// sameUpToTies reports whether an ordered answer has Spark's rows in an order that ORDER BY allows: rows with equal sort keys may
// stand in any order. It needs the keys among the columns.
func sameUpToTies(a answered, lines []string, want string) bool {
	sort, out := sortOf(a.result.Node), map[*expr.Column]int{}
	theirs := strings.Split(want, "\n")
	if sort == nil || len(theirs) != len(lines) {
		return false
	}
	for i, c := range a.result.Node.Output() {
		out[c] = i
	}
	keys := map[string]string{} // of a row, by its text
	count := map[string]int{}
	for i, row := range a.rows {
		key := ""
		for _, k := range sort.Keys {
			r, ok := k.X.(*expr.Ref)
			if !ok {
				return false
			}
			at, ok := out[r.Column]
			if !ok {
				return false
			}
			key += a.format.cell(r.T, row[at], false) + "\x00"
		}
		keys[lines[i]] = key
		count[lines[i]]++
	}
	for i, l := range theirs {
		if count[l]--; count[l] < 0 || keys[l] != keys[lines[i]] {
			return false
		}
	}
	return true
}

// sortOf is the sort that orders a plan's result, if its columns reach the top unchanged.
func sortOf(n plan.Node) *plan.Sort {
	switch n := n.(type) {
	case *plan.Sort:
		return n
	case *plan.Narrow:
		return sortOf(n.Child)
	case *plan.Limit:
		return sortOf(n.Child)
	case *plan.With:
		return sortOf(n.Child)
	}
	return nil
}

var ordered = regexp.MustCompile(`(?i)\border\s+by\b`)

// sorted tells whether the order of the rows counts. Spark's harness looks for a global sort in the plan that no operator
// above it destroys; DESCRIBE has an order of its own.
func sorted(query string, r *engine.Result) bool {
	if r.Node == nil {
		return strings.HasPrefix(strings.ToUpper(query), "DESC")
	}
	return ordered.MatchString(query) && keepsOrder(r.Node)
}

func keepsOrder(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Sort:
		return true
	case *plan.Project:
		return keepsOrder(n.Child)
	case *plan.Narrow:
		return keepsOrder(n.Child)
	case *plan.Filter:
		return keepsOrder(n.Child)
	case *plan.Window:
		return keepsOrder(n.Child)
	case *plan.Limit:
		return keepsOrder(n.Child)
	case *plan.With:
		return keepsOrder(n.Child)
	case *plan.SetOp:
		return keepsOrder(n.L) || keepsOrder(n.R)
	}
	return false
}

// What Spark's harness blots out before it records an answer.
var blots = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\b` + engine.CatalogName + `\b`), hiveCatalog},
	{regexp.MustCompile(`#\d+`), "#x"},
	{regexp.MustCompile(`plan_id=\d+`), "plan_id=x"},
	{regexp.MustCompile(`Created By.*`), "Created By [not included in comparison]"},
	{regexp.MustCompile(`Created Time.*`), "Created Time [not included in comparison]"},
	{regexp.MustCompile(`Last Access.*`), "Last Access [not included in comparison]"},
	{regexp.MustCompile(`Owner\t.*`), "Owner\t[not included in comparison]"},
	{regexp.MustCompile(`Partition Statistics\t\d+`), "Partition Statistics\t[not included in comparison]"},
}

func normalize(s string) string {
	for _, b := range blots {
		s = b.find.ReplaceAllString(s, b.with)
	}
	return s
}
