// Package rundir keeps everything that a running kernel leaves on the machine in one place, so that it can be removed
// whole: a private folder under the temporary folder (sockets, GoNB's own `gonb_*` folder, the stand-ins' links, the
// kernel's facts) and the process groups that belong to the kernel.
//
// Who cleans up: the kernel at a regular end; its watchdog, a process in a session of its own, when the kernel died in any
// other way; the next kernel's start (Sweep) when both died. Packages proxy, build and supervisor know the folder.
package rundir

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

const prefix = "lakelab-kernel-"

// Dir is the folder of one kernel process.
type Dir struct {
	Path string
	lock *os.File
}

// longestBase is the longest temporary folder whose sockets still have an address: GoNB puts one two levels deeper.
const longestBase = 45

// bases are the folders that a kernel's folder may be in: the temporary folder and, where that doesn't do, /tmp.
func bases() []string {
	list := []string{os.TempDir()}
	if !slices.Contains(list, "/tmp") {
		list = append(list, "/tmp")
	}
	return list
}

// Create makes the folder and locks it for as long as this process lives. A temporary folder that is too deep for sockets,
// or from which no program may be started, is passed over.
func Create() (*Dir, error) {
	var problem error
	for _, base := range bases() {
		d, err := createIn(base)
		if err == nil {
			return d, nil
		}
		if problem == nil {
			problem = fmt.Errorf("no folder for the kernel: %w", err)
		} else {
			problem = fmt.Errorf("%w; %w", problem, err)
		}
	}
	return nil, fmt.Errorf("%w; set TMPDIR to a short path of a folder that programs may run in", problem)
}

func createIn(base string) (*Dir, error) {
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	if len(base) > longestBase {
		return nil, fmt.Errorf("%s is too long a path for sockets (%d characters at most)", base, longestBase)
	}
	path, err := os.MkdirTemp(base, prefix)
	if err != nil {
		return nil, err
	}
	if err := tryProgram(path); err != nil {
		_ = os.RemoveAll(path)
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, fmt.Errorf("%s: %w", lock.Name(), err)
	}
	return &Dir{Path: path, lock: lock}, nil
}

// tryProgram finds out whether programs may be started from a folder: some are mounted noexec.
func tryProgram(dir string) error {
	file := filepath.Join(dir, "try")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o700); err != nil {
		return err
	}
	defer os.Remove(file)
	if err := exec.Command(file).Run(); err != nil {
		return fmt.Errorf("programs can't be started from %s (is it mounted noexec?): %w", filepath.Dir(dir), err)
	}
	return nil
}

// File is a path inside the folder.
func (d *Dir) File(elem ...string) string {
	return filepath.Join(append([]string{d.Path}, elem...)...)
}

// Clean kills the recorded process groups and removes the folder.
func Clean(dir string) error {
	for _, pgid := range groups(dir) {
		_ = syscall.Kill(-pgid, syscall.SIGKILL)
	}
	return remove(dir)
}

// remove removes a kernel's folder. A process that is just being killed may still make files in it.
func remove(dir string) error {
	var err error
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// Sweep removes the folders of this user's kernels that died together with their watchdogs, and ends their sessions with
// the engine.
func Sweep() {
	for _, base := range bases() {
		dirs, _ := filepath.Glob(filepath.Join(base, prefix+"*"))
		for _, dir := range dirs {
			sweep(dir)
		}
	}
}

// ours says whether a folder is one that Create made for this user. Everybody may write to a temporary folder, and what a
// kernel's folder says is run: a folder that another user owns, or could have written to, is not looked into.
func ours(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

func sweep(dir string) {
	if !ours(dir) {
		return
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
	if err != nil {
		return // not locked yet
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return
	}
	facts, _ := ReadFacts(dir)
	// Its process groups are long gone, and their numbers may be other processes' by now: they are not killed.
	_ = remove(dir)
	go facts.sayGoodbye()
}

// StartWatchdog starts this program as the watchdog of dir. The pipe to it closes with this process, however that ends;
// the watchdog then cleans up and says goodbye to the engine. dismiss makes it do so now and waits for it.
func StartWatchdog(program, dir string) (dismiss func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command(program, "watchdog", dir)
	cmd.Stdin = r
	cmd.Dir = "/"
	// A session of its own: Jupyter kills the kernel's whole process group.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil, err
	}
	return func() {
		w.Close()
		_ = cmd.Wait()
	}, nil
}

// Watch is the watchdog: it waits for the kernel's end, cleans up and says goodbye.
func Watch(dir string) error {
	buf := make([]byte, 1)
	for {
		if n, err := os.Stdin.Read(buf); n == 0 || err != nil {
			break
		}
	}
	facts, _ := ReadFacts(dir)
	err := Clean(dir)
	facts.sayGoodbye()
	return err
}

// SetBuild records the process group of a running build (0: none), so that an interrupt can end it.
func SetBuild(dir string, pgid int) error {
	path := filepath.Join(dir, "build")
	if pgid == 0 {
		return os.Remove(path)
	}
	return os.WriteFile(path, []byte(strconv.Itoa(pgid)), 0o600)
}

// StopBuild ends the running build, if there is one.
func StopBuild(dir string) {
	text, err := os.ReadFile(filepath.Join(dir, "build"))
	if err != nil {
		return
	}
	if pgid, err := strconv.Atoi(string(text)); err == nil && pgid > 1 {
		_ = syscall.Kill(-pgid, syscall.SIGKILL)
	}
}
