// Command lakelab-kernel runs Go cells in Jupyter: a kernel in front of a stock GoNB, and all the small programs around it.
//
//	lakelab-kernel kernel CONNECTION_FILE          the kernel; Jupyter starts it
//	lakelab-kernel prepare [--project DIR]         makes the archives that cells are built from
//	lakelab-kernel install --venv DIR [--project DIR] [--stock]
//	                                               writes the kernelspec "Go (lakelab)"; with --stock one of GoNB alone
//	lakelab-kernel watchdog DIR                    cleans up after a kernel; the kernel starts it
//
// Under the names go, goimports and gopls it stands in for these on GoNB's PATH, and under the name of a cell's program it
// supervises that program.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/kernel/internal/build"
	"mini-lakehouse-lab/kernel/internal/proxy"
	"mini-lakehouse-lab/kernel/internal/rundir"
	"mini-lakehouse-lab/kernel/internal/supervisor"
)

func main() {
	switch name := filepath.Base(os.Args[0]); {
	case name == "go":
		build.Go(os.Args[1:])
	case name == "goimports":
		build.Goimports(os.Args[1:])
	case name == "gopls":
		build.Gopls(os.Args[1:])
	case strings.HasPrefix(name, "gonb_"):
		supervisor.Run(os.Args)
	}
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lakelab-kernel:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("one of kernel, prepare, install is expected")
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	project := flags.String("project", projectDir(), "the checkout of mini-lakehouse-lab")
	venv := flags.String("venv", ".venv", "the Python environment of JupyterLab (install)")
	stock := flags.Bool("stock", false, "install the kernelspec of GoNB alone (install)")
	if args[0] != "watchdog" {
		_ = flags.Parse(args[1:]) // exits on an error
	}
	dir, err := filepath.Abs(*project)
	if err != nil {
		return err
	}
	switch args[0] {
	case "kernel":
		if flags.NArg() != 1 {
			return fmt.Errorf("kernel takes the connection file")
		}
		return proxy.Run(proxy.Options{ConnectionFile: flags.Arg(0), Project: dir})
	case "prepare":
		_, err := build.Prepare(dir, os.Stdout)
		return err
	case "install":
		return install(*venv, dir, *stock)
	case "watchdog":
		if len(args) < 2 {
			return fmt.Errorf("watchdog takes the kernel's folder")
		}
		return rundir.Watch(args[1])
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// projectDir is the folder above bin/, where this program stands.
func projectDir() string {
	self, err := os.Executable()
	if err != nil {
		return "."
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	return filepath.Dir(filepath.Dir(self))
}
