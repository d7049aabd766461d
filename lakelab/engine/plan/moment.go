package plan

import (
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// moment is a DATE or TIMESTAMP literal with one of Spark's special values: epoch, now, today, tomorrow, yesterday, perhaps with a
// time zone behind it; nil for any other text.
func (a *Analyzer) moment(x *sql.Literal) expr.Expr {
	word, zone, _ := strings.Cut(strings.ToLower(strings.TrimSpace(x.Text)), " ")
	if zone = strings.TrimSpace(zone); zone == "" {
		zone = a.Settings.TimeZone
	} else if zone = zoneName(strings.TrimSpace(x.Text)[len(word):]); zone == "" {
		return nil
	}
	loc := types.Location(zone)
	now := time.Now().In(loc)
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, loc)
	var t time.Time
	switch word {
	case "epoch":
		t = time.Unix(0, 0).UTC()
	case "now":
		t = now
	case "today":
		t = midnight
	case "tomorrow":
		t = midnight.AddDate(0, 0, 1)
	case "yesterday":
		t = midnight.AddDate(0, 0, -1)
	default:
		return nil
	}
	lit := &expr.Lit{}
	lit.At = x.Span()
	switch x.TypeName {
	case "DATE":
		day := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
		lit.T, lit.Value = types.Of(types.Date), types.Days(day.Unix()/86400)
	case "TIMESTAMP_NTZ":
		_, offset := t.Zone()
		lit.T, lit.Value = types.Of(types.TimestampNTZ), types.Micros(t.UnixMicro()+int64(offset)*1e6)
	default:
		lit.T, lit.Value = types.Of(types.Timestamp), types.Micros(t.UnixMicro())
	}
	return lit
}

// specialText is a text constant that is cast to a date or a timestamp and has one of the special values; nil for any other.
func (a *Analyzer) specialText(l *sql.Literal, to types.Type) expr.Expr {
	name := map[types.Kind]string{types.Date: "DATE", types.Timestamp: "TIMESTAMP", types.TimestampNTZ: "TIMESTAMP_NTZ"}[to.Kind]
	if name == "" {
		return nil
	}
	m, ok := a.moment(&sql.Literal{At: l.At, Kind: sql.TypedLit, TypeName: name, Text: l.Text}).(*expr.Lit)
	if !ok {
		return nil
	}
	// It keeps the name that the text gives.
	c := &expr.Call{Name: l.Text, Func: &expr.Func{Name: l.Text, Dialect: a.Dialect, Duck: func(_ *expr.Call, args []string) string { return args[0] }, Pretty: func(*expr.Call, []string) string { return l.Text }}}
	c.Args, c.T, c.Null, c.At = []expr.Expr{m}, m.T, true, l.At.Span()
	return c
}

// zoneName is a zone's name as it is known here; empty for none.
func zoneName(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case strings.EqualFold(text, "zulu"), strings.EqualFold(text, "z"):
		return "UTC"
	case strings.EqualFold(text, "local"):
		return ""
	}
	if _, ok := types.Region(text); !ok {
		return ""
	}
	return text
}
