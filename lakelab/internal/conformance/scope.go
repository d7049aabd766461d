package main

import (
	"path"
	"strings"
)

// leftOut lists the files that are not run, with the reason. A pattern without "/" is about a whole folder or a base name.
var leftOut = []struct{ pattern, reason string }{
	{"udf/*", "Scala, Python and pandas UDFs"},
	{"udf/postgreSQL/*", "Scala, Python and pandas UDFs"},
	{"udaf/*", "Scala and Python aggregate functions"},
	{"udtf/*", "Python table functions"},
	{"nonansi/*", "ANSI mode off"},
	{"timestampNTZ/timestamp.sql", "ANSI mode off"},
	{"timestampNTZ/datetime-special.sql", "ANSI mode off"},
	{"variant/*", "the VARIANT type"},
	{"variant-field-extractions.sql", "the VARIANT type"},
	{"collations*.sql", "collations"},
	{"xml-functions.sql", "XML functions"},
	{"explain*.sql", "Spark's plans as text"},
	{"transform.sql", "scripts run by TRANSFORM"},
	{"hll.sql", "Apache DataSketches' binary format"},
	{"datetime*-legacy.sql", "the time parser of Spark 2"},
	{"cte-legacy.sql", "legacy precedence of CTEs"},
	{"cte-nonlegacy.sql", "legacy precedence of CTEs"},
	{"parse-query-correctness-old-behavior.sql", "legacy parser"},
	{"view-schema-*.sql", "binding of persistent views to schemas that change under them"},
	{"view-with-default-collation.sql", "collations"},
	{"listagg-collations.sql", "collations"},
	{"describe.sql", "Hive partitions, buckets and storage of file tables"},
	{"describe-part-after-analyze.sql", "Hive partitions, buckets and storage of file tables"},
	{"describe-table-after-alter-table.sql", "Hive partitions, buckets and storage of file tables"},
	{"show-create-table.sql", "Hive partitions, buckets and storage of file tables"},
	{"to_from_avro.sql", "Avro's Java classes"},
	{"try_reflect.sql", "calls of Java methods"},
}

func reasonLeftOut(name string) string {
	for _, l := range leftOut {
		if ok, _ := path.Match(l.pattern, name); ok {
			return l.reason
		}
	}
	return ""
}

// execution lists Spark settings that say how to compute and not what: they mean nothing here and are passed over. Any other
// setting is made in the session, which refuses what it does not have.
var execution = []string{
	"spark.sql.adaptive.", "spark.sql.autoBroadcastJoinThreshold", "spark.sql.codegen.", "spark.sql.optimizer.", "spark.sql.cbo.",
	"spark.sql.join.", "spark.sql.shuffle.", "spark.sql.preserveCharVarchar", "spark.sql.planChangeLog", "spark.sql.requireAllClusterKeys",
	"spark.sql.window", "spark.sql.sources.useV1SourceList", "spark.sql.subquery.", "spark.sql.optimizeNullAwareAntiJoin",
	"spark.sql.subexpressionElimination.", "spark.sql.leafNodeDefaultParallelism",
}

func isExecution(key string) bool {
	for _, p := range execution {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	return false
}

// folderSettings are what Spark's harness sets for whole folders.
func folderSettings(name string) [][2]string {
	// Every test of Spark runs in this zone.
	out := [][2]string{{"spark.sql.session.timeZone", "America/Los_Angeles"}}
	if strings.HasPrefix(name, "timestampNTZ/") {
		out = append(out, [2]string{"spark.sql.timestampType", "TIMESTAMP_NTZ"})
	}
	return out
}
