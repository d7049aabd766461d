package duck_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// recorded is what real Spark answered to SELECT expr; testdata/record_expressions.py makes the file.
type recorded struct {
	Expr  string     `json:"expr"`
	Names []string   `json:"names,omitempty"`
	Types []string   `json:"types,omitempty"`
	Null  []bool     `json:"nullable,omitempty"`
	Rows  [][]string `json:"rows,omitempty"`
	Error *problem   `json:"error,omitempty"`
}

type problem struct {
	Class     string `json:"class"`
	State     string `json:"state,omitempty"`
	Exception string `json:"exception,omitempty"`
	Message   string `json:"message,omitempty"`
}

// views is a catalog of temporary views.
type views map[string]*sql.CreateView

func (views) Files(context.Context, *sql.Files) (*plan.Relation, error) { return nil, nil }

func (v views) Resolve(_ context.Context, ref *sql.TableRef, _ plan.Eval) (*plan.Relation, error) {
	name := ref.Name[len(ref.Name)-1].Text
	if v[name] == nil {
		return nil, nil
	}
	return &plan.Relation{Name: []string{name}, View: &sql.Derived{At: v[name].At, Query: v[name].AsQuery}}, nil
}

// tables are those of `make fuzz`.
var tables = sync.OnceValue(func() views {
	text, err := os.ReadFile("../../internal/fuzz/tables.sql")
	if err != nil {
		panic(err)
	}
	out := views{}
	for _, s := range strings.Split(strings.TrimSpace(string(text)), ";\n") {
		st, err := sql.Parse(sql.Spark, strings.TrimSuffix(s, ";"))
		if err != nil {
			panic(err)
		}
		v := st.(*sql.CreateView)
		out[v.Name[len(v.Name)-1].Text] = v
	}
	return out
})

func analyze(ctx context.Context, db *duck.DB, text string) (plan.Node, error) {
	st, err := sql.Parse(sql.Spark, text)
	if err != nil {
		return nil, err
	}
	a := &plan.Analyzer{Catalog: tables(), Settings: plan.Settings{TimeZone: "UTC", CurrentCatalog: "spark_catalog", CurrentNamespace: "default", User: "lakelab"}}
	a.Eval = func(ctx context.Context, x sql.Expr, to types.Type) (any, error) {
		l, err := a.Constant(ctx, x, to)
		if err != nil {
			return nil, err
		}
		r, err := duck.Run(ctx, db, &plan.Project{Items: []plan.Item{plan.NewItem("value", l)}, Child: &plan.OneRow{}}, duck.RunOptions{TimeZone: "UTC"})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		rows, err := r.Next()
		if err != nil || len(rows) != 1 {
			return nil, err
		}
		return rows[0][0], nil
	}
	return a.Query(ctx, st.(*sql.QueryStmt).Query)
}

// shown escapes control characters as show does.
var shown = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\f", `\f`, "\b", `\b`, "\v", `\v`, "\a", `\a`)

func ask(ctx context.Context, db *duck.DB, text string) (got recorded) {
	got.Expr = text
	defer func() {
		if r := recover(); r != nil {
			got.Error = &problem{Class: "panic", Message: fmt.Sprint(r)}
		}
	}()
	fail := func(err error) recorded {
		got.Error = &problem{Class: "?", Message: err.Error()}
		var e *errclass.Error
		if errors.As(err, &e) {
			e.SQL = text
			got.Error = &problem{e.Class, e.SQLState, e.Exception, e.Text()}
		}
		return got
	}
	n, err := analyze(ctx, db, text)
	if err != nil {
		return fail(err)
	}
	r, err := duck.Run(ctx, db, n, duck.RunOptions{TimeZone: "UTC"})
	if err != nil {
		return fail(err)
	}
	defer r.Close()
	rows := [][]string{}
	for {
		batch, err := r.Next()
		if err != nil {
			return fail(err)
		}
		if batch == nil {
			break
		}
		for _, b := range batch {
			row := make([]string, len(b))
			for i, v := range b {
				row[i] = strings.TrimRight(shown.Replace(types.Text(n.Output()[i].T, v, time.UTC)), " ")
			}
			rows = append(rows, row)
		}
	}
	for _, c := range n.Output() {
		got.Names, got.Types, got.Null = append(got.Names, c.Name), append(got.Types, c.T.SimpleString()), append(got.Null, c.Null)
	}
	got.Rows = rows
	return got
}

