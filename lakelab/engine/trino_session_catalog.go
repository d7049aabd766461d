package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// The session properties of the catalog ("Iceberg connector", "Configuration"), as a connector has them whose minimal retentions are 0s.
// Obeyed are the minimal retentions, the required filters on partitions, whether ANALYZE is allowed and statistics are shown, and of writing the
// compression, the size of files, the order of rows, the merging of manifests and, once it is set, the number of partitions. The others tune how a
// cluster reads and writes files: they are kept, checked and shown.

const (
	expireRetention = "expire_snapshots_min_retention"
	orphanRetention = "remove_orphan_files_min_retention"
	filterRequired  = "query_partition_filter_required"
	filterSchemas   = "query_partition_filter_required_schemas"
	extendedStats   = "extended_statistics_enabled"

	statistics          = "statistics_enabled"
	compressionCodec    = "compression_codec"
	targetFileSize      = "target_max_file_size"
	sortedWriting       = "sorted_writing_enabled"
	mergeManifests      = "merge_manifests_on_write"
	partitionsPerWriter = "max_partitions_per_writer"
)

// catalogProperties are the properties by their names behind the catalog's.
var catalogProperties = map[string]sessionProperty{
	"bucket_execution_enabled":                {kind: types.Boolean, value: "true", doc: "Plan by buckets"},
	"collect_extended_statistics_on_write":    {kind: types.Boolean, value: "true", doc: "Count distinct values while writing"},
	"compression_codec":                       {kind: types.String, value: "ZSTD", words: []string{"NONE", "SNAPPY", "LZ4", "ZSTD", "GZIP"}, doc: "Compression of the files written"},
	"dynamic_filtering_wait_timeout":          {kind: types.String, value: "1.00s", check: isDuration, doc: "How long a scan waits for filters from the other side of a join"},
	"expire_snapshots_min_retention":          {kind: types.String, value: "0.00s", check: isDuration, doc: "Least age that expire_snapshots may be told"},
	"extended_statistics_enabled":             {kind: types.Boolean, value: "true", doc: "Allow ANALYZE"},
	"file_based_conflict_detection_enabled":   {kind: types.Boolean, value: "true", doc: "Look for conflicts by the files written"},
	"idle_writer_min_file_size":               {kind: types.String, value: "16MB", check: isSize("", ""), doc: "Size from which an idle writer may close its file"},
	"incremental_refresh_enabled":             {kind: types.Boolean, value: "true", doc: "Refresh materialized views by what is new"},
	"max_partitions_per_writer":               {kind: types.Int, value: "100", doc: "Greatest number of partitions that a writer has open"},
	"merge_manifests_on_write":                {kind: types.Boolean, value: "true", doc: "Merge manifests while writing"},
	"minimum_assigned_split_weight":           {kind: types.Double, value: "0.05", doc: "Least weight of a split"},
	"orc_bloom_filters_enabled":               {kind: types.Boolean, value: "false", doc: "ORC bloom filters enabled"},
	"orc_lazy_read_small_ranges":              {kind: types.Boolean, value: "true", doc: "ORC lazy read small ranges"},
	"orc_max_buffer_size":                     {kind: types.String, value: "8MB", check: isSize("", ""), doc: "ORC max buffer size"},
	"orc_max_merge_distance":                  {kind: types.String, value: "1MB", check: isSize("", ""), doc: "ORC max merge distance"},
	"orc_max_read_block_size":                 {kind: types.String, value: "16MB", check: isSize("", ""), doc: "ORC max read block size"},
	"orc_nested_lazy_enabled":                 {kind: types.Boolean, value: "true", doc: "ORC nested lazy enabled"},
	"orc_stream_buffer_size":                  {kind: types.String, value: "8MB", check: isSize("", ""), doc: "ORC stream buffer size"},
	"orc_string_statistics_limit":             {kind: types.String, value: "64B", check: isSize("", ""), doc: "ORC string statistics limit"},
	"orc_tiny_stripe_threshold":               {kind: types.String, value: "8MB", check: isSize("", ""), doc: "ORC tiny stripe threshold"},
	"orc_writer_max_dictionary_memory":        {kind: types.String, value: "16MB", check: isSize("", ""), doc: "ORC writer max dictionary memory"},
	"orc_writer_max_row_group_rows":           {kind: types.Int, value: "10000", doc: "ORC writer max row group rows"},
	"orc_writer_max_stripe_rows":              {kind: types.Int, value: "10000000", doc: "ORC writer max stripe rows"},
	"orc_writer_max_stripe_size":              {kind: types.String, value: "64MB", check: isSize("", ""), doc: "ORC writer max stripe size"},
	"orc_writer_min_stripe_size":              {kind: types.String, value: "32MB", check: isSize("", ""), doc: "ORC writer min stripe size"},
	"orc_writer_validate_mode":                {kind: types.String, value: "BOTH", words: []string{"HASHED", "DETAILED", "BOTH"}, doc: "ORC writer validate mode"},
	"orc_writer_validate_percentage":          {kind: types.Double, value: "0.0", check: isPercentage, doc: "ORC writer validate percentage"},
	"parquet_ignore_statistics":               {kind: types.Boolean, value: "false", doc: "Parquet ignore statistics"},
	"parquet_max_read_block_row_count":        {kind: types.Int, value: "8192", check: isBetween(128, 65536), doc: "Parquet max read block row count"},
	"parquet_max_read_block_size":             {kind: types.String, value: "16MB", check: isSize("", ""), doc: "Parquet max read block size"},
	"parquet_small_file_threshold":            {kind: types.String, value: "3MB", check: isSize("", "15MB"), doc: "Parquet small file threshold"},
	"parquet_use_bloom_filter":                {kind: types.Boolean, value: "true", doc: "Parquet use bloom filter"},
	"parquet_vectorized_decoding_enabled":     {kind: types.Boolean, value: "true", doc: "Parquet vectorized decoding enabled"},
	"parquet_writer_batch_size":               {kind: types.Int, value: "10000", doc: "Parquet writer batch size"},
	"parquet_writer_block_size":               {kind: types.String, value: "128MB", check: isSize("", "2GB"), doc: "Parquet writer block size"},
	"parquet_writer_page_size":                {kind: types.String, value: "1048576B", check: isSize("8kB", "8MB"), doc: "Parquet writer page size"},
	"parquet_writer_page_value_count":         {kind: types.Int, value: "60000", check: isBetween(1000, 200000), doc: "Parquet writer page value count"},
	"projection_pushdown_enabled":             {kind: types.Boolean, value: "true", doc: "Read only the fields of a row that are used"},
	"query_partition_filter_required":         {kind: types.Boolean, value: "false", doc: "Refuse queries without a condition on a partition column"},
	"query_partition_filter_required_schemas": {kind: types.Array, value: "[]", doc: "The schemas in which such a condition is wanted; none: all"},
	"remove_orphan_files_min_retention":       {kind: types.String, value: "0.00s", check: isDuration, doc: "Least age that remove_orphan_files may be told"},
	"sorted_writing_enabled":                  {kind: types.Boolean, value: "true", doc: "Sort what is written into sorted tables"},
	"statistics_enabled":                      {kind: types.Boolean, value: "true", doc: "Use table statistics"},
	"target_max_file_size":                    {kind: types.String, value: "1GB", check: isSize("", ""), doc: "Size of a file at which the next begins"},
	"use_file_size_from_metadata":             {kind: types.Boolean, value: "true", doc: "Take the sizes of files from the metadata"},
	"experimental_split_size":                 {kind: types.String, check: isSize("", ""), hidden: true},
	"hive_catalog_name":                       {kind: types.String, hidden: true},
}

