package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// node is an expression: a template with $1, $2 … for its arguments.
type node struct {
	shape *shape
	args  []*node
	kind  string // Spark's type, once it is known
	size  int
}

func (n *node) sql() string {
	text := n.shape.text
	for i := len(n.args); i > 0; i-- {
		text = strings.ReplaceAll(text, fmt.Sprint("$", i), n.args[i-1].sql())
	}
	return text
}

// shape is an operator, a function with some number of arguments, or a leaf.
type shape struct {
	name, text string
	arity      int
	aggregate  bool
	accepted   [][]string // argument types that Spark took
	tried      int
}

// garden holds what Spark accepted, by type.
type garden struct {
	r      *rand.Rand
	shapes []*shape
	pool   map[string][]*node
	types  []string
	simple map[string][]*node // the smallest that is known of a type
}

// tables are the statements that make the columns which expressions use.
var tables = []string{
	`CREATE OR REPLACE TEMPORARY VIEW t AS SELECT * FROM VALUES
 (1, 1Y, 1S, 1, 1L, 1.5F, 1.5D, 1.25BD, 12.3456BD, 'a', 'Spark SQL', true, DATE'2024-02-29', TIMESTAMP'2024-02-29 12:34:56.789', TIMESTAMP_NTZ'2024-02-29 12:34:56', INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 02:03:04.5' DAY TO SECOND, X'0102', array(1, 2, 3), array('x', NULL, 'y'), map('k', 1, 'm', 2), named_struct('a', 1, 'b', 'z')),
 (2, -128Y, -32768S, -2147483648, -9223372036854775808L, -0.0F, CAST('NaN' AS DOUBLE), -0.01BD, 0.0000BD, '', '  пробел ', false, DATE'1970-01-01', TIMESTAMP'1969-12-31 23:59:59.999999', TIMESTAMP_NTZ'1970-01-01 00:00:00', INTERVAL '-1-11' YEAR TO MONTH, INTERVAL '-1 02:03:04.5' DAY TO SECOND, X'', array(), array(), map(), named_struct('a', NULL, 'b', NULL)),
 (3, 127Y, 32767S, 2147483647, 9223372036854775807L, CAST('Infinity' AS FLOAT), CAST('-Infinity' AS DOUBLE), 999.99BD, 99999.9999BD, '10', '2024-01-31', NULL, DATE'2023-12-31', TIMESTAMP'2023-12-31 00:00:00', TIMESTAMP_NTZ'2023-03-26 02:30:00', INTERVAL '0-0' YEAR TO MONTH, INTERVAL '0 00:00:00' DAY TO SECOND, X'FF00', array(NULL, -1), array('b', 'a', 'b'), map('a', NULL), named_struct('a', -5, 'b', '')),
 (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
 AS v(id, ti, si, i, l, f, d, dc, db, s, s2, b, dt, ts, tn, ym, ds, bin, ai, as_, m, st)`,
	`CREATE OR REPLACE TEMPORARY VIEW u AS SELECT * FROM VALUES (1, 'a', 10), (1, 'b', 20), (2, 'a', NULL), (3, NULL, 5), (NULL, 'c', 7) AS v(id, s, n)`,
}

// leaves are where expressions begin.
var leaves = strings.Split(`id|ti|si|i|l|f|d|dc|db|s|s2|b|dt|ts|tn|ym|ds|bin|ai|as_|m|st|NULL|0|1|2|-1|3|100|1L|2Y|3S|0.5|1.0|2.50|-0.1BD|1e0|1.5e10|'a'|''|'k'|'10'|' 7 '|'abc,def'|'a1b22'|'true'|'2024-02-29'|'2024-02-29 10:11:12'|'yyyy-MM-dd'|'MONTH'|'%a%'|'[a-z]+'|'$.a'|'{"a":1,"b":[1,2]}'|'UTC'|'Europe/Moscow'|true|false|DATE'2020-02-29'|TIMESTAMP'2020-02-29 01:02:03'|INTERVAL 1 DAY|INTERVAL '2' MONTH|INTERVAL '1:30' HOUR TO MINUTE|array(1, 2)|array('b', 'a')|map(1, 'x')|named_struct('a', 1)|X'41'`, "|")

