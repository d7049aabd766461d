package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// answer is what an engine gave for a statement.
type answer struct {
	Names    []string `json:"names"`
	Types    []string `json:"types"`
	Nullable []bool   `json:"nullable"`
	Tree     string   `json:"tree"`
	Text     string   `json:"text"`
	Error    *failure `json:"error"`
}

type failure struct {
	Class     string `json:"class"`
	Exception string `json:"exception"`
	Message   string `json:"message"`
}

//go:embed spark_answers.py
var sparkProgram []byte

// sparkProcess is real Spark.
type sparkProcess struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startSpark(ctx context.Context, env, dir string) (*sparkProcess, error) {
	program := filepath.Join(dir, "spark_answers.py")
	if err := os.WriteFile(program, sparkProgram, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "bash", "-c", `. "$1" && exec python "$2"`, "bash", env, program)
	cmd.Dir = dir
	log, err := os.Create(filepath.Join(dir, "spark.log"))
	if err != nil {
		return nil, err
	}
	cmd.Stderr = log
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &sparkProcess{cmd, in, bufio.NewReaderSize(out, 1<<20)}, cmd.Start()
}

func (p *sparkProcess) ask(texts []string) ([]answer, error) {
	line, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return nil, fmt.Errorf("real Spark ended: %w", err)
	}
	reply, err := p.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("real Spark ended: %w", err)
	}
	var answers []answer
	return answers, json.Unmarshal(reply, &answers)
}

func (p *sparkProcess) close() {
	p.in.Close()
	p.cmd.Wait()
}

// embedded is our engine.
type embedded struct{ session *engine.Session }

// statementLimit bounds a statement of ours.
const statementLimit = 20 * time.Second

func (e embedded) ask(ctx context.Context, text string) (a answer) {
	ctx, cancel := context.WithTimeout(ctx, statementLimit)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			a = answer{Error: &failure{Exception: "panic", Message: fmt.Sprintf("%v\n%s", p, debug.Stack())}}
		}
	}()
	r, err := e.session.Execute(ctx, sql.Spark, text, plan.Params{})
	if err != nil {
		return failed(err)
	}
	rows, err := e.session.Collect(ctx, r, 1000)
	if err != nil {
		return failed(err)
	}
	cells := make([][]string, len(rows))
	for _, f := range r.Schema.Fields {
		a.Names, a.Types, a.Nullable = append(a.Names, f.Name), append(a.Types, f.Type.SimpleString()), append(a.Nullable, f.Nullable)
	}
	for i, row := range rows {
		for j, v := range row {
			cells[i] = append(cells[i], e.session.Format().Text(r.Schema.Fields[j].Type, v))
		}
	}
	a.Tree = types.TreeString(r.Schema, 0)
	a.Text = types.ShowTable(a.Names, cells, 0, false, false, 1000)
	return a
}

func failed(err error) answer {
	f := &failure{Exception: "?", Message: err.Error()}
	var e *errclass.Error
	if errors.As(err, &e) {
		f.Exception, f.Class = e.Exception, e.Class
	}
	return answer{Error: f}
}