func init() {
	for name, p := range catalogProperties {
		sessionProperties[CatalogName+"."+name] = p
	}
}

// writing is how the session writes files, where it says something of that.
func (s *Session) writing() (w lake.Writing) {
	given := func(name string) string { return s.trino.properties[CatalogName+"."+name] }
	if codec := strings.ToLower(given(compressionCodec)); codec == "none" {
		w.Codec = "uncompressed"
	} else {
		w.Codec = codec
	}
	if size, ok := trinoSize(given(targetFileSize)); ok {
		w.TargetSize = max(int64(size), 1)
	}
	w.Unsorted = strings.EqualFold(given(sortedWriting), "false")
	w.KeepManifests = strings.EqualFold(given(mergeManifests), "false")
	w.Partitions, _ = strconv.Atoi(given(partitionsPerWriter))
	return w
}

// catalogProperty is the value of a property of the catalog.
func (s *Session) catalogProperty(name string) string {
	return s.propertyNow(CatalogName + "." + name)
}

// checkRetention refuses a retention that is shorter than the session allows; property is the one that says so.
func (s *Session) checkRetention(given, property string) error {
	least, err := trinoDuration(s.catalogProperty(property))
	if err != nil {
		return err
	}
	got, err := trinoDuration(given)
	if err != nil || got >= least {
		return err
	}
	return errclass.TrinoRetention(roundedDuration(given), roundedDuration(s.catalogProperty(property)), strings.ReplaceAll(strings.Replace(property, "_min_", ".min-", 1), "_", "-"), property)
}

