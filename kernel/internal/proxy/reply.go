package proxy

import (
	"strings"

	"mini-lakehouse-lab/kernel/internal/cell"
	"mini-lakehouse-lab/kernel/internal/jupyter"
)

// languageInfo stands in every notebook that Jupyter saves, so it says the language and not the release of the compiler:
// a notebook would otherwise change with the machine where it was opened.
var languageInfo = map[string]string{
	"name": "go", "version": "1.26", "mimetype": "text/x-go", "file_extension": ".go", "pygments_lexer": "go", "codemirror_mode": "go",
}

// reply answers what the kernel answers itself.
func (k *kernel) reply(m *jupyter.Message) *jupyter.Message {
	kind := strings.TrimSuffix(m.Header.Type, "_request") + "_reply"
	switch m.Header.Type {
	case "history_request":
		return jupyter.New(kind, m, map[string]any{"status": "ok", "history": []any{}})
	case "is_complete_request":
		var request struct {
			Code string `json:"code"`
		}
		_ = m.Decode(&request)
		return jupyter.New(kind, m, map[string]any{"status": completeness(request.Code), "indent": "\t"})
	}
	return jupyter.New(kind, m, map[string]any{
		"status": "ok", "protocol_version": jupyter.ProtocolVersion,
		"implementation": "lakelab", "implementation_version": "1.0",
		"banner":        "Go cells on a mini-lakehouse, with GoNB",
		"language_info": languageInfo,
		"help_links": []map[string]string{
			{"text": "Go", "url": "https://go.dev/doc/"},
			{"text": "GoNB", "url": "https://github.com/janpfeifer/gonb"},
		},
	})
}

// completeness answers a console that asks whether a cell may run.
func completeness(code string) string {
	_, err := cell.New(code).Declarations(0)
	if err == nil {
		return "complete"
	}
	if strings.Contains(err.Error(), "EOF") || strings.Contains(err.Error(), cell.Unclosed) || strings.Contains(err.Error(), "not terminated") {
		return "incomplete"
	}
	return "invalid"
}
