package lesson

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var notebooks = filepath.Join("..", "..", "..", "notebooks")

// The committed notebooks are what the sources give, byte for byte.
func TestNotebooksAreInStep(t *testing.T) {
	if err := Check(notebooks); err != nil {
		t.Error(err)
	}
}

const sample = "# Title\n\nHello.\n\n" +
	"```go first\nvar x = 1\n```\n\nBetween.\n\n### Part\n\n```sql\nSELECT 1\n```\n\n" +
	"```go todo task\n%%\n// yours\n//// solution\n%%\nprintln(x)\n```\n\n" +
	"<!-- solution -->\nAnswer.\n<!-- end -->\n" +
	"```go look check\n%%\nprintln(x)\n```\n"

func TestVersions(t *testing.T) {
	l, err := parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		v    version
		want string
	}{
		{student, "text-start-1 first text-first-1 text-first-2 todo look"},
		{solution, "text-start-1 first text-first-1 text-first-2 todo text-todo-1 look"},
	} {
		text, err := l.notebook(c.v)
		if err != nil {
			t.Fatal(err)
		}
		var nb struct {
			Cells []struct {
				ID       string
				Metadata map[string]any
				Source   []string
			}
		}
		if err := json.Unmarshal(text, &nb); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, cell := range nb.Cells {
			ids = append(ids, cell.ID)
			body := strings.Join(cell.Source, "")
			if cell.ID == "todo" && strings.Contains(body, "println") != (c.v == solution) {
				t.Errorf("version %d: the task is %q", c.v, body)
			}
			if strings.Contains(body, "Answer") && c.v != solution {
				t.Error("the student's notebook has the answer")
			}
			_, folded := cell.Metadata["jupyter"]
			if want := cell.ID == "look"; folded != want {
				t.Errorf("cell %s: folded is %v", cell.ID, folded)
			}
			if cell.ID == "text-first-2" && body != "### Part\n\n```sql\nSELECT 1\n```" {
				t.Errorf("prose with a fence: %q", body)
			}
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("version %d: cells %s, want %s", c.v, got, c.want)
		}
	}
}

func TestSourceErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"```go a\nvar x = 1\n", "1: the fence is not closed"},
		{"```go a\n```\n```go a\n```\n", "4: the cell id \"a\" is there twice"},
		{"```go A\n```\n", "the cell id \"A\""},
		{"```go text-a\n```\n", "begins with text-"},
		{"```go a hidden\n```\n", "unknown words"},
		{"```go a task\n%%\n```\n", "has no line"},
		{"```go a\nvar x =\n```\n", "cell a:"},
		{"```go a\nvar   x = 1\n```\n", "not as gofmt writes it"},
		{"<!-- solution -->\nx\n", "is missing"},
		{"\n<!-- needs: a -->\n", "stands in the first line"},
		{"<!-- end -->\n", "without a beginning"},
		{"<!-- student -->\n<!-- solution -->\n", "inside of another"},
	} {
		if _, err := parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func TestBuildAndCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("source/01_x.md", sample)
	if err := Check(dir); err == nil {
		t.Error("missing notebooks were not noticed")
	}
	if err := Build(dir); err != nil {
		t.Fatal(err)
	}
	if err := Check(dir); err != nil {
		t.Error(err)
	}
	write("solutions/02_y.ipynb", "{}")
	if err := Check(dir); err == nil || !strings.Contains(err.Error(), "02_y.ipynb has no source") {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "solutions/02_y.ipynb")); err != nil {
		t.Fatal(err)
	}
	write("source/01_x.md", strings.Replace(sample, "Hello", "Goodbye", 1))
	if err := Check(dir); err == nil || !strings.Contains(err.Error(), "from line") {
		t.Errorf("error %v", err)
	}
}

// Opening and saving in Jupyter must not change a file: nbformat reads and writes the same bytes, and finds it valid.
func TestJupyterWritesTheSame(t *testing.T) {
	python := filepath.Join("..", "..", "..", ".venv", "bin", "python")
	if _, err := os.Stat(python); err != nil {
		t.Fatal("the project's .venv is not there: make build")
	}
	var files []string
	for _, pattern := range []string{"*.ipynb", "solutions/*.ipynb"} {
		found, err := filepath.Glob(filepath.Join(notebooks, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		t.Fatal("no notebooks")
	}
	const program = `
import io, sys, nbformat
for f in sys.argv[1:]:
    nb = nbformat.read(f, as_version=4)
    nbformat.validate(nb)
    out = io.StringIO()
    nbformat.write(nb, out)
    if out.getvalue() != open(f, encoding="utf-8").read():
        sys.exit(f + " changes when Jupyter saves it")
`
	if out, err := exec.Command(python, append([]string{"-c", program}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
