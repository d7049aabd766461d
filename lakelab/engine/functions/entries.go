package functions

import "mini-lakehouse-lab/lakelab/types"

// The driver makes a Go map of a map, for which keys such as bytes or rows are none: those maps leave DuckDB as lists of entries.

// HasEntries reports whether a type is or has inside of it a map that the driver cannot give.
func HasEntries(t types.Type) bool {
	switch t.Kind {
	case types.Array:
		return HasEntries(*t.Elem)
	case types.Map:
		return HasEntries(*t.Value) || HasEntries(*t.Key) || t.Key.Kind == types.Binary || t.Key.Kind == types.IPAddress || nested(*t.Key)
	case types.Struct:
		for _, f := range t.Fields {
			if HasEntries(f.Type) {
				return true
			}
		}
	}
	return false
}

// Entries prints a value whose maps that the driver cannot give are lists of structs of key and value.
func Entries(t types.Type, s string) string { return entriesOf(t, s, 0) }

func entriesOf(t types.Type, s string, depth int) string {
	if !HasEntries(t) {
		return s
	}
	v := "_n" + itoa(depth)
	switch t.Kind {
	case types.Array:
		return "list_transform(" + s + ", lambda " + v + ": " + entriesOf(*t.Elem, v, depth+1) + ")"
	case types.Map:
		return "list_transform(map_entries(" + s + "), lambda " + v + ": {'key': " + entriesOf(*t.Key, v+".key", depth+1) + ", 'value': " + entriesOf(*t.Value, v+".value", depth+1) + "})"
	}
	return let(s, func(v string) string {
		parts := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			parts[i] = ident(FieldNames(t.Fields)[i]) + ": " + entriesOf(f.Type, fieldAt(v, i), depth+1)
		}
		return "CASE WHEN " + v + " IS NOT NULL THEN {" + join(parts) + "} END"
	})
}
