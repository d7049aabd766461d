package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/sql/token"
	"mini-lakehouse-lab/lakelab/types"
)

// Command runs a statement that a door made, not parsed.
func (s *Session) Command(ctx context.Context, st sql.Statement) (*Result, error) {
	defer s.engine.busy()()
	s.touch("", "")
	ctx, finish := withTemporaries(ctx)
	defer finish()
	a := s.analyzer(sql.Spark, plan.Params{})
	a.Functions = functionsOf(ctx)
	a.Hidden = namesHidden(ctx)
	return s.run(ctx, a, st)
}

// saveFiles writes a query's rows as files of one format into a folder. They are written aside and moved there when all are
// complete; a file _SUCCESS says so, as Spark's does.
func (s *Session) saveFiles(ctx context.Context, a *plan.Analyzer, st *sql.SaveFiles) (*Result, error) {
	if st.Format == "iceberg" {
		return s.saveIceberg(ctx, a, st)
	}
	target, err := s.userPlace(st.Path)
	if err != nil {
		return nil, err
	}
	w := &fileWrite{SaveFiles: st, session: s, options: newFileOptions(st.Format, st.Options)}
	n, err := a.Query(ctx, st.Query)
	if err != nil {
		return nil, err
	}
	write, ok := map[string]func(context.Context, plan.Node, string) error{"parquet": w.parquet, "csv": w.csv, "json": w.json, "text": w.text}[st.Format]
	if !ok {
		return nil, errclass.DataSourceNotFound(st.Format)
	}
	if err := duplicateColumn(SchemaOf(n)); err != nil {
		return nil, err
	}
	if _, err := w.partitionColumns(n); err != nil && len(st.PartitionBy) > 0 {
		return nil, err
	}
	mode := w.options.or(s.Conf(confOverwriteMode), "partitionoverwritemode")
	w.dynamic = st.Mode == "overwrite" && len(st.PartitionBy) > 0 && strings.EqualFold(mode, "dynamic")
	undoSaves(filepath.Dir(target))
	if _, err := os.Stat(target); err == nil {
		switch st.Mode {
		case "ignore":
			return done(), nil
		case "error":
			return nil, errclass.PathExists(target)
		}
	}
	if err := hive.Fits(target); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return nil, err
	}
	aside, lock, err := newAside(target)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	defer os.RemoveAll(aside)
	if err := write(ctx, n, aside); err != nil {
		return nil, err
	}
	if err := w.options.unknown(); err != nil {
		return nil, err
	}
	return done(), w.commit(ctx, aside, target)
}

// fileWrite is one write of files.
type fileWrite struct {
	*sql.SaveFiles
	session *Session
	options *fileOptions
	nulls   bool // JSON names what is NULL, too
	dynamic bool // overwrites only the partitions that get rows
}

// userTarget is userPath for a folder that need not be there: the nearest one that is must lie inside the roots.
func (s *Session) userTarget(path string) (string, error) {
	p := filepath.Clean(strings.TrimPrefix(strings.TrimPrefix(path, "file:"), "//"))
	rest := []string{}
	for {
		full, err := s.userPath(p)
		if err == nil {
			slices.Reverse(rest)
			return filepath.Join(append([]string{full}, rest...)...), nil
		}
		base, dir := filepath.Base(p), filepath.Dir(p)
		if e, ok := err.(*errclass.Error); !ok || e.Class != "PATH_NOT_FOUND" || dir == p || base == ".." {
			return "", err
		}
		if _, there := os.Lstat(s.absolute(p)); there == nil {
			return "", err // a link that leads nowhere: what is made there would lie elsewhere
		}
		rest = append(rest, base)
		p = dir
	}
}

func partName(extension string) string {
	b := make([]byte, 8)
	_, _ = rand.Read(b)
	return "part-00000-" + hex.EncodeToString(b) + "-c000" + extension
}

