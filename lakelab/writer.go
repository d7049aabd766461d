package lakelab

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

// DataFrameWriter writes a DataFrame to files or into a table (pyspark.sql.DataFrameWriter). Get one with DataFrame.Write:
//
//	df.Write().Mode("overwrite").PartitionBy("year").Parquet("out/trips")
//	df.Write().SaveAsTable("lakehouse.silver.trips")
type DataFrameWriter struct {
	df          *DataFrame
	format      string
	mode        string
	options     map[string]string
	partitionBy []string
	buckets     int
	bucketBy    []string
}

// Write starts a writer (df.write).
func (df *DataFrame) Write() *DataFrameWriter {
	return &DataFrameWriter{df: df, mode: "error", options: map[string]string{}}
}

// Mode says what to do if the target is there: "error" or "errorifexists" (default), "append", "overwrite" or "ignore" (mode).
func (w *DataFrameWriter) Mode(mode string) *DataFrameWriter {
	switch m := strings.ToLower(mode); m {
	case "append", "overwrite", "ignore":
		w.mode = m
	case "error", "errorifexists", "default":
		w.mode = "error"
	default:
		raiseClass("AnalysisException", "INVALID_SAVE_MODE", "42000", "The specified save mode \"%s\" is invalid. Valid save modes include \"append\", \"overwrite\", \"ignore\", \"error\", \"errorifexists\", and \"default\".", mode)
	}
	return w
}

// Format chooses "csv", "json", "parquet" or "text" for Save, "iceberg" for SaveAsTable (format).
func (w *DataFrameWriter) Format(name string) *DataFrameWriter {
	w.format = name
	return w
}

// Option sets an option; its name may be written in any case (option). One that the writer does not know is an error of the write: a table that
// is there already takes none, but for the path of a table of files, which must be its own.
func (w *DataFrameWriter) Option(key string, value any) *DataFrameWriter {
	w.options[strings.ToLower(key)] = fmt.Sprint(value)
	return w
}

// Options sets several options (options).
func (w *DataFrameWriter) Options(options map[string]any) *DataFrameWriter {
	for k, v := range options {
		w.Option(k, v)
	}
	return w
}

// PartitionBy puts the rows of each value into a folder NAME=VALUE, or makes these columns a new table's partitions (partitionBy).
func (w *DataFrameWriter) PartitionBy(cols ...string) *DataFrameWriter {
	w.partitionBy = cols
	return w
}

// BucketBy deals rows out by a hash of a column (bucketBy). A new Iceberg table gets buckets as partitions, as with
// WriteTo(…).PartitionedBy(F.Bucket(n, column)). Tables of spark_catalog with buckets are refused, and so are Save and InsertInto with them.
func (w *DataFrameWriter) BucketBy(buckets int, cols ...string) *DataFrameWriter {
	w.buckets, w.bucketBy = buckets, cols
	return w
}

// noBuckets refuses bucketBy in the words of Spark's writers that can't do it either.
func (w *DataFrameWriter) noBuckets(action string) {
	if w.bucketBy != nil {
		raise("AnalysisException", "", "'%s' does not support bucketBy right now.", action)
	}
}

// Save writes files of the chosen format into a folder (save).
func (w *DataFrameWriter) Save(path string) {
	format := w.format
	if format == "" {
		format = "parquet"
	}
	w.save(format, path)
}

// CSV writes text with separators (csv).
func (w *DataFrameWriter) CSV(path string) { w.save("csv", path) }

// JSON writes one JSON object a line; fields that are NULL are left out (json).
func (w *DataFrameWriter) JSON(path string) { w.save("json", path) }

// Parquet writes Parquet files (parquet).
func (w *DataFrameWriter) Parquet(path string) { w.save("parquet", path) }

// Text writes the only column, a STRING, line by line (text).
func (w *DataFrameWriter) Text(path string) { w.save("text", path) }

func (w *DataFrameWriter) save(format, path string) {
	w.noBuckets("save")
	w.send("path", path, node{"format": format})
}

// SaveAsTable writes a table: it makes it, or, as the mode says, appends to it by column name or replaces it (saveAsTable).
func (w *DataFrameWriter) SaveAsTable(name string) {
	more := node{"format": w.format}
	if w.bucketBy != nil {
		more["buckets"], more["bucketBy"] = int64(w.buckets), w.bucketBy
	}
	w.send("saveAsTable", name, more)
}

