// Package trino holds what the engine and its Trino door say to each other: the door imports it to ask, the engine to answer, and
// neither imports the other.
package trino

import (
	"context"

	"mini-lakehouse-lab/lakelab/types"
)

// Backend runs statements in Trino's dialect.
type Backend interface {
	Execute(ctx context.Context, s Session, sql string) (Result, error)
}

// Session is what a client sends with every statement.
type Session struct {
	User, Source, Catalog, Schema, Path, TimeZone string
	// FollowsPath says that the client keeps the path that SET PATH gives.
	FollowsPath bool
	// URL is the door's address.
	URL string
	// Fail ends this statement with an error; its client is told so at once.
	Fail func(error)
	// Queries are the door's statements, this one among them.
	Queries              *Queries
	Properties, Prepared map[string]string
	// Transaction is the id of an open transaction, NONE for a client that could have one, empty for one that knows none.
	Transaction string
	// Follow is told, once and before the statement does anything that takes time, how to ask for its progress: in percent, below 0 if that
	// is not known. It may be asked until the result is closed, from any goroutine.
	Follow func(percent func() float64)
}

// Result is a running statement.
type Result interface {
	Schema() types.Type
	// Next returns rows, nil at the end.
	Next() ([][]any, error)
	Close() error
	UpdateType() string
	UpdateCount() (int64, bool)
	Changes() Changes
}

// Changes are what a statement did to the client's session.
type Changes struct {
	Catalog, Schema    string
	Path               string
	SetSession         map[string]string
	ClearSession       []string
	AddedPrepare       map[string]string
	DeallocatedPrepare []string
	StartedTransaction string // its id
	ClearTransaction   bool
}
