package lesson

import (
	"fmt"
	"go/format"
	"regexp"
	"strings"
)

// version is one of the two notebooks made from a source.
type version int

const (
	both version = iota
	student
	solution
)

// piece is a stretch of the source: prose or a Go cell.
type piece struct {
	line int
	in   version // the notebook it belongs to
	id   string  // of a Go cell; empty for prose
	tag  string  // "task", "check", "folded" or empty
	text string
	// solved is what stands in the solved notebook instead of text; tasks only.
	solved string
}

type source struct {
	// needs names the lessons whose tables this one finds, in the order in which they run.
	needs  []string
	pieces []piece
}

const (
	fence         = "```"
	solutionMark  = "//// solution"
	studentBegin  = "<!-- student -->"
	solutionBegin = "<!-- solution -->"
	end           = "<!-- end -->"
	needsBegin    = "<!-- needs: "
)

// cellID is what nbformat allows, without capitals.
var cellID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// reader walks over the lines of a source.
type reader struct {
	lines []string
	at    int
	out   source
	prose []string
	start int // line of the first line of prose, from 1
	in    version
	ids   map[string]bool
}

func parse(text string) (*source, error) {
	p := &reader{lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), ids: map[string]bool{}}
	for ; p.at < len(p.lines); p.at++ {
		if err := p.step(p.lines[p.at]); err != nil {
			return nil, fmt.Errorf("%d: %w", p.at+1, err)
		}
	}
	if p.in != both {
		return nil, fmt.Errorf("%d: %q is missing", len(p.lines), end)
	}
	p.flush()
	return &p.out, nil
}

func (p *reader) step(line string) error {
	switch {
	case strings.HasPrefix(line, needsBegin):
		names, ok := strings.CutSuffix(strings.TrimPrefix(line, needsBegin), " -->")
		if !ok || p.at > 0 {
			return fmt.Errorf("what the lesson needs stands in the first line: %s04_bronze 05_silver -->", needsBegin)
		}
		p.out.needs = strings.Fields(names)
	case line == studentBegin || line == solutionBegin:
		if p.in != both {
			return fmt.Errorf("%s inside of another", line)
		}
		p.flush()
		p.in = student
		if line == solutionBegin {
			p.in = solution
		}
	case line == end:
		if p.in == both {
			return fmt.Errorf("%s without a beginning", line)
		}
		p.flush()
		p.in = both
	case strings.HasPrefix(line, fence):
		words := strings.Fields(strings.TrimPrefix(line, fence))
		body, err := p.fenced()
		if err != nil {
			return err
		}
		if len(words) < 2 || words[0] != "go" {
			p.add(append(append([]string{line}, body...), fence)...)
			return nil
		}
		return p.cell(words[1], words[2:], body)
	case strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "### "):
		p.flush()
		p.add(line)
	default:
		p.add(line)
	}
	return nil
}

// fenced returns the lines up to the closing fence and moves there.
func (p *reader) fenced() ([]string, error) {
	for i := p.at + 1; i < len(p.lines); i++ {
		if p.lines[i] == fence {
			body := p.lines[p.at+1 : i]
			p.at = i
			return body, nil
		}
	}
	return nil, fmt.Errorf("the fence is not closed")
}

func (p *reader) cell(id string, words, body []string) error {
	c := piece{line: p.at - len(body) + 1, in: p.in, id: id}
	if !cellID.MatchString(id) || strings.HasPrefix(id, "text-") {
		return fmt.Errorf("the cell id %q is not of small letters, digits and hyphens, or begins with text-", id)
	}
	if p.ids[id] {
		return fmt.Errorf("the cell id %q is there twice", id)
	}
	p.ids[id] = true
	switch {
	case len(words) == 0:
	case len(words) == 1 && (words[0] == "task" || words[0] == "check" || words[0] == "folded"):
		c.tag = words[0]
	default:
		return fmt.Errorf("unknown words after the cell id: %q", words)
	}
	c.text = strings.Join(body, "\n")
	if c.tag == "task" {
		stub, solved, ok := strings.Cut(c.text, "\n"+solutionMark+"\n")
		if !ok {
			return fmt.Errorf("the task %s has no line %q", id, solutionMark)
		}
		c.text, c.solved = stub, solved
	}
	for _, code := range []string{c.text, c.solved} {
		if err := tidy(code); err != nil {
			return fmt.Errorf("cell %s: %w", id, err)
		}
	}
	p.flush()
	p.out.pieces = append(p.out.pieces, c)
	return nil
}

// tidy says whether a cell is Go that gofmt would leave alone. Declarations come first, statements after a line "%%".
func tidy(code string) error {
	declarations, statements, found := code, "", strings.HasPrefix(code, mainLine)
	if found {
		declarations, statements = "", strings.TrimPrefix(code, mainLine)
	} else if declarations, statements, found = strings.Cut(code, "\n"+mainLine); !found {
		declarations = code
	}
	for _, part := range []string{strings.TrimSuffix(declarations, "\n"), statements} {
		got, err := format.Source([]byte(part))
		if err != nil {
			return err
		}
		want := strings.Split(string(got), "\n")
		for i, line := range strings.Split(part, "\n") {
			if i >= len(want) || line != want[i] {
				return fmt.Errorf("not as gofmt writes it: %q", line)
			}
		}
	}
	return nil
}

// mainLine is GoNB's line above the statements of a cell.
const mainLine = "%%\n"

func (p *reader) add(lines ...string) {
	if len(p.prose) == 0 {
		p.start = p.at + 1
	}
	p.prose = append(p.prose, lines...)
}

// flush ends the prose cell that is being read.
func (p *reader) flush() {
	if text := strings.Trim(strings.Join(p.prose, "\n"), "\n"); strings.TrimSpace(text) != "" {
		p.out.pieces = append(p.out.pieces, piece{line: p.start, in: p.in, text: text})
	}
	p.prose = nil
}
