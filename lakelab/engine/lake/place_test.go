package lake_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// forged is a lakehouse with the table d.f, made of d.t's metadata file in which texts are replaced.
func forged(t *testing.T, e *env, replace ...string) *lake.Table {
	t.Helper()
	file := latestMetadata(t, e.dir, "d/t")
	b, err := os.ReadFile(file)
	e.must(err)
	text := strings.NewReplacer(replace...).Replace(string(b))
	if text == string(b) {
		t.Fatalf("nothing of %q is in %s", replace, text)
	}
	place := filepath.Join(filepath.Dir(file), "00099-forged.metadata.json")
	e.must(os.WriteFile(place, []byte(text), 0o644))
	_, err = e.l.Register(t.Context(), name("d.f"), place)
	e.must(err)
	return e.load("d.f")
}

// precious makes a file outside of the lakehouse, which must be there at the end.
func precious(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "metadata", "precious.metadata.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	})
	return path
}

// Metadata that names a file outside as the table's does not get it deleted: by a purge, an expiry, or a commit that drops old metadata.
func TestForgedFilesStay(t *testing.T) {
	e := setup(t)
	schema := types.StructOf(col("k", integ))
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	e.ctas("d.t", schema, "SELECT 1", lake.CreateOptions{Properties: map[string]string{"write.metadata.delete-after-commit.enabled": "true", "write.metadata.previous-versions-max": "1"}})
	for range 3 {
		e.append("d.t", "SELECT 2")
	}
	log := e.meta("d.t", "metadata_log_entries")
	outside := precious(t)
	forged(t, e, `"metadata-file":"`+log[0][1].(string), `"metadata-file":"`+outside)
	e.append("d.f", "SELECT 3")
	_, err := e.l.Expire(t.Context(), e.load("d.f"), lake.Expiring{OlderThan: pointer(time.Now().Add(time.Hour).UnixMilli()), RetainLast: pointer(1)})
	e.must(err)
	e.must(e.l.Drop(t.Context(), name("d.f"), true))
}

