package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// failing are notebooks whose last cell fails: what nbconvert has to make of it.
var failing = []struct {
	name   string
	cells  []string
	ename  string
	evalue string // a part
	line   int    // of the last cell; 0: the failure has no line
	stdout string // printed before, in all cells
	also   string // a part of the traceback
}{
	{name: "compile error", cells: []string{"import \"fmt\"\n\n%%\nfmt.Println(\"a\")\nvar n int = \"text\"\nfmt.Println(n)"},
		ename: "CompileError", evalue: "cannot use", line: 5},
	{name: "compile error without marker", cells: []string{"fmt.Println(\"a\")\n\nfmt.Printl(\"b\")"},
		ename: "CompileError", evalue: "undefined: fmt.Printl", line: 3},
	{name: "syntax error", cells: []string{"fmt.Println(\"a\")\nif true {\n\tfmt.Println(\"b\"\n}"},
		ename: "CompileError", evalue: "missing ','", line: 3},
	{name: "panic", cells: []string{"import \"fmt\"\n%%\nfmt.Println(\"before\")\npanic(\"AssertionError: Ожидалось 1000 строк\")"},
		ename: "AssertionError", evalue: "Ожидалось 1000 строк", line: 4, stdout: "before\n"},
	{name: "panic in a goroutine", cells: []string{"fmt.Println(\"before\")\ngo func() {\n\tpanic(fmt.Errorf(\"boom\"))\n}()\ntime.Sleep(time.Minute)"},
		ename: "panic", evalue: "boom", line: 3, stdout: "before\n"},
	{name: "panic in an earlier cell's function", cells: []string{
		"func check(n int) int {\n\tif n > 2 {\n\t\tpanic(\"AnalysisException: [X] первая\\nвторая. SQLSTATE: 42703\")\n\t}\n\treturn n\n}",
		"fmt.Println(check(1))\n\nfmt.Println(check(3))"},
		ename: "AnalysisException", evalue: "[X] первая\nвторая. SQLSTATE: 42703", line: 3, stdout: "1\n", also: "Cell [1] line 3"},
	{name: "index out of range", cells: []string{"// comment\nx := []int{1}\ni := 4\n\nfmt.Println(x[0])\nfmt.Println(x[i])"},
		ename: "runtime error", evalue: "index out of range [4] with length 1", line: 6, stdout: "1\n"},
	{name: "nil map", cells: []string{"var m map[string]int\n\nfunc fill() {\n\tm[\"a\"] = 1\n}\n\nfill()"},
		ename: "panic", evalue: "assignment to entry in nil map", line: 4},
	{name: "nil pointer", cells: []string{"type T struct{ n int }\nvar t *T\nfmt.Println(\"x\")\nfmt.Println(t.n)"},
		ename: "runtime error", evalue: "nil pointer dereference", line: 4, stdout: "x\n"},
	{name: "exit", cells: []string{"fmt.Println(\"before\")\nos.Exit(3)"}, ename: "SystemExit", evalue: "exit status 3", stdout: "before\n"},
	{name: "log.Fatal", cells: []string{"fmt.Println(\"before\")\nlog.Fatal(\"bad\")"}, ename: "SystemExit", evalue: "exit status 1", stdout: "before\n"},
	{name: "kills itself", cells: []string{"fmt.Println(\"before\")\nsyscall.Kill(os.Getpid(), syscall.SIGKILL)\nselect {}"}, ename: "Signal", evalue: "SIGKILL", stdout: "before\n"},
	{name: "deadlock", cells: []string{"ch := make(chan int)\n<-ch"}, ename: "fatal error", evalue: "deadlock", line: 2},
	{name: "stack overflow", cells: []string{"func deep(n int) int { return deep(n+1) + 1 }\n\nfmt.Println(\"before\")\nfmt.Println(deep(0))"},
		ename: "fatal error", evalue: "stack overflow", line: 1, stdout: "before\n"},
	{name: "panic while panicking", cells: []string{"defer func() {\n\tpanic(\"ValueError: second\")\n}()\npanic(\"first\")"}, ename: "ValueError", evalue: "second", line: 2},
	{name: "test", cells: []string{"import \"testing\"\n\n%test\nfunc TestX(t *testing.T) {\n\tt.Fatal(\"no\")\n}"}, ename: "TestFailure", evalue: "exit status 1"},
	{name: "declared later, statements around", cells: []string{
		"fmt.Println(\"one\")\n// half divides.\nfunc half(n, by int) int {\n\treturn n / by\n}\nimport \"strings\"\nfmt.Println(strings.ToUpper(\"two\"))\nzero := 0\nfmt.Println(half(1, zero))"},
		ename: "runtime error", evalue: "integer divide by zero", line: 4, stdout: "one\nTWO\n"},
	{name: "a package that is not there", cells: []string{"import \"example.com/nothing\"\n\nnothing.Do()"}, ename: "CompileError", evalue: "no required module provides", line: 1},
}

