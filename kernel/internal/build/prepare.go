// Package build is what stands in for `go` and `goimports` on GoNB's PATH.
//
// GoNB runs goimports, `go get` and `go build` for every cell; asked seriously, they cost half a second. Prepare keeps
// copies of the compiled standard library and of the packages that cells import (archives), with a table of package names.
// With these a cell's imports are checked without any tool, and the cell is compiled and linked directly; a program whose
// text did not change is reused. Whatever the archives can't answer goes to the real tools.
// Callers: the kernel's main for the stand-ins and the command `prepare`, package proxy at a kernel's start.
package build

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// wanted are the packages, besides the standard library, for which archives are made.
var wanted = []string{
	"mini-lakehouse-lab/lakelab", "mini-lakehouse-lab/lakelab/functions", "mini-lakehouse-lab/lakelab/types",
	"github.com/janpfeifer/gonb/gonbui", "github.com/janpfeifer/gonb/gonbui/dom", "github.com/janpfeifer/gonb/gonbui/widgets",
	"github.com/go-echarts/go-echarts/v2/charts", "github.com/go-echarts/go-echarts/v2/opts",
	"github.com/go-echarts/go-echarts/v2/components", "github.com/go-echarts/go-echarts/v2/types",
}

// Manifest describes a set of archives.
type Manifest struct {
	Key       string            // what the archives were made from
	GoVersion string            // as `go env GOVERSION` says
	Go        string            // the go command
	ToolDir   string            // where compile and link are
	Language  string            // for compile -lang
	Packages  map[string]string // import path → package name
	Sources   []string          // folders and files whose contents went into the archives

	dir string
}

// Cache is where a project keeps archives and reused programs.
func Cache(project string) string { return filepath.Join(project, ".cache") }

func archives(project string) string { return filepath.Join(Cache(project), "archives") }

func preparedDir(project string) string { return filepath.Join(Cache(project), "prepared") }

// Load reads the project's current archives.
func Load(project string) (*Manifest, error) {
	name, err := os.ReadFile(filepath.Join(preparedDir(project), "current"))
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(preparedDir(project), filepath.Base(strings.TrimSpace(string(name))))
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, err
	}
	m := &Manifest{dir: dir}
	return m, json.Unmarshal(text, m)
}

// Fresh reports whether the archives still belong to the sources and to Go.
func (m *Manifest) Fresh() bool {
	key, err := sourcesKey(m.Go, m.GoVersion, m.Sources)
	return err == nil && key == m.Key
}

// sourcesKey is a hash over the sources' contents and the tools.
func sourcesKey(goTool, version string, sources []string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, version, goTool, runtime.GOOS, runtime.GOARCH, wanted)
	for _, dir := range sources {
		files := []string{dir}
		if st, err := os.Stat(dir); err != nil {
			return "", err
		} else if st.IsDir() {
			if files, err = filepath.Glob(filepath.Join(dir, "*.go")); err != nil {
				return "", err
			}
		}
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") {
				continue
			}
			text, err := os.ReadFile(f)
			if err != nil {
				return "", err
			}
			fmt.Fprintln(h, f, len(text))
			h.Write(text)
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:24], nil
}

// Prepare makes the archives unless those at hand are fresh. It says what it does on say.
func Prepare(project string, say io.Writer) (*Manifest, error) {
	if err := os.MkdirAll(preparedDir(project), 0o755); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(preparedDir(project), "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, err
	}
	goTool, version, toolDir, err := findGo()
	if err != nil {
		return nil, err
	}
	if m, err := Load(project); err == nil && m.Go == goTool && m.GoVersion == version && m.Fresh() {
		fmt.Fprintln(say, "archives for cells: up to date")
		return m, nil
	}
	start := time.Now()
	fmt.Fprintln(say, "archives for cells: compiling the standard library and lakelab (20 seconds to a minute the first time)")
	m := &Manifest{GoVersion: version, Go: goTool, ToolDir: toolDir, Language: language(version), Packages: map[string]string{}}
	if err := m.make(project); err != nil {
		return nil, err
	}
	removeOld(project, m)
	fmt.Fprintf(say, "archives for cells: %d packages in %.0f seconds\n", len(m.Packages), time.Since(start).Seconds())
	return m, nil
}

type listed struct {
	ImportPath, Name, Dir, Export string
	Standard                      bool
	Incomplete                    bool
	GoFiles                       []string
	Error                         *struct{ Err string }
	Module                        *struct{ Main bool }
}

