package celldoor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab"
	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/celldoor"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
	"mini-lakehouse-lab/lakelab/types"
)

// A behaviour is one line of PySpark with the same in Go. What PySpark answered is recorded by testdata/record_dataframe.py; run
// must give the same: a *DataFrame with its types and rows, another value, printed text, or Spark's error.
type behaviour struct {
	python string
	run    func() any
}

// setup makes the DataFrames that the snippets share; TestDataFrame makes the same ones in Go.
const setup = `
from datetime import date, datetime, timedelta
from decimal import Decimal
from pyspark.sql import functions as F, Window, Row, Observation
from pyspark.sql.functions import col, lit
spark.sql("CREATE NAMESPACE IF NOT EXISTS lakehouse.default")
spark.sql("USE lakehouse.default")
people = spark.createDataFrame([
    (1, "Anna", 31, "eng", 5200.0, date(2019, 3, 1)), (2, "Boris", 25, "eng", 4100.5, date(2021, 7, 15)),
    (3, "Clara", None, "ops", 3900.0, date(2020, 1, 10)), (4, "Dmitri", 42, "ops", None, None),
    (5, "Elena", 31, None, 6100.25, date(2018, 11, 30)), (6, "Anna", 25, "hr", 4100.5, date(2021, 7, 15)),
], "id INT, name STRING, age INT, dept STRING, salary DOUBLE, hired DATE")
depts = spark.createDataFrame([("eng", "Engineering", 10), ("ops", "Operations", 20), ("fin", "Finance", 30)], "dept STRING, title STRING, floor INT")
nested = spark.createDataFrame([(1, ["a", "b"], {"x": 1, "y": 2}, (1, "one")), (2, [], {}, (2, None)), (3, None, None, None)],
    "id INT, tags ARRAY<STRING>, props MAP<STRING, INT>, s STRUCT<n: INT, t: STRING>")
nums = spark.createDataFrame([(1, 10, 2.5, Decimal("12.30"), 5), (2, 3, -0.5, Decimal("-7.25"), 9000000000), (None, 0, float("nan"), None, -1), (4, None, None, Decimal("0.10"), None)],
    "a INT, b INT, x DOUBLE, d DECIMAL(10,2), l BIGINT")
words = spark.createDataFrame([("apple", "fruit", True), ("Carrot", "veg", False), ("a_b%c", None, None), ("", "none", True)], "w STRING, kind STRING, ok BOOLEAN")
`

var (
	spark                              *lakelab.Session
	people, depts, nested, nums, words *lakelab.DataFrame
)

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

func makeFrames() {
	people = spark.CreateDataFrame([][]any{
		{1, "Anna", 31, "eng", 5200.0, day(2019, 3, 1)}, {2, "Boris", 25, "eng", 4100.5, day(2021, 7, 15)},
		{3, "Clara", nil, "ops", 3900.0, day(2020, 1, 10)}, {4, "Dmitri", 42, "ops", nil, nil},
		{5, "Elena", 31, nil, 6100.25, day(2018, 11, 30)}, {6, "Anna", 25, "hr", 4100.5, day(2021, 7, 15)},
	}, "id INT, name STRING, age INT, dept STRING, salary DOUBLE, hired DATE")
	depts = spark.CreateDataFrame([][]any{{"eng", "Engineering", 10}, {"ops", "Operations", 20}, {"fin", "Finance", 30}}, "dept STRING, title STRING, floor INT")
	nested = spark.CreateDataFrame([][]any{{1, []string{"a", "b"}, map[string]int{"x": 1, "y": 2}, []any{1, "one"}}, {2, []string{}, map[string]int{}, []any{2, nil}}, {3, nil, nil, nil}},
		"id INT, tags ARRAY<STRING>, props MAP<STRING, INT>, s STRUCT<n: INT, t: STRING>")
	nums = spark.CreateDataFrame([][]any{{1, 10, 2.5, "12.30", 5}, {2, 3, -0.5, "-7.25", int64(9000000000)}, {nil, 0, nan, nil, -1}, {4, nil, nil, "0.10", nil}},
		"a INT, b INT, x DOUBLE, d DECIMAL(10,2), l BIGINT")
	words = spark.CreateDataFrame([][]any{{"apple", "fruit", true}, {"Carrot", "veg", false}, {"a_b%c", nil, nil}, {"", "none", true}}, "w STRING, kind STRING, ok BOOLEAN")
}

var nan = func() float64 { f, _ := strconv.ParseFloat("NaN", 64); return f }()

// suite is a file in testdata/suite.
type suite struct {
	Setup string     `json:"setup"`
	Cases []recorded `json:"cases"`
}

type recorded struct {
	Python string  `json:"python"`
	Answer *answer `json:"answer"`
}

