// Command with runs another command while a real Trino 476 runs, whose address the command finds in LAKELAB_TRINO:
//
//	go run ./lakelab/internal/trinoserver/with go test ./lakelab/engine -run TestTrinoSuite
//
// Its catalogs are an empty lakehouse, tpch and memory. If LAKELAB_TRINO is set already, that Trino is used.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/internal/trinoserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, "with:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	if len(args) == 0 {
		return errors.New("no command to run")
	}
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	if os.Getenv("LAKELAB_TRINO") != "" {
		return c.Run()
	}
	dir, err := os.MkdirTemp("", "lakelab-trino")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	lakehouse := filepath.Join(dir, "lakehouse")
	l, err := lake.Open(ctx, lakehouse, lake.Options{}) // makes the catalog's tables, which Trino leaves to others
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		return err
	}
	s, err := trinoserver.Start(ctx, trinoserver.Options{Dir: dir, Catalogs: map[string]string{
		"lakehouse": trinoserver.Lakehouse(lakehouse), "tpch": trinoserver.TPCH, "memory": trinoserver.Memory,
	}})
	if err != nil {
		return err
	}
	defer s.Stop()
	c.Env = append(os.Environ(), "LAKELAB_TRINO="+s.URL)
	return c.Run()
}
