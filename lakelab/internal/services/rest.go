package services

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// REST is a running Iceberg REST catalog: the servlet that Iceberg's own tests use, on a JDBC catalog in SQLite. It asks for no password, so
// only this machine reaches it.
type REST struct {
	URI     string
	process *Process
	dir     string
}

// restProgram starts the servlet; Java (a JDK) compiles it as it reads it.
//
//go:embed RESTCatalog.java
var restProgram []byte

// restPOM are the servlet (org.apache.iceberg.rest.RESTCatalogServlet) and what it needs.
const restPOM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>lakelab</groupId><artifactId>rest-catalog</artifactId><version>1</version><dependencies>
<dependency><groupId>org.apache.iceberg</groupId><artifactId>iceberg-open-api</artifactId><version>1.10.1</version><classifier>test-fixtures</classifier>
<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>
<dependency><groupId>org.apache.iceberg</groupId><artifactId>iceberg-core</artifactId><version>1.10.1</version></dependency>
<dependency><groupId>org.apache.iceberg</groupId><artifactId>iceberg-core</artifactId><version>1.10.1</version><classifier>tests</classifier></dependency>
<dependency><groupId>org.eclipse.jetty</groupId><artifactId>jetty-servlet</artifactId><version>11.0.26</version></dependency>
<dependency><groupId>org.apache.hadoop</groupId><artifactId>hadoop-client-api</artifactId><version>3.4.1</version></dependency>
<dependency><groupId>org.apache.hadoop</groupId><artifactId>hadoop-client-runtime</artifactId><version>3.4.1</version></dependency>
<dependency><groupId>org.xerial</groupId><artifactId>sqlite-jdbc</artifactId><version>3.46.1.3</version></dependency>
</dependencies></project>
`

// StartREST starts a server whose tables are below a folder. ErrMissing without a JDK or Maven.
func StartREST(ctx context.Context, warehouse string) (*REST, error) {
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, fmt.Errorf("no Java: %w", ErrMissing)
	}
	if _, err := exec.LookPath("javac"); err != nil {
		return nil, fmt.Errorf("no Java compiler: %w", ErrMissing)
	}
	lib, err := Cached("rest-catalog-1.10.1", func(dir string) error {
		pom := filepath.Join(dir, "pom.xml")
		if err := os.WriteFile(pom, []byte(restPOM), 0o644); err != nil {
			return err
		}
		return maven(ctx, copyPlugin+"-dependencies", "-f", pom, "-DoutputDirectory="+dir)
	})
	if err != nil {
		return nil, err
	}
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	r := &REST{URI: fmt.Sprintf("http://127.0.0.1:%d", port)}
	if r.dir, err = os.MkdirTemp("", "lakelab-rest-"); err != nil {
		return nil, err
	}
	program := filepath.Join(r.dir, "RESTCatalog.java")
	if err := os.WriteFile(program, restProgram, 0o644); err != nil {
		r.Stop()
		return nil, err
	}
	server := exec.Command(java, "-Xmx256m", "-cp", lib+"/*", program, strconv.Itoa(port), "warehouse="+warehouse,
		"uri=jdbc:sqlite:"+filepath.Join(r.dir, "catalog.db"), "catalog-impl=org.apache.iceberg.jdbc.JdbcCatalog", "jdbc.schema-version=V1", "clients=1")
	if r.process, err = Start(server, filepath.Join(r.dir, "log")); err == nil {
		err = r.process.Wait(ctx, 2*time.Minute, func(ctx context.Context) error {
			q, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URI+"/v1/config", nil)
			if err != nil {
				return err
			}
			answer, err := http.DefaultClient.Do(q)
			if err == nil {
				answer.Body.Close()
			}
			return err
		})
	}
	if err != nil {
		r.Stop()
		return nil, err
	}
	return r, nil
}

// Stop ends the server.
func (r *REST) Stop() {
	if r.process != nil {
		r.process.Stop(syscall.SIGTERM)
	}
	os.RemoveAll(r.dir)
}
