package decode

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/sql"
)

// Write turns what a DataFrame's writer sends into a statement. exists tells whether a table is there: saveAsTable decides by it.
func Write(m map[string]any, exists func(name string) (bool, error)) (sql.Statement, error) {
	t := tree{m, "write"}
	rel, err := t.relation("relation")
	if err != nil {
		return nil, err
	}
	action, err := t.text("action")
	if err != nil {
		return nil, err
	}
	target, err := t.text("target")
	if err != nil {
		return nil, err
	}
	w := writing{t, &sql.Query{Body: all(rel)}, target}
	switch action {
	case "path":
		return w.files()
	case "saveAsTable":
		return w.saveAsTable(exists)
	case "insertInto":
		mode, _ := t.text("mode")
		return w.insert(false, mode == "overwrite")
	case "create", "replace", "createOrReplace":
		st, err := w.create(action)
		if err != nil {
			return nil, err
		}
		options, err := w.textMap("options")
		st.Write = properties(options)
		return st, err
	case "append":
		return w.insert(true, false)
	case "overwritePartitions":
		st, err := w.insert(true, true)
		if err == nil {
			st.Dynamic = true
		}
		return st, err
	case "overwrite":
		cond, err := t.column("condition")
		if err != nil {
			return nil, err
		}
		st, err := w.insert(true, false)
		if err != nil {
			return nil, err
		}
		if l, ok := cond.(*sql.Literal); ok && l.Kind == sql.BoolLit && l.Text == "true" {
			st.Overwrite = true
		} else {
			st.ReplaceWhere = cond
		}
		return st, nil
	}
	return nil, t.malformed("an unknown action %q", action)
}

type writing struct {
	tree
	query  *sql.Query
	target string
}

func (w writing) files() (sql.Statement, error) {
	st := &sql.SaveFiles{Path: w.target, Query: w.query}
	var err error
	if st.Format, err = w.text("format"); err != nil {
		return nil, err
	}
	if st.Mode, err = w.text("mode"); err != nil {
		return nil, err
	}
	if st.Options, err = w.textMap("options"); err != nil {
		return nil, err
	}
	st.PartitionBy, err = w.texts("partitionBy")
	return st, err
}

func (w writing) insert(byName, overwrite bool) (*sql.Insert, error) {
	name, err := sql.ParseName(w.target)
	if err != nil {
		return nil, err
	}
	options, err := w.textMap("options")
	return &sql.Insert{Table: name, Query: w.query, ByName: byName, Overwrite: overwrite, Options: properties(options)}, err
}

func (w writing) saveAsTable(exists func(string) (bool, error)) (sql.Statement, error) {
	mode, err := w.text("mode")
	if err != nil {
		return nil, err
	}
	if mode == "append" {
		there, err := exists(w.target)
		if err != nil {
			return nil, err
		}
		if there {
			st, err := w.insert(true, false)
			if err != nil {
				return nil, err
			}
			st.Saved = &sql.SavedTable{}
			if st.Saved.Format, err = w.text("format"); err != nil {
				return nil, err
			}
			st.Saved.Bucketed = w.m["bucketBy"] != nil
			st.Saved.PartitionBy, err = w.texts("partitionBy")
			return st, err
		}
	}
	st, err := w.create(map[string]string{"overwrite": "createOrReplace"}[mode])
	if err != nil {
		return nil, err
	}
	st.IfNotExists, st.Saved = mode == "ignore", true
	cols, err := w.texts("partitionBy")
	if err != nil {
		return nil, err
	}
	for _, c := range cols {
		st.PartitionedBy = append(st.PartitionedBy, sql.Transform{Args: []sql.Expr{&sql.Ident{Parts: names([]string{c})}}})
	}
	if w.m["bucketBy"] != nil {
		bucket, err := w.bucket()
		if err != nil {
			return nil, err
		}
		st.PartitionedBy = append(st.PartitionedBy, bucket)
	}
	options, err := w.textMap("options")
	if err != nil {
		return nil, err
	}
	st.Options = properties(options)
	return st, nil
}

// bucket is what bucketBy makes of its columns: bucket(n, c).
func (w writing) bucket() (sql.Transform, error) {
	n, err := w.integer("buckets")
	if err != nil {
		return sql.Transform{}, err
	}
	cols, err := w.texts("bucketBy")
	tr := sql.Transform{Name: "bucket", Args: []sql.Expr{number(strconv.FormatInt(n, 10), "")}}
	for _, c := range cols {
		tr.Args = append(tr.Args, &sql.Ident{Parts: names([]string{c})})
	}
	return tr, err
}

func (w writing) create(action string) (*sql.CreateTable, error) {
	name, err := sql.ParseName(w.target)
	if err != nil {
		return nil, err
	}
	st := &sql.CreateTable{Name: name, AsQuery: w.query, OrReplace: action == "createOrReplace", ReplaceOnly: action == "replace"}
	if st.Using, err = w.text("format"); err != nil {
		return nil, err
	}
	props, err := w.textMap("properties")
	if err != nil {
		return nil, err
	}
	// Only SQL refuses the names that Spark keeps for itself. Here they are what the clauses of CREATE TABLE say; who owns it is Spark's to say.
	for key, clause := range map[string]**string{"location": &st.Location, "comment": &st.Comment} {
		if v, ok := props[key]; ok {
			*clause = &v
		}
	}
	if st.Using == "" {
		st.Using = props["provider"]
	}
	for _, key := range []string{"location", "comment", "provider", "owner"} {
		delete(props, key)
	}
	st.Properties = properties(props)
	cols, err := w.columns("partitions")
	if err != nil {
		return nil, err
	}
	for _, c := range cols {
		tr, err := w.transform(c)
		if err != nil {
			return nil, err
		}
		st.PartitionedBy = append(st.PartitionedBy, tr)
	}
	return st, nil
}

// transform reads a partition: a column, or years(c), bucket(n, c) ….
func (w writing) transform(x sql.Expr) (sql.Transform, error) {
	switch x := x.(type) {
	case *sql.Ident:
		return sql.Transform{Args: []sql.Expr{x}}, nil
	case *sql.Call:
		tr := sql.Transform{Name: strings.ToLower(x.Name[0].Text)}
		for _, a := range x.Args {
			tr.Args = append(tr.Args, a.X)
		}
		return tr, nil
	}
	return sql.Transform{}, w.malformed("a partition that is neither a column nor a transform of one")
}

func properties(m map[string]string) []sql.Property {
	var out []sql.Property
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, sql.Property{Key: k, Value: text(m[k])})
	}
	return out
}
