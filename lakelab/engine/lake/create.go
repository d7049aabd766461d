package lake

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"strconv"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// CreateOptions of Create and CreateAs.
type CreateOptions struct {
	// Replace puts a new schema and new rows in the place of an existing table's; its history stays.
	Replace bool
	// IfNotExists leaves an existing table alone.
	IfNotExists  bool
	Properties   map[string]string
	Partitioning []PartitionField
	Order        []SortField // in which rows are written
	// Location is the table's folder; empty: one in the namespace's.
	Location string
	// Snapshot gives an empty table a first snapshot without rows, as Trino does.
	Snapshot bool
	// Write are the options with which CreateAs writes the rows.
	Write WriteOptions
}

// Create makes an empty table. It fails with ErrTableExists if there is one, unless an option says what to do then.
func (l *Lakehouse) Create(ctx context.Context, id Ident, schema types.Type, opts CreateOptions) error {
	_, err := l.create(ctx, id, schema, opts, contents{})
	return err
}

// CreateAs makes a table that holds a query's rows, or nothing at all if the query fails. It returns how many rows.
func (l *Lakehouse) CreateAs(ctx context.Context, id Ident, schema types.Type, opts CreateOptions, query string, db DB) (int64, error) {
	return l.create(ctx, id, schema, opts, contents{query: query, db: db})
}

// CreateOf makes a table of Parquet files that are there, where they lie, as AddFiles takes them in; nothing at all if one can't be read. It
// returns how many files have rows.
func (l *Lakehouse) CreateOf(ctx context.Context, id Ident, schema types.Type, opts CreateOptions, source []SourceFile) (files int64, err error) {
	_, err = l.create(ctx, id, schema, opts, contents{source: source, files: &files})
	return files, err
}

// contents is what a new table begins with.
type contents struct {
	query string // rows, if there is a db
	db    DB

	source []SourceFile // files that are there, if there is
	files  *int64       // a place to say how many of them the table has
}

// create builds the table against what is there now and, if somebody changes that meanwhile, once more from the start: then field
// ids may differ, and they are in the data files.
func (l *Lakehouse) create(ctx context.Context, id Ident, schema types.Type, opts CreateOptions, with contents) (int64, error) {
	if err := id.check(); err != nil {
		return 0, err
	}
	if err := l.writableAt(id); err != nil {
		return 0, err
	}
	for range 5 {
		base, err := l.load(ctx, id)
		if err != nil && !IsNoTable(err) {
			return 0, err
		}
		if base != nil && !opts.Replace {
			if opts.IfNotExists {
				return 0, nil
			}
			return 0, fmt.Errorf("%w: %s", ErrTableExists, id)
		}
		n, err := l.createOn(ctx, id, base, schema, opts, with)
		if !errors.Is(err, errMoved) {
			return n, err
		}
	}
	return 0, fmt.Errorf("%w: %s was changed by others all the time", ErrCommitFailed, id)
}

// errMoved says that the schema was built against a table that has changed since.
var errMoved = errors.New("the table has changed")

