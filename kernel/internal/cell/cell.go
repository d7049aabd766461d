// Package cell reads a notebook cell the way GoNB will and prepares it for GoNB.
//
// In comes a cell's text; out comes a Plan: the text for GoNB, in which statements stand below a `%%` line and declarations
// above it, and for each of its lines the line of the cell it came from. Sources then follows the declarations of all cells
// into GoNB's main.go, so that a line of main.go leads back to a cell and its line, exactly and without comparing text:
// GoNB copies declarations verbatim, so the n-th line of a declaration there is its n-th line here.
// Magics (`%…`, `!…`) stay as GoNB has them. Package proxy calls this for execution, completion and inspection.
package cell

import (
	"slices"
	"strings"
)

// Line is one line of the text for GoNB.
type Line struct {
	Text string
	From int // its line in the cell, counted from 0; -1: inserted
	Col  int // how many bytes were put in front of the line's own text
}

// Plan is a cell prepared for GoNB.
type Plan struct {
	Source   []string        // the cell's lines as the user sees them
	Lines    []Line          // the text for GoNB
	Foreign  bool            // not Go: `%%bash`, `%%writefile` and the like
	Test     bool            // a `%test` cell
	Locals   map[string]bool // names that only this cell's main has
	Commands int             // shell commands and scripts that are supervised
}

// Code is the text for GoNB.
func (p *Plan) Code() string {
	var b strings.Builder
	for i, l := range p.Lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.Text)
	}
	return b.String()
}

// foreign are the magics that make a whole cell something else than Go.
var foreign = map[string]bool{"%%writefile": true, "%%script": true, "%%bash": true, "%%sh": true, "%%gx": true}

// New reads a cell.
func New(code string) *Plan {
	p := &Plan{Source: strings.Split(code, "\n")}
	if foreign[strings.Split(trimPrefix(p.Source[0]), " ")[0]] {
		p.Foreign = true
		p.keep(p.Source)
		return p
	}
	lines := readLines(p.Source)
	marker, own := -1, false
	for i, l := range lines {
		if !l.magic {
			continue
		}
		switch text := trimPrefix(l.text); {
		case isMain(text):
			if marker < 0 {
				marker = i
			}
		case strings.HasPrefix(text, "%test"):
			p.Test, own = true, true
		case strings.HasPrefix(text, "%exec"), strings.HasPrefix(text, "%wasm"):
			own = true // GoNB makes main from these
		}
	}
	items, locals := split(lines, marker)
	p.Locals = locals
	if own || !needsLayout(items, marker) {
		p.Lines = make([]Line, len(lines))
		for i, l := range lines {
			p.Lines[i] = Line{Text: l.text, From: i, Col: l.col}
			if len(items) == 0 && marker < 0 && !own && !l.magic {
				p.Lines[i].Text = "" // comments only: nothing to build
			}
		}
		return p
	}
	p.layout(lines, items, marker)
	return p
}

func (p *Plan) keep(lines []string) {
	for i, l := range lines {
		p.Lines = append(p.Lines, Line{Text: l, From: i})
	}
}

// layout writes magics, imports, other declarations, `%%`, statements, in this order.
func (p *Plan) layout(lines []line, items []item, marker int) {
	for i, l := range lines {
		if l.magic && i != marker {
			p.Lines = append(p.Lines, Line{Text: l.text, From: i, Col: l.col})
		}
	}
	add := func(what kind) {
		for _, it := range items {
			if it.kind != what {
				continue
			}
			for n := it.from.line; n <= it.to.line; n++ {
				l := lines[n]
				if l.magic {
					continue
				}
				text := l.text
				if n == it.to.line && it.to.col < len(text) {
					text = text[:it.to.col]
				}
				if n == it.from.line && it.from.col > 0 {
					// Columns stay right when the part before an item is blank.
					text = strings.Repeat(" ", it.from.col) + text[it.from.col:]
				}
				if n == it.to.line && it.to.col == 0 {
					continue
				}
				p.Lines = append(p.Lines, Line{Text: text, From: n, Col: l.col})
			}
		}
	}
	add(imports)
	add(decls)
	switch {
	case marker >= 0:
		p.Lines = append(p.Lines, Line{Text: lines[marker].text, From: marker})
	case slices.ContainsFunc(items, func(it item) bool { return it.kind == statement }):
		p.Lines = append(p.Lines, Line{Text: "%%", From: -1})
	}
	add(statement)
}

// needsLayout reports whether the cell has to be rearranged: statements without `%%`, or declarations that only stand at
// top level below it, or imports behind other declarations.
func needsLayout(items []item, marker int) bool {
	for i, it := range items {
		if it.kind == statement && marker < 0 || it.kind != statement && marker >= 0 && it.line > marker ||
			it.kind == imports && i > 0 && items[i-1].kind != imports {
			return true
		}
	}
	return false
}

// isMain reports whether GoNB begins main at this line.
func isMain(text string) bool {
	return strings.HasPrefix(text, "%main") || strings.HasPrefix(text, "%%") && (len(text) == 2 || text[2] == ' ' || text[2] == '\t')
}

// trimPrefix removes the comment that GoNB allows in front of a magic.
func trimPrefix(s string) string { return strings.TrimPrefix(s, "//gonb:") }
