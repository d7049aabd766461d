package render

import (
	"html"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// Frame draws a DataFrame for Display: names and types in the header, numbers to the right, NULL visible. rows are Spark's
// texts; more says that there are others.
func Frame(schema types.Type, rows [][]string, more bool) string {
	var b strings.Builder
	b.WriteString("<div>\n<table border=\"1\" class=\"dataframe\">\n<thead>\n<tr>")
	for _, f := range schema.Fields {
		b.WriteString(`<th style="text-align: ` + side(f.Type) + `;">` + html.EscapeString(f.Name) +
			`<br><span style="font-weight: normal; opacity: 0.6;">` + html.EscapeString(f.Type.SimpleString()) + "</span></th>")
	}
	b.WriteString("</tr>\n</thead>\n<tbody>\n")
	for _, r := range rows {
		b.WriteString("<tr>")
		for j, c := range r {
			t := schema.Fields[j].Type
			style := ` style="text-align: ` + side(t) + `;`
			if c == "NULL" {
				style += " opacity: 0.5; font-style: italic;"
			}
			b.WriteString(cell("td", c, style+`"`))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>\n")
	if more {
		b.WriteString("<p>показаны не все строки</p>\n")
	}
	b.WriteString("</div>")
	return b.String()
}

func side(t types.Type) string {
	if t.IsNumeric() {
		return "right"
	}
	return "left"
}