// InsertInto appends to a table by position of the columns, or replaces its rows with Mode("overwrite") (insertInto).
func (w *DataFrameWriter) InsertInto(name string) {
	w.noBuckets("insertInto")
	if len(w.partitionBy) > 0 {
		raise("AnalysisException", "", "insertInto() can't be used together with partitionBy(). Partition columns have already been defined for the table. It is not necessary to use partitionBy().")
	}
	w.send("insertInto", name, node{})
}

func (w *DataFrameWriter) send(action, target string, more node) {
	req := node{"op": wire.OpWrite, "relation": w.df.rel, "action": action, "target": target, "mode": w.mode, "options": stringNode(w.options), "partitionBy": w.partitionBy}
	for k, v := range more {
		req[k] = v
	}
	call(req)
}

func stringNode(m map[string]string) node {
	n := node{}
	for k, v := range m {
		n[k] = v
	}
	return n
}

// DataFrameWriterV2 writes a DataFrame into a table of the catalog (pyspark.sql.DataFrameWriterV2). Get one with
// DataFrame.WriteTo:
//
//	df.WriteTo("lakehouse.silver.trips").PartitionedBy(F.Days("at")).CreateOrReplace()
type DataFrameWriterV2 struct {
	df         *DataFrame
	table      string
	provider   string
	partitions []any
	properties map[string]string
	options    map[string]string
}

// WriteTo starts a writer into a table (df.writeTo).
func (df *DataFrame) WriteTo(table string) *DataFrameWriterV2 {
	return &DataFrameWriterV2{df: df, table: table, properties: map[string]string{}, options: map[string]string{}}
}

// Option sets an option of the write, in any case: target-file-size-bytes, snapshot-property.… (option; Iceberg's "Spark Configuration" page,
// "Write options"). One that is not known is an error of the write.
func (w *DataFrameWriterV2) Option(key string, value any) *DataFrameWriterV2 {
	w.options[strings.ToLower(key)] = fmt.Sprint(value)
	return w
}

// Options sets several options (options).
func (w *DataFrameWriterV2) Options(options map[string]any) *DataFrameWriterV2 {
	for k, v := range options {
		w.Option(k, v)
	}
	return w
}

// Using names the table's format: "iceberg" is the only one (using).
func (w *DataFrameWriterV2) Using(provider string) *DataFrameWriterV2 {
	w.provider = provider
	return w
}

// PartitionedBy says how a new table is partitioned: column names, or F.Years, F.Months, F.Days, F.Hours, F.Bucket (partitionedBy).
func (w *DataFrameWriterV2) PartitionedBy(cols ...any) *DataFrameWriterV2 {
	w.partitions = columns(cols)
	return w
}

// TableProperty sets a property of a new table (tableProperty).
func (w *DataFrameWriterV2) TableProperty(key, value string) *DataFrameWriterV2 {
	w.properties[key] = value
	return w
}

// Create makes the table; it must not be there (create).
func (w *DataFrameWriterV2) Create() { w.send("create", nil) }

// Replace replaces the table, its schema too; it must be there (replace).
func (w *DataFrameWriterV2) Replace() { w.send("replace", nil) }

// CreateOrReplace makes or replaces the table (createOrReplace).
func (w *DataFrameWriterV2) CreateOrReplace() { w.send("createOrReplace", nil) }

// Append adds the rows, by column name (append).
func (w *DataFrameWriterV2) Append() { w.send("append", nil) }

// Overwrite puts the rows in place of those for which the condition is true (overwrite).
func (w *DataFrameWriterV2) Overwrite(condition Column) { w.send("overwrite", condition.Node()) }

// OverwritePartitions replaces the partitions that the rows fall into (overwritePartitions).
func (w *DataFrameWriterV2) OverwritePartitions() { w.send("overwritePartitions", nil) }

func (w *DataFrameWriterV2) send(action string, condition node) {
	req := node{"op": wire.OpWrite, "relation": w.df.rel, "action": action, "target": w.table, "format": w.provider,
		"partitions": w.partitions, "properties": stringNode(w.properties), "options": stringNode(w.options)}
	if condition != nil {
		req["condition"] = condition
	}
	call(req)
}
