package types

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// TrinoTable lays rows out as trino-cli's format ALIGNED does: names in the middle, numbers to the right, the number of rows at the end.
// A text of several lines has + at the end of those that go on.
func TrinoTable(fields []Field, rows [][]any) string {
	widths, cells := make([]int, len(fields)), make([][][]string, len(rows))
	for i, f := range fields {
		widths[i] = max(1, columnsWide(f.Name))
	}
	for r, row := range rows {
		cells[r] = make([][]string, len(fields))
		for i, f := range fields {
			cells[r][i] = strings.Split(alignedValue(f.Type, row[i]), "\n")
			for _, line := range cells[r][i] {
				widths[i] = max(widths[i], columnsWide(line))
			}
		}
	}
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteByte('|')
		}
		space := widths[i] - columnsWide(f.Name)
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
	space := strings.Repeat(" ", width-columnsWide(text))
	out := " " + text + space + " "
	if right {
		out = " " + space + text + " "
	}
	if marked && n+1 < len(lines) {
		out = out[:len(out)-1] + "+"
	}
	return out
}

// bytesALine is how many bytes of a varbinary stand on a line.
const bytesALine = 16

// alignedValue is a value's text; that of long binary ones has several lines.
func alignedValue(t Type, v any) string {
	text := TrinoValue(t, v)
	if b, ok := v.([]byte); ok && len(b) > bytesALine {
		lines := []string{}
		for part := range slices.Chunk(b, bytesALine) {
			lines = append(lines, TrinoValue(t, part))
		}
		text = strings.Join(lines, "\n")
	}
	return text
}

// columnsWide is how many columns of a terminal a text takes.
func columnsWide(s string) int {
	n := 0
	for _, c := range s {
		switch {
		case unicode.In(c, unicode.Cc, unicode.Mn, unicode.Me, unicode.Cf):
		case isWide(c):
			n += 2
		default:
			n++
		}
	}
	return n
}

// isWide tells the characters that take two columns: those of Eastern Asia, and pictures.
func isWide(c rune) bool {
	if c < 0x1100 {
		return false
	}
	for _, r := range [...][2]rune{{0x1100, 0x115f}, {0x2329, 0x232a}, {0x2e80, 0x303e}, {0x3040, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe10, 0xfe19},
		{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f000, 0x1feee}, {0x20000, 0x2fffd}, {0x30000, 0x3fffd}} {
		if c >= r[0] && c <= r[1] {
			return true
		}
	}
	return false
}
