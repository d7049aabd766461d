package lake

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Rewriting says which data files rewrite_data_files rewrites, and in what order their rows come out (Iceberg's "Spark Procedures" page).
type Rewriting struct {
	Where *Condition
	// OrderBy is a DuckDB ORDER BY list over the table's columns; empty keeps the order.
	OrderBy string
	Options map[string]string
}

// Rewrote counts what a rewrite did.
type Rewrote struct{ Files, Added, Bytes, RemovedDeletes int64 }

// rewriteOptions are the options that mean something here, with Iceberg's defaults; those with none depend on the target size.
var rewriteOptions = map[string]string{
	"rewrite-all": "false", "min-input-files": "5", "target-file-size-bytes": "", "min-file-size-bytes": "", "max-file-size-bytes": "",
	"max-file-group-size-bytes": "107374182400", "delete-file-threshold": "2147483647", "delete-ratio-threshold": "0.3",
	"use-starting-sequence-number": "true",
	// How the work is spread is not visible in the result.
	"max-concurrent-file-group-rewrites": "5", "partial-progress.enabled": "false", "partial-progress.max-commits": "10",
	"partial-progress.max-failed-commits": "10", "rewrite-job-order": "none", "compression-factor": "1.0", "shuffle-partitions-per-file": "1",
	"output-spec-id": "", "remove-dangling-deletes": "false",
}

// limits are the options as numbers.
type limits struct {
	all                             bool
	minFiles, deletes               int64
	target, minSize, maxSize, group int64
	ratio                           float64
}

func (t *Table) rewriteLimits(given map[string]string) (limits, error) {
	option := func(name string) string {
		if v, ok := given[name]; ok {
			return v
		}
		return rewriteOptions[name]
	}
	var unknown []string
	for k := range given {
		if _, ok := rewriteOptions[k]; !ok {
			unknown = append(unknown, k)
		}
	}
	if len(unknown) > 0 {
		sort.Strings(unknown)
		return limits{}, errclass.RewriteOptions(unknown)
	}
	if v := option("output-spec-id"); v != "" && v != strconv.Itoa(t.meta.DefaultPartitionSpec()) {
		return limits{}, errclass.Unsupported("the option output-spec-id of rewrite_data_files")
	}
	l := limits{all: option("rewrite-all") == "true"}
	number := func(name string, otherwise int64) int64 {
		if n, err := strconv.ParseInt(option(name), 10, 64); err == nil {
			return n
		}
		return otherwise
	}
	l.target = number("target-file-size-bytes", int64(t.meta.Properties().GetInt("write.target-file-size-bytes", 536_870_912)))
	l.minSize, l.maxSize = number("min-file-size-bytes", l.target*3/4), number("max-file-size-bytes", l.target*9/5)
	l.minFiles, l.deletes, l.group = number("min-input-files", 5), number("delete-file-threshold", 1<<31-1), number("max-file-group-size-bytes", 0)
	l.ratio, _ = strconv.ParseFloat(option("delete-ratio-threshold"), 64)
	return l, nil
}

// rewriteGroup is the files of one partition that are rewritten together.
type rewriteGroup struct {
	files   []iceberg.DataFile
	deletes map[string][]iceberg.DataFile
}

// Rewrite writes data files anew: small ones together, those with many deletes without the deleted rows, or all, sorted. All is one
// commit; rows that others delete meanwhile make it fail.
func (l *Lakehouse) Rewrite(ctx context.Context, t *Table, what Rewriting, db DB) (Rewrote, error) {
	if err := checkWritable(t.meta); err != nil {
		return Rewrote{}, err
	}
	limits, err := t.rewriteLimits(what.Options)
	if err != nil {
		return Rewrote{}, err
	}
	parent := t.head()
	if parent == nil {
		return Rewrote{}, nil
	}
	list, err := l.cache.fileList(ctx, t.meta, parent)
	if err != nil {
		return Rewrote{}, err
	}
	groups, out := t.rewriteGroups(list, what.Where, limits), Rewrote{}
	if len(groups) == 0 {
		return out, nil
	}
	c := newChange(nil)
	c.on(t)
	c.operation = func(_, _ tally) table.Operation { return table.OpReplace }
	gone := map[string]bool{}
	for _, g := range groups {
		data, err := t.rewriteGroup(ctx, g, list, what.OrderBy, db)
		if err != nil {
			c.discard(err)
			return Rewrote{}, err
		}
		c.data = append(c.data, data...)
		for _, f := range g.files {
			gone[f.FilePath()] = true
			out.Files++
			out.Bytes += f.FileSizeBytes()
		}
	}
	out.Added = int64(len(c.data))
	c.remove = func(f iceberg.DataFile) bool { return gone[f.FilePath()] }
	c.check = l.unchanged(ctx, t, RowChanges{Where: never, Command: "rewrite"}, parent, list, gone)
	return out, l.commitChange(ctx, t, c)
}

// rewriteGroups picks the files that need to be rewritten, by partition, as Iceberg's planner does.
func (t *Table) rewriteGroups(list *fileList, where *Condition, l limits) []rewriteGroup {
	byPartition := map[string]*rewriteGroup{}
	var order []string
	deletes := map[string][]iceberg.DataFile{}
	for _, d := range list.deletes {
		if path, one := deletesOne(d); one {
			deletes[path] = append(deletes[path], d)
		}
	}
	for _, f := range list.matching(t.meta.CurrentSchema(), t.meta, where) {
		if !l.all && !l.outside(f) && !l.deleted(f, deletes[f.FilePath()]) {
			continue
		}
		key := partitionKey(f)
		if int(f.SpecID()) != t.meta.DefaultPartitionSpec() {
			key = "" // files of older specs are spread anew
		}
		g := byPartition[key]
		if g == nil {
			g = &rewriteGroup{deletes: deletes}
			byPartition[key] = g
			order = append(order, key)
		}
		g.files = append(g.files, f)
	}
	var out []rewriteGroup
	for _, key := range order {
		if g := byPartition[key]; l.all || l.worthwhile(g) {
			out = append(out, *g)
		}
	}
	return out
}

func (l limits) outside(f iceberg.DataFile) bool {
	return f.FileSizeBytes() < l.minSize || f.FileSizeBytes() > l.maxSize
}

// deleted reports whether a file has so many deletes that it is worth a rewrite on its own.
func (l limits) deleted(f iceberg.DataFile, deletes []iceberg.DataFile) bool {
	rows := int64(0)
	for _, d := range deletes {
		rows += d.Count()
	}
	return int64(len(deletes)) >= l.deletes || f.Count() > 0 && float64(min(rows, f.Count()))/float64(f.Count()) >= l.ratio
}

func (l limits) worthwhile(g *rewriteGroup) bool {
	size := int64(0)
	for _, f := range g.files {
		size += f.FileSizeBytes()
	}
	n := int64(len(g.files))
	return n > 1 && n >= l.minFiles || n > 1 && size > l.target || size > l.maxSize ||
		slices.ContainsFunc(g.files, func(f iceberg.DataFile) bool { return l.deleted(f, g.deletes[f.FilePath()]) })
}

func (t *Table) rewriteGroup(ctx context.Context, g rewriteGroup, list *fileList, orderBy string, db DB) ([]iceberg.DataFile, error) {
	schema := t.meta.CurrentSchema()
	if err := fetch(ctx, g.files, list.deletes); err != nil {
		return nil, err
	}
	query, err := t.scanFiles(schema, schema.Fields(), g.files, list.deletes)
	if err != nil {
		return nil, err
	}
	to := t.meta.target()
	to.by = orderBy
	return writeData(ctx, to, query, db)
}

// SortedBy is Rewriting's OrderBy for sort fields; no fields stand for the table's sort order.
func (t *Table) SortedBy(fields []SortField) (string, error) {
	order := t.meta.SortOrder()
	if len(fields) > 0 {
		s := &specChange{base: t.meta, schema: t.meta.CurrentSchema()}
		var keys []table.SortField
		for _, f := range fields {
			k, err := s.sortField(f)
			if err != nil {
				return "", err
			}
			keys = append(keys, k)
		}
		var err error
		if order, err = table.NewSortOrder(table.InitialSortOrderID, keys); err != nil {
			return "", err
		}
	}
	by, err := orderSQL(order, t.meta.CurrentSchema())
	if err == nil && by == "" {
		return "", errclass.IllegalArgument(fmt.Sprintf("Cannot sort data without a valid sort order, table '%s' is unsorted and no sort order is provided", t.qualified()))
	}
	return by, err
}

// ZOrderedBy is Rewriting's OrderBy for a Z-order of columns: each column's values are cut into 256 ranges of equal size, and the bits of
// the ranges' numbers are interleaved.
func (t *Table) ZOrderedBy(columns [][]string) (string, error) {
	const bits = 8
	var terms []string
	for i, path := range columns {
		f, err := findColumn(t.meta.CurrentSchema(), path)
		if err != nil {
			return "", errclass.IllegalArgument(fmt.Sprintf("Cannot find column '%s' in table schema (case sensitive = false): %s", path[0], t.meta.CurrentSchema().AsStruct()))
		}
		rank := fmt.Sprintf("(ntile(%d) OVER (ORDER BY %s NULLS FIRST) - 1)", 1<<bits, columnSQL(t.meta.CurrentSchema(), f.ID))
		for b := range bits {
			terms = append(terms, fmt.Sprintf("((%s >> %d) & 1) << %d", rank, b, b*len(columns)+len(columns)-1-i))
		}
	}
	sum := ""
	for i, s := range terms {
		if i > 0 {
			sum += " + "
		}
		sum += "(CAST(" + s + " AS HUGEINT))"
	}
	return sum, nil
}

// qualified is the table's name with its catalog.
func (t *Table) qualified() string { return CatalogName + "." + t.id.String() }
