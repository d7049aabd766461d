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

// ConvertTimezone: a wall clock of one zone as another's (convert_timezone).
func ConvertTimezone(sourceTz, targetTz, sourceTs any) lakelab.Column {
	return call("convert_timezone", lit(sourceTz), lit(targetTz), sourceTs)
}

// CurDate: date of the start of the query (curdate).
func CurDate() lakelab.Column { return call("curdate") }

// CurrentTimezone: the session's time zone (current_timezone).
func CurrentTimezone() lakelab.Column { return call("current_timezone") }

// DateFromUnixDate: days since 1970-01-01 as a date (date_from_unix_date).
func DateFromUnixDate(days any) lakelab.Column { return call("date_from_unix_date", days) }

// DatePart: a field of a date, timestamp or interval, as EXTRACT gives it (date_part).
func DatePart(field, source any) lakelab.Column { return call("date_part", lit(field), source) }

// Day: the day of the month (day).
func Day(col any) lakelab.Column { return call("day", col) }

// DayName: Mon, Tue, … (dayname).
func DayName(col any) lakelab.Column { return call("dayname", col) }

// Extract: a field of a date, timestamp or interval, as EXTRACT gives it (extract).
func Extract(field, source any) lakelab.Column { return call("extract", lit(field), source) }

// FromUtcTimestamp: ts, read as UTC, as the zone's clock shows it (from_utc_timestamp).
func FromUtcTimestamp(timestamp, tz any) lakelab.Column {
	return call("from_utc_timestamp", timestamp, lit(tz))
}

// Localtimestamp: start of the query as a wall clock (localtimestamp).
func Localtimestamp() lakelab.Column { return call("localtimestamp") }

// MakeDTInterval: a day-time interval of its parts (make_dt_interval). More may give, in order: days, hours, mins, secs.
func MakeDTInterval(more ...any) lakelab.Column {
	return call("make_dt_interval", then([]any{}, more)...)
}

// MakeInterval: an interval of its parts (make_interval). More may give, in order: years, months, weeks, days, hours, mins, secs.
func MakeInterval(more ...any) lakelab.Column {
	return call("make_interval", then([]any{}, more)...)
}

// MakeTimestamp: a timestamp of its parts (make_timestamp).
func MakeTimestamp(years, months, days, hours, mins, secs any, timezone ...any) lakelab.Column {
	return call("make_timestamp", then([]any{years, months, days, hours, mins, secs}, timezone)...)
}

// MakeYMInterval: a year-month interval of its parts (make_ym_interval). More may give, in order: years, months.
func MakeYMInterval(more ...any) lakelab.Column {
	return call("make_ym_interval", then([]any{}, more)...)
}

// MonthName: Jan, Feb, … (monthname).
func MonthName(col any) lakelab.Column { return call("monthname", col) }

// NextDay: the next date that is such a weekday (next_day).
func NextDay(date any, dayOfWeek string) lakelab.Column {
	return call("next_day", date, lit(dayOfWeek))
}

// TimestampMicros: microseconds since 1970 as a timestamp (timestamp_micros).
func TimestampMicros(col any) lakelab.Column { return call("timestamp_micros", col) }

// TimestampMillis: milliseconds since 1970 as a timestamp (timestamp_millis).
func TimestampMillis(col any) lakelab.Column { return call("timestamp_millis", col) }

// ToTimestampLTZ: expr as a timestamp (to_timestamp_ltz).
func ToTimestampLTZ(timestamp any, format ...any) lakelab.Column {
	return call("to_timestamp_ltz", then([]any{timestamp}, format)...)
}

// ToTimestampNTZ: expr as a timestamp without a zone (to_timestamp_ntz).
func ToTimestampNTZ(timestamp any, format ...any) lakelab.Column {
	return call("to_timestamp_ntz", then([]any{timestamp}, format)...)
}

// ToUtcTimestamp: ts, read as the zone's clock, in UTC (to_utc_timestamp).
func ToUtcTimestamp(timestamp, tz any) lakelab.Column {
	return call("to_utc_timestamp", timestamp, lit(tz))
}

// TryMakeInterval: MakeInterval that gives NULL on overflow (try_make_interval). More may give, in order: years, months, weeks, days, hours, mins, secs.
func TryMakeInterval(more ...any) lakelab.Column {
	return call("try_make_interval", then([]any{}, more)...)
}

// TryToTimestamp: expr as a timestamp, or NULL (try_to_timestamp).
func TryToTimestamp(col any, format ...any) lakelab.Column {
	return call("try_to_timestamp", then([]any{col}, format)...)
}

// UnixDate: days since 1970-01-01 (unix_date).
func UnixDate(col any) lakelab.Column { return call("unix_date", col) }

// UnixMicros: microseconds since 1970 (unix_micros).
func UnixMicros(col any) lakelab.Column { return call("unix_micros", col) }

// UnixMillis: milliseconds since 1970 (unix_millis).
func UnixMillis(col any) lakelab.Column { return call("unix_millis", col) }

// UnixSeconds: seconds since 1970 (unix_seconds).
func UnixSeconds(col any) lakelab.Column { return call("unix_seconds", col) }

// MakeTimestampLTZ: a timestamp of its parts (make_timestamp_ltz).
func MakeTimestampLTZ(years, months, days, hours, mins, secs any, timezone ...any) lakelab.Column {
	return call("make_timestamp_ltz", then([]any{years, months, days, hours, mins, secs}, timezone)...)
}

// MakeTimestampNTZ: a timestamp of its parts (make_timestamp_ntz).
func MakeTimestampNTZ(years, months, days, hours, mins, secs any) lakelab.Column {
	return call("make_timestamp_ntz", years, months, days, hours, mins, secs)
}

// ToUnixTimestamp: seconds since 1970 of a timestamp, or of text read by a pattern (to_unix_timestamp).
func ToUnixTimestamp(timestamp any, format ...any) lakelab.Column {
	return call("to_unix_timestamp", then([]any{timestamp}, format)...)
}

// TimestampAdd is the time a number of units later: "YEAR", "MONTH", "DAY", "HOUR" … (timestamp_add).
func TimestampAdd(unit string, quantity, ts any) lakelab.Column {
	return call("timestampadd", lit(unit), orLit(quantity), ts)
}

// TimestampDiff is the number of whole units from start to end (timestamp_diff).
func TimestampDiff(unit string, start, end any) lakelab.Column {
	return call("timestampdiff", lit(unit), start, end)
}

// Window puts times into windows of a length such as "10 minutes", a struct of start and end; a slide makes them overlap, a start
// time shifts them. More may give, in order: slideDuration, startTime (window).
func Window(timeColumn any, windowDuration string, more ...string) lakelab.Column {
	return call("window", optional([]any{timeColumn, lit(windowDuration)}, more)...)
}

// SessionWindow puts times into windows that end after a gap without any (session_window).
func SessionWindow(timeColumn any, gapDuration any) lakelab.Column {
	return call("session_window", timeColumn, lit(gapDuration))
}

// WindowTime is the time that stands for a window (window_time).
func WindowTime(windowColumn any) lakelab.Column { return call("window_time", windowColumn) }
