package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/celldoor"
	"mini-lakehouse-lab/lakelab/engine/daemon"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
)

func serveCommand() *cobra.Command {
	var trino string
	var security trinodoor.Security
	var idle time.Duration
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the lakehouse in the foreground until stopped; prints one JSON line when ready",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := lakehouse(c)
			if err != nil {
				return err
			}
			ctx, paths := c.Context(), daemon.PathsOf(dir)
			made := sayNew(dir)
			return daemon.Serve(ctx, paths, daemon.Options{IdleLimit: idle, Ready: os.Stdout}, func() (daemon.Service, error) {
				e, err := engine.Open(ctx, dir)
				if err != nil {
					return nil, err
				}
				door, err := openTrino(paths, trino, e.Trino(), security, os.Stderr)
				if err != nil {
					e.Close()
					return nil, err
				}
				if idle == 0 { // somebody sits in front of it
					if !made {
						fmt.Fprintf(os.Stderr, "The lakehouse is %s; %s\n", dir, namesAnother)
					}
					fmt.Fprint(os.Stderr, door.Connect())
				}
				return celldoor.New(e, daemon.Build(), door.Client(), door.URL(), door.Close), nil
			})
		},
	}
	c.Flags().StringVar(&trino, "trino", "", "address of the Trino door (default: where this lakehouse had it before, else "+usualTrino+", else a free port); port 0 picks a free one. Other than loopback it needs the three files below")
	c.Flags().StringVar(&security.Certificate, "trino-certificate", "", "PEM file with the Trino door's certificate: clients come by TLS, with passwords")
	c.Flags().StringVar(&security.Key, "trino-key", "", "PEM file with the certificate's key")
	c.Flags().StringVar(&security.Passwords, "trino-passwords", "", "password file of the Trino door, as Trino's own: made by htpasswd -B -C 10")
	c.Flags().DurationVar(&idle, "idle", 0, "end after that long without a session; 0 means never")
	return c
}

func engineCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "engine", Short: "Start, stop or look at the engine of a lakehouse",
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q: engine start, stop, status or end-session", args[0])
			}
			return c.Help()
		},
	}
	start := &cobra.Command{
		Use: "start", Short: "Start the engine unless it runs", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := lakehouse(c)
			if err != nil {
				return err
			}
			sayNew(dir)
			in, err := daemon.Start(c.Context(), dir)
			if err == nil {
				fmt.Printf("running: pid %d, Trino at %s\n", in.PID, in.Trino)
			}
			return err
		},
	}
	var onlyIdle bool
	stop := &cobra.Command{
		Use: "stop", Short: "Stop the engine; no engine is no error", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := lakehouse(c)
			if err != nil {
				return err
			}
			if _, err := os.Stat(dir); err != nil {
				return err
			}
			if onlyIdle {
				return daemon.StopIdle(c.Context(), dir)
			}
			if err := daemon.Stop(c.Context(), dir); err != nil {
				return err
			}
			fmt.Println("stopped")
			return nil
		},
	}
	stop.Flags().BoolVar(&onlyIdle, "if-idle", false, "let an engine go on that notebooks or commands use")
	status := &cobra.Command{
		Use: "status", Short: "Say who serves the lakehouse", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := lakehouse(c)
			if err != nil {
				return err
			}
			if _, err := os.Stat(dir); err != nil {
				return err
			}
			in, running := daemon.Running(dir)
			if !running {
				fmt.Println("stopped")
				return nil
			}
			sessions, err := daemon.Sessions(daemon.PathsOf(dir))
			if err != nil {
				return err
			}
			fmt.Printf("running: pid %d, %d sessions, Trino at %s, since %s\n", in.PID, sessions, in.Trino, in.Started.Format(time.DateTime))
			return nil
		},
	}
	var session string
	end := &cobra.Command{
		Use: "end-session", Short: "Forget a session whose kernel is gone", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := lakehouse(c)
			if err != nil {
				return err
			}
			return daemon.EndSession(dir, session)
		},
	}
	end.Flags().StringVar(&session, "session", "", "the session's id")
	_ = end.MarkFlagRequired("session")
	c.AddCommand(start, stop, status, end)
	return c
}
