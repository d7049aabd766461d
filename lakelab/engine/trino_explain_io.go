package engine

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// EXPLAIN (TYPE IO): the tables that a statement reads, with what it wants of their columns, and the one that it writes.

// explainIO describes them in Trino's JSON. Its numbers are what Trino writes where it knows no estimate.
func (s *Session) explainIO(ctx context.Context, x *explained) jsonObject {
	inputs := []any{}
	seen := map[string]bool{}
	plan.Visit(x.node, func(n plan.Node) {
		scan, ok := n.(*plan.Scan)
		if !ok || len(scan.Name) != 3 {
			return
		}
		input := jsonObject{{"table", tableJSON(scan.Name)}, {"constraint", jsonObject{{"none", false}, {"columnConstraints", s.constraints(ctx, scan)}}}, {"estimate", unknownCost}}
		if key := jackson(input, ""); !seen[key] {
			seen[key] = true
			inputs = append(inputs, input)
		}
	})
	out := jsonObject{{"inputTableColumnInfos", inputs}}
	if x.target != nil {
		out = append(out, jsonMember{"outputTable", tableJSON(x.target)})
	}
	return append(out, jsonMember{"estimate", unknownCost})
}

var unknownCost = jsonObject{{"outputRowCount", "NaN"}, {"outputSizeInBytes", "NaN"}, {"cpuCost", "NaN"}, {"maxMemory", "NaN"}, {"networkCost", "NaN"}}

func tableJSON(name []string) jsonObject {
	return jsonObject{{"catalog", name[0]}, {"schemaTable", jsonObject{{"schema", name[1]}, {"table", name[2]}}}}
}

// domain is what a query wants of a column: values, or those between two bounds.
type domain struct {
	values    []string
	low, high []jsonMember // value and bound
}

// constraints are the comparisons of columns with constants that hold for all rows that a scan has to give.
func (s *Session) constraints(ctx context.Context, scan *plan.Scan) []any {
	out := []any{}
	if scan.Filter == nil {
		return out
	}
	of := map[string]*domain{}
	for _, c := range plan.Conjuncts(scan.Filter) {
		call, ok := c.(*expr.Call)
		if !ok || len(call.Args) < 2 {
			continue
		}
		op, column, with := call.Func.Name, call.Args[0], call.Args[1:]
		if columnOf(column) == nil {
			op, column, with = flipped[op], call.Args[1], call.Args[:1]
		}
		path := columnOf(column)
		if len(path) != 1 {
			continue
		}
		var texts []string
		for _, x := range with {
			v, ok := s.fixed(ctx, x)
			if !ok || v == nil {
				texts = nil
				break
			}
			texts = append(texts, types.TrinoValue(x.Type(), v))
		}
		if texts == nil {
			continue
		}
		d := of[path[0]]
		if d == nil {
			d = &domain{}
		}
		if d.narrow(op, texts) {
			of[path[0]] = d
		}
	}
	for _, c := range scan.Columns {
		if d := of[c.Name]; d != nil {
			out = append(out, jsonObject{{"columnName", c.Name}, {"type", c.T.Trino()}, {"domain", jsonObject{{"nullsAllowed", false}, {"ranges", d.ranges()}}}})
		}
	}
	return out
}

// narrow adds a comparison; false for one that says nothing here. Of two that say the same, the first one stays: what is shown may be more than
// what the query wants, not less.
func (d *domain) narrow(op string, texts []string) bool {
	bound := func(text, kind string) []jsonMember { return []jsonMember{{"value", text}, {"bound", kind}} }
	switch op {
	case "=", "in":
		if d.values == nil {
			d.values = texts
		}
	case ">", ">=":
		if d.low == nil {
			d.low = bound(texts[0], map[string]string{">": "ABOVE", ">=": "EXACTLY"}[op])
		}
	case "<", "<=":
		if d.high == nil {
			d.high = bound(texts[0], map[string]string{"<": "BELOW", "<=": "EXACTLY"}[op])
		}
	case "between":
		return d.narrow(">=", texts[:1]) && d.narrow("<=", texts[1:])
	default:
		return false
	}
	return true
}

func (d *domain) ranges() []any {
	out := []any{}
	for _, v := range d.values {
		exactly := jsonObject{{"value", v}, {"bound", "EXACTLY"}}
		out = append(out, jsonObject{{"low", exactly}, {"high", exactly}})
	}
	if d.values == nil {
		low, high := jsonObject{{"bound", "ABOVE"}}, jsonObject{{"bound", "BELOW"}}
		if d.low != nil {
			low = d.low
		}
		if d.high != nil {
			high = d.high
		}
		out = append(out, jsonObject{{"low", low}, {"high", high}})
	}
	return out
}
