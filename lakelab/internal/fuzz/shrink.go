package main

import (
	"bufio"
	"context"
	"fmt"
	"regexp"
	"strings"
)

// fuzzer asks both engines and reports.
type fuzzer struct {
	ours    embedded
	spark   *sparkProcess
	garden  *garden
	seen    map[string]bool
	report  *bufio.Writer
	found   int
	refused int
}

// differs cuts a case down and reports it, unless its like was reported before.
func (f *fuzzer) differs(ctx context.Context, c query, diff string) error {
	if refusal.MatchString(diff) {
		f.refused++
		return nil
	}
	if f.seen[kind(c.root(), diff)] {
		return nil
	}
	f.seen[kind(c.root(), diff)] = true
	for tries := 0; tries < 200; {
		smaller := f.garden.smaller(c)
		if len(smaller) == 0 {
			break
		}
		texts := make([]string, len(smaller))
		for i, s := range smaller {
			texts[i] = s.sql()
		}
		answers, err := f.spark.ask(texts)
		if err != nil {
			return err
		}
		tries += len(smaller)
		next := -1
		for i := range smaller {
			if d := compare(f.ours.ask(ctx, texts[i]), answers[i]); d != "" && !refusal.MatchString(d) {
				next, diff = i, d
				break
			}
		}
		if next < 0 {
			break
		}
		c = smaller[next]
	}
	text := c.sql()
	k := kind(c.root(), diff)
	if f.seen["shrunk "+k] || known(text, diff) {
		return nil
	}
	f.seen["shrunk "+k] = true
	f.found++
	fmt.Fprintf(f.report, "-- %s\n%s;\n", strings.ReplaceAll(diff, "\n", " "), text)
	return f.report.Flush()
}

// refusal is our own error for what is not built: honest, and counted apart.
var refusal = regexp.MustCompile(`^error (UNSUPPORTED_FEATURE|_LAKELAB)`)

var values = regexp.MustCompile(`[\d'"].*`)

// kind groups differences: one report for a function and a way to differ.
func kind(root, diff string) string {
	return root + " " + values.ReplaceAllString(diff, "")
}
