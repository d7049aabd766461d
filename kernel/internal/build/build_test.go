package build

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestFixImports(t *testing.T) {
	m := &Manifest{Packages: map[string]string{
		"fmt": "fmt", "flag": "flag", "strings": "strings", "math/rand": "rand", "crypto/rand": "rand", "math/rand/v2": "rand", "internal/abi": "abi",
		"mini-lakehouse-lab/lakelab": "lakelab", "mini-lakehouse-lab/lakelab/functions": "functions", "other.org/strings": "strings",
	}}
	for _, c := range []struct {
		name, in string
		specs    []string
		decided  bool
	}{
		{"missing", "func main() { flag.Parse(); fmt.Println() }", []string{`"flag"`, `"fmt"`}, true},
		{"unused", "import \"fmt\"\nimport F \"mini-lakehouse-lab/lakelab/functions\"\nfunc main() { F.Col() }", []string{`F "mini-lakehouse-lab/lakelab/functions"`}, true},
		{"a variable is no package", "var fmt struct{ a int }\nfunc main() { _ = fmt.a; strings := fmt; _ = strings.a }", nil, true},
		{"undefined", "func main() { sprak.SQL() }", nil, true},
		{"internal", "func main() { abi.X() }", nil, true},
		{"one's own", "func main() { lakelab.X() }", []string{`"mini-lakehouse-lab/lakelab"`}, true},
		{"more than one", "func main() { rand.Int() }", nil, false},
		{"dot", "import . \"fmt\"\nfunc main() { Println() }", nil, false},
		{"unknown", "import \"example.com/x\"\nfunc main() { x.X() }", nil, false},
		{"blank", "import _ \"fmt\"\nfunc main() { }", []string{`_ "fmt"`}, true},
	} {
		out, ok := m.fixImports([]byte("package main\n\n" + c.in))
		if ok != c.decided {
			t.Errorf("%s: decided %v", c.name, ok)
			continue
		}
		if !ok {
			continue
		}
		head, _, _ := strings.Cut(string(out), "func main")
		for _, s := range c.specs {
			if !strings.Contains(head, "\t"+s+"\n") {
				t.Errorf("%s: lacks %s:\n%s", c.name, s, out)
			}
		}
		if n := strings.Count(head, "\n\t"); n != len(c.specs) {
			t.Errorf("%s: %d imports, want %d:\n%s", c.name, n, len(c.specs), out)
		}
	}
}

// TestBuild compiles, links, runs and reuses a program, and reports a compile error, with the project's archives.
func TestBuild(t *testing.T) {
	project, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Prepare(project, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Fresh() {
		t.Error("new archives are not fresh")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	build := func(text string) ([]byte, bool, error) {
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if !m.Knows([]byte(text)) {
			t.Errorf("an import is unknown: %s", text)
		}
		return m.Build(project, dir, []byte(text), program)
	}
	text := "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"" + t.TempDir() + "\") }\n" // never built before
	for range 2 {
		if out, ok, err := build(text); err != nil || !ok {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command(program).Output()
		if err != nil || !bytes.Contains([]byte(text), bytes.TrimSpace(out)) {
			t.Errorf("%v, %q", err, out)
		}
	}
	// A chart, as the course's cells draw them.
	chart := `package main

import (
	"os"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

func main() {
	bar := charts.NewBar()
	bar.SetXAxis([]string{"Queens"}).AddSeries("trips", []opts.BarData{{Value: 42}})
	if err := bar.Render(os.Stdout); err != nil {
		panic(err)
	}
}
`
	if out, ok, err := build(chart); err != nil || !ok {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program).Output(); err != nil || !bytes.Contains(out, []byte("Queens")) {
		t.Errorf("%v, %q", err, out)
	}
	out, ok, err := build("package main\n\nfunc main() {\n\tx := 1\n}\n")
	if ok || err != nil || !strings.Contains(string(out), "main.go:4:2: declared and not used: x") {
		t.Errorf("%v, %v, %s", ok, err, out)
	}
	if m.Knows([]byte("package main\nimport \"example.com/x\"\n")) {
		t.Error("a package that nobody has is known")
	}
}

// What go says of an unknown import hangs on what the machine has downloaded; a student reads the same everywhere.
func TestExplain(t *testing.T) {
	source := []byte("package main\n\nimport (\n\t\"fmt\"\n\t\"example.com/nothing\"\n)\n")
	out := string(explain([]byte("main.go:5:2: github.com/duckdb/duckdb-go-bindings/lib/darwin-amd64@v0.1: module lookup disabled by GOPROXY=off\n"), source))
	if !strings.HasPrefix(out, "main.go:5:2: no required module provides package example.com/nothing\n") || !strings.Contains(out, "nothing is fetched from the network") {
		t.Errorf("%q", out)
	}
	if out := string(explain([]byte("main.go:9:1: undefined: x\n"), source)); out != "main.go:9:1: undefined: x\n" {
		t.Errorf("%q", out)
	}
}
