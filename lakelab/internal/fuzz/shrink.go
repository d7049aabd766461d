package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// fuzzer asks both engines and reports.
type fuzzer struct {
	ours    embedded
	spark   *sparkProcess
	garden  *garden
	seen    map[string]bool
	report  io.Writer
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
	if free, err := f.free(ctx, c, diff); free || err != nil {
		return err
	}
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
	_, err := fmt.Fprintf(f.report, "-- %s\n%s;\n", oneLine(diff), text)
	return err
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// free reports whether two engines differ only in which of several errors they met. Rows have no order: which row is computed first,
// and so which of two rows' errors is reported, depends in Spark on its partitions and on which of its tasks is faster. Within one row
// the order is Spark's, so expressions are compared row by row.
func (f *fuzzer) free(ctx context.Context, c query, diff string) (bool, error) {
	if !strings.HasPrefix(diff, "error ") || !strings.Contains(diff, "Spark's is ") {
		return false, nil
	}
	want, err := f.spark.ask(append([]string{c.sql()}, c.rows()...))
	if err != nil {
		return false, err
	}
	if !atRunTime(want[0].Error) || !atRunTime(f.ours.ask(ctx, c.sql()).Error) {
		return false, nil
	}
	for i, text := range c.rows() {
		if compare(f.ours.ask(ctx, text), want[i+1]) != "" {
			return false, nil
		}
	}
	return true, nil
}

// refusal is our own error for what is not built: honest, and counted apart.
var refusal = regexp.MustCompile(`^error (UNSUPPORTED_FEATURE|_LAKELAB)`)

var values = regexp.MustCompile(`[\d'"].*`)

// kind groups differences: one report for a function and a way to differ.
func kind(root, diff string) string {
	return root + " " + values.ReplaceAllString(diff, "")
}
