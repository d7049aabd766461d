package hive

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// ColumnStatistics are what ANALYZE TABLE … FOR COLUMNS finds about a column, as text; a nil Min or Max is not known.
type ColumnStatistics struct {
	Min, Max                        *string
	Nulls, Distinct, AvgLen, MaxLen int64
}

// columnStatistics begins the parameters in which Spark keeps a column's statistics.
const columnStatistics = "spark.sql.statistics.colStats."

// AnalyzeColumns notes a table's size, its number of rows, and what was found about columns. Other columns' statistics stay.
func (w *Warehouse) AnalyzeColumns(ctx context.Context, t *Table, rows int64, found map[string]ColumnStatistics) error {
	for name, c := range found {
		key := columnStatistics + name + "."
		for k, v := range map[string]*string{"min": c.Min, "max": c.Max} {
			delete(t.Params, key+k)
			if v != nil {
				t.Params[key+k] = *v
			}
		}
		t.Params[key+"version"] = "2"
		for k, n := range map[string]int64{"nullCount": c.Nulls, "distinctCount": c.Distinct, "avgLen": c.AvgLen, "maxLen": c.MaxLen} {
			t.Params[key+k] = strconv.FormatInt(n, 10)
		}
	}
	return w.Analyze(ctx, t, rows)
}

// ColumnStatistic is one of a column's statistics: min, max, nullCount, distinctCount, avgLen, maxLen; NULL if it is not known.
func (t *Table) ColumnStatistic(column, what string) string {
	if v, ok := t.Params[columnStatistics+column+"."+what]; ok {
		return v
	}
	return "NULL"
}

// Analyzed tells the size in bytes and the rows (negative: not counted) that ANALYZE TABLE found; false if there are no statistics.
func (t *Table) Analyzed() (size, rows int64, ok bool) {
	if !Analyzed(t.Params) {
		return 0, 0, false
	}
	size, err := strconv.ParseInt(t.Params[statisticsSize], 10, 64)
	if err != nil {
		return 0, 0, false
	}
	rows, err = strconv.ParseInt(t.Params[statisticsRows], 10, 64)
	if err != nil {
		rows = -1
	}
	return size, rows, true
}

// forgetStatistics drops what ANALYZE TABLE found: the files have changed.
func forgetStatistics(params map[string]string) {
	delete(params, statisticsSize)
	delete(params, statisticsRows)
	for k := range params {
		if strings.HasPrefix(k, columnStatistics) {
			delete(params, k)
		}
	}
}

// ForgetStatistics drops what ANALYZE TABLE found about a table whose files have changed since, as Spark does after a write.
func (w *Warehouse) ForgetStatistics(ctx context.Context, database, name string) error {
	for {
		t, err := w.Load(ctx, database, name)
		if err != nil || !Analyzed(t.Params) {
			return err
		}
		forgetStatistics(t.Params)
		if err := w.Alter(ctx, t); !errors.Is(err, metastore.ErrOutrun) || ctx.Err() != nil {
			return err
		}
	}
}
