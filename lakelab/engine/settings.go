package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/redact"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

const (
	confTimeZone      = "spark.sql.session.timeZone"
	confTimestampType = "spark.sql.timestampType"
	confDoubleQuotes  = "spark.sql.ansi.doubleQuotedIdentifiers"
	confOverwriteMode = "spark.sql.sources.partitionOverwriteMode"
	confBinaryStyle   = "spark.sql.binaryOutputStyle"
)

// Iceberg's write-audit-publish: the id under which writes are staged, or the branch that reads and writes go to.
const (
	confWAPID     = "spark.wap.id"
	confWAPBranch = "spark.wap.branch"
)

// confTrash is for how many minutes dropped files of spark_catalog's tables stay in the trash; 0: they are deleted at once (Hadoop's
// core-default.xml, whose 0 is no choice for a course).
const confTrash = "fs.trash.interval"

// settings are the options that mean something here, with their defaults (Spark's "Configuration" page).
var settings = map[string]string{
	confTimeZone:                   "UTC",
	confTimestampType:              "TIMESTAMP_LTZ",
	confDoubleQuotes:               "false",
	"spark.sql.ansi.enabled":       "true",
	"spark.sql.caseSensitive":      "false",
	"spark.sql.shuffle.partitions": "200",
	"spark.app.name":               "",
	"spark.sql.defaultCatalog":     CatalogName,
	"spark.sql.catalog.lakehouse":  "org.apache.iceberg.spark.SparkCatalog",
	confTrash:                      "1440",
	"spark.sql.warehouse.dir":      "",
	confWAPID:                      "",
	confWAPBranch:                  "",
	confOverwriteMode:              "STATIC",
	confInferPartitions:            "true",
	confValidatePartitions:         "true",
	confMergeSchema:                "false",
	confSubstitute:                 "true",
}

// fixedSettings can be read, not changed, or take only the values listed: what we don't do is refused, not ignored.
var fixedSettings = map[string][]string{
	"spark.sql.ansi.enabled":      {"true"},
	"spark.sql.caseSensitive":     {"false"},
	"spark.sql.defaultCatalog":    {CatalogName},
	"spark.sql.catalog.lakehouse": {"org.apache.iceberg.spark.SparkCatalog"},
}

// choices are the values that other settings can take; those without a default have none until they are set.
var choices = map[string][]string{
	confTimestampType:      {"TIMESTAMP_LTZ", "TIMESTAMP_NTZ"},
	confDoubleQuotes:       {"true", "false"},
	confOverwriteMode:      {"DYNAMIC", "STATIC"},
	confBinaryStyle:        {"BASE64", "BASIC", "HEX", "HEX_DISCRETE", "UTF-8"},
	confInferPartitions:    {"true", "false"},
	confValidatePartitions: {"true", "false"},
	confMergeSchema:        {"true", "false"},
	confSubstitute:         {"true", "false"},
}

// Conf returns a setting's value in this session; empty if it has none.
func (s *Session) Conf(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.conf[key]; ok {
		return v
	}
	if key == "spark.app.name" {
		return s.app
	}
	if key == "spark.sql.warehouse.dir" {
		return hive.URI(s.engine.Hive.Dir())
	}
	return settings[key]
}

// KnownConf reports whether a setting has a value.
func (s *Session) KnownConf(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, set := s.conf[key]
	_, known := settings[key]
	return set || known
}

