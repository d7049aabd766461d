// Package render draws results for a notebook: Trino's as pandas shows a DataFrame, Spark's with types in the header.
//
// The cell door calls it. HTML takes its colours from JupyterLab (inherited, or translucent), so that it can be read in the
// light and in the dark theme.
package render

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Options of Table.
type Options struct {
	// MaxRows is how many rows are shown whole; of longer tables ten rows at most are left. 0 means 60, as in pandas.
	MaxRows int
}

// maxCell is how many characters of a cell the HTML shows; the whole is in its title.
const maxCell = 200

// Table draws rows as pandas draws a DataFrame, with an index from 0. A statement without columns gives `status: Success`.
// Values are those of a Trino client: nil, bool, int64, float64, string, lists and maps of these.
func Table(columns, typeNames []string, rows [][]any, opts Options) (htmlText, text string) {
	if len(columns) == 0 {
		columns, typeNames, rows = []string{"status"}, []string{"varchar"}, [][]any{{"Success"}}
	}
	limit := opts.MaxRows
	if limit == 0 {
		limit = 60
	}
	g := newGrid(columns, typeNames, rows, limit)
	return g.html(), g.text()
}

// head is how many rows pandas leaves when it cuts (display.min_rows): half of them from the top, half from the end.
const head = 10

// grid is a table of texts.
type grid struct {
	names   []string
	index   []string
	columns []column
	skip    int // the row before which the middle is left out, -1 if nothing is
	total   int
}

func newGrid(names, typeNames []string, rows [][]any, limit int) *grid {
	g := &grid{names: names, skip: -1, total: len(rows)}
	top := len(rows)
	if len(rows) > limit {
		top = max(min(head, limit)/2, 1)
		g.skip = top
	}
	var pick []int
	for i := range rows {
		if i < top || i >= len(rows)-top {
			pick = append(pick, i)
			g.index = append(g.index, strconv.Itoa(i))
		}
	}
	for j, name := range names {
		g.columns = append(g.columns, newColumn(escapes.Replace(name), typeNames[j], rows, j, pick))
	}
	return g
}

// text is DataFrame.to_string().
func (g *grid) text() string {
	if g.total == 0 {
		return "Empty DataFrame\nColumns: [" + strings.Join(g.names, ", ") + "]\nIndex: []"
	}
	lines := make([]string, 0, len(g.index)+2)
	for _, s := range g.lines("", g.index) {
		lines = append(lines, s.left())
	}
	for _, c := range g.columns {
		for i, s := range g.lines(c.header, c.texts) {
			lines[i] += " " + s.right()
		}
	}
	s := strings.Join(lines, "\n")
	if g.skip >= 0 {
		s += fmt.Sprintf("\n\n[%d rows x %d columns]", g.total, len(g.names))
	}
	return s
}

// slot is a text and the width of its column.
type slot struct {
	text  string
	width int
}

func (s slot) left() string  { return s.text + strings.Repeat(" ", s.width-width(s.text)) }
func (s slot) right() string { return strings.Repeat(" ", s.width-width(s.text)) + s.text }

// lines are a column's texts from its header down, with dots where the middle is left out.
func (g *grid) lines(header string, texts []string) []slot {
	wide := width(header)
	for _, s := range texts {
		wide = max(wide, width(s))
	}
	dots := "..."
	if wide <= 3 {
		dots = ".."
		if g.skip >= 0 {
			wide = max(wide, len(dots))
		}
	}
	out := []slot{{header, wide}}
	for i, s := range texts {
		if i == g.skip {
			out = append(out, slot{dots, wide})
		}
		out = append(out, slot{s, wide})
	}
	return out
}

func width(s string) int { return utf8.RuneCountInString(s) }

// html is DataFrame.to_html() as Jupyter shows it.
func (g *grid) html() string {
	var b strings.Builder
	b.WriteString("<div>\n<table border=\"1\" class=\"dataframe\">\n<thead>\n<tr style=\"text-align: right;\"><th></th>")
	for _, c := range g.names {
		b.WriteString("<th>" + html.EscapeString(c) + "</th>")
	}
	b.WriteString("</tr>\n</thead>\n<tbody>\n")
	for i, index := range g.index {
		if i == g.skip {
			b.WriteString("<tr><th>...</th>" + strings.Repeat("<td>...</td>", len(g.columns)) + "</tr>\n")
		}
		b.WriteString("<tr><th>" + index + "</th>")
		for _, c := range g.columns {
			b.WriteString(cell("td", strings.TrimPrefix(c.texts[i], " "), ""))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n")
	if g.skip >= 0 {
		fmt.Fprintf(&b, "<p>%d rows × %d columns</p>\n", g.total, len(g.names))
	}
	b.WriteString("</div>")
	return b.String()
}

// cell is one cell, cut if it is very long.
func cell(tag, s, attributes string) string {
	short := s
	if width(s) > maxCell {
		short = string([]rune(s)[:maxCell]) + "…"
		attributes += ` title="` + html.EscapeString(s) + `"`
	}
	return "<" + tag + attributes + ">" + html.EscapeString(short) + "</" + tag + ">"
}
