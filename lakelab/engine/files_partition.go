package engine

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
	"mini-lakehouse-lab/lakelab/types"
)

// Partition discovery ("Partition Discovery" in Spark's page on Parquet files): columns whose values stand in the folders' names.

const (
	confInferPartitions    = "spark.sql.sources.partitionColumnTypeInference.enabled"
	confValidatePartitions = "spark.sql.sources.validatePartitionColumns"
)

// discover finds the partition columns of files and takes the files that lie in partitions. bases are where the search ends.
func (r *fileRead) discover(files, bases []string) error {
	type folder struct {
		path   string
		names  []string
		values []*string
	}
	var folders []folder
	at := map[string]int{} // folder's path → its place
	var found []string     // where the partitions begin
	for _, f := range files {
		dir := filepath.Dir(f)
		if _, ok := at[dir]; ok {
			continue
		}
		names, values, base := partitionsOf(dir, bases)
		if base = strings.ToLower(base); !slices.Contains(found, base) {
			found = append(found, base)
		}
		at[dir] = -1
		if len(names) > 0 {
			at[dir] = len(folders)
			folders = append(folders, folder{dir, names, values})
		}
	}
	if len(folders) == 0 {
		return nil
	}
	if len(found) > 1 {
		return errclass.ConflictingFolders(found)
	}
	lists := map[string][]string{} // lists of names → folders
	var order []string
	for _, f := range folders {
		key := strings.Join(f.names, ", ")
		same := slices.IndexFunc(order, func(k string) bool { return strings.EqualFold(k, key) })
		if same < 0 {
			order = append(order, key)
		} else {
			key = order[same]
		}
		lists[key] = append(lists[key], f.path)
	}
	if len(order) > 1 {
		return errclass.ConflictingPartitionColumns(order, lists)
	}
	for _, name := range folders[0].names {
		r.partition = append(r.partition, types.Field{Name: name, Type: types.Of(types.String), Nullable: true})
	}
	for _, f := range files {
		if i := at[filepath.Dir(f)]; i >= 0 {
			r.files = append(r.files, dataFile{path: f, values: folders[i].values})
		}
	}
	return r.typePartitions()
}

// partitionsOf reads the partitions that a folder lies in, from the outermost; base is where they begin.
func partitionsOf(dir string, bases []string) (names []string, values []*string, base string) {
	base = dir
	for p := dir; ; p = filepath.Dir(p) {
		if slices.Contains(bases, p) || p == filepath.Dir(p) {
			if len(names) > 0 {
				base = p
			}
			break
		}
		name, value, ok := hivepath.Parse(filepath.Base(p))
		if ok {
			names, values = append(names, name), append(values, value)
		} else if len(names) > 0 {
			base = p
			break
		}
	}
	slices.Reverse(names)
	slices.Reverse(values)
	return names, values, base
}

// typePartitions gives the partition columns their types: those of the schema that was asked for, or the narrowest that all values have.
func (r *fileRead) typePartitions() error {
	infer := strings.EqualFold(r.session.Conf(confInferPartitions), "true")
	for i := range r.partition {
		p := &r.partition[i]
		if f := r.asked(p.Name); f != nil {
			p.Name, p.Type = f.Name, f.Type
			continue
		}
		t := types.Of(types.Null)
		for _, f := range r.files {
			t = widerPartition(t, partitionType(f.values[i], infer, r.session.Conf(confTimestampType) == "TIMESTAMP_NTZ"))
		}
		p.Type = t
	}
	return nil
}

// asked is the column of the schema that was given with the read, if it has it.
func (r *fileRead) asked(name string) *types.Field {
	if r.Schema == nil {
		return nil
	}
	for i, f := range r.Schema.Fields {
		if strings.EqualFold(f.Name, name) {
			return &r.Schema.Fields[i]
		}
	}
	return nil
}

// partitionType is the type that one value alone would have.
func partitionType(value *string, infer, ntz bool) types.Type {
	if value == nil {
		return types.Of(types.Null)
	}
	if !infer {
		return types.Of(types.String)
	}
	v := *value
	if _, err := strconv.ParseInt(v, 10, 32); err == nil {
		return types.Of(types.Int)
	}
	if _, err := strconv.ParseInt(v, 10, 64); err == nil {
		return types.Of(types.Long)
	}
	if n := wholeNumber(v); n > 0 {
		return types.DecimalOf(n, 0)
	}
	if functions.IsJavaDouble(v) {
		return types.Of(types.Double)
	}
	if functions.IsPartitionTimestamp(v) {
		if ntz {
			return types.Of(types.TimestampNTZ)
		}
		return types.Of(types.Timestamp)
	}
	if functions.IsPartitionDate(v) {
		return types.Of(types.Date)
	}
	return types.Of(types.String)
}

// decimalText is a number as Java's BigDecimal reads it.
var decimalText = regexp.MustCompile(`^[+-]?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$`)

// wholeNumber counts the digits of a number without a fraction, such as 1.5e20; 0 if it is none, or does not fit a DECIMAL.
func wholeNumber(v string) int {
	m := decimalText.FindStringSubmatch(v)
	if m == nil {
		return 0
	}
	exponent, _ := strconv.Atoi(m[3])
	scale := len(m[2]) - exponent
	digits := max(len(strings.TrimLeft(m[1]+m[2], "0")), 1) - scale
	if scale > 0 || digits > 38 {
		return 0
	}
	return digits
}

// widerPartition is the type that holds values of both; numbers whose common type would lose digits become text.
func widerPartition(a, b types.Type) types.Type {
	if a.Kind == types.Null || a.Equal(b) {
		return b
	}
	if b.Kind == types.Null {
		return a
	}
	rank := map[types.Kind]int{types.Int: 1, types.Long: 2, types.Decimal: 3, types.Double: 4, types.Date: 11, types.Timestamp: 12, types.TimestampNTZ: 12}
	if rank[b.Kind] < rank[a.Kind] {
		a, b = b, a
	}
	switch {
	case rank[a.Kind] == 0 || (rank[a.Kind] > 10) != (rank[b.Kind] > 10):
		return types.Of(types.String)
	case b.Kind == types.Double && a.Kind != types.Int:
		return types.Of(types.String)
	case b.Kind == types.Decimal:
		digits := map[types.Kind]int{types.Int: 10, types.Long: 20, types.Decimal: a.Precision}[a.Kind]
		return types.DecimalOf(max(digits, b.Precision), 0)
	}
	return b
}

// partitionSQL is a partition's value in DuckDB.
func (r *fileRead) partitionSQL(value *string, f types.Field) (string, error) {
	if value != nil {
		if v, ok := functions.TextLiteral(*value, f.Type, r.session.Location()); ok {
			return v, nil
		}
		if strings.EqualFold(r.session.Conf(confValidatePartitions), "true") {
			return "", errclass.PartitionValue(*value, f)
		}
	}
	return "CAST(NULL AS " + functions.DuckType(f.Type) + ")", nil
}
