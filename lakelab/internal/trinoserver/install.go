package trinoserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"mini-lakehouse-lab/lakelab/internal/services"
)

// Version of Trino that the engine's Trino door speaks for.
const Version = "476"

const (
	server = "io.trino:trino-server:" + Version + ":tar.gz"
	sqlite = "org.xerial:sqlite-jdbc:3.46.1.3"
)

// plugins are those that stay of the sixty.
var plugins = []string{"iceberg", "memory", "password-authenticators", "tpch"}

// install returns the unpacked server's folder, fetching it the first time.
func install(ctx context.Context) (string, error) {
	home := os.Getenv("LAKELAB_TRINO_HOME")
	if home == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		home = filepath.Join(cache, "lakelab", "trino-server-"+Version)
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return "", err
	}
	lock, err := os.OpenFile(home+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return "", err
	}
	defer lock.Close() // gives the lock back
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	if _, err := os.Stat(home); err == nil {
		return home, nil
	}
	part := home + ".part"
	if err := os.RemoveAll(part); err != nil {
		return "", err
	}
	if err := unpack(ctx, part); err != nil {
		return "", fmt.Errorf("fetch Trino %s: %w", Version, err)
	}
	return home, errors.Join(os.Rename(filepath.Join(part, "trino-server-"+Version), home), os.RemoveAll(part))
}

// unpack fetches the server and SQLite's driver, which its Iceberg connector comes without.
func unpack(ctx context.Context, dir string) error {
	if err := services.Artifact(ctx, server, dir); err != nil {
		return err
	}
	archive := filepath.Join(dir, "trino-server-"+Version+".tar.gz")
	tar := exec.CommandContext(ctx, "tar", "-x", "-z", "-f", archive, "-C", dir) // whole: its files are hard links of each other
	if out, err := tar.CombinedOutput(); err != nil {
		return fmt.Errorf("unpack %s: %w: %s", archive, err, out)
	}
	all := filepath.Join(dir, "trino-server-"+Version, "plugin")
	entries, err := os.ReadDir(all)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !slices.Contains(plugins, e.Name()) {
			if err := os.RemoveAll(filepath.Join(all, e.Name())); err != nil {
				return err
			}
		}
	}
	return services.Artifact(ctx, sqlite, filepath.Join(all, "iceberg"))
}

// javaHome finds a Java that is new enough.
func javaHome() (string, error) {
	candidates := []string{os.Getenv("TRINO_JAVA_HOME"), os.Getenv("JAVA_HOME")}
	installed, err := filepath.Glob("/usr/lib/jvm/*")
	if err != nil {
		return "", err
	}
	for _, home := range append(candidates, installed...) {
		if home != "" && javaVersion(home) >= 24 {
			return home, nil
		}
	}
	return "", errors.New("trino 476 needs Java 24 or newer; TRINO_JAVA_HOME can name its folder")
}

// javaVersion reads a Java's major version from its file `release`; 0 if it is none.
func javaVersion(home string) int {
	b, err := os.ReadFile(filepath.Join(home, "release"))
	if err != nil {
		return 0
	}
	var major int
	for line := range strings.Lines(string(b)) {
		if n, _ := fmt.Sscanf(line, `JAVA_VERSION="%d`, &major); n == 1 {
			return major
		}
	}
	return 0
}
