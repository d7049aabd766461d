package lesson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// The notebook format 4.5. Fields stand in the order of their names, as Jupyter writes them.

type notebook struct {
	Cells         []any    `json:"cells"`
	Metadata      metadata `json:"metadata"`
	Nbformat      int      `json:"nbformat"`
	NbformatMinor int      `json:"nbformat_minor"`
}

type metadata struct {
	Kernelspec   kernelspec   `json:"kernelspec"`
	Lakelab      *lakelab     `json:"lakelab,omitempty"`
	LanguageInfo languageInfo `json:"language_info"`
}

// lakelab is what package runner reads.
type lakelab struct {
	Needs []string `json:"needs"`
}

type kernelspec struct {
	DisplayName string `json:"display_name"`
	Language    string `json:"language"`
	Name        string `json:"name"`
}

// languageInfo is what the kernel says of its language: Jupyter writes that into a notebook which it opens and saves.
type languageInfo struct {
	CodemirrorMode string `json:"codemirror_mode"`
	FileExtension  string `json:"file_extension"`
	Mimetype       string `json:"mimetype"`
	Name           string `json:"name"`
	PygmentsLexer  string `json:"pygments_lexer"`
	Version        string `json:"version"`
}

type cellMetadata struct {
	Jupyter *folding `json:"jupyter,omitempty"`
	Tags    []string `json:"tags,omitempty"`
}

// folding hides a cell's code behind a button; its output shows.
type folding struct {
	SourceHidden bool `json:"source_hidden"`
}

type codeCell struct {
	CellType       string       `json:"cell_type"`
	ExecutionCount *int         `json:"execution_count"`
	ID             string       `json:"id"`
	Metadata       cellMetadata `json:"metadata"`
	Outputs        []any        `json:"outputs"`
	Source         []string     `json:"source"`
}

type markdownCell struct {
	CellType string       `json:"cell_type"`
	ID       string       `json:"id"`
	Metadata cellMetadata `json:"metadata"`
	Source   []string     `json:"source"`
}

// Kernel is the name of the kernelspec that the notebooks ask for.
const Kernel = "lakelab"

// notebook renders one version of a lesson.
func (s *source) notebook(v version) ([]byte, error) {
	nb := notebook{
		Cells: []any{}, Nbformat: 4, NbformatMinor: 5,
		Metadata: metadata{
			Kernelspec:   kernelspec{"Go (lakelab)", "go", Kernel},
			LanguageInfo: languageInfo{"go", ".go", "text/x-go", "go", "go", "1.26"},
		},
	}
	if len(s.needs) > 0 {
		nb.Metadata.Lakelab = &lakelab{s.needs}
	}
	after, n := "start", 0 // prose is named after the Go cell before it, so that its id lasts
	for _, p := range s.pieces {
		if p.in != both && p.in != v {
			if p.id != "" {
				after, n = p.id, 0
			}
			continue
		}
		if p.id == "" {
			n++
			id := fmt.Sprintf("text-%s-%d", after, n)
			if len(id) > 64 {
				return nil, fmt.Errorf("line %d: the id %s is longer than the 64 characters of the notebook format", p.line, id)
			}
			nb.Cells = append(nb.Cells, markdownCell{"markdown", id, cellMetadata{}, sourceLines(p.text)})
			continue
		}
		after, n = p.id, 0
		text := p.text
		if p.tag == "task" && v == solution {
			text = p.solved
		}
		c := codeCell{"code", nil, p.id, cellMetadata{}, []any{}, sourceLines(text)}
		switch p.tag {
		case "check":
			c.Metadata = cellMetadata{&folding{true}, []string{p.tag}}
		case "folded":
			c.Metadata.Jupyter = &folding{true}
		case "task":
			c.Metadata.Tags = []string{p.tag}
		}
		nb.Cells = append(nb.Cells, c)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(nb); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// sourceLines splits a cell's text into lines that keep their newline.
func sourceLines(text string) []string { return strings.SplitAfter(text, "\n") }
