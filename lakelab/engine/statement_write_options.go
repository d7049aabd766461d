package engine

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
)

// The options of a DataFrame's writer into an Iceberg table (Iceberg's "Spark Configuration" page, "Write options").

// propertyOfOption are the options that say, for one write, what a table's property says for all.
var propertyOfOption = map[string]string{
	"target-file-size-bytes":  "write.target-file-size-bytes",
	"compression-codec":       "write.parquet.compression-codec",
	"compression-level":       "write.parquet.compression-level",
	"distribution-mode":       "write.distribution-mode",
	"advisory-partition-size": "write.spark.advisory-partition-size-bytes",
}

// stillOptions are options that change nothing here: what they check is checked, and how a writer holds its files open can't be seen. The last
// two are of overwrites, where they are refused.
var stillOptions = []string{"check-nullability", "check-ordering", "fanout-enabled", "compression-strategy", "delete-granularity", isolationLevel, validateFrom}

const (
	isolationLevel = "isolation-level"
	validateFrom   = "validate-from-snapshot-id"
	customSummary  = "snapshot-property."
)

// writeOptions reads the options; those that Iceberg does not document, or that ask for what does not come about here, are refused by name.
func writeOptions(options map[string]string, overwrite bool) (lake.WriteOptions, error) {
	out := lake.WriteOptions{Properties: map[string]string{}, Summary: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		key, v := strings.ToLower(name), options[name]
		property, isProperty := propertyOfOption[key]
		custom, isCustom := strings.CutPrefix(key, customSummary)
		switch {
		case isProperty:
			out.Properties[property] = v
		case isCustom:
			out.Summary[custom] = v
		case key == "write-format":
			switch strings.ToLower(v) {
			case "parquet":
			case "orc", "avro":
				return out, errclass.Unsupported("writing data files of format " + strings.ToLower(v))
			default:
				return out, errclass.IllegalArgument("Invalid file format: " + v)
			}
		case key == "output-spec-id":
			n, err := strconv.ParseInt(v, 10, 32)
			if err != nil {
				return out, errclass.NumberFormat(v)
			}
			spec := int(n)
			out.Spec = &spec
		case key == "use-table-distribution-and-ordering":
			out.Unsorted = !strings.EqualFold(v, "true")
		case overwrite && (key == isolationLevel || key == validateFrom) || !slices.Contains(stillOptions, key):
			return out, errclass.UnsupportedOption("iceberg", name)
		}
	}
	return out, nil
}
