package hive

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// Written is a file that a producer wrote, with its partition's values and the number of its rows.
type Written struct {
	Path   string
	Name   string // that the file gets in its folder
	Values []string
	Rows   int64
}

// Producer writes a query's rows into a folder.
type Producer func(ctx context.Context, dir string) ([]Written, error)

// Writing says what becomes of the rows that are there.
type Writing struct {
	Overwrite bool
	Dynamic   bool           // overwrite only the partitions that get rows
	Static    metastore.Spec // the partitions that a static overwrite replaces
	IfAbsent  bool           // nothing is written if the static partition is there
}

// Write adds a producer's files to a table, or puts them in the place of others. All partitions that get rows are in the metastore then.
//
// The files are written aside, in a hidden folder of the table. One transaction of the catalog makes the change (metastore.Commit); after
// it the files are moved. A process that is killed before that leaves the table as it was and a folder that the next write removes; one
// that is killed after it leaves moves that whoever looks at the table next does (settle).
func (w *Warehouse) Write(ctx context.Context, t *Table, how Writing, produce Producer) (int64, error) {
	if there, err := w.absent(ctx, t, how); there || err != nil { // looked at again when the rows are there
		return 0, err
	}
	if err := w.settle(ctx, t.ID); err != nil {
		return 0, err
	}
	aside, written, err := w.produced(ctx, t, produce)
	if err != nil {
		return 0, err
	}
	reached("produced")
	done, err := w.commit(ctx, t, how, aside, written)
	if !done {
		return 0, err
	}
	return total(written), err
}

// absent reports whether a write must leave the partition as it is that is there already.
func (w *Warehouse) absent(ctx context.Context, t *Table, how Writing) (there bool, err error) {
	if !how.IfAbsent {
		return false, nil
	}
	parts, err := w.Store.Partitions(ctx, t.Table, how.Static)
	return len(parts) > 0, err
}

// produced has a query's rows written aside, in a table's folder, and to disk.
func (w *Warehouse) produced(ctx context.Context, t *Table, produce Producer) (aside string, written []Written, err error) {
	root := t.Location()
	if err := t.reach(root); err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return "", nil, errclass.Unwritable(root, err)
	}
	if err := w.removeStale(ctx, root); err != nil {
		return "", nil, err
	}
	aside = filepath.Join(root, fmt.Sprintf("%s%d-%s", asidePrefix, os.Getpid(), unique()))
	if err := os.Mkdir(aside, 0o755); err != nil {
		return "", nil, errclass.Unwritable(root, err)
	}
	written, err = produce(ctx, aside)
	if err == nil {
		folders := map[string]bool{}
		for _, f := range written {
			err = errors.Join(err, flush(f.Path))
			above(folders, f.Path, root)
		}
		err = errors.Join(err, flushAll(folders))
	}
	if err != nil {
		os.RemoveAll(aside)
	}
	return aside, written, errclass.Unwritable(root, err)
}

func total(written []Written) (rows int64) {
	for _, f := range written {
		rows += f.Rows
	}
	return rows
}

// asidePrefix begins the names of the folders that writes fill; the process's id follows.
const asidePrefix = ".staging-"

// removeStale removes the folders of writes whose process is gone, but not those whose files are still to be moved.
func (w *Warehouse) removeStale(ctx context.Context, root string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	stale := map[string]bool{}
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), asidePrefix)
		id, _, _ := strings.Cut(rest, "-")
		if pid, err := strconv.Atoi(id); ok && err == nil && e.IsDir() && syscall.Kill(pid, 0) == syscall.ESRCH {
			stale[filepath.Join(root, e.Name())] = true
		}
	}
	if len(stale) == 0 {
		return nil
	}
	list, err := w.Store.Unfinished(ctx) // after the look at the processes: what one committed before its end is in it
	if err != nil {
		return err
	}
	for _, c := range list {
		delete(stale, c.Aside)
	}
	for dir := range stale {
		os.RemoveAll(dir)
	}
	return nil
}

func unique() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// commit makes written files part of the table; false if a partition is there that must stay. If it fails, the folder where they are is
// removed, unless the change is made or may be: then they are all that there is of the rows.
func (w *Warehouse) commit(ctx context.Context, t *Table, how Writing, aside string, written []Written) (done bool, err error) {
	w.files.Lock()
	defer w.files.Unlock()
	change := &metastore.Write{}
	err = w.again(ctx, t.ID, func(seen int64) error { // the files that other processes move are part of the table
		if there, err := w.absent(ctx, t, how); there || err != nil {
			return err
		}
		var add, drop []metastore.Partition
		if change, add, drop, err = w.change(ctx, t, how, aside, written); err == nil {
			err = errclass.Unwritable(t.Location(), able(change))
		}
		if err != nil {
			return err
		}
		change.Seen, done = seen, true
		return w.Store.Commit(ctx, t.Table, change, add, drop)
	})
	if err == nil && !done {
		return false, os.RemoveAll(aside)
	}
	return done, w.committed(ctx, change, aside, err)
}