func (l *Lakehouse) createOn(ctx context.Context, id Ident, base *metadata, schema types.Type, opts CreateOptions, with contents) (int64, error) {
	var location string
	var reuse *iceberg.Schema
	last := 0
	switch folder, ok := l.folder(id); {
	case base != nil:
		location, last, reuse = base.Location(), base.LastColumnID(), base.CurrentSchema()
	case ok:
		location = folder
	case opts.Location == "":
		namespace, err := l.namespaceLocation(ctx, id.Namespace)
		if err == nil {
			location, err = l.ownFolder(ctx, id, namespace)
		}
		if err != nil {
			return 0, err
		}
	}
	if _, ok := l.folder(id); ok && opts.Location != "" && strings.TrimRight(opts.Location, "/") != location {
		return 0, errclass.IllegalArgument("Cannot set a custom location for a path-based table. Expected " + location + " but got " + opts.Location)
	}
	if opts.Location != "" {
		location = strings.TrimRight(opts.Location, "/")
	}
	if !reachable(location) {
		return 0, errclass.Unsupported("a table at " + location)
	}
	fields, err := assignIDs(schema, reuse, counter(last))
	if errors.Is(err, errUnknownType) {
		return 0, errclass.UnknownColumnType(schema)
	}
	if err != nil {
		return 0, err
	}
	ice := iceberg.NewSchema(0, fields...)
	spec, err := newSpec(opts.Partitioning, ice, base, 1)
	if err != nil {
		return 0, err
	}
	version, err := formatVersion(opts.Properties)
	if err != nil {
		return 0, err
	}
	props := newProperties(opts.Properties)
	if err := checkMetricsColumns(ice, props); err != nil {
		return 0, err
	}
	if err := checkRetries(props); err != nil {
		return 0, err
	}
	order, keys := table.UnsortedSortOrder, []table.SortField(nil)
	if len(opts.Order) > 0 {
		if keys, err = (&specChange{schema: ice}).sortFields(opts.Order); err != nil {
			return 0, err
		}
		if order, err = table.NewSortOrder(table.InitialSortOrderID, keys); err != nil {
			return 0, err
		}
	}
	if with.db != nil {
		if err := checkNumbers(props, "commit.manifest.min-count-to-merge", "commit.manifest.target-size-bytes"); err != nil {
			return 0, err
		}
	}
	var data []iceberg.DataFile
	switch {
	case with.db != nil:
		to := target{location: location, schema: ice, spec: *spec, order: order, props: props}
		opts.Write.change(&to)
		data, err = writeData(ctx, to, with.query, with.db)
	case with.files != nil:
		mapping := ice.NameMapping()
		props[nameMappingKey] = printMapping(mapping)
		data, err = sourceFiles(ctx, *spec, ice, props, mapping, with.source)
		*with.files = int64(len(data))
	}
	if err != nil {
		return 0, err
	}
	files := newChange(data)
	files.custom = opts.Write.Summary
	files.taken, files.procedure = with.files != nil, with.files != nil
	files.operation = func(added, _ tally) table.Operation {
		switch {
		case !opts.Replace:
			return table.OpAppend
		case added.dataFiles > 0:
			return table.OpOverwrite
		}
		return table.OpDelete // what Spark's overwrite with no rows comes to
	}
	fresh := uuid.New()
	err = l.commit(ctx, id, func(a *attempt) (*table.MetadataBuilder, error) {
		if a.base != nil && (a.base.TableUUID() == fresh || a.base.SnapshotByID(files.snapshot) != nil) {
			return nil, nil // an earlier attempt happened, whatever its answer was
		}
		if (a.base == nil) != (base == nil) || base != nil && (a.base.TableUUID() != base.TableUUID() || a.base.LastColumnID() != base.LastColumnID() ||
			!a.base.CurrentSchema().Equals(base.CurrentSchema()) || len(a.base.PartitionSpecs()) != len(base.PartitionSpecs())) {
			return nil, errMoved
		}
		b, err := newTable(a, fresh, version, ice, spec, location, props)
		if err == nil && len(keys) > 0 {
			err = setOrder(a, b, keys)
		}
		if err != nil || with.db == nil && len(data) == 0 && !opts.Snapshot {
			return b, err
		}
		if a.base != nil {
			version = max(version, a.base.Version())
		}
		return b, files.apply(ctx, l, a, b, location, version, nil)
	})
	if err != nil {
		err = l.failed(ctx, id, files, err)
	}
	if err != nil {
		return 0, err
	}
	return records(data), nil
}

// newTable builds the metadata of a table without a current snapshot: a new one's, with an id, or one that replaces the attempt's.
func newTable(a *attempt, id uuid.UUID, version int, schema *iceberg.Schema, spec *iceberg.PartitionSpec, location string, props iceberg.Properties) (*table.MetadataBuilder, error) {
	if a.base != nil {
		b, err := a.builder()
		if err != nil {
			return nil, err
		}
		steps := []func() error{
			func() error { return b.SetFormatVersion(max(version, a.base.Version())) },
			func() error { return b.AddSchema(schema) },
			func() error { return b.SetCurrentSchemaID(-1) },
			func() error { return b.AddPartitionSpec(spec, false) },
			func() error { return b.SetDefaultSpecID(-1) },
			func() error { return b.AddSortOrder(&table.UnsortedSortOrder) },
			func() error { return b.SetDefaultSortOrderID(-1) },
			func() error { return b.SetLoc(location) },
			func() error { return b.SetProperties(props) },
		}
		for name := range a.base.Refs() {
			if name == table.MainBranch {
				steps = append(steps, func() error { return b.RemoveSnapshotRef(table.MainBranch) })
			}
		}
		return b, each(steps)
	}
	b, err := table.NewMetadataBuilder(version)
	if err != nil {
		return nil, err
	}
	return b, each([]func() error{
		func() error { return b.SetUUID(id) },
		func() error { return b.AddSchema(schema) },
		func() error { return b.SetCurrentSchemaID(-1) },
		func() error { return b.AddSortOrder(&table.UnsortedSortOrder) },
		func() error { return b.SetDefaultSortOrderID(-1) },
		func() error { return b.AddPartitionSpec(spec, true) },
		func() error { return b.SetDefaultSpecID(-1) },
		func() error { return b.SetLoc(location) },
		func() error { return b.SetProperties(props) },
	})
}

