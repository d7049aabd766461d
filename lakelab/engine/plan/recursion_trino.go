package plan

import (
	"reflect"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// checkRecursion refuses what a query of WITH RECURSIVE cannot be in Trino: it has names for its columns, is a UNION of two, and names
// itself once, in the FROM of the second. See "WITH RECURSIVE clause" in Trino's documentation.
func checkRecursion(c *sql.CTE) error {
	if len(c.Columns) == 0 {
		return errclass.TrinoRecursionNames().At(c.Name.Span())
	}
	for i, n := range c.Columns {
		for _, before := range c.Columns[:i] {
			if strings.EqualFold(before.Text, n.Text) {
				return errclass.TrinoDuplicateColumn(strings.ToLower(n.Text)).At(n.Span())
			}
		}
	}
	name := c.Name.Text
	refuse := func(at sql.Node, why string) error { return errclass.TrinoRecursiveReference(why).At(at.Span()) }
	set, ok := c.Query.Body.(*sql.SetOp)
	if !ok || set.Op != "UNION" {
		if refs := references(c.Query, name); len(refs) > 0 {
			return refuse(refs[0], "recursive reference not allowed in this context")
		}
		return nil
	}
	if refs := references(set.L, name); len(refs) > 0 {
		return refuse(refs[0], "WITH table name is referenced in the base relation of recursion")
	}
	refs := references(set.R, name)
	if len(refs) > 1 {
		return refuse(refs[1], "multiple recursive references in the step relation of recursion")
	}
	if len(refs) == 0 {
		return nil
	}
	switch q := c.Query; {
	case q.With != nil:
		return errclass.TrinoRecursionClause("NOT_SUPPORTED", "WITH").At(q.Span())
	case len(q.OrderBy) > 0:
		return errclass.TrinoRecursionClause("NOT_SUPPORTED", "ORDER BY").At(q.OrderBy[0].X.Span())
	case q.Offset != nil:
		return errclass.TrinoRecursionClause("NOT_SUPPORTED", "OFFSET").At(q.Offset.Span())
	case q.Limit != nil || q.LimitAt != (sql.At{}):
		return errclass.TrinoRecursionClause("INVALID_LIMIT_CLAUSE", "FETCH FIRST / LIMIT").At(q.LimitAt.Span())
	}
	step := set.R
	for {
		q, ok := step.(*sql.Query)
		if !ok {
			break
		}
		step = q.Body
	}
	s, ok := step.(*sql.Select)
	outside := "recursive reference outside of FROM clause of the step relation of recursion"
	switch {
	case !ok:
		return refuse(refs[0], outside)
	case len(references(s.From, name)) == 0:
		return refuse(refs[0], outside)
	}
	for _, r := range s.From {
		if err := checkRecursiveJoin(r, name); err != nil {
			return err
		}
	}
	return nil
}

// checkRecursiveJoin refuses the recursive reference on a side of an outer join that is filled up with NULL.
func checkRecursiveJoin(r sql.Relation, name string) error {
	j, ok := r.(*sql.Join)
	if !ok {
		return nil
	}
	kind := strings.Fields(strings.ToUpper(j.Kind) + " INNER")[0]
	for _, side := range []struct {
		in   sql.Relation
		name string
		bad  bool
	}{{j.L, "left", kind == "RIGHT" || kind == "FULL"}, {j.R, "right", kind == "LEFT" || kind == "FULL"}} {
		if refs := references(side.in, name); len(refs) > 0 && side.bad {
			return errclass.TrinoRecursiveReference("recursive reference in " + side.name + " source of " + kind + " join").At(refs[0].Span())
		}
		if err := checkRecursiveJoin(side.in, name); err != nil {
			return err
		}
	}
	return nil
}

// references lists the places in a tree, in the order of the text, that name a table; queries that define the name themselves hide it.
func references(tree any, name string) []sql.Node {
	var out []sql.Node
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.IsNil() {
				return
			}
			if t, ok := v.Interface().(*sql.TableRef); ok && len(t.Name) == 1 && strings.EqualFold(t.Name[0].Text, name) {
				out = append(out, t)
				return
			}
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(tree))
	return out
}