func (m *Manifest) make(project string) error {
	args := append([]string{"list", "-e", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,Standard,Incomplete,Error,Module", "std"}, wanted...)
	cmd := exec.Command(m.Go, args...)
	cmd.Dir = project
	cmd.Env = goEnv(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w\n%s", err, problems.Bytes())
	}
	tmp, err := os.MkdirTemp(preparedDir(project), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := os.MkdirAll(archives(project), 0o755); err != nil {
		return err
	}
	var config bytes.Buffer
	var missing []string
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if !p.Standard && p.Module != nil && p.Module.Main {
			m.Sources = append(m.Sources, p.Dir)
		}
		if p.Export == "" {
			if slices.Contains(wanted, p.ImportPath) {
				missing = append(missing, p.ImportPath)
			}
			continue
		}
		// Go's cache names files by their contents, and so are the copies; the cache itself is trimmed by and by.
		archive := filepath.Join(archives(project), filepath.Base(p.Export)+".a")
		if _, err := os.Stat(archive); err != nil {
			if err := copyFile(p.Export, archive+".new", 0o644); err != nil {
				return err
			}
			if err := os.Rename(archive+".new", archive); err != nil {
				return err
			}
		}
		fmt.Fprintf(&config, "packagefile %s=%s\n", p.ImportPath, archive)
		m.Packages[p.ImportPath] = p.Name
	}
	if len(missing) > 0 {
		return fmt.Errorf("no archive of %s: not downloaded (go mod download) or it does not compile\n%s", strings.Join(missing, ", "), problems.Bytes())
	}
	m.Sources = append(m.Sources, filepath.Join(project, "go.mod"))
	slices.Sort(m.Sources)
	if m.Key, err = sourcesKey(m.Go, m.GoVersion, m.Sources); err != nil {
		return err
	}
	// A name of its own for every set: a program may be linked from the old one right now.
	name := fmt.Sprintf("%s-%x", m.Key[:12], time.Now().UnixNano())
	m.dir = filepath.Join(preparedDir(project), name)
	if err := os.WriteFile(filepath.Join(tmp, "importcfg"), config.Bytes(), 0o644); err != nil {
		return err
	}
	manifest, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(tmp, "manifest.json"), manifest, 0o644); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := os.Rename(tmp, m.dir); err != nil {
		return err
	}
	return writeAtomic(filepath.Join(preparedDir(project), "current"), []byte(name+"\n"))
}

// removeOld removes sets and archives that nobody links from any more.
func removeOld(project string, current *Manifest) {
	config, err := os.ReadFile(filepath.Join(current.dir, "importcfg"))
	if err != nil {
		return
	}
	old := func(path string) bool {
		st, err := os.Stat(path)
		return err == nil && time.Since(st.ModTime()) > 10*time.Minute
	}
	manifests, _ := filepath.Glob(filepath.Join(preparedDir(project), "*", "manifest.json"))
	for _, manifest := range manifests {
		if dir := filepath.Dir(manifest); dir != current.dir && old(manifest) {
			_ = os.RemoveAll(dir)
		}
	}
	files, _ := filepath.Glob(filepath.Join(archives(project), "*"))
	for _, file := range files {
		if old(file) && !bytes.Contains(config, []byte("="+file+"\n")) {
			_ = os.Remove(file)
		}
	}
}

// findGo finds the go command behind the stand-ins, its version and its tools.
func findGo() (goTool, version, toolDir string, err error) {
	goTool, err = RealTool("go")
	if err != nil {
		return
	}
	cmd := exec.Command(goTool, "env", "GOVERSION", "GOTOOLDIR")
	cmd.Env = goEnv(os.Environ(), "GOWORK=off")
	cmd.Dir = "/"
	out, err := cmd.Output()
	if err != nil {
		return "", "", "", fmt.Errorf("go env: %w", err)
	}
	sc := bufio.NewScanner(bytes.NewReader(out))
	for _, into := range []*string{&version, &toolDir} {
		if sc.Scan() {
			*into = sc.Text()
		}
	}
	return
}

// language is go1.26 for go1.26.8.
func language(version string) string {
	version, _, _ = strings.Cut(version, " ")
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// goEnv is env without what would send the go command to the network or into another workspace, and with add.
func goEnv(env []string, add ...string) []string {
	drop := []string{"GOFLAGS=", "GOWORK=", "GOPROXY=", "GO111MODULE=", "PWD="}
	out := slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		return slices.ContainsFunc(append(drop, add...), func(d string) bool {
			return strings.HasPrefix(e, d[:strings.IndexByte(d, '=')+1])
		})
	})
	return append(append(out, "GOPROXY=off", "GOFLAGS="), add...)
}

func writeAtomic(path string, text []byte) error {
	tmp := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(tmp, text, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

func copyFile(from, to string, mode os.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
