package build

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"mini-lakehouse-lab/kernel/internal/rundir"
	"mini-lakehouse-lab/kernel/internal/supervisor"
)

// RealTool finds a program on the PATH that is not a stand-in.
func RealTool(name string) (string, error) {
	var own os.FileInfo
	if self, err := os.Executable(); err == nil {
		own, _ = os.Stat(self)
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		file := filepath.Join(dir, name)
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 && filepath.IsAbs(dir) && !os.SameFile(st, own) {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

// inGoNB reports whether this is a call of GoNB's own in its folder, not one of a user's from a cell. The kernel's folder is
// the one above.
func inGoNB() (dir string, facts rundir.Facts, ok bool) {
	dir, err := os.Getwd()
	if err != nil || !strings.HasPrefix(filepath.Base(dir), "gonb_") {
		return "", facts, false
	}
	facts, err = rundir.ReadFacts(filepath.Dir(dir))
	return dir, facts, err == nil
}

// Go is the stand-in for the go command. It does not return.
func Go(args []string) {
	dir, facts, own := inGoNB()
	if !own || len(args) == 0 {
		runReal("go", args, os.Environ())
	}
	switch {
	case args[0] == "mod" && len(args) == 3 && args[1] == "init":
		if writeModule(facts.Project, dir, args[2]) == nil {
			os.Exit(0)
		}
	case args[0] == "get" && (len(args) == 1 || len(args) == 2 && args[1] == "-t"):
		// GoNB fetches what the cell imports. There is nothing to fetch, and without a network nothing could be.
		os.Exit(0)
	case args[0] == "build" && len(args) == 3 && args[1] == "-o":
		goBuild(facts.Project, dir, args[2])
	case (args[0] == "build" || args[0] == "test") && slices.Contains(args, "-o"):
		at := slices.Index(args, "-o") + 1
		if at < len(args) && strings.HasPrefix(filepath.Base(args[at]), "gonb_") {
			realBuild(args, at)
		}
	}
	runReal("go", args, goEnv(os.Environ(), "PWD="+dir))
}

// writeModule is `go mod init`.
func writeModule(project, dir, module string) error {
	m, err := Load(project)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("module %s\n\ngo %s\n", module, strings.TrimPrefix(m.Language, "go"))
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644)
}

func goBuild(project, dir, to string) {
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	m, loadErr := Load(project)
	if err == nil && len(files) == 1 && loadErr == nil {
		if !m.Fresh() {
			m, err = Prepare(project, io.Discard)
		}
		if err == nil && m.Knows(text) {
			output, ok, err := m.Build(project, dir, text, supervisor.Program(to))
			switch {
			case err == nil && ok:
				finish(to)
			case err == nil:
				os.Stdout.Write(output)
				os.Exit(1)
			}
		}
	}
	realBuild([]string{"build", "-o", to}, 2)
}

// realBuild builds with the go command, for what the archives can't give: other packages, more files, other flags, tests.
func realBuild(args []string, at int) {
	to := args[at]
	args = slices.Clone(args)
	args[at] = supervisor.Program(to)
	goTool, err := RealTool("go")
	if err != nil {
		fail(err)
	}
	dir, _ := os.Getwd()
	cmd := exec.Command(goTool, args...)
	cmd.Dir = dir
	cmd.Env = goEnv(os.Environ(), "PWD="+dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := runInterruptible(cmd); err != nil {
		text, _ := os.ReadFile(filepath.Join(dir, "main.go"))
		os.Stdout.Write(explain(out.Bytes(), text))
		os.Exit(1)
	}
	finish(to)
}

// lookup is go's complaint about an import that it wants to look for in a module that was never downloaded: which one, depends on the
// machine and says nothing about the import.
var lookup = regexp.MustCompile(`(?m)^(main\.go:(\d+):\d+: ).*module lookup disabled by GOPROXY=off.*$`)

// explain leads from go's words about a package that it may not fetch to what helps; source is main.go.
func explain(out, source []byte) []byte {
	lines := bytes.Split(source, []byte("\n"))
	out = lookup.ReplaceAllFunc(out, func(line []byte) []byte {
		m := lookup.FindSubmatch(line)
		n, err := strconv.Atoi(string(m[2]))
		if err != nil || n < 1 || n > len(lines) {
			return line
		}
		_, rest, _ := bytes.Cut(lines[n-1], []byte(`"`))
		path, _, ok := bytes.Cut(rest, []byte(`"`))
		if !ok {
			return line
		}
		return slices.Concat(m[1], []byte("no required module provides package "), path)
	})
	if bytes.Contains(out, []byte("no required module provides package")) || bytes.Contains(out, []byte("module lookup disabled by GOPROXY=off")) {
		return append(out, "\nCells use the packages of the project's go.mod and the standard library; nothing is fetched from the network.\n"...)
	}
	return out
}

// finish puts the supervisor where GoNB expects the program.
func finish(to string) {
	self, err := os.Executable()
	if err == nil {
		_ = os.Remove(to)
		err = os.Symlink(self, to)
	}
	if err != nil {
		fail(err)
	}
	os.Exit(0)
}

// Goimports is the stand-in for goimports as GoNB calls it: `goimports -w main.go`. It does not return.
func Goimports(args []string) {
	dir, facts, own := inGoNB()
	if own && len(args) == 2 && args[0] == "-w" {
		m, err := Load(facts.Project)
		if err == nil {
			if text, err := os.ReadFile(args[1]); err == nil {
				if fixed, ok := m.fixImports(text); ok && os.WriteFile(args[1], fixed, 0o600) == nil {
					os.Exit(0)
				}
			}
		}
	}
	env := os.Environ()
	if own {
		env = goEnv(env, "PWD="+dir)
	}
	runReal("goimports", args, env)
}

// runReal becomes the real program: beside ours, else on the user's PATH.
func runReal(name string, args, env []string) {
	file, err := RealTool(name)
	if self, selfErr := os.Executable(); selfErr == nil && name != "go" {
		beside := filepath.Join(filepath.Dir(self), name)
		if _, statErr := os.Stat(beside); statErr == nil {
			file, err = beside, nil
		}
	}
	if err != nil {
		fail(err)
	}
	fail(syscall.Exec(file, append([]string{name}, args...), env))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	var code *exec.ExitError
	if errors.As(err, &code) {
		os.Exit(code.ExitCode())
	}
	os.Exit(1)
}
