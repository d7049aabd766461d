package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// count is a line of the table of results.
type count struct {
	Name     string
	Queries  int // that succeed in Spark
	Agree    int // with the same names, types and rows
	RowsOnly int
	Errors   int // that fail in Spark
	Class    int // with the same class
}

func (c *count) add(o count) {
	c.Queries += o.Queries
	c.Agree += o.Agree
	c.RowsOnly += o.RowsOnly
	c.Errors += o.Errors
	c.Class += o.Class
}

func countOf(f *file, answers []answer) count {
	c := count{Name: f.Name}
	for i, g := range f.Queries {
		v := answers[i].Verdict
		if v == passedOver {
			continue
		}
		if g.fails() {
			c.Errors++
			if v == agrees {
				c.Class++
			}
			continue
		}
		c.Queries++
		switch v {
		case agrees:
			c.Agree++
		case rowsOnly:
			c.RowsOnly++
		}
	}
	return c
}

// worse tells in words what a file has lost against its line of the table; empty if nothing.
func (c *count) worse(before count) string {
	var out []string
	for _, n := range []struct {
		what       string
		now, first int
	}{
		{"agree", c.Agree, before.Agree},
		{"agree in rows", c.Agree + c.RowsOnly, before.Agree + before.RowsOnly},
		{"errors with Spark's class", c.Class, before.Class},
	} {
		if n.now < n.first {
			out = append(out, fmt.Sprintf("%d %s, %d before", n.now, n.what, n.first))
		}
	}
	return strings.Join(out, "; ")
}

func percent(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

const row = "| %s | %d | %d | %d | %d | %d |\n"

// writeTable writes the results as Markdown.
func writeTable(path string, total count, counts []count) error {
	var b strings.Builder
	b.WriteString("# How the engine answers Spark's own SQL tests\n\n")
	b.WriteString("Written by `make conformance` (`go run ./lakelab/internal/conformance`), which fetches the tests (" + artifact + ") with Maven,\n")
	b.WriteString("runs every file in a session of its own and fails if a file got worse than this table. `-v FILE` shows each disagreement.\n\n")
	fmt.Fprintf(&b, "**%s** of the queries agree in names, types and rows (%s more in rows only); **%s** of the errors have Spark's class.\n\n",
		percent(total.Agree, total.Queries), percent(total.RowsOnly, total.Queries), percent(total.Class, total.Errors))
	b.WriteString("| file | queries | agree | rows only | errors | right class |\n|---|--:|--:|--:|--:|--:|\n")
	for _, c := range append([]count{total}, counts...) {
		fmt.Fprintf(&b, row, c.Name, c.Queries, c.Agree, c.RowsOnly, c.Errors, c.Class)
	}
	b.WriteString("\nLeft out:\n\n| files | reason |\n|---|---|\n")
	for _, l := range leftOut {
		fmt.Fprintf(&b, "| `%s` | %s |\n", l.pattern, l.reason)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// readTable reads the lines of a table written before; none if there is no table.
func readTable(path string) (map[string]count, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]count{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c count
		text := strings.ReplaceAll(lines.Text(), "|", " ")
		if n, _ := fmt.Sscan(text, &c.Name, &c.Queries, &c.Agree, &c.RowsOnly, &c.Errors, &c.Class); n == 6 {
			out[c.Name] = c
		}
	}
	return out, lines.Err()
}
