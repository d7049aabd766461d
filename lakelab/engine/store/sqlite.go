package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A SQLite file is read wherever its bytes can be: also in a folder that can't be written, and on a disk without a free byte, where the files
// that SQLite wants beside it (-wal, -shm) can't be made.

// sqliteFile connects with a SQLite file.
type sqliteFile struct {
	path           string
	usual, reading driver.Connector
	still          driver.Connector // reads the file as one that nobody changes
}

func openSQLite(path string) (*DB, error) {
	f := &sqliteFile{path: path}
	name := "file:" + (&url.URL{Path: path}).EscapedPath()
	for _, c := range []struct {
		into *driver.Connector
		dsn  string
	}{
		// WAL lets readers pass while a commit writes; immediate takes the write lock at BEGIN, so two writers wait instead of failing.
		{&f.usual, "?_pragma=busy_timeout(30000)&_pragma=journal_mode(WAL)&_txlock=immediate"},
		{&f.reading, "?mode=ro&_pragma=busy_timeout(30000)&_pragma=user_version"},
		{&f.still, "?mode=ro&immutable=1&_pragma=user_version"},
	} {
		var err error
		if *c.into, err = sqlite.NewConnector(name + c.dsn); err != nil {
			return nil, err
		}
	}
	return &DB{sql.OpenDB(f), sqliteDialect{f}}, nil
}

// Driver is database/sql's.
func (f *sqliteFile) Driver() driver.Driver { return f.usual.Driver() }

// Connect opens the file to read and write it; where that is not possible, to read it, for one use: with the next one it is tried again.
func (f *sqliteFile) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := f.usual.Connect(ctx)
	if err == nil || f.Writable() == nil && !full(filepath.Dir(f.path)) {
		return c, err
	}
	if size(f.path) == 0 {
		return nil, f.hindered(err)
	}
	connector := f.reading
	if size(f.path+"-wal") == 0 { // nobody writes now: all is in the file itself
		connector = f.still
	}
	c, rerr := connector.Connect(ctx)
	if rerr != nil {
		return nil, f.hindered(errors.Join(err, rerr))
	}
	if all, ok := c.(sqliteConn); ok {
		return passing{all}, nil
	}
	return c, nil
}

// sqliteConn is what database/sql looks for in a connection.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
}

// passing is a connection that is not kept.
type passing struct{ sqliteConn }

// IsValid is database/sql's question whether a connection may be used again.
func (passing) IsValid() bool { return false }

// Writable says why the file can't be written; nil if nothing is known to stand in the way.
func (f *sqliteFile) Writable() error {
	for _, path := range []string{filepath.Dir(f.path), f.path} {
		if err := unix.Access(path, unix.W_OK); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s can't be written: %w", path, err)
		}
	}
	return nil
}

// hindered adds to an error of SQLite, which does not tell, what the file lacks: the right to write, or space.
func (f *sqliteFile) hindered(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL:
	default:
		return err
	}
	if werr := f.Writable(); werr != nil {
		return fmt.Errorf("%w: %w", werr, err)
	}
	if dir := filepath.Dir(f.path); full(dir) {
		return fmt.Errorf("the disk of %s is full, so that its tables can be read but nothing can be changed, not even dropped or expired: "+
			"make a megabyte free beside the tables first (other files on that disk, %s): %w: %w", dir, filepath.Join(dir, ".lakelab", "spill"), unix.ENOSPC, err)
	}
	return err
}

// full reports whether a folder's disk has no space left.
func full(dir string) bool {
	var disk unix.Statfs_t
	return unix.Statfs(dir, &disk) == nil && disk.Bavail == 0
}

// size is a file's; 0 if it is not there.
func size(path string) int64 {
	st, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return st.Size()
}
