package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRelativeLakehouse: a cell that changes its folder still means the same lakehouse.
func TestRelativeLakehouse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := driveIn(t, dir, []string{"LAKELAB_LAKEHOUSE=lakes/one"},
		step{"run": "%cd /"},
		step{"run": "fmt.Println(os.Getenv(\"LAKELAB_LAKEHOUSE\"))"})
	wantOK(t, r[1], filepath.Join(dir, "lakes/one")+"\n")
}

// TestLongTMPDIR: where sockets would have too long an address, the kernel finds another folder.
func TestLongTMPDIR(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("x", 120))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r := driveIn(t, t.TempDir(), []string{"TMPDIR=" + dir}, step{"run": "fmt.Println(os.TempDir())"}, step{"run": "panic(\"x\")"})
	wantOK(t, r[0], dir+"\n")
	wantError(t, r[1], "panic", "x")
}

// TestCannotStart: a kernel that can't run cells says so in the notebook.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	r := driveIn(t, t.TempDir(), []string{"PATH=/usr/bin:/bin"}, step{"run": "fmt.Println(1)"}, step{"complete": "fmt.Pr", "pos": 6}, step{"run": "fmt.Println(2)"})
	for _, i := range []int{0, 2} {
		wantError(t, r[i], "KernelError", "the go command is not on the PATH")
	}
}
