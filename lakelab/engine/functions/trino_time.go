package functions

import (
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/types"
)

// A timestamp with time zone is an instant in DuckDB. The zone that Trino shows it in stands in its type: a value's zone is known
// when the query is read, since it comes from a literal, a function or AT TIME ZONE. Iceberg keeps instants only, shown in UTC.

// zoneText is a zone as a DuckDB expression.
func zoneText(zone string) string {
	switch zone {
	case "", mixedZones:
		return "'UTC'"
	case sessionZone:
		return "getvariable(" + quote(ZoneVariable) + ")"
	}
	return quote(zone)
}

// DuckDB computes in regions and in offsets of whole hours. For a session whose zone is another offset its own zone is UTC, and what it lacks
// stands in a variable of the connection, which is 0 for all other sessions. The zone's name as Trino shows it stands in another one.
const (
	ZoneVariable    = "session_zone"
	MinutesVariable = "session_minutes"
)

const sessionMinutes = "to_minutes(getvariable('" + MinutesVariable + "'))"

// local is the wall clock of a temporal value, in its own zone if it has one, as a DuckDB TIMESTAMP.
func local(t types.Type, s string) string {
	s = coarse(t, s)
	if t.Kind != types.Timestamp {
		return "CAST(" + s + " AS TIMESTAMP)"
	}
	if t.Zone == mixedZones {
		return "CASE WHEN " + s + " IS NOT NULL THEN CAST(" + noWallClock() + " AS TIMESTAMP) END"
	}
	if m, ok := types.ZoneOffset(t.Zone); ok {
		return "(timezone('UTC', " + s + ") + to_minutes(" + itoa(m) + "))"
	}
	if t.Zone == sessionZone {
		return "(timezone(current_setting('TimeZone'), " + s + ") + " + sessionMinutes + ")"
	}
	return "timezone(" + zoneText(t.Zone) + ", " + s + ")"
}

// today is the date of the start of the query in the session's zone.
func today() string {
	return "CAST(" + local(types.TemporalOf(types.Timestamp, 6).InZone(sessionZone), "current_timestamp") + " AS DATE)"
}

// noWallClock refuses to say what a clock shows.
func noWallClock() string {
	return trinoFail(&expr.Lit{}, "NOT_SUPPORTED", quote("The wall clock of timestamps with different time zones in one column is not supported: AT TIME ZONE gives them one"))
}

// zoned is the instant of a wall clock in a zone.
func zoned(zone, s string) string {
	if m, ok := types.ZoneOffset(zone); ok {
		return "timezone('UTC', " + s + " - to_minutes(" + itoa(m) + "))"
	}
	if zone == sessionZone {
		return "timezone(current_setting('TimeZone'), " + s + " - " + sessionMinutes + ")"
	}
	return "timezone(" + zoneText(zone) + ", " + s + ")"
}

// back gives a wall clock the type that it was made from by local.
func back(t types.Type, s string) string {
	if t.InPicos() {
		return picosOf(coarseType(t), back(coarseType(t), s))
	}
	if t.Kind == types.Timestamp {
		return zoned(t.Zone, s)
	}
	return typedAs(t, s)
}

// rounded brings the fraction of a timestamp or time to other digits, half up if they are fewer, as Trino's casts do.
func rounded(t types.Type, digits int, s string) string {
	to := types.TemporalOf(t.Kind, digits)
	switch {
	case t.Kind == types.TimeTZ && digits >= t.Digits():
		return s
	case t.Kind == types.TimeTZ:
		return let(s, func(v string) string { return packed(roundedPicos(digits, true, picosOf(t, v)), offsetOf(v)) })
	case t.InPicos() && digits < t.Digits():
		s = roundedPicos(digits, t.Kind == types.Time, s)
		if !to.InPicos() {
			s = coarse(t, s)
		}
		return s
	case to.InPicos():
		return picosOf(t, s)
	case digits >= t.Digits():
		return s
	}
	unit := 1
	for range 6 - digits {
		unit *= 10
	}
	if t.Kind == types.Time {
		return let("epoch_us("+s+")", func(v string) string {
			return "CAST(make_timestamp((" + v + " + " + itoa(unit/2) + ") // " + itoa(unit) + " * " + itoa(unit) + ") AS TIME)"
		})
	}
	make := "make_timestamp"
	if t.Kind == types.Timestamp {
		make = "make_timestamptz"
	}
	return let("(epoch_us("+s+") + "+itoa(unit/2)+")", func(v string) string {
		return make + "(" + v + " - ((" + v + " % " + itoa(unit) + ") + " + itoa(unit) + ") % " + itoa(unit) + ")"
	})
}

// clockText prints a temporal value's text with its digits.
func clockText(t types.Type, s string) string {
	rest := ""
	fraction := func(v string) string {
		if t.Digits() == 0 {
			return ""
		}
		return " || '.' || left(strftime(" + v + ", '%f')" + rest + ", " + itoa(t.Digits()) + ")"
	}
	if t.InPicos() {
		return let(s, func(v string) string {
			c := coarseType(t)
			if t.Digits() > c.Digits() {
				rest = " || lpad(CAST(" + restOf(t, v) + " AS VARCHAR), 6, '0')"
			}
			text := clockTextWith(c, coarse(t, v), fraction)
			if t.Kind == types.TimeTZ {
				text = "(" + text + " || " + offsetText(offsetOf(v)) + ")"
			}
			return text
		})
	}
	return clockTextWith(t, s, fraction)
}

// clockTextWith prints a temporal value's text; fraction prints that of the wall clock's seconds.
func clockTextWith(t types.Type, s string, fraction func(v string) string) string {
	switch t.Kind {
	case types.Time:
		return let("(DATE '2000-01-01' + "+s+")", func(v string) string { return "(strftime(" + v + ", '%H:%M:%S')" + fraction(v) + ")" })
	case types.Timestamp:
		return let(local(t, s), func(v string) string {
			return "(strftime(" + v + ", '%Y-%m-%d %H:%M:%S')" + fraction(v) + " || ' ' || " + zoneText(t.Zone) + ")"
		})
	}
	return let(s, func(v string) string { return "(strftime(" + v + ", '%Y-%m-%d %H:%M:%S')" + fraction(v) + ")" })
}

func joinWith(a []string, sep string) string { return strings.Join(a, sep) }

// ZoneName is the zone that a type's timestamps are shown in, given the session's.
func ZoneName(t types.Type, session string) string {
	switch t.Zone {
	case sessionZone:
		return session
	case mixedZones:
		return ""
	}
	return t.Zone
}
