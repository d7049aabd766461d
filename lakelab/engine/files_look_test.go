package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
)

// Neither .. nor a symbolic link leads spark.Files() out of the lakehouse and the notebook's folder.
func TestFilesStayInside(t *testing.T) {
	top := t.TempDir()
	cwd, outside := filepath.Join(top, "notebooks"), filepath.Join(top, "outside")
	for path, text := range map[string]string{"notebooks/a/x": "xx", "notebooks/a/sub/y": "yyy", "outside/secret": "s", "notebooks/.hidden": "", "lake/.lakelab/engine.lock": ""} {
		path = filepath.Join(top, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"notebooks/out": outside, "notebooks/file": filepath.Join(outside, "secret"), "notebooks/a/in": filepath.Join(cwd, "a", "sub")} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.Open(t.Context(), filepath.Join(top, "lake"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "files", cwd)

	refused := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "not allowed") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, path := range []string{"../outside", "out", "out/secret", "file", outside, "a/../../outside/secret", "file:" + outside, "/", ".."} {
		_, err := s.ListFiles(path)
		refused("list "+path, err)
		_, err = s.WalkFiles(path)
		refused("walk "+path, err)
		_, err = s.FileExists(path)
		refused("exists "+path, err)
	}
	_, err = s.FileExists("out/new")
	refused("exists out/new", err)
	for _, path := range []string{"../outside", "out/secret", outside, "a/../../outside", "/", "..", ".", "", cwd, e.Dir, e.Dir + "/.lakelab", e.Dir + "/catalog.db"} {
		_, err := s.DeleteFile(path)
		refused("delete "+path, err)
		refused("move "+path, s.MoveFile(path, "b"))
	}
	for _, path := range []string{"../outside/x", "out/x", outside + "/x", e.Dir + "/.lakelab/x"} {
		refused("move to "+path, s.MoveFile("a/x", path))
	}
	// A link is removed, not what it points to; a folder with a link in it takes only the link along.
	for _, path := range []string{"out", "a/in"} {
		if ok, err := s.DeleteFile(path); !ok || err != nil {
			t.Errorf("delete %s: %t, %v", path, ok, err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(cwd, "a", "out")); err != nil {
		t.Fatal(err)
	}
	walked, err := s.WalkFiles("a")
	if err != nil || len(walked) != 3 {
		t.Errorf("walk: %v, %v", walked, err)
	}
	if err := s.MoveFile("a", "b/c"); err != nil {
		t.Error(err)
	}
	if err := s.MoveFile("b", ".hidden"); err == nil || !strings.Contains(err.Error(), "PATH_ALREADY_EXISTS") {
		t.Errorf("move onto a file: %v", err)
	}
	if ok, err := s.DeleteFile("b"); !ok || err != nil {
		t.Errorf("delete b: %t, %v", ok, err)
	}
	if ok, err := s.DeleteFile("b"); ok || err != nil {
		t.Errorf("delete b again: %t, %v", ok, err)
	}
	if b, err := os.ReadFile(filepath.Join(outside, "secret")); err != nil || string(b) != "s" {
		t.Errorf("the file outside: %q, %v", b, err)
	}
}
