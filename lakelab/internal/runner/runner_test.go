package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The tests run real kernels: Python's, which is in the same .venv, for the runner itself; ours in lessons_test.go.

// project is what `make build` made.
func project(t *testing.T) (root string, opts Options) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	opts = Options{Venv: filepath.Join(root, ".venv"), Bin: filepath.Join(root, "bin", "lakelab"), Lessons: filepath.Join(root, "notebooks")}
	for _, p := range []string{opts.python(), opts.Bin} {
		if !exists(p) {
			t.Fatalf("%s is not there: make build", p)
		}
	}
	return root, opts
}

// notebook writes a Python notebook with one cell per text.
func notebook(t *testing.T, path string, needs []string, cells ...string) string {
	t.Helper()
	nb := map[string]any{
		"nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]string{"name": "python3", "display_name": "Python 3"}, "lakelab": map[string]any{"needs": needs}},
	}
	list := []any{map[string]any{"cell_type": "markdown", "id": "text", "metadata": map[string]any{}, "source": "# Text"}}
	for i, c := range cells {
		list = append(list, map[string]any{"cell_type": "code", "id": "cell-" + string(rune('a'+i)), "metadata": map[string]any{}, "source": c, "outputs": []any{}, "execution_count": nil})
	}
	nb["cells"] = list
	text, err := json.Marshal(nb)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestResults(t *testing.T) {
	_, opts := project(t)
	dir := t.TempDir()
	opts.Lessons = dir
	opts.OutDir = filepath.Join(dir, "out")
	good := notebook(t, filepath.Join(dir, "01_good.ipynb"), nil, "x = 1", "print(x + 1)")
	bad := notebook(t, filepath.Join(dir, "02_bad.ipynb"), nil, "print('before')", "y = 1\nraise ValueError('no good')", "print('after')")
	dead := notebook(t, filepath.Join(dir, "03_dead.ipynb"), nil, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
	opts.Notebooks = []string{good, bad, dead}
	var table, progress bytes.Buffer
	opts.Table, opts.Progress = &table, &progress
	results, err := Run(context.Background(), opts)
	if !errors.Is(err, ErrFailed) {
		t.Fatal(err)
	}
	if r := results[0]; r.Failure != nil || r.Cells != 2 || r.Of != 2 {
		t.Errorf("good: %+v", r)
	}
	if f := results[1].Failure; f == nil || f.Cell != 2 || f.Line != 2 || f.ID != "cell-b" || f.Name != "ValueError" || f.Message != "no good" {
		t.Errorf("bad: %+v", f)
	}
	if results[1].Cells != 1 {
		t.Errorf("bad: %d cells ran, want 1", results[1].Cells)
	}
	if f := results[2].Failure; f == nil || f.Name != "DeadKernel" || f.Cell != 1 {
		t.Errorf("dead: %+v", f)
	}
	for _, want := range []string{"01_good.ipynb", "2/2", "ok", "FAILED cell 2, line 2: ValueError: no good"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &table)
		}
	}
	if !strings.Contains(progress.String(), "02_bad.ipynb: 1 of 3 cells") {
		t.Errorf("progress: %s", &progress)
	}
	executed, err := os.ReadFile(filepath.Join(opts.OutDir, "02_bad.ipynb"))
	if err != nil || !strings.Contains(string(executed), "before") || !strings.Contains(string(executed), "no good") {
		t.Errorf("the executed notebook lacks outputs (%v)", err)
	}
}

