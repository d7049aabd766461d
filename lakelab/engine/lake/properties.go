package lake

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Table properties that say how rows are written (Iceberg's "Configuration" page, "Write properties"). Those that can be seen in a table are
// honoured; those that only steer how Java writers spend memory and time are taken and mean nothing here; the rest is refused by name.

// refusedProperties are properties that are not honoured, with the values that ask for nothing.
var refusedProperties = map[string][]string{
	"write.object-storage.enabled":           {"false"},
	"write.location-provider.impl":           nil,
	"write.data.path":                        nil,
	"write.metadata.path":                    nil,
	"write.folder-storage.path":              nil,
	"write.object-storage.path":              nil,
	"write.delete.format.default":            {"parquet"},
	"write.summary.partition-limit":          {"0"},
	"write.metadata.compression-codec":       {"none", "gzip"},
	"write.parquet.bloom-filter-max-bytes":   {"1048576"},
	"encryption.key-id":                      nil,
	"write.manifest.compression-codec":       {"gzip"},
	"write.upsert.enabled":                   {"false"},
	"write.metadata.truncate-length-columns": nil,
}

// checkProperties refuses what a table's properties ask of a write and does not come about here.
func checkProperties(props iceberg.Properties) error {
	for _, k := range slices.Sorted(maps.Keys(props)) {
		v := props[k]
		if allowed, known := refusedProperties[k]; known && !slices.Contains(allowed, strings.ToLower(v)) {
			return errclass.Unsupported("the table property " + k + " = " + v)
		}
		if strings.HasPrefix(k, "write.parquet.bloom-filter-enabled.column.") && strings.EqualFold(v, "true") {
			return errclass.Unsupported("the table property " + k)
		}
	}
	if err := checkNumbers(props, "write.target-file-size-bytes", "write.spark.advisory-partition-size-bytes", "write.parquet.compression-level", "write.parquet.row-group-size-bytes",
		"write.parquet.page-size-bytes", "write.parquet.page-row-limit", "write.parquet.dict-size-bytes", "write.parquet.row-group-check-min-record-count",
		"write.parquet.row-group-check-max-record-count"); err != nil {
		return err
	}
	if v := props.Get("write.parquet.compression-codec", "zstd"); codecs[strings.ToLower(v)] == "" {
		return errclass.IllegalArgument("Unsupported compression codec: " + v)
	}
	switch v := props.Get("write.distribution-mode", "hash"); strings.ToLower(v) {
	case "none", "hash", "range":
	default:
		return errclass.IllegalArgument("Invalid distribution mode: " + v)
	}
	return nil
}

// numbers are properties that Java reads as numbers, with their bits.
var numbers = map[string]int{
	"write.target-file-size-bytes":         64,
	"write.delete.target-file-size-bytes":  64,
	"write.parquet.compression-level":      32,
	"write.parquet.row-group-size-bytes":   32,
	"write.metadata.previous-versions-max": 32,

	"write.metadata.metrics.max-inferred-column-defaults": 32,

	"commit.manifest.min-count-to-merge": 32,
	"commit.manifest.target-size-bytes":  64,
	"commit.retry.num-retries":           32,
	"commit.retry.min-wait-ms":           32,
	"commit.retry.max-wait-ms":           32,
	"commit.retry.total-timeout-ms":      32,

	"write.parquet.page-size-bytes":                  32,
	"write.parquet.page-row-limit":                   32,
	"write.delete.parquet.row-group-size-bytes":      32,
	"write.parquet.dict-size-bytes":                  32,
	"write.parquet.row-group-check-min-record-count": 32,
	"write.parquet.row-group-check-max-record-count": 32,
	"write.spark.advisory-partition-size-bytes":      64,

	"history.expire.max-snapshot-age-ms":   64,
	"history.expire.min-snapshots-to-keep": 32,
	"history.expire.max-ref-age-ms":        64,
}

// checkNumbers refuses properties of these keys that are no numbers. What asks for such a property fails in Java; it can be set all the same.
func checkNumbers(props iceberg.Properties, keys ...string) error {
	for _, k := range keys {
		if v, ok := props[k]; ok {
			if _, err := strconv.ParseInt(v, 10, numbers[k]); err != nil {
				return errclass.NumberFormat(v)
			}
		}
	}
	return nil
}

// collects reports whether files of a table may be deleted (gc.enabled).
func collects(m *metadata) bool {
	return strings.EqualFold(m.Properties().Get("gc.enabled", "true"), "true")
}

// retryNumbers are the properties of how Java repeats commits: every commit reads them.
var retryNumbers = []string{"commit.retry.num-retries", "commit.retry.min-wait-ms", "commit.retry.max-wait-ms", "commit.retry.total-timeout-ms"}

// checkRetries refuses them where a new table gets them.
func checkRetries(props iceberg.Properties) error {
	for _, k := range retryNumbers {
		if v, ok := props[k]; ok {
			if n, err := strconv.ParseInt(v, 10, 32); err != nil {
				return errclass.Validation("Table property %s must have integer value", k)
			} else if n < 0 {
				return errclass.Validation("Table property %s must have non negative integer value", k)
			}
		}
	}
	return nil
}

// targetSize is how large a data file may become, about, before another one is begun.
func targetSize(props iceberg.Properties) int64 {
	return int64(max(1, props.GetInt("write.target-file-size-bytes", 536_870_912)))
}

// metricsMode is how much a file's entry says about a column: nothing, counts, or counts and bounds of a length (0: whole).
type metricsMode struct {
	counts, bounds bool
	length         int
}

// defaultMetrics is truncate(16).
var defaultMetrics = metricsMode{true, true, 16}

// metricsModeOf reads a mode; one that is none counts as the default, as in Java.
func metricsModeOf(s string) metricsMode {
	s = strings.ToLower(strings.TrimSpace(s))
	var n int
	switch {
	case s == "none":
		return metricsMode{}
	case s == "counts":
		return metricsMode{counts: true}
	case s == "full":
		return metricsMode{counts: true, bounds: true}
	}
	if inner, ok := strings.CutPrefix(s, "truncate("); ok {
		if v, err := strconv.Atoi(strings.TrimSuffix(inner, ")")); err == nil && v > 0 {
			n = v
		}
	}
	if n == 0 {
		return defaultMetrics
	}
	return metricsMode{true, true, n}
}

// metricsModes are the modes of a table's columns, by field id (write.metadata.metrics.default and write.metadata.metrics.column.…).
func metricsModes(schema *iceberg.Schema, props iceberg.Properties) func(id int) metricsMode {
	otherwise := metricsModeOf(props.Get("write.metadata.metrics.default", "truncate(16)"))
	own := map[int]metricsMode{}
	for k, v := range props {
		if name, ok := strings.CutPrefix(k, "write.metadata.metrics.column."); ok {
			if f, ok := schema.FindFieldByName(name); ok {
				own[f.ID] = metricsModeOf(v)
			}
		}
	}
	return func(id int) metricsMode {
		if m, ok := own[id]; ok {
			return m
		}
		return otherwise
	}
}

// checkMetricsColumns refuses metrics of columns that a table does not have.
func checkMetricsColumns(schema *iceberg.Schema, props iceberg.Properties) error {
	for _, k := range slices.Sorted(maps.Keys(props)) {
		if name, ok := strings.CutPrefix(k, "write.metadata.metrics.column."); ok {
			if _, there := schema.FindFieldByName(name); !there {
				return errclass.Validation("Invalid metrics config, could not find column %s from table prop %s in schema %s", name, k, schemaText(schema))
			}
		}
	}
	return nil
}
