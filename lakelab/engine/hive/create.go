package hive

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/types"
)

// ddlTimeKey is when Hive last changed a table or partition.
const ddlTimeKey = "transient_lastDdlTime"

// SparkVersion is the version whose catalog this one is like; tables carry it.
const SparkVersion = "4.0.1"

// NewTable is a table to make.
type NewTable struct {
	Database, Name string
	Provider       string // parquet, csv, json, text, or hive
	Location       string // a path; empty: a managed table
	Data, Keys     []types.Field
	Params         map[string]string
	Options        map[string]string  // of the format
	Defaults       map[string]Default // of columns, by their names in lower case
	Storage        *metastore.Storage // formats given by class names; nil: the provider's
}

// otherFormat stands for the formats that Hive itself could not read.
const otherFormat = "other"

// formats are the classes that stand for a provider's files in the metastore.
var formats = map[string]metastore.Storage{
	"parquet": parquetFormat, "hive": parquetFormat,
	otherFormat: {InputFormat: "org.apache.hadoop.mapred.SequenceFileInputFormat", OutputFormat: "org.apache.hadoop.hive.ql.io.HiveSequenceFileOutputFormat",
		Serde: "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe"},
}

var parquetFormat = metastore.Storage{InputFormat: "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
	OutputFormat: "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat", Serde: ParquetSerde}

// ParquetSerde is Hive's SerDe for Parquet files.
const ParquetSerde = "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"

// ManagedLocation is the folder that a managed table of that name gets. metastore.ErrNoDatabase.
func (w *Warehouse) ManagedLocation(ctx context.Context, database, name string) (string, error) {
	db, err := w.Store.Database(ctx, database)
	if err != nil {
		return "", err
	}
	return filepath.Join(Path(db.Location), strings.ToLower(name)), nil
}

// DatabaseLocation is the folder of a database that is made without one.
func (w *Warehouse) DatabaseLocation(name string) string {
	return filepath.Join(w.Dir(), strings.ToLower(name)+".db")
}

// Create makes a table. metastore.ErrNoDatabase, metastore.ErrTableExists; a LocationError if a managed table's folder is not its own: another
// table, a partition or a database lies there.
func (w *Warehouse) Create(ctx context.Context, n NewTable) (*Table, error) {
	t, err := w.entry(ctx, n)
	if err != nil {
		return nil, err
	}
	return t, w.creating(ctx, t, func() error { return w.Store.CreateTable(ctx, t.Table) })
}

// creating makes a new table's entry when no unfinished change moves files at its place any more.
func (w *Warehouse) creating(ctx context.Context, t *Table, do func() error) error {
	for range tries {
		err := do()
		switch {
		case errors.Is(err, metastore.ErrLocation):
			return &LocationError{t.Location()}
		case !errors.Is(err, metastore.ErrOutrun):
			return err
		}
		if err := w.settleAt(ctx, t.Location()); err != nil {
			return err
		}
	}
	return metastore.ErrOutrun
}

// entry is what a new table has in the metastore.
func (w *Warehouse) entry(ctx context.Context, n NewTable) (*Table, error) {
	m := &metastore.Table{Database: n.Database, Name: n.Name, Type: metastore.External, Owner: Owner(), Columns: columns(n.Data), PartitionKeys: columns(n.Keys),
		Params: map[string]string{versionKey: SparkVersion, ddlTimeKey: now()}}
	maps.Copy(m.Params, n.Params)
	if err := keepDefaults(m.Params, n.Defaults); err != nil {
		return nil, err
	}
	location := n.Location
	if location == "" {
		m.Type = metastore.Managed
		var err error
		if location, err = w.ManagedLocation(ctx, n.Database, n.Name); err != nil {
			return nil, err
		}
	} else {
		m.Params["EXTERNAL"] = "TRUE"
	}
	if n.Storage != nil {
		m.Storage = *n.Storage
	} else if s, ok := formats[strings.ToLower(n.Provider)]; ok {
		m.Storage = s
	} else {
		m.Storage = formats[otherFormat]
	}
	if err := Fits(location); err != nil {
		return nil, err
	}
	if err := w.settleAt(ctx, location); err != nil { // a table that was dropped, in whose place it is
		return nil, err
	}
	m.Storage.SerdeParams = map[string]string{"serialization.format": "1"}
	maps.Copy(m.Storage.SerdeParams, n.Options)
	m.Storage.Location = URI(location)
	if n.Provider != "hive" {
		m.Params[providerKey] = n.Provider
		m.Storage.SerdeParams["path"] = URI(location)
	}
	return typed(m)
}
