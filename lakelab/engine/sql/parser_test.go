package sql

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/engine/sql/token"
)

func statements(tb testing.TB, file string) []string {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		tb.Fatal(err)
	}
	var out []string
	for _, l := range strings.Split(string(data), "\n") {
		if l != "" {
			out = append(out, l)
		}
	}
	return out
}

var corpora = []struct {
	dialect Dialect
	file    string
}{{Spark, "spark_statements.txt"}, {Trino, "trino_statements.txt"}}

// TestStatements reads statements that real Spark and Trino read, and checks every node's place.
func TestStatements(t *testing.T) {
	for _, c := range corpora {
		for _, text := range statements(t, c.file) {
			st, err := Parse(c.dialect, text)
			if err != nil {
				t.Errorf("%s\n %v", text, err)
				continue
			}
			checkSpans(t, text, reflect.ValueOf(st))
			if s := st.Span(); strings.TrimSpace(text[s.Start.Offset:s.End.Offset]) == "" || s.Start.Offset != 0 {
				t.Errorf("%s\n statement's span is %v", text, s)
			}
		}
	}
}

// checkSpans walks all nodes: places lie in the text, line and column fit the offset, and names stand where they say.
func checkSpans(t *testing.T, text string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			checkSpans(t, text, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			checkSpans(t, text, v.Index(i))
		}
	case reflect.Struct:
		if s, ok := v.Interface().(token.Span); ok {
			checkPos(t, text, s.Start)
			checkPos(t, text, s.End)
			if s.End.Offset < s.Start.Offset {
				t.Errorf("%s\n span %v ends before it begins", text, s)
			}
			return
		}
		if n, ok := v.Interface().(Name); ok && n.Pos != (token.Span{}) {
			cut := text[n.Pos.Start.Offset:n.Pos.End.Offset]
			// Names of special forms (position, substring …) are the grammar's.
			if n.Quoted && (cut[0] != '`' && cut[0] != '"') && cut[0] != '\'' {
				t.Errorf("%s\n name %q stands at %q", text, n.Text, cut)
			}
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				checkSpans(t, text, v.Field(i))
			}
		}
	}
}

func checkPos(t *testing.T, text string, p token.Pos) {
	if p == (token.Pos{}) {
		return
	}
	if p.Offset > len(text) {
		t.Errorf("%s\n place %v outside of the text", text, p)
		return
	}
	before := text[:p.Offset]
	line := strings.Count(before, "\n") + 1
	col := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	if p.Line != line || p.Col != col {
		t.Errorf("%s\n place %v should be line %d, column %d", text, p, line, col)
	}
}

// TestCuts checks texts that later layers cut out of the source.
func TestCuts(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{"a + 1", "a + 1"},
		{" a.b [ 0 ] ", "a.b [ 0 ]"},
		{"/* x */ count( * ) filter (where a > 1) over (order by b)", "count( * ) filter (where a > 1) over (order by b)"},
		{"cast(a as int) -- end", "cast(a as int)"},
		{"ж + 'ё' as я1", ""},
		{"`ж` + 'ё' as `я`", "`ж` + 'ё' as `я`"},
		{"case when a then b end :: string", "case when a then b end :: string"},
		{"x -> x + 1", "x -> x + 1"},
		{"not a and b is null", "not a and b is null"},
		{"-1", "-1"},
		{"*", "*"},
	} {
		e, err := ParseExpr(Spark, c.expr)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s is read", c.expr)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		s := e.Span()
		if got := c.expr[s.Start.Offset:s.End.Offset]; got != c.want {
			t.Errorf("%q cuts %q, want %q", c.expr, got, c.want)
		}
	}
	st, err := Parse(Spark, "create view v as\n  select 1 -- one\n ;")
	if err != nil {
		t.Fatal(err)
	}
	if got := st.(*CreateView).QueryText; got != "select 1" {
		t.Errorf("view's text is %q", got)
	}
}

