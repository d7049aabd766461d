package decode

import (
	"strconv"

	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Relation decodes a relation; package wire lists the kinds.
func Relation(m map[string]any) (sql.Relation, error) {
	rel, err := relation(m)
	if id, referred := m["id"].(int64); referred && err == nil {
		rel = &sql.Identified{Rel: rel, Frame: id}
	}
	return rel, err
}

func relation(m map[string]any) (sql.Relation, error) {
	kind, _ := m["n"].(string)
	t := tree{m, "relation " + strconv.Quote(kind)}
	if leaf, known := leaves[kind]; known {
		return leaf(t)
	}
	if kind == "join" || kind == "set" {
		l, err := t.relation("left")
		if err != nil {
			return nil, err
		}
		r, err := t.relation("right")
		if err != nil {
			return nil, err
		}
		if kind == "join" {
			return join(t, l, r)
		}
		return setOp(t, l, r)
	}
	step, known := steps[kind]
	if !known {
		return nil, t.malformed("an unknown kind")
	}
	child, err := t.relation("child")
	if err != nil {
		return nil, err
	}
	return step(t, child)
}

// leaves are the relations without a child, steps those with one.
var (
	leaves map[string]func(tree) (sql.Relation, error)
	steps  map[string]func(tree, sql.Relation) (sql.Relation, error)
)

func init() { // not initializers: they refer to Relation
	leaves = map[string]func(tree) (sql.Relation, error){
		"sql": sqlText, "table": table, "read": read, "rows": rows, "range": numbers,
	}
	steps = map[string]func(tree, sql.Relation) (sql.Relation, error){
		"select": project, "filter": filter, "withColumns": withColumns, "rename": rename, "drop": drop, "toDF": toDF,
		"aggregate": aggregate, "pivot": pivot, "sort": sort, "limit": limit, "offset": limit, "distinct": distinct,
		"dropDuplicates": dropDuplicates, "alias": alias, "sample": sample, "unpivot": unpivot,
	}
}

// derived wraps a query as the DataFrame API does: its columns keep their qualifiers.
func derived(q *sql.Query) *sql.Derived { return &sql.Derived{Query: q, Transparent: true} }

// all is SELECT * FROM child.
func all(child sql.Relation) *sql.Select {
	return &sql.Select{Items: []sql.Expr{&sql.Star{}}, From: []sql.Relation{child}}
}

func sqlText(t tree) (sql.Relation, error) {
	text, err := t.text("text")
	if err != nil {
		return nil, err
	}
	q, err := parseQuery(text)
	if err != nil {
		return nil, err
	}
	if err := bind(q, t.m["args"]); err != nil {
		return nil, err
	}
	return derived(q), nil
}

func table(t tree) (sql.Relation, error) {
	name, err := t.text("name")
	if err != nil {
		return nil, err
	}
	parts, err := sql.ParseName(name)
	if err != nil {
		return nil, err
	}
	ref := &sql.TableRef{Name: parts}
	ref.Options, err = t.textMap("options")
	return ref, err
}

// read is a DataFrameReader's.
func read(t tree) (sql.Relation, error) {
	f := &sql.Files{}
	var err error
	if f.Format, err = t.text("format"); err != nil {
		return nil, err
	}
	if f.Paths, err = t.texts("paths"); err != nil {
		return nil, err
	}
	if f.Options, err = t.textMap("options"); err != nil {
		return nil, err
	}
	if schema, ok := t.m["schema"].(types.Type); ok {
		f.Schema = &schema
	}
	return f, nil
}

func rows(t tree) (sql.Relation, error) {
	schema, ok := t.m["schema"].(types.Type)
	if !ok || schema.Kind != types.Struct {
		return nil, t.malformed("schema is %v", t.m["schema"])
	}
	var values [][]any
	switch list := t.m["rows"].(type) {
	case nil:
	case [][]any:
		values = list
	case []any:
		for i, x := range list {
			row, ok := x.([]any)
			if !ok {
				return nil, t.malformed("rows[%d] is %T", i, x)
			}
			values = append(values, row)
		}
	default:
		return nil, t.malformed("rows is %T", list)
	}
	for i, row := range values {
		if len(row) != len(schema.Fields) {
			return nil, t.malformed("rows[%d] has %d values for %d columns", i, len(row), len(schema.Fields))
		}
	}
	return &sql.LocalRows{Schema: schema, Rows: values}, nil
}

func numbers(t tree) (sql.Relation, error) {
	var args []sql.Expr
	for _, key := range []string{"start", "end", "step"} {
		n, err := t.integer(key)
		if err != nil {
			return nil, err
		}
		args = append(args, long(n))
	}
	return &sql.TableFunc{Call: function("range", args...)}, nil
}

func project(t tree, child sql.Relation) (sql.Relation, error) {
	cols, err := t.columns("cols")
	return derived(&sql.Query{Body: &sql.Select{Items: cols, From: []sql.Relation{child}}}), err
}

func filter(t tree, child sql.Relation) (sql.Relation, error) {
	cond, err := t.column("cond")
	s := all(child)
	s.Where, s.Below = cond, true
	return derived(&sql.Query{Body: s}), err
}

func withColumns(t tree, child sql.Relation) (sql.Relation, error) {
	names, err := t.texts("names")
	if err != nil {
		return nil, err
	}
	cols, err := t.columns("cols")
	if err != nil {
		return nil, err
	}
	if len(names) != len(cols) {
		return nil, t.malformed("%d names for %d columns", len(names), len(cols))
	}
	return &sql.WithColumns{Rel: child, Names: names, Exprs: cols}, nil
}

func rename(t tree, child sql.Relation) (sql.Relation, error) {
	from, err := t.texts("old")
	if err != nil {
		return nil, err
	}
	to, err := t.texts("new")
	if err != nil {
		return nil, err
	}
	if len(from) != len(to) {
		return nil, t.malformed("%d old names, %d new ones", len(from), len(to))
	}
	return &sql.RenameColumns{Rel: child, Old: from, New: to}, nil
}

func drop(t tree, child sql.Relation) (sql.Relation, error) {
	names, err := t.texts("names")
	if err != nil {
		return nil, err
	}
	cols, err := t.columns("cols")
	return &sql.DropColumns{Rel: child, Names: names, Columns: cols}, err
}

func toDF(t tree, child sql.Relation) (sql.Relation, error) {
	names, err := t.texts("names")
	return &sql.ToDF{Rel: child, Names: names}, err
}

func dropDuplicates(t tree, child sql.Relation) (sql.Relation, error) {
	names, err := t.texts("names")
	return &sql.DropDuplicates{Rel: child, Names: names}, err
}

func distinct(_ tree, child sql.Relation) (sql.Relation, error) {
	s := all(child)
	s.Distinct = true
	return derived(&sql.Query{Body: s}), nil
}

func aggregate(t tree, child sql.Relation) (sql.Relation, error) {
	groups, err := t.columns("groups")
	if err != nil {
		return nil, err
	}
	aggs, err := t.columns("aggs")
	if err != nil {
		return nil, err
	}
	// The DataFrame API puts the group columns in front of the aggregates; GROUP BY repeats them without their names.
	items := append(append([]sql.Expr{}, groups...), aggs...)
	s := &sql.Select{Items: items, From: []sql.Relation{child}}
	keys := make([]sql.Expr, len(groups))
	for i, g := range groups {
		keys[i] = g
		if a, named := g.(*sql.Aliased); named {
			keys[i] = a.X
		}
	}
	kind, err := t.text("kind")
	if err != nil {
		return nil, err
	}
	switch kind {
	case "groupBy":
		s.GroupBy, s.GroupByEmpty = keys, len(keys) == 0
	case "rollup", "cube":
		if len(keys) == 0 {
			s.GroupByEmpty = true
			break
		}
		sets := make([][]sql.Expr, len(keys))
		for i, k := range keys {
			sets[i] = []sql.Expr{k}
		}
		s.GroupBy = []sql.Expr{&sql.Grouping{Kind: map[string]string{"rollup": "ROLLUP", "cube": "CUBE"}[kind], Sets: sets}}
	default:
		return nil, t.malformed("kind %q", kind)
	}
	return derived(&sql.Query{Body: s}), nil
}

func pivot(t tree, child sql.Relation) (sql.Relation, error) {
	p := &sql.Pivot{Rel: child}
	var err error
	if p.Groups, err = t.columns("groups"); err != nil {
		return nil, err
	}
	if p.Aggs, err = t.columns("aggs"); err != nil {
		return nil, err
	}
	if p.In, err = t.columns("values"); err != nil {
		return nil, err
	}
	column, err := t.column("column")
	p.For = []sql.Expr{column}
	return p, err
}

// unpivot keeps the columns ids and turns the columns named values into rows.
func unpivot(t tree, child sql.Relation) (sql.Relation, error) {
	ids, err := t.columns("ids")
	if err != nil {
		return nil, err
	}
	values, err := t.columns("values")
	if err != nil {
		return nil, err
	}
	variable, err := t.text("variable")
	if err != nil {
		return nil, err
	}
	value, err := t.text("value")
	if err != nil {
		return nil, err
	}
	u := &sql.Unpivot{
		Rel: derived(&sql.Query{Body: &sql.Select{Items: append(ids, values...), From: []sql.Relation{child}}}), IncludeNulls: true,
		Values: names([]string{value}), NameColumn: names([]string{variable})[0],
	}
	for i, v := range values {
		id, ok := v.(*sql.Ident)
		if !ok {
			return nil, t.malformed("values[%d] is no name", i)
		}
		u.Columns = append(u.Columns, sql.UnpivotItem{Columns: []sql.Ident{*id}})
	}
	return u, nil
}

func sort(t tree, child sql.Relation) (sql.Relation, error) {
	keys, err := t.columns("keys")
	s := all(child)
	s.Below = true
	return derived(&sql.Query{Body: s, OrderBy: sortItems(keys)}), err
}

func limit(t tree, child sql.Relation) (sql.Relation, error) {
	n, err := t.integer("count")
	q := &sql.Query{Body: all(child)}
	count := &sql.Literal{Kind: sql.NumberLit, Text: strconv.FormatInt(n, 10)}
	if t.m["n"] == "limit" {
		q.Limit = count
	} else {
		q.Offset = count
	}
	return derived(q), err
}

func alias(t tree, child sql.Relation) (sql.Relation, error) {
	name, err := t.text("name")
	return &sql.Derived{Query: &sql.Query{Body: all(child)}, Alias: sql.Alias{Name: &sql.Name{Text: name, Quoted: true}}}, err
}

func sample(t tree, child sql.Relation) (sql.Relation, error) {
	fraction, ok := t.m["fraction"].(float64)
	if !ok || fraction < 0 || fraction > 1 {
		return nil, t.malformed("fraction is %v", t.m["fraction"])
	}
	d := derived(&sql.Query{Body: all(child)})
	d.Sample = &sql.Sample{Kind: "PERCENT", X: double(fraction * 100)}
	if _, given := t.m["seed"]; given {
		seed, err := t.integer("seed")
		if err != nil {
			return nil, err
		}
		d.Sample.Seed, d.Sample.Repeatble = long(seed), true
	}
	return d, nil
}

func join(t tree, l, r sql.Relation) (sql.Relation, error) {
	kind, err := t.text("kind")
	if err != nil {
		return nil, err
	}
	switch kind {
	case "INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI", "CROSS":
	default:
		return nil, t.malformed("kind %q", kind)
	}
	j := &sql.Join{Kind: kind, L: l, R: r}
	if t.m["on"] != nil {
		if j.On, err = t.column("on"); err != nil {
			return nil, err
		}
	}
	using, err := t.texts("using")
	if err != nil {
		return nil, err
	}
	if len(using) > 0 {
		j.Using = names(using)
	}
	return j, nil
}

func setOp(t tree, l, r sql.Relation) (sql.Relation, error) {
	op, err := t.text("op")
	if err != nil {
		return nil, err
	}
	if op != "UNION" && op != "INTERSECT" && op != "EXCEPT" {
		return nil, t.malformed("op %q", op)
	}
	return derived(&sql.Query{Body: &sql.SetOp{
		Op: op, All: t.flag("all"), ByName: t.flag("byName"), AllowMissing: t.flag("allowMissing"), L: all(l), R: all(r),
	}}), nil
}
