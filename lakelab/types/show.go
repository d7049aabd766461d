package types

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ShowTable lays rows out as Dataset.show does. truncate > 0 cuts longer cells and aligns right, 0 aligns left. n is the
// number of rows asked for; hasMore says that there were others.
func ShowTable(columns []string, rows [][]string, truncate int, vertical, hasMore bool, n int) string {
	head := prepare(columns, 0) // names are never cut
	body := make([][]string, len(rows))
	for i, r := range rows {
		body[i] = prepare(r, truncate)
	}
	if vertical {
		return showVertical(head, body, hasMore, n)
	}
	widths := make([]int, len(head))
	for i, h := range head {
		widths[i] = max(3, width(h))
	}
	for _, r := range body {
		for i, c := range r {
			widths[i] = max(widths[i], width(c))
		}
	}
	var b strings.Builder
	line := func() {
		b.WriteByte('+')
		for _, w := range widths {
			b.WriteString(strings.Repeat("-", w) + "+")
		}
		if len(widths) == 0 {
			b.WriteByte('+')
		}
		b.WriteByte('\n')
	}
	write := func(r []string) {
		b.WriteByte('|')
		for i, c := range r {
			space := strings.Repeat(" ", widths[i]-width(c))
			if truncate > 0 {
				b.WriteString(space + c)
			} else {
				b.WriteString(c + space)
			}
			b.WriteByte('|')
		}
		if len(r) == 0 {
			b.WriteByte('|')
		}
		b.WriteByte('\n')
	}
	line()
	write(head)
	line()
	for _, r := range body {
		write(r)
	}
	line()
	return b.String() + onlyTop(hasMore, n, "rows")
}

func onlyTop(hasMore bool, n int, rows string) string {
	if !hasMore {
		return ""
	}
	if n == 1 {
		rows = strings.TrimSuffix(rows, "s")
	}
	return "only showing top " + strconv.Itoa(n) + " " + rows
}

func showVertical(head []string, rows [][]string, hasMore bool, n int) string {
	nameWidth, dataWidth := 3, 3
	for _, h := range head {
		nameWidth = max(nameWidth, width(h))
	}
	for _, r := range rows {
		for _, c := range r {
			dataWidth = max(dataWidth, width(c))
		}
	}
	if len(rows) == 0 {
		return "(0 rows)"
	}
	var b strings.Builder
	for i, r := range rows {
		title := "-RECORD " + strconv.Itoa(i)
		b.WriteString(title + strings.Repeat("-", max(0, nameWidth+dataWidth+5-len(title))) + "\n")
		for j, c := range r {
			b.WriteString(" " + head[j] + strings.Repeat(" ", nameWidth-width(head[j])) + " | " + c + strings.Repeat(" ", dataWidth-width(c)) + " \n")
		}
	}
	return b.String() + onlyTop(hasMore, n, "rows")
}

var metaCharacters = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\f", `\f`, "\b", `\b`, "\v", `\v`, "\a", `\a`)

// prepare escapes control characters and cuts long cells: "…" of three dots if there is room for them.
func prepare(cells []string, truncate int) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		c = metaCharacters.Replace(c)
		if truncate > 0 && utf8.RuneCountInString(c) > truncate {
			r := []rune(c)
			if truncate < 4 {
				c = string(r[:truncate])
			} else {
				c = string(r[:truncate-3]) + "..."
			}
		}
		out[i] = c
	}
	return out
}

// width counts full-width characters twice, as Spark does.
func width(s string) int {
	n := 0
	for _, r := range s {
		n++
		if fullWidth(r) {
			n++
		}
	}
	return n
}

func fullWidth(r rune) bool {
	return r >= 0x1100 && r <= 0x115F || r >= 0x2E80 && r <= 0x303E || r >= 0x3041 && r <= 0x33FF || r >= 0x3400 && r <= 0x4DBF ||
		r >= 0x4E00 && r <= 0x9FFF || r >= 0xA000 && r <= 0xA4CF || r >= 0xA960 && r <= 0xA97F || r >= 0xAC00 && r <= 0xD7AF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0xFE30 && r <= 0xFE6F || r >= 0xFF00 && r <= 0xFF60 || r >= 0xFFE0 && r <= 0xFFE6
}

// TreeString is printSchema's text; level > 0 cuts the depth.
func TreeString(schema Type, level int) string {
	var b strings.Builder
	b.WriteString("root\n")
	for _, f := range schema.Fields {
		tree(&b, " |", f.Name, f.Type, f.Nullable, "nullable", level, 1)
	}
	return b.String()
}

func tree(b *strings.Builder, prefix, name string, t Type, null bool, word string, level, depth int) {
	if level > 0 && depth > level {
		return
	}
	b.WriteString(prefix + "-- " + metaCharacters.Replace(name) + ": " + t.TypeName())
	if word != "" {
		b.WriteString(" (" + word + " = " + strconv.FormatBool(null) + ")")
	}
	b.WriteByte('\n')
	inner := prefix + "    |"
	switch t.Kind {
	case Array:
		tree(b, inner, "element", *t.Elem, t.ElemNull, "containsNull", level, depth+1)
	case Map:
		tree(b, inner, "key", *t.Key, false, "", level, depth+1)
		tree(b, inner, "value", *t.Value, t.ElemNull, "valueContainsNull", level, depth+1)
	case Struct:
		for _, f := range t.Fields {
			tree(b, inner, f.Name, f.Type, f.Nullable, "nullable", level, depth+1)
		}
	}
}
