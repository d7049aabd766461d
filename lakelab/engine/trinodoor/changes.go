package trinodoor

import (
	"net/http"
	"net/url"
)

// changes are the headers that tell the client what became of its session.
func changes(c Changes) http.Header {
	h := http.Header{}
	if c.Catalog != "" {
		h.Set("X-Trino-Set-Catalog", c.Catalog)
	}
	if c.Schema != "" {
		h.Set("X-Trino-Set-Schema", c.Schema)
	}
	if c.Path != "" {
		h.Set("X-Trino-Set-Path", c.Path)
	}
	for k, v := range c.SetSession {
		h.Add("X-Trino-Set-Session", k+"="+url.QueryEscape(v))
	}
	for _, k := range c.ClearSession {
		h.Add("X-Trino-Clear-Session", k)
	}
	for k, v := range c.AddedPrepare {
		h.Add("X-Trino-Added-Prepare", url.QueryEscape(k)+"="+url.QueryEscape(v))
	}
	for _, k := range c.DeallocatedPrepare {
		h.Add("X-Trino-Deallocated-Prepare", url.QueryEscape(k))
	}
	if c.StartedTransaction != "" {
		h.Set("X-Trino-Started-Transaction-Id", c.StartedTransaction)
	}
	if c.ClearTransaction {
		h.Set("X-Trino-Clear-Transaction-Id", "true")
	}
	return h
}
