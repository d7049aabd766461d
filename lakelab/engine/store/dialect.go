package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// dialect is what differs between the databases.
type dialect interface {
	// query rewrites a query whose arguments are marked `?`; no `?` may stand in a literal.
	query(q string) string
	// isolation is what makes transactions serializable.
	isolation() sql.IsolationLevel
	// columns counts the columns of a table (first argument) with a name (second).
	columns() string
	duplicate(err error) bool
	// outrun reports whether a transaction failed only because of another one.
	outrun(err error) bool
	// certain reports whether the failed statement surely did not happen.
	certain(err error) bool
	// writable says why nothing can be written, as far as that is known before.
	writable() error
	// explain adds to an error what the database does not tell.
	explain(err error) error
}

type sqliteDialect struct{ file *sqliteFile }

func (sqliteDialect) query(q string) string         { return q }
func (sqliteDialect) isolation() sql.IsolationLevel { return sql.LevelDefault } // always serializable
func (sqliteDialect) columns() string {
	return `SELECT count(*) FROM pragma_table_info(?) WHERE name = ?`
}
func (sqliteDialect) outrun(error) bool { return false } // a writer waits

// certain is false for an I/O error: what was written of the commit may be found when the log is read again.
func (sqliteDialect) certain(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return !ok || e.Code()&0xff != sqlite3.SQLITE_IOERR
}

func (sqliteDialect) duplicate(err error) bool {
	return strings.Contains(err.Error(), "UNIQUE constraint failed")
}

func (s sqliteDialect) writable() error         { return s.file.Writable() }
func (s sqliteDialect) explain(err error) error { return s.file.hindered(err) }

type postgres struct{}

func (postgres) writable() error         { return nil }
func (postgres) explain(err error) error { return err }

func (postgres) query(q string) string {
	var b strings.Builder
	n := 0
	for part := range strings.SplitSeq(q, "?") {
		if n > 0 {
			fmt.Fprintf(&b, "$%d", n)
		}
		b.WriteString(part)
		n++
	}
	return b.String()
}

func (postgres) isolation() sql.IsolationLevel { return sql.LevelSerializable }
func (postgres) columns() string {
	return `SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ? AND column_name = ?`
}

// Conditions of PostgreSQL, by SQLSTATE.
const (
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
)

func (postgres) duplicate(err error) bool { return sqlState(err) == uniqueViolation }
func (postgres) outrun(err error) bool {
	s := sqlState(err)
	return s == serializationFailure || s == deadlockDetected
}

func (postgres) certain(err error) bool {
	// Class 57 is a server that was shut down or a query that was cancelled, maybe after the commit was written.
	s := sqlState(err)
	_, unconnected := errors.AsType[*pgconn.ConnectError](err)
	return s != "" && !strings.HasPrefix(s, "57") || unconnected || pgconn.SafeToRetry(err)
}

func sqlState(err error) string {
	if p, ok := errors.AsType[*pgconn.PgError](err); ok {
		return p.Code
	}
	return ""
}

// IsPostgres reports whether a URI is PostgreSQL's; Java's spelling jdbc:postgresql:// is too.
func IsPostgres(uri string) bool {
	uri = strings.TrimPrefix(uri, "jdbc:")
	return strings.HasPrefix(uri, "postgresql://") || strings.HasPrefix(uri, "postgres://")
}

// postgresURI takes off what only Java's drivers want.
func postgresURI(uri string) string { return strings.TrimPrefix(uri, "jdbc:") }
