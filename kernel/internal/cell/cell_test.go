package cell

import (
	"errors"
	"strings"
	"testing"
)

func TestLayout(t *testing.T) {
	for _, c := range []struct{ name, in, out string }{
		{"declarations stay", "import \"fmt\"\n\nfunc f() {}", "import \"fmt\"\n\nfunc f() {}"},
		{"marker stays", "import \"fmt\"\n\n%%\nfmt.Println()", "import \"fmt\"\n\n%%\nfmt.Println()"},
		{"statements", "x := 1\nfmt.Println(x)", "%%\nx := 1\nfmt.Println(x)"},
		{"literal is a statement", "func() int { return 1 }()", "%%\nfunc() int { return 1 }()"},
		{"literal with a named result type", "func(a int) T { return T{} }(1)", "%%\nfunc(a int) T { return T{} }(1)"},
		{"method", "f()\nfunc (t T) f() {}", "func (t T) f() {}\n%%\nf()"},
		{"imports go first", "func f() {}\nimport \"fmt\"", "import \"fmt\"\nfunc f() {}"},
		{"comments move along", "f() // one\n// doc\nfunc g() {}\n// two\nf()", "// doc\nfunc g() {}\n%%\nf() // one\n// two\nf()"},
		{"one line", "import \"fmt\"; fmt.Println()", "import \"fmt\";\n%%\n              fmt.Println()"},
		{"magics first", "f()\n!ls\n%args a\ng()", "!ls\n%args a\n%%\nf()\ng()"},
		{"shell with quotes", "!echo it's `date`\nf()", "!echo it's `date`\n%%\nf()"},
		{"continued magic", "!echo a \\\nf()\ng()", "!echo a \\\nf()\n%%\ng()"},
		{"own local name", "x := 1\nvar y = x", "%%\nx := 1\nvar y = x"},
		{"order of effects", "f()\nvar n = count()", "%%\nf()\nvar n = count()"},
		{"kept by the engine", "f()\nvar n = lakelab.Var[int](\"n\")", "var n = lakelab.Var[int](\"n\")\n%%\nf()"},
		{"not dependent", "f()\nvar n int", "var n int\n%%\nf()"},
		{"types of locals are not local", "f()\nvar n int = g()\ntype Row struct{ A int }\nvar m int", "type Row struct{ A int }\nvar m int\n%%\nf()\nvar n int = g()"},
		{"locals in brackets", "f()\nvar (\n\ta = g()\n\tb, c = h(), 1\n)\nvar x = b\nvar y = c\nvar z = g", "var z = g\n%%\nf()\nvar (\n\ta = g()\n\tb, c = h(), 1\n)\nvar x = b\nvar y = c"},
		{"below the marker", "%%\nf()\nfunc f() {}\nvar x = 1", "func f() {}\n%%\nf()\nvar x = 1"},
		{"first below the marker", "%%\nimport \"fmt\"\nfunc g() {}\nf()", "import \"fmt\"\nfunc g() {}\n%%\nf()"},
		{"raw string", "s := `\n%d\npackage x\n`", "%%\ns := `\n` + `%d\n` + `package x\n`"},
		{"block comment", "f() /*\n!x */", "%%\nf() /*\n !x */"},
		{"own main", "%exec f\nfunc f() {}", "%exec f\nfunc f() {}"},
		{"test", "%test\nfunc TestX(t *testing.T) {}", "%test\nfunc TestX(t *testing.T) {}"},
		{"not Go", "%%bash\nx := 1", "%%bash\nx := 1"},
		{"only comments", "// a", ""},
		{"unfinished", "fmt.Pr", "%%\nfmt.Pr"},
		{"labels and else", "l:\nfor {\n\tif a {\n\t} else {\n\t\tbreak l\n\t}\n}", "%%\nl:\nfor {\n\tif a {\n\t} else {\n\t\tbreak l\n\t}\n}"},
	} {
		if got := New(c.in).Code(); got != c.out {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.out)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		in   string
		line int
		text string
	}{
		{"f()\ng(\nh()\n", 2, "missing ','"},
		{"if true {\n\tf()\n", 0, "'{' is not closed"},
		{"x.Show(", 0, "'(' is not closed"},
		{"%%\nx.Show(\n", 1, "'(' is not closed"},
		{"import \"fmt\"\n%%\nfmt.Println(\"a\"\nf()", 2, "missing ','"},
		{"f()\nfunc g() {\n\tx := := 1\n}", 2, "expected"},
		{"f()\ns := \"abc", 1, "not terminated"},
	} {
		_, err := New(c.in).Declarations(1)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != c.line || !strings.Contains(syntax.Message, c.text) {
			t.Errorf("%q: %+v, want line %d: %s", c.in, syntax, c.line, c.text)
		}
	}
}

