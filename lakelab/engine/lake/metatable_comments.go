package lake

import "mini-lakehouse-lab/lakelab/types"

// What Iceberg's schemas of metadata tables say of their columns.

var (
	fileComments = map[string]string{
		"content":               "Contents of the file: 0=data, 1=position deletes, 2=equality deletes",
		"file_path":             "Location URI with FS scheme",
		"file_format":           "File format name: avro, orc, or parquet",
		"spec_id":               "Partition spec ID",
		"partition":             "Partition data tuple, schema based on the partition spec",
		"record_count":          "Number of records in the file",
		"file_size_in_bytes":    "Total file size in bytes",
		"column_sizes":          "Map of column id to total size on disk",
		"value_counts":          "Map of column id to total count, including null and NaN",
		"null_value_counts":     "Map of column id to null value count",
		"nan_value_counts":      "Map of column id to number of NaN values in the column",
		"lower_bounds":          "Map of column id to lower bound",
		"upper_bounds":          "Map of column id to upper bound",
		"key_metadata":          "Encryption key metadata blob",
		"split_offsets":         "Splittable offsets",
		"equality_ids":          "Equality comparison field IDs",
		"sort_order_id":         "Sort order ID",
		"first_row_id":          "The first row ID assigned to the first row in the data file",
		"referenced_data_file":  "Fully qualified location (URI with FS scheme) of a data file that all deletes reference",
		"content_offset":        "The offset in the file where the content starts",
		"content_size_in_bytes": "The length of referenced content stored in the file",
		"readable_metrics":      "Column metrics in readable form",
	}
	partitionComments = map[string]string{
		"record_count":                  "Count of records in data files",
		"file_count":                    "Count of data files",
		"total_data_file_size_in_bytes": "Total size in bytes of data files",
		"position_delete_record_count":  "Count of records in position delete files",
		"position_delete_file_count":    "Count of position delete files",
		"equality_delete_record_count":  "Count of records in equality delete files",
		"equality_delete_file_count":    "Count of equality delete files",
		"last_updated_at":               "Commit time of snapshot that last updated this partition",
		"last_updated_snapshot_id":      "Id of snapshot that last updated this partition",
	}
)

// metadataComments are the comments by metadata table.
var metadataComments = map[string]map[string]string{
	"files": fileComments, "data_files": fileComments, "delete_files": fileComments, "all_files": fileComments, "all_data_files": fileComments, "all_delete_files": fileComments,
	"entries": readableComments, "all_entries": readableComments, "partitions": partitionComments,
}

var readableComments = map[string]string{"readable_metrics": fileComments["readable_metrics"]}

// commented gives the columns of a metadata table their comments.
func commented(name string, schema types.Type) types.Type {
	comments := metadataComments[name]
	for i := range schema.Fields {
		schema.Fields[i].Comment = comments[schema.Fields[i].Name]
	}
	return schema
}
