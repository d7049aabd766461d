package runner

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

//go:embed execute.py
var program string

// event is a line of execute.py.
type event struct {
	Event   string `json:"event"`
	Cells   int    `json:"cells"`
	Done    int    `json:"done"`
	Cell    int    `json:"cell"`
	ID      string `json:"id"`
	Line    int    `json:"line"`
	Name    string `json:"name"`
	Message string `json:"message"`
}

// execute runs one notebook in a lakehouse and stops that lakehouse's engine. The executed notebook goes to out; why stands before
// the notebook's name in the progress.
func (r *run) execute(ctx context.Context, path, lakehouse, out, why string) (res Result, err error) {
	res.Notebook = path
	kernel := r.Kernel
	if kernel == "" {
		if kernel, err = kernelOf(path); err != nil {
			return res, err
		}
	}
	runtime, err := os.MkdirTemp("", "lakelab-jupyter-")
	if err != nil {
		return res, err
	}
	defer os.RemoveAll(runtime)
	defer func() { err = errors.Join(err, r.stopEngine(lakehouse)) }()

	cmd := exec.CommandContext(ctx, r.python(), "-c", program, path, out, kernel, fmt.Sprint(int(cellTimeout.Seconds())))
	cmd.Env = append(os.Environ(), "LAKELAB_LAKEHOUSE="+lakehouse, "LAKELAB_BIN="+r.Bin,
		// Connection files of kernels: not into the user's home, which may not even be writable.
		"JUPYTER_RUNTIME_DIR="+runtime, "PYDEVD_DISABLE_FILE_VALIDATION=1")
	// On an interrupt Python must live long enough to end its kernel, also when Ctrl-C goes to the whole terminal.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return res, err
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return res, err
	}
	bar := newBar(r.Progress, why+r.relative(path))
	ended := false
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n') // an error's text may be long
		if err != nil {
			break
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			continue // something that a Python library printed
		}
		switch e.Event {
		case "start":
			res.Of = e.Cells
			bar.start(e.Cells)
		case "cell":
			res.Cells = e.Done
			bar.set(e.Done)
		case "error":
			res.Cells = max(0, e.Cell-1)
			res.Failure = &Failure{Cell: e.Cell, ID: e.ID, Line: e.Line, Name: e.Name, Message: e.Message}
		case "end":
			ended = true
		}
	}
	err = cmd.Wait()
	res.Elapsed = time.Since(begun)
	bar.finish(res)
	switch {
	case ctx.Err() != nil:
		return res, ctx.Err()
	case ended: // a failed cell is a result, not an error of the run
		return res, nil
	case err == nil:
		err = errors.New("it ended without a word")
	}
	return res, fmt.Errorf("nbclient: %w: %s", err, lastLine(stderr.String()))
}

// kernelOf reads which kernel a notebook asks for.
func kernelOf(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var nb struct {
		Metadata struct {
			Kernelspec struct{ Name string }
		}
	}
	if err := json.Unmarshal(text, &nb); err != nil {
		return "", fmt.Errorf("%s is not a notebook: %w", filepath.Base(path), err)
	}
	if nb.Metadata.Kernelspec.Name == "" {
		return "", fmt.Errorf("%s names no kernel", filepath.Base(path))
	}
	return nb.Metadata.Kernelspec.Name, nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
