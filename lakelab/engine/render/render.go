// Package render draws results for a notebook: Trino's as pandas shows a DataFrame, Spark's with types in the header.
//
// The cell door calls it. HTML takes its colours from JupyterLab (inherited, or translucent), so that it can be read in the
// light and in the dark theme.
package render

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"mini-lakehouse-lab/lakelab/types"
)

// Options of Table.
type Options struct {
	// MaxRows is how many rows are shown before the middle is left out; 0 means 60, as in pandas.
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

// grid is a table of texts; skip is the row before which the middle is left out, -1 if nothing is.
type grid struct {
	columns []string
	index   []string
	cells   [][]string // by row
	skip    int
	total   int
}

func newGrid(columns, typeNames []string, rows [][]any, limit int) *grid {
	g := &grid{columns: columns, skip: -1, total: len(rows)}
	pick := make([]int, 0, min(len(rows), limit))
	if len(rows) <= limit {
		for i := range rows {
			pick = append(pick, i)
		}
	} else {
		// pandas shows the first and last five.
		for i := 0; i < 5; i++ {
			pick = append(pick, i)
		}
		for i := len(rows) - 5; i < len(rows); i++ {
			pick = append(pick, i)
		}
		g.skip = 5
	}
	shown := make([][]any, len(pick))
	for i, p := range pick {
		g.index = append(g.index, strconv.Itoa(p))
		shown[i] = rows[p]
	}
	g.cells = make([][]string, len(pick))
	for j := range columns {
		texts := column(shown, j)
		for i := range pick {
			g.cells[i] = append(g.cells[i], texts[i])
		}
	}
	return g
}

// column turns one column into texts: pandas writes a column of floats with as many digits as they need, six at most, and
// integers beside NULLs become floats with NaN.
func column(rows [][]any, j int) []string {
	floats, ints, nulls, others := 0, 0, 0, 0
	for _, r := range rows {
		switch r[j].(type) {
		case nil:
			nulls++
		case float64, float32:
			floats++
		case int64:
			ints++
		default:
			others++
		}
	}
	out := make([]string, len(rows))
	if others == 0 && floats+ints > 0 && (floats > 0 || nulls > 0) {
		digits := 0
		values := make([]float64, len(rows))
		for i, r := range rows {
			values[i] = number(r[j])
			digits = max(digits, decimals(values[i]))
		}
		for i, v := range values {
			switch {
			case math.IsNaN(v):
				out[i] = "NaN"
			case math.IsInf(v, 0):
				out[i] = strings.Replace(strconv.FormatFloat(v, 'f', -1, 64), "+", "", 1)
				out[i] = strings.ToLower(out[i])
			default:
				out[i] = strconv.FormatFloat(v, 'f', max(digits, 1), 64)
			}
		}
		return out
	}
	for i, r := range rows {
		out[i] = value(r[j])
	}
	return out
}

func number(v any) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case float32:
		return float64(v)
	}
	return math.NaN()
}

// decimals counts the digits that a float needs behind the point, six at most.
func decimals(v float64) int {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	s := strings.TrimRight(strconv.FormatFloat(v, 'f', 6, 64), "0")
	return len(s) - strings.IndexByte(s, '.') - 1
}

// value writes one value as Python would.
func value(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(v)
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = value(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []types.Entry:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = value(e.Key) + ": " + value(e.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// text is DataFrame.to_string(): right-aligned columns two spaces apart, behind the index.
func (g *grid) text() string {
	if g.total == 0 {
		return "Empty DataFrame\nColumns: [" + strings.Join(g.columns, ", ") + "]\nIndex: []"
	}
	n := len(g.columns)
	widths := make([]int, n)
	indexWidth := 0
	for j, c := range g.columns {
		widths[j] = width(c)
	}
	for i, r := range g.cells {
		indexWidth = max(indexWidth, width(g.index[i]))
		for j, c := range r {
			widths[j] = max(widths[j], width(c))
		}
	}
	if g.skip >= 0 {
		indexWidth = max(indexWidth, 2)
		for j := range widths {
			widths[j] = max(widths[j], 3)
		}
	}
	var b strings.Builder
	line := func(index string, cells []string) {
		b.WriteString(index + strings.Repeat(" ", indexWidth-width(index)))
		for j, c := range cells {
			b.WriteString("  " + strings.Repeat(" ", widths[j]-width(c)) + c)
		}
		b.WriteByte('\n')
	}
	line("", g.columns)
	for i, r := range g.cells {
		if i == g.skip {
			dots := make([]string, n)
			for j := range dots {
				dots[j] = "..."
			}
			line("..", dots)
		}
		line(g.index[i], r)
	}
	s := strings.TrimSuffix(b.String(), "\n")
	if g.skip >= 0 {
		s += g.size("\n\n")
	}
	return s
}

func (g *grid) size(before string) string {
	return fmt.Sprintf("%s[%d rows x %d columns]", before, g.total, len(g.columns))
}

func width(s string) int { return utf8.RuneCountInString(s) }

// html is DataFrame.to_html() as Jupyter shows it.
func (g *grid) html() string {
	var b strings.Builder
	b.WriteString("<div>\n<table border=\"1\" class=\"dataframe\">\n<thead>\n<tr style=\"text-align: right;\"><th></th>")
	for _, c := range g.columns {
		b.WriteString("<th>" + html.EscapeString(c) + "</th>")
	}
	b.WriteString("</tr>\n</thead>\n<tbody>\n")
	for i, r := range g.cells {
		if i == g.skip {
			b.WriteString("<tr><th>...</th>" + strings.Repeat("<td>...</td>", len(g.columns)) + "</tr>\n")
		}
		b.WriteString("<tr><th>" + g.index[i] + "</th>")
		for _, c := range r {
			b.WriteString(cell("td", c, ""))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n")
	if g.skip >= 0 {
		b.WriteString("<p>" + strings.Replace(g.size("")[1:len(g.size(""))-1], " x ", " × ", 1) + "</p>\n")
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
