package engine

import (
	"cmp"
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
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
	files, err := s.allFiles(ctx, &t)
	if err != nil {
		return nil, err
	}
	if t.Format == "text" && len(t.Data) != 1 {
		return nil, errclass.TextSchema(len(t.Data))
	}
	if len(files) == 0 {
		return &sql.LocalRows{Schema: t.Schema()}, nil
	}
	schema := types.StructOf(t.Data...)
	r := &fileRead{Files: &sql.Files{Format: t.Format, Options: t.Options(), Schema: &schema}, session: s, options: newFileOptions(t.Format, t.Options()),
		partition: t.Keys, missing: existing(t, t.Data)}
	r.options.text("inferschema")
	r.options.text("compression") // of writing
	r.files, r.relist = files, func(ctx context.Context) ([]dataFile, error) { return s.allFiles(ctx, &t) }
	rel, err := formats[t.Format](ctx, r)
	if err != nil {
		return nil, err
	}
	return rel, r.options.unknown()
}

// tableFiles lists the files of a table's partitions, none of which are the engine's own.
func (s *Session) tableFiles(ctx context.Context, t *hive.Table, parts []metastore.Partition) ([]hive.File, error) {
	return s.scanHive(ctx, &t, func(context.Context) ([]metastore.Partition, error) { return parts, nil })
}

// allFiles lists the files of all of a table's partitions.
func (s *Session) allFiles(ctx context.Context, t **hive.Table) ([]dataFile, error) {
	files, err := s.scanHive(ctx, t, func(ctx context.Context) ([]metastore.Partition, error) { return s.engine.Hive.Partitions(ctx, *t) })
	out := make([]dataFile, len(files))
	for i, f := range files {
		values := make([]*string, len(f.Values))
		for j := range f.Values {
			if f.Values[j] != metastore.NullPartition {
				values[j] = &f.Values[j]
			}
		}
		out[i] = dataFile{path: f.Path, size: f.Size, modified: f.Modified, values: values}
	}
	return out, err
}

// scanHive lists the files of the partitions of t that choose picks, none of which are the engine's own. A table of the same columns that has
// taken its place meanwhile, as saveAsTable makes one, takes it in t.
func (s *Session) scanHive(ctx context.Context, t **hive.Table, choose func(context.Context) ([]metastore.Partition, error)) ([]hive.File, error) {
	files, err := s.engine.Hive.Scan(ctx, *t, choose)
	for range rereads {
		if !hive.IsNoTable(err) {
			break
		}
		now, lerr := s.loadHive(ctx, (*t).Database, (*t).Name)
		if lerr != nil || now.Format != (*t).Format || !now.Schema().Equal((*t).Schema()) || !maps.Equal(now.Options(), (*t).Options()) {
			return nil, errclass.FileVanished((*t).Location())
		}
		*t = now
		files, err = s.engine.Hive.Scan(ctx, now, choose)
	}
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
		for _, d := range t.Defaults() {
			w.nulls = w.nulls || d.Current != "" // else a NULL would be read as the default
		}
		w.options.text("inferschema")
		w.options.text("wholetext")
		if name := w.options.or("none", "compression"); !slices.Contains([]string{"none", "uncompressed"}, strings.ToLower(name)) {
			return nil, unknownCodec(t.Format, name)
		}
		write := map[string]func(context.Context, plan.Node, string) error{"csv": w.csv, "json": w.json, "text": w.text}[t.Format]
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
	from := []map[string]string{t.Storage.SerdeParams}
	if t.Provider == "hive" {
		from = append(from, t.Params)
	}
	for _, m := range from {
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
	return "", unknownCodec("parquet", name)
}

// codecs are the compressions that Spark has for a format's files, as its message lists them.
var codecs = map[string][]string{
	"parquet": {"brotli", "uncompressed", "lzo", "snappy", "lz4_raw", "none", "zstd", "lz4", "gzip"},
	"":        {"bzip2", "deflate", "uncompressed", "snappy", "none", "lz4", "gzip"}, // of lines
}

// unknownCodec refuses a compression: Spark does not have it, or we don't.
func unknownCodec(format, name string) error {
	known, ok := codecs[format]
	if !ok {
		known = codecs[""]
	}
	if slices.Contains(known, strings.ToLower(name)) {
		return errclass.UnsupportedOption(format, "compression = "+name)
	}
	return errclass.CodecNotAvailable(name, known...)
}