type answer struct {
	Dtypes  [][2]string `json:"dtypes,omitempty"`
	Tree    string      `json:"tree,omitempty"`
	Show    string      `json:"show,omitempty"`
	Value   string      `json:"value,omitempty"`
	Printed *string     `json:"printed,omitempty"`
	Error   *failure    `json:"error,omitempty"`
}

type failure struct {
	Exception string `json:"exception"`
	Class     string `json:"class"`
	Message   string `json:"message"`
}

var snippets = flag.Bool("snippets", false, "write the snippets into ../testdata/suite, for record_dataframe.py")

// behaviours are all of them, in the order of the themes.
func behaviours() []behaviour {
	return slices.Concat(selecting, filtering, grouping, joining, sorting, missing, describing, acting, columnOperators, columnText, columnNested, windows, making, failing)
}

// connect serves a new lakehouse in this process, to cells and to Trino's clients, and points the cells' client at it.
func connect(t *testing.T) (lakehouse string) {
	t.Helper()
	lakehouse = filepath.Join(t.TempDir(), "lakehouse")
	e, err := engine.Open(t.Context(), lakehouse)
	if err != nil {
		t.Fatal(err)
	}
	trino, err := trinodoor.Listen("127.0.0.1:0", e.Trino())
	if err != nil {
		t.Fatal(err)
	}
	door := celldoor.New(e, "", trino.Client(), trino.URL(), trino.Close)
	dir := filepath.Join(lakehouse, ".lakelab")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // a socket's path must be short
	l, err := net.Listen("unix", "engine.sock")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go door.ServeConn(ctx, c)
		}
	}()
	t.Setenv("LAKELAB_LAKEHOUSE", lakehouse)
	t.Setenv("LAKELAB_SESSION", t.Name())
	t.Setenv("LAKELAB_BIN", filepath.Join(lakehouse, "none")) // the door here is of no build that a cell could know
	spark = lakelab.NewSession("suite")
	t.Cleanup(func() {
		spark.Stop()
		cancel()
		l.Close()
		if err := door.Close(); err != nil {
			t.Error(err)
		}
	})
	return lakehouse
}

func TestDataFrame(t *testing.T) {
	runSuite(t, "../testdata/suite/dataframe.pyspark.json", setup, behaviours(), makeFrames)
}

// runSuite compares each behaviour with the answer recorded at path; prepare makes the DataFrames that setup makes.
func runSuite(t *testing.T, path, setup string, list []behaviour, prepare func()) {
	var known suite
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &known)
	}
	if err != nil && !*snippets {
		t.Fatal(err)
	}
	answers := map[string]*answer{}
	for _, c := range known.Cases {
		answers[c.Python] = c.Answer
	}
	if known.Setup != setup {
		answers = map[string]*answer{}
	}
	if *snippets {
		writeSnippets(t, path, setup, list, answers)
		return
	}
	connect(t)
	prepare()
	for _, c := range list {
		want := answers[c.python]
		if want == nil {
			t.Errorf("no recorded answer: %s\ngot\n%s", c.python, perform(c.run))
			continue
		}
		t.Run(c.python, func(t *testing.T) {
			if got := perform(c.run); !same(got, *want, c.python) {
				t.Errorf("got\n%s\nwant\n%s", got, *want)
			}
		})
	}
}

