package lesson

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every cell compiles against the client library as it is now. A cell sees the declarations of the cells above it, of
// which the last one of a name counts, and GoNB drops imports that it doesn't use.
func TestCellsCompile(t *testing.T) {
	sources, err := filepath.Glob(filepath.Join(notebooks, SourceDir, "*.md"))
	if err != nil || len(sources) == 0 {
		t.Fatal("no sources: ", err)
	}
	fset := token.NewFileSet()
	libraries := importer.ForCompiler(fset, "source", nil)
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		l, err := parse(string(text))
		if err != nil {
			t.Fatal(path, err)
		}
		for _, v := range []version{student, solution} {
			var declared []string
			for _, p := range l.pieces {
				if p.id == "" || p.in != both && p.in != v {
					continue
				}
				code := p.text
				if p.tag == "task" && v == solution {
					code = p.solved
				}
				declarations, statements, _ := strings.Cut("\n"+code, "\n"+mainLine)
				declared = append(declared, declarations)
				if err := typeCheck(fset, libraries, strings.Join(declared, "\n"), statements); err != nil {
					t.Errorf("%s, version %d, cell %s: %v", filepath.Base(path), v, p.id, err)
				}
			}
		}
	}
}

func typeCheck(fset *token.FileSet, libraries types.Importer, declarations, statements string) error {
	// Imports come first in a Go file; cells import in one block of their first cell.
	before, after, _ := strings.Cut(declarations, "import (")
	imports, after, _ := strings.Cut(after, "\n)")
	program := fmt.Sprintf("package main\nimport (%s\n)\n%s%s\nfunc main() {\n%s\n}\n", imports, before, after, statements)
	f, err := parser.ParseFile(fset, "cell.go", program, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	var first error
	conf := types.Config{Importer: libraries, Error: func(err error) {
		if first == nil && !strings.Contains(err.Error(), "imported and not used") && !strings.Contains(err.Error(), "imported as") {
			first = err
		}
	}}
	_, _ = conf.Check("cell", fset, []*ast.File{f}, nil) // errors go to conf.Error
	return first
}
