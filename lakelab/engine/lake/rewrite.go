package lake

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// Rewriting says which data files rewrite_data_files rewrites, and in what order their rows come out (Iceberg's "Spark Procedures" page).
type Rewriting struct {
	Where *Condition
	// Only are the paths of the files that may be rewritten; nil: all.
	Only map[string]bool
	// OrderBy is a DuckDB ORDER BY list over the table's columns; empty keeps the order.
	OrderBy string
	ZOrder  bool // OrderBy is a Z-order's
	Options map[string]string
}

// Rewrote counts what a rewrite did.
type Rewrote struct{ Files, Added, Bytes, Failed, RemovedDeletes int64 }

// rewriteOptions are the options that mean something here, with Iceberg's defaults; those with none depend on the target size.
var rewriteOptions = map[string]string{
	"rewrite-all": "false", "min-input-files": "5", "target-file-size-bytes": "", "min-file-size-bytes": "", "max-file-size-bytes": "",
	"max-file-group-size-bytes": "107374182400", "delete-file-threshold": "2147483647", "delete-ratio-threshold": "0.3",
	"use-starting-sequence-number": "true",
	// How the work is spread is not visible in the result.
	"max-concurrent-file-group-rewrites": "5", "partial-progress.enabled": "false", "partial-progress.max-commits": "10",
	"partial-progress.max-failed-commits": "10", "rewrite-job-order": "none",
	"output-spec-id": "", "remove-dangling-deletes": "false", "max-files-to-rewrite": "",
}

// sortOptions are those of a rewrite that sorts: how much is shuffled, which is not visible in the result either.
var sortOptions = []string{"compression-factor", "shuffle-partitions-per-file"}

// zorderOptions are the options of a Z-order alone: how many bytes of each value go into it, which this engine's ranks don't need.
var zorderOptions = map[string]string{
	"var-length-contribution": "Cannot use less than 1 byte for variable length types with ZOrder, 'var-length-contribution' was set to %d",
	"max-output-size":         "Cannot have the interleaved ZOrder value use less than 1 byte, 'max-output-size' was set to %d",
}

// limits are the options as numbers.
type limits struct {
	spec                            iceberg.PartitionSpec // of the new files
	all                             bool
	minFiles, deletes               int64
	target, minSize, maxSize, group int64
	ratio                           float64
	partial                         bool // progress in several commits
	commits, failedCommits          int64
	most                            int64 // files to rewrite; 0: as many as there are
	dangling                        bool  // delete files that delete nothing go afterwards
}

func (t *Table) rewriteLimits(what Rewriting) (limits, error) {
	given := what.Options
	option := func(name string) string {
		if v, ok := given[name]; ok {
			return v
		}
		return rewriteOptions[name]
	}
	var unknown []string
	for k, v := range given {
		message, z := zorderOptions[k]
		if _, ok := rewriteOptions[k]; !ok && !(z && what.ZOrder) && !(what.OrderBy != "" && slices.Contains(sortOptions, k)) {
			unknown = append(unknown, k)
		} else if z && whole(v) < 1 {
			return limits{}, errclass.IllegalArgument(fmt.Sprintf(message, whole(v)))
		}
	}
	if len(unknown) > 0 {
		sort.Strings(unknown)
		return limits{}, errclass.RewriteOptions(unknown, what.rewriter())
	}
	for _, k := range slices.Sorted(maps.Keys(given)) {
		if v := given[k]; slices.Contains(numericOptions, k) {
			if _, err := strconv.ParseInt(v, 10, 64); err != nil {
				return limits{}, errclass.NumberFormat(v)
			}
		}
	}
	spec := t.meta.PartitionSpec()
	if v := option("output-spec-id"); v != "" {
		other := t.meta.PartitionSpecByID(int(whole(v)))
		if other == nil {
			return limits{}, errclass.IllegalArgument("Cannot use output spec id " + v + " because the table does not contain a reference to this spec-id.")
		}
		spec = *other
	}
	if err := checkNumbers(t.meta.Properties(), "write.target-file-size-bytes"); err != nil {
		return limits{}, err
	}
	l := limits{spec: spec, all: strings.EqualFold(option("rewrite-all"), "true"), dangling: strings.EqualFold(option("remove-dangling-deletes"), "true")}
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
	for _, name := range []string{"target-file-size-bytes", "min-input-files", "delete-file-threshold", "max-file-group-size-bytes"} {
		if n := number(name, 1); n < 1 {
			return limits{}, errclass.IllegalArgument(fmt.Sprintf("'%s' is set to %d but must be > 0", name, n))
		}
	}
	switch {
	case l.target <= l.minSize:
		return limits{}, errclass.IllegalArgument(fmt.Sprintf("'target-file-size-bytes' (%d) must be > 'min-file-size-bytes' (%d), all new files will be smaller than the min threshold", l.target, l.minSize))
	case l.target >= l.maxSize:
		return limits{}, errclass.IllegalArgument(fmt.Sprintf("'target-file-size-bytes' (%d) must be < 'max-file-size-bytes' (%d), all new files will be larger than the max threshold", l.target, l.maxSize))
	}
	if l.ratio > 1 {
		return limits{}, errclass.IllegalArgument("'delete-ratio-threshold' is set to " + types.Text(types.Of(types.Double), l.ratio, time.UTC) + " but must be <= 1")
	}
	if v, ok := given["max-files-to-rewrite"]; ok {
		if l.most = number("max-files-to-rewrite", 0); l.most < 1 {
			return limits{}, errclass.IllegalArgument("Cannot set max-files-to-rewrite to " + v + ", the value must be positive integer.")
		}
	}
	switch v := option("rewrite-job-order"); strings.ToLower(v) {
	case "none", "bytes-asc", "bytes-desc", "files-asc", "files-desc":
	default:
		return limits{}, errclass.IllegalArgument("Invalid rewrite job order name: " + v)
	}
	l.partial, l.commits, l.failedCommits = strings.EqualFold(option("partial-progress.enabled"), "true"), number("partial-progress.max-commits", 10), number("partial-progress.max-failed-commits", 10)
	if l.partial && l.commits < 1 {
		return limits{}, errclass.IllegalArgument(fmt.Sprintf("Cannot set partial-progress.max-commits to %d, the value must be positive when partial-progress.enabled is true", l.commits))
	}
	if n := number("max-concurrent-file-group-rewrites", 5); n < 1 {
		return limits{}, errclass.IllegalArgument(fmt.Sprintf("Cannot set max-concurrent-file-group-rewrites to %d, the value must be positive.", n))
	}
	return l, nil
}

