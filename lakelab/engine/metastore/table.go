package metastore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// CreateTable makes a table; it sets the table's id. ErrNoDatabase, ErrTableExists; for a managed one ErrLocation if another table or database
// lies in its place, ErrOutrun if the files of an unfinished change do.
func (s *Store) CreateTable(ctx context.Context, table *Table) error {
	return s.in(ctx, func(t *tx) { t.createTable(table) })
}

func (t *tx) createTable(table *Table) {
	table.Database, table.Name = strings.ToLower(table.Database), strings.ToLower(table.Name)
	if t.checkName(table.Name); t.err != nil {
		return
	}
	db, ok := t.one(`SELECT "DB_ID" FROM "DBS" WHERE "NAME" = ?`, table.Database)
	if !ok {
		t.fail(ErrNoDatabase, table.Database)
		return
	}
	if _, ok := t.tableID(table.Database, table.Name); ok {
		t.fail(ErrTableExists, table.Name)
		return
	}
	if table.Type == Managed {
		t.checkOwn(table.Storage.Location, 0)
	}
	if table.Created.IsZero() {
		table.Created = t.now
	}
	table.Created = table.Created.Truncate(time.Second)
	table.ID, table.storage, table.serde = t.ids("TBLS", 1), t.ids("SDS", 1), t.ids("SERDES", 1)
	t.exec(`INSERT INTO "TBLS" ("TBL_ID", "CREATE_TIME", "DB_ID", "LAST_ACCESS_TIME", "OWNER", "RETENTION", "SD_ID", "TBL_NAME", "TBL_TYPE", "VIEW_ORIGINAL_TEXT")
		VALUES (?, ?, ?, 0, ?, 0, ?, ?, ?, ?)`, table.ID, table.Created.Unix(), db, table.Owner, table.storage, table.Name, table.Type, nullable(table.ViewText))
	cd := t.ids("CDS", 1)
	t.exec(`INSERT INTO "CDS" ("CD_ID") VALUES (?)`, cd)
	t.exec(`INSERT INTO "SERDES" ("SERDE_ID", "NAME", "SLIB") VALUES (?, NULL, ?)`, table.serde, table.Storage.Serde)
	t.exec(`INSERT INTO "SDS" ("SD_ID", "INPUT_FORMAT", "IS_COMPRESSED", "LOCATION", "NUM_BUCKETS", "OUTPUT_FORMAT", "SERDE_ID", "CD_ID")
		VALUES (?, ?, FALSE, ?, -1, ?, ?, ?)`, table.storage, table.Storage.InputFormat, table.Storage.Location, table.Storage.OutputFormat, table.serde, cd)
	t.describe(table, cd)
}

// describe writes what hangs on a table's rows: columns, keys and parameters.
func (t *tx) describe(table *Table, cd int64) {
	t.exec(`DELETE FROM "COLUMNS_V2" WHERE "CD_ID" = ?`, cd)
	t.exec(`DELETE FROM "PARTITION_KEYS" WHERE "TBL_ID" = ?`, table.ID)
	var columns, keys [][]any
	for i, c := range table.Columns {
		columns = append(columns, []any{cd, nullable(c.Comment), c.Name, c.Type, i})
	}
	for i, c := range table.PartitionKeys {
		keys = append(keys, []any{table.ID, nullable(c.Comment), c.Name, c.Type, i})
	}
	t.insert("COLUMNS_V2", []string{"CD_ID", "COMMENT", "COLUMN_NAME", "TYPE_NAME", "INTEGER_IDX"}, columns)
	t.insert("PARTITION_KEYS", []string{"TBL_ID", "PKEY_COMMENT", "PKEY_NAME", "PKEY_TYPE", "INTEGER_IDX"}, keys)
	t.setParams("TABLE_PARAMS", "TBL_ID", table.ID, table.Params)
	t.setParams("SERDE_PARAMS", "SERDE_ID", table.serde, table.Storage.SerdeParams)
}

func (t *tx) tableID(database, name string) (int64, bool) {
	return t.one(`SELECT t."TBL_ID" FROM "TBLS" t JOIN "DBS" d ON d."DB_ID" = t."DB_ID" WHERE d."NAME" = ? AND t."TBL_NAME" = ?`,
		strings.ToLower(database), strings.ToLower(name))
}

