// Package config says where a lakehouse keeps its catalog and its files: in its folder, or on services that others share.
//
// A setting stands in the environment, or in <lakehouse>/catalog.properties, a line each; the environment wins. Its name in the
// environment is LAKELAB_ and its key in capitals with underlines: s3.path-style-access is LAKELAB_S3_PATH_STYLE_ACCESS. The keys are
// those of Iceberg's catalogs. Package daemon and package engine read them; nothing is set: SQLite and a local folder.
package config

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/redact"
)

// File is the name of the settings' file in a lakehouse.
const File = "catalog.properties"

// Hadoop is the value of Catalog for tables that have no catalog but their folders below Warehouse.
const Hadoop = "hadoop"

// Keys of settings. What S3's leave out, AWS's own variables and files say.
const (
	// Catalog is the catalog's URI: postgresql://user@host:port/database. Empty: SQLite in the lakehouse's folder. A REST
	// catalog's begins with http; Hadoop.
	Catalog = "catalog"
	// Warehouse is where new tables go: a folder, or s3://bucket[/prefix]. Empty: the folder warehouse of the lakehouse.
	Warehouse      = "warehouse"
	S3Endpoint     = "s3.endpoint"          // of a service that is not Amazon's
	S3PathStyle    = "s3.path-style-access" // true: the bucket stands in the path
	S3Region       = "s3.region"
	S3AccessKey    = "s3.access-key-id"
	S3SecretKey    = "s3.secret-access-key"
	S3SessionToken = "s3.session-token"
	// Of a REST catalog: a token, or a credential (id:secret) for which the server gives one.
	Token      = "token"
	Credential = "credential"
	Scope      = "scope"
	AuthURI    = "oauth2-server-uri"
	// CacheSize limits the files of S3 that are kept at hand: bytes, or with K, M, G, T.
	CacheSize = "cache.size"
)

var s3Keys = []string{S3Endpoint, S3PathStyle, S3Region, S3AccessKey, S3SecretKey, S3SessionToken}

var keys = slices.Concat([]string{Catalog, Warehouse}, s3Keys, []string{Token, Credential, Scope, AuthURI, CacheSize})

var defaults = map[string]string{S3PathStyle: "false", CacheSize: "10G"}

// Config is a lakehouse's settings.
type Config struct {
	dir    string
	values map[string]string
	// The services' own variables in the environment, in order.
	environ []string
}

// Load reads the settings of the lakehouse in dir. An unknown key is an error, and so is a value that its setting can't have (check.go).
func Load(dir string) (Config, error) {
	c := Config{dir: dir, values: map[string]string{}}
	f, err := os.Open(filepath.Join(dir, File))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return c, err
	}
	if err == nil {
		defer f.Close()
		if err := c.read(bufio.NewScanner(f)); err != nil {
			return c, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	for _, k := range keys {
		if v := os.Getenv(Variable(k)); v != "" {
			c.values[k] = v
		}
	}
	if !c.Local() || c.S3() {
		c.environ = slices.DeleteFunc(os.Environ(), func(v string) bool { return !strings.HasPrefix(v, "AWS_") && !strings.HasPrefix(v, "PG") })
		slices.Sort(c.environ)
	}
	if err := unknownVariables(); err != nil {
		return c, err
	}
	return c, c.check()
}

func (c Config) read(lines *bufio.Scanner) error {
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		k, v, ok := strings.Cut(line, "=")
		k = strings.TrimSpace(k)
		if !ok { // it is not shown: it may be a password
			return fmt.Errorf("line %d has no =; settings are %s", n, strings.Join(keys, ", "))
		}
		if !slices.Contains(keys, k) {
			if named.MatchString(k) {
				k = strconv.Quote(k) + " is no setting"
			} else {
				k = "it begins with no setting"
			}
			return fmt.Errorf("line %d: %s; there are %s", n, k, strings.Join(keys, ", "))
		}
		c.values[k] = strings.TrimSpace(v)
	}
	return lines.Err()
}

// Variable is the name of a setting in the environment.
func Variable(key string) string {
	return "LAKELAB_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// Get is a setting's value, or its default.
func (c Config) Get(key string) string {
	if v, ok := c.values[key]; ok {
		return v
	}
	return defaults[key]
}

// Bytes is a setting that is a size.
func (c Config) Bytes(key string) (int64, error) {
	v := c.Get(key)
	digits := strings.TrimRight(v, "KMGTkmgt")
	n, err := strconv.ParseInt(digits, 10, 64)
	shift := map[string]int{"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
	by, ok := shift[strings.ToUpper(v[len(digits):])]
	if err != nil || !ok || n <= 0 || n<<by>>by != n {
		return 0, fmt.Errorf("%s is %q; a size is a number of bytes, or one with K, M, G or T", c.name(key), v)
	}
	return n << by, nil
}

// Database is the URI of the database that the lakehouse keeps its catalog in.
func (c Config) Database() string {
	if uri := c.values[Catalog]; uri != "" && uri != Hadoop && !IsREST(uri) {
		return uri
	}
	return "sqlite:" + filepath.Join(c.dir, "catalog.db")
}

// IsREST reports whether a catalog's URI is a REST server's.
func IsREST(uri string) bool {
	return strings.HasPrefix(uri, "http://") || strings.HasPrefix(uri, "https://")
}

// S3 reports whether a service for objects is named: tables can be there although new ones go elsewhere.
func (c Config) S3() bool {
	return slices.ContainsFunc(s3Keys, func(k string) bool { return c.values[k] != "" })
}

// Local reports whether all tables are in the lakehouse's folder.
func (c Config) Local() bool { return c.values[Catalog] == "" && c.values[Warehouse] == "" }

// Digest tells whether two engines would reach the same services as the same user: it covers every setting but the cache's size, the
// region and the credentials too, and tells none. Where there are services, what the environment says of them in their own variables
// (AWS_PROFILE, PGPASSWORD, …) counts as well.
func (c Config) Digest() string {
	h := sha256.New()
	for _, k := range keys {
		if k != CacheSize {
			fmt.Fprintf(h, "%s=%q\n", k, c.Get(k))
		}
	}
	for _, v := range c.environ {
		fmt.Fprintf(h, "%q\n", v)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// String names the services for messages, without secrets.
func (c Config) String() string {
	s := redact.URI(c.Database())
	if uri := c.values[Catalog]; uri == Hadoop || IsREST(uri) {
		s = redact.URI(uri)
	}
	if w := c.values[Warehouse]; w != "" {
		s += ", " + redact.URI(w)
		if e := c.values[S3Endpoint]; e != "" {
			s += " at " + redact.URI(e)
		}
	}
	return s
}
