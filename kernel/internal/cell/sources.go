package cell

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Origin is a line of a cell.
type Origin struct {
	Cell   int      // the cell's execution number
	Line   int      // counted from 0
	Source []string // the cell's lines
}

// SyntaxError is a cell that is not Go.
type SyntaxError struct {
	Line, Col int // of the cell, counted from 0 and 1
	Message   string
}

func (e *SyntaxError) Error() string { return e.Message }

// Declarations are what one cell declares; a key stands for one name, as GoNB merges them.
type Declarations map[string][]Origin

// Declarations parses the text for GoNB as GoNB does, first of all to find syntax errors. number is the cell's execution number.
func (p *Plan) Declarations(number int) (Declarations, error) {
	if p.Foreign {
		return nil, nil
	}
	text, from := p.file()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "main.go", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, p.syntaxError(err, from)
	}
	decls := Declarations{}
	walk(fset, file, func(key string, first, last int) {
		for n := first; n <= min(last, len(from)); n++ {
			decls[key] = append(decls[key], Origin{Cell: number, Line: from[n-1], Source: p.Source})
		}
	})
	return decls, nil
}

// file is the text that GoNB writes first, and the cell's line of each of its lines (-1: none).
func (p *Plan) file() (string, []int) {
	var b strings.Builder
	b.WriteString("package main\n\n")
	from := []int{-1, -1}
	open := false
	sources := make([]string, len(p.Lines))
	for i, l := range p.Lines {
		sources[i] = l.Text
	}
	magics := readLines(sources)
	for i, l := range p.Lines {
		switch text := trimPrefix(l.Text); {
		case magics[i].magic && isMain(text):
			b.WriteString("func main() {\n\tflag.Parse()\n")
			from = append(from, l.From, l.From)
			open = true
		case magics[i].magic && strings.HasPrefix(text, "%exec"):
			b.WriteString("func main() {\n\tflag.Parse()\n\n}\n")
			from = append(from, l.From, l.From, l.From, l.From)
		case magics[i].magic, strings.HasPrefix(l.Text, "package"):
		default:
			b.WriteString(l.Text + "\n")
			from = append(from, l.From)
		}
	}
	if open {
		b.WriteString("\n}\n")
		from = append(from, -1, -1)
	}
	return b.String(), append(from, -1)
}

func (p *Plan) syntaxError(err error, from []int) error {
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return err
	}
	e := list[0]
	at := max(min(e.Pos.Line, len(from)), 1) - 1
	col := e.Pos.Column
	if at > 0 && from[at] < 0 {
		// Behind the cell's end, with brackets that the user didn't write.
		if open, ok := p.unclosed(); ok {
			return &SyntaxError{Line: open.place.line, Col: open.place.col + 1, Message: "'" + open.tok.String() + "' " + Unclosed}
		}
	}
	// Another error there belongs to the last line.
	for at > 0 && from[at] < 0 {
		at, col = at-1, 0
	}
	line := max(from[at], 0)
	for _, l := range p.Lines {
		if l.From == line && col > l.Col {
			col -= l.Col
		}
	}
	return &SyntaxError{Line: line, Col: col, Message: e.Msg}
}

// Unclosed is in the message about a bracket that is open at the cell's end.
const Unclosed = "is not closed"

// unclosed is the innermost bracket that is open at the cell's end.
func (p *Plan) unclosed() (tok, bool) {
	var open []tok
	for _, t := range scan(readLines(p.Source)) {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, t)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			open = open[:max(len(open)-1, 0)]
		}
	}
	if len(open) == 0 {
		return tok{}, false
	}
	return open[len(open)-1], true
}

// walk visits the declarations of a file: their key, first and last line. Variables and constants count from their value,
// because GoNB writes what stands before it anew.
func walk(fset *token.FileSet, file *ast.File, visit func(key string, first, last int)) {
	lines := func(from, to ast.Node) (int, int) { // the file's own lines, whatever a //line comment says
		return fset.PositionFor(from.Pos(), false).Line, fset.PositionFor(to.End(), false).Line
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			key := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				t := d.Recv.List[0].Type
				if star, ok := t.(*ast.StarExpr); ok {
					t = star.X
				}
				key = receiver(t) + "." + key
			}
			first, last := lines(d.Type, d)
			visit("func "+key, first, last)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					first, last := lines(s, s)
					visit("type "+s.Name.Name, first, last)
				case *ast.ImportSpec:
					first, last := lines(s, s)
					visit("import "+s.Path.Value, first, last)
				case *ast.ValueSpec:
					for i, name := range s.Names {
						first, last := lines(s, s)
						if len(s.Values) > i {
							first, last = lines(s.Values[i], s.Values[i])
						}
						visit("value "+name.Name, first, last)
					}
				}
			}
		}
	}
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	}
	return ""
}

// Sources knows where the declarations of the cells that ran came from.
type Sources struct{ decls Declarations }

// With is s and a cell's declarations, for a cell of which it is not known yet whether it builds.
func (s *Sources) With(d Declarations) *Sources {
	both := &Sources{decls: maps.Clone(s.decls)}
	both.Add(d)
	return both
}

// Add takes over a cell's declarations; later ones win, as in GoNB.
func (s *Sources) Add(d Declarations) {
	if s.decls == nil {
		s.decls = Declarations{}
	}
	for key, lines := range d {
		s.decls[key] = lines
	}
}

// Map is main.go, line by line.
type Map struct{ lines map[int]Origin }

// Map follows the declarations into a main.go that GoNB wrote.
func (s *Sources) Map(mainGo []byte) Map {
	m := Map{lines: map[int]Origin{}}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "main.go", mainGo, parser.SkipObjectResolution)
	if err != nil {
		return m
	}
	// GoNB writes every function init_x as init, in the order of their names.
	var inits []string
	for key := range s.decls {
		if strings.HasPrefix(key, "func init_") {
			inits = append(inits, key)
		}
	}
	slices.Sort(inits)
	walk(fset, file, func(key string, first, last int) {
		if key == "func init" && len(inits) > 0 {
			key, inits = inits[0], inits[1:]
		}
		from := s.decls[key]
		for n := first; n <= last && n-first < len(from); n++ {
			if from[n-first].Line >= 0 {
				m.lines[n] = from[n-first]
			}
		}
	})
	return m
}

// At is the cell's line of a line of main.go (counted from 1).
func (m Map) At(line int) (Origin, bool) {
	o, ok := m.lines[line]
	return o, ok
}
