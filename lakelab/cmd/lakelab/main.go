// Command lakelab is the course's tool: it serves a lakehouse, runs SQL on it, makes the course's data and runs notebooks.
//
// Every command takes --lakehouse DIR (default: LAKELAB_LAKEHOUSE, else ./lakehouse). One engine process serves a lakehouse;
// a command that needs it starts it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

// errSilent ends the program with status 1 when everything has been said already.
var errSilent = errors.New("failed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := root().ExecuteContext(ctx); err != nil {
		if !errors.Is(err, errSilent) {
			fmt.Fprintln(os.Stderr, "lakelab:", err)
		}
		stop()
		os.Exit(1)
	}
}

func root() *cobra.Command {
	c := &cobra.Command{
		Use:           "lakelab",
		Short:         "A lakehouse to learn with: Iceberg tables, Spark SQL and Trino in one process",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       fmt.Sprintf("for Spark 4.0.1 and Trino 476 (cells' protocol %d)", wire.Version),
	}
	c.SetVersionTemplate("lakelab {{.Version}}\n")
	c.PersistentFlags().String("lakehouse", "", "lakehouse folder (default: $LAKELAB_LAKEHOUSE, else ./lakehouse)")
	c.AddCommand(serveCommand(), engineCommand(), sqlCommand(), dataCommand(), runCommand(), lessonsCommand(), resetCommand(), functionsCommand())
	return c
}

// lakehouse is the folder that a command works on, as an absolute path.
func lakehouse(c *cobra.Command) (string, error) {
	dir, err := c.Flags().GetString("lakehouse")
	if err != nil {
		return "", err
	}
	if dir == "" {
		dir = os.Getenv("LAKELAB_LAKEHOUSE")
	}
	if dir == "" {
		dir = "lakehouse"
	}
	return filepath.Abs(dir)
}

// namesAnother tells how to have another lakehouse than the one a command has found.
const namesAnother = "--lakehouse or LAKELAB_LAKEHOUSE names another"

// sayNew says that a command is about to make a lakehouse, which somebody who forgot to name his own would like to know; true if it is so.
func sayNew(dir string) bool {
	if _, err := os.Stat(dir); err == nil {
		return false
	}
	fmt.Fprintf(os.Stderr, "%s is new; %s\n", dir, namesAnother)
	return true
}
