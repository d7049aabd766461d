package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// compare says how our answer differs from Spark's, nothing if it doesn't.
func compare(got, want answer) string {
	switch {
	case want.Error != nil && want.Error.Exception == "Py4JJavaError":
		return "" // Spark itself breaks on it
	case got.Error != nil && want.Error != nil:
		if class(got.Error) != class(want.Error) {
			return fmt.Sprintf("error %s, Spark's is %s", class(got.Error), class(want.Error))
		}
		return ""
	case got.Error != nil:
		return "error " + class(got.Error) + ": " + firstLine(got.Error.Message)
	case want.Error != nil:
		return "no error, Spark's is " + class(want.Error)
	case !slices.Equal(got.Types, want.Types):
		return fmt.Sprintf("types %v, Spark's are %v", got.Types, want.Types)
	case !slices.Equal(got.Names, want.Names):
		return fmt.Sprintf("names %q, Spark's are %q", got.Names, want.Names)
	case !slices.Equal(got.Nullable, want.Nullable):
		return fmt.Sprintf("nullable %v, Spark's is %v", got.Nullable, want.Nullable)
	case strings.TrimSpace(got.Tree) != strings.TrimSpace(want.Tree):
		return fmt.Sprintf("tree %q, Spark's is %q", got.Tree, want.Tree)
	}
	g, w := sortedLines(got.Text), sortedLines(want.Text)
	if len(g) != len(w) {
		return fmt.Sprintf("%d rows, Spark has %d", len(g), len(w))
	}
	for i := range g {
		if !sameLine(g[i], w[i]) {
			return fmt.Sprintf("row %s, Spark's is %s", g[i], w[i])
		}
	}
	return ""
}

// atRunTime reports whether an error came with a row, not with the analysis.
func atRunTime(f *failure) bool {
	return f != nil && f.Exception != "AnalysisException" && f.Exception != "ParseException"
}

// class is the error's class; exceptions without one, and Spark's "_LEGACY" placeholders, are known by their Java name.
func class(f *failure) string {
	if f.Class == "" || strings.HasPrefix(f.Class, "_LEGACY") {
		return f.Exception
	}
	return f.Class
}

// sortedLines are the rows of a shown table in an order of their own: the statements here promise none.
func sortedLines(text string) []string {
	var out []string
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if !strings.HasPrefix(l, "+-") {
			fields := strings.FieldsFunc(l, func(r rune) bool { return r == ' ' })
			out = append(out, strings.ReplaceAll(strings.Join(fields, " "), " |", "|")) // show() fills up with blanks what is shorter than others
		}
	}
	slices.Sort(out)
	return out
}

var floating = regexp.MustCompile(`-?\d+\.\d+(E-?\d+)?`)

// sameLine compares rows; floating numbers may differ in the last places, where Java's and C's libraries do.
func sameLine(a, b string) bool {
	if a == b {
		return true
	}
	x, y := floating.FindAllString(a, -1), floating.FindAllString(b, -1)
	if len(x) != len(y) || floating.ReplaceAllString(a, "#") != floating.ReplaceAllString(b, "#") {
		return false
	}
	for i := range x {
		f, err1 := strconv.ParseFloat(x[i], 64)
		g, err2 := strconv.ParseFloat(y[i], 64)
		if err1 != nil || err2 != nil || math.Abs(f-g) > 1e-12*math.Max(math.Abs(f), math.Abs(g)) {
			return false
		}
	}
	return true
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
