package lake

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOrphansOfBuckets lists files of several buckets for a table in one of them.
func TestOrphansOfBuckets(t *testing.T) {
	known := map[string]string{spot("s3://a/t/data/live"): "s3://a/t/data/live"}
	for _, c := range []struct {
		file, mismatch, want string
		authorities          map[string]string
	}{
		{file: "s3://a/t/data/stray", want: "s3://a/t/data/stray"},
		{file: "s3a://a/t/data/stray", want: "s3a://a/t/data/stray"},
		{file: "s3://b/t/data/stray"}, // another bucket's: not in the folder
		{file: "s3://b/t/data/stray", mismatch: "delete"},
		{file: "s3://b/t/data/stray", authorities: map[string]string{"b": "a"}, want: "s3://b/t/data/stray"},
		{file: "s3://b/t/data/live", want: "error"},
		{file: "s3://b/t/data/live", mismatch: "ignore"},
		{file: "s3://b/t/data/live", mismatch: "delete", want: "s3://b/t/data/live"},
		{file: "s3://b/t/data/live", authorities: map[string]string{"b": "a"}},
	} {
		got, err := Orphaned{Mismatch: c.mismatch, Authorities: c.authorities}.settle([]string{c.file}, known, "s3://a/t")
		if c.want == "error" {
			if err == nil || !strings.Contains(err.Error(), "(a, b)") && !strings.Contains(err.Error(), "(b, a)") {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if want := strings.Fields(c.want); err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v: %v %v", c, got, err)
		}
	}
}

// TestVanishing lists a folder while others delete in it.
func TestVanishing(t *testing.T) {
	root := t.TempDir()
	for _, p := range []string{"a", "b", "sub/c"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, p)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, p), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var seen []string
	err := eachBelow(t.Context(), root, func(path string, _ time.Time) {
		seen = append(seen, filepath.Base(path))
		for _, p := range []string{"b", "sub"} {
			if err := os.RemoveAll(filepath.Join(root, p)); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || !slices.Equal(seen, []string{"a"}) {
		t.Error(seen, err)
	}
	if err := eachBelow(t.Context(), filepath.Join(root, "none"), nil); err == nil {
		t.Error("a folder that is not there was listed")
	}
}
