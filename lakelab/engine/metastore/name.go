package metastore

import (
	"regexp"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/hivepath"
)

// PartitionName is key=value/…, as PARTITIONS.PART_NAME, SHOW PARTITIONS and the folders have it.
func (t *Table) PartitionName(values []string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		if v == NullPartition {
			parts[i] = hivepath.Folder(t.PartitionKeys[i].Name, nil)
		} else {
			parts[i] = hivepath.Folder(t.PartitionKeys[i].Name, &v)
		}
	}
	return strings.Join(parts, "/")
}

// ValuesOf reads the values of a partition's name.
func ValuesOf(name string) []string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		_, value, _ := hivepath.Parse(p)
		if parts[i] = NullPartition; value != nil {
			parts[i] = *value
		}
	}
	return parts
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// PlainName reports whether Hive takes a name for a database or a table: it is that of a folder, too.
func PlainName(s string) bool { return plainName.MatchString(s) }

func (t *tx) checkName(s string) {
	if !PlainName(s) {
		t.fail(ErrName, s)
	}
}
