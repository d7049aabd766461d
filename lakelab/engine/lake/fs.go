package lake

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/iceberg-go"
	icebergio "github.com/apache/iceberg-go/io"

	"mini-lakehouse-lab/lakelab/engine/objects"
)

// Where files are. A location is what metadata holds: a plain path, file:/…, or s3://bucket/key. A path is where DuckDB finds the file on
// this machine: for an object, in the cache of package objects.

// remote is the S3 service of this process; nil if it has none. One serves all buckets, as a location does not say more.
var remote atomic.Pointer[objects.Store]

// onRemote is the S3 service that a location belongs to, if it is an object's and there is one.
func onRemote(location string) (*objects.Store, bool) {
	s := remote.Load()
	return s, s != nil && objects.Remote(location)
}

// inCache reports whether a path is an object's.
func inCache(path string) (*objects.Store, bool) {
	s := remote.Load()
	return s, s != nil && strings.HasPrefix(path, s.Dir()+"/")
}

// localPath is where a location's file is on this machine. The scheme that another engine wrote, file:/… or file:///…, is taken off.
func localPath(location string) string {
	if s, ok := onRemote(location); ok {
		return s.Path(location)
	}
	if rest, ok := strings.CutPrefix(location, "file:"); ok {
		return "/" + strings.TrimLeft(rest, "/")
	}
	return location
}

// localSQL is localPath of a DuckDB column of locations.
func localSQL(column string) string {
	x := fmt.Sprintf("regexp_replace(%s, '^file:/*', '/')", column)
	if s := remote.Load(); s != nil {
		// As objects.Store.Path writes a key; twice, since matches of // do not overlap.
		key := fmt.Sprintf("replace(replace(replace(%s, '%%', '%%25'), '//', '/%%/'), '//', '/%%/')", fmt.Sprintf("regexp_replace(%s, '^s3[an]?://', '')", column))
		x = fmt.Sprintf("CASE WHEN regexp_matches(%s, '^s3[an]?://') THEN %s || %s ELSE %s END", column, text(s.Dir()+"/"), key, x)
	}
	return x
}

// shownPath is what the hidden column _file holds for a data file.
func shownPath(location string) string {
	if _, ok := onRemote(location); ok {
		return objects.Canonical(location)
	}
	return localPath(location)
}

// shownSQL is shownPath of a DuckDB column of paths.
func shownSQL(column string) string {
	s := remote.Load()
	if s == nil {
		return column
	}
	key := fmt.Sprintf("replace(replace(%s[%d:], '/%%/', '//'), '%%25', '%%')", column, len([]rune(s.Dir()))+2)
	return fmt.Sprintf("CASE WHEN starts_with(%s, %s) THEN 's3://' || %s ELSE %s END", column, text(s.Dir()+"/"), key, column)
}

// reachable reports whether files at a location can be read and written.
func reachable(location string) bool { return strings.HasPrefix(localPath(location), "/") }

// join is a location below another one.
func join(location string, parts ...string) string {
	if !objects.Remote(location) {
		return filepath.Join(append([]string{location}, parts...)...)
	}
	location = strings.TrimRight(location, "/")
	for _, p := range parts {
		if p != "" {
			location += "/" + p
		}
	}
	return location
}

// readFile reads a whole file.
func readFile(ctx context.Context, location string) ([]byte, error) {
	path, err := fetched(ctx, location)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// uncompressedLimit bounds a compressed metadata file.
const uncompressedLimit = 1 << 30

// readMetadataFile reads a metadata file, which may be compressed (write.metadata.compression-codec).
func readMetadataFile(ctx context.Context, location string) ([]byte, error) {
	b, err := readFile(ctx, location)
	if err != nil || !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		b, err = io.ReadAll(io.LimitReader(z, uncompressedLimit+1))
	}
	if err == nil && len(b) > uncompressedLimit {
		err = fmt.Errorf("it has more than %d bytes", uncompressedLimit)
	}
	if err != nil {
		return nil, fmt.Errorf("uncompress %s: %w", location, err)
	}
	return b, nil
}

// fetched is the path of a file that is on this machine when it returns.
func fetched(ctx context.Context, location string) (string, error) {
	if s, ok := onRemote(location); ok {
		return s.Fetch(ctx, location)
	}
	switch path := localPath(location); {
	case strings.HasPrefix(path, "/"):
		return path, nil
	case objects.Remote(location):
		return "", fmt.Errorf("%s: the settings name no S3 service (s3.endpoint, s3.region, s3.access-key-id)", location)
	}
	return "", fmt.Errorf("%s is neither an absolute path nor s3://bucket/…", location)
}

// fetchAtOnce is how many files are fetched at a time.
const fetchAtOnce = 8

// fetch brings data and delete files to this machine.
func fetch(ctx context.Context, lists ...[]iceberg.DataFile) error {
	if remote.Load() == nil {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, fetchAtOnce)
	for _, list := range lists {
		for _, f := range list {
			slots <- struct{}{}
			go func() {
				if _, err := fetched(ctx, f.FilePath()); err != nil {
					cancel(err)
				}
				<-slots
			}()
		}
	}
	for range fetchAtOnce {
		slots <- struct{}{}
	}
	return context.Cause(ctx)
}

