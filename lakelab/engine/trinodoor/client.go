package trinodoor

import (
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/trinodb/trino-go-client/trino"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Query is a statement and where it runs.
type Query struct {
	SQL, User string
	State     State
	// Progress is told how far the statement is, in percent, a few times a second while Query waits; nil if nobody asks.
	Progress func(percent float64)
}

// Rows is a statement's whole result: Trino's type names, and values as a cell gets them: nil, bool, int64, float64, []byte,
// string (also for decimals, dates, times and intervals), []any for an array and a row, []types.Entry for a map.
type Rows struct {
	Columns, Types []string
	Rows           [][]any
	UpdateType     string
	State          State // after the statement
}

// Target is a Trino and what it wants to see of those who come.
type Target struct {
	// Address is such as http://127.0.0.1:8080 or https://trino.example.org:443.
	Address string
	// Password goes with the query's user, Token stands for both; Trino takes them over https only.
	Password, Token string
	// TLS says whose certificates are taken; nil: those that this machine trusts.
	TLS *tls.Config
}

// Client runs statements through trino-go-client, over HTTP: what a cell's TrinoQuery uses, against this door or a real Trino.
type Client struct {
	target    Target
	transport *http.Transport
}

// NewClient makes a client of a Trino. Close it.
func NewClient(t Target) *Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = t.TLS
	return &Client{t, transport}
}

// Close closes the connections that wait for another statement.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// maxAttempts is how often a request is sent. The client's own 20, over two minutes, are for servers far away: a door that is
// closed stays closed.
const maxAttempts = 3

// Query runs one statement to its end. What Trino refuses is an *errclass.Error with Trino's code and message.
func (c *Client) Query(ctx context.Context, q Query) (*Rows, error) {
	u, err := url.Parse(c.target.Address)
	if err != nil {
		return nil, err
	}
	u.User = url.User(q.User)
	if c.target.Password != "" {
		u.User = url.UserPassword(q.User, c.target.Password)
	}
	seen := &pages{next: c.transport, state: q.State}
	attempts := maxAttempts
	connector, err := trino.NewConnector(&trino.Config{
		ServerURI: u.String(), Source: "lakelab", TimeZone: "UTC",
		AccessToken: c.target.Token, RequestRetryMaxAttempts: &attempts, HTTPClient: &http.Client{Transport: seen},
	})
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	var args []any
	if q.Progress != nil {
		p := &progress{tell: q.Progress}
		defer p.end()
		args = append(args, sql.Named("X-Trino-Progress-Callback", p), sql.Named("X-Trino-Progress-Callback-Period", progressPeriod))
	}
	rows, err := db.QueryContext(ctx, strings.TrimRight(q.SQL, "; \t\r\n"), args...)
	if err != nil {
		return nil, clientError(ctx, err)
	}
	defer rows.Close()
	out := &Rows{}
	for rows.Next() {
		columns := seen.columns()
		r := make([]any, len(columns))
		p := make([]any, len(columns))
		for i := range r {
			p[i] = &r[i]
		}
		if err := rows.Scan(p...); err != nil {
			return nil, clientError(ctx, err)
		}
		for i, c := range columns {
			r[i] = c.Signature.plain(r[i])
		}
		out.Rows = append(out.Rows, r)
	}
	if err := rows.Err(); err != nil {
		return nil, clientError(ctx, err)
	}
	for _, c := range seen.columns() {
		out.Columns = append(out.Columns, c.Name)
		out.Types = append(out.Types, c.Type)
	}
	out.UpdateType, out.State = seen.end()
	return out, nil
}

const progressPeriod = 250 * time.Millisecond

// progress hands trino-go-client's reports on until the statement has ended: it reports from a goroutine of its own.
type progress struct {
	mu   sync.Mutex
	tell func(percent float64)
}

// Update is called by trino-go-client.
func (p *progress) Update(info trino.QueryProgressInfo) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tell != nil {
		p.tell(float64(info.QueryStats.ProgressPercentage))
	}
}

func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tell = nil
}

// clientError gives a client's error the fields of Trino's.
func clientError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var e *trino.ErrTrino
	if errors.As(err, &e) {
		exception := "TrinoUserError"
		if e.ErrorType != "USER_ERROR" {
			exception = "TrinoQueryError"
		}
		return &errclass.Error{Exception: exception, Class: e.ErrorName, Code: e.ErrorCode, Message: e.Message, Cause: err}
	}
	return &errclass.Error{Exception: "TrinoConnectionError", Message: strings.TrimPrefix(err.Error(), "trino: "), Cause: err}
}
