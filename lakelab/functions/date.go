package functions

import "mini-lakehouse-lab/lakelab"

// Functions on dates and times, in the time zone of the session.

// CurrentDate is the date at the start of the query (current_date).
func CurrentDate() lakelab.Column { return call("current_date") }

// CurrentTimestamp is the time at the start of the query (TIMESTAMP) (current_timestamp).
func CurrentTimestamp() lakelab.Column { return call("current_timestamp") }

// Now is CurrentTimestamp (now).
func Now() lakelab.Column { return call("now") }

// Year is the year (year).
func Year(col any) lakelab.Column { return call("year", col) }

// Quarter is the quarter, 1 to 4 (quarter).
func Quarter(col any) lakelab.Column { return call("quarter", col) }

// Month is the month, 1 to 12 (month).
func Month(col any) lakelab.Column { return call("month", col) }

// DayOfMonth is the day of the month, from 1 (dayofmonth).
func DayOfMonth(col any) lakelab.Column { return call("dayofmonth", col) }

// DayOfWeek is the day of the week, 1 (Sunday) to 7 (Saturday) (dayofweek).
func DayOfWeek(col any) lakelab.Column { return call("dayofweek", col) }

// DayOfYear is the day of the year, from 1 (dayofyear).
func DayOfYear(col any) lakelab.Column { return call("dayofyear", col) }

// WeekOfYear is the ISO week, 1 to 53 (weekofyear).
func WeekOfYear(col any) lakelab.Column { return call("weekofyear", col) }

// WeekDay is the day of the week, 0 (Monday) to 6 (Sunday) (weekday).
func WeekDay(col any) lakelab.Column { return call("weekday", col) }

// Hour is the hour, 0 to 23 (hour).
func Hour(col any) lakelab.Column { return call("hour", col) }

// Minute is the minute (minute).
func Minute(col any) lakelab.Column { return call("minute", col) }

// Second is the second (second).
func Second(col any) lakelab.Column { return call("second", col) }

// DateDiff is the number of days from start to end (datediff).
func DateDiff(end, start any) lakelab.Column { return call("datediff", end, start) }

// MonthsBetween is the number of months from start to end, with a fraction (months_between).
func MonthsBetween(end, start any) lakelab.Column { return call("months_between", end, start) }

// LastDay is the last day of the month (last_day).
func LastDay(col any) lakelab.Column { return call("last_day", col) }

// TimestampSeconds is the TIMESTAMP that many seconds after 1970-01-01 UTC (timestamp_seconds).
func TimestampSeconds(col any) lakelab.Column { return call("timestamp_seconds", col) }

// ToDate reads a DATE from a string, in a pattern of Spark if one is given, else yyyy-MM-dd (to_date).
func ToDate(col any, pattern ...string) lakelab.Column { return parse("to_date", col, pattern) }

// ToTimestamp reads a TIMESTAMP from a string, in a pattern of Spark if one is given (to_timestamp).
func ToTimestamp(col any, pattern ...string) lakelab.Column {
	return parse("to_timestamp", col, pattern)
}

func parse(name string, col any, pattern []string) lakelab.Column {
	if len(pattern) > 0 {
		return call(name, col, lit(pattern[0]))
	}
	return call(name, col)
}

// DateFormat writes a date or time in a pattern of Spark, such as "dd.MM.yyyy HH:mm" (date_format).
func DateFormat(col any, pattern string) lakelab.Column {
	return call("date_format", col, lit(pattern))
}

// DateTrunc cuts a time down to "year", "month", "week", "day", "hour" …; gives a TIMESTAMP (date_trunc).
func DateTrunc(unit string, col any) lakelab.Column { return call("date_trunc", lit(unit), col) }

// Trunc cuts a date down to "year", "quarter", "month" or "week"; gives a DATE (trunc).
func Trunc(col any, unit string) lakelab.Column { return call("trunc", col, lit(unit)) }

// DateAdd is the date days later; days is a Go number, or a Column (date_add).
func DateAdd(start, days any) lakelab.Column { return call("date_add", start, lit(days)) }

// DateSub is the date days earlier; days is a Go number, or a Column (date_sub).
func DateSub(start, days any) lakelab.Column { return call("date_sub", start, lit(days)) }

// AddMonths is the date months later; months is a Go number, or a Column (add_months).
func AddMonths(start, months any) lakelab.Column { return call("add_months", start, lit(months)) }

// MakeDate makes a DATE of year, month and day (make_date).
func MakeDate(year, month, day any) lakelab.Column { return call("make_date", year, month, day) }

// UnixTimestamp is the number of seconds since 1970-01-01 UTC, a BIGINT (unix_timestamp).
func UnixTimestamp(col any, pattern ...string) lakelab.Column {
	return parse("unix_timestamp", col, pattern)
}

// FromUnixTime writes seconds since 1970-01-01 UTC as a string (from_unixtime).
func FromUnixTime(col any, pattern ...string) lakelab.Column {
	return parse("from_unixtime", col, pattern)
}
