package build

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"mini-lakehouse-lab/kernel/internal/rundir"
)

// runInterruptible runs a build in GoNB's folder that may take long. The kernel stops it by a signal to its process group.
func runInterruptible(cmd *exec.Cmd) error {
	run := filepath.Dir(cmd.Dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = rundir.SetBuild(run, cmd.Process.Pid)
	defer rundir.SetBuild(run, 0)
	go func() {
		<-signals
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}()
	return cmd.Wait()
}
