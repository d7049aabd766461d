package plan_test

import (
	"testing"

	"mini-lakehouse-lab/lakelab/engine/sql"
)

// BenchmarkLessonQuery parses and analyzes a query as the lessons have them; it should stay well below a millisecond.
func BenchmarkLessonQuery(b *testing.B) {
	const query = `WITH busy AS (SELECT pickup_borough, count(*) AS n, avg(fare_amount) AS fare FROM trips WHERE day >= DATE '2024-01-01' GROUP BY pickup_borough HAVING count(*) > 10)
SELECT b.pickup_borough, z.zone, round(b.fare, 2) AS fare, rank() OVER (ORDER BY b.n DESC) AS place
FROM busy b LEFT JOIN zones z ON b.pickup_borough = z.borough
WHERE b.n > (SELECT avg(n) FROM busy) ORDER BY place, fare DESC LIMIT 10`
	a := analyzer(b, sql.Spark)
	for b.Loop() {
		if o := a.query(b.Context(), query); o.err != nil {
			b.Fatal(o.err)
		}
	}
}
