// Package lesson makes notebooks from lesson sources: one Markdown file becomes the student's notebook and the solved one.
//
// A source (notebooks/source/NAME.md) is prose with Go cells:
//
//	```go ID              a cell of both notebooks; ID is its lasting cell id
//	```go ID folded       … whose code is folded away in JupyterLab
//	```go ID check        … folded and tagged "check": it looks at what the student did
//	```go ID task         the student's stub, a line "//// solution", the solution
//	<!-- needs: A B -->   first line: the lessons whose tables this one finds
//	<!-- solution -->     prose up to <!-- end --> stands in the solved notebook only; <!-- student --> likewise
//
// A source in notebooks/source/reference becomes one notebook, reference/NAME.ipynb.
//
// Prose between cells is one Markdown cell, split before headings of level 2 and 3. A fence without an ID is prose.
// Build writes NAME.ipynb and solutions/NAME.ipynb, without outputs and in the very form in which Jupyter saves them;
// Check says whether what is committed is what Build would write. `lakelab lessons` and a test call them.
package lesson

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders under the notebooks folder.
const (
	SourceDir   = "source"
	SolutionDir = "solutions"
	// ReferenceDir, in SourceDir and beside it, holds the notebooks to look things up in.
	ReferenceDir = "reference"
)

// Build writes both notebooks of every source under dir.
func Build(dir string) error {
	out, err := render(dir)
	if err != nil {
		return err
	}
	for _, n := range out {
		if err := os.MkdirAll(filepath.Dir(n.path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(n.path, n.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Check compares the notebooks under dir with what Build would write and names those that differ, are missing, or have
// no source.
func Check(dir string) error {
	out, err := render(dir)
	if err != nil {
		return err
	}
	var errs []error
	known := map[string]bool{}
	for _, n := range out {
		known[n.path] = true
		got, err := os.ReadFile(n.path)
		if err != nil {
			errs = append(errs, err)
		} else if !bytes.Equal(got, n.text) {
			errs = append(errs, fmt.Errorf("%s is not what its source gives, from line %d on; run: lakelab lessons", n.path, firstDifference(got, n.text)))
		}
	}
	for _, d := range []string{dir, filepath.Join(dir, SolutionDir), filepath.Join(dir, ReferenceDir)} {
		found, err := filepath.Glob(filepath.Join(d, "*.ipynb"))
		if err != nil {
			return err
		}
		for _, f := range found {
			if !known[f] {
				errs = append(errs, fmt.Errorf("%s has no source in %s", f, filepath.Join(dir, SourceDir)))
			}
		}
	}
	return errors.Join(errs...)
}

type rendered struct {
	path string
	text []byte
}

func render(dir string) ([]rendered, error) {
	sources, err := filepath.Glob(filepath.Join(dir, SourceDir, "*.md"))
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("no lesson sources in %s", filepath.Join(dir, SourceDir))
	}
	references, err := filepath.Glob(filepath.Join(dir, SourceDir, ReferenceDir, "*.md"))
	if err != nil {
		return nil, err
	}
	sources = append(sources, references...)
	slices.Sort(sources)
	var out []rendered
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		l, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s:%w", path, err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".md") + ".ipynb"
		targets := map[version]string{student: filepath.Join(dir, name), solution: filepath.Join(dir, SolutionDir, name)}
		if slices.Contains(references, path) {
			targets = map[version]string{student: filepath.Join(dir, ReferenceDir, name)}
		}
		for v, to := range targets {
			nb, err := l.notebook(v)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			out = append(out, rendered{to, nb})
		}
	}
	return out, nil
}

func firstDifference(a, b []byte) int {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return i + 1
		}
	}
	return min(len(x), len(y)) + 1
}
