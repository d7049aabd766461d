package config

import (
	"strings"
	"testing"
)

// Other credentials or another region make another digest, and stand in no message.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	load := func() Config {
		t.Helper()
		c, err := Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	t.Setenv(Variable(Warehouse), "s3://bucket/a")
	before := load()
	if load().Digest() != before.Digest() {
		t.Error("the same settings differ")
	}
	for key, value := range map[string]string{S3SecretKey: "hush", S3AccessKey: "id", S3Region: "eu-1", Token: "hush", Catalog: "postgresql://u:hush@h/d"} {
		t.Run(key, func(t *testing.T) {
			t.Setenv(Variable(key), value)
			if c := load(); c.Digest() == before.Digest() || strings.Contains(c.String()+c.Digest(), "hush") {
				t.Error(c, c.Digest())
			}
		})
	}
	t.Setenv(Variable(CacheSize), "1G")
	if load().Digest() != before.Digest() {
		t.Error("the cache's size makes another engine")
	}
}
