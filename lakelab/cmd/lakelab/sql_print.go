package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// printerOf returns how outcomes are written.
func printerOf(d sql.Dialect, format string, w io.Writer) (func(outcome) error, error) {
	switch format {
	case "table":
		if d == sql.Trino {
			return func(o outcome) error { return printAligned(w, o) }, nil
		}
		return func(o outcome) error { return printTable(w, o) }, nil
	case "json":
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return func(o outcome) error { return enc.Encode(jsonOf(o)) }, nil
	case "csv":
		if d == sql.Trino {
			return func(o outcome) error { return printTrinoCSV(w, o) }, nil
		}
		return func(o outcome) error { return printCSV(w, o) }, nil
	}
	return nil, fmt.Errorf("unknown format %q: table, json or csv", format)
}

func printError(err error) {
	var e *errclass.Error
	if errors.As(err, &e) {
		fmt.Fprintln(os.Stderr, e.Text())
		if e.Hint != "" {
			fmt.Fprintln(os.Stderr, "Подсказка:", e.Hint)
		}
		return
	}
	fmt.Fprintln(os.Stderr, err)
}

func printTable(w io.Writer, o outcome) error {
	if o.err != nil {
		printError(o.err)
		return nil
	}
	if len(o.fields) == 0 {
		return nil
	}
	columns := make([]string, len(o.fields))
	for i, f := range o.fields {
		columns[i] = f.Name
	}
	rows := make([][]string, len(o.rows))
	for i, r := range o.rows {
		for _, v := range r {
			s, ok := v.(string)
			if !ok {
				s = "NULL"
			}
			rows[i] = append(rows[i], s)
		}
	}
	_, err := io.WriteString(w, types.ShowTable(columns, rows, 0, false, false, len(rows)))
	return err
}

// printAligned prints as trino-cli does; of a change it says what it was.
func printAligned(w io.Writer, o outcome) error {
	switch {
	case o.err != nil:
		printError(o.err)
		return nil
	case o.update != "" && o.count >= 0:
		s := "s"
		if o.count == 1 {
			s = ""
		}
		_, err := fmt.Fprintf(w, "%s: %d row%s\n", o.update, o.count, s)
		return err
	case o.update != "":
		_, err := fmt.Fprintln(w, o.update)
		return err
	}
	_, err := io.WriteString(w, types.TrinoTable(o.fields, o.values))
	return err
}

func printCSV(w io.Writer, o outcome) error {
	if o.err != nil {
		printError(o.err)
		return nil
	}
	c := csv.NewWriter(w)
	head := make([]string, len(o.fields))
	for i, f := range o.fields {
		head[i] = f.Name
	}
	if len(head) > 0 {
		if err := c.Write(head); err != nil {
			return err
		}
	}
	for _, r := range o.rows {
		line := make([]string, len(r))
		for i, v := range r {
			line[i], _ = v.(string)
		}
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// printTrinoCSV prints as trino-cli does with CSV_HEADER: everything in quotes, NULL as an empty text, and nothing of a statement that is no query.
func printTrinoCSV(w io.Writer, o outcome) error {
	if o.err != nil {
		printError(o.err)
		return nil
	}
	if o.update != "" || len(o.fields) == 0 {
		return nil
	}
	line := func(cells []any) string {
		out := make([]string, len(cells))
		for i, c := range cells {
			text, _ := c.(string)
			out[i] = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		return strings.Join(out, ",") + "\n"
	}
	head := make([]any, len(o.fields))
	for i, f := range o.fields {
		head[i] = f.Name
	}
	var b strings.Builder
	b.WriteString(line(head))
	for _, r := range o.rows {
		b.WriteString(line(r))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

type jsonColumn struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type jsonError struct {
	Class    string `json:"class"`
	SQLState string `json:"sqlState"`
	Message  string `json:"message"`
}

type jsonOutcome struct {
	Columns []jsonColumn `json:"columns"`
	Rows    [][]any      `json:"rows"`
	Error   *jsonError   `json:"error"`
}

func jsonOf(o outcome) jsonOutcome {
	j := jsonOutcome{Columns: []jsonColumn{}, Rows: o.rows}
	if j.Rows == nil {
		j.Rows = [][]any{}
	}
	for i, f := range o.fields {
		j.Columns = append(j.Columns, jsonColumn{f.Name, o.typ[i]})
	}
	if o.err != nil {
		class, state, message := fullText(o.err)
		j.Error = &jsonError{class, state, message}
	}
	return j
}
