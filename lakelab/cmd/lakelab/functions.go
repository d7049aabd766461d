package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mini-lakehouse-lab/lakelab/engine/functions"
)

func functionsCommand() *cobra.Command {
	var dialect string
	c := &cobra.Command{
		Use:   "functions",
		Short: "List the built-in functions, and those that are missing with the reason",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := dialectOf(dialect)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 4, 2, ' ', 0)
			for _, f := range functions.All(d) {
				doc := f.Doc
				if f.Missing != "" {
					doc = "not here: " + f.Missing
				}
				fmt.Fprintf(w, "%s\t%s\n", f.Signature, doc)
			}
			return w.Flush()
		},
	}
	c.Flags().StringVar(&dialect, "dialect", "spark", "spark or trino")
	return c
}