// SetConf changes a setting. Unknown keys of Spark's own (spark.sql.…) are refused by name; others are kept, as Spark keeps them.
func (s *Session) SetConf(key, value string) error {
	if allowed, ok := fixedSettings[key]; ok {
		for _, a := range allowed {
			if strings.EqualFold(a, value) {
				return nil
			}
		}
		return errclass.UnsupportedSetting(key, value)
	}
	if _, ok := settings[key]; !ok && choices[key] == nil && strings.HasPrefix(key, "spark.") {
		return errclass.UnsupportedSetting(key, value)
	}
	if allowed, ok := choices[key]; ok && !slices.ContainsFunc(allowed, func(a string) bool { return strings.EqualFold(a, value) }) {
		return errclass.SettingValue(key, value, allowed)
	}
	if key == "spark.sql.shuffle.partitions" { // nothing here is shuffled, but a lesson may set it
		if n, err := strconv.Atoi(value); err != nil || n <= 0 {
			return errclass.UnsupportedSetting(key, value)
		}
	}
	if key == confTrash {
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return errclass.UnsupportedSetting(key, value)
		}
	}
	if key == "spark.sql.warehouse.dir" {
		return errclass.UnsupportedSetting(key, value)
	}
	if key == confTimeZone {
		if value == "LOCAL" { // SET TIME ZONE LOCAL
			value = localZone()
		}
		if _, ok := types.Zone(value); !ok || value == "" || value == "Local" {
			return errclass.InvalidTimeZone(value)
		}
		if duck.TimeZone(value) == "" {
			return errclass.Unsupported("a session time zone that is no region and no whole number of hours: " + value)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conf[key] = value
	return nil
}

// zoneInterval is the offset of SET TIME ZONE INTERVAL …
func (s *Session) zoneInterval(ctx context.Context, a *plan.Analyzer, x sql.Expr) (string, error) {
	const limit = 18 * 3600
	v, err := s.eval(ctx, a, x, types.DayTime(types.Day, types.Second))
	micros, ok := v.(int64)
	if err != nil || !ok || micros%1e6 != 0 || micros < -limit*1e6 || micros > limit*1e6 {
		return "", errclass.TimeZoneInterval(firstWord(x), x.Span())
	}
	sign, sec := "+", micros/1e6
	if sec < 0 {
		sign, sec = "-", -sec
	}
	zone := fmt.Sprintf("%s%02d:%02d", sign, sec/3600, sec/60%60)
	if sec%60 != 0 {
		zone += fmt.Sprintf(":%02d", sec%60)
	}
	return zone, nil
}

// firstWord is the value that an interval begins with, for its error.
func firstWord(x sql.Expr) string {
	if iv, ok := x.(*sql.Interval); ok {
		if len(iv.Parts) == 0 {
			return iv.Text
		}
		if v, ok := iv.Parts[0].Value.(*sql.Literal); ok {
			return v.Text
		}
	}
	return ""
}

// localZone is this machine's time zone.
func localZone() string {
	if zone := os.Getenv("TZ"); zone != "" {
		return zone
	}
	if file, err := filepath.EvalSymlinks("/etc/localtime"); err == nil {
		if _, zone, ok := strings.Cut(file, "/zoneinfo/"); ok {
			return zone
		}
	}
	return "UTC"
}

// UnsetConf gives a setting its default again.
func (s *Session) UnsetConf(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conf, key)
}

// set runs SET and RESET.
func (s *Session) set(ctx context.Context, a *plan.Analyzer, st *sql.Set) (*Result, error) {
	switch {
	case st.Trino:
		return s.setProperty(ctx, a, st)
	case st.Reset && st.Key == "":
		s.mu.Lock()
		s.conf = map[string]string{}
		s.mu.Unlock()
		return done(), nil
	case st.Reset:
		s.UnsetConf(st.Key)
		return done(), nil
	case st.Listed:
		keys := make([]string, 0, len(settings))
		for k := range settings {
			keys = append(keys, k)
		}
		s.mu.Lock()
		for k := range s.conf {
			if _, ok := settings[k]; !ok {
				keys = append(keys, k)
			}
		}
		s.mu.Unlock()
		sort.Strings(keys)
		rows := make([][]any, len(keys))
		for i, k := range keys {
			rows[i] = []any{k, redact.Option(k, s.Conf(k))}
		}
		return local(rows, text("key", false), text("value", false)), nil
	case st.X != nil:
		zone, err := s.zoneInterval(ctx, a, st.X)
		if err != nil {
			return nil, err
		}
		if err := s.SetConf(st.Key, zone); err != nil {
			return nil, err
		}
		return local([][]any{{st.Key, zone}}, text("key", false), text("value", false)), nil
	case st.Value == nil:
		v := "<undefined>"
		if s.KnownConf(st.Key) {
			v = redact.Option(st.Key, s.Conf(st.Key))
		}
		return local([][]any{{st.Key, v}}, text("key", false), text("value", false)), nil
	}
	parts := strings.Split(st.Key, ".")
	if name, ok := plan.VariableName(parts); ok && s.variable(name) != nil {
		return nil, errclass.SetOfVariable(parts).At(st.Span())
	}
	if err := s.SetConf(st.Key, *st.Value); err != nil {
		return nil, err
	}
	return local([][]any{{st.Key, s.Conf(st.Key)}}, text("key", false), text("value", false)), nil
}

// text is a string column of a command's result.
func text(name string, nullable bool) types.Field {
	return types.Field{Name: name, Type: types.Of(types.String), Nullable: nullable}
}
