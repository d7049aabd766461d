package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/types"
)

// isFileFormat reports whether FROM format.`path` reads files of that format.
func isFileFormat(name string) bool {
	switch strings.ToLower(name) {
	case "parquet", "csv":
		return true
	}
	return false
}

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

// csvOptions are Spark's CSV options that we have, with how DuckDB says them ("CSV Files" page of Spark).
var csvOptions = map[string]func(value string) (string, error){
	"header": func(v string) (string, error) { return boolOption("header", v) },
	"inferschema": func(v string) (string, error) {
		b, err := boolOption("all_varchar", v)
		switch b {
		case "all_varchar = true":
			return "all_varchar = false", err
		case "all_varchar = false":
			return "all_varchar = true", err
		}
		return "", err
	},
	"sep":       func(v string) (string, error) { return "delim = " + duck.String(v), nil },
	"delimiter": func(v string) (string, error) { return "delim = " + duck.String(v), nil },
	"quote":     func(v string) (string, error) { return "quote = " + duck.String(v), nil },
	"escape":    func(v string) (string, error) { return "escape = " + duck.String(v), nil },
	"nullvalue": func(v string) (string, error) { return "nullstr = " + duck.String(v), nil },
}

func boolOption(name, v string) (string, error) {
	switch strings.ToLower(v) {
	case "true":
		return name + " = true", nil
	case "false":
		return name + " = false", nil
	}
	return "", errclass.IllegalArgument(name + " flag can be true or false")
}

// openFiles makes the source for files at a path, relative to the session's folder and inside its roots.
func (s *Session) openFiles(ctx context.Context, format, path string, options map[string]string) (*fileSource, error) {
	full, err := s.userPath(path)
	if err != nil {
		return nil, err
	}
	var reader string
	switch format {
	case "parquet":
		if len(options) > 0 {
			return nil, errclass.UnsupportedOption(format, firstKey(options))
		}
		reader = "read_parquet(" + duck.String(full) + ")"
	case "csv":
		// Spark's defaults: no header, comma, every column a string.
		set := map[string]string{"header": "header = false", "inferschema": "all_varchar = true", "quote": `quote = '"'`, "escape": `escape = '"'`}
		for k, v := range options {
			f, ok := csvOptions[strings.ToLower(k)]
			if !ok {
				return nil, errclass.UnsupportedOption(format, k)
			}
			if set[strings.ToLower(k)], err = f(v); err != nil {
				return nil, err
			}
		}
		reader = "read_csv(" + duck.String(full)
		for _, k := range []string{"header", "inferschema", "sep", "delimiter", "quote", "escape", "nullvalue"} {
			if o := set[k]; o != "" {
				reader += ", " + o
			}
		}
		reader += ")"
	}
	schema, err := s.engine.fileSchema(ctx, full, reader, format == "csv")
	if err != nil {
		return nil, err
	}
	src := &fileSource{reader: reader, schema: types.StructOf(append([]types.Field{}, schema.Fields...)...)}
	headless := format == "csv" && !strings.EqualFold(options["header"], "true")
	for i, f := range src.schema.Fields {
		src.names = append(src.names, f.Name)
		if headless {
			src.schema.Fields[i].Name = fmt.Sprintf("_c%d", i)
		}
	}
	return src, nil
}

// fileSchemas keeps what reading files' heads gave, by reader, size and time of change.
type fileSchemas struct {
	mu   sync.Mutex
	seen map[string]types.Type
}

// fileSchema is the schema of a file as Spark reads it.
func (e *Engine) fileSchema(ctx context.Context, path, reader string, csv bool) (types.Type, error) {
	st, err := os.Stat(path)
	if err != nil {
		return types.Type{}, err
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
	if csv {
		if err := e.csvSchema(ctx, reader, t.Fields); err != nil {
			return t, err
		}
	}
	e.files.mu.Lock()
	defer e.files.mu.Unlock()
	if e.files.seen == nil || len(e.files.seen) > 1000 {
		e.files.seen = map[string]types.Type{}
	}
	e.files.seen[key] = t
	return t, nil
}

// csvSchema gives inferred columns Spark's types: whole numbers are INT if all of them fit.
func (e *Engine) csvSchema(ctx context.Context, reader string, fields []types.Field) error {
	var checks []string
	var long []int
	for i, f := range fields {
		if f.Type.Kind == types.Long {
			n := duck.Ident(f.Name)
			checks = append(checks, "coalesce(bool_and("+n+" BETWEEN -2147483648 AND 2147483647), true)")
			long = append(long, i)
		}
	}
	if len(checks) == 0 {
		return nil
	}
	_, rows, err := e.DB.Query(ctx, "SELECT "+strings.Join(checks, ", ")+" FROM "+reader)
	if err != nil {
		return err
	}
	for j, i := range long {
		if fits, _ := rows[0][j].(bool); fits {
			fields[i].Type = types.Of(types.Int)
		}
	}
	return nil
}

func firstKey(m map[string]string) string {
	best := ""
	for k := range m {
		if best == "" || k < best {
			best = k
		}
	}
	return best
}

// userPath resolves a path that a user gave: relative to the session's folder, and inside the lakehouse, the session's
// folder or the folders in LAKELAB_DATA_ROOTS, after symbolic links are followed.
func (s *Session) userPath(path string) (string, error) {
	p := strings.TrimPrefix(path, "file:")
	p = strings.TrimPrefix(p, "//")
	s.mu.Lock()
	cwd := s.cwd
	s.mu.Unlock()
	if !filepath.IsAbs(p) {
		p = filepath.Join(cwd, p)
	}
	p = filepath.Clean(p)
	real, err := filepath.EvalSymlinks(p)
	if err != nil {
		if os.IsNotExist(err) {
			return "", errclass.PathNotFound(p)
		}
		return "", err
	}
	roots := append([]string{s.engine.Dir, cwd}, filepath.SplitList(os.Getenv("LAKELAB_DATA_ROOTS"))...)
	for _, root := range roots {
		if root == "" {
			continue
		}
		r, err := filepath.EvalSymlinks(root)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(r, real); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return real, nil
		}
	}
	return "", errclass.PathOutsideRoots(p)
}
