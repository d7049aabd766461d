// Package trinoserver starts a real Trino 476 on loopback: what tests compare with, answers are recorded from and benchmarks run
// beside. Maven fetches it the first time (about 800 MB, half a GB once it is unpacked and what is not needed is taken out), into
// the user's cache or the folder that LAKELAB_TRINO_HOME names. Trino 476 wants Java 24 or newer: TRINO_JAVA_HOME, else JAVA_HOME,
// else the newest Java under /usr/lib/jvm.
//
// Tests ask for it by LAKELAB_TRINO, the address of a running one; the command `with` in this folder sets it for the time of another
// command. A test that needs a Trino with its own catalogs calls Start.
package trinoserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"mini-lakehouse-lab/lakelab/internal/services"
)

// Options of Start.
type Options struct {
	// Dir gets the server's settings, data and log; it should be empty.
	Dir string
	// Catalogs are the catalogs' properties by name, such as Lakehouse's.
	Catalogs map[string]string
	// Config are more lines of etc/config.properties, and Files more files of etc by their names.
	Config []string
	Files  map[string]string
	// Heap is Java's -Xmx; 2G if it is empty.
	Heap string
}

// Server is a running Trino.
type Server struct {
	// URL is its address, such as http://127.0.0.1:41233; Port is the address's port.
	URL  string
	Port int

	process *services.Process
}

// Lakehouse are the properties of an Iceberg catalog over a lakehouse folder of ours, which lake.Open has made: the catalog in
// SQLite, the warehouse in the file system.
func Lakehouse(dir string) string {
	return lines(
		"connector.name=iceberg",
		"iceberg.catalog.type=jdbc",
		"iceberg.jdbc-catalog.driver-class=org.sqlite.JDBC",
		"iceberg.jdbc-catalog.connection-url=jdbc:sqlite:"+filepath.Join(dir, "catalog.db")+"?busy_timeout=30000",
		"iceberg.jdbc-catalog.catalog-name=lakehouse",
		"iceberg.jdbc-catalog.schema-version=V1",
		"iceberg.jdbc-catalog.default-warehouse-dir="+filepath.Join(dir, "warehouse"),
		"iceberg.expire-snapshots.min-retention=0s",
		"iceberg.remove-orphan-files.min-retention=0s",
		"fs.hadoop.enabled=true",
	)
}

// TPCH are the properties of the catalog tpch, Memory of a catalog that lives in memory.
const (
	TPCH   = "connector.name=tpch\ntpch.splits-per-node=2\n"
	Memory = "connector.name=memory\n"
)

// startLimit bounds how long a start may take: half a minute on a machine that does nothing else, minutes on a busy one.
const startLimit = 8 * time.Minute

// Start starts a server and waits until it answers. Stop it.
func Start(ctx context.Context, o Options) (*Server, error) {
	home, err := install(ctx)
	if err != nil {
		return nil, err
	}
	java, err := javaHome()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	port, err := services.FreePort()
	if err != nil {
		return nil, err
	}
	s := &Server{URL: fmt.Sprintf("http://127.0.0.1:%d", port), Port: port}
	if err := configure(home, dir, s, o); err != nil {
		return nil, err
	}
	launcher := exec.Command(filepath.Join(home, "bin", "launcher"), "run", "--etc-dir", filepath.Join(dir, "etc"), "--data-dir", filepath.Join(dir, "data"))
	launcher.Env = append(os.Environ(), "JAVA_HOME="+java, "PATH="+filepath.Join(java, "bin")+":"+os.Getenv("PATH"))
	if s.process, err = services.Start(launcher, filepath.Join(dir, "trino.log")); err != nil {
		return nil, err
	}
	if err := s.process.Wait(ctx, startLimit, s.started); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// PID is the server's process.
func (s *Server) PID() int { return s.process.PID() }

// Stop ends the server: gently, and by force if that takes long.
func (s *Server) Stop() { s.process.Stop(syscall.SIGTERM) }

// started fails as long as the server has not started.
func (s *Server) started(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/v1/info", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil && !strings.Contains(string(b), `"starting":false`) {
		err = errors.New("it is starting")
	}
	return err
}

// configure writes the settings of a single node that stays on loopback.
func configure(home, dir string, s *Server, o Options) error {
	heap := o.Heap
	if heap == "" {
		heap = "2G"
	}
	files := maps.Clone(o.Files)
	if files == nil {
		files = map[string]string{}
	}
	files["node.properties"] = lines("node.environment=lakelab", "node.id=lakelab-1", "node.data-dir="+filepath.Join(dir, "data"),
		"node.bind-ip=127.0.0.1", "node.internal-address=127.0.0.1")
	files["config.properties"] = lines(append([]string{
		"coordinator=true", "node-scheduler.include-coordinator=true", fmt.Sprintf("http-server.http.port=%d", s.Port), "discovery.uri=" + s.URL,
		"query.max-memory=1GB", "query.max-memory-per-node=700MB", "memory.heap-headroom-per-node=300MB", "catalog.management=static",
		"plugin.dir=" + filepath.Join(home, "plugin"),
	}, o.Config...)...)
	files["jvm.config"] = lines("-server", "-Xmx"+heap, "-XX:+UseG1GC", "-XX:G1HeapRegionSize=32M", "-XX:+ExplicitGCInvokesConcurrent",
		"-XX:+ExitOnOutOfMemoryError", "-XX:-OmitStackTraceInFastThrow", "-XX:ReservedCodeCacheSize=256M", "-XX:PerMethodRecompilationCutoff=10000",
		"-XX:PerBytecodeRecompilationCutoff=10000", "-Djdk.attach.allowAttachSelf=true", "-Djdk.nio.maxCachedBufferSize=2000000",
		"-Dfile.encoding=UTF-8", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow")
	files["log.properties"] = lines("io.trino=INFO")
	for name, text := range o.Catalogs {
		files[filepath.Join("catalog", name+".properties")] = text
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, "etc", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }
