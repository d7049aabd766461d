package rundir

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

func groupFile(dir string, pgid int) string {
	return filepath.Join(dir, "groups", strconv.Itoa(pgid))
}

// AddGroup records a process group that has to go with the kernel.
func AddGroup(dir string, pgid int) error {
	if err := os.MkdirAll(filepath.Join(dir, "groups"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(groupFile(dir, pgid), nil, 0o600)
}

// DropGroup forgets a process group if none of its processes is left. As long as there is one, its number stays taken.
func DropGroup(dir string, pgid int) {
	if syscall.Kill(-pgid, 0) == syscall.ESRCH {
		_ = os.Remove(groupFile(dir, pgid))
	}
}

func groups(dir string) []int {
	entries, _ := os.ReadDir(filepath.Join(dir, "groups"))
	var list []int
	for _, e := range entries {
		if pgid, err := strconv.Atoi(e.Name()); err == nil && pgid > 1 {
			list = append(list, pgid)
		}
	}
	return list
}
