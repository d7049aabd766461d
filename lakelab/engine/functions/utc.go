package functions

import "mini-lakehouse-lab/lakelab/types"

// FromUTC prints a value of a type whose moments are given as clock times in UTC (of the type WithoutZone).
func FromUTC(t types.Type, s string) string {
	return eachPart(t, s, isMoment, func(_ types.Type, v string) string { return v + " AT TIME ZONE 'UTC'" })
}

// WithoutZone is a type with a clock time for each moment.
func WithoutZone(t types.Type) types.Type {
	return t.Map(func(t types.Type) types.Type {
		if isMoment(t) {
			return types.Of(types.TimestampNTZ)
		}
		return t
	})
}

// HasMoment reports whether a type is TIMESTAMP or holds one.
func HasMoment(t types.Type) bool { return t.Holds(isMoment) }

func isMoment(t types.Type) bool { return t.Kind == types.Timestamp }
