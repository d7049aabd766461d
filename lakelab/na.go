package lakelab

import (
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/types"
)

// NAFunctions works on NULLs (pyspark.sql.DataFrameNaFunctions). Get one with DataFrame.NA. NaN counts as NULL, as in Spark.
type NAFunctions struct{ df *DataFrame }

// NA gives the functions for missing values (df.na).
func (df *DataFrame) NA() NAFunctions { return NAFunctions{df} }

// NADrop says which rows NAFunctions.Drop leaves out; the zero value: those with a NULL in any column.
type NADrop struct {
	How    string   // "any" (default) or "all": a row goes if any, or if every value is NULL
	Thresh int      // if above 0: a row stays if it has that many values that are not NULL; How does not count then
	Subset []string // the columns looked at; nil: all
}

// Drop leaves out rows with NULLs (na.drop, dropna): Drop(), Drop(lakelab.NADrop{How: "all"}).
func (na NAFunctions) Drop(options ...NADrop) *DataFrame {
	var o NADrop
	if len(options) > 0 {
		o = options[0]
	}
	fields := na.df.fields(o.Subset)
	least := len(fields)
	switch o.How {
	case "", "any":
	case "all":
		least = 1
	default:
		raisePy("PySparkValueError", "CANNOT_PARSE_DATATYPE", "how ('%s') should be 'any' or 'all'.", o.How)
	}
	if o.Thresh > 0 {
		least = o.Thresh
	}
	there := LiteralOf(0)
	for _, f := range fields {
		c := ColumnOf(types.Quote(f.Name))
		ok := c.IsNotNull()
		if isFloating(f.Type) {
			ok = ok.And(c.IsNaN().Not())
		}
		there = there.Plus(caseOf(ok, 1).Otherwise(0))
	}
	return na.df.Filter(there.Ge(least))
}

// fields are those of the named columns, or all of them. An unknown name fails as in the engine.
func (df *DataFrame) fields(names []string) []Field {
	if names == nil {
		return df.schema.Fields
	}
	out := make([]Field, len(names))
	for i, name := range names {
		out[i] = df.field(name)
	}
	return out
}

func isFloating(t Type) bool { return t.Kind == types.Float || t.Kind == types.Double }

// caseOf starts a CASE.
func caseOf(cond Column, value any) Column {
	return Column{node{"c": "case", "whens": []any{[]any{cond.node, LiteralOf(value).node}}}}
}

// Fill puts a value in place of NULLs (na.fill, fillna): a number into columns of number types, a string into STRING ones, a bool
// into BOOLEAN ones; or map[string]any with a value for each column. A subset narrows it to those columns.
func (na NAFunctions) Fill(value any, subset ...string) *DataFrame {
	if byName, ok := value.(map[string]any); ok {
		for _, name := range sortedKeys(byName) {
			na.df.fields([]string{name})
		}
		return na.df.project(func(f Field) (Column, bool) {
			for name, v := range byName {
				if strings.EqualFold(name, f.Name) {
					return filled(f, v), true
				}
			}
			return Column{}, false
		})
	}
	fits := suits(value)
	if fits == nil {
		raisePy("PySparkTypeError", "NOT_BOOL_OR_DICT_OR_FLOAT_OR_INT_OR_STR", "Argument `value` should be a bool, dict, float, int or str, got %T.", value)
	}
	if number, ok := float(value); ok {
		value = number // so PySpark does, which shows in the types
	}
	chosen := na.chosen(subset)
	return na.df.project(func(f Field) (Column, bool) {
		if !chosen(f) || !fits(f.Type) {
			return Column{}, false
		}
		return filled(f, value), true
	})
}

// chosen tells the columns of a subset.
func (na NAFunctions) chosen(subset []string) func(Field) bool {
	if len(subset) == 0 {
		return func(Field) bool { return true }
	}
	list := na.df.fields(subset)
	return func(f Field) bool {
		return slices.ContainsFunc(list, func(g Field) bool { return strings.EqualFold(f.Name, g.Name) })
	}
}

// suits tells the column types that a Go value belongs to; nil for a value that none has.
func suits(value any) func(Type) bool {
	switch value.(type) {
	case bool:
		return func(t Type) bool { return t.Kind == types.Boolean }
	case string:
		return func(t Type) bool { return t.Kind == types.String }
	}
	if _, ok := float(value); ok {
		return Type.IsNumeric
	}
	return nil
}

func filled(f Field, value any) Column {
	c := ColumnOf(types.Quote(f.Name))
	if isFloating(f.Type) {
		c = c.call("nanvl", LiteralOf(nil).Cast(f.Type.SimpleString()))
	}
	return c.call("coalesce", LiteralOf(value).Cast(f.Type.SimpleString()))
}

// project selects all columns, some of them computed anew under their old names.
func (df *DataFrame) project(change func(Field) (Column, bool)) *DataFrame {
	cols := make([]any, len(df.schema.Fields))
	for i, f := range df.schema.Fields {
		c, changed := change(f)
		if !changed {
			cols[i] = ColumnOf(types.Quote(f.Name))
			continue
		}
		cols[i] = c.As(f.Name)
	}
	return df.Select(cols...)
}

// Replace puts other values in place of some (na.replace, replace): Replace([]string{"N/A", "-"}, nil), Replace(1, 10), or
// Replace(map[string]any{"N/A": "unknown"}, nil). Columns of a type that the old values don't have are left alone; a nil new value
// is NULL.
func (na NAFunctions) Replace(old, new any, subset ...string) *DataFrame {
	from, to := replacements(old, new)
	fits := suits(from[0])
	if fits == nil {
		raisePy("PySparkTypeError", "NOT_BOOL_OR_DICT_OR_FLOAT_OR_INT_OR_LIST_OR_STR_OR_TUPLE", "Argument `to_replace` should be a bool, dict, float, int, list, str or tuple, got %T.", old)
	}
	chosen := na.chosen(subset)
	return na.df.project(func(f Field) (Column, bool) {
		if !chosen(f) || !fits(f.Type) {
			return Column{}, false
		}
		name := ColumnOf(types.Quote(f.Name))
		var c Column
		for i, v := range from {
			cond, value := name.Eq(v), LiteralOf(to[i]).Cast(f.Type.SimpleString())
			if i == 0 {
				c = caseOf(cond, value)
			} else {
				c = c.When(cond, value)
			}
		}
		return c.Otherwise(name), true
	})
}

// replacements pairs old values with new ones.
func replacements(old, new any) (from, to []any) {
	if m, ok := old.(map[string]any); ok {
		for _, k := range sortedKeys(m) {
			from, to = append(from, k), append(to, m[k])
		}
	} else if list, ok := listOf(old); ok {
		from = list
		if news, ok := listOf(new); ok {
			if len(news) != len(from) {
				raisePy("PySparkValueError", "LENGTH_SHOULD_BE_THE_SAME", "to_replace and value should be of the same length, got %d and %d.", len(from), len(news))
			}
			to = news
		} else {
			to = slices.Repeat([]any{new}, len(from))
		}
	} else {
		from, to = []any{old}, []any{new}
	}
	if len(from) == 0 {
		raise("ValueError", "", "Replace: нечего заменять")
	}
	return from, to
}
