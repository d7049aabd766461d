package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mini-lakehouse-lab/lakelab/internal/lesson"
	"mini-lakehouse-lab/lakelab/internal/runner"
)

// projectDir is the folder that holds notebooks and .venv: the program stands in its bin folder.
func projectDir() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if exe, err = filepath.EvalSymlinks(exe); err != nil {
		return "", err
	}
	return filepath.Dir(filepath.Dir(exe)), nil
}

func runCommand() *cobra.Command {
	var opts runner.Options
	var here bool
	c := &cobra.Command{
		Use:   "run [NOTEBOOK…]",
		Short: "Run notebooks headless; all of the course's without arguments",
		Long: `Executes notebooks one after another, each on a fresh lakehouse that holds what the lessons before it leave behind,
and prints a table: notebook, cells, seconds, result. The exit status is 1 if a cell failed.`,
		RunE: func(c *cobra.Command, args []string) error {
			project, err := projectDir()
			if err != nil {
				return err
			}
			opts.Notebooks, opts.Lessons = args, filepath.Join(project, "notebooks")
			if len(args) == 0 {
				if opts.Notebooks, err = runner.All(opts.Lessons); err != nil {
					return err
				}
			}
			if opts.Bin, err = os.Executable(); err != nil {
				return err
			}
			if opts.Venv == "" {
				opts.Venv = filepath.Join(project, ".venv")
			}
			if here {
				if opts.Lakehouse, err = lakehouse(c); err != nil {
					return err
				}
			}
			opts.Progress, opts.Table = os.Stderr, os.Stdout
			_, err = runner.Run(c.Context(), opts)
			if errors.Is(err, runner.ErrFailed) {
				return errSilent
			}
			return err
		},
	}
	c.Flags().StringVar(&opts.OutDir, "out", "", "folder for the executed notebooks")
	c.Flags().BoolVar(&opts.Keep, "keep", false, "leave the lakehouses for a look and say where they are")
	c.Flags().BoolVar(&here, "here", false, "run all in the lakehouse as it stands (--lakehouse) instead of fresh ones")
	c.Flags().StringVar(&opts.Venv, "venv", "", "Python environment (default: the project's .venv)")
	c.Flags().StringVar(&opts.Kernel, "kernel", "", "kernel name (default: the notebook's own)")
	return c
}

func lessonsCommand() *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:   "lessons [DIR]",
		Short: "Make the notebooks from notebooks/source, or check that they are in step",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "notebooks"
			if len(args) == 1 {
				dir = args[0]
			}
			if check {
				return lesson.Check(dir)
			}
			if err := lesson.Build(dir); err != nil {
				return err
			}
			fmt.Println("made the notebooks in", dir)
			return nil
		},
	}
	c.Flags().BoolVar(&check, "check", false, "only compare")
	return c
}