func (w *fileWrite) parquet(ctx context.Context, n plan.Node, dir string) error {
	if err := w.options.accept("compression", "snappy", "zstd", "gzip", "uncompressed", "none"); err != nil {
		return err
	}
	codec := strings.ToLower(w.options.or("snappy", "compression"))
	if codec == "none" {
		codec = "uncompressed"
	}
	parts, err := w.partitionColumns(n)
	if err != nil && len(w.PartitionBy) > 0 {
		return err
	}
	// Partitions are dealt out by their values' texts, as Spark writes them; the folders get Hive's names afterwards.
	var items []plan.Item
	var by []string
	for _, c := range n.Output() {
		if !slices.Contains(parts, c) {
			items = append(items, plan.NewItem(c.Name, reference(c)))
		}
	}
	for i, c := range parts {
		x, err := functions.Cast(sql.Spark, reference(c), types.Of(types.String), false, token.Span{})
		if err != nil {
			return err
		}
		by = append(by, fmt.Sprintf("__partition_%d", i))
		items = append(items, plan.NewItem(by[i], x))
	}
	query, err := w.session.copySQL(ctx, &plan.Project{Items: items, Child: n})
	if err != nil {
		return err
	}
	extension := map[string]string{"uncompressed": ".parquet", "gzip": ".gz.parquet"}[codec]
	if extension == "" {
		extension = "." + codec + ".parquet"
	}
	to, options := filepath.Join(dir, partName(extension)), "FORMAT parquet, COMPRESSION "+codec+", RETURN_STATS"
	if len(by) > 0 {
		to = filepath.Join(dir, "partitions")
		options += ", PARTITION_BY (" + strings.Join(by, ", ") + ")"
	}
	names, rows, err := w.session.db().Query(ctx, "COPY ("+query+") TO "+duck.String(to)+" ("+options+")")
	if err != nil || len(by) == 0 {
		return err
	}
	return w.deal(names, rows, by, dir, extension)
}

// deal moves the files that COPY wrote into folders with Hive's names; COPY's answer says which partition each is of.
func (w *fileWrite) deal(names []string, rows [][]any, by []string, dir, extension string) error {
	files, err := written(names, rows, by, "")
	if err != nil {
		return err
	}
	for _, f := range files {
		to := dir
		for i, column := range w.PartitionBy {
			value := &f.Values[i]
			if *value == hivepath.Default {
				value = nil
			}
			to = filepath.Join(to, hivepath.Folder(column, value))
		}
		if err := os.MkdirAll(to, 0o755); err != nil {
			return errclass.Unwritable(to, err)
		}
		if err := os.Rename(f.Path, filepath.Join(to, partName(extension))); err != nil {
			return err
		}
	}
	return os.RemoveAll(filepath.Join(dir, "partitions"))
}

func (w *fileWrite) partitionColumns(n plan.Node) ([]*expr.Column, error) {
	out := n.Output()
	var cols []*expr.Column
	seen := map[string]bool{}
	for _, name := range w.PartitionBy {
		if k := strings.ToLower(name); seen[k] {
			return nil, errclass.ColumnAlreadyExists(k)
		} else {
			seen[k] = true
		}
		i := slices.IndexFunc(out, func(c *expr.Column) bool { return strings.EqualFold(c.Name, name) })
		if i < 0 {
			return nil, errclass.FilePartitionMissing(name, SchemaOf(n))
		}
		cols = append(cols, out[i])
	}
	if len(cols) == len(out) {
		return nil, errclass.AllPartitionColumns()
	}
	return cols, nil
}

