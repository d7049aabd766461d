package failure

import (
	"errors"
	"strconv"
	"strings"

	"mini-lakehouse-lab/kernel/internal/cell"
)

// CompileError is the name of a failure to build a cell.
const CompileError = "CompileError"

// Compile reads the messages of the compiler or of GoNB's parser. current is the execution number of the cell that ran;
// locals knows the names that earlier cells had in main.
func Compile(output string, m cell.Map, current int, locals Locals) *Failure {
	f := &Failure{Name: CompileError}
	type message struct {
		origin cell.Origin
		known  bool
		column int
		text   string
	}
	var messages []message
	for _, line := range strings.Split(strings.TrimSpace(output), "\n") {
		n, column, text, ok := position(line)
		switch {
		case ok:
			o, known := m.At(n)
			messages = append(messages, message{o, known, column, text})
		case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "exit status"), strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "\t") && len(messages) > 0:
			messages[len(messages)-1].text += "\n" + line
		default:
			messages = append(messages, message{text: line})
		}
	}
	if len(messages) == 0 {
		messages = append(messages, message{text: strings.TrimSpace(output)})
	}
	// The value is the first message that belongs to a place; what stands before it is a tool's talk.
	f.Value = messages[0].text
	for _, msg := range messages {
		if msg.known {
			f.Value = msg.text
			break
		}
	}
	f.Traceback = []string{headline(f.Name, f.Value)}
	for _, msg := range messages {
		if !msg.known {
			if msg.text != f.Value {
				f.Traceback = append(f.Traceback, msg.text)
			}
			continue
		}
		label := ""
		if msg.text != f.Value {
			label = ": " + msg.text
		}
		f.at(msg.origin, current, label, msg.column)
	}
	for _, msg := range messages {
		if msg.known {
			f.advise(msg.text, msg.origin.Source[msg.origin.Line], locals)
			break // the others mostly follow from the first
		}
	}
	return f
}

// Refused is the failure of a cell that can't be given to GoNB: it does not parse, or has an unknown magic.
func Refused(err error, source []string, current int) *Failure {
	var syntax *cell.SyntaxError
	var usage *cell.UsageError
	switch {
	case errors.As(err, &syntax):
		f := New(CompileError, syntax.Message)
		f.at(cell.Origin{Cell: current, Line: syntax.Line, Source: source}, current, "", syntax.Col)
		f.advise(syntax.Message, source[syntax.Line], nil)
		return f
	case errors.As(err, &usage):
		f := New("UsageError", usage.Message)
		f.at(cell.Origin{Cell: current, Line: usage.Line, Source: source}, current, "", 0)
		return f
	}
	return New(CompileError, err.Error())
}

// position reads `…main.go:5:2: text`.
func position(line string) (n, column int, text string, ok bool) {
	for _, name := range []string{"main.go:", "main_test.go:"} {
		i := strings.Index(line, name)
		if i < 0 {
			continue
		}
		parts := strings.SplitN(line[i+len(name):], ":", 3)
		if len(parts) < 2 {
			continue
		}
		if n, err := strconv.Atoi(parts[0]); err == nil {
			column, err := strconv.Atoi(parts[1])
			if err != nil {
				return n, 0, strings.TrimSpace(strings.Join(parts[1:], ":")), true
			}
			return n, column, strings.TrimSpace(strings.Join(parts[2:], ":")), true
		}
	}
	return 0, 0, "", false
}
