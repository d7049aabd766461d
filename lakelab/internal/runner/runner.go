// Package runner executes notebooks without a browser, as `lakelab run`, CI and graders need it.
//
// In: notebooks, the project's .venv, the lakelab program. Out: executed notebooks, a table of results, and an error if
// a cell failed. Each notebook runs in a lakehouse of its own that holds what the lessons it needs leave behind; which
// these are stands in the notebook ("lakelab": {"needs": […]} in its metadata, written by package lesson). They are
// executed once and their lakehouse is kept as a stage that later notebooks start from (stage.go).
package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrFailed says that a cell of some notebook failed; the table says which.
var ErrFailed = errors.New("not every notebook ran to its end")

// Options of Run. Paths may be relative to the working folder.
type Options struct {
	Notebooks []string // in the order in which they run
	Lessons   string   // the folder of the lessons, whose solutions are the predecessors
	OutDir    string   // executed notebooks go here; empty: nowhere
	Lakehouse string   // run all in this lakehouse as it stands; empty: a fresh one for each
	Keep      bool     // leave the fresh lakehouses and say where they are
	Venv      string   // Python environment with nbclient and the kernels
	Kernel    string   // kernel name; empty: the notebook's own
	Bin       string   // the lakelab program
	Progress  io.Writer
	Table     io.Writer
}

// cellTimeout bounds one cell: long enough for a slow machine, short enough for a grader's queue.
const cellTimeout = 10 * time.Minute

// Result is what became of one notebook.
type Result struct {
	Notebook  string // as given
	Cells     int    // cells that ran to their end
	Of        int    // code cells
	Elapsed   time.Duration
	Failure   *Failure // nil if all cells ran
	Lakehouse string   // kept for a look; else empty
}

// Failure is the cell that ended a notebook.
type Failure struct {
	Cell    int    // its number in brackets, 0 if no cell was reached
	ID      string // its id
	Line    int    // in the cell, 0 if the kernel named none
	Name    string // the exception
	Message string
}

func (f *Failure) String() string {
	var where []string
	if f.Cell > 0 {
		where = append(where, fmt.Sprintf("cell %d", f.Cell))
	}
	if f.Line > 0 {
		where = append(where, fmt.Sprintf("line %d", f.Line))
	}
	message, _, _ := strings.Cut(strings.TrimSpace(f.Message), "\n")
	if f.Name != "" && !strings.HasPrefix(message, f.Name) {
		message = f.Name + ": " + message
	}
	if len(where) == 0 {
		return message
	}
	return strings.Join(where, ", ") + ": " + message
}

// Run executes the notebooks one after another. It returns the results so far together with ErrFailed if a cell
// failed, or with another error if the run itself could not go on.
func Run(ctx context.Context, opts Options) ([]Result, error) {
	if err := opts.prepare(); err != nil {
		return nil, err
	}
	r := &run{Options: opts, stages: map[string]string{}, broken: map[string]*Result{}}
	defer r.clean()
	var results []Result
	for _, nb := range opts.Notebooks {
		res, err := r.notebook(ctx, nb)
		if err != nil {
			return results, fmt.Errorf("%s: %w", nb, err)
		}
		results = append(results, res)
	}
	writeTable(opts.Table, results)
	for _, res := range results {
		if res.Failure != nil {
			return results, ErrFailed
		}
	}
	return results, nil
}

// prepare makes paths absolute, because Python runs in the notebook's folder, and looks whether all is there.
func (o *Options) prepare() error {
	for _, p := range []*string{&o.Lessons, &o.OutDir, &o.Lakehouse, &o.Venv, &o.Bin} {
		if *p == "" {
			continue
		}
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	for _, p := range []string{o.python(), o.Bin} {
		if _, err := os.Stat(p); err != nil {
			return fmt.Errorf("%w (is the project built? make build)", err)
		}
	}
	for _, p := range o.Notebooks {
		if st, err := os.Stat(p); err != nil {
			return fmt.Errorf("there is no notebook %s", p)
		} else if st.IsDir() {
			return fmt.Errorf("%s is a folder: name the notebooks in it", p)
		}
	}
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	if o.Table == nil {
		o.Table = io.Discard
	}
	return nil
}

func (o *Options) python() string { return filepath.Join(o.Venv, "bin", "python") }

// All lists a lessons folder's notebooks: each lesson, then its solution; last those to look things up in.
func All(lessons string) ([]string, error) {
	students, err := filepath.Glob(filepath.Join(lessons, "*.ipynb"))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, s := range students {
		out = append(out, s)
		if solved := filepath.Join(lessons, "solutions", filepath.Base(s)); exists(solved) {
			out = append(out, solved)
		}
	}
	references, err := filepath.Glob(filepath.Join(lessons, "reference", "*.ipynb"))
	if err != nil {
		return nil, err
	}
	out = append(out, references...)
	if len(out) == 0 {
		return nil, fmt.Errorf("no notebooks in %s", lessons)
	}
	return out, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