// formatVersion is the format version that a new table's properties ask for.
func formatVersion(given map[string]string) (int, error) {
	v, ok := given["format-version"]
	if !ok {
		return defaultVersion, nil
	}
	n, err := strconv.Atoi(v)
	switch {
	case err != nil:
		return 0, errclass.NumberFormat(v)
	case n < 1 || n > 4:
		return 0, errclass.IllegalArgument(fmt.Sprintf("Unsupported format version: v%d (supported: v4)", n))
	case n != 2 && n != 3:
		return 0, errclass.Unsupported("tables of format version " + v)
	}
	return n, nil
}

// newProperties are a new table's properties: those given, and those that Spark's catalog adds.
func newProperties(given map[string]string) iceberg.Properties {
	props := iceberg.Properties{"write.parquet.compression-codec": "zstd"}
	if u, err := user.Current(); err == nil {
		props["owner"] = u.Username
	}
	for k, v := range given {
		if k != "format-version" {
			props[k] = v
		}
	}
	return props
}

// defaultVersion is the format version of new tables.
const defaultVersion = 2

func each(steps []func() error) error {
	for _, s := range steps {
		if err := s(); err != nil {
			return err
		}
	}
	return nil
}

func records(files []iceberg.DataFile) (n int64) {
	for _, f := range files {
		n += f.Count()
	}
	return n
}

// Append adds a query's rows to a table, column by column in the order of the table as it was loaded. It returns how many rows.
// Rows that others add meanwhile stay; a column that others drop or change meanwhile makes it fail.
func (l *Lakehouse) Append(ctx context.Context, t *Table, query string, db DB) (int64, error) {
	if err := l.checkWritable(t.meta); err != nil {
		return 0, err
	}
	data, err := writeData(ctx, t.target(), query, db)
	if err != nil {
		return 0, err
	}
	return records(data), l.appendData(ctx, t, data)
}

// AppendSome is Append, but that nothing is committed if the query has no rows, as Trino has it.
func (l *Lakehouse) AppendSome(ctx context.Context, t *Table, query string, db DB) (int64, error) {
	if err := l.checkWritable(t.meta); err != nil {
		return 0, err
	}
	data, err := writeData(ctx, t.target(), query, db)
	if err != nil || records(data) == 0 {
		return 0, err
	}
	return records(data), l.appendData(ctx, t, data)
}

func (l *Lakehouse) appendData(ctx context.Context, t *Table, data []iceberg.DataFile) error {
	c := newChange(data)
	c.on(t)
	return l.commitChange(ctx, t, c)
}

// readableAs reports whether rows written under one schema obey another: fields may have been added, but those there are have the
// same types, and no field has become required.
func readableAs(written, now *iceberg.Schema) bool {
	if written.Equals(now) {
		return true
	}
	for _, f := range now.Fields() {
		w, ok := written.FindFieldByID(f.ID)
		if !ok && f.Required || ok && !(w.Type.Equals(f.Type) && (w.Required || !f.Required)) {
			return false
		}
	}
	return true
}

// writable says why no table of the catalog can be changed, before anything is written for it: its database can only be read.
func (l *Lakehouse) writable() error {
	if l.rest != nil || l.hadoop {
		return nil
	}
	if err := l.db.Writable(); err != nil {
		return fmt.Errorf("the lakehouse is read-only: %w", err)
	}
	return nil
}

// writableAt is writable for the table of a name, unless that is a path, of which the catalog's database knows nothing.
func (l *Lakehouse) writableAt(id Ident) error {
	if _, path := l.folder(id); path {
		return nil
	}
	return l.writable()
}

// checkWritable refuses, by name, the tables that this engine reads but can't write.
func (l *Lakehouse) checkWritable(m *metadata) error {
	if err := l.writable(); err != nil {
		return err
	}
	props := m.Properties()
	switch {
	case m.Version() != 2 && m.Version() != 3:
		return errclass.Unsupported(fmt.Sprintf("writing to a table of format version %d", m.Version()))
	case !strings.EqualFold(props.Get("write.format.default", "parquet"), "parquet"):
		return errclass.Unsupported("writing data files of format " + props["write.format.default"])
	}
	return l.checkPlace(m)
}
