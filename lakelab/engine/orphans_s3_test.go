package engine_test

import (
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/internal/services"
)

// TestOrphansOnS3 names a folder of a bucket as the place of orphans, which is no path of this machine.
func TestOrphansOnS3(t *testing.T) {
	s3, err := services.StartS3(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s3.Stop()
	warehouse := "s3://" + s3.Bucket + "/lab"
	for k, v := range map[string]string{config.Warehouse: warehouse, config.S3Endpoint: s3.Endpoint, config.S3PathStyle: "true",
		config.S3AccessKey: s3.AccessKey, config.S3SecretKey: s3.SecretKey} {
		t.Setenv(config.Variable(k), v)
	}
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "orphans", t.TempDir())
	run := func(q string) answer { return perform(t.Context(), s, step{SQL: q}, nil) }
	for _, q := range []string{"CREATE TABLE lakehouse.default.t USING iceberg AS SELECT 1 AS k", "CREATE TABLE lakehouse.default.u USING iceberg AS SELECT 2 AS k"} {
		if got := run(q); got.Error != nil {
			t.Fatal(q, got.Error)
		}
	}
	for _, location := range []string{warehouse + "/default/t/data", warehouse + "/default/t", warehouse} {
		got := run("CALL lakehouse.system.remove_orphan_files(table => 'default.t', dry_run => true, location => '" + location + "')")
		if got.Error != nil || strings.Contains(got.Text, "s3://") {
			t.Errorf("%s: %+v %s", location, got.Error, got.Text)
		}
	}
	if got := run("CALL lakehouse.system.remove_orphan_files(table => 'default.t', location => '" + warehouse + "/nosuch')"); got.Error != nil || strings.Contains(got.Text, "s3://") {
		t.Errorf("a folder that is not there: %+v %s", got.Error, got.Text)
	}
}
