package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/types"
)

// fileSource reads plain files.
type fileSource struct {
	reader string   // a DuckDB table function call
	names  []string // its columns
	schema types.Type
}

func (f *fileSource) Schema() types.Type { return f.schema }

func (f *fileSource) SQL(_ context.Context, columns []int, _ expr.Expr) (string, error) {
	if len(columns) == 0 {
		return "SELECT 1 AS one FROM " + f.reader, nil
	}
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = "CAST(" + duck.Ident(f.names[c]) + " AS " + functions.DuckType(f.schema.Fields[c].Type) + ") AS " + duck.Ident(f.schema.Fields[c].Name)
	}
	return "SELECT " + strings.Join(parts, ", ") + " FROM " + f.reader, nil
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
		if within(root, real) {
			return real, nil
		}
	}
	return "", errclass.PathOutsideRoots(p)
}

// roots are the folders that a session may read and write in, without symbolic links.
func (s *Session) roots() []string {
	s.mu.Lock()
	more, _ := config.Roots() // looked at when the engine was opened
	named := append([]string{s.engine.Dir, s.cwd}, more...)
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
