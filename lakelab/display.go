package lakelab

import (
	"fmt"
	"io"
	"strings"
)

// HTML is markup that Display shows as it is in a notebook.
type HTML string

// Display shows a value in the notebook, as display() does in Python: a DataFrame or a TrinoResult as a table, HTML as
// markup, a chart (anything with Render(io.Writer) error, as in go-echarts) in a frame, a value with HTML() string by
// that. Every output has a text form beside it. Outside of a notebook the text form is printed.
func Display(x any) {
	b := bundleOf(x)
	if inNotebook() {
		sendDisplay(b)
		return
	}
	fmt.Println(strings.TrimRight(b.plain, "\n"))
}

// displayRows is how many rows of a DataFrame Display shows.
const displayRows = 200

func bundleOf(x any) bundle {
	switch x := x.(type) {
	case *DataFrame:
		reply := call(node{"op": "html", "relation": x.rel, "n": displayRows})
		return bundle{html: str(reply["html"]), plain: str(reply["text"])}
	case HTML:
		return bundle{html: string(x), plain: plainText(string(x))}
	case string:
		return bundle{html: `<pre>` + escapeHTML(x) + `</pre>`, plain: x}
	case interface{ Render(io.Writer) error }:
		var page strings.Builder
		if err := x.Render(&page); err != nil {
			raise("DisplayError", "", "не удалось построить график: %v", err)
		}
		// A chart is a page of its own with scripts; a frame keeps it apart from the notebook.
		return bundle{
			html:  `<iframe style="width:100%;height:560px;border:0" srcdoc="` + escapeHTML(page.String()) + `"></iframe>`,
			plain: fmt.Sprintf("<график %T>", x),
		}
	case interface{ HTML() string }:
		b := bundle{html: x.HTML(), plain: fmt.Sprint(x)}
		if t, ok := x.(interface{ Text() string }); ok {
			b.plain = t.Text()
		}
		return b
	}
	text := fmt.Sprint(x)
	return bundle{html: `<pre>` + escapeHTML(text) + `</pre>`, plain: text}
}

// escapeHTML does what html.EscapeString does, without that package's table of entities.
var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

func escapeHTML(s string) string { return htmlEscapes.Replace(s) }

var htmlUnescapes = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&quot;", `"`, "&#39;", "'", "&nbsp;", " ", "&amp;", "&")

// plainText leaves the text of simple markup.
func plainText(html string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(html, "<")
		b.WriteString(before)
		if !found {
			break
		}
		tag, after, closed := strings.Cut(rest, ">")
		if !closed {
			break
		}
		switch name, _, _ := strings.Cut(strings.ToLower(strings.Trim(tag, "/ ")), " "); name {
		case "br", "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "table", "ul", "ol", "pre":
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		case "td", "th":
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") && tag[0] != '/' {
				b.WriteByte('\t')
			}
		}
		html = after
	}
	return strings.TrimSpace(htmlUnescapes.Replace(b.String()))
}
