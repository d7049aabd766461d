package metastore

import (
	"context"
	"strings"
)

// Who lies where. A managed table owns its folder: no other table, partition or database may lie in it, above it or at it when it is made.
// External tables own nothing, so they may lie anywhere, as in Spark.

// below and above are conditions on a location, whose arguments are spanned's; a folder is below and above itself.
const (
	below = `("LOCATION" = ? OR substr("LOCATION", 1, ?) = ?)`
	above = `("LOCATION" = ? OR substr(?, 1, length("LOCATION") + 1) = "LOCATION" || '/')`
)

func belowArgs(location string) []any {
	return []any{location, len([]rune(location)) + 1, location + "/"}
}

func aboveArgs(location string) []any { return []any{location, location} }

// others leaves out what belongs to a table.
const others = ` AND "SD_ID" NOT IN (SELECT "SD_ID" FROM "TBLS" WHERE "TBL_ID" = ?) AND "SD_ID" NOT IN (SELECT "SD_ID" FROM "PARTITIONS" WHERE "TBL_ID" = ?)`

// Around lists the locations of tables and partitions at a location, below it and above it.
func (s *Store) Around(ctx context.Context, location string) ([]string, error) {
	return s.db.Strings(ctx, `SELECT "LOCATION" FROM "SDS" WHERE `+below+" OR "+above, append(belowArgs(location), aboveArgs(location)...)...)
}

// Locations lists those of all tables and partitions.
func (s *Store) Locations(ctx context.Context) ([]string, error) {
	return s.db.Strings(ctx, `SELECT "LOCATION" FROM "SDS" WHERE "LOCATION" LIKE 'file:%'`)
}

// Inside lists the locations, strictly below one, of tables and partitions other than a table and its own.
func (s *Store) Inside(ctx context.Context, location string, table int64) ([]string, error) {
	return s.db.Strings(ctx, `SELECT "LOCATION" FROM "SDS" WHERE "LOCATION" <> ? AND `+below+others, append(append([]any{location}, belowArgs(location)...), table, table)...)
}

// checkOwn fails with ErrLocation if a managed table can't own a location, because another table, partition or database is in the way, and
// with ErrOutrun while an unfinished change moves files there.
func (t *tx) checkOwn(location string, table int64) {
	n, _ := t.one(`SELECT count(*) FROM "SDS" WHERE (`+below+" OR "+above+")"+others, append(append(belowArgs(location), aboveArgs(location)...), table, table)...)
	databases, _ := t.one(`SELECT count(*) FROM "DBS" WHERE `+strings.ReplaceAll(below, "LOCATION", "DB_LOCATION_URI"), belowArgs(location)...)
	if n+databases > 0 {
		t.fail(ErrLocation, location)
		return
	}
	t.checkSettled(strings.TrimPrefix(location, "file:"))
}

// checkFree fails with ErrLocation if a database can't lie at a location, because it is in a table's folder.
func (t *tx) checkFree(location string) {
	if n, _ := t.one(`SELECT count(*) FROM "SDS" WHERE `+above, aboveArgs(location)...); n > 0 {
		t.fail(ErrLocation, location)
	}
}
