package sql

import (
	"errors"
	"os"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// TestTrinoErrors compares with what Trino 476's parser says about the same statements (testdata/RecordTrinoErrors.java): the place and
// the lexeme always; the list of what was expected where this parser's alternatives are Trino's.
func TestTrinoErrors(t *testing.T) {
	data, err := os.ReadFile("testdata/trino_errors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	exact, n := 0, 0
	for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		stmt, want, _ := strings.Cut(line, "\t")
		want = strings.ReplaceAll(want, "\\n", "\n")
		stmt = strings.ReplaceAll(stmt, "\\n", "\n")
		n++
		_, err := Parse(Trino, stmt)
		var e *errclass.Error
		switch {
		case want == "" && err != nil:
			t.Errorf("%s\n got  %v\n Trino reads it", stmt, err)
		case want == "":
			exact++
		case err == nil:
			t.Errorf("%s\n is read\n want %s", stmt, want)
		case !errors.As(err, &e):
			t.Errorf("%s: %T", stmt, err)
		default:
			head := func(s string) string { h, _, _ := strings.Cut(s, ". Expecting: "); return h }
			if e.Code != 1 || head(e.Message) != head(want) {
				t.Errorf("%s\n got  %s\n want %s", stmt, e.Message, want)
			} else if e.Message == want {
				exact++
			} else {
				t.Logf("%s\n got  %s\n want %s", stmt, e.Message, want)
			}
		}
	}
	t.Logf("%d of %d in full", exact, n)
	if exact*10 < n*8 {
		t.Errorf("only %d of %d lists of expectations agree", exact, n)
	}
}
