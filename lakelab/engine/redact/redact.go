// Package redact takes passwords out of what messages and logs show. Whoever puts a URI, or a text in which somebody may have written one, into
// an error sends it through here.
package redact

import (
	"net/url"
	"regexp"
	"strings"
)

// shown are the parameters of a database's URI that are no secrets; all others, and all of other URIs, are hidden.
var shown = map[string]bool{"sslmode": true, "search_path": true, "application_name": true, "connect_timeout": true, "user": true, "host": true, "port": true,
	"dbname": true, "target_session_attrs": true, "currentschema": true}

var schemes = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

const hidden = "xxxxx"

// URI is a URI without its passwords. Of one that can't be understood, which may hold a password anywhere, only the scheme is left.
func URI(uri string) string {
	jdbc, rest := "", uri
	if r, ok := strings.CutPrefix(uri, "jdbc:"); ok {
		jdbc, rest = "jdbc:", r
	}
	if strings.HasPrefix(rest, "sqlite:") {
		return uri
	}
	u, err := url.Parse(rest)
	if err != nil || u.Opaque != "" || u.User == nil && strings.Contains(rest, "@") {
		return jdbc + schemes.FindString(rest) + "…"
	}
	database := strings.HasPrefix(u.Scheme, "postgres")
	if u.User != nil {
		if _, secret := u.User.Password(); secret && database {
			u.User = url.UserPassword(u.User.Username(), hidden)
		} else if !database {
			u.User = url.User(hidden) // a key may stand in the name's place
		}
	}
	q := u.Query()
	for name := range q {
		if !database || !shown[strings.ToLower(name)] {
			q.Set(name, hidden)
			u.RawQuery = q.Encode()
		}
	}
	u.Fragment = ""
	return jdbc + u.String()
}

// userinfo is name:password@ in a text; in a path, where // may have become /, too.
var userinfo = regexp.MustCompile(`([^\s/:@'"` + "`" + `=]+):[^\s@/'"` + "`" + `]+@`)

// Text is a text, of a statement or a path, without the passwords of the URIs in it.
func Text(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	return userinfo.ReplaceAllString(text, "$1:"+hidden+"@")
}
