package engine_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// TestTrinoExplain shows plans in every form.
func TestTrinoExplain(t *testing.T) {
	c := newTrinoSuiteClient(t, openDoor(t))
	explain := func(sql string) string {
		t.Helper()
		a := c.run(t, sql)
		if a.Error != nil || len(a.Rows) != 1 {
			t.Fatal(sql, a.Error, a.Rows)
		}
		return a.Rows[0][0].(string)
	}
	for _, sql := range []string{
		"CREATE TABLE t (id bigint, name varchar, day date, price decimal(10, 2)) WITH (partitioning = ARRAY['day'])",
		"INSERT INTO t VALUES (1, 'a', DATE '2024-01-01', 1), (2, 'b', DATE '2024-01-02', 2)", "CREATE TABLE u (id bigint, name varchar)",
	} {
		if a := c.run(t, sql); a.Error != nil {
			t.Fatal(sql, a.Error)
		}
	}
	for _, q := range []struct{ sql, want string }{
		{"EXPLAIN SELECT id, name AS n FROM t WHERE day = DATE '2024-01-01' AND id > 0", `Trino version: 476
Fragment 0 [SINGLE]
    Output layout: [id, name]
    Output partitioning: SINGLE []
    Output[columnNames = [id, n]]
    │   Layout: [id:bigint, name:varchar]
    │   n := name
    └─ Filter[filterPredicate = ((day = date '2024-01-01') AND (id > bigint '0'))]
       │   Layout: [id:bigint, name:varchar, day:date]
       └─ TableScan[table = lakehouse:suite.t, constraint = ((day = date '2024-01-01') AND (id > bigint '0'))]
              Layout: [id:bigint, name:varchar, day:date]
              id := id:bigint
              name := name:varchar
              day := day:date
              files: 2 considered, 1 skipped, 1 read

`},
		{"EXPLAIN (TYPE LOGICAL) INSERT INTO u SELECT id, upper(name) FROM t", `Trino version: 476
Output[columnNames = [rows]]
│   Layout: [rows:bigint]
└─ TableCommit[target = lakehouse:suite.u]
   │   Layout: [rows:bigint]
   └─ TableWriter[]
      │   Layout: [rows:bigint]
      └─ Project[]
         │   Layout: [id:bigint, expr:varchar]
         │   expr := upper(name)
         └─ TableScan[table = lakehouse:suite.t]
                Layout: [id:bigint, name:varchar]
                id := id:bigint
                name := name:varchar
                files: 2 considered, 0 skipped, 2 read
`},
		{"EXPLAIN (TYPE LOGICAL) SELECT t.id, count(*) FROM t JOIN u ON t.id = u.id LEFT JOIN (VALUES 1, 2) w(x) ON w.x = t.id GROUP BY t.id ORDER BY 2 DESC LIMIT 3", ""},
		{"EXPLAIN (TYPE LOGICAL) WITH q AS (SELECT id, row_number() OVER (PARTITION BY name ORDER BY id DESC) r FROM t) SELECT * FROM q a, q b WHERE a.id IN (SELECT id FROM u) UNION ALL SELECT 1, 2, e, NULL FROM UNNEST(ARRAY[1]) x(e)", ""},
		{"EXPLAIN MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN DELETE", ""},
		{"EXPLAIN CREATE TABLE n AS SELECT TIMESTAMP '2024-01-01 00:00:00' AS ts, CAST(ROW(1) AS ROW(a tinyint)) AS r", ""},
		{"EXPLAIN SHOW TABLES", ""},
		{"EXPLAIN UPDATE t SET name = 'x' WHERE id = 1", ""},
	} {
		got := explain(q.sql)
		if q.want != "" && got != q.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", q.sql, got, q.want)
		}
		if words := regexp.MustCompile(`==|TIMESTAMP_NTZ|BIGINT|STRING|STRUCT|plan\.|expr\.|%!`).FindString(got); words != "" {
			t.Errorf("%s\nsays %s:\n%s", q.sql, words, got)
		}
	}
	analyzed := explain("EXPLAIN ANALYZE SELECT id FROM t")
	if !regexp.MustCompile(`^Trino version: 476\nQueued: 0.00ns, Analysis: [0-9.]+[mun]?s, Planning: 0.00ns, Execution: [0-9.]+[mun]?s\nFragment 1 \[SINGLE\]\n    Output: 2 rows\n`).MatchString(analyzed) {
		t.Error(analyzed)
	}
	if analyzed := explain("EXPLAIN ANALYZE DELETE FROM t WHERE id = 2"); !strings.Contains(analyzed, "    Changed: 1 row\n") || !strings.Contains(analyzed, "MergeWriter[table = lakehouse:suite.t]") {
		t.Error(analyzed)
	}
	if a := c.run(t, "SELECT count(*) FROM t"); a.Rows[0][0] != json.Number("1") {
		t.Error("EXPLAIN ANALYZE did not delete:", a.Rows)
	}
	if a := c.run(t, "EXPLAIN ANALYZE VERBOSE SELECT 1"); a.Error == nil || a.Error.Name != "NOT_SUPPORTED" || !strings.Contains(a.Error.Message, "EXPLAIN ANALYZE VERBOSE") {
		t.Error(a)
	}
	testExplainJSON(t, explain)
}

