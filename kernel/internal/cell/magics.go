package cell

import (
	"fmt"
	"path/filepath"
	"strings"
)

// UsageError is a magic that can't be run.
type UsageError struct {
	Line    int // of the cell, counted from 0
	Message string
}

func (e *UsageError) Error() string { return e.Message }

// magics are the words that GoNB knows behind a `%`.
var magics = []string{"%", "main", "args", "test", "exec", "wasm", "widgets", "widgets_hb", "env", "cd", "goflags", "autoget",
	"noautoget", "help", "version", "reset", "ls", "list", "rm", "remove", "with_inputs", "with_password", "track", "untrack",
	"goworkfix", "capture", "%writefile", "%script", "%bash", "%sh", "%gx"}

// CheckMagics finds a magic that GoNB doesn't know: it says so and goes on, and the cell would be taken for a success.
func (p *Plan) CheckMagics() error {
	for _, m := range p.magicLines() {
		if m.command == "" {
			return &UsageError{m.line, "empty command after `" + m.sign + "`"}
		}
		if m.sign == "!" {
			continue
		}
		word := strings.Fields(m.command)[0]
		if known(word) {
			continue
		}
		what := fmt.Sprintf("Line magic function `%%%s` not found.", word)
		if rest, ok := strings.CutPrefix(word, "%"); ok {
			what = fmt.Sprintf("Cell magic `%%%%%s` not found.", rest)
		}
		if near := nearest(word); near != "" {
			what += fmt.Sprintf(" Did you mean `%%%s`?", near)
		}
		return &UsageError{m.line, what}
	}
	return nil
}

func known(word string) bool {
	for _, m := range magics {
		if m == word {
			return true
		}
	}
	return false
}

// nearest is a known word that a slip of the hand leads away from: "" if there is none.
func nearest(word string) string {
	for _, m := range magics {
		if len(m) > 2 && slip(word, m) {
			return m
		}
	}
	return ""
}

// slip reports whether two words differ by one letter more, less or other, or by two letters that changed places.
func slip(a, b string) bool {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case a == "" || b == "":
		return len(a)+len(b) <= 1
	case a[1:] == b[1:], a[1:] == b, a == b[1:]:
		return true
	}
	return len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}

// magicLine is a command, with its continuation lines.
type magicLine struct {
	line    int // of the cell
	at, n   int // Lines[at : at+n]
	prefix  string
	sign    string // % or !
	command string // what follows, without blanks in front
}

// magicLines are the plan's commands as GoNB joins them.
func (p *Plan) magicLines() []magicLine {
	texts := make([]string, len(p.Lines))
	for i, l := range p.Lines {
		texts[i] = l.Text
	}
	if p.Foreign {
		texts = texts[:1]
	}
	var out []magicLine
	continued := false
	for i, l := range readLines(texts) {
		if !l.magic {
			continue
		}
		text := trimPrefix(l.text)
		if !continued {
			out = append(out, magicLine{line: max(p.Lines[i].From, 0), at: i, prefix: l.text[:len(l.text)-len(text)], sign: text[:1]})
			text = text[1:]
		}
		m := &out[len(out)-1]
		continued = strings.HasSuffix(text, `\`)
		if continued {
			text = text[:len(text)-1] + " "
		}
		m.command += text
		m.n++
	}
	for i := range out {
		out[i].command = strings.TrimLeft(out[i].command, " \t")
		if strings.TrimSpace(out[i].command) == "" {
			out[i].command = ""
		}
	}
	return out
}

// Supervise rewrites the commands so that runner supervises them, and keeps the folder bin first on GoNB's PATH.
func (p *Plan) Supervise(runner string) {
	for _, m := range p.magicLines() {
		text := ""
		fields := strings.Fields(m.command)
		switch {
		case m.command == "":
			continue
		case m.sign == "!":
			star := ""
			command := m.command
			if strings.HasPrefix(command, "*") { // in GoNB's folder
				star, command = "*", command[1:]
			}
			p.Commands++
			text = "!" + star + "exec " + shellQuote(runner) + " shell /bin/bash -c " + shellQuote(command)
		case p.Foreign && len(fields) == 1 && (fields[0] == "%bash" || fields[0] == "%sh"):
			p.Commands++
			text = "%%script " + gonbQuote(runner) + " script " + fields[0][1:]
		case p.Foreign && len(fields) > 1 && fields[0] == "%script":
			p.Commands++
			_, rest, _ := strings.Cut(m.command, "%script")
			text = "%%script " + gonbQuote(runner) + " script " + rest
		case fields[0] == "env":
			path, ok := pathValue(strings.TrimSpace(strings.TrimPrefix(m.command, "env")))
			if !ok {
				continue
			}
			text = "%env PATH " + gonbQuote(filepath.Dir(runner)+":"+path)
		default:
			continue
		}
		p.Lines[m.at].Text = m.prefix + text
		for i := m.at + 1; i < m.at+m.n; i++ {
			p.Lines[i].Text = ""
		}
	}
}

// pathValue reads `PATH value` and `PATH=value`.
func pathValue(args string) (string, bool) {
	rest, ok := strings.CutPrefix(args, "PATH")
	if !ok || rest == "" || !strings.ContainsRune("= \t", rune(rest[0])) {
		return "", false
	}
	return strings.Trim(strings.TrimSpace(rest[1:]), `"`), true
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func gonbQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// Runs reports whether GoNB builds and runs a Go program for this cell.
func (p *Plan) Runs() bool {
	if p.Foreign {
		return false
	}
	texts := make([]string, len(p.Lines))
	for i, l := range p.Lines {
		texts[i] = l.Text
	}
	runs := p.Test
	for _, l := range readLines(texts) {
		switch {
		case l.magic:
			if strings.HasPrefix(trimPrefix(l.text), "%wasm") {
				return false // runs in the browser
			}
		case strings.TrimSpace(l.text) != "":
			runs = true
		}
	}
	return runs
}
