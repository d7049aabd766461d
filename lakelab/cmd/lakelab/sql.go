package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
	"mini-lakehouse-lab/lakelab/types"
)

func sqlCommand() *cobra.Command {
	var dialect, format, text, file string
	var keepGoing bool
	c := &cobra.Command{
		Use:   "sql (-e SQL | -f FILE)",
		Short: "Run statements, separated by semicolons",
		Long: `Runs statements in one session. A FILE that ends in .json is an array of statements. With --format json every statement
gives one line: {"columns":[{"name","type"}],"rows":[[text or null]],"error":null or {"class","sqlState","message"}}.
Values are printed as the dialect's own client prints them. In Trino's dialect the formats table and csv are trino-cli's
ALIGNED and CSV_HEADER.
The exit status is 1 if a statement failed; the first failure ends the run unless --keep-going is given.
It works beside a running engine: both commit to the same catalog.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("a statement goes behind -e: lakelab sql -e %q", strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := dialectOf(dialect)
			if err != nil {
				return err
			}
			print, err := printerOf(d, format, c.OutOrStdout())
			if err != nil {
				return err
			}
			statements, err := statementsOf(d, text, file)
			if err != nil {
				return err
			}
			dir, err := lakehouse(c)
			if err != nil {
				return err
			}
			sayNew(dir)
			ctx := c.Context()
			e, err := engine.Open(ctx, dir)
			if err != nil {
				return err
			}
			defer e.Close()
			cwd, err := os.Getwd()
			if err != nil {
				return err
			}
			return runStatements(ctx, e.Session("", "lakelab sql", cwd), d, statements, print, keepGoing)
		},
	}
	c.Flags().StringVar(&dialect, "dialect", "spark", "spark or trino")
	c.Flags().StringVar(&format, "format", "table", "table, json or csv")
	c.Flags().StringVarP(&text, "execute", "e", "", "statements")
	c.Flags().StringVarP(&file, "file", "f", "", "file with statements; - for standard input")
	c.Flags().BoolVar(&keepGoing, "keep-going", false, "go on after a failed statement")
	c.MarkFlagsOneRequired("execute", "file")
	c.MarkFlagsMutuallyExclusive("execute", "file")
	return c
}

func dialectOf(name string) (sql.Dialect, error) {
	switch name {
	case "spark":
		return sql.Spark, nil
	case "trino":
		return sql.Trino, nil
	}
	return 0, fmt.Errorf("unknown dialect %q: spark or trino", name)
}

func statementsOf(d sql.Dialect, text, file string) ([]string, error) {
	if file != "" {
		var b []byte
		var err error
		if file == "-" {
			b, err = io.ReadAll(os.Stdin)
		} else {
			b, err = os.ReadFile(file)
		}
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(file, ".json") {
			var list []string
			if err := json.Unmarshal(b, &list); err != nil {
				return nil, fmt.Errorf("%s is not an array of statements: %w", file, err)
			}
			return list, nil
		}
		text = string(b)
	}
	pieces, err := sql.Split(d, text)
	if err != nil {
		return nil, err
	}
	list := make([]string, len(pieces))
	for i, p := range pieces {
		list[i] = p.Text
	}
	return list, nil
}

// outcome is one statement's result as text.
type outcome struct {
	fields []types.Field
	typ    []string
	rows   [][]any // string or nil
	values [][]any // what they are the text of
	update string  // what a statement changed, in Trino's words, and how many rows; -1: it counts none
	count  int64
	err    error
}

func runStatements(ctx context.Context, s *engine.Session, d sql.Dialect, statements []string, print func(outcome) error, keepGoing bool) error {
	failed := false
	for _, st := range statements {
		o := runStatement(ctx, s, d, st)
		if err := print(o); err != nil {
			return err
		}
		if o.err != nil {
			failed = true
			if !keepGoing {
				break
			}
		}
	}
	if failed {
		return errSilent
	}
	return nil
}

func runStatement(ctx context.Context, s *engine.Session, d sql.Dialect, st string) (o outcome) {
	defer func() {
		if p := recover(); p != nil { // the statements behind it may still run
			o = outcome{err: fmt.Errorf("internal error: %v\n%s", p, debug.Stack())}
		}
	}()
	r, err := s.Execute(ctx, d, st, plan.Params{})
	if err != nil {
		return outcome{err: err}
	}
	values, err := s.Collect(ctx, r, -1)
	if err != nil {
		return outcome{err: err}
	}
	o.fields, o.values, o.update, o.count = r.Schema.Fields, values, r.UpdateType, r.UpdateCount
	for _, f := range r.Schema.Fields {
		if d == sql.Trino {
			o.typ = append(o.typ, trinodoor.TypeName(f.Type))
		} else {
			o.typ = append(o.typ, f.Type.SimpleString())
		}
	}
	format := s.Format()
	for _, row := range values {
		out := make([]any, len(row))
		for i, v := range row {
			switch t := r.Schema.Fields[i].Type; {
			case v == nil:
			case d == sql.Trino:
				out[i] = types.TrinoValue(t, v)
			default:
				out[i] = format.Text(t, v)
			}
		}
		o.rows = append(o.rows, out)
	}
	return o
}

// fullText is an error as a client of the dialect would print it.
func fullText(err error) (class, state, message string) {
	var e *errclass.Error
	if !errors.As(err, &e) {
		return "", "", err.Error()
	}
	return e.Class, e.SQLState, e.Error()
}
