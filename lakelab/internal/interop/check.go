package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// cell is one result: a scenario, a direction, a lake.
type cell struct {
	scenario, what, lake string // what is "Spark reads", "Spark writes" …
	failure              string
	not                  string // why the peer can't
}

// table is the result of one peer.
type table struct {
	peer  string
	cells []cell
}

// add runs a scenario: one side writes, both read.
func (t *table) add(l lake, name string, s scenario, writer, other peer, what string) {
	c := cell{scenario: s.name, what: what, lake: l.Title, not: s.not[what]}
	if c.not == "" {
		c.not = cmp.Or(s.not[what+", "+name], unable[what+", "+name])
	}
	if c.not == "" {
		if err := check(name, s, writer, []peer{writer, other}); err != nil {
			c.failure = err.Error()
		}
	}
	mark := "ok"
	if c.failure != "" {
		mark = "FAILED: " + c.failure
	} else if c.not != "" {
		mark = "not possible: " + c.not
	}
	fmt.Fprintf(os.Stderr, "%s, %s, %s: %s\n", l.Title, what, s.name, mark)
	t.cells = append(t.cells, c)
}

// check lets one engine write and asks the others what they see.
func check(lake string, s scenario, writer peer, readers []peer) error {
	name := space + "." + strings.NewReplacer(" ", "_", ":", "", "-", "_").Replace(s.name) + "_of_" + strings.ToLower(writer.name())
	if other := readers[1].name(); writer.name() == "lakelab" {
		name += "_for_" + strings.ToLower(other)
	}
	wrote, err := writer.write(lake, s, name)
	if err != nil {
		return fmt.Errorf("%s writes: %w", writer.name(), err)
	}
	if !wrote {
		return fmt.Errorf("the scenario has nothing for %s to write", writer.name())
	}
	seen := name
	if s.view {
		seen += "_view"
	}
	var first []string
	for i, r := range readers {
		for _, read := range s.reads {
			rows, err := r.read(lake, seen, s.columns, read.ref)
			if err != nil {
				return fmt.Errorf("%s reads: %w", r.name(), err)
			}
			if !slices.Equal(rows, read.want) {
				return fmt.Errorf("%s reads at %q\n  %s\nnot\n  %s", r.name(), read.ref, strings.Join(rows, "\n  "), strings.Join(read.want, "\n  "))
			}
		}
		described, err := r.metadata(lake, seen, s.view)
		if err != nil {
			return fmt.Errorf("%s describes: %w", r.name(), err)
		}
		if i == 0 {
			first = described
		} else if !slices.Equal(first, described) {
			return fmt.Errorf("%s sees\n  %s\nand %s\n  %s", readers[0].name(), strings.Join(first, "\n  "), r.name(), strings.Join(described, "\n  "))
		}
	}
	return nil
}

// String is the table: a row for each scenario and lake, a column for each direction.
func (t *table) String() string {
	var b strings.Builder
	var columns, notes []string
	rows, cells := [][2]string{}, map[[3]string]string{}
	for _, c := range t.cells {
		if !slices.Contains(columns, c.what) {
			columns = append(columns, c.what)
		}
		if r := [2]string{c.lake, c.scenario}; !slices.Contains(rows, r) {
			rows = append(rows, r)
		}
		mark := "yes"
		if c.failure != "" {
			mark = "**no**"
		} else if c.not != "" {
			n := slices.Index(notes, c.not)
			if n < 0 {
				n = len(notes)
				notes = append(notes, c.not)
			}
			mark = fmt.Sprintf("– (%d)", n+1)
		}
		cells[[3]string{c.lake, c.scenario, c.what}] = mark
	}
	slices.SortStableFunc(rows, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	fmt.Fprintf(&b, "| catalog and files | scenario | %s |\n|---|---|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s |", r[0], r[1])
		for _, c := range columns {
			fmt.Fprintf(&b, " %s |", cells[[3]string{r[0], r[1], c}])
		}
		b.WriteByte('\n')
	}
	for i, n := range notes {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d. %s.\n", i+1, n)
	}
	return b.String()
}
