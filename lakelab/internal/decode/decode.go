// Package decode turns what a cell sends into the AST of package sql.
//
// A cell sends relations and columns as trees of maps (package wire); Relation and Column make the nodes that the
// parser makes of SQL text, so that package plan has one kind of input. Names, SQL texts and types inside of a tree are
// parsed here. The cell door of the engine calls it. A tree that no cell of this version makes is a malformed request;
// errors that a student can cause are *errclass.Error.
package decode

import (
	"fmt"

	"mini-lakehouse-lab/lakelab/engine/sql"
)

// tree is one node of a request, with accessors that complain by field name.
type tree struct {
	m    map[string]any
	kind string // for messages: `relation "filter"`
}

func (t tree) malformed(format string, args ...any) error {
	return fmt.Errorf("malformed %s: %s", t.kind, fmt.Sprintf(format, args...))
}

func (t tree) text(key string) (string, error) {
	s, ok := t.m[key].(string)
	if !ok {
		return "", t.malformed("%s is %T", key, t.m[key])
	}
	return s, nil
}

func (t tree) integer(key string) (int64, error) {
	n, ok := t.m[key].(int64)
	if !ok {
		return 0, t.malformed("%s is %T", key, t.m[key])
	}
	return n, nil
}

// flag is false where it is left out.
func (t tree) flag(key string) bool {
	b, _ := t.m[key].(bool)
	return b
}

// texts reads a list of strings.
func (t tree) texts(key string) ([]string, error) {
	switch list := t.m[key].(type) {
	case nil:
		return nil, nil
	case []string:
		return list, nil
	case []any:
		out := make([]string, len(list))
		for i, x := range list {
			s, ok := x.(string)
			if !ok {
				return nil, t.malformed("%s[%d] is %T", key, i, x)
			}
			out[i] = s
		}
		return out, nil
	}
	return nil, t.malformed("%s is %T", key, t.m[key])
}

// textMap reads a map of strings; nil where it is left out.
func (t tree) textMap(key string) (map[string]string, error) {
	m, ok := t.m[key].(map[string]any)
	if !ok {
		if t.m[key] != nil {
			return nil, t.malformed("%s is %T", key, t.m[key])
		}
		return nil, nil
	}
	out := make(map[string]string, len(m))
	for k, v := range m {
		s, ok := v.(string)
		if !ok {
			return nil, t.malformed("%s[%s] is %T", key, k, v)
		}
		out[k] = s
	}
	return out, nil
}

func (t tree) list(key string) ([]any, error) {
	list, ok := t.m[key].([]any)
	if !ok && t.m[key] != nil {
		return nil, t.malformed("%s is %T", key, t.m[key])
	}
	return list, nil
}

func (t tree) relation(key string) (sql.Relation, error) {
	m, ok := t.m[key].(map[string]any)
	if !ok {
		return nil, t.malformed("%s is %T", key, t.m[key])
	}
	return Relation(m)
}

func (t tree) column(key string) (sql.Expr, error) {
	m, ok := t.m[key].(map[string]any)
	if !ok {
		return nil, t.malformed("%s is %T", key, t.m[key])
	}
	return Column(m)
}

// columns reads a list of columns; a key left out is an empty list.
func (t tree) columns(key string) ([]sql.Expr, error) {
	list, err := t.list(key)
	if err != nil {
		return nil, err
	}
	out := make([]sql.Expr, len(list))
	for i, x := range list {
		m, ok := x.(map[string]any)
		if !ok {
			return nil, t.malformed("%s[%d] is %T", key, i, x)
		}
		if out[i], err = Column(m); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func names(parts []string) []sql.Name {
	out := make([]sql.Name, len(parts))
	for i, p := range parts {
		out[i] = sql.Name{Text: p, Quoted: true}
	}
	return out
}

// function is a call by name.
func function(name string, args ...sql.Expr) *sql.Call {
	c := &sql.Call{Name: []sql.Name{{Text: name}}}
	for _, a := range args {
		c.Args = append(c.Args, sql.Arg{X: a})
	}
	return c
}
