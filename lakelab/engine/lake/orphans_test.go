package lake

import (
	"slices"
	"strings"
	"testing"
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
