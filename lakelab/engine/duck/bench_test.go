package duck_test

import (
	"context"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/duck"
)

const typical = `WITH t AS (SELECT id, id % 5 AS zone, CAST(id AS DECIMAL(10,2)) / 3 AS fare FROM range(100000))
SELECT zone, date_format(TIMESTAMP'2024-01-05 00:00:00', 'yyyy-MM') AS month, count(*) AS trips, sum(fare) AS total, round(avg(fare), 2) AS mean,
  row_number() OVER (ORDER BY sum(fare) DESC) AS place, CASE WHEN sum(fare) > 1000 THEN 'big' ELSE 'small' END AS size
FROM t WHERE fare > 10 AND zone IN (1, 2, 3) GROUP BY zone HAVING count(*) > 1 ORDER BY total DESC LIMIT 10`

// BenchmarkPrint prints a plan as DuckDB's SQL.
func BenchmarkPrint(b *testing.B) {
	n, err := analyze(context.Background(), nil, typical)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := duck.SQL(context.Background(), n, duck.PrintOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRun analyzes, prints and runs it over 100,000 rows.
func BenchmarkRun(b *testing.B) {
	db := open(b)
	for b.Loop() {
		if got := ask(context.Background(), db, typical); got.Error != nil {
			b.Fatal(got.Error)
		}
	}
}

// BenchmarkOpen starts a DuckDB with all functions.
func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		db, err := duck.Open(context.Background(), duck.Options{TempDir: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		db.Close()
	}
}
