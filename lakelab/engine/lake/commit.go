package lake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// retries is how often a commit starts again after others were faster.
const retries = 40

// attempt is one try to commit.
type attempt struct {
	base  *metadata // the metadata it starts from; nil if the table does not exist
	files []string  // of no use unless it succeeds
	kept  []string  // written for this and further attempts, to be flushed with files
	stale []string  // of no use once it has succeeded: manifests that were merged into others
}

// write makes a file of this attempt.
func (a *attempt) write(path string, content []byte) error {
	if err := writeBytes(path, content); err != nil {
		return err
	}
	a.files = append(a.files, path)
	return nil
}

// builder starts from the attempt's metadata, which the new metadata's log will name.
func (a *attempt) builder() (*table.MetadataBuilder, error) {
	return table.MetadataBuilderFromBase(a.base, a.base.location)
}

// clock is the time of a new snapshot in milliseconds, later than all that happened to the table, so that times order the history.
func (a *attempt) clock() int64 {
	now := time.Now().UnixMilli()
	if a.base != nil {
		now = max(now, a.base.LastUpdatedMillis()+1)
	}
	return now
}

// late is what Iceberg says where the clock is behind the table's history by more than it tolerates; nil where it is not.
func (a *attempt) late() error {
	if a.base == nil {
		return nil
	}
	last, now := int64(0), time.Now().UnixMilli()
	for e := range a.base.SnapshotLogs() {
		last = e.TimestampMs
	}
	if now-last >= -time.Minute.Milliseconds() {
		return nil
	}
	return errclass.IllegalArgument(fmt.Sprintf("Invalid update timestamp %d: before last snapshot log entry at %d", now, last))
}

// commit changes a table's metadata: change builds the new metadata from the attempt's, the table's row is moved from one to the
// other in one step, and if somebody else moved it first, all begins again from what they left. change gets a nil base for
// a table that does not exist, and returns nil for "nothing to do".
func (l *Lakehouse) commit(ctx context.Context, id Ident, change func(*attempt) (*table.MetadataBuilder, error)) error {
	if err := id.check(); err != nil {
		return err
	}
	if err := l.writableAt(id); err != nil {
		return err
	}
	select {
	case l.commits <- struct{}{}:
		defer func() { <-l.commits }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for i := 0; ; i++ {
		done, err := l.try(ctx, id, change)
		if done || err != nil && !errors.Is(err, errOutrun) {
			return err
		}
		if i == retries {
			return fmt.Errorf("%w: %s was changed by others %d times in a row", ErrCommitFailed, id, retries+1)
		}
		// The wait grows to a quarter of a second; its random part keeps two writers from meeting again and again.
		wait := time.Duration(rand.Int64N(int64(min(1<<i, 250)) * int64(time.Millisecond)))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// try is one attempt; it is false if somebody else was first.
func (l *Lakehouse) try(ctx context.Context, id Ident, change func(*attempt) (*table.MetadataBuilder, error)) (done bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	a := &attempt{}
	defer func() {
		switch {
		case done:
			removeAll(a.stale)
		case !errors.Is(err, errUnknownOutcome):
			removeAll(a.files)
		}
	}()
	if a.base, err = l.load(ctx, id); err != nil && !IsNoTable(err) {
		return false, err
	}
	b, err := change(a)
	if err != nil {
		return false, l.outrun(ctx, id, a, err)
	}
	if b == nil {
		return true, nil
	}
	m, err := b.Build()
	if err != nil {
		return false, cmp.Or(a.late(), err)
	}
	if _, path := l.folder(id); l.rest != nil && !path {
		if err := flushAll(slices.Concat(a.files, a.kept)...); err != nil {
			return false, err
		}
		ctx = context.WithoutCancel(ctx)
		done, err := l.restCommit(ctx, id, a.base, m)
		return l.settled(ctx, id, a.base, m, "", done, err)
	}
	previous := ""
	if a.base != nil {
		previous = a.base.location
		if m.Location() == a.base.Location() { // else the statement says where
			if err := l.checkPlace(a.base); err != nil {
				return false, err
			}
		}
	}
	next := nextMetadataFile(m.Location(), previous, extensionOf(m.Properties()))
	written := next
	folder, numbered := l.folder(id)
	if numbered {
		if next, err = nextVersionFile(folder, previous, extensionOf(m.Properties())); err != nil {
			return false, err
		}
		written = draft(next)
	}
	text, snapshots, err := encodeMetadata(m, a.base)
	if err != nil {
		return false, err
	}
	if text, err = packed(text, m.Properties()); err == nil {
		err = a.write(written, text)
	}
	if err == nil {
		err = flushAll(slices.Concat(a.files, a.kept)...)
	}
	if err != nil {
		return false, err
	}
	// From here on a cancel would leave in doubt whether the commit happened.
	ctx = context.WithoutCancel(ctx)
	reached("before the swap")
	switch {
	case numbered && a.base != nil && metadataKey(previous) != a.base.key:
		return false, nil // the file is another table's by now
	case numbered:
		done, err = publishVersion(written, next)
	default:
		done, err = l.swap(ctx, id, isTable, previous, next)
	}
	reached("after the swap")
	if done = done && answered(); done {
		l.cache.keep(next, m, snapshots, a.base) // the next commit starts from it
		l.dropOldMetadata(ctx, a.base, m)
	}
	if numbered {
		next = "" // the name is any writer's
	}
	return l.settled(ctx, id, a.base, m, next, done, err)
}

// settled looks again where a commit was refused because others were faster: the answer may be to a second sending of what has happened
// already, which the metadata file (empty: the server's), the id of a new snapshot or what the server has now tells. Else live files would be
// removed, and columns added twice.
func (l *Lakehouse) settled(ctx context.Context, id Ident, base *metadata, m table.Metadata, file string, done bool, err error) (bool, error) {
	if done || err != nil {
		return done, err
	}
	if file != "" {
		happened, err := l.happened(ctx, id, isTable, file)
		if err != nil {
			return false, errors.Join(errUnknownOutcome, err)
		}
		if happened {
			return true, nil
		}
	}
	for _, s := range m.Snapshots() {
		if base == nil || base.SnapshotByID(s.SnapshotID) == nil {
			there, err := l.holds(ctx, id, s.SnapshotID)
			if there || err != nil {
				return there, err
			}
		}
	}
	if file == "" && l.rest != nil {
		return l.restHolds(ctx, id, m)
	}
	return false, nil
}

// holds reports whether a table has a snapshot now. If that can't be told, the error is an errUnknownOutcome.
func (l *Lakehouse) holds(ctx context.Context, id Ident, snapshot int64) (bool, error) {
	now, err := l.load(ctx, id)
	if IsNoTable(err) {
		return false, nil
	}
	if err != nil {
		return false, errors.Join(errUnknownOutcome, err)
	}
	return now.SnapshotByID(snapshot) != nil, nil
}

// errUnknownOutcome says that a commit may have happened: nothing that it refers to may be removed.
var errUnknownOutcome = errors.New("it is not known whether the commit happened")

// errOutrun says that an attempt met a file that is gone because others have moved the table on and expired what the attempt started from.
var errOutrun = errors.New("the table has moved on")

// outrun makes errOutrun of an attempt's error if that is what it comes from.
func (l *Lakehouse) outrun(ctx context.Context, id Ident, a *attempt, err error) error {
	if !errors.Is(err, fs.ErrNotExist) || a.base == nil {
		return err
	}
	if now, lerr := l.location(ctx, id); lerr == nil && now != a.base.location {
		return errors.Join(errOutrun, err)
	}
	return err
}
