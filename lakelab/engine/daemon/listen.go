package daemon

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

// maxSocketPath is what fits into sockaddr_un on every system we run on.
const maxSocketPath = 100

// shortPath gives a path to the same folder that fits into a socket address. A lakehouse may lie deep;
// on Linux an open folder has the short name /proc/self/fd/N.
func shortPath(dir, name string) (path string, release func(), err error) {
	full := filepath.Join(dir, name)
	if len(full) <= maxSocketPath {
		return full, func() {}, nil
	}
	if runtime.GOOS != "linux" {
		return "", nil, fmt.Errorf("the path %s is too long for a socket (%d characters at most): choose a shorter lakehouse folder", full, maxSocketPath)
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), name), func() { f.Close() }, nil
}

// hold takes the lakehouse's lock; closing the file releases it.
func hold(p Paths) (*os.File, error) {
	if err := os.MkdirAll(p.Dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.Chmod(p.Dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(p.Lock, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		lock.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, ErrRunning
		}
		return nil, err
	}
	return lock, nil
}

// listen takes the lock and opens the socket. What a killed engine left is removed: who holds the lock owns it.
func listen(p Paths) (net.Listener, *os.File, error) {
	lock, err := hold(p)
	if err != nil {
		return nil, nil, err
	}
	for _, stale := range []string{p.Info, p.Socket} { // of an engine that was killed
		if err := os.Remove(stale); err != nil && !errors.Is(err, os.ErrNotExist) {
			lock.Close()
			return nil, nil, err
		}
	}
	path, release, err := shortPath(p.Dir, filepath.Base(p.Socket))
	if err != nil {
		lock.Close()
		return nil, nil, err
	}
	defer release()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		lock.Close()
		return nil, nil, err
	}
	l.SetUnlinkOnClose(false) // the short path may be gone by then; Serve removes the socket itself
	if err := os.Chmod(p.Socket, 0o600); err != nil {
		l.Close()
		lock.Close()
		return nil, nil, err
	}
	return l, lock, nil
}

// Dial connects to the engine's socket.
func Dial(p Paths) (net.Conn, error) {
	path, release, err := shortPath(p.Dir, filepath.Base(p.Socket))
	if err != nil {
		return nil, err
	}
	defer release()
	return net.Dial("unix", path)
}

// locked reports whether some process holds the lakehouse's lock.
func locked(p Paths) bool {
	f, err := os.OpenFile(p.Lock, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return true
	}
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	return false
}