// guarded reads a file with a library that may panic at a broken one; that is an error as any other.
func guarded[V any](location string, read func() (V, error)) (v V, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s is broken: %v", location, r)
		}
	}()
	return read()
}

// writeFile makes a file with the bytes that fill puts into the buffer, as writeBytes does.
func writeFile(location string, fill func(*bytes.Buffer) error) error {
	var b bytes.Buffer
	if err := fill(&b); err != nil {
		return err
	}
	return writeBytes(location, b.Bytes())
}

// writeBytes makes a file. What is written to disk lasts only behind flushAll; an object is made at once. A failure leaves no file.
func writeBytes(location string, content []byte) error {
	path := localPath(location)
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	reached("file written")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = upload(context.Background(), path)
	}
	if err != nil {
		removeAll([]string{path})
	}
	return err
}

// upload makes an object of a file in the cache of objects; any other file stays as it is.
func upload(ctx context.Context, path string) error {
	if s, ok := inCache(path); ok {
		return s.Put(ctx, s.Location(path))
	}
	return nil
}

// flushedAtOnce is the size from which on a data file is flushed when it is complete. The smaller ones of a commit are flushed together,
// right before it happens: then the disk writes its journal once for all of them.
const flushedAtOnce = 1 << 20

// settle makes a data file of a size last, or leaves that to its commit.
func settle(ctx context.Context, path string, size int64) error {
	if err := upload(ctx, path); err != nil || size < flushedAtOnce {
		return err
	}
	return flushAll(path)
}

// unsettled are the data and delete files that their commit has to flush.
func unsettled(files ...iceberg.DataFile) (paths []string) {
	for _, f := range files {
		if f.FileSizeBytes() < flushedAtOnce || f.FileFormat() == iceberg.PuffinFile {
			paths = append(paths, f.FilePath())
		}
	}
	return paths
}

// flushesAtOnce is how many files are flushed at a time.
const flushesAtOnce = 16

// flushAll makes files last, given by location or path: what was written to them, and their names, for which each folder is flushed once.
// Objects last anyway.
func flushAll(files ...string) error {
	paths := map[string]bool{}
	for _, f := range files {
		path := localPath(f)
		if _, ok := inCache(path); !ok {
			paths[path], paths[filepath.Dir(path)] = true, true
		}
	}
	var group sync.WaitGroup
	slots, failures := make(chan struct{}, flushesAtOnce), make(chan error, len(paths))
	for path := range paths {
		slots <- struct{}{}
		group.Go(func() {
			failures <- flush(path)
			<-slots
		})
	}
	group.Wait()
	close(failures)
	var errs []error
	for err := range failures {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// flush makes the content of a file, or the names in a folder, last.
func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return err
	}
	flushed(path)
	reached("flushed")
	return nil
}

// makeFolder makes a folder and those above it, their names flushed to disk.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	parent := filepath.Dir(dir)
	if err := makeFolder(parent); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return flush(parent)
}

// removeAll removes files that no table refers to, given by location or path. What can't be removed stays for the removal of orphans; it is
// returned.
func removeAll(files []string) (left []string) {
	var objs []string
	for _, f := range files {
		path := localPath(f)
		if s, ok := inCache(path); ok {
			objs = append(objs, s.Location(path))
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = append(left, f)
		}
		reached("file removed")
	}
	if len(objs) > 0 && remote.Load().Delete(context.Background(), objs) != nil {
		left = append(left, objs...) // some of them, or all
	}
	return left
}

// eachBelow visits the files below a folder with the time of their last change, but not those that Hadoop's readers take for hidden.
func eachBelow(ctx context.Context, folder string, visit func(location string, modified time.Time)) error {
	if s, ok := onRemote(folder); ok {
		prefix := strings.TrimRight(objects.Canonical(folder), "/") + "/"
		return s.List(ctx, prefix, func(location string, modified time.Time) {
			for part := range strings.SplitSeq(strings.TrimPrefix(location, prefix), "/") {
				if hidden(part) {
					return
				}
			}
			visit(location, modified)
		})
	}
	root := localPath(folder)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path != root && errors.Is(err, fs.ErrNotExist) { // deleted meanwhile
				return nil
			}
			return err
		}
		if path != root && hidden(d.Name()) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return ctx.Err()
		}
		info, err := d.Info()
		if err == nil {
			visit(path, info.ModTime())
		} else if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// Used reports whether there is anything at a location.
func (l *Lakehouse) Used(ctx context.Context, location string) (bool, error) {
	if s, ok := onRemote(location); ok {
		return s.Any(ctx, strings.TrimRight(objects.Canonical(location), "/")+"/")
	}
	entries, err := os.ReadDir(localPath(location))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return len(entries) > 0, err
}

// hidden reports whether Hadoop's readers take a file or folder for hidden.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") && !strings.Contains(name, "=")
}

// localFS reads files for iceberg-go. Its own local file system percent-decodes file: paths, which turns a folder named `a%20b`
// into another one; here a path is what it says.
type localFS struct{}

func (localFS) Open(name string) (icebergio.File, error) {
	path, err := fetched(context.Background(), name)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

func (localFS) Remove(name string) error {
	removeAll([]string{name})
	return nil
}

// icebergVersion is what snapshots carry as iceberg-version.
var icebergVersion = func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/apache/iceberg-go" {
				return "iceberg-go " + d.Version
			}
		}
	}
	return "iceberg-go"
}()
