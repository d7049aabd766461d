package lake_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/internal/services"
	"mini-lakehouse-lab/lakelab/types"
)

// onS3 gives lakehouses of the test a warehouse on an S3 server, and a cache of that size.
func onS3(t *testing.T, cache string) *services.S3 {
	t.Helper()
	s, err := services.StartS3(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	for k, v := range map[string]string{config.Warehouse: "s3://" + s.Bucket + "/lab", config.S3Endpoint: s.Endpoint, config.S3PathStyle: "true",
		config.S3AccessKey: s.AccessKey, config.S3SecretKey: s.SecretKey, config.CacheSize: cache} {
		t.Setenv(config.Variable(k), v)
	}
	return s
}

// cached lists the cache's files.
func (e *env) cached() (files []string, size int64) {
	e.Helper()
	e.must(filepath.WalkDir(filepath.Join(e.dir, ".lakelab", "objects"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, err := d.Info()
			e.must(err)
			files, size = append(files, path), size+info.Size()
		}
		return err
	}))
	return files, size
}

// TestS3 does to a table on S3 what lessons do, with deletes of both kinds, and reads it again with an empty cache.
func TestS3(t *testing.T) {
	onS3(t, "1G")
	e := setup(t)
	ctx := t.Context()
	for _, mode := range []string{"copy-on-write", "merge-on-read"} {
		table := "d." + mode[:4]
		opts := byP
		opts.Properties = map[string]string{"write.update.mode": mode, "write.delete.mode": mode}
		e.ctas(table, types.StructOf(col("k", long), col("p", str), col("v", long)), "SELECT i, 'p /%' || i % 4, 100 FROM range(40) r(i)", opts)
		if got := e.load(table).Location(); got != "s3://warehouse/lab/d/"+mode[:4] {
			t.Errorf("location %s", got)
		}
		remove := func(key int) {
			tab := e.load(table)
			q, err := tab.ScanSQL(ctx, nil, []string{"k", lake.FileColumn, lake.PositionColumn}, nil)
			e.must(err)
			_, err = e.l.ChangeRows(ctx, tab, lake.RowChanges{Command: "delete", Query: fmt.Sprintf(
				"SELECT _file AS file, _pos AS pos, %d AS action, NULL AS v0, NULL AS v1, NULL AS v2 FROM (%s) WHERE k = %d", lake.RowDeleted, q, key)}, e.db)
			e.must(err)
		}
		remove(3)
		remove(7) // the same file: earlier positions are taken over
		e.append(table, "SELECT 100, 'p1', 1")
		e.equal(mode+": rows", len(e.read(e.load(table), nil)), 39)

		e.must(os.RemoveAll(filepath.Join(e.dir, ".lakelab", "objects")))
		fresh, err := lake.Open(ctx, e.dir, lake.Options{})
		e.must(err)
		old := e.l
		e.l = fresh
		e.must(old.Close())
		e.equal(mode+": rows from S3 alone", len(e.read(e.load(table), nil)), 39)
		for _, r := range e.read(e.load(table), nil, lake.FileColumn) {
			if !strings.HasPrefix(r, "s3://warehouse/lab/d/"+mode[:4]+"/data/p=p+%2F%25") && !strings.HasPrefix(r, "s3://warehouse/lab/d/"+mode[:4]+"/data/p=p1/") {
				t.Fatalf("_file is %s", r)
			}
		}
		left, err := e.l.Orphans(ctx, e.load(table), lake.Orphaned{Before: farFuture, Trial: true})
		e.must(err)
		e.equal(mode+": orphans", left, []string{})
		far, last := farFuture.UnixMilli(), 1
		_, err = e.l.Expire(ctx, e.load(table), lake.Expiring{OlderThan: &far, RetainLast: &last})
		e.must(err)
		e.equal(mode+": rows after expiry", len(e.read(e.load(table), nil)), 39)
		e.must(e.l.Drop(ctx, name(table), true))
	}
	if files, _ := e.cached(); len(files) > 0 {
		t.Errorf("purged tables left %q", files)
	}
}

// TestS3BesideFolder has its warehouse in a folder and a table on the S3 service that the settings name.
func TestS3BesideFolder(t *testing.T) {
	s := onS3(t, "1G")
	t.Setenv(config.Variable(config.Warehouse), "")
	e := setup(t)
	location := "s3://" + s.Bucket + "/beside/t"
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 1", lake.CreateOptions{Location: location})
	e.equal("location", e.load("d.t").Location(), location)
	e.must(os.RemoveAll(filepath.Join(e.dir, ".lakelab", "objects")))
	e.equal("rows", e.read(e.load("d.t"), nil), []string{"1"})
	e.ctas("d.u", types.StructOf(col("k", long)), "SELECT 2", lake.CreateOptions{})
	e.equal("location", e.load("d.u").Location(), filepath.Join(e.dir, "warehouse", "d", "u"))
}

// TestS3Cache reads more than the cache holds: it stays below its limit between pieces of work, and never loses a file under work.
func TestS3Cache(t *testing.T) {
	onS3(t, "100K")
	e := setup(t)
	ctx := t.Context()
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT 0", lake.CreateOptions{})
	for i := range 8 {
		e.append("d.t", fmt.Sprintf("SELECT hash(i + %d) >> 1 FROM range(5000) r(i)", i*5000))
	}
	if _, size := e.cached(); size > 100<<10 {
		t.Errorf("the cache holds %d bytes", size)
	}
	end := e.l.Begin()
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 40001)
	if _, size := e.cached(); size < 200<<10 {
		t.Errorf("the cache holds %d bytes under work", size)
	}
	end()
	if _, size := e.cached(); size > 100<<10 {
		t.Errorf("the cache holds %d bytes after work", size)
	}
	reading, stop := context.WithCancel(ctx)
	stop()
	if _, err := e.load("d.t").ScanSQL(reading, nil, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled read: %v", err)
	}
}

// TestS3Refused opens warehouses that are not there: the errors say what is wrong, and tell no secret.
func TestS3Refused(t *testing.T) {
	s := onS3(t, "1G")
	for _, c := range []struct{ key, value, want string }{
		{config.S3SecretKey, "wrong-secret", "does not accept the credentials"},
		{config.S3AccessKey, "nobody", "does not accept the credentials"},
		{config.Warehouse, "s3://nowhere/lab", "there is no bucket nowhere at " + s.Endpoint},
		{config.S3Endpoint, "http://127.0.0.1:1", "http://127.0.0.1:1 can't be reached"},
		{config.CacheSize, "much", `LAKELAB_CACHE_SIZE is "much"`},
		{config.S3PathStyle, "maybe", `LAKELAB_S3_PATH_STYLE_ACCESS is "maybe"`},
		{config.Warehouse, "gs://bucket", `the warehouse "gs://bucket"`},
	} {
		t.Run(c.key+" "+c.value, func(t *testing.T) {
			t.Setenv(config.Variable(c.key), c.value)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, err := lake.Open(ctx, t.TempDir(), lake.Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), s.SecretKey) {
				t.Errorf("%v", err)
			}
		})
	}
}