var ownLine = regexp.MustCompile(`Cell line (\d+)`)

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestFailuresFailNbconvert runs each notebook with nbconvert, as graders do: it ends non-zero and names the error and line.
func TestFailuresFailNbconvert(t *testing.T) {
	t.Parallel()
	venv := jupyter(t)
	env, tmp := environment(t)
	dir := t.TempDir()
	var runs [][]string
	add := func(name string, cells []string, args ...string) {
		notebook(t, filepath.Join(dir, name), cells)
		runs = append(runs, append([]string{"--to", "notebook", "--execute", name, "--output", "out-" + name}, args...))
	}
	for i, c := range failing {
		add(fmt.Sprintf("%d.ipynb", i), c.cells)
	}
	add("well.ipynb", []string{"fmt.Println(\"well\")"})
	add("allowed.ipynb", []string{"panic(1)", "fmt.Println(\"went on\")"}, "--allow-errors")
	// The same notebooks run under GoNB alone, if they say `%%`.
	add("stock.ipynb", []string{"import \"fmt\"\nimport F \"mini-lakehouse-lab/lakelab/functions\"\n\n%%\nfmt.Printf(\"under stock GoNB %T\", F.Col(\"a\"))"}, "--ExecutePreprocessor.kernel_name=gonb")
	request, err := json.Marshal(runs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(venv, "bin", "python"), mustAbs(t, "testdata/convert.py"))
	cmd.Env, cmd.Dir, cmd.Stdin = env, dir, bytes.NewReader(request)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("convert.py: %v\n%s", err, problems.Bytes())
	}
	var results []struct {
		Status int
		Output string
	}
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	leftovers(t, tmp)
	for i, c := range failing {
		text := ansi.ReplaceAllString(results[i].Output, "")
		if results[i].Status == 0 {
			t.Errorf("%s: nbconvert is content", c.name)
		}
		if !strings.Contains(text, c.ename+": ") || !strings.Contains(text, c.evalue) || c.line > 0 && !strings.Contains(text, fmt.Sprintf("Cell line %d", c.line)) {
			t.Errorf("%s: nbconvert says\n%s", c.name, text)
		}
	}
	for _, r := range results[len(failing):] {
		if r.Status != 0 {
			t.Errorf("status %d\n%s", r.Status, r.Output)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "out-allowed.ipynb"))
	if err != nil || !bytes.Contains(text, []byte("went on")) {
		t.Errorf("--allow-errors: %v\n%s", err, text)
	}
	text, err = os.ReadFile(filepath.Join(dir, "out-stock.ipynb"))
	if err != nil || !bytes.Contains(text, []byte("under stock GoNB lakelab.Column")) {
		t.Errorf("stock GoNB: %v\n%s", err, text)
	}
}

// TestFailures looks at what clients get: order, name, value, line.
func TestFailures(t *testing.T) {
	t.Parallel()
	var steps []step
	for _, c := range failing {
		for _, code := range c.cells {
			steps = append(steps, step{"run": code})
		}
		steps = append(steps, step{"run": "%reset"})
	}
	results := drive(t, steps...)
	number := 0 // execution count
	for _, c := range failing {
		stdout, stderr := "", ""
		var last result
		first := number + 1
		for range c.cells {
			last, results = results[0], results[1:]
			stdout += last.Stdout
			stderr += last.Stderr
			number++
		}
		results = results[1:]
		number++
		if last.Status != "error" || last.Error == nil {
			t.Errorf("%s: status %q, error %v", c.name, last.Status, last.Error)
			continue
		}
		if n := len(last.Order); last.Order[n-1] != "idle" || last.Order[n-2] != "error" {
			t.Errorf("%s: messages %v", c.name, last.Order)
		}
		trace := ansi.ReplaceAllString(strings.Join(last.Error.Traceback, "\n"), "")
		if last.Error.Name != c.ename || !strings.Contains(last.Error.Value, c.evalue) {
			t.Errorf("%s: got %s: %s, want %s: …%s…", c.name, last.Error.Name, last.Error.Value, c.ename, c.evalue)
		}
		if !strings.Contains(trace, c.evalue) || !strings.Contains(trace, strings.Replace(c.also, "[1]", fmt.Sprintf("[%d]", first), 1)) {
			t.Errorf("%s: traceback lacks %q or %q:\n%s", c.name, c.evalue, c.also, trace)
		}
		line := "0"
		if m := ownLine.FindStringSubmatch(trace); m != nil {
			line = m[1]
		}
		if line != fmt.Sprint(c.line) {
			t.Errorf("%s: line %s, want %d:\n%s", c.name, line, c.line, trace)
		}
		if code := strings.Split(c.cells[len(c.cells)-1], "\n"); c.line > 0 && !strings.Contains(trace, fmt.Sprintf("---> %3d  %s", c.line, code[c.line-1])) {
			t.Errorf("%s: the line is not shown:\n%s", c.name, trace)
		}
		if c.ename != "TestFailure" && stdout != c.stdout {
			t.Errorf("%s: stdout %q, want %q", c.name, stdout, c.stdout)
		}
		if strings.Contains(stderr, "goroutine ") || strings.Contains(stderr, "panic:") {
			t.Errorf("%s: stderr has the dump: %s", c.name, stderr)
		}
	}
}

