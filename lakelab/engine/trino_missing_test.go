package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// missingPage is the page of what the Trino door does not do.
func missingPage(t *testing.T) string {
	b, err := os.ReadFile("trino/missing.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTrinoMissingIsRefused runs the statements that missing.md says are refused. Each error must say what it is about.
func TestTrinoMissingIsRefused(t *testing.T) {
	_, text, _ := strings.Cut(missingPage(t), "```sql\n")
	text, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("missing.md has no statements")
	}
	c := newTrinoSuiteClient(t, openDoor(t))
	if a := c.run(t, "CREATE TABLE t (id bigint, name varchar)"); a.Error != nil {
		t.Fatal(a.Error)
	}
	statements := strings.Split(strings.TrimSpace(text), "\n")
	for _, st := range statements {
		a := c.run(t, st)
		if a.Error == nil {
			t.Errorf("%s\nis not refused", st)
			continue
		}
		if !slices.Contains([]string{"NOT_SUPPORTED", "TYPE_MISMATCH", "SYNTAX_ERROR"}, a.Error.Name) {
			t.Errorf("%s\nis refused with %s: %s", st, a.Error.Name, a.Error.Message)
		}
		names, message := false, strings.ReplaceAll(strings.ToLower(a.Error.Message), "-", "")
		for _, word := range strings.FieldsFunc(strings.ToLower(st), func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
			names = names || len(word) > 2 && word != "create" && strings.Contains(message, word)
		}
		if !names {
			t.Errorf("%s\nis refused without its name: %s", st, a.Error.Message)
		}
	}
	if len(statements) < 30 {
		t.Errorf("only %d statements", len(statements))
	}
}

// TestTrinoRefusalsAreListed looks for what missing.md does not name: functions that are not here, and what the program refuses in Trino's dialect.
func TestTrinoRefusalsAreListed(t *testing.T) {
	page := strings.ToLower(missingPage(t))
	words := strings.Join(strings.Fields(strings.ReplaceAll(page, "`", "")), " ")
	for _, f := range functions.All(sql.Trino) {
		if f.Missing != "" && !strings.Contains(page, "`"+f.Name+"`") {
			t.Errorf("the function %s is not on missing.md", f.Name)
		}
	}
	found := 0
	for _, folder := range []string{".", "functions", "plan", "sql"} {
		for what, place := range refusals(t, folder) {
			found++
			if !strings.Contains(words, strings.ToLower(what)) {
				t.Errorf("%s: %q is not on missing.md", place, what)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d refusals found", found)
	}
}

// refusals are the texts, up to where they are computed, of errclass.UnsupportedStatement(sql.Trino, text) in the Go files of a folder, and of
// p.unsupported(text, …) in those of Trino's parser.
func refusals(t *testing.T, folder string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		inParser := strings.HasPrefix(filepath.Base(path), "parse_trino")
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || len(call.Args) < 2 {
				return true
			}
			var what ast.Expr
			switch {
			case f.Sel.Name == "UnsupportedStatement" && isTrino(call.Args[0]):
				what = call.Args[1]
			case f.Sel.Name == "unsupported" && inParser:
				what = call.Args[0]
			default:
				return true
			}
			if text := strings.TrimSpace(constantBeginning(what)); text != "" {
				out[text] = files.Position(call.Pos()).String()
			}
			return true
		})
	}
	return out
}

func isTrino(x ast.Expr) bool {
	s, ok := x.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Trino"
}

// constantBeginning is the text that an expression of texts begins with, as far as it is written down.
func constantBeginning(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		return constantBeginning(x.X)
	case *ast.BasicLit:
		text, _ := strconv.Unquote(x.Value)
		return text
	}
	return ""
}
