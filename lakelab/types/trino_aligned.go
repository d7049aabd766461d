package types

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// TrinoTable lays rows out as trino-cli's format ALIGNED does: names in the middle, numbers to the right, the number of rows at the end.
// A text of several lines has + at the end of those that go on.
func TrinoTable(fields []Field, rows [][]any) string {
	widths, cells := make([]int, len(fields)), make([][][]string, len(rows))
	for i, f := range fields {
		widths[i] = max(1, utf8.RuneCountInString(f.Name))
	}
	for r, row := range rows {
		cells[r] = make([][]string, len(fields))
		for i, f := range fields {
			cells[r][i] = strings.Split(TrinoValue(f.Type, row[i]), "\n")
			for _, line := range cells[r][i] {
				widths[i] = max(widths[i], utf8.RuneCountInString(line))
			}
		}
	}
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteByte('|')
		}
		space := widths[i] - utf8.RuneCountInString(f.Name)
		b.WriteString(strings.Repeat(" ", space/2+1) + f.Name + strings.Repeat(" ", space-space/2+1))
	}
	b.WriteByte('\n')
	for i, w := range widths {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strings.Repeat("-", w+2))
	}
	b.WriteByte('\n')
	for _, row := range cells {
		lines := 1
		for _, c := range row {
			lines = max(lines, len(c))
		}
		for n := range lines {
			for i, c := range row {
				if i > 0 {
					b.WriteByte('|')
				}
				b.WriteString(alignedCell(c, n, widths[i], fields[i].Type.IsNumeric(), len(rows) > 1))
			}
			b.WriteByte('\n')
		}
	}
	s := "s"
	if len(rows) == 1 {
		s = ""
	}
	return b.String() + fmt.Sprintf("(%d row%s)\n", len(rows), s)
}

// alignedCell is the n-th line of a cell with a blank on both sides.
func alignedCell(lines []string, n, width int, right, marked bool) string {
	text := ""
	if n < len(lines) {
		text = lines[n]
	}
	space := strings.Repeat(" ", width-utf8.RuneCountInString(text))
	out := " " + text + space + " "
	if right {
		out = " " + space + text + " "
	}
	if marked && n+1 < len(lines) {
		out = out[:len(out)-1] + "+"
	}
	return out
}