func (w *fileWrite) csv(ctx context.Context, n plan.Node, dir string) error {
	f, err := newCSVFormat(w.options)
	if err != nil {
		return err
	}
	all, err := w.options.flag("quoteall", false)
	if err != nil {
		return err
	}
	names := func(fields []types.Field) string {
		cells := make([]string, len(fields))
		for i, fd := range fields {
			cells[i] = f.write(fd.Name, all)
		}
		return strings.Join(cells, f.sep)
	}
	if n, err = w.patterned(n); err != nil {
		return err
	}
	header := ""
	return w.lines(ctx, n, dir, ".csv", func(fields []types.Field) (string, error) {
		for _, fd := range fields {
			switch fd.Type.Kind {
			case types.Array, types.Map, types.Struct, types.Binary:
				return "", errclass.FormatType("CSV", fd.Name, fd.Type)
			}
		}
		if f.header {
			header = names(fields)
		}
		return header, nil
	}, func(fields []types.Field, row []any) string {
		cells := make([]string, len(row))
		for i, v := range row {
			switch {
			case v == nil && (!all || f.null == ""):
				cells[i] = f.null
			case v == nil:
				cells[i] = f.write(f.null, all)
			case fields[i].Type.Kind == types.String && v == "":
				cells[i] = f.quote + f.quote
			default:
				cells[i] = f.write(w.session.fileText(fields[i].Type, v), all)
			}
		}
		return strings.Join(cells, f.sep)
	})
}

// patterned has the data's dates and times written by the patterns of the options dateFormat, timestampFormat and timestampNTZFormat.
func (w *fileWrite) patterned(n plan.Node) (plan.Node, error) {
	patterns := map[types.Kind]string{}
	for kind, option := range map[types.Kind]string{types.Date: "dateformat", types.Timestamp: "timestampformat", types.TimestampNTZ: "timestampntzformat"} {
		if p, ok := w.options.text(option); ok {
			patterns[kind] = p
		}
	}
	if len(patterns) == 0 {
		return n, nil
	}
	parts, err := w.partitionColumns(n)
	if err != nil && len(w.PartitionBy) > 0 {
		return nil, err
	}
	var items []plan.Item
	for _, c := range n.Output() {
		item := plan.Item{Column: c, X: reference(c)}
		if p, ok := patterns[c.T.Kind]; ok && !slices.Contains(parts, c) {
			pattern := &expr.Lit{Value: p}
			pattern.T = types.Of(types.String)
			if item.X, err = functions.Resolve(sql.Spark, "date_format", []expr.Expr{item.X, pattern}, token.Span{}); err != nil {
				return nil, err
			}
			item = plan.NewItem(c.Name, item.X)
		} else {
			item.Column = &expr.Column{Name: c.Name, T: c.T, Null: c.Null}
		}
		items = append(items, item)
	}
	return &plan.Project{Items: items, Child: n}, nil
}

