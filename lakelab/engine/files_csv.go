package engine

import (
	"context"
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// csvFormat is how the lines are written.
type csvFormat struct {
	sep, quote, escape, null string
	header                   bool
}

func newCSVFormat(o *fileOptions) (csvFormat, error) {
	f := csvFormat{sep: o.or(",", "sep", "delimiter"), quote: o.or(`"`, "quote"), escape: o.or(`\`, "escape"), null: o.or("", "nullvalue")}
	f.sep = strings.NewReplacer(`\t`, "\t", `\\`, `\`).Replace(f.sep)
	var err error
	f.header, err = o.flag("header", false)
	for name, values := range map[string][]string{"encoding": {"UTF-8", "utf8"}, "charset": {"UTF-8", "utf8"}, "enforceschema": {"true"}, "emptyvalue": {""}, "linesep": {"\n"}, "samplingratio": {"1.0", "1"}} {
		if e := o.accept(name, values...); err == nil {
			err = e
		}
	}
	return f, err
}

// reader reads all columns as text: fields that are missing are NULL, those too many are left out. Quoted line feeds are part of
// a field.
func (f csvFormat) reader(r *fileRead, columns []types.Field) string {
	defs := make([]string, len(columns))
	for i, c := range columns {
		defs[i] = duck.Ident(c.Name) + ": 'VARCHAR'"
	}
	s := fmt.Sprintf("read_csv(%s, auto_detect = false, hive_partitioning = false, header = %t, delim = %s, quote = %s, escape = %s, columns = {%s}, null_padding = true, strict_mode = false, allow_quoted_nulls = %t",
		duckpath.List(r.paths()), f.header, duck.String(f.sep), duck.String(f.quote), duck.String(f.escape), strings.Join(defs, ", "), f.null == "")
	if f.quote == "" {
		s = strings.Replace(s, "escape = "+duck.String(f.escape), "escape = ''", 1)
	}
	if r.named {
		s += ", filename = true"
	}
	return s + ")"
}

// openCSV reads lines of fields ("CSV Files" page of Spark).
func openCSV(ctx context.Context, r *fileRead) (sql.Relation, error) {
	format, err := newCSVFormat(r.options)
	if err != nil {
		return nil, err
	}
	infer, err := r.options.flag("inferschema", false)
	if err != nil {
		return nil, err
	}
	m, err := r.malformed()
	if err != nil {
		return nil, err
	}
	conv := newConversion(r.options)
	var fields []types.Field
	if r.Schema != nil {
		fields = append(fields, r.Schema.Fields...)
	} else {
		if len(r.files) == 0 {
			return nil, noSchema(r.Format)
		}
		if fields, err = format.columns(r.files[0].path); err != nil {
			return nil, err
		}
	}
	fields = m.without(fields)
	raw := make([]types.Field, len(fields))
	for i := range fields {
		raw[i] = types.Field{Name: fmt.Sprintf("_c%d", i), Type: types.Of(types.String), Nullable: true}
	}
	from := r.raw(raw, func(r *fileRead) string { return format.reader(r, raw) })
	if infer && r.Schema == nil {
		if err := r.inferText(ctx, from, raw, fields, format.null, conv); err != nil {
			return nil, err
		}
	}
	if m.needed() || len(r.missing) > 0 {
		from = r.csvLines(format, raw)
	}
	items := make([]string, 0, len(fields)+1)
	bad := []string{"(_size <> " + fmt.Sprint(len(fields)) + ")"}
	for i, f := range fields {
		x := nullIf(backquoted(raw[i].Name), format.null)
		y := conv.text(x, f.Type)
		if y != x {
			bad = append(bad, "("+x+" IS NOT NULL AND "+y+" IS NULL)")
		}
		if v, ok := r.missing[f.Name]; ok {
			y = fmt.Sprintf("CASE WHEN _size <= %d THEN CAST(%s AS %s) ELSE %s END", i, quotedText(v), f.Type.SQL(), y)
		}
		items = append(items, y+" AS "+backquoted(f.Name))
	}
	items, cond := m.apply(items, r.partition, strings.Join(bad, " OR "), "_line")
	return r.columnsOf(from, cond, fields, items...)
}

// nullIf gives NULL for the text that stands for it; where that is the empty one, quotes do not matter.
func nullIf(x, null string) string {
	return "nullif(" + x + ", " + quotedText(null) + ")"
}

// columns names the fields of a file's first line: by its header, or _c0, _c1 ….
func (f csvFormat) columns(path string) ([]types.Field, error) {
	line, err := head(path)
	if err != nil {
		return nil, err
	}
	tokens := functions.SplitCSV(line, map[string]string{"sep": f.sep, "quote": f.quote, "escape": f.escape})
	seen := map[string]int{}
	for _, t := range tokens {
		if s, ok := t.(string); ok {
			seen[strings.ToLower(s)]++
		}
	}
	fields := make([]types.Field, len(tokens))
	for i, t := range tokens {
		name, _ := t.(string)
		switch {
		case !f.header || name == "":
			name = fmt.Sprintf("_c%d", i)
		case seen[strings.ToLower(name)] > 1:
			name += fmt.Sprint(i)
		}
		fields[i] = types.Field{Name: name, Type: types.Of(types.String), Nullable: true}
	}
	return fields, nil
}

// csvLines is the slow way: line by line, so that a malformed one can be told and shown.
func (r *fileRead) csvLines(f csvFormat, raw []types.Field) *sql.Opened {
	fields := fmt.Sprintf("spark_csv_fields(_line, %s, %s, %s)", duck.String(f.sep), duck.String(f.quote), duck.String(f.escape))
	items := []string{"filename", "_line", "CAST(len(_f) AS INTEGER) AS _size"}
	columns := []types.Field{{Name: "_line", Type: types.Of(types.String)}, {Name: "_size", Type: types.Of(types.Int)}}
	for i, c := range raw {
		items = append(items, fmt.Sprintf("_f[%d] AS %s", i+1, duck.Ident(c.Name)))
	}
	skip := ""
	if f.header {
		skip = " AND _n > 1"
	}
	return r.raw(append(columns, raw...), func(r *fileRead) string {
		return "(SELECT " + strings.Join(items, ", ") + " FROM (SELECT *, " + fields + " AS _f FROM " + r.lines() + ") WHERE trim(_line) <> ''" + skip + ")"
	})
}

// texts are the files' names and contents, as filename and content.
func (r *fileRead) texts() string {
	paths := r.paths()
	for i, p := range paths {
		paths[i] = duck.String(p)
	}
	return "(SELECT filename, spark_file_text(filename) AS content FROM (SELECT unnest([" + strings.Join(paths, ", ") + "]) AS filename))"
}

// lines are the files' lines as _line, with their number _n in the file and its name; a byte order mark is none of them.
func (r *fileRead) lines() string {
	return "(SELECT filename, unnest(_all) AS _line, generate_subscripts(_all, 1) AS _n FROM (SELECT filename, string_split(replace(rtrim(content, chr(10)), chr(13) || chr(10), chr(10)), chr(10)) AS _all FROM (SELECT filename, " +
		"CASE WHEN starts_with(content, chr(65279)) THEN substr(content, 2) ELSE content END AS content FROM " + r.texts() + ")))"
}