// operators of the language, as templates.
var operators = strings.Split(`($1 + $2)|($1 - $2)|($1 * $2)|($1 / $2)|($1 % $2)|($1 DIV $2)|(- $1)|($1 = $2)|($1 <=> $2)|($1 <> $2)|($1 < $2)|($1 >= $2)|($1 AND $2)|($1 OR $2)|(NOT $1)|($1 || $2)|($1 & $2)|($1 | $2)|($1 ^ $2)|(~ $1)|($1 << $2)|($1 >> $2)|($1 IS NULL)|($1 IS NOT NULL)|($1 IS TRUE)|($1 IS DISTINCT FROM $2)|($1 BETWEEN $2 AND $3)|($1 NOT BETWEEN $2 AND $3)|($1 IN ($2, $3))|($1 NOT IN ($2, $3))|($1 LIKE $2)|($1 ILIKE $2)|($1 RLIKE $2)|CASE WHEN $1 THEN $2 END|CASE WHEN $1 THEN $2 ELSE $3 END|CASE $1 WHEN $2 THEN $3 END|$1[$2]|$1.a|CAST($1 AS TINYINT)|CAST($1 AS SMALLINT)|CAST($1 AS INT)|CAST($1 AS BIGINT)|CAST($1 AS FLOAT)|CAST($1 AS DOUBLE)|CAST($1 AS DECIMAL(10,2))|CAST($1 AS DECIMAL(38,18))|CAST($1 AS STRING)|CAST($1 AS BOOLEAN)|CAST($1 AS DATE)|CAST($1 AS TIMESTAMP)|CAST($1 AS TIMESTAMP_NTZ)|CAST($1 AS BINARY)|CAST($1 AS INTERVAL DAY TO SECOND)|CAST($1 AS INTERVAL MONTH)|CAST($1 AS ARRAY<STRING>)|CAST($1 AS MAP<STRING, STRING>)|TRY_CAST($1 AS INT)|TRY_CAST($1 AS DECIMAL(5,1))|TRY_CAST($1 AS DATE)|TRY_CAST($1 AS TIMESTAMP)|TRY_CAST($1 AS BOOLEAN)|extract(YEAR FROM $1)|extract(DAY FROM $1)|extract(SECOND FROM $1)|transform($1, x -> x + $2)|transform($1, (x, y) -> struct(x, y))|filter($1, x -> x > $2)|exists($1, x -> x = $2)|forall($1, x -> x IS NOT NULL)|aggregate($1, $2, (acc, x) -> acc + x)|transform_values($1, (k, v) -> v + $2)|map_filter($1, (k, v) -> k = $2)|array_sort($1, (a, b) -> CASE WHEN a < b THEN 1 WHEN a > b THEN -1 ELSE 0 END)`, "|")

// notCompared are functions whose answer is not a matter of their arguments, or that stand only in places of their own.
var notCompared = map[string]bool{
	"rand": true, "randn": true, "random": true, "uuid": true, "shuffle": true, "now": true, "current_timestamp": true, "current_date": true, "curdate": true, "localtimestamp": true,
	"unix_timestamp": true, "current_user": true, "session_user": true, "user": true, "current_catalog": true, "current_database": true, "current_schema": true, "current_timezone": true,
	"version": true, "monotonically_increasing_id": true, "spark_partition_id": true, "input_file_name": true, "input_file_block_start": true, "input_file_block_length": true,
	"randstr": true, "uniform": true, "raise_error": true, "aes_encrypt": true, "explode": true, "explode_outer": true, "posexplode": true, "posexplode_outer": true, "inline": true,
	"inline_outer": true, "stack": true, "json_tuple": true, "grouping": true, "grouping_id": true, "window": true, "session_window": true, "window_time": true,
	"approx_count_distinct": true, "approx_percentile": true, "percentile_approx": true, "count_min_sketch": true, "hll_sketch_agg": true,
	"try_reflect": true, "reflect": true, "java_method": true, "current_time": true,
}

