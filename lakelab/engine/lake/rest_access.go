package lake

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// A REST server may say with a table how its files are reached: another S3 service, or credentials that are for this table and end soon
// (`config` and `storage-credentials` of the protocol's LoadTableResult). iceberg-go keeps that to itself, so the answers are read on their way.

// vending is the transport of a REST catalog, which takes from its answers how tables' files are reached.
type vending struct {
	base     http.RoundTripper
	dir      string
	settings config.Config
}

// loaded is what matters of an answer about a table.
type loaded struct {
	Metadata struct {
		Location string `json:"location"`
	} `json:"metadata"`
	Config      map[string]string `json:"config"`
	Credentials []struct {
		Prefix string            `json:"prefix"`
		Config map[string]string `json:"config"`
	} `json:"storage-credentials"`
}

// RoundTrip is http.RoundTripper's.
func (v *vending) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := v.base.RoundTrip(r)
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(r.URL.Path, "/tables") {
		return answer, err
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, v.take(r.Context(), body)
}

// take gives the store of objects the access that an answer tells of.
func (v *vending) take(ctx context.Context, body []byte) error {
	if !bytes.Contains(body, []byte(`"s3.`)) {
		return nil
	}
	var t loaded
	if json.Unmarshal(body, &t) != nil {
		return nil // whoever asked says what is wrong
	}
	if err := v.grant(ctx, t.Metadata.Location, t.Config); err != nil {
		return err
	}
	for _, c := range t.Credentials {
		all := map[string]string{}
		maps.Copy(all, t.Config)
		maps.Copy(all, c.Config)
		if err := v.grant(ctx, c.Prefix, all); err != nil {
			return err
		}
	}
	return nil
}

// grant lets this process reach the objects below a prefix as a table's config says, if it says something of S3.
func (v *vending) grant(ctx context.Context, prefix string, given map[string]string) error {
	o := objects.Options{
		Endpoint: given["s3.endpoint"], AccessKey: given["s3.access-key-id"], SecretKey: given["s3.secret-access-key"], SessionToken: given["s3.session-token"],
		Region: cmp.Or(given["s3.region"], given["client.region"]),
	}
	if !objects.Remote(prefix) || o == (objects.Options{}) {
		return nil
	}
	store := remote.Load()
	if store == nil {
		limit, err := v.settings.Bytes(config.CacheSize)
		if err != nil {
			return err
		}
		if store, err = objects.Open(ctx, "", objects.Options{Dir: filepath.Join(wire.RunFolder(v.dir), "objects"), Limit: limit}); err != nil {
			return err
		}
		remote.Store(store)
	}
	o.PathStyle = store.PathStyle()
	if style, ok := given["s3.path-style-access"]; ok {
		o.PathStyle = strings.EqualFold(style, "true")
	}
	return store.Grant(ctx, prefix, o)
}
