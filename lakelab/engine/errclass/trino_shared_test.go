package errclass

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryConditionHasATrinoName makes an error of each of Spark's conditions and kinds of exceptions that this package knows, and wants
// none of those names to reach a client of Trino's.
func TestEveryConditionHasATrinoName(t *testing.T) {
	conditions, exceptions := map[string]bool{}, map[string]bool{}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:\.[A-Z0-9_]+)?)"`).FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(filepath.Base(p), "trino") {
				conditions[m[1]] = true
			}
		}
		for _, m := range regexp.MustCompile(`Exception: "([A-Za-z]+)"`).FindAllStringSubmatch(string(text), -1) {
			exceptions[m[1]] = !strings.HasPrefix(m[1], "Trino")
		}
	}
	if len(conditions) < 200 || len(exceptions) < 15 {
		t.Fatalf("only %d conditions and %d exceptions found", len(conditions), len(exceptions))
	}
	check := func(e *Error) {
		got, ok := InTrino(e).(*Error)
		if !ok || !got.Trino() {
			t.Errorf("%s %s stays Spark's", e.Exception, e.Class)
			return
		}
		if _, known := trinoCodes[got.Class]; !known && got.Class != "GENERIC_USER_ERROR" {
			t.Errorf("%s %s becomes %s, which has no code", e.Exception, e.Class, got.Class)
		}
		if text := got.Text(); strings.Contains(text, "["+e.Class+"]") && e.Class != "" || strings.Contains(text, "SQLSTATE") {
			t.Errorf("%s %s shows through: %s", e.Exception, e.Class, text)
		}
	}
	for class := range conditions {
		check(&Error{Exception: "AnalysisException", Class: class, SQLState: "42000", Message: "what is wrong"})
	}
	for exception := range exceptions {
		if exceptions[exception] {
			check(&Error{Exception: exception, Message: "what is wrong"})
		}
	}
}
