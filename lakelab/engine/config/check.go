package config

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/store"
)

// What values the settings can have. No message shows the value of a URI that is wrong: a password may stand anywhere in it.

// named are texts that may be the name of a setting, misspelt.
var named = regexp.MustCompile(`^[a-z][a-z0-9]*([.-][a-z0-9]+)*$`)

var regions = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// name is a setting's name where it was set.
func (c Config) name(key string) string {
	if os.Getenv(Variable(key)) != "" {
		return Variable(key)
	}
	return key
}

// check looks at all settings.
func (c Config) check() error {
	wrong := func(key, format string, args ...any) error {
		return fmt.Errorf("%s "+format, append([]any{c.name(key)}, args...)...)
	}
	uri := c.Get(Catalog)
	switch {
	case uri == "" || uri == Hadoop || strings.HasPrefix(uri, "sqlite:"):
	case IsREST(uri):
		if !plainURL(uri) {
			return wrong(Catalog, "is no URL of a REST catalog: it has a host, and neither a user nor parameters; credentials are %s and %s", Token, Credential)
		}
	case store.IsPostgres(uri):
		if u, err := url.Parse(strings.TrimPrefix(uri, "jdbc:")); err != nil || u.Fragment != "" {
			return wrong(Catalog, "is no URI: special characters of a password are written as %%40 and the like; better is PGPASSWORD or ~/.pgpass")
		}
	default:
		return wrong(Catalog, "is neither postgresql://user@host:port/database, nor the http(s) URL of a REST catalog, nor %s", Hadoop)
	}
	if w := c.Get(Warehouse); strings.Contains(w, "://") && !plainURL(w) {
		return wrong(Warehouse, "is no location: it is a folder or s3://bucket/prefix, without a user or parameters; credentials are %s and %s", S3AccessKey, S3SecretKey)
	}
	for _, key := range []string{S3Endpoint, AuthURI} {
		if v := c.Get(key); v != "" && (!IsREST(v) || !plainURL(v)) {
			return wrong(key, "is no URL: it begins with http:// or https:// and a host, and has neither a user nor parameters")
		}
	}
	if v := c.Get(S3Region); v != "" && !regions.MatchString(v) {
		return wrong(S3Region, "is no name of a region")
	}
	if v := c.Get(S3PathStyle); v != "true" && v != "false" {
		return wrong(S3PathStyle, "is %q; it can be true, false", v)
	}
	for _, pair := range [][2]string{{S3AccessKey, S3SecretKey}, {S3SecretKey, S3AccessKey}} {
		if c.Get(pair[0]) != "" && c.Get(pair[1]) == "" {
			return wrong(pair[0], "is set without %s", pair[1])
		}
	}
	_, err := c.Bytes(CacheSize)
	return err
}

// plainURL reports whether a URL has a host and nothing in which secrets may stand.
func plainURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" && !strings.Contains(text, "@")
}

// unknownVariables refuses variables that look like a setting's and are none.
func unknownVariables() error {
	var known []string
	for _, k := range keys {
		known = append(known, Variable(k))
	}
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		for _, prefix := range []string{"LAKELAB_CATALOG", "LAKELAB_WAREHOUSE", "LAKELAB_S3", "LAKELAB_CACHE", "LAKELAB_OAUTH2", "LAKELAB_TOKEN", "LAKELAB_CREDENTIAL",
			"LAKELAB_DATA_"} {
			if strings.HasPrefix(name, prefix) && name != DataRoots && !slices.Contains(known, name) {
				return fmt.Errorf("%s is no setting; there are %s and %s", name, strings.Join(known, ", "), DataRoots)
			}
		}
	}
	return nil
}

// DataRoots is the variable that names more folders, beside the notebook's and the lakehouse, whose files sessions may read and write.
const DataRoots = "LAKELAB_DATA_ROOTS"

// Roots are the folders of DataRoots.
func Roots() ([]string, error) {
	var out []string
	for _, dir := range filepath.SplitList(os.Getenv(DataRoots)) {
		if dir == "" {
			continue
		}
		if st, err := os.Stat(dir); err != nil || !st.IsDir() || !filepath.IsAbs(dir) {
			return nil, fmt.Errorf("%s names %s, which is no absolute path of a folder", DataRoots, dir)
		}
		out = append(out, dir)
	}
	return out, nil
}