// shape writes an expression with all its parentheses.
func shape(e Expr) string {
	switch e := e.(type) {
	case *Binary:
		return "(" + shape(e.L) + " " + e.Op + " " + shape(e.R) + ")"
	case *Unary:
		return "(" + e.Op + " " + shape(e.X) + ")"
	case *Literal:
		return e.Text + e.Suffix
	case *Ident:
		return dotted(e.Parts)
	case *Is:
		return "(" + shape(e.X) + " is " + e.What + ")"
	case *Between:
		return "(" + shape(e.X) + " between " + shape(e.Lo) + " and " + shape(e.Hi) + ")"
	case *Subscript:
		return shape(e.X) + "[" + shape(e.Index) + "]"
	case *Cast:
		return "cast(" + shape(e.X) + " " + e.Type.Name + ")"
	case *Field:
		return shape(e.X) + "." + e.Name.Text
	}
	return fmt.Sprintf("%T", e)
}

// TestPrecedence compares with the grouping that Spark's and Trino's grammars prescribe.
func TestPrecedence(t *testing.T) {
	for _, c := range []struct {
		dialect    Dialect
		expr, want string
	}{
		{Spark, "a or b and not c or d", "((a OR (b AND (NOT c))) OR d)"},
		{Spark, "not a = b and c", "((NOT (a = b)) AND c)"},
		{Spark, "a + b * c - d", "((a + (b * c)) - d)"},
		{Spark, "a || b + c", "((a || b) + c)"},
		{Spark, "a | b ^ c & d << 1 + 2", "(a | (b ^ (c & (d << (1 + 2)))))"},
		{Spark, "a >> 1 >>> 2", "((a >> 1) >>> 2)"},
		{Spark, "a = b is null", "((a = b) is NULL)"},
		{Spark, "a between 1 and 2 and b", "((a between 1 and 2) AND b)"},
		{Spark, "-a.b[0]", "(- a.b[0])"},
		{Spark, "-1::string", "cast(-1 STRING)"},
		{Spark, "2 -1", "(2 - 1)"},
		{Spark, "a div b % c", "((a DIV b) % c)"},
		{Spark, "a < b = c", "((a < b) = c)"},
		{Trino, "a || b + c", "(a || (b + c))"},
		{Trino, "a = b or c and d", "((a = b) OR (c AND d))"},
		{Trino, "-a * b", "((- a) * b)"},
	} {
		e, err := ParseExpr(c.dialect, c.expr)
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
		} else if got := shape(e); got != c.want {
			t.Errorf("%s is %s, want %s", c.expr, got, c.want)
		}
	}
}