// A lesson finds what the lessons that it needs leave behind, those run once, and nobody sees another notebook's traces.
func TestStages(t *testing.T) {
	_, opts := project(t)
	dir := t.TempDir()
	opts.Lessons = dir
	lake := "import os\nlake = os.environ['LAKELAB_LAKEHOUSE']\n"
	count := filepath.Join(dir, "count")
	notebook(t, filepath.Join(dir, "01_first.ipynb"), nil, "raise Exception('the student version must not be the predecessor')")
	notebook(t, filepath.Join(dir, "solutions", "01_first.ipynb"), nil, lake+"assert os.listdir(lake) == ['data']\nopen(lake + '/first', 'w').write('1')\nopen('"+count+"', 'a').write('x')")
	notebook(t, filepath.Join(dir, "02_second.ipynb"), []string{"01_first"}, lake+"open(lake + '/second', 'w').write(open(lake + '/first').read())")
	three := lake + "assert open(lake + '/second').read() == '1'\nassert not os.path.exists(lake + '/third')\nopen(lake + '/third', 'w')"
	a := notebook(t, filepath.Join(dir, "03_a.ipynb"), []string{"01_first", "02_second"}, three)
	b := notebook(t, filepath.Join(dir, "03_b.ipynb"), []string{"01_first", "02_second"}, three)
	opts.Notebooks = []string{a, b}
	var table bytes.Buffer
	opts.Table = &table
	if _, err := Run(context.Background(), opts); err != nil {
		t.Fatalf("%v\n%s", err, &table)
	}
	if x, _ := os.ReadFile(count); string(x) != "x" {
		t.Errorf("the first lesson ran %d times, want once", len(x))
	}

	opts.Keep, opts.Notebooks = true, []string{a}
	results, err := Run(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if kept := results[0].Lakehouse; !exists(filepath.Join(kept, "third")) {
		t.Errorf("the lakehouse %q was not kept", kept)
	} else {
		os.RemoveAll(filepath.Dir(kept))
	}

	broken := notebook(t, filepath.Join(dir, "04_x.ipynb"), []string{"01_first", "05_broken"}, "print(1)")
	notebook(t, filepath.Join(dir, "05_broken.ipynb"), nil, "1/0")
	opts.Keep, opts.Notebooks = false, []string{broken}
	results, err = Run(context.Background(), opts)
	if !errors.Is(err, ErrFailed) || results[0].Failure == nil || !strings.Contains(results[0].Failure.Message, "05_broken.ipynb") {
		t.Errorf("%v %+v", err, results)
	}
}

// One lakehouse for all, as it stands.
func TestGivenLakehouse(t *testing.T) {
	_, opts := project(t)
	dir := t.TempDir()
	opts.Lakehouse = filepath.Join(dir, "lake")
	lake := "import os\nlake = os.environ['LAKELAB_LAKEHOUSE']\n"
	opts.Notebooks = []string{
		notebook(t, filepath.Join(dir, "a.ipynb"), []string{"no_such_lesson"}, lake+"open(lake + '/a', 'w')"),
		notebook(t, filepath.Join(dir, "b.ipynb"), nil, lake+"assert os.path.exists(lake + '/a')"),
	}
	if _, err := Run(context.Background(), opts); err != nil {
		t.Fatal(err)
	}
}

// An interrupt ends Python and its kernel.
func TestInterrupt(t *testing.T) {
	_, opts := project(t)
	dir := t.TempDir()
	pid := filepath.Join(dir, "pid")
	opts.Lakehouse = filepath.Join(dir, "lake")
	opts.Notebooks = []string{notebook(t, filepath.Join(dir, "a.ipynb"), nil, "import os, time\nopen('"+pid+"', 'w').write(str(os.getpid()))\ntime.sleep(600)")}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for !exists(pid) {
			time.Sleep(50 * time.Millisecond)
		}
		time.Sleep(200 * time.Millisecond)
		cancel()
	}()
	begun := time.Now()
	if _, err := Run(ctx, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if d := time.Since(begun); d > 60*time.Second {
		t.Errorf("it took %s", d)
	}
	kernel, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; exists("/proc/" + string(kernel)); i++ {
		if i > 100 {
			t.Fatalf("the kernel %s is still there", kernel)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestMissingParts(t *testing.T) {
	_, opts := project(t)
	opts.Notebooks = []string{"no_such.ipynb"}
	if _, err := Run(context.Background(), opts); err == nil || !strings.Contains(err.Error(), "no_such.ipynb") {
		t.Errorf("error %v", err)
	}
}
