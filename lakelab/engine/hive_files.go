package engine

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Tables of CSV and JSON files are read and written as such files are, with the table's columns and options.

// openHive makes the relation of a table of CSV or JSON files.
func (s *Session) openHive(ctx context.Context, t *hive.Table) (sql.Relation, error) {
	parts, err := s.engine.Hive.Partitions(ctx, t)
	if err != nil {
		return nil, err
	}
	files, err := s.tableFiles(ctx, t, parts)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return &sql.LocalRows{Schema: t.Schema()}, nil
	}
	schema := types.StructOf(t.Data...)
	r := &fileRead{Files: &sql.Files{Format: t.Format, Options: t.Options(), Schema: &schema}, session: s, options: newFileOptions(t.Format, t.Options()),
		partition: t.Keys}
	r.options.text("inferschema")
	r.options.text("compression") // of writing
	for _, f := range files {
		values := make([]*string, len(f.Values))
		for i := range f.Values {
			if f.Values[i] != metastore.NullPartition {
				values[i] = &f.Values[i]
			}
		}
		r.files = append(r.files, dataFile{path: f.Path, size: f.Size, modified: f.Modified, values: values})
	}
	rel, err := formats[t.Format](ctx, r)
	if err != nil {
		return nil, err
	}
	return rel, r.options.unknown()
}

// tableFiles lists the files of a table's partitions, none of which are the engine's own.
func (s *Session) tableFiles(ctx context.Context, t *hive.Table, parts []metastore.Partition) ([]hive.File, error) {
	files, err := s.engine.Hive.Files(ctx, t, parts)
	for _, f := range files {
		if s.internal(cmp.Or(f.Real, f.Path)) {
			return nil, errclass.PathSecret(f.Path)
		}
	}
	return files, err
}

// lineProducer writes a plan's rows, the table's columns in their order, as CSV or JSON files.
func (s *Session) lineProducer(t *hive.Table, n plan.Node) hive.Producer {
	return func(ctx context.Context, dir string) ([]hive.Written, error) {
		query, err := s.copySQL(ctx, n)
		if err != nil {
			return nil, err
		}
		source := &sql.Opened{Source: &querySource{schema: SchemaOf(n), query: query}}
		save := &sql.SaveFiles{Format: t.Format, Query: &sql.Query{Body: &sql.Select{Items: []sql.Expr{&sql.Star{}}, From: []sql.Relation{source}}}}
		for _, k := range t.Keys {
			save.PartitionBy = append(save.PartitionBy, k.Name)
		}
		rows, err := s.Plan(ctx, source)
		if err != nil {
			return nil, err
		}
		w := &fileWrite{SaveFiles: save, session: s, options: newFileOptions(t.Format, t.Options())}
		w.options.text("inferschema")
		write := w.csv
		if t.Format == "json" {
			write = w.json
		}
		if err := write(ctx, rows, dir); err != nil {
			return nil, err
		}
		if err := w.options.unknown(); err != nil {
			return nil, err
		}
		return linesWritten(dir, len(t.Keys) > 0)
	}
}

// linesWritten finds the files that were written below a folder.
func linesWritten(dir string, partitioned bool) ([]hive.Written, error) {
	var out []hive.Written
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f := hive.Written{Path: p, Name: d.Name()}
		if partitioned {
			rel, err := filepath.Rel(dir, filepath.Dir(p))
			if err != nil {
				return err
			}
			f.Values = metastore.ValuesOf(filepath.ToSlash(rel))
		}
		out = append(out, f)
		return nil
	})
	return out, err
}

// codec is the compression of a Parquet table's files: that of its options or properties.
func codec(t *hive.Table) (string, error) {
	name := "snappy"
	for _, m := range []map[string]string{t.Params, t.Storage.SerdeParams} {
		for k, v := range m {
			if strings.EqualFold(k, "compression") || strings.EqualFold(k, "parquet.compression") {
				name = strings.ToLower(v)
			}
		}
	}
	switch name {
	case "snappy", "gzip", "zstd", "brotli", "lz4":
		return name, nil
	case "none", "uncompressed":
		return "uncompressed", nil
	}
	return "", errclass.UnsupportedOption("parquet", "compression = "+name)
}
