package plan

import "mini-lakehouse-lab/lakelab/types"

// castMayFail is where Spark takes the result of a cast for nullable even if the value never is, though an ANSI cast fails in
// place of NULL.
func castMayFail(from, to types.Type) bool {
	fractional := from.Kind == types.Float || from.Kind == types.Double
	switch {
	case from.Kind == types.Null, from.Equal(to), to.Kind == types.String:
		return false
	case from.Kind == types.String:
		return to.Kind != types.Binary
	case fractional && to.Kind == types.Timestamp:
		return true
	case to.Kind == types.Date:
		return from.Kind != types.Timestamp
	case from.Kind == types.Date:
		return to.Kind != types.Timestamp
	case to.Kind == types.Decimal:
		return fractional || from.IsNumeric() && !fits(from, to)
	}
	return (fractional || from.Kind == types.Decimal) && to.IsIntegral()
}

// fits reports whether a decimal holds every value of an exact numeric type.
func fits(from, to types.Type) bool {
	digits := map[types.Kind]int{types.Byte: 3, types.Short: 5, types.Int: 10, types.Long: 20}
	whole, scale := digits[from.Kind], 0
	if from.Kind == types.Decimal {
		whole, scale = from.Precision-from.Scale, from.Scale
	}
	return whole <= to.Precision-to.Scale && scale <= to.Scale
}