// Table finds a table or view. ErrNoTable; ErrOutrun if it is changed faster than it can be read.
func (s *Store) Table(ctx context.Context, database, name string) (*Table, error) {
	for range 100 {
		t, err := s.tableOnce(ctx, database, name)
		if err != nil {
			return nil, err
		}
		var changes sql.NullInt64
		err = s.db.Row(ctx, `SELECT (SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = 'TABLE ' || "TBL_ID") FROM "TBLS" WHERE "TBL_ID" = ?`, []any{t.ID}, &changes)
		if err == nil && changes.Int64 == t.changes {
			return t, nil
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: %s.%s", ErrOutrun, database, name)
}

// tableOnce reads a table's entry row by row: it may be changed, or dropped and made anew, meanwhile.
func (s *Store) tableOnce(ctx context.Context, database, name string) (*Table, error) {
	t := &Table{Database: strings.ToLower(database), Name: strings.ToLower(name)}
	var created, cd int64
	var changes sql.NullInt64
	var owner, view, input, output, serde, location sql.NullString
	err := s.db.Row(ctx, `SELECT t."TBL_ID", t."CREATE_TIME", t."OWNER", t."TBL_TYPE", t."VIEW_ORIGINAL_TEXT", s."SD_ID", s."INPUT_FORMAT",
			s."OUTPUT_FORMAT", s."LOCATION", s."CD_ID", e."SERDE_ID", e."SLIB", (SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = 'TABLE ' || t."TBL_ID")
		FROM "TBLS" t JOIN "DBS" d ON d."DB_ID" = t."DB_ID" JOIN "SDS" s ON s."SD_ID" = t."SD_ID" JOIN "SERDES" e ON e."SERDE_ID" = s."SERDE_ID"
		WHERE d."NAME" = ? AND t."TBL_NAME" = ?`, []any{t.Database, t.Name},
		&t.ID, &created, &owner, &t.Type, &view, &t.storage, &input, &output, &location, &cd, &t.serde, &serde, &changes)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: %s.%s", ErrNoTable, t.Database, t.Name)
	}
	if err != nil {
		return nil, err
	}
	t.changes = changes.Int64 // before the rest is read: what is newer than it is not written over
	t.Created, t.Owner, t.ViewText = time.Unix(created, 0), owner.String, view.String
	t.Storage = Storage{Location: location.String, InputFormat: input.String, OutputFormat: output.String, Serde: serde.String}
	read := func(into *[]Column) func(*sql.Rows) error {
		return func(r *sql.Rows) error {
			var c Column
			var comment sql.NullString
			err := r.Scan(&c.Name, &c.Type, &comment)
			c.Comment = comment.String
			*into = append(*into, c)
			return err
		}
	}
	err = s.rows(ctx, read(&t.Columns), `SELECT "COLUMN_NAME", "TYPE_NAME", "COMMENT" FROM "COLUMNS_V2" WHERE "CD_ID" = ? ORDER BY "INTEGER_IDX"`, cd)
	if err == nil {
		err = s.rows(ctx, read(&t.PartitionKeys), `SELECT "PKEY_NAME", "PKEY_TYPE", "PKEY_COMMENT" FROM "PARTITION_KEYS" WHERE "TBL_ID" = ? ORDER BY "INTEGER_IDX"`, t.ID)
	}
	if err == nil {
		t.Params, err = s.params(ctx, "TABLE_PARAMS", "TBL_ID", t.ID)
	}
	if err == nil {
		t.Storage.SerdeParams, err = s.params(ctx, "SERDE_PARAMS", "SERDE_ID", t.serde)
	}
	return t, err
}

// Exists reports whether there is a table or view of that name.
func (s *Store) Exists(ctx context.Context, database, name string) (bool, error) {
	_, err := s.Table(ctx, database, name)
	if errors.Is(err, ErrNoTable) {
		return false, nil
	}
	return err == nil, err
}

// Tables lists a database's tables in order, or its views.
func (s *Store) Tables(ctx context.Context, database string, views bool) ([]string, error) {
	op := "<>"
	if views {
		op = "="
	}
	return s.db.Strings(ctx, `SELECT t."TBL_NAME" FROM "TBLS" t JOIN "DBS" d ON d."DB_ID" = t."DB_ID" WHERE d."NAME" = ? AND t."TBL_TYPE" `+op+` ? ORDER BY t."TBL_NAME"`,
		strings.ToLower(database), View)
}

// AlterTable writes a table that was read and changed: its type, location, columns, keys and parameters. ErrNoTable; ErrOutrun if
// the entry was changed since it was read: it is to be read again.
func (s *Store) AlterTable(ctx context.Context, table *Table) error {
	changes := int64(0)
	err := s.in(ctx, func(t *tx) {
		cd, ok := t.one(`SELECT "CD_ID" FROM "SDS" WHERE "SD_ID" = ?`, table.storage)
		if !ok {
			t.fail(ErrNoTable, table.Name)
			return
		}
		if n, _ := t.one(`SELECT "NEXT_VAL" FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = ?`, tableChanges(table.ID)); n != table.changes {
			t.fail(ErrOutrun, table.Name)
			return
		}
		changes = t.ids(tableChanges(table.ID), 1) + 1
		t.exec(`UPDATE "TBLS" SET "TBL_TYPE" = ?, "VIEW_ORIGINAL_TEXT" = ? WHERE "TBL_ID" = ?`, table.Type, nullable(table.ViewText), table.ID)
		t.exec(`UPDATE "SDS" SET "LOCATION" = ? WHERE "SD_ID" = ?`, table.Storage.Location, table.storage)
		t.describe(table, cd)
	})
	if err == nil {
		table.changes = changes
	}
	return err
}

// tableChanges counts the changes of a table's entry; Table reads it under the same name.
func tableChanges(table int64) string { return fmt.Sprint("TABLE ", table) }

// Rename gives a table another name and place, also in another database: its partitions' locations in the old place follow.
// ErrNoTable, ErrNoDatabase, ErrTableExists; if it gets another place ErrLocation and ErrOutrun, as CreateTable.
func (s *Store) Rename(ctx context.Context, table *Table, database, name, location string) error {
	return s.in(ctx, func(t *tx) { t.rename(table, database, name, location) })
}

func (t *tx) rename(table *Table, database, name, location string) {
	if t.checkName(name); t.err != nil {
		return
	}
	db, ok := t.one(`SELECT "DB_ID" FROM "DBS" WHERE "NAME" = ?`, strings.ToLower(database))
	if !ok {
		t.fail(ErrNoDatabase, database)
		return
	}
	if _, ok := t.tableID(database, name); ok {
		t.fail(ErrTableExists, name)
		return
	}
	old := table.Storage.Location
	if location != old {
		t.checkOwn(location, table.ID)
	}
	if t.exec(`UPDATE "TBLS" SET "DB_ID" = ?, "TBL_NAME" = ? WHERE "TBL_ID" = ?`, db, strings.ToLower(name), table.ID) == 0 {
		t.fail(ErrNoTable, table.Name)
	}
	t.ids(tableChanges(table.ID), 1)
	if location != old {
		t.changed(table.ID)
		t.exec(`UPDATE "SDS" SET "LOCATION" = ? WHERE "SD_ID" = ?`, location, table.storage)
		t.exec(`UPDATE "SERDE_PARAMS" SET "PARAM_VALUE" = ? WHERE "SERDE_ID" = ? AND "PARAM_KEY" = 'path'`, location, table.serde)
		t.exec(`UPDATE "SDS" SET "LOCATION" = ? || substr("LOCATION", ?) WHERE substr("LOCATION", 1, ?) = ?
			AND "SD_ID" IN (SELECT "SD_ID" FROM "PARTITIONS" WHERE "TBL_ID" = ?)`, location, len([]rune(old))+1, len([]rune(old))+1, old+"/", table.ID)
	}
}

// DropTable removes a table with its partitions. ErrNoTable.
func (s *Store) DropTable(ctx context.Context, database, name string) error {
	return s.in(ctx, func(t *tx) {
		id, ok := t.tableID(database, name)
		if !ok {
			t.fail(ErrNoTable, database+"."+name)
			return
		}
		t.dropTable(id)
	})
}

func (t *tx) dropTable(id int64) {
	t.dropPartitions(`"TBL_ID" = ?`, id)
	for _, sequence := range []string{partitionChanges(id), fileChanges(id), tableChanges(id)} {
		t.exec(`DELETE FROM "SEQUENCE_TABLE" WHERE "SEQUENCE_NAME" = ?`, sequence)
	}
	t.exec(`DELETE FROM "WRITE_JOURNAL" WHERE "TBL_ID" = ?`, id)
	sd, _ := t.one(`SELECT "SD_ID" FROM "TBLS" WHERE "TBL_ID" = ?`, id)
	serde, _ := t.one(`SELECT "SERDE_ID" FROM "SDS" WHERE "SD_ID" = ?`, sd)
	cd, _ := t.one(`SELECT "CD_ID" FROM "SDS" WHERE "SD_ID" = ?`, sd)
	for _, d := range []struct {
		table, key string
		id         int64
	}{{"TABLE_PARAMS", "TBL_ID", id}, {"PARTITION_KEYS", "TBL_ID", id}, {"TBLS", "TBL_ID", id}, {"SDS", "SD_ID", sd}, {"SERDE_PARAMS", "SERDE_ID", serde},
		{"SERDES", "SERDE_ID", serde}, {"COLUMNS_V2", "CD_ID", cd}, {"CDS", "CD_ID", cd}} {
		t.exec(`DELETE FROM "`+d.table+`" WHERE "`+d.key+`" = ?`, d.id)
	}
}

// nullable is NULL for an empty text.
func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}
