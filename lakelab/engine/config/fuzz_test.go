package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/config"
)

// FuzzLoad reads settings: a file may be refused, but what is taken can be asked for and shown.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("s3.endpoint=http://127.0.0.1:9000\ncache.size=10G\n"))
	f.Add([]byte("# a comment\ncatalog = postgresql://u:p@h:1/d\nwarehouse=s3://b/p"))
	f.Add([]byte("catalog=\x00\r\n=\nx"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, config.File), b, 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(dir)
		if err != nil {
			return
		}
		_, _, _ = c.String(), c.Digest(), c.Database()
		if _, err := c.Bytes(config.CacheSize); err != nil {
			t.Errorf("%q: %v", b, err)
		}
	})
}
