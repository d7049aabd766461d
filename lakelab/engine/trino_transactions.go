package engine

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// Trino's transactions hold nothing here: Iceberg tables are written with autocommit only, in Trino as well, and a query reads the
// tables as they are when it begins. What counts is that clients can begin and end them, and what a failed statement does to one.

// noTransaction is what a client that could have a transaction sends while it has none.
const noTransaction = "NONE"

// transactionIdle is for how long a transaction waits for its client (Trino's transaction.idle-timeout).
const transactionIdle = 5 * time.Minute

// transaction is one that a client has begun and not ended.
type transaction struct {
	aborted  bool // a statement has failed in it
	readOnly bool
	used     time.Time
}

// begin makes a transaction and forgets those whose clients are gone.
func (e *Engine) begin(readOnly bool) (id string) {
	b := make([]byte, 16)
	_, _ = rand.Read(b)
	id = fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.transactions == nil {
		e.transactions = map[string]*transaction{}
	}
	for id, t := range e.transactions {
		if time.Since(t.used) > transactionIdle {
			delete(e.transactions, id)
		}
	}
	e.transactions[id] = &transaction{used: time.Now(), readOnly: readOnly}
	return id
}

// inTransaction reports whether the session is in a transaction.
func (s *Session) inTransaction() bool {
	return s.trino.transaction != "" && s.trino.transaction != noTransaction
}

// checkTransaction refuses a statement whose transaction is not known any more, or has failed: only ending it is possible then.
func (s *Session) checkTransaction(st sql.Statement) error {
	if !s.inTransaction() {
		return nil
	}
	end, _ := st.(*sql.Transaction)
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	t := s.engine.transactions[s.trino.transaction]
	switch {
	case t == nil && end != nil && end.What == "ROLLBACK":
		return nil
	case t == nil:
		return errclass.TrinoUnknownTransaction(s.trino.transaction)
	case t.aborted && end != nil && end.What == "COMMIT":
		delete(s.engine.transactions, s.trino.transaction)
		return errclass.TrinoCommitAborted()
	case t.aborted && (end == nil || end.What == "START"):
		return errclass.TrinoAborted()
	}
	t.used = time.Now()
	return nil
}

// transact runs START TRANSACTION, COMMIT and ROLLBACK.
func (s *Session) transact(st *sql.Transaction) (*Result, error) {
	if st.What == "START" {
		switch {
		case s.trino.transaction == "":
			return nil, errclass.TrinoNoTransactions()
		case s.inTransaction():
			return nil, errclass.TrinoNestedTransaction()
		}
		s.trino.transaction = s.engine.begin(st.ReadOnly)
		r := updated("START TRANSACTION", -1)
		r.Changes.StartedTransaction = s.trino.transaction
		return r, nil
	}
	if !s.inTransaction() {
		return nil, errclass.TrinoNotInTransaction()
	}
	s.engine.mu.Lock()
	delete(s.engine.transactions, s.trino.transaction)
	s.engine.mu.Unlock()
	s.trino.transaction = noTransaction
	r := updated(st.What, -1)
	r.Changes.ClearTransaction = true
	return r, nil
}

// abort marks the open transaction, if there is one, as failed.
func (s *Session) abort() {
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	if t := s.engine.transactions[s.trino.transaction]; t != nil {
		t.aborted = true
	}
}

// autocommitOnly refuses a write inside of a transaction, as Trino's Iceberg catalogs do. What is about a table that is not there says that.
func (s *Session) autocommitOnly(ctx context.Context, st sql.Statement) error {
	if !s.inTransaction() {
		return nil
	}
	switch st := st.(type) {
	case *sql.CreateTable, *sql.CreateView, *sql.CreateNamespace, *sql.AlterNamespace, *sql.Comment, *sql.Analyze, *sql.AlterTable:
	case *sql.CallProc:
		return errclass.TrinoCallInTransaction()
	case *sql.Drop:
		if st.Kind == "TABLE" && s.noTable(ctx, st) {
			return nil
		}
	case *sql.Insert, *sql.Delete, *sql.Update, *sql.Merge, *sql.Truncate:
		if s.noTable(ctx, st) {
			return nil
		}
	default:
		return nil
	}
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	if t := s.engine.transactions[s.trino.transaction]; t != nil && t.readOnly {
		return errclass.TrinoReadOnly()
	}
	return errclass.TrinoAutocommit(CatalogName)
}

// noTable reports whether the table that a statement is about does not exist.
func (s *Session) noTable(ctx context.Context, st sql.Statement) bool {
	_, err := s.trinoTable(ctx, targetOf(st), st)
	return errclass.Is(err, "TABLE_NOT_FOUND")
}
