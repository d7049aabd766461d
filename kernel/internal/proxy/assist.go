package proxy

import (
	"bytes"
	"encoding/json"
	"time"

	"mini-lakehouse-lab/kernel/internal/build"
	"mini-lakehouse-lab/kernel/internal/cell"
	"mini-lakehouse-lab/kernel/internal/jupyter"
)

// assist is a completion or inspection on its way.
type assist struct {
	shift   int // how far its positions are off
	request *jupyter.Message
	tries   int
}

// assistTries bounds how often GoNB is asked: it gives up after eight seconds, while gopls goes on working and is quicker then.
const assistTries = 4

// goplsPatience bounds the wait for gopls; after it GoNB answers with what it has.
const goplsPatience = time.Minute

// whenGoplsIsReady runs f in the loop, at once if gopls is there.
func (k *kernel) whenGoplsIsReady(request *jupyter.Message, f func()) {
	if build.GoplsReady(k.run.Path) {
		f()
		return
	}
	go func() {
		for end := time.Now().Add(goplsPatience); time.Now().Before(end) && !build.GoplsReady(k.run.Path); {
			time.Sleep(50 * time.Millisecond)
		}
		k.do(request, f)
	}()
}

// assist rewrites a request for the text that GoNB gets.
func (k *kernel) assist(m *jupyter.Message) *jupyter.Message {
	content := map[string]any{}
	if err := m.Decode(&content); err != nil {
		return m
	}
	code, _ := content["code"].(string)
	at64, _ := content["cursor_pos"].(float64)
	pos := int(min(max(at64, 0), float64(len(code))))
	if _, ok := content["detail_level"]; !ok && m.Header.Type == "inspect_request" {
		content["detail_level"] = 0
	}
	plan := cell.New(code)
	at := plan.Cursor(pos)
	content["code"], content["cursor_pos"] = plan.Code(), at
	request := m.WithContent(content)
	k.assists[m.Header.ID] = &assist{shift: at - pos, request: request, tries: 1}
	return request
}

// assisted maps the positions of a reply back. It returns nil if GoNB is asked again.
func (k *kernel) assisted(m *jupyter.Message) *jupyter.Message {
	a, ok := k.assists[m.ParentID]
	if !ok {
		return m
	}
	late := []byte("context deadline exceeded") // an inspection says so, a completion just fails
	if m.Header.Type == "complete_reply" {
		late = []byte(`"status":"error"`)
	}
	if a.tries < assistTries && bytes.Contains(m.Content, late) {
		a.tries++
		k.forward(k.back.shell, a.request)
		return nil
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
