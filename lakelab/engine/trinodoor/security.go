package trinodoor

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// Security lets a door listen where other machines reach it: over TLS, for users with passwords. All three are files; the zero
// value is a door on loopback that takes every user at his word.
type Security struct {
	// Certificate and Key are PEM; the certificate may be followed by those that vouch for it.
	Certificate, Key string
	// Passwords has a line name:hash for each user, as `htpasswd -B` writes it: the file of Trino's file authenticator
	// (https://trino.io/docs/476/security/password-file.html), with bcrypt.
	Passwords string
}

// guard is Security at work.
type guard struct {
	files       Security
	certificate tls.Certificate
	passwords   *passwords
	// token lets the engine's own client in, as any user.
	token string
}

// open reads the files; nil without security.
func (s Security) open() (*guard, error) {
	if s == (Security{}) {
		return nil, nil
	}
	if s.Certificate == "" || s.Key == "" || s.Passwords == "" {
		return nil, errors.New("the Trino door needs a certificate, its key and a password file, all three or none")
	}
	c, err := tls.LoadX509KeyPair(s.Certificate, s.Key)
	if err != nil {
		return nil, fmt.Errorf("the Trino door's certificate: %w", err)
	}
	p := &passwords{path: s.Passwords, checked: map[[sha256.Size]byte]struct{}{}}
	if err := p.load(); err != nil {
		return nil, err
	}
	return &guard{files: s, certificate: c, passwords: p, token: secret(32)}, nil
}

// listener puts TLS on a listener.
func (g *guard) listener(l net.Listener) net.Listener {
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{g.certificate}, MinVersion: tls.VersionTLS12})
}

// pinned is the configuration of a client that takes this door's certificate and no other, whatever its name and whoever vouches.
func (g *guard) pinned() *tls.Config {
	own := g.certificate.Certificate[0]
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, // in favour of a stricter rule
		VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
			if len(raw) == 0 || !bytes.Equal(raw[0], own) {
				return errors.New("another certificate than the Trino door's")
			}
			return nil
		},
	}
}

// user is who sent a request: by its credentials if the door has passwords, else whom it names. Trino lets nobody act as another.
func (g *guard) user(w http.ResponseWriter, r *http.Request) (string, bool) {
	named := header(r, "X-Trino-User")
	if named == "" {
		named = header(r, "X-Trino-Original-User")
	}
	if g == nil {
		name, password, fault := credentials(r)
		switch {
		case fault != "":
			plain(w, http.StatusUnauthorized, fault) // it names no way to come in: a browser would ask in vain
			return "", false
		case password != "":
			unauthorized(w, "Password not allowed for insecure authentication")
			return "", false
		}
		if named == "" {
			named = name
		}
		if named == "" {
			unauthorized(w, "Basic authentication or X-Trino-Original-User or X-Trino-User must be sent")
			return "", false
		}
		return named, true
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && named != "" && subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) == 1 {
		return named, true
	}
	name, password, _ := credentials(r)
	if name == "" {
		unauthorized(w, "Unauthorized")
		return "", false
	}
	if valid, err := g.passwords.valid(name, password); err != nil || !valid {
		unauthorized(w, "Access Denied: Invalid credentials")
		return "", false
	}
	if named != "" && named != name {
		plain(w, http.StatusForbidden, "Access Denied: User "+name+" cannot impersonate user "+named)
		return "", false
	}
	return name, true
}

// credentials are a request's user and password: Basic authentication, without which both are empty, and what is wrong with them. The
// password may be left out with its colon, as in Trino.
func credentials(r *http.Request) (name, password, fault string) {
	encoded, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Basic ")
	if !ok {
		return "", "", ""
	}
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", "", "Invalid base64 encoded credentials"
	}
	if name, password, _ = strings.Cut(string(text), ":"); name == "" {
		return "", "", "Malformed credentials: user is empty"
	}
	return name, password, ""
}

