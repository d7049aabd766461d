// Package config says where a lakehouse keeps its catalog and its files: in its folder, or on services that others share.
//
// A setting stands in the environment, or in <lakehouse>/catalog.properties, a line each; the environment wins. Its name in the
// environment is LAKELAB_ and its key in capitals with underlines: s3.path-style-access is LAKELAB_S3_PATH_STYLE_ACCESS. The keys are
// those of Iceberg's catalogs. Package daemon and package engine read them; nothing is set: SQLite and a local folder.
package config

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/store"
)

// File is the name of the settings' file in a lakehouse.
const File = "catalog.properties"

// Keys of settings.
const (
	// Catalog is the catalog's URI: postgresql://user@host:port/database. Empty: SQLite in the lakehouse's folder.
	Catalog = "catalog"
)

var keys = []string{Catalog}

// Config is a lakehouse's settings.
type Config struct {
	dir    string
	values map[string]string
}

// Load reads the settings of the lakehouse in dir. An unknown key is an error.
func Load(dir string) (Config, error) {
	c := Config{dir, map[string]string{}}
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
		if v := os.Getenv(variable(k)); v != "" {
			c.values[k] = v
		}
	}
	return c, nil
}

func (c Config) read(lines *bufio.Scanner) error {
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		k, v, ok := strings.Cut(line, "=")
		k = strings.TrimSpace(k)
		if !ok || !slices.Contains(keys, k) {
			return fmt.Errorf("line %d: %q is no setting; there are %s", n, k, strings.Join(keys, ", "))
		}
		c.values[k] = strings.TrimSpace(v)
	}
	return lines.Err()
}

// variable is the name of a setting in the environment.
func variable(key string) string {
	return "LAKELAB_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}

// Get is a setting's value; empty if it is not set.
func (c Config) Get(key string) string { return c.values[key] }

// Database is the URI of the database that the lakehouse keeps its catalog in.
func (c Config) Database() string {
	if uri := c.values[Catalog]; uri != "" {
		return uri
	}
	return "sqlite:" + filepath.Join(c.dir, "catalog.db")
}

// Local reports whether all tables are in the lakehouse's folder.
func (c Config) Local() bool { return c.values[Catalog] == "" }

// String names the services, without secrets: an engine that was started with others is another engine.
func (c Config) String() string {
	return store.Redacted(c.Database())
}
