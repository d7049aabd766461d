package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// malformed says what becomes of rows that do not fit: their text in a column of its own, nothing, or an error.
type malformed struct {
	mode   string
	column string // the corrupt record's, if the schema has it
	schema *types.Type
}

func (r *fileRead) malformed() (malformed, error) {
	m := malformed{schema: r.Schema}
	var err error
	if m.mode, err = r.options.mode(); err != nil {
		return m, err
	}
	name := r.options.or("_corrupt_record", "columnnameofcorruptrecord")
	if r.Schema != nil {
		for _, f := range r.Schema.Fields {
			if strings.EqualFold(f.Name, name) {
				m.column = f.Name
			}
		}
	}
	multi, err := r.options.flag("multiline", false)
	if err == nil && multi && r.Format == "csv" && m.needed() {
		err = errclass.UnsupportedOption(r.Format, "multiLine with mode "+m.mode+" or a column for corrupt records")
	}
	return m, err
}

// needed reports whether malformed rows must be told from others.
func (m malformed) needed() bool { return m.mode != "PERMISSIVE" || m.column != "" }

// without leaves the corrupt record's column out: it is not in the data.
func (m malformed) without(fields []types.Field) []types.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f types.Field) bool { return f.Name == m.column && m.column != "" })
}

// apply adds the corrupt record's column at its place, the partitions, and the condition on rows. bad is true for malformed ones,
// record their text.
func (m malformed) apply(items []string, partition []types.Field, bad, record string) ([]string, string) {
	cond := ""
	if m.column != "" {
		i := slices.IndexFunc(m.schema.Fields, func(f types.Field) bool { return f.Name == m.column })
		items = slices.Insert(items, i, "CASE WHEN "+bad+" THEN "+record+" END AS "+backquoted(m.column))
	}
	switch {
	case m.mode == "DROPMALFORMED":
		cond = "NOT coalesce(" + bad + ", false)"
	case m.mode == "FAILFAST":
		cond = "CASE WHEN " + bad + " THEN `$malformed_record`(" + record + ") ELSE true END"
	}
	for _, p := range partition {
		items = append(items, backquoted(p.Name))
	}
	return items, cond
}

// conversion reads text as types, by the options' patterns.
type conversion struct{ date, timestamp, timestampNTZ string }

func newConversion(o *fileOptions) conversion {
	return conversion{o.or("", "dateformat"), o.or("", "timestampformat"), o.or("", "timestampntzformat")}
}

// text is an expression in Spark SQL for a text as a type, NULL if it does not fit.
func (c conversion) text(x string, t types.Type) string {
	switch {
	case t.Kind == types.String:
		return x
	case t.Kind == types.Boolean:
		return "CASE lower(" + x + ") WHEN 'true' THEN true WHEN 'false' THEN false END"
	case t.Kind == types.Date && c.date != "":
		return "CAST(try_to_timestamp(" + x + ", " + quotedText(c.date) + ") AS DATE)"
	case t.Kind == types.Timestamp && c.timestamp != "":
		return "try_to_timestamp(" + x + ", " + quotedText(c.timestamp) + ")"
	case t.Kind == types.TimestampNTZ && c.timestampNTZ != "":
		return "CAST(try_to_timestamp(" + x + ", " + quotedText(c.timestampNTZ) + ") AS TIMESTAMP_NTZ)"
	}
	return "TRY_CAST(" + x + " AS " + t.SQL() + ")"
}

// candidates are the types that text is tried as, in Spark's order, with the condition that a value fits.
func (c conversion) candidates(x string) []struct {
	t    types.Type
	fits string
} {
	date := "(" + x + " RLIKE '^\\\\d{4}-\\\\d{2}-\\\\d{2}$' AND TRY_CAST(" + x + " AS DATE) IS NOT NULL)"
	if c.date != "" {
		date = c.text(x, types.Of(types.Date)) + " IS NOT NULL"
	}
	at := "(" + x + " RLIKE '^\\\\d{4}-\\\\d{2}-\\\\d{2}([ T]\\\\d{2}:\\\\d{2}(:\\\\d{2}([.]\\\\d+)?)?(Z|[+-]\\\\d{2}:?\\\\d{2})?)?$' AND TRY_CAST(" + x + " AS TIMESTAMP) IS NOT NULL)"
	if c.timestamp != "" {
		at = c.text(x, types.Of(types.Timestamp)) + " IS NOT NULL"
	}
	return []struct {
		t    types.Type
		fits string
	}{
		{types.Of(types.Int), "(" + x + " RLIKE '^[+-]?\\\\d+$' AND TRY_CAST(" + x + " AS INT) IS NOT NULL)"},
		{types.Of(types.Long), "(" + x + " RLIKE '^[+-]?\\\\d+$' AND TRY_CAST(" + x + " AS BIGINT) IS NOT NULL)"},
		{types.DecimalOf(20, 0), x + " RLIKE '^[+-]?\\\\d{1,20}$'"},
		{types.Of(types.Double), x + " RLIKE '^([+-]?(\\\\d+[.]?\\\\d*|[.]\\\\d+)([eE][+-]?\\\\d+)?|NaN|[+-]?Inf)$'"},
		{types.Of(types.Date), date}, {types.Of(types.Timestamp), at},
		{types.Of(types.Boolean), "lower(" + x + ") IN ('true', 'false')"},
	}
}

// inferText finds the types that all values of text columns have; a column without any is a STRING.
func (r *fileRead) inferText(ctx context.Context, from sql.Relation, raw, fields []types.Field, null string, c conversion) error {
	var items []string
	for i := range fields {
		x := nullIf(backquoted(raw[i].Name), null)
		items = append(items, "count("+x+")")
		for _, k := range c.candidates(x) {
			items = append(items, "count_if("+k.fits+")")
		}
	}
	rel, err := selected(from, "", items...)
	if err != nil {
		return err
	}
	counts, err := r.row(ctx, rel)
	if err != nil {
		return fmt.Errorf("infer the schema: %w", err)
	}
	width := len(items) / len(fields)
	for i := range fields {
		got := counts[i*width : (i+1)*width]
		if got[0] == int64(0) {
			continue
		}
		for j, k := range c.candidates("x") {
			if got[j+1] == got[0] {
				fields[i].Type = k.t
				break
			}
		}
	}
	return nil
}

// noSchema is files in which no schema can be found.
func noSchema(format string) error {
	e := errclass.PathMissing(format)
	e.Hint = "Файлов с данными здесь нет: проверьте путь или задайте схему."
	return e
}
