package rundir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSweep: a kernel that was killed together with its watchdog still leaves the engine, and its folder goes.
func TestSweep(t *testing.T) {
	base, err := os.MkdirTemp("/tmp", "rd")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base)
	t.Setenv("TMPDIR", base)
	dead, err := Create()
	if err != nil {
		t.Fatal(err)
	}
	living, err := Create()
	if err != nil {
		t.Fatal(err)
	}
	said := filepath.Join(base, "said")
	if err := SetFacts(dead.Path, Facts{Goodbye: []string{"touch", said}}); err != nil {
		t.Fatal(err)
	}
	dead.lock.Close() // as its death does
	Sweep()
	for range 100 {
		if _, err = os.Stat(said); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		t.Error("the session is not ended:", err)
	}
	if _, err := os.Stat(dead.Path); err == nil {
		t.Error("the folder stays")
	}
	if _, err := os.Stat(living.Path); err != nil {
		t.Error("a living kernel's folder is gone:", err)
	}
}

// TestSweepLeavesOthers: what stands in a folder that others may have written is not run, and its processes are not killed.
func TestSweepLeavesOthers(t *testing.T) {
	base, err := os.MkdirTemp("/tmp", "rd")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base)
	t.Setenv("TMPDIR", base)
	said := filepath.Join(base, "said")
	plant := func(dir string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "lock"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := SetFacts(dir, Facts{Goodbye: []string{"touch", said}}); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
	}
	planted := []string{filepath.Join(base, prefix+"open"), filepath.Join(base, prefix+"listed"), filepath.Join(base, prefix+"link")}
	plant(planted[0], 0o777)
	plant(planted[1], 0o755)
	elsewhere := filepath.Join(base, "elsewhere")
	plant(elsewhere, 0o700)
	if err := os.Symlink(elsewhere, planted[2]); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 { // only root can give a folder away
		owned := filepath.Join(base, prefix+"owned")
		plant(owned, 0o700)
		if err := os.Chown(owned, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		planted = append(planted, owned)
	}
	Sweep()
	time.Sleep(300 * time.Millisecond)
	if _, err := os.Stat(said); err == nil {
		t.Error("what stands in another user's folder ran")
	}
	for _, dir := range planted {
		if _, err := os.Stat(filepath.Join(dir, "kernel.json")); err != nil {
			t.Error(err)
		}
	}
}

// TestCreate passes over folders that a kernel can't work in, and says why if there is no other.
func TestCreate(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("x", 100))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	d, err := Create()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(d.Path)
	if filepath.Dir(d.Path) != "/tmp" {
		t.Error(d.Path)
	}
	if _, err := createIn(long); err == nil || !strings.Contains(err.Error(), "too long a path for sockets") {
		t.Error(err)
	}
}

func TestCellEnv(t *testing.T) {
	f := Facts{Tmp: "/mine", Env: []string{"LAKELAB_SESSION=s"}}
	got := f.CellEnv("/run/k", []string{"A=1", "TMPDIR=/run/k", "PATH=/run/k/bin:/usr/bin", "LAKELAB_SESSION=other"})
	for _, want := range []string{"A=1", "TMPDIR=/mine", "PATH=/usr/bin"} {
		if !slices.Contains(got, want) {
			t.Errorf("%v lacks %s", got, want)
		}
	}
	if got[len(got)-1] != "LAKELAB_SESSION=s" {
		t.Error(got)
	}
	if got := f.CellEnv("/run/k", []string{"TMPDIR=/theirs"}); got[0] != "TMPDIR=/theirs" {
		t.Error(got)
	}
}
