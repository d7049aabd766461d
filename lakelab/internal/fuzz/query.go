package main

import (
	"slices"
	"strings"
)

// query is a statement: an expression over the table, a query template whose $1, $2 … are expressions, or a relation.
type query struct {
	items []*node
	shape *string
	rel   *relation
}

// rows are the statements that compute an expression for one row of the table each; nil for other queries.
func (q query) rows() []string {
	if q.rel != nil || q.shape != nil {
		return nil
	}
	var out []string
	for _, id := range []string{"1", "2", "3", "4"} {
		out = append(out, q.sql()+" WHERE id = "+id)
	}
	return out
}

func (q query) sql() string {
	if q.rel != nil {
		return q.rel.query()
	}
	if q.shape == nil {
		return "SELECT " + q.items[0].sql() + " FROM t"
	}
	text := *q.shape
	for i, n := range q.items {
		text = strings.ReplaceAll(text, "$"+string(rune('1'+i)), n.sql())
	}
	return text
}

// root names what is outermost, to group differences.
func (q query) root() string {
	if q.rel != nil && q.rel.form != nil {
		return q.rel.form.text
	}
	if q.shape != nil {
		return *q.shape
	}
	return q.items[0].shape.text
}

// smaller are queries one step simpler: an argument instead of the whole, or a simple expression of the same type instead of an
// argument.
func (g *garden) smaller(q query) []query {
	var out []query
	if q.rel != nil {
		for _, r := range g.simpler(q.rel) {
			out = append(out, query{rel: r})
		}
		return out
	}
	for i, n := range q.items {
		if q.shape != nil {
			out = append(out, query{items: []*node{n}})
		}
		for _, s := range g.smallerNodes(n) {
			items := slices.Clone(q.items)
			items[i] = s
			out = append(out, query{items: items, shape: q.shape})
		}
	}
	return out
}

func (g *garden) smallerNodes(n *node) []*node {
	out := slices.Clone(n.args)
	for i, a := range n.args {
		var instead []*node
		if len(a.args) > 0 {
			instead = slices.Concat(g.simple[a.kind], g.smallerNodes(a))
		}
		for _, s := range instead {
			if s == a || s.size >= a.size && len(s.args) > 0 && s.size > 2 {
				continue
			}
			args := slices.Clone(n.args)
			args[i] = s
			out = append(out, &node{shape: n.shape, args: args, kind: n.kind, size: n.size - a.size + s.size})
		}
	}
	return out
}

// template is a query and the types that its places want; "" is any type.
type template struct {
	text  string
	kinds []string
}

var templates = []template{
	{"SELECT id, $1 AS x FROM t WHERE $2", []string{"", "boolean"}},
	{"SELECT DISTINCT $1 AS x FROM t", []string{""}},
	{"SELECT $1 AS k, count(*) AS n, count($2) AS c FROM t GROUP BY $1", []string{"", ""}},
	{"SELECT $1 AS k, max($2) AS hi, min($2) AS lo FROM t GROUP BY 1 HAVING count(*) > 0", []string{"", ""}},
	{"SELECT count(DISTINCT $1) AS c, sum($2) AS s, avg($2) AS a FROM t", []string{"", "number"}},
	{"SELECT $1 AS k, $2 AS j, count(*) AS n FROM t GROUP BY ROLLUP(k, j)", []string{"", ""}},
	{"SELECT id, row_number() OVER (ORDER BY $1, id) AS r, rank() OVER (ORDER BY $1) AS k FROM t", []string{""}},
	{"SELECT id, sum($1) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS w FROM t", []string{"number"}},
	{"SELECT id, lag($1) OVER (PARTITION BY $2 ORDER BY id DESC) AS w FROM t", []string{"", ""}},
	{"SELECT id, first_value($1) OVER (ORDER BY id DESC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS w FROM t", []string{""}},
	{"SELECT $1 AS x FROM t UNION SELECT $2 FROM t", []string{"", ""}},
	{"SELECT $1 AS x FROM t UNION ALL SELECT $2 FROM t", []string{"", ""}},
	{"SELECT $1 AS x FROM t EXCEPT SELECT $2 FROM t", []string{"", ""}},
	{"SELECT $1 AS x FROM t INTERSECT SELECT $1 FROM t WHERE $2", []string{"", "boolean"}},
	{"SELECT t.id, u.n FROM t JOIN u ON t.id = u.id AND $1", []string{"boolean without names"}},
	{"SELECT x.id, u.n FROM (SELECT id, $1 AS e FROM t) x LEFT JOIN u ON x.e = u.n", []string{"number"}},
	{"SELECT x.e, u.s FROM (SELECT id, $1 AS e FROM t) x FULL JOIN u ON x.id = u.id", []string{""}},
	{"SELECT id FROM t WHERE id IN (SELECT id FROM u WHERE $1)", []string{"boolean without names"}},
	{"SELECT id FROM t WHERE id NOT IN (SELECT id FROM u)  AND $1", []string{"boolean"}},
	{"SELECT id, $1 AS x FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id)", []string{""}},
	{"SELECT id, (SELECT max(n) FROM u WHERE u.id = t.id) AS m, $1 AS x FROM t", []string{""}},
	{"SELECT x FROM (SELECT $1 AS x, id FROM t ORDER BY id LIMIT 3)", []string{""}},
	{"WITH c AS (SELECT $1 AS x, $2 AS y FROM t) SELECT x, count(y) FROM c GROUP BY ALL", []string{"", ""}},
	{"SELECT id, coalesce($1, $2) AS x FROM t", []string{"", ""}},
	{"SELECT collect_list($1) AS l FROM t", []string{""}},
	{"SELECT id, e FROM t LATERAL VIEW OUTER explode($1) v AS e", []string{"array<"}},
	{"SELECT id, p, e FROM t LATERAL VIEW posexplode($1) v AS p, e", []string{"array<"}},
	{"SELECT * FROM (SELECT b, $1 AS x, 1 AS n FROM t) PIVOT (sum(n) FOR b IN (true, false))", []string{""}},
	{"SELECT CAST($1 AS STRING) AS s, typeof($1) AS t FROM t", []string{""}},
	{"SELECT to_json(named_struct('x', $1)) AS j FROM t", []string{""}},
	{"SELECT hash($1) AS h, xxhash64($1) AS x FROM t", []string{""}},
}

// query fills a template with expressions.
func (g *garden) query() query {
	t := &templates[g.r.IntN(len(templates))]
	q := query{shape: &t.text}
	for _, k := range t.kinds {
		q.items = append(q.items, g.ofKind(k))
	}
	return q
}

func (g *garden) ofKind(kind string) *node {
	if kind == "boolean without names" {
		return &node{shape: &shape{name: "true", text: []string{"true", "1 = 1", "NULL", "false"}[g.r.IntN(4)]}, kind: "boolean", size: 1}
	}
	for range 100 {
		t := g.types[g.r.IntN(len(g.types))]
		switch {
		case kind == "", t == kind, kind == "array<" && strings.HasPrefix(t, kind):
			return g.pick(t)
		case kind == "number" && slices.Contains([]string{"int", "bigint", "double", "decimal(10,2)", "smallint", "float"}, t):
			return g.pick(t)
		}
	}
	return g.pick(g.types[0])
}
