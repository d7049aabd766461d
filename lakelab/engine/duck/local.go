package duck

import (
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// manyRows is how many rows at hand are still written out value by value: DuckDB needs some twenty microseconds for each value.
const manyRows = 50

// byColumn prints rows at hand column by column: texts and whole numbers as one long text, which is then split.
func (p *printer) byColumn(n *plan.Local) string {
	inner, outer := []string{"unnest(range(" + strconv.Itoa(len(n.Rows)) + "))"}, make([]string, len(n.Columns))
	names := "r"
	for i, c := range n.Columns {
		name, t := p.name(c), functions.DuckType(c.T)
		text, some, ok := joined(c.T, n.Rows, i)
		switch {
		case !some:
			outer[i] = "CAST(NULL AS " + t + ") AS " + name
			continue
		case ok:
			inner = append(inner, "unnest(string_split("+String(text)+", chr(1)))")
			outer[i] = "CAST(nullif(" + name + ", chr(2)) AS " + t + ") AS " + name
		default:
			values := make([]string, len(n.Rows))
			for j, r := range n.Rows {
				values[j] = Value(c.T, r[i])
			}
			inner = append(inner, "unnest(["+strings.Join(values, ", ")+"])")
			outer[i] = name
		}
		names += ", " + name
	}
	return "SELECT " + strings.Join(outer, ", ") + " FROM (SELECT " + strings.Join(inner, ", ") + ") AS v(" + names + ")"
}

// joined puts a column's values into one text, with chr(1) between them and chr(2) for NULL. It is not ok for types whose values are no plain
// texts, and for texts that have such characters themselves; some is false if all values are NULL.
func joined(t types.Type, rows [][]any, column int) (text string, some, ok bool) {
	ok = t.Kind == types.String || t.Kind == types.Long || t.Kind == types.Int
	var b strings.Builder
	for i, r := range rows {
		if i > 0 {
			b.WriteByte(1)
		}
		v := r[column]
		some = some || v != nil
		switch v := v.(type) {
		case nil:
			b.WriteByte(2)
		case string:
			ok = ok && !strings.ContainsAny(v, "\x00\x01\x02")
			b.WriteString(v)
		case int64:
			b.WriteString(strconv.FormatInt(v, 10))
		default:
			ok = false
		}
		if !ok && some {
			return "", true, false
		}
	}
	return b.String(), some, ok
}