// testExplainJSON reads what is JSON.
func testExplainJSON(t *testing.T, explain func(sql string) string) {
	type node struct {
		ID, Name   string
		Descriptor map[string]string
		Outputs    []struct{ Type, Name string }
		Details    []string
		Children   []node
	}
	var one node
	var fragments map[string]node
	read := func(sql string, v any) {
		t.Helper()
		text := explain(sql)
		d := json.NewDecoder(strings.NewReader(text))
		if err := d.Decode(v); err != nil {
			t.Fatal(sql, err, text)
		}
	}
	read("EXPLAIN (TYPE LOGICAL, FORMAT JSON) SELECT name FROM t WHERE name = 'a\"b'", &one)
	read("EXPLAIN (FORMAT JSON) SELECT name FROM t WHERE name = 'a\"b'", &fragments)
	scan := one
	for len(scan.Children) > 0 {
		scan = scan.Children[0]
	}
	if one.Name != "Output" || one.Descriptor["columnNames"] != "[name]" || scan.Name != "TableScan" || scan.ID != "0" || scan.Descriptor["table"] != "lakehouse:suite.t" ||
		len(scan.Outputs) != 1 || scan.Outputs[0].Type != "varchar" || fragments["0"].Name != "Output" {
		t.Errorf("%+v %+v", one, fragments)
	}
	if got, want := explain("EXPLAIN (TYPE IO) INSERT INTO u SELECT id, name FROM t WHERE day = DATE '2024-01-01' AND id > 0 AND price BETWEEN 1.00 AND 2.00"), ioOfInsert; got != want {
		t.Errorf("got\n%s", got)
	}
	if dot := explain("EXPLAIN (FORMAT GRAPHVIZ) SELECT name FROM t WHERE name = '{x}'"); !strings.HasPrefix(dot, "digraph distributed_plan {\nsubgraph cluster_0 {\nlabel = \"SINGLE\"\nplannode_1[label=\"{Output|columnNames = [name]}\"") ||
		!strings.Contains(dot, `\{x\}`) || !strings.Contains(dot, "plannode_2 -> plannode_3;") {
		t.Error(dot)
	}
}

const ioOfInsert = `{
  "inputTableColumnInfos" : [ {
    "table" : {
      "catalog" : "lakehouse",
      "schemaTable" : {
        "schema" : "suite",
        "table" : "t"
      }
    },
    "constraint" : {
      "none" : false,
      "columnConstraints" : [ {
        "columnName" : "id",
        "type" : "bigint",
        "domain" : {
          "nullsAllowed" : false,
          "ranges" : [ {
            "low" : {
              "value" : "0",
              "bound" : "ABOVE"
            },
            "high" : {
              "bound" : "BELOW"
            }
          } ]
        }
      }, {
        "columnName" : "day",
        "type" : "date",
        "domain" : {
          "nullsAllowed" : false,
          "ranges" : [ {
            "low" : {
              "value" : "2024-01-01",
              "bound" : "EXACTLY"
            },
            "high" : {
              "value" : "2024-01-01",
              "bound" : "EXACTLY"
            }
          } ]
        }
      }, {
        "columnName" : "price",
        "type" : "decimal(10,2)",
        "domain" : {
          "nullsAllowed" : false,
          "ranges" : [ {
            "low" : {
              "value" : "1.00",
              "bound" : "EXACTLY"
            },
            "high" : {
              "value" : "2.00",
              "bound" : "EXACTLY"
            }
          } ]
        }
      } ]
    },
    "estimate" : {
      "outputRowCount" : "NaN",
      "outputSizeInBytes" : "NaN",
      "cpuCost" : "NaN",
      "maxMemory" : "NaN",
      "networkCost" : "NaN"
    }
  } ],
  "outputTable" : {
    "catalog" : "lakehouse",
    "schemaTable" : {
      "schema" : "suite",
      "table" : "u"
    }
  },
  "estimate" : {
    "outputRowCount" : "NaN",
    "outputSizeInBytes" : "NaN",
    "cpuCost" : "NaN",
    "maxMemory" : "NaN",
    "networkCost" : "NaN"
  }
}`
