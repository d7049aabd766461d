package lakelab

import (
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

// DataFrameReader reads files (pyspark.sql.DataFrameReader). Get one with Session.Read:
//
//	spark.Read().Option("header", true).Option("inferSchema", true).CSV("data/zones.csv")
//
// A path is relative to the notebook's folder; it may be a folder or a pattern such as "trips/*.csv". An option that is not known
// fails and is named; the options are those of Spark's pages on data sources.
type DataFrameReader struct {
	format  string
	options map[string]string
	schema  any
}

// Read starts a reader (spark.read).
func (s *Session) Read() *DataFrameReader { return &DataFrameReader{options: map[string]string{}} }

// Format chooses "csv", "json", "parquet" or "text" for Load (format).
func (r *DataFrameReader) Format(name string) *DataFrameReader {
	r.format = name
	return r
}

// Option sets an option; its name may be written in any case (option).
func (r *DataFrameReader) Option(key string, value any) *DataFrameReader {
	r.options[strings.ToLower(key)] = fmt.Sprint(value)
	return r
}

// Options sets several options (options).
func (r *DataFrameReader) Options(options map[string]any) *DataFrameReader {
	for k, v := range options {
		r.Option(k, v)
	}
	return r
}

// Schema gives the columns in DDL, "id INT, name STRING", so that nothing is inferred (schema).
func (r *DataFrameReader) Schema(ddl string) *DataFrameReader {
	r.schema = schemaOf(call(node{"op": wire.OpSchema, "ddl": ddl}))
	return r
}

// Load reads the files of the chosen format (load).
func (r *DataFrameReader) Load(paths ...string) *DataFrame {
	format := r.format
	if format == "" {
		format = "parquet"
	}
	return r.load(format, paths)
}

// CSV reads text with separators (csv). Without options there is no header line and every column is a STRING.
func (r *DataFrameReader) CSV(paths ...string) *DataFrame { return r.load("csv", paths) }

// JSON reads one JSON object a line, or whole files with the option multiLine (json).
func (r *DataFrameReader) JSON(paths ...string) *DataFrame { return r.load("json", paths) }

// Parquet reads Parquet files (parquet).
func (r *DataFrameReader) Parquet(paths ...string) *DataFrame { return r.load("parquet", paths) }

// Text reads lines into one column named value (text).
func (r *DataFrameReader) Text(paths ...string) *DataFrame { return r.load("text", paths) }

// Table reads a table (table).
func (r *DataFrameReader) Table(name string) *DataFrame {
	return analyze(node{"n": "table", "name": name})
}

func (r *DataFrameReader) load(format string, paths []string) *DataFrame {
	options := node{}
	for k, v := range r.options {
		options[k] = v
	}
	if p, ok := r.options["path"]; ok && len(paths) == 0 {
		paths = []string{p}
	}
	delete(options, "path")
	rel := node{"n": "read", "format": format, "paths": paths, "options": options}
	if r.schema != nil {
		rel["schema"] = r.schema
	}
	return analyze(rel)
}