// write quotes a field if it must be.
func (f csvFormat) write(s string, all bool) string {
	if f.quote == "" || !all && !strings.Contains(s, f.sep) && !strings.Contains(s, f.quote) && !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return f.quote + strings.NewReplacer(f.quote, f.escape+f.quote, `\`, `\\`).Replace(s) + f.quote
}

// fileText is a value in a text file: a TIMESTAMP in ISO's form.
func (s *Session) fileText(t types.Type, v any) string {
	switch t.Kind {
	case types.Timestamp:
		return time.UnixMicro(int64(v.(types.Micros))).In(s.Location()).Format("2006-01-02T15:04:05.000Z07:00")
	case types.TimestampNTZ:
		return time.UnixMicro(int64(v.(types.Micros))).UTC().Format("2006-01-02T15:04:05.000")
	}
	return types.Text(t, v, s.Location())
}

func (w *fileWrite) json(ctx context.Context, n plan.Node, dir string) error {
	// The rows as to_json writes them; the partition columns stay outside.
	cols, err := w.partitionColumns(n)
	if err != nil && len(w.PartitionBy) > 0 {
		return err
	}
	args := []sql.Arg{}
	items := []sql.Expr{nil}
	for _, c := range n.Output() {
		id := &sql.Ident{Parts: []sql.Name{{Text: c.Name, Quoted: true}}}
		if slices.Contains(cols, c) {
			items = append(items, id)
		} else {
			args = append(args, sql.Arg{X: id})
		}
	}
	call := func(name string, args ...sql.Arg) *sql.Call {
		return &sql.Call{Name: []sql.Name{{Text: name}}, Args: args}
	}
	write := []sql.Arg{{X: call("struct", args...)}}
	if w.nulls {
		text := func(s string) sql.Arg { return sql.Arg{X: &sql.Literal{Kind: sql.StringLit, Text: s}} }
		write = append(write, sql.Arg{X: call("map", text("ignoreNullFields"), text("false"))})
	}
	items[0] = &sql.Aliased{X: call("to_json", write...), Names: []sql.Name{{Text: "value"}}}
	rel := &sql.Derived{Query: &sql.Query{Body: &sql.Select{Items: items, From: []sql.Relation{&sql.Derived{Query: w.Query, Transparent: true}}}}, Transparent: true}
	text, err := w.session.Plan(ctx, rel)
	if err != nil {
		return err
	}
	return w.lines(ctx, text, dir, ".json", nil, func(_ []types.Field, row []any) string { return row[0].(string) })
}

func (w *fileWrite) text(ctx context.Context, n plan.Node, dir string) error {
	return w.lines(ctx, n, dir, ".txt", func(fields []types.Field) (string, error) {
		for _, f := range fields {
			if f.Type.Kind != types.String {
				return "", errclass.FormatType("Text", f.Name, f.Type)
			}
		}
		if len(fields) != 1 {
			return "", errclass.TextSchema(len(fields))
		}
		return "", nil
	}, func(_ []types.Field, row []any) string {
		s, _ := row[0].(string)
		return s
	})
}

// lines writes a line for each row, into a file for each combination of the partition columns. begin checks the columns and gives
// the first line, if there is one.
func (w *fileWrite) lines(ctx context.Context, n plan.Node, dir, extension string, begin func([]types.Field) (string, error), line func([]types.Field, []any) string) error {
	if err := w.options.accept("compression", "none", "uncompressed"); err != nil {
		return err
	}
	parts, err := w.partitionColumns(n)
	if err != nil && len(w.PartitionBy) > 0 {
		return err
	}
	var fields []types.Field
	var data, folders []int
	for i, c := range n.Output() {
		if slices.Contains(parts, c) {
			continue
		}
		fields, data = append(fields, types.Field{Name: c.Name, Type: c.T}), append(data, i)
	}
	for _, p := range parts {
		folders = append(folders, slices.Index(n.Output(), p))
	}
	first := ""
	if begin != nil {
		if first, err = begin(fields); err != nil {
			return err
		}
	}
	rows, err := w.session.Open(ctx, &Result{Node: n})
	if err != nil {
		return err
	}
	defer rows.Close()
	out := newLineFiles(dir, extension, first)
	defer out.close()
	if len(parts) == 0 {
		if _, err := out.file(""); err != nil {
			return err
		}
	}
	values := make([]any, len(data))
	for {
		batch, err := rows.Next()
		if err != nil {
			return err
		}
		if batch == nil {
			return out.close()
		}
		for _, row := range batch {
			folder := ""
			for i, f := range folders {
				folder = filepath.Join(folder, w.session.partitionFolder(w.PartitionBy[i], parts[i].T, row[f]))
			}
			f, err := out.file(folder)
			if err != nil {
				return err
			}
			for i, d := range data {
				values[i] = row[d]
			}
			if _, err := f.WriteString(line(fields, values) + "\n"); err != nil {
				return err
			}
		}
	}
}

// partitionFolder is the folder of a partition's value, a: a=1.
func (s *Session) partitionFolder(column string, t types.Type, v any) string {
	if v == nil {
		return hivepath.Folder(column, nil)
	}
	text := types.Text(t, v, s.Location())
	return hivepath.Folder(column, &text)
}
