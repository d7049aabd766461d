package sql

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// ambiguous are statements at which ANTLR's prediction stops elsewhere than the descent does, or loses the place. Class and wording of
// the class are compared all the same.
var ambiguous = map[string]bool{
	"SELECT a, count(*) FROM t GROUP BY a ORDER":                true,
	"SELECT 1 FROM t GROUP BY ROLLUP a":                         true,
	"SELECT a, count(*) FROM t GROUP BY a, HAVING count(*) > 1": true,
	"WITH a (SELECT 1 SELECT * FROM a":                          true,
}

// TestSparkErrors compares with what PySpark says about the same statements (testdata/record_errors.py).
func TestSparkErrors(t *testing.T) {
	f, err := os.Open("testdata/spark_errors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var c struct {
			SQL   string
			Class *string
			Text  *string
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		n++
		_, err := Parse(Spark, c.SQL)
		var e *errclass.Error
		switch {
		case c.Class == nil && err != nil:
			t.Errorf("%s\n got  %v\n Spark reads it", c.SQL, err)
		case c.Class == nil:
		case err == nil:
			t.Errorf("%s\n is read\n want %s", c.SQL, *c.Text)
		case !errors.As(err, &e):
			t.Errorf("%s: %T is no *errclass.Error", c.SQL, err)
		default:
			e.SQL = c.SQL
			if got := e.ParseText(); got != *c.Text && !ambiguous[c.SQL] || e.Class != *c.Class {
				t.Errorf("%s\n got  %s %s\n want %s %s", c.SQL, e.Class, got, *c.Class, *c.Text)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d statements", n)
	}
}
