package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/daemon"
	"mini-lakehouse-lab/lakelab/internal/taxi"
)

func dataCommand() *cobra.Command {
	var rows int
	var seed uint64
	var tlc, zones, out string
	c := &cobra.Command{
		Use:   "data",
		Short: "Make the course's taxi data, or take real TLC files",
		Long: `Writes yellow_tripdata.parquet (TLC's yellow schema) and taxi_zone_lookup.csv into the lakehouse's data folder.
Without --tlc the trips are synthetic and deterministic; with it, a real TLC file (yellow or green, parquet or csv) is taken.
Without --tlc and --rows, data that is there already is left alone.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir := out
			if dir == "" {
				lh, err := lakehouse(c)
				if err != nil {
					return err
				}
				dir = filepath.Join(lh, "data")
			}
			if tlc != "" {
				if c.Flags().Changed("rows") || c.Flags().Changed("seed") {
					return fmt.Errorf("--rows and --seed belong to synthetic data, --tlc takes a real file: give one or the other")
				}
				in, err := taxi.Import(c.Context(), tlc, zones, dir)
				if err != nil {
					return err
				}
				fmt.Printf("%s: %s\n", dir, in)
				return nil
			}
			if zones != "" {
				return fmt.Errorf("--zones needs --tlc")
			}
			if !c.Flags().Changed("rows") && !c.Flags().Changed("seed") && taxi.Present(dir) {
				fmt.Printf("%s: the data is there\n", dir)
				return nil
			}
			if err := taxi.Generate(c.Context(), taxi.Options{Rows: rows, Seed: seed, Dir: dir}); err != nil {
				return err
			}
			fmt.Printf("%s: %d trips, 265 zones\n", dir, rows)
			return nil
		},
	}
	c.Flags().IntVar(&rows, "rows", taxi.DefaultRows, "number of trips")
	c.Flags().Uint64Var(&seed, "seed", taxi.DefaultSeed, "seed of the random numbers")
	c.Flags().StringVar(&tlc, "tlc", "", "a TLC trip file (parquet or csv)")
	c.Flags().StringVar(&zones, "zones", "", "TLC's taxi_zone_lookup.csv (with --tlc)")
	c.Flags().StringVar(&out, "out", "", "folder (default: data inside the lakehouse)")
	return c
}

func resetCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "reset",
		Short: "Delete the lakehouse's tables and catalog, so that the course starts anew (its data folder stays)",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := lakehouse(c)
			if err != nil {
				return err
			}
			if !yes {
				return fmt.Errorf("this deletes every table of %s; repeat with --yes", dir)
			}
			if _, err := os.Stat(dir); err != nil {
				return err
			}
			settings, err := config.Load(dir)
			if err != nil {
				return err
			}
			if !settings.Local() {
				return fmt.Errorf("the tables of %s are not in this folder but at %s, where others may use them; DROP TABLE deletes them", dir, settings)
			}
			err = daemon.Alone(c.Context(), dir, func(context.Context) error {
				for _, name := range []string{"catalog.db", "catalog.db-wal", "catalog.db-shm", "warehouse", "spark-warehouse"} {
					if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
						return err
					}
				}
				return nil
			})
			if err == nil {
				fmt.Printf("%s: the tables are deleted, the data folder stays\n", dir)
			}
			return err
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "really")
	return c
}