func writeSnippets(t *testing.T, path, setup string, list []behaviour, answers map[string]*answer) {
	out := suite{Setup: setup}
	seen := map[string]bool{}
	for _, c := range list {
		if seen[c.python] {
			t.Errorf("twice: %s", c.python)
		}
		seen[c.python] = true
		out.Cases = append(out.Cases, recorded{c.python, answers[c.python]})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(out); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// perform runs a behaviour and describes its result as the recorder does.
func perform(run func() any) (a answer) {
	var value any
	err := lakelab.Try(func() {
		printed := capture(func() { value = run() })
		switch x := value.(type) {
		case nil:
			a.Printed = &printed
		case lakelab.Row:
			if a.Value = repr(x); !x.Exists() {
				a.Printed, a.Value = &printed, ""
			}
		case *lakelab.DataFrame:
			a.Dtypes, a.Tree = x.Dtypes(), types.TreeString(x.Schema(), 0)
			a.Show = capture(func() { x.Show() })
		default:
			a.Value = repr(value)
		}
	})
	if e, ok := err.(*lakelab.Error); ok {
		message := e.Message
		if e.Class != "" && !strings.HasPrefix(e.Class, "_LEGACY") && !strings.HasPrefix(message, "[") {
			message = e.Error()
		}
		return answer{Error: &failure{e.Exception, e.Class, message}}
	}
	return a
}

// capture returns what f prints.
func capture(f func()) string {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	old := os.Stdout
	os.Stdout = w
	done := make(chan string)
	go func() {
		b, _ := io.ReadAll(r)
		done <- string(b)
	}()
	func() {
		defer func() { os.Stdout = old; w.Close() }()
		f()
	}()
	return <-done
}

// verbatim is a text that is a repr already.
type verbatim string

// repr is Python's.
func repr(v any) string {
	switch x := v.(type) {
	case bool:
		if x {
			return "True"
		}
		return "False"
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(x) + "'"
	case verbatim:
		return string(x)
	case float64:
		s := strconv.FormatFloat(x, 'g', -1, 64)
		if !strings.ContainsAny(s, ".eNI") {
			s += ".0"
		}
		return s
	case lakelab.Row:
		return fmt.Sprint(x)
	case []lakelab.Row:
		return list(x)
	case []string:
		return list(x)
	case []float64:
		return list(x)
	case []int64:
		return list(x)
	case [][2]string:
		parts := make([]string, len(x))
		for i, p := range x {
			parts[i] = "('" + p[0] + "', '" + p[1] + "')"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(v)
}

func list[T any](xs []T) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = repr(x)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

var (
	// Expression ids of Spark, and the plan line that a message may quote.
	expressionID = regexp.MustCompile(`#\d+L?`)
	operator     = regexp.MustCompile(`in operator[^.]*\.`)
	someValue    = regexp.MustCompile(`value '[^']*'`)
	longNumber   = regexp.MustCompile(`-?\d+\.\d{9,}`)
	filePath     = regexp.MustCompile(`(file:)?/[\w./=*-]*/(\w+)`)
	sqlPlace     = regexp.MustCompile(`; line \d+ pos \d+`)
)

func same(got, want answer, python string) bool {
	if want.Error != nil || got.Error != nil {
		if want.Error == nil || got.Error == nil {
			return false
		}
		g, w := *got.Error, *want.Error
		w.Message = strings.NewReplacer("${dir}", inDir, "${out}", outDir).Replace(w.Message)
		for _, f := range []*failure{&g, &w} {
			f.Message = expressionID.ReplaceAllString(f.Message, "")
			f.Message = operator.ReplaceAllString(f.Message, "in operator.")
			if strings.HasPrefix(f.Class, "CAST_INVALID_INPUT") {
				f.Message = someValue.ReplaceAllString(f.Message, "value '…'") // Spark's partitions decide which comes first
			}
			if f.Exception == "PySparkTypeError" {
				f.Message, _, _ = strings.Cut(f.Message, " can not accept ") // what follows is Python's
			}
			if strings.Contains(f.Message, "are ambiguous. It's probably") {
				_, f.Message, _ = strings.Cut(f.Message, " are ambiguous.")
			}
			f.Message = filePath.ReplaceAllString(f.Message, "$2")
			if strings.HasPrefix(f.Class, "CONFLICTING_") {
				// Spark's hash tables decide which comes first.
				words := strings.Fields(strings.ReplaceAll(f.Message, ",", ""))
				slices.Sort(words)
				f.Message = strings.Join(words, " ")
			}
			f.Message = strings.Join(strings.Fields(sqlPlace.ReplaceAllString(f.Message, "")), " ")
			if f.Class == "" && strings.HasPrefix(f.Message, "[") {
				f.Class, _, _ = strings.Cut(f.Message[1:], "]") // an exception that PySpark does not know
			}
			if strings.HasPrefix(f.Class, "_LEGACY") {
				f.Class = ""
			}
		}
		if want.Error.Class == "" && strings.HasSuffix(w.Message, ":") { // only the first line was recorded
			return g.Exception == w.Exception && g.Class == w.Class && strings.HasPrefix(g.Message, w.Message)
		}
		return g == w
	}
	if !strings.Contains(python, "orderBy") && !strings.Contains(python, "sort") {
		got.Show, want.Show = unordered(got.Show), unordered(want.Show)
	}
	for _, a := range []*answer{&got, &want} {
		a.Show, a.Value = rounded(a.Show), rounded(a.Value)
	}
	return fmt.Sprint(got.Dtypes) == fmt.Sprint(want.Dtypes) && got.Tree == want.Tree && got.Show == want.Show && got.Value == want.Value &&
		(got.Printed == nil) == (want.Printed == nil) && (got.Printed == nil || *got.Printed == *want.Printed)
}

// unordered sorts the lines of a shown table: no order was asked for.
func unordered(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// rounded cuts the last digits of long fractions, which depend on the order of additions, and with them the layout.
func rounded(s string) string {
	if !longNumber.MatchString(s) {
		return s
	}
	s = longNumber.ReplaceAllStringFunc(s, func(n string) string {
		f, _ := strconv.ParseFloat(n, 64)
		return strconv.FormatFloat(f, 'g', 13, 64)
	})
	return strings.NewReplacer(" ", "", "-", "").Replace(s)
}

func (a answer) String() string {
	switch {
	case a.Error != nil:
		return fmt.Sprintf("%s [%s] %s", a.Error.Exception, a.Error.Class, a.Error.Message)
	case a.Printed != nil:
		return "printed " + *a.Printed
	case a.Dtypes != nil || a.Show != "":
		return a.Tree + a.Show
	}
	return a.Value
}