// numericOptions are the options that are whole numbers.
var numericOptions = []string{"min-input-files", "target-file-size-bytes", "min-file-size-bytes", "max-file-size-bytes", "max-file-group-size-bytes", "delete-file-threshold",
	"max-concurrent-file-group-rewrites", "partial-progress.max-commits", "partial-progress.max-failed-commits", "output-spec-id", "max-files-to-rewrite"}

// rewriter is Iceberg's name of the way in which files are rewritten.
func (r Rewriting) rewriter() string {
	switch {
	case r.ZOrder:
		return "Z-ORDER"
	case r.OrderBy != "":
		return "SORT"
	}
	return "BIN-PACK"
}

// rewriteGroup is the files of one partition that are rewritten together.
type rewriteGroup struct {
	files   []iceberg.DataFile
	deletes map[string][]iceberg.DataFile
}

// Rewrite writes data files anew: small ones together, those with many deletes without the deleted rows, or all, sorted. All is one
// commit; rows that others delete meanwhile make it fail.
func (l *Lakehouse) Rewrite(ctx context.Context, t *Table, what Rewriting, db DB) (Rewrote, error) {
	if err := l.checkWritable(t.meta); err != nil {
		return Rewrote{}, err
	}
	limits, err := t.rewriteLimits(what)
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
	groups, out := t.rewriteGroups(list, what, limits), Rewrote{}
	var failures []error
	for _, batch := range limits.batches(groups) {
		r, err := l.rewriteBatch(ctx, t, batch, what, limits.spec, parent, list, db)
		if err != nil && (!limits.partial || ctx.Err() != nil) {
			return Rewrote{}, err
		}
		if err != nil {
			failures = append(failures, err)
			for _, g := range batch {
				out.Failed += int64(len(g.files))
			}
			if int64(len(failures)) > limits.failedCommits {
				return Rewrote{}, fmt.Errorf("%d of the rewrite's commits failed: %w", len(failures), errors.Join(failures...))
			}
			continue
		}
		out.Files, out.Added, out.Bytes, out.RemovedDeletes = out.Files+r.Files, out.Added+r.Added, out.Bytes+r.Bytes, out.RemovedDeletes+r.RemovedDeletes
	}
	if limits.dangling {
		n, err := l.removeDangling(ctx, t)
		if err != nil {
			return Rewrote{}, err
		}
		out.RemovedDeletes += n
	}
	return out, nil
}

// batches are the groups by commit: all in one, or with partial progress in as many as are allowed.
func (l limits) batches(groups []rewriteGroup) [][]rewriteGroup {
	if len(groups) == 0 {
		return nil
	}
	if !l.partial {
		return [][]rewriteGroup{groups}
	}
	commits := int(min(l.commits, int64(len(groups))))
	n := (len(groups) + commits - 1) / commits
	return slices.Collect(slices.Chunk(groups, n))
}

