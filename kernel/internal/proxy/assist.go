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
	idles   int  // how often GoNB said that it was done
	over    bool // the client has its answer
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

// assisting reports whether GoNB published something about a completion or inspection: clients don't see it. They would
// show a busy kernel for as long as gopls reads the packages.
func (k *kernel) assisting(m *jupyter.Message) bool {
	a, ok := k.assists[m.ParentID]
	if !ok {
		return false
	}
	if bytes.Contains(m.Content, []byte(`"idle"`)) {
		a.idles++
		if a.over && a.idles >= a.tries {
			delete(k.assists, m.ParentID)
		}
	}
	return true
}

// assisted maps the positions of a reply back and answers, unless GoNB has to be asked again.
func (k *kernel) assisted(a *assist, m *jupyter.Message) {
	late := []byte("context deadline exceeded") // an inspection says so, a completion just fails
	if m.Header.Type == "complete_reply" {
		late = []byte(`"status":"error"`)
	}
	if a.tries < assistTries && bytes.Contains(m.Content, late) {
		a.tries++
		k.forward(k.back.shell, a.request)
		return
	}
	a.over = true
	k.front.status("busy", a.request)
	k.front.answer(k.front.shell, a.mapped(m))
	k.front.status("idle", a.request)
}

// mapped is a reply with positions in the cell.
func (a *assist) mapped(m *jupyter.Message) *jupyter.Message {
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
