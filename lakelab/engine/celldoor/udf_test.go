package celldoor_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab"
	F "mini-lakehouse-lab/lakelab/functions"
)

// What a UDF gives is compared with what the same Go gives here; its NULLs and errors with Spark's rules for Scala functions.
func TestUDF(t *testing.T) {
	connect(t)
	makeFrames()
	var called atomic.Int64
	double := F.UDF("double_it", func(x float64) float64 { called.Add(1); return 2 * x })
	size := F.UDF("name_size", func(s *string) int64 {
		if s == nil {
			return -1
		}
		return int64(len(*s))
	})
	join := F.UDF("glue", func(a string, n int32) string { return fmt.Sprintf("%s#%d", a, n) })
	half := F.UDF("half_of_even", func(n int64) (*int64, error) {
		if n < 0 {
			return nil, errors.New("negative: " + fmt.Sprint(n))
		}
		if n%2 != 0 {
			return nil, nil
		}
		n /= 2
		return &n, nil
	})
	F.UDF("next_day_of", func(at time.Time) time.Time { return at.AddDate(0, 0, 1) })
	words := F.UDF("letters", func(s string) []string { return strings.Split(s, "") })
	bad := F.UDF("bad", func(n int64) int64 { return []int64{1}[n] })

	for _, c := range []struct {
		name string
		df   func() *lakelab.DataFrame
		want string
	}{
		{"cast and NULL", func() *lakelab.DataFrame { return people.OrderBy("id").Select(double("age").As("x")) }, "[Row(x=62.0), Row(x=50.0), Row(x=None), Row(x=84.0), Row(x=62.0), Row(x=50.0)]"},
		{"a pointer sees NULL", func() *lakelab.DataFrame { return people.OrderBy("id").Select(size("dept").As("n")).Limit(5) }, "[Row(n=3), Row(n=3), Row(n=3), Row(n=3), Row(n=-1)]"},
		{"two arguments", func() *lakelab.DataFrame { return people.OrderBy("id").Select(join("name", "id").As("s")).Limit(2) }, "[Row(s='Anna#1'), Row(s='Boris#2')]"},
		{"one inside another", func() *lakelab.DataFrame { return spark.Range(3).Select(double(double("id")).As("x")) }, "[Row(x=0.0), Row(x=4.0), Row(x=8.0)]"},
		{"a NULL result", func() *lakelab.DataFrame { return spark.Range(4).Select(half("id").As("h")) }, "[Row(h=0), Row(h=None), Row(h=1), Row(h=None)]"},
		{"in a filter", func() *lakelab.DataFrame { return spark.Range(10).Filter(double("id").Gt(15)).Select("id") }, "[Row(id=8), Row(id=9)]"},
		{"in SQL", func() *lakelab.DataFrame {
			people.CreateOrReplaceTempView("p")
			return spark.SQL("SELECT dept, sum(double_it(salary)) AS s FROM p WHERE name_size(name) > 4 GROUP BY dept ORDER BY dept")
		}, "[Row(dept=None, s=12200.5), Row(dept='eng', s=8201.0), Row(dept='ops', s=7800.0)]"},
		{"over an aggregate, and in its order", func() *lakelab.DataFrame {
			return people.GroupBy("dept").Agg(double(F.Count("*")).As("n")).OrderBy(double("n").Desc(), "dept")
		}, "[Row(dept='eng', n=4.0), Row(dept='ops', n=4.0), Row(dept=None, n=2.0), Row(dept='hr', n=2.0)]"},
		{"in a join", func() *lakelab.DataFrame {
			return spark.Range(5).Alias("a").Join(spark.Range(9).Alias("b"), double("a.id").Eq(F.Col("b.id"))).Select("a.id", "b.id").OrderBy("a.id").Limit(2)
		}, "[Row(id=0, id=0), Row(id=1, id=2)]"},
		{"over a window", func() *lakelab.DataFrame {
			return spark.Range(3).Select(F.Sum(double("id")).Over(lakelab.Window.OrderBy("id")).As("s"))
		}, "[Row(s=0.0), Row(s=2.0), Row(s=6.0)]"},
		{"times", func() *lakelab.DataFrame {
			return spark.SQL("SELECT next_day_of(TIMESTAMP '2024-02-28 10:00:00') AS t")
		}, "[Row(t=datetime.datetime(2024, 2, 29, 10, 0))]"},
		{"a list", func() *lakelab.DataFrame { return spark.Range(1).Select(words(F.Lit("abc")).As("l")) }, "[Row(l=['a', 'b', 'c'])]"},
		{"thousands of rows", func() *lakelab.DataFrame { return spark.Range(5000).Agg(F.Sum(double("id")).As("s")) }, "[Row(s=24995000.0)]"},
	} {
		if got := fmt.Sprint(c.df().Collect()); strings.ReplaceAll(got[1:len(got)-1], ") Row(", "), Row(") != c.want[1:len(c.want)-1] {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}

	called.Store(0)
	spark.Range(100_000).Select(double("id")).Take(3)
	if n := called.Load(); n > 10 {
		t.Errorf("three rows cost %d calls", n)
	}

	spark.SQL("CREATE OR REPLACE TABLE doubled AS SELECT id, double_it(id) AS x FROM range(4)")
	if got := spark.Table("doubled").Agg(F.Sum("x").As("s")).First().Float64("s"); got != 12 {
		t.Errorf("written: %v", got)
	}

	for _, c := range []struct {
		name, class, text string
		f                 func()
	}{
		{"a panic", "FAILED_EXECUTE_UDF", "User defined function (`bad`: (bigint) => bigint) failed due to: panic: runtime error: index out of range [1] with length 1", func() { spark.Range(2).Select(bad("id")).Collect() }},
		{"an error", "FAILED_EXECUTE_UDF", "failed due to: negative: -1", func() { spark.Range(-1, 1).Select(half("id")).Collect() }},
		{"too many arguments", "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "requires 1 parameters but the actual number is 2", func() { spark.Range(1).Select(double("id", "id")) }},
		{"a wrong type", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", `requires the "DOUBLE" type, however "tags" has the type "ARRAY<STRING>"`, func() { nested.Select(double("tags")) }},
		{"in a lambda", "UNSUPPORTED_FEATURE", "a UDF in a lambda", func() {
			nested.Select(F.Transform("tags", func(x lakelab.Column) lakelab.Column { return size(x) })).Collect()
		}},
	} {
		err, _ := lakelab.Try(c.f).(*lakelab.Error)
		if err == nil || !strings.HasPrefix(err.Class, c.class) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	inner := F.UDF("asks", func(n int64) int64 { return spark.Range(n).Count() })
	if err := lakelab.Try(func() { spark.Range(1).Select(inner("id")).Collect() }); err == nil || !strings.Contains(err.Error(), "внутри UDF нельзя обращаться к spark") {
		t.Errorf("a UDF that asks the engine: %v", err)
	}
	if spark.Range(3).Count() != 3 {
		t.Error("the connection is of no use any more")
	}
	for _, f := range []any{1, func() {}, func(x ...int) int { return 0 }, func(m map[string]int) int { return 0 }, func(int) (int, int) { return 0, 0 }} {
		if err := lakelab.Try(func() { F.UDF("wrong", f) }); err == nil {
			t.Errorf("%T was taken", f)
		}
	}
}