// again prepares and makes a change of a table's files, once more if another process was faster. seen counts the changes before. The caller
// holds w.files.
func (w *Warehouse) again(ctx context.Context, table int64, do func(seen int64) error) error {
	for range tries {
		seen, err := w.Store.FileChanges(ctx, table) // before the look at the journal, as in Files
		if err != nil {
			return err
		}
		if err := w.settleLocked(ctx, table); err != nil {
			return err
		}
		if err = do(seen); !errors.Is(err, metastore.ErrOutrun) {
			return err
		}
	}
	return metastore.ErrOutrun
}

// committed moves a change's files if its transaction, which ended with err, made it.
func (w *Warehouse) committed(ctx context.Context, change *metastore.Write, aside string, err error) error {
	if err != nil {
		if !errors.Is(err, metastore.ErrUnknownOutcome) {
			os.RemoveAll(aside)
		}
		return err
	}
	reached("committed")
	// What follows must happen although the statement is cancelled now: the change is made.
	if err := w.finish(context.WithoutCancel(ctx), change); err != nil {
		return fmt.Errorf("the rows are written, and their files will be moved when the table is used next: %w", err)
	}
	return nil
}

// change says what a write moves, and which partitions it adds and drops.
func (w *Warehouse) change(ctx context.Context, t *Table, how Writing, aside string, written []Written) (*metastore.Write, []metastore.Partition, []metastore.Partition, error) {
	var parts, drop []metastore.Partition
	var err error
	if len(t.Keys) > 0 {
		if parts, err = w.Store.Partitions(ctx, t.Table, nil); err != nil {
			return nil, nil, nil, err
		}
	}
	there := map[string]*metastore.Partition{}
	for i := range parts {
		there[t.PartitionName(parts[i].Values)] = &parts[i]
	}
	change := &metastore.Write{Aside: aside, Root: t.Location()}
	add, touched, err := places(t, there, change, written)
	if err != nil || !how.Overwrite {
		return change, add, nil, err
	}
	db, err := w.Store.Database(ctx, t.Database)
	if err != nil {
		return nil, nil, nil, err
	}
	var dirs []string
	if len(t.Keys) == 0 {
		dirs = []string{t.Location()}
	}
	for name, p := range there {
		switch {
		case how.Dynamic && touched[name], !how.Dynamic && matches(how.Static, p.Values):
			dirs = append(dirs, Path(p.Location))
			if !touched[name] {
				drop = append(drop, *p)
			}
		}
	}
	now := time.Now()
	for _, dir := range dirs {
		if err := t.reach(dir); err != nil {
			return nil, nil, nil, err
		}
		files, err := list(dir)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, f := range files {
			place := ""
			if !owned(t, db, f.Path) {
				place = w.inTrash(f.Path, now)
			}
			change.Gone = append(change.Gone, [2]string{f.Path, place})
		}
	}
	return change, add, drop, nil
}

// places gives written files their places in a table that has partitions by name. It returns the partitions that are new, and the names of
// those that get files.
func places(t *Table, there map[string]*metastore.Partition, change *metastore.Write, written []Written) (add []metastore.Partition, touched map[string]bool, err error) {
	touched = map[string]bool{}
	size, count := map[string]int64{}, map[string]int64{}
	for _, f := range written {
		dir := t.Location()
		if len(t.Keys) > 0 {
			name := t.PartitionName(f.Values)
			dir = filepath.Join(dir, name)
			if p := there[name]; p != nil {
				dir = Path(p.Location)
			} else if !touched[name] {
				add = append(add, t.NewPartition(f.Values, dir))
			}
			if !touched[name] {
				if err := errors.Join(t.partitionFits(f.Values, dir), t.reach(dir)); err != nil {
					return nil, nil, err
				}
			}
			touched[name] = true
			info, err := os.Stat(f.Path)
			if err != nil {
				return nil, nil, err
			}
			size[name] += info.Size()
			count[name]++
		}
		change.Moves = append(change.Moves, [2]string{f.Path, filepath.Join(dir, f.Name)})
	}
	for i, p := range add {
		name := t.PartitionName(p.Values)
		add[i].Params[filesKey], add[i].Params[sizeKey] = fmt.Sprint(count[name]), fmt.Sprint(size[name])
	}
	return add, touched, nil
}

// matches reports whether a partition is one of those that a spec selects.
func matches(spec metastore.Spec, values []string) bool {
	for i, allowed := range spec {
		if allowed != nil && !slices.Contains(allowed, values[i]) {
			return false
		}
	}
	return true
}

