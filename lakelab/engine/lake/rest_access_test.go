package lake_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestVendedAccess reads a table on S3 with nothing but what the REST server says with the table: first by the table's own config, then by
// credentials for a prefix, which go before it.
func TestVendedAccess(t *testing.T) {
	s := onS3(t, "10M")
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long)), "SELECT i FROM range(5) r(i)", lake.CreateOptions{})
	tab := e.load("d.t")
	file := tab.MetadataLocation()
	metadata, err := os.ReadFile(s.Path(strings.TrimPrefix(file, "s3://"+s.Bucket+"/")))
	e.must(err)
	e.must(e.l.Close())
	lake.ForgetObjects()
	t.Cleanup(lake.ForgetObjects)

	right := map[string]string{"s3.endpoint": s.Endpoint, "s3.path-style-access": "true", "s3.access-key-id": s.AccessKey, "s3.secret-access-key": s.SecretKey, "client.region": s.Region}
	wrong := map[string]string{"s3.endpoint": s.Endpoint, "s3.path-style-access": "true", "s3.access-key-id": s.AccessKey, "s3.secret-access-key": "no", "client.region": s.Region}
	var answer map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/v1/config"):
			_, _ = w.Write([]byte(`{"defaults":{},"overrides":{}}`))
		case strings.HasSuffix(r.URL.Path, "/namespaces/d/tables/t"):
			_ = json.NewEncoder(w).Encode(answer)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error":{"message":"no","type":"NoSuchTableException","code":404}}`))
		}
	}))
	defer server.Close()
	for _, v := range []string{config.Warehouse, config.S3Endpoint, config.S3PathStyle, config.S3AccessKey, config.S3SecretKey} {
		t.Setenv(config.Variable(v), "")
	}
	t.Setenv(config.Variable(config.Catalog), server.URL)
	for _, c := range []struct {
		config      map[string]string
		credentials []map[string]any
		fails       bool
	}{
		{config: right},
		{config: wrong, fails: true},
		{config: wrong, credentials: []map[string]any{{"prefix": tab.Location(), "config": right}}},
	} {
		lake.ForgetObjects()
		answer = map[string]any{"metadata-location": file, "metadata": json.RawMessage(metadata), "config": c.config}
		if c.credentials != nil {
			answer["storage-credentials"] = c.credentials
		}
		e.dir = filepath.Join(t.TempDir(), "lakehouse")
		e.l, err = lake.Open(t.Context(), e.dir, lake.Options{})
		e.must(err)
		now := e.load("d.t")
		_, err := now.ScanSQL(t.Context(), nil, []string{"k"}, nil)
		if c.fails {
			refused(t, err, "does not accept the credentials")
		} else {
			e.equal("rows", e.read(now, nil), []string{"0", "1", "2", "3", "4"})
		}
		e.must(e.l.Close())
	}
}
