package config

import (
	"os"
	"path/filepath"
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
	t.Setenv(Variable(S3AccessKey), "id")
	t.Setenv(Variable(S3SecretKey), "secret")
	before := load()
	if load().Digest() != before.Digest() {
		t.Error("the same settings differ")
	}
	for key, value := range map[string]string{S3SecretKey: "hush", S3AccessKey: "other", S3Region: "eu-1", Token: "hush", Catalog: "postgresql://u:hush@h/d"} {
		t.Run(key, func(t *testing.T) {
			t.Setenv(Variable(key), value)
			if c := load(); c.Digest() == before.Digest() || strings.Contains(c.String()+c.Digest(), "hush") {
				t.Error(c, c.Digest())
			}
		})
	}
	for _, variable := range []string{"AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "PGPASSWORD"} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, "hush")
			if c := load(); c.Digest() == before.Digest() || strings.Contains(c.String()+c.Digest(), "hush") {
				t.Error(c, c.Digest())
			}
			for _, key := range []string{Warehouse, S3AccessKey, S3SecretKey} {
				t.Setenv(Variable(key), "")
			}
			local := load().Digest()
			t.Setenv(variable, "other")
			if load().Digest() != local {
				t.Error("a service's variable makes another engine of a lakehouse without services")
			}
		})
	}
	t.Setenv(Variable(CacheSize), "1G")
	if load().Digest() != before.Digest() {
		t.Error("the cache's size makes another engine")
	}
}

// A value that a setting can't have is refused by the setting's name, without the value where it may be a secret.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ variable, value, want string }{
		{Variable(CacheSize), "zz", `LAKELAB_CACHE_SIZE is "zz"`},
		{Variable(CacheSize), "0", "LAKELAB_CACHE_SIZE"},
		{Variable(CacheSize), "-1G", "LAKELAB_CACHE_SIZE"},
		{Variable(CacheSize), "99999999999T", "LAKELAB_CACHE_SIZE"},
		{Variable(S3PathStyle), "yes", "LAKELAB_S3_PATH_STYLE_ACCESS"},
		{Variable(S3Region), "eu 1", "LAKELAB_S3_REGION"},
		{Variable(Catalog), "u:HUSH@x", "LAKELAB_CATALOG"},
		{Variable(Catalog), "https://u:HUSH@h?token=HUSH", "LAKELAB_CATALOG"},
		{Variable(Catalog), "https://h?token=HUSH", "LAKELAB_CATALOG"},
		{Variable(Catalog), "https://HUSH@h", "LAKELAB_CATALOG"},
		{Variable(Catalog), "mysql://u:HUSH@h/d", "LAKELAB_CATALOG"},
		{Variable(Catalog), "postgresql://u:HU SH@h:HUSH/d", "LAKELAB_CATALOG"},
		{Variable(Catalog), "HUSH", "LAKELAB_CATALOG"},
		{Variable(Warehouse), "s3://key:HUSH@bucket/a", "LAKELAB_WAREHOUSE"},
		{Variable(Warehouse), "s3://key:HU/HUSH@bucket", "LAKELAB_WAREHOUSE"},
		{Variable(Warehouse), "s3:///a", "LAKELAB_WAREHOUSE"},
		{Variable(S3Endpoint), "http://u:HUSH@h", "LAKELAB_S3_ENDPOINT"},
		{Variable(S3Endpoint), "h:9000", "LAKELAB_S3_ENDPOINT"},
		{Variable(AuthURI), "https://h?client_secret=HUSH", "LAKELAB_OAUTH2_SERVER_URI"},
		{Variable(S3SecretKey), "HUSH", "LAKELAB_S3_SECRET_ACCESS_KEY is set without s3.access-key-id"},
		{"LAKELAB_S3_SECRET", "HUSH", "LAKELAB_S3_SECRET is no setting"},
		{"LAKELAB_DATA_ROOT", "/", "LAKELAB_DATA_ROOT is no setting"},
		{"", "HUSH", "line 1 has no ="},
		{"", "p HUSH=x", "line 1: it begins with no setting"},
		{"", "s3.regoin=HUSH", `line 1: "s3.regoin" is no setting`},
		{"", "warehouse=s3://key:HUSH@bucket", "warehouse is no location"},
		{"", "cache.size=HU", "cache.size is"},
	} {
		t.Run(c.want, func(t *testing.T) {
			dir := t.TempDir()
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			} else if err := os.WriteFile(filepath.Join(dir, File), []byte(c.value), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Load(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "HUSH") {
				t.Error(err)
			}
		})
	}
}

func TestRoots(t *testing.T) {
	dir := t.TempDir()
	for value, ok := range map[string]bool{dir: true, dir + string(filepath.ListSeparator): true, "": true, "relative": false, filepath.Join(dir, "none"): false} {
		t.Setenv(DataRoots, value)
		if roots, err := Roots(); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), DataRoots) {
			t.Error(value, roots, err)
		}
	}
}
