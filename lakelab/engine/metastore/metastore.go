// Package metastore keeps what Hive's metastore keeps: databases, tables and partitions of plain files, each with its place on disk.
//
// Its tables have the names and columns of Hive's own (DBS, TBLS, SDS, COLUMNS_V2, PARTITIONS …; of the columns those that mean something
// here) and live in the lakehouse's catalog database, beside Iceberg's. It knows nothing of files and types: a location is a path, a
// column's type a text. Package engine makes tables of it (hive_*.go) and keeps files and entries in step; a change of both that must
// not be torn goes through the journal (journal.go).
package metastore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/engine/store"
)

// DefaultDatabase is the database that is always there.
const DefaultDatabase = "default"

// NullPartition stands for NULL, and for the empty string, in partition values and in folders' names.
const NullPartition = hivepath.Default

// Kinds of tables, as TBLS.TBL_TYPE has them.
const (
	Managed  = "MANAGED_TABLE"
	External = "EXTERNAL_TABLE"
	View     = "VIRTUAL_VIEW"
)

// Errors of the store. The engine gives them Spark's words, with the place in the statement.
var (
	ErrName            = errors.New("name of a database or table has other characters than letters, digits and _")
	ErrNoDatabase      = errors.New("database does not exist")
	ErrDatabaseExists  = errors.New("database already exists")
	ErrNotEmpty        = errors.New("database is not empty")
	ErrNoTable         = errors.New("table does not exist")
	ErrTableExists     = errors.New("table already exists")
	ErrPartitionExists = errors.New("partition already exists")
	ErrNoPartition     = errors.New("partition does not exist")
	ErrLocation        = errors.New("another table or database lies there")
	ErrOutrun          = errors.New("it was changed meanwhile")
	ErrUnknownOutcome  = errors.New("the database did not say whether the change was made")
)

// Database is a row of DBS.
type Database struct {
	ID       int64
	Name     string
	Comment  string
	Location string
	Owner    string
	Params   map[string]string

	changes int64 // of the entry, when it was read
}

// Column is a row of COLUMNS_V2 or PARTITION_KEYS.
type Column struct{ Name, Type, Comment string }

// Storage is a row of SDS with its SERDES.
type Storage struct {
	Location                         string
	InputFormat, OutputFormat, Serde string
	SerdeParams                      map[string]string
}

// Table is a row of TBLS with what hangs on it. Names of databases and tables are in lower case, as in Hive.
type Table struct {
	ID            int64
	Database      string
	Name          string
	Type          string // Managed, External or View
	Owner         string
	Created       time.Time
	Columns       []Column // without the partition keys
	PartitionKeys []Column
	Storage       Storage
	Params        map[string]string
	ViewText      string

	storage, serde int64 // ids
	changes        int64 // of the entry, when it was read
}

// Partition is a row of PARTITIONS.
type Partition struct {
	ID       int64
	Values   []string // one for each partition key; NullPartition for NULL
	Created  time.Time
	Location string
	Params   map[string]string

	storage int64
}

// Store is the metastore of one lakehouse. It is safe for concurrent use.
type Store struct{ db *store.DB }

// Open opens the metastore in a catalog database, making its tables and the default database, which lies in warehouse itself.
func Open(ctx context.Context, db *store.DB, warehouse, owner string) (*Store, error) {
	s := &Store{db}
	for _, t := range tables {
		if err := db.MakeTable(ctx, t.name, t.column(0), t.ddl()...); err != nil {
			return nil, fmt.Errorf("make the metastore's table %s: %w", t.name, err)
		}
	}
	// It is looked for first: a reader waits for nobody who writes.
	if _, err := s.Database(ctx, DefaultDatabase); !errors.Is(err, ErrNoDatabase) {
		return s, err
	}
	err := s.CreateDatabase(ctx, Database{Name: DefaultDatabase, Comment: "Default Hive database", Location: warehouse, Owner: owner})
	if err != nil && !errors.Is(err, ErrDatabaseExists) {
		return nil, err
	}
	return s, nil
}
