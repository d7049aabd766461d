package engine

import (
	"fmt"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/jsonpath"
	"mini-lakehouse-lab/lakelab/engine/plan"
)

// The forms of EXPLAIN: a tree of lines, JSON, and Graphviz's language.

// planText draws a plan, every line behind an indentation.
func planText(n *plan.Explained, indent string) string {
	var b strings.Builder
	drawNode(&b, n, indent, indent)
	return b.String()
}

// drawNode draws an operator and what is below it; first is what stands before its own line, rest before the lines that follow.
func drawNode(b *strings.Builder, n *plan.Explained, first, rest string) {
	of := make([]string, len(n.Of))
	for i, d := range n.Of {
		of[i] = d.Name + " = " + d.Text
	}
	b.WriteString(first + n.Name + "[" + strings.Join(of, ", ") + "]\n")
	details := rest + "    "
	if len(n.Children) > 0 {
		details = rest + "│   "
	}
	layout := make([]string, len(n.Outputs))
	for i, o := range n.Outputs {
		layout[i] = o.Name + ":" + o.Text
	}
	b.WriteString(details + "Layout: [" + strings.Join(layout, ", ") + "]\n")
	for _, d := range n.Details {
		b.WriteString(details + d + "\n")
	}
	for i, c := range n.Children {
		if i+1 < len(n.Children) {
			drawNode(b, c, rest+"├─ ", rest+"│  ")
		} else {
			drawNode(b, c, rest+"└─ ", rest+"   ")
		}
	}
}

// jsonObject is a JSON object whose members keep their order.
type jsonObject []jsonMember

type jsonMember struct {
	name  string
	value any // a string, a bool, a list of values or an object
}

// nodeJSON is an operator as Trino's JSON has it; they are numbered from the bottom.
func nodeJSON(n *plan.Explained, count *int) jsonObject {
	children := []any{}
	for _, c := range n.Children {
		children = append(children, nodeJSON(c, count))
	}
	of, outputs, details := jsonObject{}, []any{}, []any{}
	for _, d := range n.Of {
		of = append(of, jsonMember{d.Name, d.Text})
	}
	for _, o := range n.Outputs {
		outputs = append(outputs, jsonObject{{"type", o.Text}, {"name", o.Name}})
	}
	for _, d := range n.Details {
		details = append(details, d)
	}
	id := strconv.Itoa(*count)
	*count++
	return jsonObject{{"id", id}, {"name", n.Name}, {"descriptor", of}, {"outputs", outputs}, {"details", details}, {"estimates", []any{}}, {"children", children}}
}

// jackson writes JSON in the layout of Trino's library.
func jackson(v any, indent string) string {
	switch v := v.(type) {
	case jsonObject:
		if len(v) == 0 {
			return "{ }"
		}
		inner := indent + "  "
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = inner + jsonpath.Quote(m.name) + " : " + jackson(m.value, inner)
		}
		return "{\n" + strings.Join(parts, ",\n") + "\n" + indent + "}"
	case []any:
		if len(v) == 0 {
			return "[ ]"
		}
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = jackson(x, indent)
		}
		return "[ " + strings.Join(parts, ", ") + " ]"
	case string:
		return jsonpath.Quote(v)
	}
	return fmt.Sprint(v)
}

// graphviz draws a plan in Graphviz's language, its operators numbered from the top.
func graphviz(n *plan.Explained, logical bool) string {
	var nodes, edges strings.Builder
	count := 0
	var draw func(n *plan.Explained) int
	draw = func(n *plan.Explained) int {
		count++
		id := count
		label := n.Name
		for _, d := range n.Of {
			label += "|" + d.Name + " = " + escaped.Replace(d.Text)
		}
		color := "white"
		if len(n.Children) == 0 {
			color = "deepskyblue"
		}
		fmt.Fprintf(&nodes, "plannode_%d[label=\"{%s}\", style=\"rounded, filled\", shape=record, fillcolor=%s];\n", id, label, color)
		for _, c := range n.Children {
			fmt.Fprintf(&edges, "plannode_%d -> plannode_%d;\n", id, draw(c))
		}
		return id
	}
	draw(n)
	name, cluster := "distributed_plan", "cluster_0"
	if logical {
		name, cluster = "logical_plan", "cluster_graphviz_plan"
	}
	return "digraph " + name + " {\nsubgraph " + cluster + " {\nlabel = \"SINGLE\"\n" + nodes.String() + "}\n" + edges.String() + "}\n"
}

// escaped takes their meaning from the signs of a record's label.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "{", `\{`, "}", `\}`, "|", `\|`, "<", `\<`, ">", `\>`)