func notebook(t *testing.T, path string, cells []string) {
	t.Helper()
	nb := map[string]any{"nbformat": 4, "nbformat_minor": 4, "metadata": map[string]any{"kernelspec": map[string]any{"name": "lakelab", "display_name": "Go (lakelab)", "language": "go"}}}
	var list []any
	for _, c := range cells {
		list = append(list, map[string]any{"cell_type": "code", "metadata": map[string]any{}, "execution_count": nil, "outputs": []any{}, "source": c})
	}
	nb["cells"] = list
	text, err := json.Marshal(nb)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCells runs cells that succeed, with and without `%%`, in one kernel.
func TestCells(t *testing.T) {
	t.Parallel()
	cells := []struct{ code, stdout, stderr string }{
		{"import \"fmt\"\n\n%%\nfmt.Println(\"Привет\")", "Привет\n", ""},
		{"fmt.Println(1)", "1\n", ""},
		{"func twice(n int) int { return 2 * n }", "", ""},
		{"// only a comment", "", ""},
		{"", "", ""},
		{"const k = 7\nvar v = twice(k)\ntype point struct{ x, y int }", "", ""},
		{"p := point{1, 2}\nvar q = p.x\nfmt.Println(p, q, v, k)", "{1 2} 1 14 7\n", ""},
		{"fmt.Println(func() int { return 3 }())\nfunc() { fmt.Println(\"literal\") }()", "3\nliteral\n", ""},
		{"func (p point) sum() int {\n\treturn p.x + p.y\n}\nfmt.Println(point{1, 2}.sum())", "3\n", ""},
		{"s := `a\n%d is text\n!so is this\npackage too`\nfmt.Println(s)", "a\n%d is text\n!so is this\npackage too\n", ""},
		{"%%\nfmt.Println(late())\nfunc late() string { return \"late\" }", "late\n", ""},
		{"import str \"strings\"; fmt.Println(str.Repeat(\"ab\", 2)); x := 1; fmt.Println(x)", "abab\n1\n", ""},
		{"fmt.Println(\"exit status 1\")", "exit status 1\n", ""},
		{"defer func() { fmt.Println(\"recovered\", recover()) }()\nfmt.Fprintln(os.Stderr, \"panic: no\")\npanic(\"x\")", "recovered x\n", "panic: no\n"},
		{"!echo from the shell", "from the shell\n", ""},
		{"%%bash\necho not Go", "not Go\n", ""},
		{"%args one two\n%%\nfmt.Println(os.Args[1:])", "", ""},
		{"for i := range 2 {\n\tfmt.Println(i)\n}\nlabel:\nfor {\n\tbreak label\n}", "0\n1\n", ""},
		{"fmt.Println(os.Getenv(\"LAKELAB_KERNEL\"), len(os.Getenv(\"LAKELAB_SESSION\")) > 8, os.Getenv(\"TMPDIR\") == os.TempDir())", "1 true true\n", ""},
	}
	var steps []step
	for _, c := range cells {
		steps = append(steps, step{"run": c.code})
	}
	for i, r := range drive(t, steps...) {
		c := cells[i]
		if r.Error != nil {
			t.Errorf("%s\nfails: %s: %s", c.code, r.Error.Name, r.Error.Value)
			continue
		}
		if strings.HasPrefix(c.code, "%args") {
			continue
		}
		if r.Status != "ok" || r.Stdout != c.stdout || r.Stderr != c.stderr {
			t.Errorf("%s\n%s: stdout %q, stderr %q, want %q, %q", c.code, r.Status, r.Stdout, r.Stderr, c.stdout, c.stderr)
		}
		if len(r.Order) == 0 || r.Order[0] != "busy" || r.Order[len(r.Order)-1] != "idle" || !slices.Contains(r.Order, "execute_input") {
			t.Errorf("%s\nmessages %v", c.code, r.Order)
		}
	}
}
