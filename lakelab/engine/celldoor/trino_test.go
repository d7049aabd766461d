package celldoor_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab"
	"mini-lakehouse-lab/lakelab/internal/trinoserver"
)

// TestBothClients changes a table from one side and looks at it from the other, at once: Spark through the cells' client, Trino through
// trino-go-client.
func TestBothClients(t *testing.T) {
	connect(t)
	trino := func(sql string) string { return lakelab.TrinoQuery(sql).String() }
	inSpark := func(sql string) string {
		var out strings.Builder
		for _, r := range spark.SQL(sql).Collect() {
			fmt.Fprintln(&out, r)
		}
		return strings.TrimRight(out.String(), "\n")
	}
	count := func(side string, run func(string) string, want string) {
		t.Helper()
		if got := run("SELECT count(*) AS n, sum(id) AS ids FROM lakehouse.both.t"); !strings.Contains(got, want) {
			t.Errorf("%s sees\n%s\nwant %s", side, got, want)
		}
	}
	spark.SQL("CREATE NAMESPACE lakehouse.both")
	if got := trino("SHOW SCHEMAS FROM lakehouse LIKE 'both'"); !strings.Contains(got, "both") {
		t.Errorf("the schema in Trino: %s", got)
	}
	trino("CREATE TABLE lakehouse.both.t (id bigint, name varchar) WITH (partitioning = ARRAY['bucket(id, 4)'])")
	for i := range 5 { // rows come and go on both sides
		n := 2 * i
		spark.SQL(fmt.Sprintf("INSERT INTO lakehouse.both.t VALUES (%d, 'spark')", n+1))
		ids := (n + 1) * (n + 2) / 2
		count("Trino", trino, fmt.Sprintf("0  %d  %*d", n+1, max(3, len(fmt.Sprint(ids))), ids))
		trino(fmt.Sprintf("INSERT INTO lakehouse.both.t VALUES (%d, 'trino')", n+2))
		count("Spark", inSpark, fmt.Sprintf("Row(n=%d, ids=%d)", n+2, ids+n+2))
	}
	spark.SQL("UPDATE lakehouse.both.t SET name = 'changed' WHERE id = 3")
	trino("DELETE FROM lakehouse.both.t WHERE id = 4")
	spark.SQL("ALTER TABLE lakehouse.both.t ADD COLUMN note STRING")
	trino("UPDATE lakehouse.both.t SET note = name || '!' WHERE id <= 5")
	spark.SQL("ALTER TABLE lakehouse.both.t RENAME COLUMN name TO author")
	want := "[1 spark spark!] [2 trino trino!] [3 changed changed!] [5 spark spark!] [6 trino <nil>]"
	for side, result := range map[string][]lakelab.Row{
		"Trino": lakelab.TrinoQuery("SELECT id, author, note FROM lakehouse.both.t WHERE id <= 6 ORDER BY id").Rows,
		"Spark": spark.SQL("SELECT id, author, note FROM lakehouse.both.t WHERE id <= 6 ORDER BY id").Collect(),
	} {
		var rows []string
		for _, r := range result {
			rows = append(rows, fmt.Sprint([]any{r.Get("id"), r.Get("author"), r.Get("note")}))
		}
		if got := strings.Join(rows, " "); got != want {
			t.Errorf("%s: %s", side, got)
		}
	}
	// Time travel to a snapshot that the other side made, and a table that the other side drops.
	snapshot := spark.SQL("SELECT snapshot_id FROM lakehouse.both.t.snapshots ORDER BY committed_at LIMIT 1").Collect()[0].Int64("snapshot_id")
	if got := lakelab.TrinoQuery(fmt.Sprintf("SELECT count(*) AS n FROM lakehouse.both.t FOR VERSION AS OF %d", snapshot)).Rows[0].Int64("n"); got > 1 {
		t.Errorf("the first snapshot has %d rows in Trino", got)
	}
	var made int64 = int64(len(lakelab.TrinoQuery(`SELECT snapshot_id FROM lakehouse.both."t$snapshots"`).Rows))
	if n := int64(len(spark.SQL("SELECT snapshot_id FROM lakehouse.both.t.snapshots").Collect())); n != made || n < 13 {
		t.Errorf("%d snapshots in Spark, %d in Trino", n, made)
	}
	trino("DROP TABLE lakehouse.both.t")
	err := lakelab.Try(func() { spark.Table("lakehouse.both.t").Count() })
	var e *lakelab.Error
	if !errors.As(err, &e) || e.Class != "TABLE_OR_VIEW_NOT_FOUND" {
		t.Errorf("the dropped table in Spark: %v", err)
	}
}

