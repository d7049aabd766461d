package engine_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/internal/decode"
)

// fileStep is a step on files, or a DataFrame's write; testdata/record_spark.py documents the fields.
type fileStep struct {
	Query       string            `json:"query"`
	Write       string            `json:"write"`
	SaveAsTable string            `json:"saveAsTable"`
	InsertInto  string            `json:"insertInto"`
	Mode        string            `json:"mode"`
	Format      string            `json:"format"`
	PartitionBy []string          `json:"partitionBy"`
	Options     map[string]string `json:"options"`
	Files       string            `json:"files"`
	Remove      string            `json:"remove"`
	Mkdir       string            `json:"mkdir"`
	Touch       string            `json:"touch"`
}

// write runs a DataFrame's write as a cell sends it.
func (f fileStep) write(ctx context.Context, s *engine.Session, fill func(string) string) error {
	options := map[string]any{}
	for k, v := range f.Options {
		options[k] = fill(v)
	}
	by := []any{}
	for _, p := range f.PartitionBy {
		by = append(by, p)
	}
	m := map[string]any{"relation": map[string]any{"n": "sql", "text": fill(f.Query)}, "options": options, "partitionBy": by, "format": f.Format, "mode": f.Mode}
	if f.Mode == "" || f.Mode == "errorifexists" {
		m["mode"] = "error"
	}
	switch {
	case f.Write != "":
		m["action"], m["target"] = "path", fill(f.Write)
		if f.Format == "" {
			m["format"] = "parquet"
		}
	case f.SaveAsTable != "":
		m["action"], m["target"] = "saveAsTable", f.SaveAsTable
	default:
		m["action"], m["target"] = "insertInto", f.InsertInto
	}
	st, err := decode.Write(m, func(name string) (bool, error) { return s.TableExists(ctx, name) })
	if err != nil {
		return err
	}
	_, err = s.Command(ctx, st)
	return err
}

// do runs any other step; it returns what the step shows.
func (f fileStep) do(fill func(string) string) (string, error) {
	switch {
	case f.Remove != "":
		return "", os.RemoveAll(fill(f.Remove))
	case f.Mkdir != "":
		return "", os.MkdirAll(fill(f.Mkdir), 0o755)
	case f.Touch != "":
		path := fill(f.Touch)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		return "", os.WriteFile(path, []byte("x"), 0o644)
	}
	root := fill(f.Files)
	var lines []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); p != root && (name[0] == '.' || name[0] == '_') {
			return fs.SkipDir
		}
		entries, err := os.ReadDir(p)
		what := "empty"
		for _, e := range entries {
			if !e.IsDir() && e.Name()[0] != '.' && e.Name()[0] != '_' {
				what = "files"
			}
		}
		rel, _ := filepath.Rel(root, p)
		lines = append(lines, rel+": "+what)
		return err
	})
	if os.IsNotExist(err) {
		err = nil
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n") + "\n", err
}