// TestMap follows lines through a main.go as GoNB writes it: sorted, variables written anew.
func TestMap(t *testing.T) {
	var s Sources
	first, err := New("// doc\nfunc b() {\n\tone()\n}\nvar v = []int{\n\t1,\n\t2,\n}\nfunc init_x() {\n\ttwo()\n}").Declarations(1)
	if err != nil {
		t.Fatal(err)
	}
	s.Add(first)
	second, err := New("three()\nfunc (p *T) m() {\n\tfour()\n}\nfive()").Declarations(2)
	if err != nil {
		t.Fatal(err)
	}
	main := `package main

var (
	v = []int{
	1,
	2,
}
)

func (p *T) m() {
	four()
}

// doc
func b() {
	one()
}

func init() {
	two()
}


func main() {
	flag.Parse()
three()
five()

}
`
	m := s.With(second).Map([]byte(main))
	for n, line := range strings.Split(main, "\n") {
		text := strings.TrimSpace(line)
		o, ok := m.At(n + 1)
		switch text {
		case "one()", "two()", "three()", "four()", "five()", "1,", "2,":
			if !ok || strings.TrimSpace(o.Source[o.Line]) != text {
				t.Errorf("line %d, %s: %v %d", n+1, text, ok, o.Line)
			}
			if want := map[string]int{"one()": 1, "two()": 1, "1,": 1, "2,": 1}[text]; want == 1 && o.Cell != 1 || want == 0 && o.Cell != 2 {
				t.Errorf("line %d, %s: cell %d", n+1, text, o.Cell)
			}
		}
	}
}

func TestCursor(t *testing.T) {
	for _, in := range []string{"fmt.Pr|", "%%\nfmt.Pr|", "// русский\nfunc f() {}\nx.|y\nfunc g() {}", "f(); func g() { a.|b }", "👍 := `😀`; x.|y", "import \"fmt\"\nfm|t.Println()"} {
		plain := strings.Replace(in, "|", "", 1)
		before, after, _ := strings.Cut(in, "|")
		p := New(plain)
		at := p.Cursor(len([]rune(before)))
		// Count UTF-16 units, as GoNB does.
		code, n := []rune(p.Code()), 0
		for n < len(code) && at > 0 {
			at--
			if code[n] > 0xFFFF {
				at--
			}
			n++
		}
		if rest, _, _ := strings.Cut(after, "\n"); !strings.HasPrefix(string(code[n:]), rest) || !strings.HasSuffix(string(code[:n]), before[max(0, len(before)-2):]) {
			t.Errorf("%q: the cursor is at %q|%q", in, string(code[:n]), string(code[n:]))
		}
	}
}

// FuzzPlan: whatever a cell's text and a cursor are, reading them breaks nothing, and the map leads into the cell.
func FuzzPlan(f *testing.F) {
	for _, seed := range []struct {
		code string
		pos  int
	}{
		{"//line foo.go:100\nfmt.Println(1)\nfunc f() {}", 3},
		{"/*line a.go:500:3*/ var v = []int{\n1,\n}", -5},
		{"x := `a\n//line b.go:7\n`; /*line c.go:9*/ y(\n", 1 << 40},
		{"//line :0\nfunc", -1 << 63}, {"//line foo.go:-1\n)", 0}, {"%%\n!ls \\\n", 2}, {"", 1}, {"%", 1}, {"! \\", 3}, {"%%bash", 6}, {"//gonb:%env PATH=", 0},
		{"package\x00\n%d", 2}, {"%test\n%exec", 4}, {"%\f", -146}, {"s := \"\xff\xfe\n😀", 8},
	} {
		f.Add(seed.code, seed.pos)
	}
	f.Fuzz(func(t *testing.T, code string, pos int) {
		p := New(code)
		if at := p.Cursor(pos); at < 0 || at > 2*len(p.Code()) {
			t.Errorf("the cursor is at %d", at)
		}
		_ = p.CheckMagics()
		_ = p.Runs()
		p.Supervise("/run dir/bin/gonb_run")
		decls, err := p.Declarations(1)
		var syntax *SyntaxError
		if errors.As(err, &syntax) && (syntax.Line < 0 || syntax.Line >= len(p.Source)) {
			t.Errorf("an error in line %d of %d", syntax.Line, len(p.Source))
		}
		for name, lines := range decls {
			for _, o := range lines {
				if o.Line >= len(p.Source) {
					t.Errorf("%s: line %d of %d", name, o.Line, len(p.Source))
				}
			}
		}
		var s Sources
		s.Add(decls)
		s.Map([]byte("package main\n" + code))
	})
}

func TestDirectives(t *testing.T) {
	in := "//line a.go:1\ns := \"/*line b*/\" /*line c.go:2:3*/\nr := `\n//line d\n`\n x() //line e"
	want := "%%\n//Line a.go:1\ns := \"/*line b*/\" /*Line c.go:2:3*/\nr := `\n//line d\n`\n x() //line e"
	if got := New(in).Code(); got != want {
		t.Errorf("%q", got)
	}
}
