package duck

import (
	"context"
	"errors"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duckpath"
	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// blame names the file behind an error that says only what is wrong inside of some file, such as "Out of buffer": the files that the query
// reads are read one by one, until one fails by itself. Other errors stay as they are. The connection must run no query.
func (c *conn) blame(ctx context.Context, query string, err error) error {
	var known *errclass.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &known) || !ofDamage(err.Error()) {
		return err
	}
	for _, path := range duckpath.Parquet(query) {
		_, rerr := exhaust(c.QueryContext(ctx, "SELECT max(hash(COLUMNS(*))) FROM read_parquet("+duckpath.Quote(path)+", hive_partitioning = false)"))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if rerr != nil {
			return errclass.UnreadableFile(path, err)
		}
	}
	return err
}

// ofDamage reports whether DuckDB's error may be that of a broken file.
func ofDamage(text string) bool {
	for _, kind := range []string{"Invalid Error", "Invalid Input Error", "IO Error", "Serialization Error", "Out of Range Error", "INTERNAL Error"} {
		if strings.HasPrefix(text, kind) {
			return true
		}
	}
	return false
}
