package lake

import "context"

// OnReached has f called at the named points of every write.
func OnReached(f func(point string)) { reached = f }

// OnFlushed has f called with every file and folder that was flushed to disk.
func OnFlushed(f func(path string)) { flushed = f }

// Pragma asks the catalog's SQLite for a setting.
func (l *Lakehouse) Pragma(ctx context.Context, name string) (value string, err error) {
	return value, l.db.Row(ctx, "PRAGMA "+name, nil, &value)
}