func newGarden(r *rand.Rand, only string) *garden {
	g := &garden{r: r, pool: map[string][]*node{}, simple: map[string][]*node{}}
	for _, l := range leaves {
		g.shapes = append(g.shapes, &shape{name: l, text: l})
	}
	if only == "" {
		for _, o := range operators {
			g.shapes = append(g.shapes, &shape{name: o, text: o, arity: arityOf(o)})
		}
	}
	for _, f := range functions.All(sql.Spark) {
		if f.Missing != "" || notCompared[f.Name] || f.Kind == expr.WindowOnly || f.Kind == expr.Generator || !isName(f.Name) || only != "" && f.Name != only {
			continue
		}
		for _, n := range arities(f.Signature) {
			args := make([]string, n)
			for i := range args {
				args[i] = fmt.Sprint("$", i+1)
			}
			g.shapes = append(g.shapes, &shape{name: f.Name, text: f.Name + "(" + strings.Join(args, ", ") + ")", arity: n, aggregate: f.Kind == expr.Aggregate})
		}
	}
	return g
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

func arityOf(template string) int {
	for n := 3; n > 0; n-- {
		if strings.Contains(template, fmt.Sprint("$", n)) {
			return n
		}
	}
	return 0
}

// arities are the numbers of arguments that a signature such as `locate(part, str[, pos])` allows, three and more for "…".
func arities(signature string) []int {
	_, rest, ok := strings.Cut(signature, "(")
	if !ok {
		return nil
	}
	rest = strings.TrimSuffix(rest, ")")
	if rest == "" {
		return []int{0}
	}
	least, most := 0, 0
	for _, p := range strings.Split(rest, ",") {
		p = strings.TrimSpace(p)
		if strings.Contains(p, "…") {
			most = max(most, least) + 2
			continue
		}
		most++
		if !strings.ContainsAny(p, "]") && !strings.HasPrefix(p, "[") {
			least++
		}
	}
	var out []int
	for n := least; n <= min(most, 6); n++ {
		out = append(out, n)
	}
	return out
}

// grow makes n new cases.
func (g *garden) grow(n int) []query {
	out := make([]query, 0, n)
	for len(out) < n {
		if len(g.pool) > 10 && g.r.IntN(10) == 0 {
			out = append(out, g.query())
			continue
		}
		out = append(out, query{items: []*node{g.expression()}})
	}
	return out
}

// expression puts expressions that Spark accepted into a shape; argument types that the shape took before are preferred.
func (g *garden) expression() *node {
	s := g.shapes[g.r.IntN(len(g.shapes))]
	if len(g.pool) < 5 {
		s = g.shapes[g.r.IntN(len(leaves))]
	}
	n := &node{shape: s, size: 1}
	s.tried++
	var wanted []string
	if len(s.accepted) > 0 && g.r.IntN(4) > 0 {
		wanted = s.accepted[g.r.IntN(len(s.accepted))]
	}
	for i := range s.arity {
		kind := g.types[g.r.IntN(len(g.types))]
		if wanted != nil {
			kind = wanted[i]
		}
		a := g.pick(kind)
		n.args = append(n.args, a)
		n.size += a.size
	}
	return n
}

// pick takes an expression of a type, more often a small one.
func (g *garden) pick(kind string) *node {
	list := g.pool[kind]
	a, b := list[g.r.IntN(len(list))], list[g.r.IntN(len(list))]
	if b.size < a.size {
		return b
	}
	return a
}

// The pool of one type, and the size of what may be built on.
const (
	poolLimit = 200
	sizeLimit = 12
)

// learn keeps what Spark accepted.
func (g *garden) learn(c query, a answer) {
	if a.Error != nil || len(c.items) != 1 || c.shape != nil {
		return
	}
	n := c.items[0]
	n.kind = a.Types[0]
	if n.shape.arity > 0 && len(n.shape.accepted) < 50 {
		kinds := make([]string, len(n.args))
		for i, x := range n.args {
			kinds[i] = x.kind
		}
		n.shape.accepted = append(n.shape.accepted, kinds)
	}
	if n.shape.aggregate || n.size > sizeLimit || n.hasAggregate() {
		return
	}
	if simple := g.simple[n.kind]; n.size == 1 && len(simple) < 3 || len(simple) == 0 {
		g.simple[n.kind] = append(simple, n)
	}
	list := g.pool[n.kind]
	if list == nil {
		g.types = append(g.types, n.kind)
	}
	if len(list) < poolLimit {
		g.pool[n.kind] = append(list, n)
	} else {
		list[g.r.IntN(len(list))] = n
	}
}

func (n *node) hasAggregate() bool {
	for _, a := range n.args {
		if a.shape.aggregate || a.hasAggregate() {
			return true
		}
	}
	return false
}