// Where metadata says that its table lies outside, nothing is written and no orphan is sought.
func TestForgedLocation(t *testing.T) {
	e := setup(t)
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	e.ctas("d.t", types.StructOf(col("k", integ)), "SELECT 1", lake.CreateOptions{})
	outside := filepath.Dir(filepath.Dir(precious(t)))
	f := forged(t, e, `"location":"`+e.load("d.t").Location()+`"`, `"location":"`+outside+`"`)
	for what, err := range map[string]error{
		"append": second(e.l.Append(t.Context(), f, "SELECT 2", e.db)),
		"alter":  e.l.SetProperties(t.Context(), f, map[string]string{"k": "v"}),
	} {
		if err == nil || !strings.Contains(err.Error(), "writing to a table at "+outside) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := e.l.Orphans(t.Context(), f, lake.Orphaned{Before: time.Now().Add(time.Hour)})
	if err != nil && !strings.Contains(err.Error(), "orphan") {
		t.Error(err)
	}
	e.equal("files", len(glob(t, filepath.Join(outside, "*", "*"))), 1)
}

// A purge that can't delete a file says so.
func TestPurgeSaysWhatIsLeft(t *testing.T) {
	e := setup(t)
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	e.ctas("d.t", types.StructOf(col("k", integ)), "SELECT 1", lake.CreateOptions{})
	data := glob(t, filepath.Join(e.dir, "warehouse/d/t/data/*.parquet"))[0]
	e.must(os.Remove(data))
	e.must(os.MkdirAll(filepath.Join(data, "x"), 0o755)) // a folder in its place, which is not empty
	e.fails(e.l.Drop(t.Context(), name("d.t"), true), "RuntimeIOException", "", "The table d.t is dropped, but 1 of its files could not be deleted, "+data+" is one")
}

// Metadata that nobody can work with is refused when it is read, by name.
func TestForgedMetadata(t *testing.T) {
	e := setup(t)
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	e.ctas("d.t", types.StructOf(col("k", integ)), "SELECT 1", lake.CreateOptions{})
	first := e.load("d.t").CurrentSnapshotID()
	e.append("d.t", "SELECT 2")
	last := e.load("d.t").CurrentSnapshotID()
	list := e.meta("d.t", "snapshots")[1][4].(string)
	file := latestMetadata(t, e.dir, "d/t")
	b, err := os.ReadFile(file)
	e.must(err)
	for want, replace := range map[string][2]string{
		"is its own ancestor":                          {`"parent-snapshot-id":` + first, `"parent-snapshot-id":` + last},
		"snapshot " + last + " has no manifest list":   {`"manifest-list":"` + list + `"`, `"manifest-list":""`},
		"the field k has the id -1, which is negative": {`"id":1,"name":"k"`, `"id":-1,"name":"k"`},
	} {
		text := strings.Replace(string(b), replace[0], replace[1], 1)
		if text == string(b) {
			t.Fatalf("%q is not in %s", replace[0], b)
		}
		place := filepath.Join(filepath.Dir(file), "00099-"+strings.Fields(want)[1]+".metadata.json")
		e.must(os.WriteFile(place, []byte(text), 0o644))
		if _, err := e.l.Register(t.Context(), name("d.f"), place); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), place) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A clock that is behind the table's history by more than a minute is refused in Iceberg's words.
func TestClockBehind(t *testing.T) {
	e := setup(t)
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	e.ctas("d.t", types.StructOf(col("k", integ)), "SELECT 1", lake.CreateOptions{})
	e.append("d.t", "SELECT 2")
	rows := e.meta("d.t", "snapshots")
	var replace []string
	for i, r := range rows {
		ms := int64(r[0].(types.Micros)) / 1000
		replace = append(replace, fmt.Sprint(ms), fmt.Sprint(time.Now().Add(time.Hour).UnixMilli()+int64(i)))
	}
	f := forged(t, e, replace...)
	_, _, err := e.l.RollbackToSnapshot(t.Context(), f, rows[0][1].(int64))
	if err == nil || !strings.Contains(err.Error(), "Invalid update timestamp") || !strings.Contains(err.Error(), "before last snapshot log entry at") {
		t.Error(err)
	}
	e.append("d.f", "SELECT 3") // a new snapshot is later than all before it
}

// Partitions by truncation at the ends of a type: numbers below come round as in Java, and no row is missed.
func TestTruncateAtTheEnds(t *testing.T) {
	e := setup(t)
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	for kind, ends := range map[types.Kind][2]string{types.Long: {"-9223372036854775808", "9223372036854775807"}, types.Int: {"-2147483648", "2147483647"}} {
		e.ctas("d.t", types.StructOf(col("k", types.Of(kind))), "SELECT unnest(["+ends[0]+", "+ends[1]+", 5])", lake.CreateOptions{Partitioning: []lake.PartitionField{{Transform: "truncate", Width: 10, Column: []string{"k"}}}})
		tab := e.load("d.t")
		for _, end := range append(ends[:], "5") {
			v := number(t, end)
			_, read, err := tab.Planned(t.Context(), nil, &lake.Condition{Op: "=", Column: []string{"k"}, Values: []any{v}})
			e.must(err)
			e.equal("files for k = "+end, read, 1)
		}
		_, read, err := tab.Planned(t.Context(), nil, &lake.Condition{Op: ">", Column: []string{"k"}, Values: []any{number(t, ends[1]) - 1}})
		e.must(err)
		e.equal("files above", read, 1)
		e.must(e.l.Drop(t.Context(), name("d.t"), true))
	}
}

// The text that is DuckDB's name for NULL in folders is a text like any other.
func TestNullAndItsName(t *testing.T) {
	e := setup(t)
	e.must(e.l.CreateNamespace(t.Context(), "d", nil))
	e.ctas("d.t", types.StructOf(col("k", types.Of(types.String)), col("v", integ)),
		"SELECT * FROM (VALUES ('__HIVE_DEFAULT_PARTITION__', 5), (NULL, 6), ('', 7)) ORDER BY 2", lake.CreateOptions{Partitioning: []lake.PartitionField{{Transform: "identity", Column: []string{"k"}}}})
	rows := e.read(e.load("d.t"), nil, "k", "v")
	e.equal("rows", len(rows), 3)
	_, read, err := e.load("d.t").Planned(t.Context(), nil, &lake.Condition{Op: "=", Column: []string{"k"}, Values: []any{"__HIVE_DEFAULT_PARTITION__"}})
	e.must(err)
	e.equal("files", read, 1)
}

func second[T any](_ T, err error) error { return err }

func pointer[T any](v T) *T { return &v }

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
