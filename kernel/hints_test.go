package main

import (
	"strings"
	"testing"
)

// hinted are cells that somebody writes who comes from Python, and a part of the hint below the compiler's text; "" is for
// cells that are right or that need none.
var hinted = []struct{ code, hint string }{
	{"import F \"mini-lakehouse-lab/lakelab/functions\"\nimport \"mini-lakehouse-lab/lakelab\"\nvar spark = lakelab.NewSession(\"a\")", ""},
	{"%%\nx := 1\n%%\nfmt.Println(x)", "только одна строка %%"},
	{"x := 1\n%%\nfmt.Println(x)", "выше %% стоят только"},
	{"fmt.Println(1)\n%%\nfmt.Println(2)", "выше %% стоят только"},
	{"%%\nfunc below() int { return 1 }\nfmt.Println(below())", ""},
	{"%%\nimport \"strings\"\nfmt.Println(strings.ToUpper(\"a\"))", ""},
	{"x := strings.NewReplacer(\"a\", \"b\")\n\t.Replace(\"a\")\nfmt.Println(x)", "в конце предыдущей строки"},
	{"spark.Range(10).Filter(F.Col(\"x\") > 0).Show()", ".Gt(…)"},
	{"spark.Range(10).Filter(F.Col(\"x > 1\") <= 0).Show()", ".Le(…)"},
	{"spark.Range(10).Select(F.Col(\"x\") * 2).Show()", ".Times(…)"},
	{"spark.Range(10).Select(2 * F.Col(\"x\")).Show()", ".Times(…)"},
	{"spark.Range(10).Filter(F.Col(\"x\") == \"a\").Show()", ".Eq(…)"},
	{"spark.Range(10).Select(F.Col(\"x\") + F.Col(\"y\")).Show()", ".Plus(…)"},
	{"spark.Range(10).Filter(F.Col(\"x\").Gt(1) & F.Col(\"x\").Lt(2)).Show()", ".And(…)"},
	{"spark.Range(10).Filter(F.Col(\"x\").Gt(1) || F.Col(\"x\").Lt(2)).Show()", ".Or(…)"},
	{"spark.Range(10).Filter(!F.Col(\"x\").Gt(1)).Show()", "условие.Not()"},
	{"spark.Range(10).Filter(~F.Col(\"x\").Gt(1)).Show()", "условие.Not()"},
	{"x = 5\nfmt.Println(x)", "x := …"},
	{"fmt.Println('text')", "в двойных кавычках"},
	{"s := f\"a {x}\"\nfmt.Println(s)", "fmt.Sprintf"},
	{"spark.SQL(\"\"\"SELECT 1\"\"\").Show()", "в обратных кавычках"},
	{"spark.SQL(\"\"\"\nSELECT 1\n\"\"\").Show()", "в обратных кавычках"},
	{"spark.sql(\"SELECT 1\").Show()", "spark.SQL"},
	{"spark.Table(\"a\").show()", ".Show"},
	{"F.col(\"x\")", "F.Col"},
	{"y := 5", "_ = y"},
	{"%%\nq := 5\nfmt.Println(q)", ""},
	{"fmt.Println(q)", "отдельная программа"},
	{"fmt.Println(neverSeen)", ""},
	{"x := None\nfmt.Println(x)", "nil"},
	{"x := True\nfmt.Println(x)", "true"},
	{"if 1 == 1 and 2 == 2 {\n}", "&&"},
	{"# comment\nfmt.Println(1)", "//"},
	{"def f(x):\n  return x", "func имя"},
	{"for i in range(10):\n  fmt.Println(i)", "for i := range"},
	{"from pyspark.sql import functions as F", "import \"пакет\""},
	{"import pandas as pd", "в кавычках"},
	{"x := [1, 2]\nfmt.Println(x)", "[]int{1, 2}"},
	{"spark.Range(10).Show(truncate=false)", "именованных аргументов"},
}

func TestHints(t *testing.T) {
	t.Parallel()
	var steps []step
	for _, c := range hinted {
		steps = append(steps, step{"run": c.code})
	}
	for i, r := range drive(t, steps...) {
		c, trace := hinted[i], ""
		if r.Error != nil {
			trace = strings.Join(r.Error.Traceback, "\n")
			if strings.Contains(trace, "\x1b[3") {
				t.Errorf("%q: a colour, which a theme may make unreadable: %q", c.code, trace)
			}
		}
		at := strings.Index(trace, "Подсказка:")
		switch {
		case c.hint == "" && at >= 0, c.hint != "" && (at < 0 || !strings.Contains(trace[at:], c.hint)):
			t.Errorf("%q: want the hint %q:\n%s", c.code, c.hint, trace)
		case at >= 0 && strings.Count(trace[at:], "\n") > 0:
			t.Errorf("%q: the hint is not the last line:\n%s", c.code, trace)
		}
	}
}

// TestUnclosed: nobody is told of a bracket that he didn't write.
func TestUnclosed(t *testing.T) {
	t.Parallel()
	r := drive(t, step{"run": "x := 1\nfmt.Println(x,\n"}, step{"run": "for {\n\tfmt.Println(1)\n"})
	wantError(t, r[0], "CompileError", "'(' is not closed")
	wantError(t, r[1], "CompileError", "'{' is not closed")
	for i, line := range []string{"Cell line 2", "Cell line 1"} {
		if trace := ansi.ReplaceAllString(strings.Join(r[i].Error.Traceback, "\n"), ""); !strings.Contains(trace, line) {
			t.Errorf("want %s:\n%s", line, trace)
		}
	}
}
