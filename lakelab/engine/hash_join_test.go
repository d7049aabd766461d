package engine_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// everyPair are the joins of DuckDB that compare each row with each.
var everyPair = regexp.MustCompile(`NESTED_LOOP_JOIN|BLOCKWISE_NL_JOIN|CROSS_PRODUCT`)

// TestHashJoins asks DuckDB how it joins where keys are equal: never each row with each, whatever we write around a key.
func TestHashJoins(t *testing.T) {
	e, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "joins", "")
	for _, q := range []string{
		"CREATE TABLE lakehouse.default.l USING iceberg AS SELECT id AS k, CAST(id AS INT) AS i, CAST(id AS STRING) AS s, CAST(id AS DECIMAL(9, 2)) AS d, date_add(DATE'2024-01-01', CAST(id % 900 AS INT)) AS day FROM range(5000)",
		"CREATE TABLE lakehouse.default.r USING iceberg AS SELECT id AS rk, CAST(id AS INT) AS ri, CAST(id AS STRING) AS rs, CAST(id AS DECIMAL(12, 4)) AS rd, CAST(date_add(DATE'2024-01-01', CAST(id % 900 AS INT)) AS TIMESTAMP_NTZ) AS rt, id % 7 AS v FROM range(9000)",
	} {
		if _, err := s.Execute(t.Context(), sql.Spark, q, plan.Params{}); err != nil {
			t.Fatal(err)
		}
	}
	const l, r = "lakehouse.default.l", "lakehouse.default.r"
	both := []string{
		"SELECT * FROM " + l + " JOIN " + r + " ON k = rk",
		"SELECT * FROM " + l + " JOIN " + r + " ON i = rk",
		"SELECT * FROM " + l + " LEFT JOIN " + r + " ON s = rs AND v > 3",
		"SELECT * FROM " + l + " FULL JOIN " + r + " ON d = rd",
		"SELECT * FROM " + l + " JOIN " + r + " ON day = rt",
		"SELECT * FROM " + l + ", " + r + " WHERE upper(s) = rs AND i = ri",
		"SELECT * FROM " + l + " WHERE EXISTS (SELECT 1 FROM " + r + " WHERE rk = k)",
		"SELECT * FROM " + l + " WHERE NOT EXISTS (SELECT * FROM " + r + " WHERE rk = i AND rs = s)",
		"SELECT * FROM " + l + " WHERE EXISTS (SELECT 1 FROM " + r + " WHERE rk = k AND v <> i)",
		"SELECT * FROM " + l + " WHERE NOT EXISTS (SELECT 1 FROM " + r + " WHERE substring(rs, 1, 2) = substring(s, 1, 2) AND rd = d)",
		"SELECT * FROM " + l + " WHERE k IN (SELECT rk FROM " + r + " WHERE v = 3)",
		"SELECT * FROM " + l + " WHERE i IN (SELECT rk FROM " + r + ")",
		"SELECT * FROM " + l + " WHERE s NOT IN (SELECT rs FROM " + r + ")",
		"SELECT * FROM " + l + " WHERE k IN (SELECT rk FROM " + r + " WHERE rs = s)",
		"SELECT k IN (SELECT rk FROM " + r + ") FROM " + l,
		"SELECT EXISTS (SELECT 1 FROM " + r + " WHERE rk = k) FROM " + l,
		"SELECT k, (SELECT max(v) FROM " + r + " WHERE rk = k) FROM " + l,
		"SELECT k FROM " + l + " WHERE d > (SELECT avg(rd) FROM " + r + " WHERE rk = k)",
		"SELECT k FROM " + l + " WHERE i < (SELECT count(*) FROM " + r + " WHERE rs = s)",
		"SELECT k, (SELECT count(*) FROM " + r + " WHERE rk = i) FROM " + l,
		"SELECT k FROM " + l + " INTERSECT SELECT rk FROM " + r,
	}
	for d, statements := range map[sql.Dialect][]string{
		sql.Spark: append([]string{
			"SELECT * FROM " + l + " JOIN " + r + " ON k <=> rk",
			"SELECT * FROM " + l + " JOIN " + r + " ON s = rk",
			"SELECT * FROM " + l + " LEFT SEMI JOIN " + r + " ON k = rk",
			"SELECT * FROM " + l + " LEFT ANTI JOIN " + r + " ON i = rk AND s = rs",
			"SELECT * FROM " + l + " WHERE (k, s) IN (SELECT rk, rs FROM " + r + ")",
			"SELECT (k, s) IN (SELECT rk, rs FROM " + r + ") FROM " + l,
		}, both...),
		sql.Trino: append([]string{
			"SELECT * FROM " + l + " JOIN " + r + " ON k IS NOT DISTINCT FROM rk",
			"SELECT * FROM " + l + " JOIN " + r + " ON CAST(s AS char(9)) = rs",
			"SELECT * FROM " + l + " WHERE k = ANY (SELECT rk FROM " + r + ")",
			"SELECT * FROM " + l + " WHERE k <> ALL (SELECT rk FROM " + r + ")",
		}, both...),
	} {
		for _, q := range statements {
			if text, explained, err := explain(t.Context(), e, s, d, q); err != nil {
				t.Errorf("%s: %v", q, err)
			} else if found := everyPair.FindString(explained); found != "" {
				t.Errorf("%v: %s: %s\n%s", d, q, found, text)
			}
		}
	}
}

