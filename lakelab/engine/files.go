package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
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
	relist    func(context.Context) ([]dataFile, error) // has the files as they are when they are read; nil: they are those found
	named     bool                                      // a reader is to say which file a row is of
	// missing are the values, as text, of columns that a record does not have, where that is not NULL.
	missing map[string]string
}

// dataFile is a file with the values of the partitions it lies in.
type dataFile struct {
	path     string
	size     int64
	modified time.Time
	values   []*string // nil is NULL
}

// openFiles makes the relation for files, and names the columns that their folders give. Paths are relative to the session's folder and must lie inside its roots.
func (s *Session) openFiles(ctx context.Context, f *sql.Files) (rel sql.Relation, partition []types.Field, err error) {
	own := *f // the read changes its copy
	f = &own
	f.Format = strings.ToLower(f.Format)
	open := formats[f.Format]
	if open == nil {
		return nil, nil, errclass.DataSourceNotFound(f.Format)
	}
	r := &fileRead{Files: f, session: s}
	if len(f.Paths) == 0 {
		return nil, nil, errclass.PathMissing(f.Format)
	}
	r.options = newFileOptions(f.Format, f.Options)
	if err = r.find(); err != nil {
		return nil, nil, err
	}
	if f.Schema != nil {
		f.Schema = &types.Type{Kind: types.Struct, Fields: slices.DeleteFunc(slices.Clone(f.Schema.Fields), r.isPartition)}
	}
	rel, err = open(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	return rel, r.partition, r.options.unknown()
}

// isPartition reports whether a column is one of the folders' names.
func (r *fileRead) isPartition(f types.Field) bool {
	return slices.ContainsFunc(r.partition, func(p types.Field) bool { return strings.EqualFold(p.Name, f.Name) })
}

// paths are the files' paths.
func (r *fileRead) paths() []string {
	out := make([]string, len(r.files))
	for i, f := range r.files {
		out[i] = f.path
	}
	return out
}

// raw is a source whose columns are what a DuckDB query gives, all nullable; partition columns come behind them, then metadataColumn. reader
// prints the query for the files that are left in the read it is given; if that is named, it has a column filename.
func (r *fileRead) raw(columns []types.Field, reader func(r *fileRead) string) *sql.Opened {
	fields := slices.Concat(columns, r.partition, []types.Field{metadataField(metadataColumn, false)})
	return &sql.Opened{Source: &fileSource{read: r, reader: reader, columns: len(columns), schema: types.StructOf(fields...)}}
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

// columnsOf is selected for what a read gives: the items are its columns, behind which _metadata is hidden unless the data has a column of that
// name.
func (r *fileRead) columnsOf(from sql.Relation, cond string, fields []types.Field, items ...string) (sql.Relation, error) {
	if hasMetadata(fields) || hasMetadata(r.partition) {
		return selected(from, cond, items...)
	}
	rel, err := selected(from, cond, append(items, backquoted(metadataColumn)+" AS "+backquoted(metadataName))...)
	if err == nil {
		rel.(*sql.Derived).Meta = []string{metadataName}
	}
	return rel, err
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
	if strings.EqualFold(f.Format, "iceberg") {
		return c.iceberg(ctx, f)
	}
	rel, _, err := c.s.openFiles(ctx, f)
	if err != nil {
		return nil, err
	}
	return &plan.Relation{View: rel}, nil
}

// userPattern is userPath for a pattern: its folder must exist and be inside the roots.
func (s *Session) userPattern(pattern string) (string, error) {
	p, from := s.absolute(pattern), 0
	if cwd := s.absolute("."); !filepath.IsAbs(strings.TrimPrefix(strings.TrimPrefix(pattern, "file:"), "//")) && hive.Within(cwd, p) {
		from = len(cwd) // what the notebook's folder is called is no pattern
	}
	i := strings.IndexAny(p[from:], "*?[")
	if i < 0 {
		i = len(p) - from
	}
	dir := filepath.Dir(p[:from+i] + "x")
	full, err := s.userPath(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, p)
	if err != nil {
		return "", err
	}
	return filepath.Join(literalGlob.Replace(full), rel), nil
}

// literalGlob writes a path such that filepath.Glob takes no character of it for a pattern's.
var literalGlob = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// head reads the first line that is not empty.
func head(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", vanished(path, err)
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
