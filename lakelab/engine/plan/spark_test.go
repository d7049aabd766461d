package plan_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// recorded is one line of testdata/spark.jsonl: what testdata/record_spark.py saw real Spark answer.
type recorded struct {
	SQL     string  `json:"sql"`
	Columns [][]any `json:"columns"` // name, type, nullable
	Error   *struct {
		Exception string            `json:"exception"`
		Class     string            `json:"class"`
		SQLState  string            `json:"sqlState"`
		Params    map[string]string `json:"params"`
		Message   string            `json:"message"`
		Place     []int             `json:"place"` // first and last character, from 1
	} `json:"error"`
}

// TestSpark analyzes every recorded query and compares names, types and nullability of its columns, or every part of the error.
func TestSpark(t *testing.T) {
	f, err := os.Open("testdata/spark.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := analyzer(t, sql.Spark)
	lines := bufio.NewScanner(f)
	n := 0
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		n++
		t.Run(r.SQL, func(t *testing.T) {
			if msg := compare(a.query(t.Context(), r.SQL), r); msg != "" {
				t.Error(msg)
			}
		})
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatal("no recorded queries", err)
	}
}

func compare(got outcome, want recorded) string {
	if want.Error == nil {
		if got.err != nil {
			return fmt.Sprintf("got error %v\nwant %v", got.err, want.Columns)
		}
		g := make([][]any, len(got.node.Output()))
		for i, c := range got.node.Output() {
			g[i] = []any{c.Name, c.T.SimpleString(), c.Null}
		}
		if fmt.Sprintf("%q", g) != fmt.Sprintf("%q", want.Columns) {
			return fmt.Sprintf("got  %v\nwant %v", g, want.Columns)
		}
		return ""
	}
	w := want.Error
	var e *errclass.Error
	if !errors.As(got.err, &e) {
		return fmt.Sprintf("got %v, want %s", got.err, w.Message)
	}
	if e.Class != w.Class || e.Exception != w.Exception || e.SQLState != w.SQLState {
		return fmt.Sprintf("got  %s %s %s: %s\nwant %s %s %s: %s", e.Exception, e.Class, e.SQLState, e.Message, w.Exception, w.Class, w.SQLState, w.Message)
	}
	if e.Error() != w.Message {
		return fmt.Sprintf("got  %s\nwant %s", e.Error(), w.Message)
	}
	if !maps.Equal(e.Params, w.Params) && len(e.Params)+len(w.Params) > 0 {
		return fmt.Sprintf("%s\ngot  %v\nwant %v", e.Class, e.Params, w.Params)
	}
	if w.Place != nil && (!e.HasSpan || e.Span.Start.Offset+1 != w.Place[0] || e.Span.End.Offset != w.Place[1]) {
		return fmt.Sprintf("%s\nat %d to %d, want %v", e.Class, e.Span.Start.Offset+1, e.Span.End.Offset, w.Place)
	}
	return ""
}