// explain is a query as DuckDB gets it, and how DuckDB runs it.
func explain(ctx context.Context, e *engine.Engine, s *engine.Session, d sql.Dialect, q string) (text, explained string, err error) {
	res, err := s.Execute(ctx, d, q, plan.Params{})
	if err != nil {
		return "", "", err
	}
	if text, err = duck.SQL(ctx, res.Node, duck.PrintOptions{}); err != nil {
		return "", "", err
	}
	_, rows, err := e.DB.Query(ctx, "EXPLAIN "+text)
	if err != nil {
		return text, "", err
	}
	return text, rows[0][1].(string), nil
}

// TestStatisticsOfOneFile asks DuckDB for a plan that it makes only if it knows a column's bounds from the file's own statistics, whatever
// happened to the table's columns since.
func TestStatisticsOfOneFile(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(t.Context(), filepath.Join(dir, "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "statistics", dir)
	file := "parquet.`" + filepath.Join(dir, "file.parquet") + "`"
	for _, q := range []string{
		"CREATE TABLE lakehouse.default.t USING iceberg AS SELECT id AS k, CAST(id % 7 AS INT) AS v FROM range(5000)",
		"CREATE TABLE spark_catalog.default.h USING parquet AS SELECT id AS k, CAST(id % 7 AS INT) AS v FROM range(5000)",
		"ALTER TABLE lakehouse.default.t ADD COLUMN late STRING FIRST",
		"ALTER TABLE lakehouse.default.t RENAME COLUMN v TO w",
		"ALTER TABLE lakehouse.default.t ALTER COLUMN w TYPE BIGINT",
	} {
		if _, err := s.Execute(t.Context(), sql.Spark, q, plan.Params{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.DB.Exec(t.Context(), "COPY (SELECT i AS k, i % 7 AS v FROM range(5000) r(i)) TO "+duck.String(filepath.Join(dir, "file.parquet"))+" (FORMAT parquet)"); err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		"SELECT w, count(*) FROM lakehouse.default.t GROUP BY w",
		"SELECT v, count(*) FROM spark_catalog.default.h GROUP BY v",
		"SELECT v, count(*) FROM " + file + " GROUP BY v",
		"SELECT v, count(_metadata.file_name) FROM " + file + " GROUP BY v",
	} {
		text, explained, err := explain(t.Context(), e, s, sql.Spark, q)
		if err != nil {
			t.Errorf("%s: %v", q, err)
		} else if !strings.Contains(explained, "PERFECT_HASH_GROUP_BY") {
			t.Errorf("%s:\n%s\n%s", q, explained, text)
		}
	}
}