// TestModule7InTrino holds what the lesson's Trino cells print against what a real Trino 476 prints, over the same lakehouse.
// testdata/module7.trino.txt is what it printed; LAKELAB_REAL_TRINO starts one and writes it anew (make conformance-trino).
func TestModule7InTrino(t *testing.T) {
	lakehouse := connect(t)
	const recorded = "testdata/module7.trino.txt"
	ask := lakelab.TrinoQuery
	if os.Getenv("LAKELAB_REAL_TRINO") != "" {
		s, err := trinoserver.Start(t.Context(), trinoserver.Options{Dir: t.TempDir(), Catalogs: map[string]string{"lakehouse": trinoserver.Lakehouse(lakehouse)}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Stop)
		ask = lakelab.NewTrino("127.0.0.1", s.Port, "jupyter", "lakehouse").Query
	}
	var out strings.Builder
	cell := func(sql string) {
		fmt.Fprintln(&out, "##", sql)
		if err := lakelab.Try(func() { fmt.Fprintln(&out, ask(sql)) }); err != nil {
			fmt.Fprintln(&out, err)
		}
	}
	run := func(sql string) { spark.SQL(sql) }
	run("CREATE NAMESPACE IF NOT EXISTS lakehouse.silver")
	run(`CREATE TABLE lakehouse.silver.nyc_taxi_yellow USING iceberg AS SELECT CAST(id % 2 + 1 AS INT) AS vendorid,
		CAST(timestamp_seconds(1546300800 + id * 60) AS TIMESTAMP_NTZ) AS pickup_datetime, CAST(id % 6 AS BIGINT) AS passenger_count,
		CAST(id AS DOUBLE) / 10 AS trip_distance, CAST(id AS DOUBLE) / 4 AS fare_amount, CASE WHEN id % 3 = 0 THEN 'Queens' WHEN id % 3 = 1 THEN 'Bronx' END AS pickup_borough
		FROM range(1000) ORDER BY id`)
	const silver, demo = "lakehouse.silver.nyc_taxi_yellow", "lakehouse.default.taxi_changes_demo"
	cell("SELECT count(*) AS row_count FROM " + silver)
	run("ALTER TABLE " + silver + " ADD COLUMN loaded_at TIMESTAMP")
	cell("DESCRIBE " + silver)
	cell("SELECT vendorid, loaded_at FROM " + silver + " ORDER BY trip_distance LIMIT 5")
	run("CREATE TABLE " + demo + " USING iceberg AS SELECT * FROM " + silver)
	snapshot := spark.SQL("SELECT snapshot_id FROM " + demo + ".snapshots").Collect()[0].Int64("snapshot_id")
	run("DELETE FROM " + demo + " WHERE fare_amount < 100")
	cell("SELECT count(*) AS row_count FROM " + demo)
	cell(fmt.Sprintf("\n    SELECT count(*) AS row_count\n    FROM %s\n    FOR VERSION AS OF %d", demo, snapshot))
	run("ALTER TABLE " + demo + " RENAME COLUMN pickup_borough TO borough")
	cell("SELECT borough FROM " + demo + " ORDER BY trip_distance LIMIT 3")
	cell("SELECT pickup_borough FROM " + demo + " LIMIT 3")
	run("ALTER TABLE " + demo + " ADD COLUMN quality_flag STRING")
	run("UPDATE " + demo + " SET quality_flag = 'long' WHERE trip_distance > 50")
	cell("SELECT vendorid, quality_flag FROM " + demo + " ORDER BY trip_distance DESC LIMIT 5")
	cell("SELECT pickup_datetime, fare_amount, trip_distance FROM " + demo + " ORDER BY trip_distance LIMIT 3")
	cell("SELECT * FROM " + silver + " ORDER BY trip_distance")
	cell("SHOW TABLES FROM lakehouse.silver")
	cell("SHOW TABLES FROM lakehouse.nosuch")
	got := strings.ReplaceAll(out.String(), fmt.Sprint(snapshot), "<snapshot>")
	if os.Getenv("LAKELAB_REAL_TRINO") != "" {
		if err := os.MkdirAll(filepath.Dir(recorded), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(recorded, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
