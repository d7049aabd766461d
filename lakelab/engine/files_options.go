package engine

import (
	"maps"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// fileOptions are the options of one request. Those that nobody asked for are not known, and refused.
type fileOptions struct {
	format string
	values map[string]string
	asked  map[string]bool
}

func newFileOptions(format string, values map[string]string) *fileOptions {
	o := &fileOptions{format: format, values: map[string]string{}, asked: map[string]bool{}}
	for k, v := range values {
		o.values[strings.ToLower(k)] = v
	}
	return o
}

// text returns the value of an option that may have several names.
func (o *fileOptions) text(names ...string) (string, bool) {
	value, set := "", false
	for _, name := range names {
		o.asked[name] = true
		if v, ok := o.values[name]; ok {
			value, set = v, true
		}
	}
	return value, set
}

func (o *fileOptions) or(def string, names ...string) string {
	if v, ok := o.text(names...); ok {
		return v
	}
	return def
}

func (o *fileOptions) flag(name string, def bool) (bool, error) {
	v, ok := o.text(name)
	if !ok {
		return def, nil
	}
	switch strings.ToLower(v) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, errclass.IllegalArgument(name + " flag can be true or false")
}

// accept takes an option whose only value here is the default: others are refused.
func (o *fileOptions) accept(name string, values ...string) error {
	v, ok := o.text(name)
	if ok && !slices.ContainsFunc(values, func(s string) bool { return strings.EqualFold(s, v) }) {
		return errclass.UnsupportedOption(o.format, name+" = "+v)
	}
	return nil
}

// unknown refuses the options that nobody asked for.
func (o *fileOptions) unknown() error {
	for _, k := range slices.Sorted(maps.Keys(o.values)) {
		if !o.asked[k] {
			return errclass.UnsupportedOption(o.format, k)
		}
	}
	return nil
}

// mode is what happens to rows that do not fit the schema.
func (o *fileOptions) mode() (string, error) {
	m := strings.ToUpper(o.or("PERMISSIVE", "mode"))
	switch m {
	case "PERMISSIVE", "DROPMALFORMED", "FAILFAST":
		return m, nil
	}
	return "PERMISSIVE", nil // Spark takes any other word for that
}
