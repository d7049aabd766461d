package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/types"
)

// fileSource reads plain files by what a DuckDB query gives for them.
type fileSource struct {
	read    *fileRead
	reader  func(r *fileRead) string
	columns int // that the query gives
	schema  types.Type
}

func (f *fileSource) Schema() types.Type { return f.schema }

// SQL reads the files whose partitions the filter does not rule out.
func (f *fileSource) SQL(ctx context.Context, columns []int, filter expr.Expr) (string, error) {
	r, err := f.read.now(ctx)
	if err != nil {
		return "", err
	}
	r = r.matching(ctx, filter)
	fields := f.schema.Fields
	if len(r.files) == 0 {
		return noRows(fields, columns), nil
	}
	var items []string
	keyed := false
	for _, c := range columns {
		key := c - f.columns
		keyed = keyed || key >= 0
		switch {
		case key < 0:
			items = append(items, "CAST(f."+duck.Ident(fields[c].Name)+" AS "+functions.DuckType(fields[c].Type)+") AS "+duck.Ident(fields[c].Name))
		case key < len(r.partition):
			items = append(items, fmt.Sprintf("p.k%d AS %s", key, duck.Ident(fields[c].Name)))
		default:
			items = append(items, metadataSQL("")+" AS "+duck.Ident(fields[c].Name))
		}
	}
	if len(items) == 0 {
		items = []string{"1 AS one"}
	}
	if !keyed {
		return "SELECT " + strings.Join(items, ", ") + " FROM " + f.reader(r) + " AS f", nil
	}
	r = &fileRead{Files: r.Files, session: r.session, files: r.files, partition: r.partition, options: r.options, named: true}
	rows := make([]string, len(r.files))
	for i, file := range r.files {
		var err error
		if rows[i], err = r.valuesRow(file.path, file.size, file.modified, file.values); err != nil {
			return "", err
		}
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM " + f.reader(r) + " AS f JOIN (VALUES " + strings.Join(rows, ", ") + ") AS p(filename" + metadataCellNames +
		keyNames(len(r.partition)) + ") ON f.filename = p.filename", nil
}

// valuesRow is what is joined to a file's rows: its path, metadataCells, and its partition's values.
func (r *fileRead) valuesRow(path string, size int64, modified time.Time, values []*string) (string, error) {
	cells := append([]string{duck.String(path)}, metadataCells(path, size, modified)...)
	for i, v := range values {
		cell, err := r.partitionSQL(v, r.partition[i])
		if err != nil {
			return "", err
		}
		cells = append(cells, cell)
	}
	return "(" + strings.Join(cells, ", ") + ")", nil
}

// now is the read of the files that are there now, of a table whose files others may replace.
func (r *fileRead) now(ctx context.Context) (*fileRead, error) {
	if r.relist == nil {
		return r, nil
	}
	out := *r
	var err error
	out.files, err = r.relist(ctx)
	return &out, err
}

// Explain says how many of the files a scan reads.
func (f *fileSource) Explain(ctx context.Context, filter expr.Expr) string {
	return f.read.explain(ctx, filter)
}

// fileSchemas keeps what reading files' heads gave, by reader, size and time of change.
type fileSchemas struct {
	mu   sync.Mutex
	seen map[string]types.Type
}

// fileSchema is the schema of a file as Spark reads it.
func (e *Engine) fileSchema(ctx context.Context, path, reader string) (types.Type, error) {
	st, err := os.Stat(path)
	if err != nil {
		return types.Type{}, vanished(path, err)
	}
	key := fmt.Sprint(reader, st.Size(), st.ModTime().UnixNano())
	e.files.mu.Lock()
	t, ok := e.files.seen[key]
	e.files.mu.Unlock()
	if ok {
		return t, nil
	}
	if t, err = duck.SchemaOf(ctx, e.DB, reader); err != nil {
		return t, err
	}
	e.files.mu.Lock()
	defer e.files.mu.Unlock()
	if e.files.seen == nil || len(e.files.seen) > 1000 {
		e.files.seen = map[string]types.Type{}
	}
	e.files.seen[key] = t
	return t, nil
}

// vanished gives an error of looking at a listed file its class.
func vanished(path string, err error) error {
	if os.IsNotExist(err) {
		return errclass.FileVanished(path)
	}
	return err
}

// userPath resolves a path that a user gave: relative to the session's folder, and inside the lakehouse, the session's
// folder or the folders in LAKELAB_DATA_ROOTS, after symbolic links are followed.
func (s *Session) userPath(path string) (string, error) {
	p := s.absolute(path)
	real, err := filepath.EvalSymlinks(p)
	if err != nil {
		return "", hive.LinkError(p, err)
	}
	for _, root := range s.roots() {
		if hive.Within(root, real) {
			return real, nil
		}
	}
	return "", errclass.PathOutsideRoots(p)
}

// roots are the folders that a session may read and write in, without symbolic links.
func (s *Session) roots() []string {
	s.mu.Lock()
	named := append([]string{s.engine.Dir, s.cwd}, filepath.SplitList(os.Getenv(config.DataRoots))...) // looked at when the engine was opened
	s.mu.Unlock()
	var out []string
	for _, root := range named {
		if root == "" {
			continue
		}
		if r, err := filepath.EvalSymlinks(root); err == nil {
			out = append(out, r)
		}
	}
	return out
}

// absolute is a path as the file system has it: without file:, relative to the session's folder, clean.
func (s *Session) absolute(path string) string {
	p := strings.TrimPrefix(strings.TrimPrefix(path, "file:"), "//")
	if !filepath.IsAbs(p) {
		s.mu.Lock()
		p = filepath.Join(s.cwd, p)
		s.mu.Unlock()
	}
	return filepath.Clean(p)
}
