//go:build linux

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// usage is what a run cost, all of its processes together.
type usage struct {
	wall time.Duration
	cpu  time.Duration
	peak int64 // bytes, sum of proportional set sizes
}

// measure runs a command and everything that it starts, detached processes too: their parent becomes this process, so that it
// can wait for them and their CPU time counts. after ends what would go on running. The environment of all of them holds the mark.
func measure(ctx context.Context, mark string, cmd *exec.Cmd, after func() error) (usage, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return usage{}, err
	}
	cmd.Env = append(cmd.Environ(), "LAKELAB_BENCH="+mark)
	before, err := childrenTime()
	if err != nil {
		return usage{}, err
	}
	done := make(chan struct{})
	peak := make(chan int64)
	go watch("LAKELAB_BENCH="+mark, done, peak)
	start := time.Now()
	err = cmd.Run()
	wall := time.Since(start)
	close(done)
	u := usage{wall: wall, peak: <-peak}
	if err != nil {
		return u, err
	}
	if err := after(); err != nil {
		return u, err
	}
	if err := reap(10 * time.Second); err != nil {
		return u, err
	}
	total, err := childrenTime()
	u.cpu = total - before
	return u, err
}

// childrenTime is the CPU time of the processes waited for.
func childrenTime() (time.Duration, error) {
	var r unix.Rusage
	err := unix.Getrusage(unix.RUSAGE_CHILDREN, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), err
}

// reap waits for the processes that came to us when their parents ended.
func reap(limit time.Duration) error {
	for end := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		for {
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
			if err == unix.ECHILD {
				return nil
			}
			if err != nil {
				return err
			}
			if pid == 0 {
				break
			}
		}
		if time.Now().After(end) {
			return errors.New("a process of the measured run did not end")
		}
	}
}

// watch samples the marked processes' memory until done: every 50 ms, and less often where a sample of a big process takes long,
// so that the sampling takes no more than a fiftieth of a core from what is measured.
func watch(mark string, done <-chan struct{}, out chan<- int64) {
	var peak int64
	for {
		var sum int64
		begin := time.Now()
		for _, pid := range marked(mark) {
			sum += pss(pid)
		}
		peak = max(peak, sum)
		select {
		case <-done:
			out <- peak
			return
		case <-time.After(max(50*time.Millisecond, 50*time.Since(begin))):
		}
	}
}

func marked(mark string) []string {
	var out []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		if b, err := os.ReadFile(filepath.Join(d, "environ")); err == nil && strings.Contains(string(b), mark+"\x00") {
			out = append(out, filepath.Base(d))
		}
	}
	return out
}

// pss is a process's proportional set size in bytes.
func pss(pid string) int64 {
	b, err := os.ReadFile("/proc/" + pid + "/smaps_rollup")
	if err != nil {
		return 0
	}
	for _, l := range strings.Split(string(b), "\n") {
		if f := strings.Fields(l); len(f) == 3 && f[0] == "Pss:" {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return n << 10
		}
	}
	return 0
}
