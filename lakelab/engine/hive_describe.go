package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/redact"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// describeHive runs DESCRIBE on a table of spark_catalog.
func (s *Session) describeHive(ctx context.Context, a *plan.Analyzer, st *sql.Describe, id hiveIdent) (*Result, error) {
	t, err := s.hiveTable(ctx, id, st.Name)
	if err != nil {
		return nil, err
	}
	if st.JSON {
		return s.describeHiveJSON(ctx, a, st, t)
	}
	switch {
	case len(st.Column) > 0 && len(st.Partition) > 0:
		return nil, errclass.DescribeColumnOfPartition().At(st.Span())
	case len(st.Column) > 0:
		return describeHiveColumn(t, st)
	case len(st.Partition) > 0 && len(t.Keys) == 0:
		return nil, errclass.NoPartitionsKept("DESC PARTITION", t.Name)
	}
	r := described(t.Schema().Fields)
	add := func(key, value, comment string) { r.Rows = append(r.Rows, []any{key, value, comment}) }
	if len(t.Keys) > 0 {
		add("# Partition Information", "", "")
		add("# col_name", "data_type", "comment")
		r.Rows = append(r.Rows, described(t.Keys).Rows...)
	}
	if len(st.Partition) > 0 {
		p, err := s.hivePartition(ctx, a, t, st.Partition)
		if err != nil {
			return nil, err
		}
		if st.Extended {
			add("", "", "")
			add("# Detailed Partition Information", "", "")
			for _, d := range partitionDetails(t, p) {
				add(d[0], d[1], "")
			}
			add("", "", "")
			add("# Storage Information", "", "")
			for _, d := range storageDetails(t, nil) {
				add(d[0], d[1], "")
			}
		}
		return r, nil
	}
	if st.Extended {
		add("", "", "")
		add("# Detailed Table Information", "", "")
		for _, d := range tableDetails(t) {
			add(d[0], d[1], "")
		}
	}
	head := false
	for _, f := range t.Schema().Fields {
		d := t.Default(f.Name)
		if d.Current == "" {
			continue
		}
		if !head {
			add("", "", "")
			add("# Column Default Values", "", "")
			head = true
		}
		add(f.Name, f.Declared(), d.Current)
	}
	return r, nil
}

func describeHiveColumn(t *hive.Table, st *sql.Describe) (*Result, error) {
	if len(st.Column) > 1 {
		return nil, errclass.DescribeNested(names(sql.Spark, st.Column))
	}
	r, err := describeColumn(t.Schema().Fields, st)
	if err != nil || !st.Extended {
		return r, err
	}
	name := r.Rows[0][1].(string)
	for _, k := range [][2]string{{"min", "min"}, {"max", "max"}, {"num_nulls", "nullCount"}, {"distinct_count", "distinctCount"}, {"avg_col_len", "avgLen"},
		{"max_col_len", "maxLen"}, {"histogram", "histogram"}} {
		r.Rows = append(r.Rows, []any{k[0], t.ColumnStatistic(name, k[1])})
	}
	if d := t.Default(name); d.Current != "" {
		r.Rows = append(r.Rows, []any{"default", d.Current})
	}
	return r, nil
}

// tableDetails are the entries of # Detailed Table Information, in order.
func tableDetails(t *hive.Table) [][2]string {
	out := [][2]string{{"Catalog", HiveCatalogName}, {"Database", t.Database}, {"Table", t.Name}, {"Owner", t.Owner}, {"Created Time", javaDate(t.Created)},
		{"Last Access", "UNKNOWN"}, {"Created By", "Spark " + hive.SparkVersion}, {"Type", tableType(t)}, {"Provider", t.Provider}}
	if c, ok := t.Params["comment"]; ok {
		out = append(out, [2]string{"Comment", c})
	}
	if p := t.UserParams(); len(p) > 0 {
		out = append(out, [2]string{"Table Properties", mapText(redact.Options(p))})
	}
	if st := t.Statistics(); st != "" {
		out = append(out, [2]string{"Statistics", st})
	}
	out = append(out, storageDetails(t, t.Options())...)
	if len(t.Keys) > 0 || t.Provider == "hive" {
		out = append(out, [2]string{"Partition Provider", "Catalog"})
	}
	return out
}

// storageDetails say where a table's files are, and of what kind.
func storageDetails(t *hive.Table, options map[string]string) [][2]string {
	out := [][2]string{{"Location", t.Storage.Location}, {"Serde Library", t.Storage.Serde}, {"InputFormat", t.Storage.InputFormat}, {"OutputFormat", t.Storage.OutputFormat}}
	if len(options) > 0 {
		out = append(out, [2]string{"Storage Properties", mapText(redact.Options(options))})
	}
	return out
}

