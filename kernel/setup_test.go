package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// The tests run the real kernel under the real jupyter of the project's .venv. The kernel is built from this source, GoNB
// from go.mod, into a folder of their own.

var setup struct {
	once    sync.Once
	err     error
	dir     string // holds bin/ and venv/
	project string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if setup.dir != "" {
		_ = os.RemoveAll(setup.dir)
	}
	os.Exit(code)
}

// jupyter prepares everything once and returns the project's Python environment.
func jupyter(t *testing.T) string {
	t.Helper()
	project, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	venv := filepath.Join(project, ".venv")
	if _, err := os.Stat(filepath.Join(venv, "bin", "jupyter")); err != nil {
		t.Fatal("these tests need JupyterLab: run make build first")
	}
	setup.once.Do(func() { setup.project = project; setup.err = buildAll(project, venv) })
	if setup.err != nil {
		t.Fatal(setup.err)
	}
	return venv
}

func buildAll(project, venv string) error {
	dir, err := os.MkdirTemp("", "lakelab-kernel-test-")
	if err != nil {
		return err
	}
	setup.dir = dir
	bin := filepath.Join(dir, "bin")
	for _, b := range []struct{ in, pkg, name string }{
		{".", ".", "lakelab-kernel"},
		{".", "github.com/janpfeifer/gonb", "gonb"},
		{".", "golang.org/x/tools/cmd/goimports", "goimports"},
		{"gopls", "golang.org/x/tools/gopls", "gopls"},
	} {
		cmd := exec.Command("go", "build", "-o", filepath.Join(bin, b.name), b.pkg)
		cmd.Dir = b.in
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("go build %s: %w\n%s", b.pkg, err, out)
		}
	}
	fake := filepath.Join(dir, "venv")
	if err := os.MkdirAll(filepath.Join(fake, "bin"), 0o755); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(venv, "bin", "jupyter"), filepath.Join(fake, "bin", "jupyter")); err != nil {
		return err
	}
	kernel := filepath.Join(bin, "lakelab-kernel")
	for _, args := range [][]string{{"prepare", "--project", project}, {"install", "--venv", fake, "--project", project}, {"install", "--stock", "--venv", fake, "--project", project}} {
		if out, err := exec.Command(kernel, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", args, err, out)
		}
	}
	// The kernelspecs name the project's own programs; the tests are about these.
	specs, err := filepath.Glob(filepath.Join(fake, "share", "jupyter", "kernels", "*", "kernel.json"))
	if err != nil {
		return err
	}
	for _, spec := range specs {
		text, err := os.ReadFile(spec)
		if err != nil {
			return err
		}
		if err := os.WriteFile(spec, bytes.ReplaceAll(text, []byte(filepath.Join(project, "bin")), []byte(bin)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// environment is that of one test: a temporary folder of its own, in which nothing may stay behind.
func environment(t *testing.T) (env []string, tmp string) {
	t.Helper()
	// Short, because unix sockets have short names.
	tmp, err := os.MkdirTemp("", "lk")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(tmp) })
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); name != "TMPDIR" && name != "JUPYTER_PATH" && name != "GOFLAGS" && !strings.HasPrefix(name, "LAKELAB_") {
			env = append(env, e)
		}
	}
	home := t.TempDir()
	return append(env, "TMPDIR="+tmp, "JUPYTER_PATH="+filepath.Join(setup.dir, "venv", "share", "jupyter"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(home, "runtime"), "IPYTHONDIR="+home,
		"LAKELAB_LAKEHOUSE="+filepath.Join(home, "lakehouse")), tmp
}

type step map[string]any

type result struct {
	Status     string   `json:"status"`
	Stdout     string   `json:"stdout"`
	Stderr     string   `json:"stderr"`
	StdoutSize int      `json:"stdout_size"`
	StdoutEnd  string   `json:"stdout_end"`
	StderrEnd  string   `json:"stderr_end"`
	Broken     int      `json:"broken"`  // letters that were cut
	Streams    int      `json:"streams"` // messages
	Waited     float64  `json:"waited"`  // from the action to the end, in seconds
	RSS        int      `json:"rss"`     // of kernel and GoNB, in megabytes
	Displays   int      `json:"displays"`
	Size       int      `json:"size"`
	Order      []string `json:"order"`
	Seconds    float64  `json:"seconds"`
	All        []string `json:"all"`
	Error      *struct {
		Name      string   `json:"ename"`
		Value     string   `json:"evalue"`
		Traceback []string `json:"traceback"`
	} `json:"error"`
	Matches  []string          `json:"matches"`
	Replaced string            `json:"replaced"`
	Busy     float64           `json:"busy"`
	Found    bool              `json:"found"`
	Data     map[string]string `json:"data"`
}

// drive runs steps in one kernel and then checks that nothing stayed behind.
func drive(t *testing.T, steps ...step) []result {
	t.Helper()
	return driveIn(t, t.TempDir(), nil, steps...)
}

// driveIn is drive in a folder, with changes to the environment.
func driveIn(t *testing.T, dir string, changes []string, steps ...step) []result {
	t.Helper()
	venv := jupyter(t)
	env, tmp := environment(t)
	env = append(env, changes...)
	request, err := json.Marshal(map[string]any{"kernel": "lakelab", "steps": steps})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(venv, "bin", "python"), filepath.Join(mustAbs(t, "testdata"), "drive.py"))
	cmd.Env, cmd.Dir = env, dir
	cmd.Stdin = bytes.NewReader(request)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("drive.py: %v\n%s", err, errors.Bytes())
	}
	var results []result
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(results) != len(steps) {
		t.Fatalf("%d results for %d steps", len(results), len(steps))
	}
	leftovers(t, tmp)
	return results
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// leftovers waits a moment for the watchdog and fails if processes or files of a test's kernels are still there.
func leftovers(t *testing.T, tmp string) {
	t.Helper()
	var files, processes []string
	for range 50 {
		files, processes = nil, nil
		entries, _ := os.ReadDir(tmp)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "lakelab-kernel-") || strings.HasPrefix(e.Name(), "gonb_") {
				files = append(files, e.Name())
			}
		}
		environs, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, path := range environs {
			text, err := os.ReadFile(path)
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			// The engine outlives kernels on purpose; it ends by itself.
			if err == nil && bytes.Contains(text, []byte(tmp)) && !bytes.Contains(command, []byte("serve")) {
				processes = append(processes, string(bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
			}
		}
		if len(files)+len(processes) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("left behind: files %q, processes %q", files, processes)
}
