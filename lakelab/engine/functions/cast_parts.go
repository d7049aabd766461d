package functions

import "mini-lakehouse-lab/lakelab/types"

// partCast casts one part of a collection by the rules of a dialect; the depth keeps the parameters of nested lambdas apart.
type partCast func(depth int, from, to types.Type, s string) string

func castArray(depth int, from, to types.Type, s string, part partCast) string {
	p := "_c" + itoa(depth)
	return typedAs(to, "list_transform("+s+", lambda "+p+": "+part(depth+1, *from.Elem, *to.Elem, p)+")")
}

func castMap(depth int, from, to types.Type, s string, part partCast) string {
	p := "_c" + itoa(depth)
	return typedAs(to, "map_from_entries(list_transform(map_entries("+s+"), lambda "+p+
		": {'k': "+part(depth+1, *from.Key, *to.Key, p+".key")+", 'v': "+part(depth+1, *from.Value, *to.Value, p+".value")+"}))")
}

// castStruct casts field by field.
func castStruct(depth int, from, to types.Type, s string, part partCast) string {
	return let(s, func(v string) string {
		parts, names := make([]string, len(to.Fields)), FieldNames(to.Fields)
		for i, f := range to.Fields {
			parts[i] = ident(names[i]) + ": " + part(depth, from.Fields[i].Type, f.Type, fieldAt(v, i))
		}
		return "CASE WHEN " + v + " IS NOT NULL THEN " + typedAs(to, "{"+join(parts)+"}") + " END"
	})
}
