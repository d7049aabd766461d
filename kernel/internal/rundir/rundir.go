// Package rundir keeps everything that a running kernel leaves on the machine in one place, so that it can be removed
// whole: a private folder under the temporary folder (sockets, GoNB's own `gonb_*` folder, the stand-ins' links) and the
// list of process groups that belong to the kernel.
//
// Who cleans up: the kernel at a regular end; its watchdog, a process in a session of its own, when the kernel died in any
// other way; the next kernel's start (Sweep) when both died. Packages proxy and build know the folder through Dir's fields
// and the environment.
package rundir

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const prefix = "lakelab-kernel-"

// Dir is the folder of one kernel process.
type Dir struct {
	Path string
	lock *os.File
}

// Create makes the folder and locks it for as long as this process lives.
func Create() (*Dir, error) {
	path, err := os.MkdirTemp("", prefix)
	if err != nil {
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

// File is a path inside the folder.
func (d *Dir) File(elem ...string) string {
	return filepath.Join(append([]string{d.Path}, elem...)...)
}

// AddGroup records a process group that has to go with the kernel.
func AddGroup(dir string, pgid int) error {
	f, err := os.OpenFile(filepath.Join(dir, "groups"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, pgid)
	return err
}

// Clean kills the recorded process groups and removes the folder.
func Clean(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "groups"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, field := range strings.Fields(string(text)) {
		if pgid, err := strconv.Atoi(field); err == nil && pgid > 1 {
			_ = syscall.Kill(-pgid, syscall.SIGKILL)
		}
	}
	// A process that is just being killed may still make files.
	for range 50 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// Sweep removes the folders of kernels that died together with their watchdogs.
func Sweep() {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, dir := range dirs {
		lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
		if err != nil {
			continue // somebody else's, or not locked yet
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			// Its process groups are long gone, and their numbers may be other processes' by now.
			_ = os.Remove(filepath.Join(dir, "groups"))
			_ = Clean(dir)
		}
		lock.Close()
	}
}

// StartWatchdog starts this program as the watchdog of dir. The pipe to it closes with this process, however that ends;
// the watchdog then cleans up and runs the command last. dismiss makes it do so now and waits for it.
func StartWatchdog(program, dir string, last []string) (dismiss func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command(program, append([]string{"watchdog", dir}, last...)...)
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

// Watch is the watchdog: it waits for the kernel's end, cleans up and runs the command last.
func Watch(dir string, last []string) error {
	buf := make([]byte, 1)
	for {
		if n, err := os.Stdin.Read(buf); n == 0 || err != nil {
			break
		}
	}
	err := Clean(dir)
	if len(last) > 0 {
		cmd := exec.Command(last[0], last[1:]...)
		if cmd.Start() == nil {
			_ = cmd.Wait()
		}
	}
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
