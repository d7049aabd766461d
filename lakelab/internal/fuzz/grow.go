package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
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
	accepted   []accepted
}

// accepted are argument types that Spark took, and the type that it gave.
type accepted struct {
	args   []string
	result string
}

// garden holds what Spark accepted, by type.
type garden struct {
	r      *rand.Rand
	shapes []*shape
	pool   map[string][]*node
	types  []string
	simple map[string][]*node // the smallest that is known of a type
	// constants read no columns.
	constants map[string][]*node
	relations []*relation
	queries   int // how many of a hundred statements are queries
}

//go:embed tables.sql
var tablesFile string

// tables are the statements that make the tables which statements read. The recorded tests read the same (fuzz.txt in the tests of package duck).
func tables() []string {
	list := strings.Split(strings.TrimSpace(tablesFile), ";\n")
	list[len(list)-1] = strings.TrimSuffix(list[len(list)-1], ";")
	return list
}

// leaves are where expressions begin.
//
//go:embed leaves.txt
var leavesFile string

var leaves = lines(leavesFile)

// operators of the language, as templates.
//
//go:embed operators.txt
var operatorsFile string

var operators = lines(operatorsFile)

func lines(file string) []string { return strings.Split(strings.TrimSuffix(file, "\n"), "\n") }

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
	g := &garden{r: r, pool: map[string][]*node{}, simple: map[string][]*node{}, constants: map[string][]*node{}}
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
	for n := 4; n > 0; n-- {
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
		switch k := g.r.IntN(100); {
		case len(g.pool) <= 10 || k < 100-g.queries:
		case k%3 == 0:
			out = append(out, g.query())
			continue
		default:
			out = append(out, g.relation())
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
	var wanted []string
	if len(s.accepted) > 0 && g.r.IntN(4) > 0 {
		wanted = s.accepted[g.r.IntN(len(s.accepted))].args
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

// columnName is a leaf that reads a column.
var columnName = regexp.MustCompile(`^[a-z]+[0-9_]?$`)

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
	if c.rel != nil {
		g.keep(c.rel, a)
	}
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
		n.shape.accepted = append(n.shape.accepted, accepted{kinds, n.kind})
	}
	if n.shape.aggregate || n.size > sizeLimit || n.hasAggregate() {
		return
	}
	if simple := g.simple[n.kind]; n.size == 1 && len(simple) < 3 || len(simple) == 0 {
		g.simple[n.kind] = append(simple, n)
	}
	if n.shape.arity == 0 && (n.kind == "boolean" && len(n.shape.text) > 1 || !columnName.MatchString(n.shape.text)) {
		g.constants[n.kind] = append(g.constants[n.kind], n)
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
