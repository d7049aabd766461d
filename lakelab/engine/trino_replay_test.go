package engine_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// replay is a Trino that knows the suite's statements only, and answers them as they are recorded. What a client shows of it is what
// the client shows of a real Trino: the measure for what it shows of the engine's door.
type replay struct {
	url string

	mu      sync.Mutex
	answers map[string][]trinoAnswer // by statement, in the order in which they will be asked
	running map[string]trinoAnswer   // by query id
	count   int
}

func newReplay(t *testing.T, answers []trinoAnswer) *replay {
	r := &replay{answers: map[string][]trinoAnswer{}, running: map[string]trinoAnswer{}}
	for _, a := range answers {
		r.answers[a.SQL] = append(r.answers[a.SQL], a)
	}
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	r.url = s.URL
	return r
}

// ServeHTTP answers a statement in two steps, as Trino does.
func (r *replay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	page := map[string]any{"warnings": []any{}, "stats": map[string]any{"state": "QUEUED"}}
	switch {
	case q.Method == http.MethodPost:
		sql, _ := io.ReadAll(q.Body)
		a, ok := r.next(string(sql))
		if !ok {
			http.Error(w, "not in the suite: "+string(sql), http.StatusBadRequest)
			return
		}
		if a.Error != nil {
			e := *a.Error
			e.Message = strings.ReplaceAll(e.Message, "<id>", q.Header.Get("X-Trino-Transaction-Id"))
			a.Error = &e
		}
		r.count++
		id := fmt.Sprintf("20260101_000000_%05d_aaaaa", r.count)
		r.running[id] = a
		page["id"], page["infoUri"], page["nextUri"] = id, r.url, r.url+"/v1/statement/executing/"+id
	case q.Method == http.MethodGet && strings.HasPrefix(q.URL.Path, "/v1/statement/executing/"):
		id := strings.TrimPrefix(q.URL.Path, "/v1/statement/executing/")
		page["id"], page["infoUri"] = id, r.url
		r.running[id].fill(page, w.Header())
	default: // a cancelled result
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(page)
}

// next is the next answer to a statement. Python's client asks whether there is EXECUTE IMMEDIATE.
func (r *replay) next(sql string) (trinoAnswer, bool) {
	list := r.answers[sql]
	if len(list) == 0 {
		return trinoAnswer{}, false
	}
	r.answers[sql] = list[1:]
	return list[0], true
}

// fill writes the last page of an answer.
func (a trinoAnswer) fill(page map[string]any, h http.Header) {
	page["stats"] = map[string]any{"state": "FINISHED"}
	if a.Columns != nil {
		columns := []any{}
		for _, c := range a.Columns {
			columns = append(columns, map[string]any{"name": c[0], "type": c[1], "typeSignature": signatureOf(c[1])})
		}
		page["columns"] = columns
	}
	if a.Rows != nil {
		page["data"] = a.Rows
	}
	if a.UpdateType != "" {
		page["updateType"] = a.UpdateType
	}
	if a.UpdateCount != nil {
		page["updateCount"] = *a.UpdateCount
	}
	if e := a.Error; e != nil {
		page["stats"] = map[string]any{"state": "FAILED"}
		kind := []string{"USER_ERROR", "INTERNAL_ERROR", "INSUFFICIENT_RESOURCES", "EXTERNAL"}[min(e.Code>>16, 3)]
		out := map[string]any{
			"message": e.Message, "errorCode": e.Code, "errorName": e.Name, "errorType": kind,
			"failureInfo": map[string]any{"type": "io.trino.spi.TrinoException", "message": e.Message, "suppressed": []any{}, "stack": []any{}},
		}
		if e.Line > 0 {
			out["errorLocation"] = map[string]any{"lineNumber": e.Line, "columnNumber": e.Column}
		}
		page["error"] = out
	}
	for name, value := range a.Changes {
		switch key, text, _ := strings.Cut(value, "="); name {
		case "Set-Session":
			value = key + "=" + url.QueryEscape(text)
		case "Added-Prepare": // the text is not recorded; the suite's answers do not hang on it
			value += "=SELECT+1"
		case "Started-Transaction-Id":
			value = "5516885f-bcd7-4d60-a08c-42576041bd00"
		}
		h.Set("X-Trino-"+name, value)
	}
}

// signatureOf reads a type's name into the structure that clients want beside it.
func signatureOf(name string) map[string]any {
	p := &typeName{rest: name}
	s := p.signature()
	if p.rest != "" {
		panic("type " + name + ": what is " + p.rest)
	}
	return s
}

type typeName struct{ rest string }

func (p *typeName) word() string {
	if rest, ok := strings.CutPrefix(p.rest, `"`); ok {
		name, rest, _ := strings.Cut(rest, `"`)
		p.rest = rest
		return name
	}
	n := strings.IndexAny(p.rest, "(), ")
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return word
}

func (p *typeName) accept(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *typeName) signature() map[string]any {
	var raw string
	for _, long := range []string{"interval day to second", "interval year to month", "INTERVAL DAY TO SECOND", "INTERVAL YEAR TO MONTH"} {
		if p.accept(long) {
			raw = strings.ToLower(long)
		}
	}
	if raw == "" {
		raw = p.word()
	}
	arguments := []any{}
	add := func(kind string, value any) {
		arguments = append(arguments, map[string]any{"kind": kind, "value": value})
	}
	if p.accept("(") {
		for {
			switch {
			case raw == "row":
				p.field(add)
			case p.rest[0] >= '0' && p.rest[0] <= '9':
				n, _ := strconv.Atoi(p.word())
				add("LONG", n)
			default:
				add("TYPE", p.signature())
			}
			if !p.accept(", ") {
				break
			}
		}
		p.accept(")")
	} else if raw == "varchar" {
		add("LONG", 2147483647)
	}
	if p.accept(" with time zone") {
		raw += " with time zone"
	}
	return map[string]any{"rawType": raw, "arguments": arguments}
}

// field reads a field of a row: a name and a type, or a type alone.
func (p *typeName) field(add func(string, any)) {
	begin := p.rest
	name := p.word()
	if strings.HasPrefix(begin, `"`) || p.accept(" ") && !strings.HasPrefix(p.rest, "with time zone") && name != "interval" {
		p.accept(" ")
		add("NAMED_TYPE", map[string]any{"fieldName": map[string]any{"name": name}, "typeSignature": p.signature()})
		return
	}
	p.rest = begin
	add("NAMED_TYPE", map[string]any{"typeSignature": p.signature()})
}
