package engine

import (
	"bufio"
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// openJSON reads a JSON object a line, or, with multiLine, an object or an array of them a file ("JSON Files" page of Spark).
func openJSON(_ context.Context, r *fileRead) (sql.Relation, error) {
	multi, err := r.options.flag("multiline", false)
	if err != nil {
		return nil, err
	}
	asText, err := r.options.flag("primitivesasstring", false)
	if err != nil {
		return nil, err
	}
	for name, values := range map[string][]string{"encoding": {"UTF-8", "utf8"}, "charset": {"UTF-8", "utf8"}, "linesep": {"\n"}, "samplingratio": {"1.0", "1"}, "allowsinglequotes": {"true"}} {
		if err := r.options.accept(name, values...); err != nil {
			return nil, err
		}
	}
	corrupt := r.options.or("_corrupt_record", "columnnameofcorruptrecord")
	if r.Schema == nil {
		t, broken, err := r.inferJSON(multi, asText)
		if err != nil {
			return nil, err
		}
		if len(t.Fields) == 0 && !broken {
			return nil, noSchema(r.Format)
		}
		if mode, _ := r.options.mode(); broken && mode == "PERMISSIVE" {
			t.Fields = append(t.Fields, types.Field{Name: corrupt, Type: types.Of(types.String), Nullable: true})
			slices.SortFunc(t.Fields, func(a, b types.Field) int { return strings.Compare(a.Name, b.Name) })
		}
		r.Schema = &t
	}
	m, err := r.malformed()
	if err != nil {
		return nil, err
	}
	fields := m.without(r.Schema.Fields)
	from := r.raw([]types.Field{{Name: "_line", Type: types.Of(types.String), Nullable: true}}, func(r *fileRead) string { return r.jsonRecords(multi) })
	conv := newConversion(r.options)
	// Dates and times with a pattern are read as text first.
	shape := types.StructOf(slices.Clone(fields)...)
	for i, f := range shape.Fields {
		if x := conv.text("x", f.Type); f.Type.Kind != types.Boolean && !strings.HasPrefix(x, "TRY_CAST") && x != "x" {
			shape.Fields[i].Type = types.Of(types.String)
		}
	}
	parsed := "from_json(_line, " + quotedText(shape.SQL()) + ") AS _json"
	if len(fields) == 0 {
		parsed = "NULL AS _json"
	}
	items := []string{"_line", parsed, backquoted(metadataColumn)}
	for _, p := range r.partition {
		items = append(items, backquoted(p.Name))
	}
	inner, err := selected(from, "trim(_line) <> ''", items...)
	if err != nil {
		return nil, err
	}
	items = nil
	for i, f := range fields {
		x := "_json." + backquoted(f.Name)
		if !shape.Fields[i].Type.Equal(f.Type) {
			x = conv.text(x, f.Type)
		}
		if v, ok := r.missing[f.Name]; ok {
			x = "CASE WHEN " + x + " IS NULL AND NOT array_contains(json_object_keys(_line), " + quotedText(f.Name) + ") THEN CAST(" + quotedText(v) + " AS " + f.Type.SQL() + ") ELSE " + x + " END"
		}
		items = append(items, x+" AS "+backquoted(f.Name))
	}
	items, cond := m.apply(items, r.partition, "(get_json_object(_line, '$') IS NULL)", "_line")
	return r.columnsOf(inner, cond, fields, items...)
}

// jsonRecords gives the texts of the records as _line.
func (r *fileRead) jsonRecords(multi bool) string {
	if !multi {
		return "(SELECT filename, _line FROM " + r.lines() + ")"
	}
	return "(SELECT filename, CAST(unnest(CASE WHEN json_valid(content) AND json_type(content) = 'ARRAY' THEN CAST(content AS JSON[]) WHEN json_valid(content) THEN [CAST(content AS JSON)] END) AS VARCHAR) AS _line FROM " +
		r.texts() + " WHERE json_valid(content) UNION ALL SELECT filename, content FROM " + r.texts() + " WHERE NOT json_valid(content))"
}

// inferJSON finds the type of all records; broken says that some are no JSON objects.
func (r *fileRead) inferJSON(multi, asText bool) (t types.Type, broken bool, err error) {
	for _, f := range r.files {
		err := eachRecord(f.path, multi, func(text string) {
			if one, ok := functions.InferJSON(text, asText, multi); ok {
				t = functions.MergeJSON(t, one)
			} else {
				broken = true
			}
		})
		if err != nil {
			return t, broken, err
		}
	}
	return functions.SettleJSON(t), broken, nil
}

// byteOrderMark may begin a text file; it is no part of its first line.
const byteOrderMark = "\ufeff"

// eachRecord hands out a file's lines that are not empty, or, with multi, the whole file.
func eachRecord(path string, multi bool, take func(text string)) error {
	f, err := os.Open(path)
	if err != nil {
		return vanished(path, err)
	}
	defer f.Close()
	if multi {
		b, err := io.ReadAll(f)
		take(string(b))
		return err
	}
	lines := bufio.NewReader(f)
	if b, err := lines.Peek(len(byteOrderMark)); err == nil && string(b) == byteOrderMark {
		_, _ = lines.Discard(len(b))
	}
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			take(line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
