package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/internal/taxi"
)

// run is one call of Run.
type run struct {
	Options
	dir string // temporary folder; empty until a fresh lakehouse is needed
	// stages holds, by the lessons that were executed ("04_bronze 05_silver"), the folder of the lakehouse after them.
	// Iceberg's metadata names files by absolute paths, so a stage is only read back to the very path where it was made.
	stages map[string]string
	// broken are the lessons that failed as predecessors, by the same key: they would fail again.
	broken map[string]*Result
	kept   bool
}

// notebook executes one notebook in its lakehouse.
func (r *run) notebook(ctx context.Context, path string) (Result, error) {
	if r.Lakehouse != "" {
		if err := r.data(ctx, r.Lakehouse); err != nil {
			return Result{}, err
		}
		return r.execute(ctx, path, r.Lakehouse, r.outputPath(path), "")
	}
	needs, err := needsOf(path)
	if err != nil {
		return Result{}, err
	}
	if err := r.tempDir(); err != nil {
		return Result{}, err
	}
	lakehouse := filepath.Join(r.dir, "lakehouse")
	if r.Keep { // a kept lakehouse can't share its path with the next one
		lakehouse = filepath.Join(r.dir, strings.TrimSuffix(filepath.Base(r.relative(path)), ".ipynb"))
		if exists(lakehouse) {
			lakehouse += "-" + filepath.Base(filepath.Dir(path))
		}
	}
	failed, err := r.stage(ctx, needs, lakehouse)
	if err != nil {
		return Result{}, err
	}
	if failed != nil {
		return Result{Notebook: path, Failure: &Failure{Name: "not run", Message: fmt.Sprintf("%s, which it needs, failed at %s", short(failed.Notebook), failed.Failure)}}, nil
	}
	res, err := r.execute(ctx, path, lakehouse, r.outputPath(path), "")
	if r.Keep {
		r.kept, res.Lakehouse = true, lakehouse
	}
	return res, err
}

// stage fills a lakehouse with what the lessons leave behind. A lesson that fails is returned.
func (r *run) stage(ctx context.Context, needs []string, lakehouse string) (*Result, error) {
	if err := os.RemoveAll(lakehouse); err != nil {
		return nil, err
	}
	key := lakehouse + "\n" + strings.Join(needs, " ")
	if saved, ok := r.stages[key]; ok {
		return nil, copyLakehouse(saved, lakehouse)
	}
	if failed := r.broken[key]; failed != nil {
		return failed, nil
	}
	if len(needs) == 0 {
		if err := r.data(ctx, lakehouse); err != nil {
			return nil, err
		}
	} else {
		last := needs[len(needs)-1]
		if failed, err := r.stage(ctx, needs[:len(needs)-1], lakehouse); failed != nil || err != nil {
			return failed, err
		}
		path, err := r.lesson(last)
		if err != nil {
			return nil, err
		}
		res, err := r.execute(ctx, path, lakehouse, "", "preparing: ")
		if err != nil {
			return nil, err
		}
		if res.Failure != nil {
			r.broken[key] = &res
			return &res, nil
		}
	}
	if r.Keep { // nothing else runs at this path
		return nil, nil
	}
	saved := filepath.Join(r.dir, fmt.Sprintf("stage-%d", len(r.stages)))
	if err := copyLakehouse(lakehouse, saved); err != nil {
		return nil, err
	}
	r.stages[key] = saved
	return nil, nil
}

// data makes the raw data unless the lakehouse has some.
func (r *run) data(ctx context.Context, lakehouse string) error {
	dir := filepath.Join(lakehouse, "data")
	if taxi.Present(dir) {
		return nil
	}
	return taxi.Generate(ctx, taxi.Options{Dir: dir})
}

// lesson finds the notebook of a lesson: the solved one, because the student's leaves tasks undone.
func (r *run) lesson(name string) (string, error) {
	for _, p := range []string{filepath.Join(r.Lessons, "solutions", name+".ipynb"), filepath.Join(r.Lessons, name+".ipynb")} {
		if exists(p) {
			return p, nil
		}
	}
	return "", fmt.Errorf("the lesson %s is not in %s", name, r.Lessons)
}

// needsOf reads the lessons that a notebook builds on, in the order in which they run.
func needsOf(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var nb struct {
		Metadata struct {
			Lakelab struct {
				Needs []string `json:"needs"`
			} `json:"lakelab"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(text, &nb); err != nil {
		return nil, fmt.Errorf("this is not a notebook: %w", err)
	}
	return nb.Metadata.Lakelab.Needs, nil
}

// relative is a notebook's path inside the lessons folder, or its base name.
func (r *run) relative(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		if rel, err := filepath.Rel(r.Lessons, abs); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return filepath.Base(path)
}

func (r *run) outputPath(path string) string {
	if r.OutDir == "" {
		return ""
	}
	return filepath.Join(r.OutDir, r.relative(path))
}

func (r *run) tempDir() (err error) {
	if r.dir == "" {
		r.dir, err = os.MkdirTemp("", "lakelab-run-")
	}
	return err
}

func (r *run) clean() {
	if r.dir != "" && !r.kept {
		os.RemoveAll(r.dir)
	}
}

// stopEngine ends the engine of a lakehouse, so that the folder can be copied or deleted. In a lakehouse that was given, other
// notebooks may be at work: there the engine ends only if nobody uses it.
func (r *run) stopEngine(lakehouse string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second) // also after an interrupt
	defer cancel()
	args := []string{"engine", "stop", "--lakehouse", lakehouse}
	if lakehouse == r.Lakehouse {
		args = append(args, "--if-idle")
	}
	out, err := exec.CommandContext(ctx, r.Bin, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("stop the engine of %s: %w: %s", lakehouse, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// copyLakehouse copies a lakehouse that no engine serves; what belongs to a running engine (.lakelab) stays behind.
func copyLakehouse(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir() && d.Name() == ".lakelab":
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(target, 0o755)
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a folder", path)
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
