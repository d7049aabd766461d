package engine

import (
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// formats opens the files of each format.
var formats map[string]func(ctx context.Context, r *fileRead) (sql.Relation, error)

func init() { // not an initializer: the functions refer to it
	formats = map[string]func(context.Context, *fileRead) (sql.Relation, error){
		"parquet": openParquet, "csv": openCSV, "json": openJSON, "text": openText,
	}
}

// isFileFormat reports whether FROM format.`path` reads files of that format.
func isFileFormat(name string) bool { return formats[strings.ToLower(name)] != nil }

// fileRead is one request to read files.
type fileRead struct {
	*sql.Files
	session   *Session
	files     []dataFile
	partition []types.Field // columns that stand in the folders' names
	options   *fileOptions
}

// dataFile is a file with the values of the partitions it lies in.
type dataFile struct {
	path   string
	values []string
}

// openFiles makes the relation for files. Paths are relative to the session's folder and must lie inside its roots.
func (s *Session) openFiles(ctx context.Context, f *sql.Files) (sql.Relation, error) {
	f.Format = strings.ToLower(f.Format)
	open := formats[f.Format]
	if open == nil {
		return nil, errclass.DataSourceNotFound(f.Format)
	}
	r := &fileRead{Files: f, session: s}
	if len(f.Paths) == 0 {
		return nil, errclass.PathMissing(f.Format)
	}
	r.options = newFileOptions(f.Format, f.Options)
	for _, p := range f.Paths {
		if err := r.find(p); err != nil {
			return nil, err
		}
	}
	rel, err := open(ctx, r)
	if err != nil {
		return nil, err
	}
	return rel, r.options.unknown()
}

// find lists the files at a path: one file, a folder with all below, or what a pattern matches.
func (r *fileRead) find(path string) error {
	paths := []string{path}
	if strings.ContainsAny(path, "*?[") {
		full, err := r.session.userPattern(path)
		if err != nil {
			return err
		}
		if paths, err = filepath.Glob(full); err != nil || len(paths) == 0 {
			return errclass.PathNotFound(full)
		}
	}
	for _, p := range paths {
		full, err := r.session.userPath(p)
		if err != nil {
			return err
		}
		if err := r.walk(full); err != nil {
			return err
		}
	}
	return nil
}

func (r *fileRead) walk(root string) error {
	pattern, _ := r.options.text("pathglobfilter")
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); p != root && (strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".")) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if ok, _ := filepath.Match(pattern, d.Name()); pattern != "" && !ok {
			return nil
		}
		return r.add(root, p)
	})
}

// add takes a file, with the partition values that the folders between root and it name (year=2024).
func (r *fileRead) add(root, path string) error {
	file := dataFile{path: path}
	var names []string
	if rel, err := filepath.Rel(root, filepath.Dir(path)); err == nil && rel != "." {
		for _, part := range strings.Split(rel, string(filepath.Separator)) {
			if name, value, ok := strings.Cut(part, "="); ok {
				names, file.values = append(names, name), append(file.values, unescapePartition(value))
			}
		}
	}
	if len(r.files) == 0 {
		for _, name := range names {
			r.partition = append(r.partition, types.Field{Name: name, Type: types.Of(types.String), Nullable: true})
		}
	} else if len(names) != len(r.partition) {
		return errclass.ConflictingFolders(root)
	}
	r.files = append(r.files, file)
	return nil
}

const nullPartition = "__HIVE_DEFAULT_PARTITION__"

