package main

import (
	"slices"
	"strings"
)

// relation is a query that reads other relations: a form whose @1, @2 are relations and whose $1, $2 … are expressions over their
// columns. The columns are known once Spark has answered.
type relation struct {
	form    *form
	from    []*relation
	items   []*node
	name    string // of a table, which has no form
	columns []column
	size    int
}

type column struct{ name, kind string }

// form is a kind of query. Its relations stand there as a and b. wants says for each expression which type it has to have and of which
// relations its columns may be: "a: boolean", "ab: boolean", "b: =1" for the type of the first. "any" is every type, "sorted" one with
// an order, "array<" any array.
type form struct {
	text  string
	wants []string
	// last forms are not built upon: their rows depend on an order that only they have, or two columns share a name.
	last bool
}

var forms = []form{
	{text: "SELECT $1 AS x1, $2 AS x2, $3 AS x3 FROM @1 AS a", wants: []string{"a: any", "a: any", "a: any"}},
	{text: "SELECT * FROM @1 AS a WHERE $1", wants: []string{"a: boolean"}},
	{text: "SELECT * FROM @1 AS a WHERE $1 AND $2 OR $3", wants: []string{"a: boolean", "a: boolean", "a: boolean"}},
	{text: "SELECT *, $1 AS y1 FROM @1 AS a", wants: []string{"a: any"}},
	{text: "SELECT DISTINCT $1 AS x1, $2 AS x2 FROM @1 AS a", wants: []string{"a: sorted", "a: sorted"}},
	{text: "SELECT $1 AS x1, $2 AS y1 FROM @1 AS a JOIN @2 AS b ON $3 = $4", wants: []string{"a: any", "b: any", "a: sorted", "b: =3"}},
	{text: "SELECT $1 AS x1, $2 AS y1 FROM @1 AS a LEFT JOIN @2 AS b ON $3 = $4 AND $5", wants: []string{"a: any", "b: any", "a: sorted", "b: =3", "ab: boolean"}},
	{text: "SELECT $1 AS x1, $2 AS y1 FROM @1 AS a RIGHT JOIN @2 AS b ON $3 <=> $4", wants: []string{"a: any", "b: any", "a: sorted", "b: =3"}},
	{text: "SELECT $1 AS x1, $2 AS y1 FROM @1 AS a FULL JOIN @2 AS b ON $3 = $4", wants: []string{"a: any", "b: any", "a: sorted", "b: =3"}},
	{text: "SELECT * FROM @1 AS a LEFT SEMI JOIN @2 AS b ON $1 = $2", wants: []string{"a: sorted", "b: =1"}},
	{text: "SELECT * FROM @1 AS a LEFT ANTI JOIN @2 AS b ON $1", wants: []string{"ab: boolean"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a CROSS JOIN @2 AS b WHERE $2", wants: []string{"ab: any", "ab: boolean"}},
	{text: "SELECT * FROM @1 AS a NATURAL JOIN @2 AS b", last: true},
	{text: "SELECT * FROM @1 AS a NATURAL FULL JOIN @2 AS b", last: true},
	{text: "SELECT $1 AS x1, z FROM @1 AS a, LATERAL (SELECT $2 AS z FROM @2 AS b WHERE $3) AS s", wants: []string{"a: any", "b: any", "ab: boolean"}},
	{text: "SELECT $1 AS x1, $2 AS x2 FROM @1 AS a UNION ALL SELECT $3, $4 FROM @2 AS b", wants: []string{"a: any", "a: any", "b: any", "b: =2"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a UNION SELECT $2 FROM @2 AS b", wants: []string{"a: sorted", "b: =1"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a EXCEPT ALL SELECT $2 FROM @2 AS b", wants: []string{"a: sorted", "b: =1"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a INTERSECT SELECT $2 FROM @2 AS b", wants: []string{"a: sorted", "b: =1"}},
	{text: "SELECT $1 AS k1, count(*) AS n, sum($2) AS s, max($3) AS m FROM @1 AS a GROUP BY $1", wants: []string{"a: sorted", "a: number", "a: sorted"}},
	{text: "SELECT $1 AS k1, count(DISTINCT $2) AS n, avg($3) AS v FROM @1 AS a GROUP BY 1 HAVING count(*) >= 1 AND $4 IS NOT NULL", wants: []string{"a: sorted", "a: sorted", "a: number", "a: =1"}, last: true},
	{text: "SELECT k, j, grouping_id() AS g, count(*) AS n, min($3) AS m FROM (SELECT *, $1 AS k, $2 AS j FROM @1 AS a) AS a GROUP BY CUBE (k, j)", wants: []string{"a: sorted", "a: sorted", "a: sorted"}, last: true},
	{text: "SELECT k, j, grouping(k) AS g, sum($3) AS m FROM (SELECT *, $1 AS k, $2 AS j FROM @1 AS a) AS a GROUP BY GROUPING SETS ((k), (k, j), ())", wants: []string{"a: sorted", "a: sorted", "a: number"}, last: true},
	{text: "SELECT k, j, count($3) AS n FROM (SELECT *, $1 AS k, $2 AS j FROM @1 AS a) AS a GROUP BY k, ROLLUP (j)", wants: []string{"a: sorted", "a: sorted", "a: any"}, last: true},
	{text: "SELECT $1 AS x1, $2 AS x2, count(*) AS n FROM @1 AS a GROUP BY ALL", wants: []string{"a: sorted", "a: sorted"}},
	{text: "SELECT count(*) FILTER (WHERE $1) AS n, sum($2) FILTER (WHERE $3) AS s, count_if($1) AS c FROM @1 AS a", wants: []string{"a: boolean", "a: number", "a: boolean"}},
	{text: "SELECT bool_and($1) AS b1, every($1) AS b2, bit_or($2) AS b3, stddev($3) AS b4, variance($3) AS b5, median($3) AS b6 FROM @1 AS a", wants: []string{"a: boolean", "a: int", "a: number"}},
	{text: "SELECT $1 AS x1, sum($2) OVER (PARTITION BY $3) AS w FROM @1 AS a", wants: []string{"a: any", "a: number", "a: sorted"}},
	{text: "SELECT $1 AS x1, rank() OVER (ORDER BY $1 DESC) AS r, dense_rank() OVER (PARTITION BY $2 ORDER BY $1) AS d, percent_rank() OVER (ORDER BY $1 NULLS LAST) AS p, cume_dist() OVER (ORDER BY $1) AS c FROM @1 AS a", wants: []string{"a: sorted", "a: sorted"}},
	{text: "SELECT $1 AS x1, max($2) OVER (ORDER BY $1 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS w, count($2) OVER (ORDER BY $1 RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS v FROM @1 AS a", wants: []string{"a: sorted", "a: sorted"}},
	{text: "SELECT $1 AS x1, sum($2) OVER (ORDER BY $1 RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS w FROM @1 AS a", wants: []string{"a: int", "a: number"}},
	{text: "SELECT $1 AS x1, count($2) OVER (ORDER BY $1 RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW) AS w FROM @1 AS a", wants: []string{"a: date", "a: any"}},
	{text: "SELECT $1 AS x1, avg($1) OVER (ORDER BY $1 ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS w, ntile(2) OVER (ORDER BY $1) AS n, lead($1, 1, $1) OVER (ORDER BY $1) AS l, nth_value($1, 2) OVER (ORDER BY $1 ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS v FROM @1 AS a", wants: []string{"a: number"}},
	{text: "SELECT $1 AS x1, e FROM @1 AS a LATERAL VIEW OUTER explode($2) v AS e", wants: []string{"a: any", "a: array<"}},
	{text: "SELECT $1 AS x1, p, e FROM @1 AS a LATERAL VIEW posexplode($2) v AS p, e", wants: []string{"a: any", "a: array<"}},
	{text: "SELECT $1 AS x1, k, w FROM @1 AS a LATERAL VIEW explode($2) v AS k, w", wants: []string{"a: any", "a: map<"}},
	{text: "SELECT $1 AS x1, inline(array($2)) FROM @1 AS a", wants: []string{"a: any", "a: struct<"}},
	{text: "SELECT stack(2, $1, $2, $3, $4) AS (x1, x2) FROM @1 AS a", wants: []string{"a: any", "a: any", "a: =1", "a: =2"}},
	{text: "SELECT * FROM (SELECT $1 AS k, $2 AS v, true AS p FROM @1 AS a) PIVOT (max(v) AS m, count(*) AS n FOR p IN (true AS yes, false AS no))", wants: []string{"a: sorted", "a: sorted"}},
	{text: "SELECT * FROM (SELECT $1 AS x1, $2 AS x2, $3 AS x3 FROM @1 AS a) UNPIVOT (v FOR n IN (x2, x3))", wants: []string{"a: any", "a: any", "a: =2"}},
	{text: "SELECT * FROM (SELECT $1 AS x1, $2 AS x2 FROM @1 AS a) ORDER BY x1, x2 DESC LIMIT 3 OFFSET 1", wants: []string{"a: sorted", "a: sorted"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a WHERE EXISTS (SELECT 1 FROM @2 AS b WHERE $2 = $3)", wants: []string{"a: any", "a: sorted", "b: =2"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a WHERE $2 IN (SELECT $3 FROM @2 AS b WHERE $4)", wants: []string{"a: any", "a: sorted", "b: =2", "b: boolean"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a WHERE $2 NOT IN (SELECT $3 FROM @2 AS b WHERE $4)", wants: []string{"a: any", "a: sorted", "b: =2", "b: boolean"}},
	{text: "SELECT $1 AS x1, (SELECT max($2) FROM @2 AS b WHERE $3 = $4) AS m FROM @1 AS a", wants: []string{"a: any", "b: sorted", "a: sorted", "b: =3"}},
	{text: "WITH q AS (SELECT $1 AS x1, $2 AS x2 FROM @1 AS a) SELECT p.x1, q.x2 FROM q JOIN q AS p ON p.x1 = q.x1", wants: []string{"a: sorted", "a: any"}},
	{text: "FROM @1 AS a |> WHERE $1 |> SELECT $2 AS x1, $3 AS x2 |> EXTEND x1 AS x3 |> DROP x2", wants: []string{"a: boolean", "a: any", "a: any"}},
	{text: "FROM @1 AS a |> AGGREGATE count(*) AS n, max($1) AS m GROUP BY $2 AS k |> WHERE n > 0", wants: []string{"a: sorted", "a: sorted"}},
	{text: "SELECT $1 AS x1, x1 AS x2, coalesce($2, $3) AS x3, CASE WHEN $4 THEN $2 ELSE $3 END AS x4 FROM @1 AS a", wants: []string{"a: any", "a: any", "a: =2", "a: boolean"}},
	{text: "SELECT struct($1 AS f, $2 AS g) AS x1, array($1, $3) AS x2, map('k', $2) AS x3, named_struct('h', array($1)) AS x4 FROM @1 AS a", wants: []string{"a: any", "a: any", "a: =1"}},
	{text: "SELECT transform(array($1, $2), x -> struct(x, $3)) AS x1, filter(array($1, $2), x -> x IS NOT NULL) AS x2, aggregate(array($1, $2), 0, (n, x) -> n + 1) AS x3, zip_with(array($1), array($3), (x, y) -> struct(x, y)) AS x4 FROM @1 AS a", wants: []string{"a: any", "a: =1", "a: any"}},
	{text: "SELECT to_json(struct($1 AS f, $2 AS g)) AS x1, to_csv(struct($3 AS f)) AS x2, from_json(to_json(struct($3 AS f)), 'f STRING') AS x3 FROM @1 AS a", wants: []string{"a: any", "a: any", "a: number"}},
	{text: "SELECT collect_set($1) AS x1, array_sort(collect_list($2)) AS x2, max_by($1, $2) IS NULL AS x3 FROM @1 AS a", wants: []string{"a: number", "a: sorted"}, last: true},
	{text: "SELECT to_utc_timestamp($1, 'Europe/Moscow') AS x1, from_utc_timestamp($1, 'America/New_York') AS x2, convert_timezone('UTC', 'Asia/Kolkata', CAST($1 AS TIMESTAMP_NTZ)) AS x3, date_trunc('WEEK', $1) AS x4, date_format($1, 'yyyy-MM-dd HH:mm:ss.SSS z') AS x5 FROM @1 AS a", wants: []string{"a: timestamp"}},
}

// query is the relation's text; from is how it stands in FROM.
func (r *relation) query() string {
	if r.form == nil {
		return "SELECT * FROM " + r.name
	}
	text := r.form.text
	for i, f := range r.from {
		text = strings.ReplaceAll(text, "@"+string(rune('1'+i)), f.source())
	}
	for i, n := range r.items {
		text = strings.ReplaceAll(text, "$"+string(rune('1'+i)), n.sql())
	}
	return text
}

func (r *relation) source() string {
	if r.form == nil {
		return r.name
	}
	return "(" + r.query() + ")"
}

// relationLimit bounds how many relations are kept, and how large one may be.
const (
	relationLimit = 100
	largest       = 4
)

// relation makes a query over relations that Spark has accepted.
func (g *garden) relation() query {
	f := &forms[g.r.IntN(len(forms))]
	r := &relation{form: f, size: 1}
	pick := func() *relation { return g.relations[g.r.IntN(len(g.relations))] }
	r.from = []*relation{pick()}
	if strings.Contains(f.text, "@2") {
		r.from = append(r.from, pick())
	}
	for _, x := range r.from {
		r.size += x.size
	}
	for _, w := range f.wants {
		where, kind, _ := strings.Cut(w, ": ")
		var columns []*node
		for _, side := range where {
			for _, c := range r.from[side-'a'].columns {
				columns = append(columns, &node{shape: &shape{name: "column", text: string(side) + "." + c.name}, kind: c.kind, size: 1})
			}
		}
		if n, ok := strings.CutPrefix(kind, "="); ok {
			kind = r.items[n[0]-'1'].kind
		}
		r.items = append(r.items, g.over(columns, kind, 2))
	}
	return query{rel: r}
}

// matches reports whether a type is what a form wants.
func matches(kind, want string) bool {
	switch want {
	case "any":
		return true
	case "sorted":
		return !strings.Contains(kind, "map<") && kind != "interval" && !strings.Contains(kind, "interval,") && !strings.Contains(kind, "interval>")
	case "number":
		return slices.Contains([]string{"tinyint", "smallint", "int", "bigint", "double", "float"}, kind) || strings.HasPrefix(kind, "decimal(")
	case "array<", "map<", "struct<":
		return strings.HasPrefix(kind, want)
	}
	return kind == want
}

// over makes an expression of a wanted type of columns and of constants: functions and operators are given what Spark took before.
func (g *garden) over(columns []*node, want string, depth int) *node {
	var fitting []*node
	for _, c := range columns {
		if matches(c.kind, want) {
			fitting = append(fitting, c)
		}
	}
	column := func() *node {
		c := *fitting[g.r.IntN(len(fitting))]
		return &c
	}
	if len(fitting) > 0 && (depth == 0 || g.r.IntN(3) == 0) {
		return column()
	}
	if depth > 0 {
		for range 300 {
			s := g.shapes[g.r.IntN(len(g.shapes))]
			if s.aggregate || len(s.accepted) == 0 || s.arity == 0 {
				continue
			}
			k := s.accepted[g.r.IntN(len(s.accepted))]
			if !matches(k.result, want) {
				continue
			}
			n := &node{shape: s, kind: k.result, size: 1}
			for _, a := range k.args {
				x := g.over(columns, a, depth-1)
				n.args = append(n.args, x)
				n.size += x.size
			}
			return n
		}
	}
	if len(fitting) > 0 {
		return column()
	}
	var constants []*node
	for kind, list := range g.constants {
		if matches(kind, want) {
			constants = append(constants, list...)
		}
	}
	if len(constants) > 0 {
		slices.SortFunc(constants, func(a, b *node) int { return strings.Compare(a.sql(), b.sql()) }) // a map has no order, a seed promises one
		return constants[g.r.IntN(len(constants))]
	}
	if strings.ContainsAny(want, "<(") || !strings.Contains("boolean int bigint double string date timestamp", want) {
		return &node{shape: &shape{name: "NULL", text: "NULL"}, kind: "void", size: 1}
	}
	return &node{shape: &shape{name: "NULL", text: "CAST(NULL AS " + want + ")"}, kind: want, size: 1}
}

// keep learns a relation that Spark accepted.
func (g *garden) keep(r *relation, a answer) {
	if a.Error != nil || r.form != nil && r.form.last || r.size > largest || strings.Count(a.Text, "\n") > 60 {
		return
	}
	seen := map[string]bool{}
	r.columns = nil
	for i, n := range a.Names {
		if seen[strings.ToLower(n)] || !isName(n) {
			return
		}
		seen[strings.ToLower(n)] = true
		r.columns = append(r.columns, column{n, a.Types[i]})
	}
	if len(g.relations) < relationLimit {
		g.relations = append(g.relations, r)
	} else {
		g.relations[2+g.r.IntN(relationLimit-2)] = r // the tables stay
	}
}

// simpler are relations one step simpler: what one reads, or one with a simpler expression.
func (g *garden) simpler(r *relation) []*relation {
	var out []*relation
	for i, f := range r.from {
		if f.form != nil {
			out = append(out, f)
		}
		with := func(instead *relation) {
			k := *r
			k.from = slices.Clone(r.from)
			k.from[i] = instead
			out = append(out, &k)
		}
		if f.form != nil {
			for _, s := range g.simpler(f) {
				if slices.Equal(s.columns, f.columns) && s.form == f.form {
					with(s)
				}
			}
			for _, s := range f.from {
				with(s) // the names may be the same
			}
		}
	}
	for i, n := range r.items {
		for _, s := range append(g.smallerNodes(n), g.simple[n.kind]...) {
			if s.size > n.size || s.size == n.size && len(n.args) == 0 {
				continue
			}
			k := *r
			k.items = slices.Clone(r.items)
			k.items[i] = s
			out = append(out, &k)
		}
	}
	return out
}
