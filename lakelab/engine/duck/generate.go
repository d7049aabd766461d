package duck

import (
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/plan"
)

// generate prints a generator: its list of structs is unnested beside the child's columns, which keeps the rows in their order
// (a lateral join would not), and the structs are taken apart above.
func (p *printer) generate(n *plan.Generate) (string, error) {
	return p.apart(n.Child, func(from string) (string, error) {
		args, err := p.arguments(n.Call)
		if err != nil {
			return "", err
		}
		list := n.Call.Func.Duck(n.Call, args)
		if n.Cond != nil {
			if list, err = p.filtered(n, list); err != nil {
				return "", err
			}
		}
		if n.Outer {
			list = "CASE WHEN coalesce(len(" + list + "), 0) > 0 THEN " + list + " ELSE [NULL] END"
		}
		var keep []string
		for _, c := range n.Child.Output() {
			keep = append(keep, p.name(c))
		}
		inner := strings.Join(append(append([]string{}, keep...), "unnest("+list+") AS _g"), ", ")
		for i, c := range n.Columns {
			keep = append(keep, "struct_extract(_g, 'c"+strconv.Itoa(i+1)+"') AS "+p.name(c))
		}
		return "SELECT " + strings.Join(keep, ", ") + " FROM (SELECT " + inner + " FROM " + from + ")", nil
	})
}

// filtered keeps the structs of a generator's list that meet its condition.
func (p *printer) filtered(n *plan.Generate, list string) (string, error) {
	row := "g" + p.name(n.Columns[0])
	for i, c := range n.Columns {
		p.names[c] = "struct_extract(" + row + ", 'c" + strconv.Itoa(i+1) + "')"
	}
	cond, err := p.expr(n.Cond)
	for _, c := range n.Columns {
		delete(p.names, c)
	}
	return "list_filter(" + list + ", lambda " + row + ": " + cond + ")", err
}
