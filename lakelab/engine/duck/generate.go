package duck

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/plan"
)

// generate prints a generator as a lateral join with the SELECT that it prints itself as.
func (p *printer) generate(n *plan.Generate) (string, error) {
	return p.over(n.Child, func(from string) (string, error) {
		args, err := p.arguments(n.Call)
		if err != nil {
			return "", err
		}
		join := " CROSS JOIN"
		tail := ""
		if n.Outer {
			join, tail = " LEFT JOIN", " ON true"
		}
		return "SELECT " + p.columns(concat(n.Child.Output(), n.Columns)) + " FROM " + from + " AS l" + join +
			" LATERAL (" + n.Call.Func.Duck(n.Call, args) + ") AS g(" + strings.Join(p.own(n.Columns), ", ") + ")" + tail, nil
	})
}

// own lists the names of columns, of which there may be none.
func (p *printer) own(cols []*expr.Column) []string {
	out := make([]string, len(cols))
	for i, c := range cols {
		out[i] = p.name(c)
	}
	return out
}

func concat(a, b []*expr.Column) []*expr.Column { return append(a[:len(a):len(a)], b...) }
