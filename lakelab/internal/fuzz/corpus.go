package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// exchange is a statement and what Spark answered. Files of them, one a line, let the engine be asked again without Spark.
type exchange struct {
	SQL    string `json:"sql"`
	Root   string `json:"root"`
	Answer answer `json:"answer"`
}

// collect grows statements and writes them with Spark's answers; our engine is not asked.
func collect(g *garden, spark *sparkProcess, cases []query, into *json.Encoder) error {
	texts := make([]string, len(cases))
	for i, c := range cases {
		texts[i] = c.sql()
	}
	answers, err := spark.ask(texts)
	if err != nil {
		return err
	}
	for i, c := range cases {
		g.learn(c, answers[i])
		if err := into.Encode(exchange{texts[i], c.root(), answers[i]}); err != nil {
			return err
		}
	}
	return nil
}

// group is one way in which the statements of one form differ.
type group struct {
	text, diff string // the shortest statement
	n          int
}

// again asks our engine the statements of a file, and writes how its answers differ from those that Spark gave, one for each kind.
func again(ctx context.Context, ours embedded, path string, report io.Writer) (found int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	groups, refused := map[string]*group{}, map[string]*group{}
	asked, differ := 0, 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() && ctx.Err() == nil {
		var x exchange
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return 0, err
		}
		asked++
		got := ours.ask(ctx, x.SQL)
		diff := compare(got, x.Answer)
		if diff == "" || known(x.SQL, diff) || freeOfRows(got, x.Answer) {
			continue
		}
		into, k := groups, kind(x.Root, diff)
		if refusal.MatchString(diff) {
			into, k = refused, firstLine(diff)
		} else {
			differ++
		}
		if into[k] == nil {
			into[k] = &group{x.SQL, diff, 0}
		}
		into[k].n++
		if len(x.SQL) < len(into[k].text) {
			into[k].text, into[k].diff = x.SQL, diff
		}
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	write(report, "", groups)
	write(report, "refused: ", refused)
	fmt.Printf("%d statements, %d differ, in %d kinds; %d kinds refused by name\n", asked, differ, len(groups), len(refused))
	return len(groups), ctx.Err()
}

// freeOfRows reports whether both failed at some row, which free looks at more closely where Spark can be asked.
func freeOfRows(got, want answer) bool { return atRunTime(got.Error) && atRunTime(want.Error) }

// write lists the commonest first.
func write(report io.Writer, prefix string, groups map[string]*group) {
	list := make([]*group, 0, len(groups))
	for _, g := range groups {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *group) int { return cmp.Or(b.n-a.n, cmp.Compare(a.text, b.text)) })
	for _, g := range list {
		fmt.Fprintf(report, "-- %s%d: %s\n%s;\n", prefix, g.n, oneLine(g.diff), g.text)
	}
}
