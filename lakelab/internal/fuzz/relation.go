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
// relations its columns may be: "a: boolean", "ab: boolean", "b: =1" for the type of the first; q is the first by another name. "any" is
// every type, "sorted" one with an order, "array<" any array; "aggregate" is a call of an aggregate function.
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
	{text: "SELECT $1 AS k1, $2 AS x1, $3 AS x2 FROM @1 AS a GROUP BY $1", wants: []string{"a: sorted", "a: aggregate", "a: aggregate"}},
	{text: "SELECT $1 AS x1, $2 FILTER (WHERE $3) AS x2 FROM @1 AS a", wants: []string{"a: aggregate", "a: aggregate", "a: boolean"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a GROUP BY $2 HAVING $3 IS NOT NULL ORDER BY $1", wants: []string{"a: aggregate", "a: sorted", "a: aggregate"}, last: true},
	{text: "SELECT $1 AS x1, $2 OVER (PARTITION BY $3) AS w FROM @1 AS a", wants: []string{"a: any", "a: aggregate", "a: sorted"}},
	{text: "SELECT k, j, $3 AS x1 FROM (SELECT *, $1 AS k, $2 AS j FROM @1 AS a) AS a GROUP BY GROUPING SETS ((k), (j), ())", wants: []string{"a: sorted", "a: sorted", "a: aggregate"}, last: true},
	// Which of several rows with equal keys comes first is free: a row shows nothing else that they differ in, and one window at a time.
	{text: "SELECT $1 AS x1, lag($2, 1, $2) OVER (PARTITION BY $3 ORDER BY $1, $2) AS w FROM @1 AS a", wants: []string{"a: sorted", "a: sorted", "a: sorted"}, last: true},
	{text: "SELECT $1 AS x1, lead($2) IGNORE NULLS OVER (ORDER BY $1, $2) AS v FROM @1 AS a", wants: []string{"a: sorted", "a: sorted"}, last: true},
	{text: "SELECT sum($1) OVER q AS w, min($2) OVER (q ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS v FROM @1 AS a WINDOW q AS (PARTITION BY $2 ORDER BY $3, $1)", wants: []string{"a: number", "a: sorted", "a: sorted"}, last: true},
	{text: "SELECT $1 AS x1, sum($2) OVER (ORDER BY $1 RANGE BETWEEN 1 PRECEDING AND 1.5 FOLLOWING) AS w FROM @1 AS a", wants: []string{"a: number", "a: int"}},
	{text: "SELECT * FROM @1 AS a JOIN @2 AS b USING (id)", last: true},
	{text: "SELECT * FROM @1 AS a FULL JOIN @2 AS b USING (id)", last: true},
	{text: "SELECT a.*, $1 AS y1 FROM @1 AS a LEFT JOIN @2 AS b USING (id)", wants: []string{"ab: any"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a LEFT JOIN LATERAL (SELECT $2 AS z FROM @2 AS b WHERE $3 = $4) AS s ON true", wants: []string{"a: any", "b: any", "a: sorted", "b: =3"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a INTERSECT ALL SELECT $2 FROM @2 AS b", wants: []string{"a: sorted", "b: =1"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a MINUS SELECT $2 FROM @2 AS b", wants: []string{"a: sorted", "b: sorted"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a UNION ALL SELECT $2 FROM @2 AS b", wants: []string{"a: any", "b: any"}},
	{text: "SELECT $1 AS x1, (SELECT count(*) FROM @2 AS b WHERE $2 = $3) AS n, (SELECT $4 FROM @2 AS b) AS m FROM @1 AS a", wants: []string{"a: any", "a: sorted", "b: =2", "b: aggregate"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a WHERE NOT EXISTS (SELECT $2 FROM @2 AS b WHERE $3 = $4 AND $5)", wants: []string{"a: any", "b: any", "a: sorted", "b: =3", "ab: boolean"}},
	{text: "SELECT $1 AS x1, CASE WHEN $2 IN (SELECT $3 FROM @2 AS b) THEN 1 ELSE 2 END AS x2 FROM @1 AS a", wants: []string{"a: any", "a: sorted", "b: =2"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a WHERE ($2, $3) IN (SELECT $4, $5 FROM @2 AS b)", wants: []string{"a: any", "a: sorted", "a: sorted", "b: =2", "b: =3"}},
	{text: "SELECT $1 AS k1, count(*) AS n FROM @1 AS a GROUP BY $1 HAVING count(*) > (SELECT $2 FROM @2 AS b) OR $1 IS NULL", wants: []string{"a: sorted", "b: aggregate"}},
	{text: "SELECT $1 AS x1, e, k, w FROM @1 AS a LATERAL VIEW explode($2) AS e LATERAL VIEW OUTER explode($3) AS k, w", wants: []string{"a: any", "a: array<", "a: map<"}},
	{text: "SELECT $1 AS x1, explode_outer($2) AS e FROM @1 AS a", wants: []string{"a: any", "a: array<"}},
	{text: "SELECT posexplode_outer($1) AS (p, k, w), $2 AS x1 FROM @1 AS a", wants: []string{"a: map<", "a: any"}},
	{text: "SELECT inline_outer($1) FROM @1 AS a", wants: []string{"a: array<struct<"}},
	{text: "SELECT $1 AS x1, e.* FROM @1 AS a, LATERAL explode($2) AS e", wants: []string{"a: any", "a: array<"}, last: true},
	{text: "SELECT * EXCEPT (id) FROM @1 AS a", last: true},
	{text: "SELECT * FROM (SELECT $1 AS k, $2 AS v, $3 AS p FROM @1 AS a) PIVOT (count(v) AS n, max(v) AS m FOR p IN (1, 2, 3 AS three))", wants: []string{"a: sorted", "a: sorted", "a: int"}},
	{text: "SELECT * FROM (SELECT $1 AS v, $2 AS p, $3 AS q FROM @1 AS a) PIVOT (count(v) FOR (p, q) IN ((1, true), (2, false)))", wants: []string{"a: any", "a: int", "a: boolean"}},
	{text: "SELECT * FROM (SELECT $1 AS x1, $2 AS x2, $3 AS x3, $4 AS x4 FROM @1 AS a) UNPIVOT INCLUDE NULLS ((v, u) FOR n IN ((x1, x2) AS one, (x3, x4) AS two))", wants: []string{"a: any", "a: any", "a: =1", "a: =2"}},
	{text: "FROM @1 AS a |> EXTEND $1 AS e1 |> SET e1 = coalesce(e1, e1) |> AS q |> SELECT q.e1 AS x1, $2 AS x2", wants: []string{"a: any", "q: any"}},
	{text: "FROM @1 AS a |> SELECT $1 AS x1 |> UNION ALL (SELECT $2 AS x1 FROM @2 AS b) |> WHERE x1 IS NOT NULL |> AGGREGATE count(x1) AS n", wants: []string{"a: any", "b: =1"}},
	{text: "FROM @1 AS a |> JOIN @2 AS b ON $1 = $2 |> SELECT $3 AS x1 |> ORDER BY x1 |> LIMIT 3", wants: []string{"a: sorted", "b: =1", "ab: sorted"}},
	{text: "WITH RECURSIVE r(n, x) AS (SELECT 0, $1 FROM @1 AS a UNION ALL SELECT n + 1, x FROM r WHERE n < 2) SELECT n AS x1, x AS x2 FROM r", wants: []string{"a: any"}},
	{text: "WITH q AS (SELECT $1 AS x1, $2 AS x2 FROM @1 AS a), p AS (SELECT x1, count(*) AS n FROM q GROUP BY x1) SELECT q.x2, p.n FROM q LEFT JOIN p ON q.x1 <=> p.x1", wants: []string{"a: sorted", "a: any"}},
	{text: "SELECT $1 AS x1, sort_array(array($2, $3), false) AS x2, array_distinct(array($2, $3)) AS x3, array_union(array($2), array($3, $2)) AS x4, array_except(array($2, $3), array($3)) AS x5, arrays_zip(array($1), array($2)) AS x6 FROM @1 AS a", wants: []string{"a: any", "a: sorted", "a: =2"}},
	{text: "SELECT map_from_arrays(array($1), array($2)) AS x1, map_concat(map($1, $2), map()) AS x2, map_entries(map($1, $2)) AS x3, array_sort(array($1, $3)) AS x4, array_position(array($1, $3), $1) AS x5 FROM @1 AS a", wants: []string{"a: sorted", "a: any", "a: =1"}},
	{text: "SELECT CAST($1 AS STRING) AS x1, concat_ws(',', $2, 'z') AS x2, $3 || $4 AS x3, from_json(to_json(struct($5 AS f)), 'f STRING') AS x4 FROM @1 AS a", wants: []string{"a: any", "a: string", "a: string", "a: string", "a: any"}},
	{text: "SELECT $1 AS x1, date_trunc('MONTH', $1) AS x2, date_format($1, 'EEE d MMM yyyy hh:mm a') AS x3, unix_micros(CAST($1 AS TIMESTAMP)) AS x4, $1 + INTERVAL 1 MONTH AS x5, $1 - TIMESTAMP'2020-01-01 00:00:00' AS x6 FROM @1 AS a", wants: []string{"a: timestamp"}},
	{text: "SELECT $1 AS x1, trunc($1, 'YEAR') AS x2, add_months($1, $2) AS x3, last_day($1) AS x4, next_day($1, 'MON') AS x5, weekofyear($1) AS x6, date_diff($1, $3) AS x7, months_between($1, $3) AS x8 FROM @1 AS a", wants: []string{"a: date", "a: int", "a: date"}},
	{text: "SELECT /*+ BROADCAST(b) */ $1 AS x1 FROM @1 AS a JOIN @2 AS b ON $2 = $3 AND $4 WHERE $5", wants: []string{"ab: any", "a: sorted", "b: =2", "ab: boolean", "ab: boolean"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a JOIN @2 AS b ON $2 < $3", wants: []string{"ab: any", "a: sorted", "b: =2"}},
	{text: "SELECT $1 AS x1 FROM @1 AS a CLUSTER BY x1", wants: []string{"a: sorted"}},
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
			from := side
			if side == 'q' { // the first, renamed
				from = 'a'
			}
			for _, c := range r.from[from-'a'].columns {
				columns = append(columns, &node{shape: &shape{name: "column", text: string(side) + "." + c.name}, kind: c.kind, size: 1})
			}
		}
		if n, ok := strings.CutPrefix(kind, "="); ok {
			kind = r.items[n[0]-'1'].kind
		}
		if kind == "aggregate" {
			r.items = append(r.items, g.aggregate(columns))
			continue
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
	case "array<", "map<", "struct<", "array<struct<":
		return strings.HasPrefix(kind, want)
	}
	return kind == want
}

// unordered are aggregates whose answer depends on the order of the rows, which groups do not have.
var unordered = map[string]bool{"first": true, "first_value": true, "last": true, "last_value": true, "any_value": true, "collect_list": true, "array_agg": true, "collect_set": true,
	"listagg": true, "string_agg": true, "max_by": true, "min_by": true, "mode": true, "histogram_numeric": true}

// aggregate makes a call of an aggregate function that Spark took before; count(*) if there is none yet.
func (g *garden) aggregate(columns []*node) *node {
	var list []*shape
	for _, s := range g.shapes {
		if s.aggregate && !unordered[s.name] && len(s.accepted) > 0 {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return &node{shape: &shape{name: "count", text: "count(*)", aggregate: true}, kind: "bigint", size: 1}
	}
	s := list[g.r.IntN(len(list))]
	return g.call(s, s.accepted[g.r.IntN(len(s.accepted))], columns, 2)
}

// call puts expressions over columns into a shape.
func (g *garden) call(s *shape, k accepted, columns []*node, depth int) *node {
	n := &node{shape: s, kind: k.result, size: 1}
	for _, a := range k.args {
		x := g.over(columns, a, depth-1)
		n.args = append(n.args, x)
		n.size += x.size
	}
	return n
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
			return g.call(s, k, columns, depth)
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
		g.relations[3+g.r.IntN(relationLimit-3)] = r // the tables stay
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
