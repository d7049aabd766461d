package trinodoor

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// State is what a client keeps from one statement to the next. Trino's sessions live there: the client sends it with every
// statement and follows what the answers change.
type State struct {
	Catalog, Schema, Path string
	// User is whom SET SESSION AUTHORIZATION named; empty: the one who asks.
	User string
	// Transaction is the open transaction's id; empty: none.
	Transaction string
	Properties  map[string]string
	Prepared    map[string]string
	Roles       map[string]string
}

// set puts the state into a request's headers.
func (s State) set(h http.Header) {
	transaction := s.Transaction
	if transaction == "" {
		transaction = "NONE"
	}
	for name, value := range map[string]string{
		"X-Trino-Catalog": s.Catalog, "X-Trino-Schema": s.Schema, "X-Trino-Path": s.Path, "X-Trino-Transaction-Id": transaction,
		"X-Trino-Session": joined(s.Properties), "X-Trino-Prepared-Statement": joined(encodedNames(s.Prepared)), "X-Trino-Role": joined(s.Roles),
	} {
		if value != "" {
			h.Set(name, value)
		}
	}
	if s.User != "" {
		h.Set("X-Trino-Original-User", h.Get("X-Trino-User"))
		h.Set("X-Trino-User", s.User)
	}
}

// joined writes a header of name=urlencoded entries.
func joined(m map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+"="+url.QueryEscape(m[k]))
	}
	return strings.Join(out, ",")
}

// encodedNames is a map with its names urlencoded: those of prepared statements may be any text.
func encodedNames(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[url.QueryEscape(k)] = v
	}
	return out
}

// follow applies what an answer's headers change. The maps are copied: a state handed out stays as it was.
func (s *State) follow(h http.Header) {
	replace := func(to *string, header string) {
		if v, ok := h[header]; ok {
			*to = unescaped(v[0])
		}
	}
	replace(&s.Catalog, "X-Trino-Set-Catalog")
	replace(&s.Schema, "X-Trino-Set-Schema")
	replace(&s.Path, "X-Trino-Set-Path")
	replace(&s.User, "X-Trino-Set-Authorization-User")
	replace(&s.Transaction, "X-Trino-Started-Transaction-Id")
	if h.Get("X-Trino-Reset-Authorization-User") != "" {
		s.User = ""
	}
	if h.Get("X-Trino-Clear-Transaction-Id") != "" {
		s.Transaction = ""
	}
	asIs := func(name string) string { return name }
	for _, c := range []struct {
		to               *map[string]string
		added, forgotten string
		name             func(string) string
	}{
		{&s.Properties, "X-Trino-Set-Session", "X-Trino-Clear-Session", asIs},
		{&s.Prepared, "X-Trino-Added-Prepare", "X-Trino-Deallocated-Prepare", unescaped},
		{&s.Roles, "X-Trino-Set-Role", "", asIs},
	} {
		added, forgotten := h.Values(c.added), h.Values(c.forgotten)
		if len(added)+len(forgotten) == 0 {
			continue
		}
		m := map[string]string{}
		maps.Copy(m, *c.to)
		for _, v := range added {
			name, value, _ := strings.Cut(v, "=")
			m[c.name(name)] = unescaped(value)
		}
		for _, name := range forgotten {
			delete(m, c.name(name))
		}
		*c.to = m
	}
}

func unescaped(v string) string {
	if text, err := url.QueryUnescape(v); err == nil {
		return text
	}
	return v
}
