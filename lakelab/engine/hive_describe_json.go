package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/redact"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, v := range []any{m.key, m.value} {
			if j > 0 {
				b.WriteByte(':')
			}
			text, err := plainJSON(v)
			if err != nil {
				return nil, err
			}
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// plainJSON is v as JSON; < and its like stay as they are.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// describeHiveJSON runs DESCRIBE EXTENDED … AS JSON ("DESCRIBE TABLE" page of Spark).
func (s *Session) describeHiveJSON(ctx context.Context, a *plan.Analyzer, st *sql.Describe, t *hive.Table) (*Result, error) {
	fields := make([]object, 0, len(t.Data)+len(t.Keys))
	for _, f := range t.Schema().Fields {
		fields = append(fields, fieldJSON(f, t.Default(f.Name).Current))
	}
	o := object{{"table_name", t.Name}, {"catalog_name", HiveCatalogName}, {"namespace", []string{t.Database}}, {"schema_name", t.Database}, {"columns", fields}}
	add := func(key string, value any) { o = append(o, member{key, value}) }
	storage := func(location string) {
		add("location", location)
		add("serde_library", t.Storage.Serde)
		add("input_format", t.Storage.InputFormat)
		add("output_format", t.Storage.OutputFormat)
	}
	var part *metastore.Partition
	if len(st.Partition) > 0 {
		var err error
		if part, err = s.hivePartition(ctx, a, t, st.Partition); err != nil {
			return nil, err
		}
		values := object{}
		for i, k := range t.Keys {
			values = append(values, member{k.Name, part.Values[i]})
		}
		add("partition_values", values)
		storage(part.Location)
		properties := object{{"serialization.format", "1"}}
		for _, m := range sorted(t.Options()) {
			if m.key != "serialization.format" {
				properties = append(properties, m)
			}
		}
		if path := t.Storage.SerdeParams["path"]; path != "" {
			properties = append(properties, member{"path", path})
		}
		add("storage_properties", properties)
		parameters := object{}
		for _, k := range partitionParameters(part.Params) {
			parameters = append(parameters, member{k, part.Params[k]})
		}
		add("partition_parameters", parameters)
		add("created_time", isoTime(part.Created))
		add("last_access", "UNKNOWN")
		if st := hive.PartitionStatistics(part.Params); st != "" {
			add("partition_statistics", st)
		}
		add("owner", t.Owner)
	} else {
		storage(t.Storage.Location)
		if options := t.Options(); len(options) > 0 {
			add("storage_properties", sorted(options))
		}
		add("owner", t.Owner)
		add("created_time", isoTime(t.Created))
		add("last_access", "UNKNOWN")
	}
	add("created_by", "Spark "+hive.SparkVersion)
	add("type", tableType(t))
	add("provider", t.Provider)
	if c, ok := t.Params["comment"]; ok {
		add("comment", c)
	}
	if p := t.UserParams(); len(p) > 0 {
		add("table_properties", sorted(p))
	}
	if size, rows, ok := t.Analyzed(); ok {
		found := object{{"size_in_bytes", size}}
		if rows >= 0 {
			found = append(found, member{"num_rows", rows})
		}
		add("statistics", found)
	}
	if len(t.Keys) > 0 || t.Provider == "hive" {
		add("partition_provider", "Catalog")
	}
	if len(t.Keys) > 0 {
		add("partition_columns", keyNamesOf(t))
	}
	add("collation", "UTF8_BINARY")
	text, err := plainJSON(o)
	if err != nil {
		return nil, err
	}
	return local([][]any{{string(text)}}, types.Field{Name: "json_metadata", Type: types.Of(types.String)}), nil
}

// sorted are options or properties by name, secrets hidden.
func sorted(m map[string]string) object {
	o := object{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		o = append(o, member{k, redact.Option(k, m[k])})
	}
	return o
}

func isoTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func fieldJSON(f types.Field, byDefault string) object {
	o := object{{"name", f.Name}, {"type", typeJSON(f.Type)}, {"nullable", f.Nullable}}
	if f.Comment != "" {
		o = append(o, member{"comment", f.Comment})
	}
	if byDefault != "" {
		o = append(o, member{"default", byDefault})
	}
	return o
}

func typeJSON(t types.Type) object {
	name := object{{"name", t.SimpleString()}}
	switch t.Kind {
	case types.String:
		return append(name, member{"collation", "UTF8_BINARY"})
	case types.DayTimeInterval, types.YearMonthInterval:
		from, to, _ := strings.Cut(strings.TrimPrefix(t.SimpleString(), "interval "), " to ")
		return object{{"name", "interval"}, {"start_unit", from}, {"end_unit", cmp.Or(to, from)}}
	case types.Timestamp:
		return object{{"name", "timestamp_ltz"}}
	case types.Decimal:
		return object{{"name", "decimal"}, {"precision", t.Precision}, {"scale", t.Scale}}
	case types.Array:
		return object{{"name", "array"}, {"element_type", typeJSON(*t.Elem)}, {"element_nullable", t.ElemNull}}
	case types.Map:
		return object{{"name", "map"}, {"key_type", typeJSON(*t.Key)}, {"value_type", typeJSON(*t.Value)}, {"value_nullable", t.ElemNull}}
	case types.Struct:
		fields := make([]object, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = fieldJSON(f, "")
		}
		return object{{"name", "struct"}, {"fields", fields}}
	}
	return name
}

// partitionParameters are the names of a partition's parameters in the order in which Hive's map has them.
func partitionParameters(p map[string]string) []string {
	keys := []string{"transient_lastDdlTime", "totalSize", "numFiles"}
	if hive.Analyzed(p) { // a larger map has another order
		keys = []string{"numFiles", "transient_lastDdlTime", "totalSize"}
	}
	return slices.DeleteFunc(keys, func(k string) bool { _, ok := p[k]; return !ok })
}
