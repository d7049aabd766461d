package engine

import (
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
	aborted bool // a statement has failed in it
	used    time.Time
}

// begin makes a transaction and forgets those whose clients are gone.
func (e *Engine) begin() (id string) {
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
	e.transactions[id] = &transaction{used: time.Now()}
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
		s.trino.transaction = s.engine.begin()
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

// autocommitOnly refuses a write inside of a transaction, as Trino's Iceberg catalogs do.
func (s *Session) autocommitOnly(st sql.Statement) error {
	if !s.inTransaction() {
		return nil
	}
	switch st.(type) {
	case *sql.CreateTable, *sql.CreateView, *sql.CreateNamespace, *sql.Drop, *sql.Insert, *sql.Delete, *sql.Update, *sql.Merge,
		*sql.Truncate, *sql.AlterTable, *sql.AlterNamespace, *sql.Comment, *sql.Analyze, *sql.CallProc:
		return errclass.TrinoAutocommit(CatalogName)
	}
	return nil
}
