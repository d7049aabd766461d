package render

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"html"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// pageRows is how many rows of a DataFrame are in sight at once.
const pageRows = 20

// Frame draws a DataFrame for Display: names and types in the header, numbers to the right, NULL told from the text "NULL" by its
// look. rows are Spark's texts, nil for NULL; more says that there are others. Longer tables have pages, which need no script: a
// viewer that leaves the styles out shows all rows.
func Frame(schema types.Type, rows [][]*string, more bool) string {
	var b strings.Builder
	pages := (len(rows) + pageRows - 1) / pageRows
	b.WriteString("<div>\n")
	if pages > 1 {
		writePages(&b, pages, len(rows))
	}
	b.WriteString("<table border=\"1\" class=\"dataframe\">\n<thead>\n<tr>")
	for _, f := range schema.Fields {
		b.WriteString(`<th style="text-align: ` + side(f.Type) + `;">` + html.EscapeString(f.Name) +
			`<br><span style="font-weight: normal; opacity: 0.6;">` + html.EscapeString(f.Type.SimpleString()) + "</span></th>")
	}
	b.WriteString("</tr>\n</thead>\n")
	for start := 0; start == 0 || start < len(rows); start += pageRows {
		b.WriteString("<tbody>\n")
		for _, r := range rows[start:min(start+pageRows, len(rows))] {
			writeRow(&b, schema, r)
		}
		b.WriteString("</tbody>\n")
	}
	b.WriteString("</table>\n")
	if more {
		fmt.Fprintf(&b, "<p>показаны первые строки: %d; есть и другие</p>\n", len(rows))
	}
	b.WriteString("</div>")
	return b.String()
}

func writeRow(b *strings.Builder, schema types.Type, r []*string) {
	b.WriteString("<tr>")
	for j, c := range r {
		style := ` style="text-align: ` + side(schema.Fields[j].Type) + `;`
		if c == nil {
			b.WriteString("<td" + style + ` opacity: 0.5; font-style: italic;">NULL</td>`)
			continue
		}
		b.WriteString(cell("td", *c, style+`"`))
	}
	b.WriteString("</tr>\n")
}

// writePages puts a row of buttons above the table; the one that is chosen shows its part of the rows.
func writePages(b *strings.Builder, pages, rows int) {
	id := make([]byte, 4)
	_, _ = rand.Read(id)
	name := "frame-" + hex.EncodeToString(id)
	b.WriteString("<style>\n")
	for p := range pages {
		at := fmt.Sprintf("%s-%d", name, p)
		fmt.Fprintf(b, "#%s:not(:checked) ~ table tbody:nth-of-type(%d) { display: none; }\n#%s:checked + label { font-weight: bold; text-decoration: underline; }\n", at, p+1, at)
	}
	b.WriteString("</style>\n")
	for p := range pages {
		checked := ""
		if p == 0 {
			checked = " checked"
		}
		at := fmt.Sprintf("%s-%d", name, p)
		fmt.Fprintf(b, `<input type="radio" name="%s" id="%s" style="display: none;"%s><label for="%s" style="cursor: pointer; padding: 0 0.5em;">%d–%d</label>`+"\n",
			name, at, checked, at, p*pageRows+1, min((p+1)*pageRows, rows))
	}
}

func side(t types.Type) string {
	if t.IsNumeric() {
		return "right"
	}
	return "left"
}