// original is who a request says stands behind its user, empty if that is nobody else.
func original(r *http.Request) string {
	if name, _, _ := credentials(r); name != "" {
		return name
	}
	return header(r, "X-Trino-Original-User")
}

func unauthorized(w http.ResponseWriter, text string) {
	w.Header().Set("WWW-Authenticate", `Basic realm="Trino"`)
	plain(w, http.StatusUnauthorized, text)
}

// The password file is read again that often, as Trino does; that many checked passwords are kept, because bcrypt is slow on purpose.
const (
	passwordsReread = 5 * time.Second
	passwordsKept   = 1000
)

// minCost is the least work that Trino accepts of a bcrypt hash.
const minCost = 8

// passwords is a password file.
type passwords struct {
	path string

	mu      sync.Mutex
	read    time.Time
	text    []byte
	hashes  map[string][]byte
	broken  error                          // what is wrong with the file, while it is
	checked map[[sha256.Size]byte]struct{} // digests of a name and its password that were right
}

// load reads the file and remembers whether it could. The caller holds the lock, or is the only one.
func (p *passwords) load() error {
	p.read = time.Now()
	text, err := os.ReadFile(p.path)
	if err != nil {
		p.broken = fmt.Errorf("the password file: %w", err)
		return p.broken
	}
	if p.hashes != nil && p.broken == nil && bytes.Equal(text, p.text) {
		return nil
	}
	hashes, err := parsePasswords(text)
	if p.broken = err; err != nil {
		return err
	}
	p.text, p.hashes = text, hashes
	clear(p.checked)
	return nil
}

// parsePasswords reads all of a password file, or nothing.
func parsePasswords(text []byte) (map[string][]byte, error) {
	hashes := map[string][]byte{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			continue
		}
		name, hash, _ := strings.Cut(line, ":")
		cost, err := bcrypt.Cost([]byte(hash))
		switch {
		case name == "" || err != nil:
			return nil, fmt.Errorf("line %d of the password file is not name:hash with a hash of bcrypt (htpasswd -B -C 10)", n)
		case cost < minCost:
			return nil, fmt.Errorf("line %d of the password file: bcrypt's cost must be %d at least", n, minCost)
		case hashes[name] != nil:
			return nil, fmt.Errorf("line %d of the password file: %s is there twice", n, name)
		}
		hashes[name] = []byte(hash)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("the password file: %w", err)
	}
	return hashes, nil
}

// nobody is compared with when there is no such user, so that the time taken does not tell.
var nobody = sync.OnceValue(func() []byte {
	h, _ := bcrypt.GenerateFromPassword([]byte(secret(16)), bcrypt.DefaultCost)
	return h
})

// valid checks a user's password. bcrypt works outside of the lock, so that nobody waits for another one's guess; only what was right is
// kept, so that guesses push nothing out.
func (p *passwords) valid(name, password string) (bool, error) {
	key := sha256.Sum256([]byte(name + "\x00" + password))
	hash, known, err := p.look(name, key)
	if known || err != nil {
		return known, err
	}
	against := hash
	if hash == nil {
		against = nobody()
	}
	if bcrypt.CompareHashAndPassword(against, []byte(password)) != nil || hash == nil {
		return false, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if bytes.Equal(p.hashes[name], hash) { // not if the file was changed meanwhile
		if len(p.checked) >= passwordsKept {
			clear(p.checked)
		}
		p.checked[key] = struct{}{}
	}
	return true, nil
}

// look finds a user's hash, nil if there is none, and whether the password is known to be right. A broken file lets nobody in until it is
// mended.
func (p *passwords) look(name string, key [sha256.Size]byte) (hash []byte, known bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.read) > passwordsReread {
		_ = p.load()
	}
	if p.broken != nil {
		return nil, false, p.broken
	}
	_, known = p.checked[key]
	return p.hashes[name], known, nil
}
