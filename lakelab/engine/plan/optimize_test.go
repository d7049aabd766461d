package plan_test

import (
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// TestScans looks at what a plan asks of its sources: the columns that somebody reads, and the conditions that a source may use.
func TestScans(t *testing.T) {
	a := analyzer(t, sql.Spark)
	for query, want := range map[string]string{
		"SELECT a FROM t1":                                  "t1(a)",
		"SELECT count(*) FROM t1":                           "t1()",
		"SELECT x.a FROM t1 AS x WHERE x.b > 1 AND c = 'y'": "t1(a b c) [((b > 1) AND (c = y))]",
		"SELECT zone FROM trips t JOIN zones z ON t.pickup_borough = z.borough WHERE day > DATE '2024-01-01'": "trips(pickup_borough day) [(day > DATE '2024-01-01')] zones(borough zone)",
		"SELECT t1.a FROM t1 LEFT JOIN t2 ON t1.a = t2.a WHERE t2.b > 1":                                      "t1(a) t2(a b)",
		"SELECT * FROM (SELECT a, b + 1 AS n FROM t1) WHERE n > 1 AND a = 2":                                  "t1(a b) [(a = 2)]",
		"SELECT a FROM t1 WHERE b IN (SELECT a FROM t2 WHERE d = 'x')":                                        "t2(a d) [(d = x)] t1(a b)",
		"SELECT c, sum(a) FROM t1 GROUP BY c HAVING sum(a) > 1":                                               "t1(a c)",
	} {
		o := a.query(t.Context(), query)
		if o.err != nil {
			t.Errorf("%s: %v", query, o.err)
			continue
		}
		var got []string
		for _, s := range scans(o.node) {
			names := make([]string, len(s.Columns))
			for i, c := range s.Columns {
				names[i] = c.Name
			}
			text := s.Name[len(s.Name)-1] + "(" + strings.Join(names, " ") + ")"
			if s.Filter != nil {
				text += " [" + plan.NameOf(sql.Spark, s.Filter) + "]"
			}
			got = append(got, text)
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s\ngot  %s\nwant %s\n%s", query, g, want, plan.Explain(t.Context(), o.node))
		}
	}
}

func scans(n plan.Node) []*plan.Scan {
	var out []*plan.Scan
	plan.Visit(n, func(n plan.Node) {
		if s, ok := n.(*plan.Scan); ok {
			out = append(out, s)
		}
	})
	return out
}
