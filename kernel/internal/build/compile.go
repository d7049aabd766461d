package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Knows reports whether there is an archive for every import of a Go file.
func (m *Manifest) Knows(text []byte) bool {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", text, parser.ImportsOnly)
	if err != nil {
		return false
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || path != "unsafe" && m.Packages[path] == "" {
			return false
		}
	}
	return true
}

// EnvNoReuse, if it is not empty, makes every cell be compiled anew: for benchmarks.
const EnvNoReuse = "LAKELAB_NO_REUSE"

// Build makes the program to of dir/main.go, whose text is given, or takes it from the programs built earlier. A compile
// error's text is returned as output with ok false.
func (m *Manifest) Build(project, dir string, text []byte, to string) (output []byte, ok bool, err error) {
	sum := sha256.Sum256(append([]byte(m.Key+m.GoVersion+"\n"), text...))
	programs := filepath.Join(Cache(project), "programs")
	kept := filepath.Join(programs, hex.EncodeToString(sum[:16]))
	if os.Getenv(EnvNoReuse) == "" && linkOrCopy(kept, to) == nil {
		now := time.Now()
		_ = os.Chtimes(kept, now, now)
		return nil, true, nil
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return nil, false, err
	}
	defer os.RemoveAll(work)
	config := filepath.Join(m.dir, "importcfg")
	object, program := filepath.Join(work, "main.a"), filepath.Join(work, "main")
	// Paths are cut, so that the same text makes the same program in every kernel.
	compile := exec.Command(filepath.Join(m.ToolDir, "compile"), "-o", object, "-p", "main", "-lang="+m.Language, "-complete", "-pack",
		"-trimpath", dir+"=>cell", "-importcfg", config, filepath.Join(dir, "main.go"))
	compile.Dir = dir
	compile.Env = goEnv(os.Environ(), "CGO_ENABLED=0")
	if output, err = compile.CombinedOutput(); err != nil {
		if _, failed := err.(*exec.ExitError); failed && bytes.Contains(output, []byte("main.go:")) {
			return output, false, nil
		}
		return output, false, fmt.Errorf("compile: %w", err)
	}
	mode := "exe"
	if runtime.GOOS == "darwin" {
		mode = "pie"
	}
	link := exec.Command(filepath.Join(m.ToolDir, "link"), "-o", program, "-importcfg", config, "-s", "-w", "-buildmode="+mode, object)
	link.Dir = dir
	link.Env = compile.Env
	if output, err = link.CombinedOutput(); err != nil {
		return output, false, fmt.Errorf("link: %w\n%s", err, output)
	}
	if err := linkOrCopy(program, to); err != nil {
		return nil, false, err
	}
	if os.MkdirAll(programs, 0o755) == nil {
		keep(program, kept)
		prune(programs)
	}
	return nil, true, nil
}

// keep puts a program among those that are reused. Failing to is no failure of the build.
func keep(program, kept string) {
	tmp := fmt.Sprintf("%s.%d", kept, os.Getpid())
	if linkOrCopy(program, tmp) != nil || os.Rename(tmp, kept) != nil {
		_ = os.Remove(tmp)
	}
}

// linkOrCopy gives a program a second name; the temporary folder may be another file system.
func linkOrCopy(from, to string) error {
	if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	return copyFile(from, to, 0o755)
}

// programLimit bounds the programs kept for reuse.
const programLimit = 400 << 20

// prune removes the programs that were not used for the longest time. It looks at the folder now and then only.
func prune(dir string) {
	stamp := filepath.Join(dir, ".pruned")
	if st, err := os.Stat(stamp); err == nil && time.Since(st.ModTime()) < time.Minute {
		return
	}
	_ = os.WriteFile(stamp, nil, 0o644)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	type program struct {
		path string
		size int64
		used time.Time
	}
	var programs []program
	var total int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !strings.HasPrefix(e.Name(), ".") {
			programs = append(programs, program{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
			total += info.Size()
		}
	}
	slices.SortFunc(programs, func(a, b program) int { return a.used.Compare(b.used) })
	for _, p := range programs {
		if total <= programLimit {
			return
		}
		if os.Remove(p.path) == nil {
			total -= p.size
		}
	}
}
