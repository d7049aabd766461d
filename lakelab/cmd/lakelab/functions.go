package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mini-lakehouse-lab/lakelab/engine/functions"
)

func functionsCommand() *cobra.Command {
	var dialect string
	c := &cobra.Command{
		Use:   "functions [TEXT]",
		Short: "List the built-in functions, and those that are missing with the reason; with TEXT those whose names hold it",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := dialectOf(dialect)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 4, 2, ' ', 0)
			found := false
			for _, f := range functions.All(d) {
				if len(args) > 0 && !slices.ContainsFunc(append(f.Aliases, f.Name), func(n string) bool { return strings.Contains(n, strings.ToLower(args[0])) }) {
					continue
				}
				found = true
				doc := f.Doc
				if f.Missing != "" {
					doc = "not here: " + f.Missing
				}
				fmt.Fprintf(w, "%s\t%s\n", f.Signature, doc)
			}
			if !found {
				return fmt.Errorf("no function of %s has %q in its name", dialect, args[0])
			}
			return w.Flush()
		},
	}
	c.Flags().StringVar(&dialect, "dialect", "spark", "spark or trino")
	return c
}
