package duck

import (
	"context"
	"database/sql"
	"reflect"
	"sync"
	"unsafe"

	duckdb "github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// Progress tells how far the queries of a context are. Its methods may be called from several goroutines.
type Progress struct {
	mu   sync.Mutex
	conn *mapping.Connection // of the running query; nil: none, or out of reach
}

type progressKey struct{}

// WithProgress lets p follow the queries that run under the context, one after the other.
func WithProgress(ctx context.Context, p *Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// Percent is how far the running query is, from 0 to 100; -1 if DuckDB does not know.
func (p *Progress) Percent() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil {
		return -1
	}
	q := mapping.QueryProgress(*p.conn)
	percent, _, _ := mapping.QueryProgressTypeMembers(&q)
	return percent
}

func (p *Progress) follow(c *mapping.Connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conn = c
}

// conn is a connection out of the pool that a Progress may follow while it is out.
type conn struct {
	*sql.Conn
	progress *Progress
	turns    *turns // of the streams
}

// Close gives the connection back. Nobody may ask for its progress then: the pool may close it.
func (c *conn) Close() error {
	if c.progress != nil {
		c.progress.follow(nil)
	}
	return c.Conn.Close()
}

// followed lets the context's Progress look at a connection; nil if there is none.
func followed(ctx context.Context, c *sql.Conn) *Progress {
	p, _ := ctx.Value(progressKey{}).(*Progress)
	if p != nil {
		// The bar itself comes last: a connection whose settings were cut short must not print one.
		for _, set := range []string{"enable_progress_bar_print = false", "progress_bar_time = 0", "enable_progress_bar = true"} {
			if _, err := c.ExecContext(ctx, "SET "+set); err != nil {
				return nil // no progress is no reason to fail
			}
		}
		_ = c.Raw(func(d any) error {
			if h := handle(d); h != nil {
				p.follow(h)
			}
			return nil
		})
	}
	return p
}

// handle finds DuckDB's connection inside of the driver's, which keeps it to itself; nil if the driver looks different.
func handle(d any) *mapping.Connection {
	c, ok := d.(*duckdb.Conn)
	if !ok {
		return nil
	}
	f := reflect.ValueOf(c).Elem().FieldByName("conn")
	if !f.IsValid() || f.Type() != reflect.TypeFor[mapping.Connection]() {
		return nil
	}
	h := *(*mapping.Connection)(unsafe.Pointer(f.UnsafeAddr()))
	return &h
}
