package proxy

import (
	"encoding/json"

	"mini-lakehouse-lab/kernel/internal/cell"
	"mini-lakehouse-lab/kernel/internal/jupyter"
)

// assist is a completion or inspection on its way: how far its positions are off.
type assist struct{ shift int }

// assist rewrites a request for the text that GoNB gets.
func (k *kernel) assist(m *jupyter.Message) *jupyter.Message {
	content := map[string]any{}
	if err := m.Decode(&content); err != nil {
		return m
	}
	code, _ := content["code"].(string)
	pos, _ := content["cursor_pos"].(float64)
	if _, ok := content["detail_level"]; !ok && m.Header.Type == "inspect_request" {
		content["detail_level"] = 0
	}
	plan := cell.New(code)
	at := plan.Cursor(int(pos))
	k.assists[m.Header.ID] = assist{shift: at - int(pos)}
	content["code"], content["cursor_pos"] = plan.Code(), at
	return m.WithContent(content)
}

// assisted maps the positions of a reply back.
func (k *kernel) assisted(m *jupyter.Message) *jupyter.Message {
	a, ok := k.assists[m.ParentID]
	if !ok {
		return m
	}
	delete(k.assists, m.ParentID)
	content := map[string]json.RawMessage{}
	if m.Header.Type != "complete_reply" || m.Decode(&content) != nil {
		return m
	}
	for _, name := range []string{"cursor_start", "cursor_end"} {
		var pos int
		if json.Unmarshal(content[name], &pos) == nil {
			content[name], _ = json.Marshal(max(0, pos-a.shift))
		}
	}
	return m.WithContent(content)
}