// roundedDuration is a time in its unit with two digits, as Trino's messages have it.
func roundedDuration(text string) string {
	digits := strings.TrimRight(text, "nsumhd")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return text
	}
	return fmt.Sprintf("%.2f%s", n, text[len(digits):])
}

// checkFilter refuses to read a table by what its partitions tell nothing of, if the session wants that.
func (s *Session) checkFilter(t *lake.Table, filter expr.Expr) error {
	if s.catalogProperty(filterRequired) != "true" {
		return nil
	}
	if list := s.catalogProperty(filterSchemas); list != "[]" && !slices.ContainsFunc(strings.Split(strings.Trim(list, "[]"), ","), func(q string) bool {
		return strings.EqualFold(strings.Trim(q, `"`), t.Ident().Namespace)
	}) {
		return nil
	}
	wanted := t.PartitionedColumns()
	var read []*expr.Column
	if filter != nil {
		read = plan.Columns(filter)
	}
	if len(wanted) == 0 || slices.ContainsFunc(read, func(c *expr.Column) bool { return slices.Contains(wanted, strings.ToLower(c.Name)) }) {
		return nil
	}
	return errclass.TrinoFilterRequired(t.Ident().String(), wanted)
}

// durationUnit finds the unit in a text of a time's form.
var durationUnit = regexp.MustCompile(`^\s*[0-9]+(?:\.[0-9]+)?\s*([a-zA-Z]+)\s*$`)

// isDuration says what is wrong with a time; empty if nothing is.
func isDuration(_, value string) string {
	if value == "" {
		return "duration is empty"
	}
	if _, err := trinoDuration(value); err != nil {
		if unit := durationUnit.FindStringSubmatch(value); unit != nil {
			return "Unknown time unit: " + unit[1]
		}
		return "duration is not a valid data duration string: " + value
	}
	return ""
}

// isSize checks a size, which may have bounds.
func isSize(least, most string) func(name, value string) string {
	return func(name, value string) string {
		n, ok := trinoSize(value)
		if !ok {
			return "size is not a valid data size string: " + value
		}
		if low, bounded := trinoSize(least); bounded && n < low {
			return name + " must be at least " + least + ": " + value
		}
		if high, bounded := trinoSize(most); bounded && n > high {
			return name + " must be at most " + most + ": " + value
		}
		return ""
	}
}

// trinoSize reads a size such as 1.5GB, in bytes.
func trinoSize(text string) (float64, bool) {
	if !dataSizeForm.MatchString(text) {
		return 0, false
	}
	text = strings.TrimSpace(text)
	digits := strings.TrimSpace(strings.TrimRight(text, "BkMGTP"))
	n, err := strconv.ParseFloat(digits, 64)
	unit := strings.TrimSpace(text[len(digits):])
	return n * float64(int64(1)<<(10*strings.Index("BkMGTP", unit[:1]))), err == nil
}

// isBetween checks a whole number.
func isBetween(least, most int) func(name, value string) string {
	return func(name, value string) string {
		if n, err := strconv.Atoi(value); err != nil || n < least || n > most {
			return fmt.Sprintf("%s must be between %d and %d: %s", name, least, most, value)
		}
		return ""
	}
}

// isPercentage checks a percentage.
func isPercentage(name, value string) string {
	if n, err := strconv.ParseFloat(value, 64); err != nil || n < 0 || n > 100 {
		return name + " must be between 0.0 and 100.0 inclusive: " + value
	}
	return ""
}