// partitionDetails are the entries of # Detailed Partition Information.
func partitionDetails(t *hive.Table, p *metastore.Partition) [][2]string {
	out := [][2]string{{"Database", t.Database}, {"Table", t.Name}, {"Partition Values", "[" + strings.Join(partitionPairs(t, p), ", ") + "]"}, {"Location", p.Location},
		{"Serde Library", t.Storage.Serde}, {"InputFormat", t.Storage.InputFormat}, {"OutputFormat", t.Storage.OutputFormat},
		{"Storage Properties", partitionStorage(t)}, {"Partition Parameters", parametersText(p.Params)}, {"Created Time", javaDate(p.Created)}, {"Last Access", "UNKNOWN"}}
	if st := hive.PartitionStatistics(p.Params); st != "" {
		out = append(out, [2]string{"Partition Statistics", st})
	}
	return out
}

// partitionStorage are the properties of a partition's SerDe, which are the table's.
func partitionStorage(t *hive.Table) string {
	p := "serialization.format=1"
	for _, k := range slices.Sorted(maps.Keys(t.Options())) {
		if k != "serialization.format" {
			p += ", " + k + "=" + redact.Option(k, t.Options()[k])
		}
	}
	if path := t.Storage.SerdeParams["path"]; path != "" {
		p += ", path=" + path
	}
	return "[" + p + "]"
}

func partitionPairs(t *hive.Table, p *metastore.Partition) []string {
	out := make([]string, len(t.Keys))
	for i, k := range t.Keys {
		out[i] = k.Name + "=" + p.Values[i]
	}
	return out
}

// parametersText lists a partition's parameters in the order in which Hive's map has them.
func parametersText(p map[string]string) string {
	var list []string
	for _, k := range partitionParameters(p) {
		list = append(list, k+"="+p[k])
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// mapText is a map as Spark shows it: sorted by key.
func mapText(m map[string]string) string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, k+"="+m[k])
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func tableType(t *hive.Table) string {
	if t.Managed() {
		return "MANAGED"
	}
	return "EXTERNAL"
}

// javaDate is a time as Java's Date writes it.
func javaDate(t time.Time) string { return t.UTC().Format("Mon Jan 02 15:04:05 UTC 2006") }

// hivePartition finds the one partition that a PARTITION clause names.
func (s *Session) hivePartition(ctx context.Context, a *plan.Analyzer, t *hive.Table, list []sql.PartitionValue) (*metastore.Partition, error) {
	values, err := s.fullPartition(ctx, a, t, list)
	if err != nil {
		return nil, err
	}
	p, err := s.engine.Hive.Store.Partition(ctx, t.Table, values)
	return p, partitionError(err, t, values)
}

// describeDatabase runs DESCRIBE DATABASE in spark_catalog.
func (s *Session) describeDatabase(ctx context.Context, st *sql.Describe, name string) (*Result, error) {
	d, err := s.engine.Hive.Store.Database(ctx, name)
	if err != nil {
		return nil, hiveError(err, hiveIdent{database: name})
	}
	rows := [][]any{{"Catalog Name", HiveCatalogName}, {"Namespace Name", d.Name}, {"Comment", d.Comment}, {"Location", d.Location}, {"Owner", d.Owner}}
	if st.Extended {
		var list []string
		for _, k := range slices.Sorted(maps.Keys(d.Params)) {
			list = append(list, "("+k+","+redact.Option(k, d.Params[k])+")")
		}
		all := ""
		if len(list) > 0 {
			all = "(" + strings.Join(list, ", ") + ")"
		}
		rows = append(rows, []any{"Properties", all})
	}
	return local(rows, text("info_name", false), text("info_value", true)), nil
}

// tableInformation is the text of SHOW TABLE EXTENDED.
func tableInformation(t *hive.Table, details [][2]string) string {
	var b strings.Builder
	for _, d := range details {
		b.WriteString(d[0] + ": " + d[1] + "\n")
	}
	if len(t.Keys) > 0 {
		names := make([]string, len(t.Keys))
		for i, k := range t.Keys {
			names[i] = types.Quote(k.Name)
		}
		fmt.Fprintf(&b, "Partition Columns: [%s]\n", strings.Join(names, ", "))
	}
	b.WriteString("Schema: " + types.TreeString(t.Schema(), 0) + "\n")
	return b.String()
}
