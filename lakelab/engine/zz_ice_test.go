package engine

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

func TestZZInsert(t *testing.T) {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("/tmp/ice4", "ins")
	defer os.RemoveAll(dir)
	e, err := Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "x", dir)
	ask := func(q string) {
		r, err := s.Execute(ctx, sql.Spark, q, plan.Params{})
		if err == nil {
			_, err = s.Collect(ctx, r, 1000)
		}
		if err != nil {
			t.Fatal(q, err)
		}
	}
	ask("CREATE NAMESPACE lakehouse.b")
	n, _ := strconv.Atoi(os.Getenv("N"))
	switch os.Getenv("WHAT") {
	case "merge":
		for _, mode := range []string{"copy-on-write", "merge-on-read"} {
			ask(fmt.Sprintf("CREATE OR REPLACE TABLE lakehouse.b.target USING iceberg TBLPROPERTIES ('write.merge.mode' = '%s') AS SELECT id, concat('v', id) AS v FROM range(1000000)", mode))
			for range 3 {
				begun := time.Now()
				ask("MERGE INTO lakehouse.b.target AS t USING (SELECT id + 995000 AS id, 'new' AS v FROM range(10000)) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")
				fmt.Println(mode, time.Since(begun))
			}
		}
		return
	}
	ask("CREATE TABLE lakehouse.b.events (id BIGINT, v STRING) USING iceberg")
	begun := time.Now()
	for i := range n {
		ask(fmt.Sprintf("INSERT INTO lakehouse.b.events VALUES (%d, 'x')", i))
		if i%100 == 99 {
			fmt.Println(i, time.Since(begun)/100)
			begun = time.Now()
		}
	}
}
