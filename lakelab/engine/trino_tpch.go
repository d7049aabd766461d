package engine

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/duck"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// The catalog `tpch` ("TPC-H connector"): the tables of the TPC-H benchmark, generated when they are first read. A
// schema is a scale factor: sf1, "sf0.01" or any other; tiny is "sf0.01". Columns have their names without the table's letter.

const tpchCatalog = "tpch"

// tpchSchemas are those that are listed; any other scale factor can be used, too.
var tpchSchemas = []string{"tiny", "sf1", "sf100", "sf300", "sf1000", "sf3000", "sf10000", "sf30000", "sf100000"}

// tpchMost is the greatest scale factor whose tables are made: some GB on disk, and a minute of work.
const tpchMost = 10

// tpchTables are the tables' columns.
var tpchTables = map[string][]types.Field{
	"customer": tpchColumns("custkey bigint, name 25, address 40, nationkey bigint, phone 15, acctbal double, mktsegment 10, comment 117"),
	"lineitem": tpchColumns("orderkey bigint, partkey bigint, suppkey bigint, linenumber integer, quantity double, extendedprice double, discount double, tax double, " +
		"returnflag 1, linestatus 1, shipdate date, commitdate date, receiptdate date, shipinstruct 25, shipmode 10, comment 44"),
	"nation":   tpchColumns("nationkey bigint, name 25, regionkey bigint, comment 152"),
	"orders":   tpchColumns("orderkey bigint, custkey bigint, orderstatus 1, totalprice double, orderdate date, orderpriority 15, clerk 15, shippriority integer, comment 79"),
	"part":     tpchColumns("partkey bigint, name 55, mfgr 25, brand 10, type 25, size integer, container 10, retailprice double, comment 23"),
	"partsupp": tpchColumns("partkey bigint, suppkey bigint, availqty integer, supplycost double, comment 199"),
	"region":   tpchColumns("regionkey bigint, name 25, comment 152"),
	"supplier": tpchColumns("suppkey bigint, name 25, address 40, nationkey bigint, phone 15, acctbal double, comment 101"),
}

// tpchColumns reads `a bigint, b 25`: columns with their types, a number standing for a varchar of that length. None is ever NULL.
func tpchColumns(text string) []types.Field {
	kinds := map[string]types.Kind{"bigint": types.Long, "integer": types.Int, "double": types.Double, "date": types.Date}
	var out []types.Field
	for _, c := range strings.Split(text, ", ") {
		name, kind, _ := strings.Cut(c, " ")
		t := types.Of(kinds[kind])
		if n, err := strconv.Atoi(kind); err == nil {
			t = types.VarcharOf(n)
		}
		out = append(out, types.Field{Name: name, Type: t})
	}
	return out
}

// tpchScale is the scale factor that a schema's name says; false if it says none.
func tpchScale(schema string) (float64, bool) {
	if schema == "tiny" {
		return 0.01, true
	}
	text, ok := strings.CutPrefix(schema, "sf")
	f, err := strconv.ParseFloat(text, 64)
	return f, ok && err == nil && f > 0 && !math.IsInf(f, 0)
}

// tpchRelation is a table of the catalog; nil if there is none of that name.
func (s *Session) tpchRelation(schema, table string, ref *sql.TableRef) (*plan.Relation, error) {
	fields, ok := tpchTables[table]
	scale, known := tpchScale(schema)
	switch {
	case !ok || !known:
		return nil, nil
	case ref.Travel != nil:
		return nil, errclass.TrinoConnector("versioned tables").Nowhere()
	case scale > tpchMost:
		return nil, errclass.UnsupportedStatement(sql.Trino, "a scale factor of TPC-H above "+strconv.Itoa(tpchMost)).At(ref.Span())
	}
	return &plan.Relation{Name: []string{tpchCatalog, schema, table}, Source: &tpchSource{s: s, table: table, scale: scale, schema: types.StructOf(slices.Clone(fields)...)}}, nil
}

// tpchRowNumber is the hidden column of each table.
const tpchRowNumber = "row_number"

// tpchSource reads a generated table.
type tpchSource struct {
	s      *Session
	table  string
	scale  float64
	schema types.Type
}

func (t *tpchSource) Schema() types.Type { return t.schema }

// tpchRowNumbers compute a row's number from its key: it is that of its order or part where there are several rows of one.
var tpchRowNumbers = map[string]string{
	"customer": "custkey", "lineitem": "orderkey // 32 * 8 + orderkey % 8", "nation": "nationkey", "orders": "orderkey // 32 * 8 + orderkey % 8",
	"part": "partkey", "partsupp": "partkey", "region": "regionkey", "supplier": "suppkey",
}

// Hidden is the number of a row.
func (t *tpchSource) Hidden() []types.Field {
	return []types.Field{{Name: tpchRowNumber, Type: types.Of(types.Long)}}
}

func (t *tpchSource) SQL(ctx context.Context, columns []int, _ expr.Expr) (string, error) {
	name, err := t.s.engine.DB.TPCH(ctx, t.table, t.scale, t.schema)
	if err != nil {
		return "", err
	}
	items := []string{}
	for _, c := range columns {
		if c >= len(t.schema.Fields) {
			items = append(items, tpchRowNumbers[t.table]+" AS "+tpchRowNumber)
		} else {
			items = append(items, duck.Ident(t.schema.Fields[c].Name))
		}
	}
	if len(items) == 0 {
		items = []string{"1 AS one"}
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM " + name, nil
}