func recordings(t testing.TB, path string) []recorded {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []recorded
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r recorded
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func open(t testing.TB) *duck.DB {
	db, err := duck.Open(context.Background(), duck.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// differencesFile lists, one a line, the expressions whose answer is not Spark's yet. It may only get shorter.
const differencesFile = "testdata/differences.txt"

var update = flag.Bool("update", false, "write "+differencesFile+" anew")

// unstable marks a call whose values are others each time, of which only the schema is compared.
var unstable = regexp.MustCompile(`^~[a-z_]+\(`)

// respondent gives the answer to a recorded statement: the engine here, or real Spark, whose answers record_expressions.py --into
// has left in the folder LAKELAB_SPARK_ANSWERS (make conformance-spark).
func respondent(t *testing.T, path string) func(want recorded) recorded {
	if folder := os.Getenv("LAKELAB_SPARK_ANSWERS"); folder != "" {
		answers := map[string]recorded{}
		for _, r := range recordings(t, filepath.Join(folder, filepath.Base(path))) {
			answers[r.Expr] = r
		}
		return func(want recorded) recorded { return answers[want.Expr] }
	}
	db := open(t)
	return func(want recorded) recorded {
		text := want.Expr
		if unstable.MatchString(text) {
			text = text[1:]
		}
		if !strings.HasPrefix(text, "SELECT ") {
			text = "SELECT " + text
		}
		return ask(t.Context(), db, text)
	}
}

// TestBasics compares what a first lesson uses: every answer is Spark's, without exception.
func TestBasics(t *testing.T) {
	const path = "testdata/basics.jsonl"
	answer := respondent(t, path)
	all := recordings(t, path)
	if len(all) < 60 {
		t.Fatalf("%d recorded expressions", len(all))
	}
	for _, want := range all {
		if msg := differ(answer(want), want); msg != "" {
			t.Errorf("%s\n\t%s", want.Expr, msg)
		}
	}
}

// TestExpressions compares names, types, nullability, texts and errors of expressions with what real Spark answered.
func TestExpressions(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.jsonl")
	known := map[string]bool{}
	if p := os.Getenv("LAKELAB_EXPRESSIONS"); p != "" {
		paths = []string{p}
	} else if os.Getenv("LAKELAB_SPARK_ANSWERS") == "" {
		text, err := os.ReadFile(differencesFile)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			known[line] = true
		}
	}
	if len(paths) == 0 {
		t.Fatal("no recorded expressions")
	}
	var differences []string
	for _, path := range paths {
		good, all := 0, 0
		answer := respondent(t, path)
		for _, want := range recordings(t, path) {
			all++
			msg := differ(answer(want), want)
			switch {
			case msg == "":
				good++
				if known[want.Expr] && !*update {
					t.Errorf("%s\n\tagrees now: take it out of %s", want.Expr, differencesFile)
				}
			case *update:
				differences = append(differences, want.Expr)
			case !known[want.Expr]:
				t.Errorf("%s\n\t%s", want.Expr, msg)
			}
		}
		t.Logf("%s: %d of %d", path, good, all)
	}
	if *update {
		slices.Sort(differences)
		if err := os.WriteFile(differencesFile, []byte(strings.Join(slices.Compact(differences), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// planText is the plan that Spark appends to analysis errors.
var planText = regexp.MustCompile(`;\n['+A-Z][\s\S]*$`)

// alike compares rows. Sums of floating point numbers depend on their order, which Spark's tasks do not fix either: where aggregates
// are, the last digits may differ.
func alike(got, want [][]string, sums bool) bool {
	if len(got) != len(want) {
		return false
	}
	if sums { // a query: rows have no order
		got, want = ordered(got), ordered(want)
	}
	for i := range got {
		if len(got[i]) != len(want[i]) {
			return false
		}
		for j, g := range got[i] {
			w := want[i][j]
			a, err1 := strconv.ParseFloat(g, 64)
			b, err2 := strconv.ParseFloat(w, 64)
			if g != w && !(sums && len(g) > 12 && err1 == nil && err2 == nil && math.Abs(a-b) <= 1e-12*math.Abs(b)) {
				return false
			}
		}
	}
	return true
}

// ordered sorts rows by their texts.
func ordered(rows [][]string) [][]string {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, slices.Compare)
	return rows
}

func differ(got, want recorded) string {
	j := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	switch {
	case (got.Error == nil) != (want.Error == nil), got.Error != nil && got.Error.Class != want.Error.Class:
		if got.Error != nil {
			return "got error " + j(got.Error) + "\n\twant " + j(want.Rows) + j(want.Error)
		}
		return "got " + j(got.Rows) + "\n\twant error " + j(want.Error)
	case got.Error != nil:
		if w := planText.ReplaceAllString(want.Error.Message, ""); got.Error.Message != w {
			return "got message  " + got.Error.Message + "\n\twant message " + want.Error.Message
		}
		return ""
	case !reflect.DeepEqual(got.Types, want.Types):
		return "got types " + j(got.Types) + " want " + j(want.Types)
	case !slices.Equal(got.Null, want.Null):
		return "got nullable " + j(got.Null) + " want " + j(want.Null)
	case want.Rows != nil && !alike(got.Rows, want.Rows, strings.HasPrefix(want.Expr, "SELECT ")):
		return "got  " + j(got.Rows) + "\n\twant " + j(want.Rows)
	case !reflect.DeepEqual(got.Names, want.Names):
		return "got names  " + j(got.Names) + "\n\twant names " + j(want.Names)
	}
	return ""
}