// rewriteBatch rewrites groups in one commit.
func (l *Lakehouse) rewriteBatch(ctx context.Context, t *Table, groups []rewriteGroup, what Rewriting, spec iceberg.PartitionSpec, parent *table.Snapshot, list *fileList, db DB) (out Rewrote, err error) {
	c := newChange(nil)
	c.on(t)
	c.procedure = true
	c.operation = func(_, _ tally) table.Operation { return table.OpReplace }
	gone := map[string]bool{}
	for _, g := range groups {
		data, err := t.rewriteGroup(ctx, g, list, what.OrderBy, spec, db)
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
	for _, d := range list.deletes {
		if dangling(d, gone) {
			out.RemovedDeletes++
		}
	}
	out.Added = int64(len(c.data))
	c.remove = func(f iceberg.DataFile) bool { return gone[f.FilePath()] }
	c.check = l.unchanged(ctx, t, RowChanges{Where: never, Command: "rewrite"}, parent, list, gone)
	return out, l.commitChange(ctx, t, c)
}

// rewriteGroups picks the files that need to be rewritten, by partition, as Iceberg's planner does.
func (t *Table) rewriteGroups(list *fileList, what Rewriting, l limits) []rewriteGroup {
	byPartition := map[string]*rewriteGroup{}
	var order []string
	deletes := map[string][]iceberg.DataFile{}
	for _, d := range list.deletes {
		if path, one := deletesOne(d); one {
			deletes[path] = append(deletes[path], d)
		}
	}
	for _, f := range list.matching(t.meta.CurrentSchema(), t.meta, what.Where) {
		if what.Only != nil && !what.Only[f.FilePath()] && !what.Only[shownPath(f.FilePath())] {
			continue
		}
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
	left := l.most
	var packed []*rewriteGroup
	for _, key := range order {
		packed = append(packed, l.packed(byPartition[key])...)
	}
	for _, g := range packed {
		if !l.all && !l.worthwhile(g) {
			continue
		}
		if l.most > 0 {
			g.files = g.files[:min(left, int64(len(g.files)))]
			left -= int64(len(g.files))
		}
		if len(g.files) > 0 {
			out = append(out, *g)
		}
	}
	return out
}

// packed cuts a partition's files into groups of a size at most, but that one file may be larger.
func (l limits) packed(g *rewriteGroup) (out []*rewriteGroup) {
	size := int64(0)
	for _, f := range g.files {
		if n := len(out); n == 0 || size+f.FileSizeBytes() > l.group {
			out, size = append(out, &rewriteGroup{deletes: g.deletes}), 0
		}
		last := out[len(out)-1]
		last.files = append(last.files, f)
		size += f.FileSizeBytes()
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

func (t *Table) rewriteGroup(ctx context.Context, g rewriteGroup, list *fileList, orderBy string, spec iceberg.PartitionSpec, db DB) ([]iceberg.DataFile, error) {
	schema := t.meta.CurrentSchema()
	for _, f := range spec.Fields() {
		if _, there := schema.FindFieldByID(f.SourceID()); !there {
			return nil, errclass.IllegalArgument("Cannot build accessor for field: null")
		}
	}
	if err := fetch(ctx, g.files, list.deletes); err != nil {
		return nil, err
	}
	fields, to := schema.Fields(), t.meta.moved()
	if to.lineage {
		fields = append(fields, lineageFields()...)
	}
	query, err := t.scanFiles(schema, fields, g.files, list)
	if err != nil {
		return nil, err
	}
	to.by, to.spec = orderBy, spec
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
// the ranges' numbers are interleaved. Where many columns come together the ranges are fewer, so that the number is one of 127 bits.
func (t *Table) ZOrderedBy(columns [][]string) (string, error) {
	var terms []string
	fields, err := t.zorderable(columns)
	if err != nil {
		return "", err
	}
	fields = fields[:min(len(fields), zorderBits)]
	bits := min(8, zorderBits/len(fields))
	for i, f := range fields {
		rank := fmt.Sprintf("(ntile(%d) OVER (ORDER BY %s NULLS FIRST) - 1)", 1<<bits, columnSQL(t.meta.CurrentSchema(), f.ID))
		for b := range bits {
			terms = append(terms, fmt.Sprintf("CAST((%s >> %d) & 1 AS HUGEINT) << %d", rank, b, b*len(fields)+len(fields)-1-i))
		}
	}
	sum := ""
	for i, s := range terms {
		if i > 0 {
			sum += " + "
		}
		sum += "(" + s + ")"
	}
	return sum, nil
}

// zorderBits is how many bits a Z-order's number has: those of a HUGEINT but its sign.
const zorderBits = 127

// zorderable are the columns of a Z-order that are not the same in all of a partition.
func (t *Table) zorderable(columns [][]string) ([]iceberg.NestedField, error) {
	var out []iceberg.NestedField
	spec := t.meta.PartitionSpec()
	for _, path := range columns {
		f, err := findColumn(t.meta.CurrentSchema(), path)
		if err != nil {
			return nil, errclass.IllegalArgument(fmt.Sprintf("Cannot find column '%s' in table schema (case sensitive = false): %s", path[0], &iceberg.StructType{FieldList: t.meta.CurrentSchema().Fields()}))
		}
		if !slices.ContainsFunc(spec.FieldsBySourceID(f.ID), func(p iceberg.PartitionField) bool {
			_, identity := p.Transform.(iceberg.IdentityTransform)
			return identity
		}) {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, errclass.IllegalArgument("Cannot ZOrder, all columns provided were identity partition columns and cannot be used")
	}
	return out, nil
}

// qualified is the table's name with its catalog.
func (t *Table) qualified() string { return CatalogName + "." + t.id.String() }
