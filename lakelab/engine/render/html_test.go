package render

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/types"
)

// colour finds colours that would be unreadable in one of JupyterLab's themes.
var colour = regexp.MustCompile(`(?i)(color|background)\s*[:=]|#[0-9a-f]{3,6}\b|rgba?\(`)

func TestTableHTML(t *testing.T) {
	rows := [][]any{{int64(1), "<b>&\"x\""}, {nil, strings.Repeat("ж", 300)}}
	html, _ := Table([]string{"n", "a<b"}, []string{"bigint", "varchar"}, rows, Options{})
	for _, want := range []string{
		`<table border="1" class="dataframe">`, `<tr style="text-align: right;"><th></th><th>n</th><th>a&lt;b</th></tr>`,
		`<tr><th>0</th><td>1.0</td><td>&lt;b&gt;&amp;&#34;x&#34;</td></tr>`, `<tr><th>1</th><td>NaN</td>`,
		strings.Repeat("ж", maxCell) + "…</td>",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
	if c := colour.FindString(html); c != "" {
		t.Errorf("a fixed colour: %s", c)
	}
}

func TestTableHTMLCut(t *testing.T) {
	rows := make([][]any, 61)
	for i := range rows {
		rows[i] = []any{int64(i)}
	}
	html, _ := Table([]string{"i"}, []string{"bigint"}, rows, Options{})
	if n := strings.Count(html, "<tr><th>"); n != 11 {
		t.Errorf("%d body rows, want ten and the dots", n)
	}
	for _, want := range []string{"<tr><th>...</th><td>...</td></tr>", "<tr><th>56</th><td>56</td></tr>", "<p>61 rows × 1 columns</p>"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
}

func TestTableWithoutColumns(t *testing.T) {
	html, text := Table(nil, nil, nil, Options{})
	if want := "    status\n0  Success"; text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if !strings.Contains(html, "<td>Success</td>") {
		t.Error(html)
	}
}

func TestFrame(t *testing.T) {
	schema := types.StructOf(
		types.Field{Name: "id", Type: types.Of(types.Long)},
		types.Field{Name: "<name>", Type: types.Of(types.String)},
		types.Field{Name: "tags", Type: types.ArrayOf(types.Of(types.String), true)},
	)
	text := func(s string) *string { return &s }
	row := []*string{text("1"), nil, text("[a, <b>]")}
	html := Frame(schema, [][]*string{row, {nil, text("NULL"), nil}}, true)
	for _, want := range []string{
		`<th style="text-align: right;">id<br>`, `bigint</span>`, "&lt;name&gt;", "array&lt;string&gt;", `<td style="text-align: right;">1</td>`,
		`opacity: 0.5; font-style: italic;">NULL</td>`, "[a, &lt;b&gt;]", "есть и другие", `<td style="text-align: left;">NULL</td>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html)
		}
	}
	if c := colour.FindString(html); c != "" {
		t.Errorf("a fixed colour: %s", c)
	}
	if strings.Contains(html, "<input") {
		t.Error("pages for two rows")
	}
	long := Frame(schema, slices.Repeat([][]*string{row}, 45), false)
	if n := strings.Count(long, "<input"); n != 3 || strings.Count(long, "<tbody>") != 3 || !strings.Contains(long, ">41–45</label>") {
		t.Errorf("%d pages for 45 rows\n%s", n, long)
	}
	if c := colour.FindString(long); c != "" {
		t.Errorf("a fixed colour: %s", c)
	}
	if strings.Contains(Frame(schema, nil, false), "другие") {
		t.Error("a whole frame says that rows are missing")
	}
}