func unescapePartition(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// inferPartitions gives the partition columns the types that all their values have: INT, BIGINT, DOUBLE, DATE or STRING.
func (r *fileRead) inferPartitions() {
	for i := range r.partition {
		kinds := []types.Kind{types.Int, types.Long, types.Double, types.Date}
		for _, f := range r.files {
			if v := f.values[i]; v != nullPartition {
				kinds = slices.DeleteFunc(kinds, func(k types.Kind) bool { return !readsAs(v, k) })
			}
		}
		if len(kinds) > 0 {
			r.partition[i].Type = types.Of(kinds[0])
		}
	}
}

func readsAs(v string, k types.Kind) bool {
	var err error
	switch k {
	case types.Int:
		_, err = strconv.ParseInt(v, 10, 32)
	case types.Long:
		_, err = strconv.ParseInt(v, 10, 64)
	case types.Double:
		_, err = strconv.ParseFloat(v, 64)
	case types.Date:
		return len(v) == 10 && v[4] == '-' && v[7] == '-' && readsAs(v[:4]+v[5:7]+v[8:], types.Int)
	}
	return err == nil
}

// list prints the files as a list for a DuckDB table function.
func (r *fileRead) list() string {
	paths := make([]string, len(r.files))
	for i, f := range r.files {
		paths[i] = duck.String(f.path)
	}
	return "[" + strings.Join(paths, ", ") + "]"
}

// raw is a source whose columns are what a DuckDB query gives, all nullable; partition columns come behind them. reader must have a
// column filename if there are partitions.
func (r *fileRead) raw(columns []types.Field, reader string) *sql.Opened {
	src := &fileSource{reader: reader, schema: types.StructOf(columns...)}
	for _, c := range columns {
		src.names = append(src.names, c.Name)
	}
	if len(r.partition) > 0 {
		r.inferPartitions()
		rows := make([]string, len(r.files))
		for i, f := range r.files {
			cells := []string{duck.String(f.path)}
			for j, v := range f.values {
				cell := "CAST(" + duck.String(v) + " AS " + functions.DuckType(r.partition[j].Type) + ")"
				if v == nullPartition {
					cell = "NULL"
				}
				cells = append(cells, cell)
			}
			rows[i] = "(" + strings.Join(cells, ", ") + ")"
		}
		names := []string{"filename"}
		for _, p := range r.partition {
			names = append(names, duck.Ident(p.Name))
			src.names = append(src.names, p.Name)
		}
		src.schema.Fields = append(src.schema.Fields, r.partition...)
		src.reader = "(SELECT * FROM " + reader + " JOIN (VALUES " + strings.Join(rows, ", ") + ") AS p(" + strings.Join(names, ", ") + ") USING (filename))"
	}
	return &sql.Opened{Source: src}
}

// selected is SELECT items FROM from WHERE cond, each of the texts in Spark SQL; an empty cond keeps all rows.
func selected(from sql.Relation, cond string, items ...string) (sql.Relation, error) {
	s := &sql.Select{From: []sql.Relation{from}}
	for _, text := range items {
		x, err := sql.ParseExpr(sql.Spark, text)
		if err != nil {
			return nil, fmt.Errorf("the expression %s of a file's column: %w", text, err)
		}
		s.Items = append(s.Items, x)
	}
	if cond != "" {
		x, err := sql.ParseExpr(sql.Spark, cond)
		if err != nil {
			return nil, err
		}
		s.Where = x
	}
	return &sql.Derived{Query: &sql.Query{Body: s}, Transparent: true}, nil
}

// row runs a query of one row.
func (r *fileRead) row(ctx context.Context, rel sql.Relation) ([]any, error) {
	n, err := r.session.Plan(ctx, rel)
	if err != nil {
		return nil, err
	}
	rows, err := r.session.Collect(ctx, &Result{Node: n}, 1)
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// backquoted and quotedText print for Spark SQL.
func backquoted(s string) string { return types.Quote(s) }

func quotedText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\r", `\r`).Replace(s) + "'"
}

// relation makes Resolve's answer of an opened file.
func (c sessionCatalog) Files(ctx context.Context, f *sql.Files) (*plan.Relation, error) {
	rel, err := c.s.openFiles(ctx, f)
	if err != nil {
		return nil, err
	}
	return &plan.Relation{View: rel}, nil
}

// userPattern is userPath for a pattern: its folder must exist and be inside the roots.
func (s *Session) userPattern(pattern string) (string, error) {
	p := strings.TrimPrefix(strings.TrimPrefix(pattern, "file:"), "//")
	i := strings.IndexAny(p, "*?[")
	dir := filepath.Dir(p[:i] + "x")
	full, err := s.userPath(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, p)
	if err != nil {
		return "", err
	}
	return filepath.Join(full, rel), nil
}

// head reads the first line that is not empty.
func head(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b := make([]byte, 1<<20)
	n, err := f.Read(b)
	if err != nil && n == 0 {
		return "", nil
	}
	for line := range strings.Lines(string(b[:n])) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			return strings.TrimPrefix(line, "\ufeff"), nil
		}
	}
	return "", nil
}
