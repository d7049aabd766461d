package trinodoor

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trinodb/trino-go-client/trino"

	"mini-lakehouse-lab/lakelab/types"
)

// pages sends the session's state with a statement and watches the pages that come in for it: trino-go-client keeps the full type
// names and the update type to itself.
type pages struct {
	next http.RoundTripper

	mu    sync.Mutex
	state State
	seen  struct {
		Columns    []clientColumn `json:"columns"`
		UpdateType string         `json:"updateType"`
	}
}

// clientColumn is a column as a page describes it.
type clientColumn struct {
	Name      string          `json:"name"`
	Type      string          `json:"type"`
	Signature clientSignature `json:"typeSignature"`
}

// clientSignature is a typeSignature read back: its type and the types inside of it.
type clientSignature struct {
	raw    string
	digits int // of a temporal type's fraction
	inside []clientSignature
}

// UnmarshalJSON reads a typeSignature.
func (s *clientSignature) UnmarshalJSON(b []byte) error {
	var in struct {
		RawType   string `json:"rawType"`
		Arguments []struct {
			Kind  string          `json:"kind"`
			Value json.RawMessage `json:"value"`
		} `json:"arguments"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	s.raw, s.digits = in.RawType, 3
	for _, a := range in.Arguments {
		var inner clientSignature
		switch a.Kind {
		case "LONG":
			if err := json.Unmarshal(a.Value, &s.digits); err != nil {
				return err
			}
			continue
		case "TYPE":
			if err := json.Unmarshal(a.Value, &inner); err != nil {
				return err
			}
		case "NAMED_TYPE":
			field := struct {
				TypeSignature *clientSignature `json:"typeSignature"`
			}{&inner}
			if err := json.Unmarshal(a.Value, &field); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown type argument %q of %s", a.Kind, in.RawType)
		}
		s.inside = append(s.inside, inner)
	}
	return nil
}

// RoundTrip passes a request on and looks at a page that comes back.
func (p *pages) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost {
		r = r.Clone(r.Context())
		p.mu.Lock()
		p.state.set(r.Header)
		p.mu.Unlock()
	}
	resp, err := p.next.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return resp, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.follow(resp.Header)
	if p.seen.Columns != nil {
		return resp, nil
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, &p.seen); err != nil {
		return nil, fmt.Errorf("a page from Trino: %w", err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

func (p *pages) columns() []clientColumn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.Columns
}

func (p *pages) end() (updateType string, _ State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen.UpdateType, p.state
}

// plain turns a value of trino-go-client into one that a cell gets. The client converts what a column or a row holds; inside of
// arrays and maps it leaves the JSON as it came.
func (s clientSignature) plain(v any) any {
	switch v := v.(type) {
	case nil, bool, int64, float64, []byte:
		return v
	case time.Time:
		return s.timeText(v)
	case json.Number:
		if s.raw != "double" && s.raw != "real" {
			if n, err := v.Int64(); err == nil {
				return n
			}
		}
		f, _ := v.Float64() // beyond the range: an infinity
		return f
	case string:
		return s.fromText(v)
	case trino.Row:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = s.inside[i].plain(v.Value(i))
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = s.inside[min(i, len(s.inside)-1)].plain(x)
		}
		return out
	case map[string]any:
		out := make([]types.Entry, 0, len(v))
		for k, x := range v {
			out = append(out, types.Entry{Key: s.inside[0].fromText(k), Value: s.inside[1].plain(x)})
		}
		slices.SortFunc(out, func(a, b types.Entry) int { return compareKeys(a.Key, b.Key) }) // a map of Go has lost Trino's order
		return out
	}
	return fmt.Sprint(v)
}

// compareKeys orders numbers by their values and anything else by its text.
func compareKeys(a, b any) int {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b)
		}
	case float64:
		if b, ok := b.(float64); ok {
			return cmp.Compare(a, b)
		}
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

// fromText reads what JSON has as a string, map keys of every type among it.
func (s clientSignature) fromText(text string) any {
	switch s.raw {
	case "boolean":
		if b, err := strconv.ParseBool(text); err == nil {
			return b
		}
	case "tinyint", "smallint", "integer", "bigint":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case "real", "double":
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	case "varbinary":
		if b, err := base64.StdEncoding.DecodeString(text); err == nil {
			return b
		}
	}
	return text
}

// timeText is a date or a time as Trino writes it.
func (s clientSignature) timeText(t time.Time) string {
	fraction := ""
	if s.digits > 0 {
		fraction = "." + strings.Repeat("0", s.digits)
	}
	switch s.raw {
	case "date":
		return t.Format("2006-01-02")
	case "time":
		return t.Format("15:04:05" + fraction)
	case "time with time zone":
		return t.Format("15:04:05" + fraction + "-07:00")
	case "timestamp with time zone":
		zone := t.Location().String()
		if zone == "" || zone == "Local" { // an offset, which has no name, or is by chance that of this machine
			zone = t.Format("-07:00")
		}
		return t.Format("2006-01-02 15:04:05"+fraction) + " " + zone
	}
	return t.Format("2006-01-02 15:04:05" + fraction)
}
