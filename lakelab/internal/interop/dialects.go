package main

import (
	"cmp"
	"fmt"
	"regexp"
	"sort"
	"strings"
)

// How Spark's SQL (ours too) and Trino's run a scenario and describe a table. Descriptions use Iceberg's words, so that they can be compared.

func runSpark(ask asker, lake string, s scenario, table string) (bool, error) {
	for _, statement := range s.spark {
		if _, err := ask(lake, named(statement, "lakehouse."+table)); err != nil {
			return true, fmt.Errorf("%s: %w", statement, err)
		}
	}
	return len(s.spark) > 0, nil
}

func runTrino(ask asker, lake string, s scenario, table string) (bool, error) {
	for _, statement := range s.trino {
		if _, err := ask(lake, named(statement, table)); err != nil {
			return true, fmt.Errorf("%s: %w", statement, err)
		}
	}
	return len(s.trino) > 0, nil
}

func readSpark(ask asker, lake, table, columns, ref string) ([]string, error) {
	at := ""
	if ref != "" {
		at = " VERSION AS OF '" + ref + "'"
	}
	return joined(ask(lake, "SELECT "+cmp.Or(columns, "*")+" FROM lakehouse."+table+at+" ORDER BY 1"))
}

// icebergTypes are Iceberg's names of the types of Spark and Trino; those of nested types are their first words.
var icebergTypes = map[string]string{
	"bigint": "long", "integer": "int", "real": "float", "varchar": "string", "varbinary": "binary", "array": "list", "row": "struct",
	"timestamp_ntz": "timestamp", "timestamp(6)": "timestamp", "timestamp(6) with time zone": "timestamptz",
}

var nestedType = regexp.MustCompile(`^(array|map|struct|row)[<(].*$`)

func icebergType(t string, spark bool) string {
	if m := nestedType.FindStringSubmatch(t); m != nil {
		t = m[1]
	}
	if spark && t == "timestamp" {
		return "timestamptz"
	}
	if name, ok := icebergTypes[t]; ok {
		return name
	}
	return t
}

// sparkPartition is a line of DESCRIBE below "# Partitioning".
var sparkPartition = regexp.MustCompile(`^Part \d+$`)

func describeSpark(ask asker, lake, table string, view bool) ([]string, error) {
	name := "lakehouse." + table
	described, err := ask(lake, "DESCRIBE EXTENDED "+name)
	if err != nil {
		return nil, err
	}
	var out []string
	columns := true
	for _, r := range described {
		switch {
		case r[0] == "" || strings.HasPrefix(r[0], "#"):
			columns = false
		case columns:
			out = append(out, "column|"+r[0]+"|"+icebergType(r[1], true))
		case sparkPartition.MatchString(r[0]):
			out = append(out, "partition|"+partition(r[1]))
		}
	}
	if view {
		return out, nil
	}
	snapshots, err := ask(lake, "SELECT snapshot_id, operation, coalesce(summary['total-records'], '') FROM "+name+".snapshots ORDER BY committed_at")
	if err != nil {
		return nil, err
	}
	refs, err := ask(lake, "SELECT name, type, snapshot_id FROM "+name+".refs")
	if err != nil {
		return nil, err
	}
	files, err := ask(lake, "SELECT content, count(*), sum(record_count) FROM "+name+".files GROUP BY content")
	return append(out, history(snapshots, refs, files)...), err
}

func describeTrino(ask asker, lake, table string, view bool) ([]string, error) {
	described, err := ask(lake, "DESCRIBE "+table)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range described {
		out = append(out, "column|"+r[0]+"|"+icebergType(r[1], false))
	}
	if view {
		return out, nil
	}
	made, err := ask(lake, "SHOW CREATE TABLE "+table)
	if err != nil {
		return nil, err
	}
	if m := trinoPartitioning.FindStringSubmatch(made[0][0]); m != nil {
		for _, f := range trinoField.FindAllStringSubmatch(m[1], -1) {
			out = append(out, "partition|"+partition(f[1]))
		}
	}
	schema, short, _ := strings.Cut(table, ".")
	snapshots, err := ask(lake, fmt.Sprintf("SELECT snapshot_id, operation, coalesce(element_at(summary, 'total-records'), '') FROM %s.%q ORDER BY committed_at", schema, short+"$snapshots"))
	if err != nil {
		return nil, err
	}
	refs, err := ask(lake, fmt.Sprintf("SELECT name, type, snapshot_id FROM %s.%q", schema, short+"$refs"))
	if err != nil {
		return nil, err
	}
	files, err := ask(lake, fmt.Sprintf("SELECT content, count(*), sum(record_count) FROM %s.%q GROUP BY content", schema, short+"$files"))
	return append(out, history(snapshots, refs, files)...), err
}

var (
	trinoPartitioning = regexp.MustCompile(`partitioning = ARRAY\[([^\]]*)\]`)
	trinoField        = regexp.MustCompile(`'([^']*)'`)
	call              = regexp.MustCompile(`^(\w+)\((.*)\)$`)
	sized             = regexp.MustCompile(`^(\w+), ?(\w+)$`)
)

// partition is a partition field as Iceberg names its transform: `bucket[4] k`. Spark writes bucket(4, k) and days(ts), Trino
// bucket(k, 4) and day(ts).
func partition(field string) string {
	m := call.FindStringSubmatch(field)
	if m == nil {
		return "identity " + field
	}
	if s := sized.FindStringSubmatch(m[2]); s != nil {
		size, column := s[1], s[2]
		if size[0] < '0' || size[0] > '9' {
			size, column = column, size
		}
		return fmt.Sprintf("%s[%s] %s", m[1], size, column)
	}
	return strings.TrimSuffix(m[1], "s") + " " + m[2]
}

// history describes snapshots in their order, refs, and how many files of each content there are with how many rows.
func history(snapshots, refs, files [][]string) []string {
	var out []string
	for _, s := range snapshots {
		out = append(out, "snapshot|"+strings.Join(s, "|"))
	}
	for _, r := range refs {
		out = append(out, fmt.Sprintf("ref|%s|%s|%s", r[0], strings.ToLower(r[1]), r[2]))
	}
	for _, f := range files {
		out = append(out, "files|"+strings.Join(f, "|"))
	}
	sort.Strings(out[len(snapshots):])
	return out
}
