package engine

import (
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

const confMergeSchema = "spark.sql.parquet.mergeSchema"

// mergedFields are the columns of two files together ("Schema Merging" in Spark's page on Parquet files): the first one's, then those
// that only the second has. Structs merge field by field; a type that differs is an error.
func mergedFields(a, b []types.Field) ([]types.Field, error) {
	out := slices.Clone(a)
	for _, f := range b {
		i := slices.IndexFunc(out, func(have types.Field) bool { return strings.EqualFold(have.Name, f.Name) })
		if i < 0 {
			out = append(out, f)
			continue
		}
		t, ok := mergedType(out[i].Type, f.Type)
		if !ok {
			return nil, errclass.CannotMergeSchemas(types.StructOf(a...), types.StructOf(b...), out[i].Type, f.Type)
		}
		out[i].Type, out[i].Nullable = t, out[i].Nullable || f.Nullable
	}
	return out, nil
}

func mergedType(a, b types.Type) (types.Type, bool) {
	switch {
	case a.Kind == types.Struct && b.Kind == types.Struct:
		fields, err := mergedFields(a.Fields, b.Fields)
		return types.StructOf(fields...), err == nil
	case a.Kind == types.Decimal && b.Kind == types.Decimal && a.Scale == b.Scale:
		return types.DecimalOf(max(a.Precision, b.Precision), a.Scale), true
	}
	return a, a.Equal(b)
}
