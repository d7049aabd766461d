package plan

import "mini-lakehouse-lab/lakelab/engine/expr"

func columnsOf(items []Item) []*expr.Column {
	out := make([]*expr.Column, len(items))
	for i, it := range items {
		out[i] = it.Column
	}
	return out
}

func concat(a, b []*expr.Column) []*expr.Column {
	return append(a[:len(a):len(a)], b...)
}

// Output lists the columns read.
func (n *Scan) Output() []*expr.Column { return n.Columns }

// Output lists the columns.
func (n *Rows) Output() []*expr.Column { return n.Columns }

// Output lists the columns.
func (n *Local) Output() []*expr.Column { return n.Columns }

// Output is empty.
func (*OneRow) Output() []*expr.Column { return nil }

// Output lists the computed columns.
func (n *Project) Output() []*expr.Column { return columnsOf(n.Items) }

// Output is the child's.
func (n *Filter) Output() []*expr.Column { return n.Child.Output() }

// Output is the group columns, then the aggregates.
func (n *Aggregate) Output() []*expr.Column { return concat(columnsOf(n.Groups), columnsOf(n.Aggs)) }

// Output is the child's, then the window columns.
func (n *Window) Output() []*expr.Column { return concat(n.Child.Output(), columnsOf(n.Items)) }

// Output is the left side's, then the right side's unless the join only filters.
func (n *Join) Output() []*expr.Column {
	if n.Kind == "SEMI" || n.Kind == "ANTI" {
		return n.L.Output()
	}
	return concat(n.L.Output(), n.R.Output())
}

// Output lists its own columns.
func (n *SetOp) Output() []*expr.Column { return n.Columns }

// Output is the child's.
func (n *Distinct) Output() []*expr.Column { return n.Child.Output() }

// Output is the child's.
func (n *Sort) Output() []*expr.Column { return n.Child.Output() }

// Output is the child's.
func (n *Limit) Output() []*expr.Column { return n.Child.Output() }

// Output is the child's, then the generated columns.
func (n *Generate) Output() []*expr.Column { return concat(n.Child.Output(), n.Columns) }

// Output is the child's, then the computed columns.
func (n *Remote) Output() []*expr.Column { return concat(n.Child.Output(), columnsOf(n.Items)) }

// Output is the child's.
func (n *Sample) Output() []*expr.Column { return n.Child.Output() }

// Output is the child's.
func (n *With) Output() []*expr.Column { return n.Child.Output() }

// Output lists its own columns.
func (n *CTERef) Output() []*expr.Column { return n.Columns }

// Output lists the columns kept.
func (n *Narrow) Output() []*expr.Column { return n.Columns }
