package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// usage is what a run cost, all of its processes together.
type usage struct {
	wall time.Duration
	cpu  time.Duration
	peak int64 // bytes, sum of proportional set sizes
}

// measure runs a command and sums its process tree, and detached processes whose environment holds the mark.
func measure(ctx context.Context, mark string, cmd *exec.Cmd) (usage, error) {
	cmd.Env = append(cmd.Environ(), "LAKELAB_BENCH="+mark)
	done := make(chan struct{})
	peaks := make(chan usage)
	go watch("LAKELAB_BENCH="+mark, done, peaks)
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	close(done)
	u := <-peaks
	u.wall = wall
	return u, err
}

// watch samples the marked processes until done.
func watch(mark string, done <-chan struct{}, out chan<- usage) {
	var u usage
	cpu := map[string]time.Duration{}
	t := time.NewTicker(100 * time.Millisecond)
	defer t.Stop()
	for {
		var sum int64
		for _, pid := range marked(mark) {
			sum += pss(pid)
			if d := ticks(pid); d > cpu[pid] {
				cpu[pid] = d
			}
		}
		u.peak = max(u.peak, sum)
		select {
		case <-done:
			for _, d := range cpu {
				u.cpu += d
			}
			out <- u
			return
		case <-t.C:
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

// ticks is a process's CPU time, its waited-for children included: cells end faster than they can be sampled.
func ticks(pid string) time.Duration {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if !ok || len(f) < 13 {
		return 0
	}
	var n int64
	for _, s := range f[11:13] {
		v, _ := strconv.ParseInt(s, 10, 64)
		n += v
	}
	return time.Duration(n) * 10 * time.Millisecond
}