func TestSplit(t *testing.T) {
	text := "select ';' ; -- a;b\n/* ;\n*/ select `;`;\n\n;select \"x;\""
	pieces, err := Split(Spark, text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pieces {
		got = append(got, fmt.Sprintf("%d:%d %s", p.Start.Line, p.Start.Col, p.Text))
		if text[p.Start.Offset:p.Start.Offset+len(p.Text)] != p.Text {
			t.Errorf("%q is not at %v", p.Text, p.Start)
		}
	}
	want := []string{"1:0 select ';'", "3:3 select `;`", "5:1 select \"x;\""}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSchemaAndType(t *testing.T) {
	cols, err := ParseSchema("a INT, b STRING NOT NULL COMMENT 'x', c ARRAY<STRUCT<d: DECIMAL(10, 2)>>")
	if err != nil || len(cols) != 3 || !cols[1].NotNull || *cols[1].Comment != "x" || cols[2].Type.Elems[0].Fields[0].Type.Args[1] != 2 {
		t.Errorf("%+v %v", cols, err)
	}
	typ, err := ParseType("map<string, interval day to second>")
	if err != nil || typ.Elems[1].Name != "INTERVAL DAY TO SECOND" {
		t.Errorf("%+v %v", typ, err)
	}
}

// TestDepth: nesting is bounded, and neither nesting nor words that promise another reading cost more than they should.
func TestDepth(t *testing.T) {
	const n = 20_000
	for _, c := range []struct{ open, mid, shut string }{
		{"(", "1", ")"}, {"- ", "1", ""}, {"not ", "a", ""}, {"f(", "1", ")"}, {"(select ", "1", ")"}, {"a[", "1", "]"}, {"x -> ", "1", ""},
		{"cast(", "a", " as int)"}, {"((select 1) + ", "1", ")"}, {"trim(", "1", ")"}, {"substring(a, ", "1", ")"}, {"position(", "1", ")"},
		{"case when ", "a", " then b end"}, {"a in ((", "1", "))"}, {"trim(leading 'x' from ", "y", ")"}, {"(a, ", "1", ")"},
	} {
		for _, d := range []Dialect{Spark, Trino} {
			if _, err := Parse(d, "select "+strings.Repeat(c.open, n)+c.mid+strings.Repeat(c.shut, n)); err == nil {
				t.Errorf("%q nested %d times is read", c.open, n)
			}
			if _, err := Parse(d, "select "+strings.Repeat(c.open, 30)+c.mid+strings.Repeat(c.shut, 30)); err != nil {
				t.Errorf("%q nested 30 times: %v", c.open, err)
			}
		}
	}
	// These are wrong or odd: they only have to end.
	for _, text := range []string{
		"select * from " + strings.Repeat("(", n), "select cast(a as " + strings.Repeat("array<", n), "select 1 " + strings.Repeat("union select 1 ", n),
		"select " + strings.Repeat("a and ", n) + "b", strings.Repeat("/*", n), "select " + strings.Repeat("case a when ", n),
		"select " + strings.Repeat("a in (", n), "select " + strings.Repeat("case when ", 40) + "a" + strings.Repeat(" then b", 40),
		"select " + strings.Repeat("trim(from x ", 40), "select " + strings.Repeat("cast(", 40) + "1" + strings.Repeat(")", 40),
		"select " + strings.Repeat("((values ", 40) + "1" + strings.Repeat(") + 1)", 40), "select " + strings.Repeat("overlay(", 40) + "1",
		"select * from " + strings.Repeat("(select * from (", 40), "select " + strings.Repeat("date_add(day, ", 40), "select " + strings.Repeat("((select ", 40),
	} {
		for _, d := range []Dialect{Spark, Trino} {
			_, _ = Parse(d, text)
		}
	}
}

func fuzz(f *testing.F, d Dialect) {
	for _, c := range corpora {
		for _, s := range statements(f, c.file) {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		begin := time.Now()
		if st, err := Parse(d, text); err == nil {
			checkSpans(t, text, reflect.ValueOf(st))
		}
		_, _ = ParseExpr(d, text)
		_, _ = Split(d, text)
		if d := time.Since(begin); d > 2*time.Second {
			t.Errorf("takes %v", d)
		}
	})
}

func FuzzParseSpark(f *testing.F) { fuzz(f, Spark) }
func FuzzParseTrino(f *testing.F) { fuzz(f, Trino) }

// FuzzLex checks that lexemes follow each other, cover their text and end.
func FuzzLex(f *testing.F) {
	for _, c := range corpora {
		for _, s := range statements(f, c.file) {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, opts := range []Options{{}, {DoubleQuotedIdentifiers: true}} {
			for _, d := range []Dialect{Spark, Trino} {
				toks, _ := lexWith(d, text, opts)
				end := 0
				for i := range toks {
					k := &toks[i]
					if k.start.Offset < end || k.end.Offset < k.start.Offset || k.kind != eof && text[k.start.Offset:k.end.Offset] != k.text {
						t.Fatalf("lexeme %d of %q: %+v behind %d", i, text, k, end)
					}
					end = k.end.Offset
				}
				if toks[len(toks)-1].kind != eof {
					t.Fatalf("no end of %q", text)
				}
			}
		}
	})
}

// BenchmarkParse reads a typical query of a lesson.
func BenchmarkParse(b *testing.B) {
	const query = `SELECT z.borough, date_trunc('HOUR', t.pickup_at) AS hour, count(*) AS trips, round(avg(t.total_amount), 2) AS avg_total
FROM lakehouse.silver.trips t JOIN lakehouse.silver.zones z ON t.pickup_zone = z.id
WHERE t.pickup_at >= TIMESTAMP '2024-01-01' AND z.borough IN ('Brooklyn', 'Queens') AND t.distance BETWEEN 1 AND 20
GROUP BY z.borough, date_trunc('HOUR', t.pickup_at) HAVING count(*) > 10 ORDER BY trips DESC LIMIT 20`
	for name, d := range map[string]Dialect{"Spark": Spark, "Trino": Trino} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(d, query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