// finish moves a change's files. It may have been begun before. One process at a time does so: what is gone already may have been made anew
// by the next change. The caller holds w.files.
func (w *Warehouse) finish(ctx context.Context, change *metastore.Write) error {
	unlock, err := w.lockMoves(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	w.Refresh(change.Table)
	if there, err := w.Store.IsUnfinished(ctx, change); !there || err != nil { // another process finished it
		return err
	}
	folders := map[string]bool{} // that change
	for _, g := range change.Gone {
		reached("gone")
		var err error
		if g[1] != "" {
			above(folders, g[1], w.TrashDir())
			if err = move(g[0], g[1]); os.IsNotExist(err) { // moved before, and maybe expunged
				err = nil
			}
		} else {
			err = os.RemoveAll(g[0])
		}
		if err != nil {
			return err
		}
		above(folders, g[0], change.Root)
		if change.Root != "" {
			removeEmpty(filepath.Dir(g[0]), change.Root)
		}
	}
	for _, m := range change.Moves {
		reached("move")
		if err := move(m[0], m[1]); err != nil {
			return err
		}
		above(folders, m[1], change.Root)
		if change.Aside == "" { // a folder was renamed
			folders[filepath.Dir(m[0])] = true
			removeEmpty(filepath.Dir(m[0]), change.Root)
		}
	}
	w.Refresh(change.Table)
	if err := flushAll(folders); err != nil { // before the journal forgets the change
		return err
	}
	if change.Aside != "" {
		if err := os.RemoveAll(change.Aside); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(change.Aside), "_SUCCESS"), nil, 0o644); err != nil {
			return err
		}
	}
	reached("moved")
	return w.Store.Finished(ctx, change)
}

// lockMoves waits until no other process moves files of this lakehouse. The lock ends with the process that holds it.
func (w *Warehouse) lockMoves(ctx context.Context) (unlock func(), err error) {
	dir := filepath.Join(w.dir, ".lakelab")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "hive.lock"), os.O_CREATE|os.O_RDWR|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) || ctx.Err() != nil {
			f.Close()
			return nil, errors.Join(err, ctx.Err())
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// settle ends the changes of a table that another process, which may be dead, left unfinished.
func (w *Warehouse) settle(ctx context.Context, table int64) error {
	list, err := w.Store.Unfinished(ctx)
	if err != nil || !slices.ContainsFunc(list, func(c metastore.Write) bool { return c.Table == table }) {
		return err
	}
	w.files.Lock()
	defer w.files.Unlock()
	return w.settleLocked(ctx, table)
}

// settleLocked is settle for a caller that holds w.files. Changes are finished in their order, and none after one that cannot be.
func (w *Warehouse) settleLocked(ctx context.Context, table int64) error {
	list, err := w.Store.Unfinished(ctx)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].Table != table {
			continue
		}
		err := w.finish(ctx, &list[i])
		if err != nil {
			if there, asked := w.Store.IsUnfinished(ctx, &list[i]); asked == nil && !there {
				continue // another process finished it, and maybe the table was changed again
			}
			return fmt.Errorf("finish the write %d of a process that ended early: %w", list[i].ID, err)
		}
	}
	return nil
}

// settleAt ends the changes, of whatever table, that move files at a path or below it: something new is to be made there.
func (w *Warehouse) settleAt(ctx context.Context, path string) error {
	list, err := w.Store.Unfinished(ctx)
	if err != nil {
		return err
	}
	for _, c := range list {
		if slices.ContainsFunc(slices.Concat(c.Gone, c.Moves), func(m [2]string) bool { return Within(path, m[0]) || Within(path, m[1]) }) {
			if err := w.settle(ctx, c.Table); err != nil {
				return err
			}
		}
	}
	return nil
}

// Tidy ends what killed processes left at a folder where a table is to be made: files to be moved, and rows that were written aside.
func (w *Warehouse) Tidy(ctx context.Context, dir string) error {
	if err := w.settleAt(ctx, dir); err != nil {
		return err
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return nil // whoever wants to use it says so
	}
	return w.removeStale(ctx, dir)
}

// settleAll ends the changes of all tables as far as that is possible; what is not is left to those who use the table, and logged.
func (w *Warehouse) settleAll(ctx context.Context) error {
	list, err := w.Store.Unfinished(ctx)
	if err != nil {
		return err
	}
	tried := map[int64]bool{}
	for _, c := range list {
		if tried[c.Table] {
			continue
		}
		tried[c.Table] = true
		if err := w.settle(ctx, c.Table); err != nil {
			log.Printf("table %d of spark_catalog: %v", c.Table, err)
		}
	}
	return ctx.Err()
}
