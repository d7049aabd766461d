package lake

import "github.com/apache/iceberg-go"

// Identifier fields tell rows apart (Iceberg's spec, "Identifier Field IDs"). A schema that breaks their rules is one that Java does not load.

// checkIdentifier says in Java's words why a field can't be an identifier field; empty if it can.
func checkIdentifier(s *iceberg.Schema, id int) string {
	f, ok := s.FindFieldByID(id)
	if !ok {
		return "" // the caller looks for it
	}
	cannot := "Cannot add field " + f.Name + " as an identifier field: "
	switch _, primitive := f.Type.(iceberg.PrimitiveType); {
	case !primitive:
		return cannot + "not a primitive type field"
	case !f.Required:
		return cannot + "not a required field"
	case f.Type.Equals(iceberg.PrimitiveTypes.Float64) || f.Type.Equals(iceberg.PrimitiveTypes.Float32):
		return cannot + "must not be float or double field"
	}
	for _, p := range parents(s, id) {
		if _, ok := p.Type.(*iceberg.StructType); !ok {
			return cannot + "must not be nested in " + p.String()
		}
		if !p.Required {
			return cannot + "must not be nested in an optional field " + p.String()
		}
	}
	return ""
}

// keepsIdentifier says in Java's words why a change of schema breaks the identifier; empty if it does not.
func keepsIdentifier(before, after *iceberg.Schema) string {
	for _, id := range before.IdentifierFieldIDs {
		f, ok := before.FindFieldByID(id)
		if !ok {
			continue
		}
		if _, there := after.FindFieldByID(id); there {
			continue
		}
		for _, p := range parents(before, id) {
			if _, there := after.FindFieldByID(p.ID); !there {
				return "Cannot delete field " + p.String() + " as it will delete nested identifier field " + f.String()
			}
		}
		return "Cannot delete identifier field " + f.String() + ". To force deletion, also call setIdentifierFields to update identifier fields."
	}
	for _, id := range after.IdentifierFieldIDs {
		if why := checkIdentifier(after, id); why != "" {
			return why
		}
	}
	return ""
}

// parents are the fields that one is in, the outermost first.
func parents(s *iceberg.Schema, id int) []iceberg.NestedField {
	of, fields := map[int]int{}, map[int]iceberg.NestedField{}
	eachField(s.Fields(), -1, func(f iceberg.NestedField, parent int) { of[f.ID], fields[f.ID] = parent, f })
	var out []iceberg.NestedField
	for p := of[id]; fields[p].ID == p && p > 0; p = of[p] {
		out = append([]iceberg.NestedField{fields[p]}, out...)
	}
	return out
}
