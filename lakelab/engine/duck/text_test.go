package duck_test

import (
	"encoding/json"
	"os"
	"testing"
)

// TestTextOfValues compares the texts of values with those that real Spark's show printed (recorded beside package types).
func TestTextOfValues(t *testing.T) {
	var r struct {
		Values []struct{ Expr, Type, Text string }
	}
	b, err := os.ReadFile("../../types/testdata/show.json")
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil || len(r.Values) == 0 {
		t.Fatal("no recorded values", err)
	}
	db := open(t)
	for _, w := range r.Values {
		got := ask(t.Context(), db, "SELECT "+w.Expr)
		if got.Error != nil || got.Types[0] != w.Type || got.Rows[0][0] != w.Text {
			t.Errorf("%s: got %v %v %v, want %s %q", w.Expr, got.Types, got.Rows, got.Error, w.Type, w.Text)
		}
	}
}
