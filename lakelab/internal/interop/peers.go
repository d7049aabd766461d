package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// peer is an engine that reads and writes a lake.
type peer interface {
	name() string
	// write runs what the scenario has for this engine. ok is false if it has nothing.
	write(lake string, s scenario, table string) (ok bool, err error)
	// read is the columns of a table's rows (empty: all of them) at a ref, sorted by the first column.
	read(lake, table, columns, ref string) ([]string, error)
	// metadata describes a table: columns, partition fields, snapshots, refs; of a view its columns.
	metadata(lake, table string, view bool) ([]string, error)
	close() error
}

var tableMark, viewMark = regexp.MustCompile(`\bT\b`), regexp.MustCompile(`\bV\b`)

// named puts names in a statement's place for them.
func named(statement, table string) string {
	return viewMark.ReplaceAllLiteralString(tableMark.ReplaceAllLiteralString(statement, table), table+"_view")
}

// asker runs a statement and returns its rows as texts.
type asker func(lake, statement string) ([][]string, error)

// ours is the engine of this project, one for each lake.
type ours struct {
	ctx     context.Context
	engines map[string]*engine.Session
	dialect sql.Dialect // of views
}

func (o ours) ask(d sql.Dialect) asker {
	return func(lake, statement string) ([][]string, error) {
		s := o.engines[lake]
		r, err := s.Execute(o.ctx, d, statement, plan.Params{})
		if err != nil {
			return nil, err
		}
		rows, err := s.Collect(o.ctx, r, 10000)
		out := make([][]string, len(rows))
		for i, row := range rows {
			for j, v := range row {
				out[i] = append(out[i], types.Text(r.Schema.Fields[j].Type, v, s.Location()))
			}
		}
		return out, err
	}
}

func (o ours) name() string { return "lakelab" }
func (o ours) close() error { return nil }

func (o ours) write(lake string, s scenario, table string) (bool, error) {
	if s.view && o.dialect == sql.Trino {
		return runTrino(o.ask(sql.Trino), lake, s, "lakehouse."+table)
	}
	return runSpark(o.ask(sql.Spark), lake, s, table)
}

func (o ours) read(lake, table, columns, ref string) ([]string, error) {
	return readSpark(o.ask(sql.Spark), lake, table, columns, ref)
}

func (o ours) metadata(lake, table string, view bool) ([]string, error) {
	return describeSpark(o.ask(sql.Spark), lake, table, view)
}

//go:embed peer.py
var peerProgram string

// python is a peer that runs in a Python process.
type python struct {
	what string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

// startPython starts peer.py for one engine with a Python, named by the words that come before its arguments.
func startPython(ctx context.Context, what string, interpreter []string, log string, lakes map[string]lake) (*python, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	args := append(interpreter, "-c", peerProgram, what)
	p := &python{what: what, cmd: exec.CommandContext(ctx, args[0], args[1:]...)}
	p.cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(dir, "lakelab", "internal", "interop"), "PYTHONDONTWRITEBYTECODE=1")
	f, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p.cmd.Stderr = f
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := p.send(lakes); err != nil {
		return nil, fmt.Errorf("%s does not start: %w; see %s", what, err, log)
	}
	return p, nil
}

// send sends a line and waits for the answer.
func (p *python) send(request any) ([][]string, error) {
	if err := json.NewEncoder(p.in).Encode(request); err != nil {
		return nil, err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("%s ended: %w", p.what, err)
	}
	var answer struct {
		Rows  [][]string
		Error string
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return answer.Rows, nil
}

func (p *python) ask(lake, statement string) ([][]string, error) {
	rows, err := p.send(map[string]string{"lake": lake, "statement": statement})
	if err != nil {
		err = fmt.Errorf("%s: %w", statement, err)
	}
	return rows, err
}

func (p *python) close() error {
	return errors.Join(p.in.Close(), p.cmd.Wait())
}

type spark struct{ *python }

func (p spark) name() string { return "Spark" }
func (p spark) write(lake string, s scenario, table string) (bool, error) {
	return runSpark(p.ask, lake, s, table)
}
func (p spark) read(lake, table, columns, ref string) ([]string, error) {
	return readSpark(p.ask, lake, table, columns, ref)
}
func (p spark) metadata(lake, table string, view bool) ([]string, error) {
	return describeSpark(p.ask, lake, table, view)
}

type trino struct{ *python }

func (p trino) name() string { return "Trino" }
func (p trino) write(lake string, s scenario, table string) (bool, error) {
	return runTrino(p.ask, lake, s, table)
}
func (p trino) read(lake, table, columns, ref string) ([]string, error) {
	at := ""
	if ref != "" {
		at = " FOR VERSION AS OF '" + ref + "'"
	}
	return joined(p.ask(lake, "SELECT "+cmp.Or(columns, "*")+" FROM "+table+at+" ORDER BY 1"))
}
func (p trino) metadata(lake, table string, view bool) ([]string, error) {
	return describeTrino(p.ask, lake, table, view)
}

type pyiceberg struct{ *python }

func (p pyiceberg) name() string { return "PyIceberg" }
func (p pyiceberg) write(lake string, s scenario, table string) (bool, error) {
	if s.pyiceberg == "" {
		return false, nil
	}
	_, err := p.ask(lake, s.pyiceberg+" "+table)
	return true, err
}
func (p pyiceberg) read(lake, table, _, ref string) ([]string, error) {
	return joined(p.ask(lake, strings.TrimSpace("read "+table+" "+ref)))
}
func (p pyiceberg) metadata(lake, table string, _ bool) ([]string, error) {
	return joined(p.ask(lake, "metadata "+table))
}

// joined makes one text of each row.
func joined(rows [][]string, err error) ([]string, error) {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = strings.Join(r, "|")
	}
	return out, err
}
