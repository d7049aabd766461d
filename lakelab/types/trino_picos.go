package types

import (
	"fmt"
	"time"
)

// DayPicos are the picoseconds of a day.
const DayPicos = 86400 * 1_000_000_000_000

// PicosText is a Picos or Clock as Trino writes it, with a number of digits of its fraction; what is behind them is cut off.
func PicosText(t Type, v any, digits int) string {
	switch v := v.(type) {
	case Clock:
		sign, m := '+', v.Offset
		if m < 0 {
			sign, m = '-', -m
		}
		return time.UnixMicro(v.Picos/1e6).UTC().Format("15:04:05") + clockFraction(v.Picos/1e6, v.Picos%1e6, digits) + fmt.Sprintf("%c%02d:%02d", sign, m/60, m%60)
	case Picos:
		at, tail := time.UnixMicro(int64(v.Micros)).UTC(), clockFraction(int64(v.Micros), int64(v.Rest), digits)
		switch t.Kind {
		case Time:
			return at.Format("15:04:05") + tail
		case Timestamp:
			zone := t.Zone
			if zone == "" {
				zone = "UTC"
			}
			return at.In(Location(zone)).Format("2006-01-02 15:04:05") + tail + " " + zone
		}
		return at.Format("2006-01-02 15:04:05") + tail
	}
	return ""
}

// clockFraction is a fraction of a second with its point; empty without digits.
func clockFraction(us, picos int64, digits int) string {
	if digits == 0 {
		return ""
	}
	return fmt.Sprintf(".%06d%06d", (us%1e6+1e6)%1e6, picos)[:digits+1]
}
