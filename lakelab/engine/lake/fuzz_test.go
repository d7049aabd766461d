package lake

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/puffin"
	"github.com/apache/iceberg-go/table"
	"github.com/apache/iceberg-go/table/dv"
)

// The readers that this package adds to iceberg-go's and DuckDB's, on whatever bytes: they may fail, but not panic, nor take memory that the
// input does not have.

// emptyTable is the metadata of a table without rows.
const emptyTable = `{"format-version":2,"table-uuid":"9c12d441-03fe-4693-9a96-a0705ddf69c1","location":"/t","last-sequence-number":0,"last-updated-ms":1,"last-column-id":1,` +
	`"current-schema-id":0,"schemas":[{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"k","required":false,"type":"long"}]}],"default-spec-id":0,` +
	`"partition-specs":[{"spec-id":0,"fields":[]}],"last-partition-id":999,"default-sort-order-id":0,"sort-orders":[{"order-id":0,"fields":[]}]}`

// FuzzMetadata reads metadata files.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte(emptyTable))
	f.Add([]byte(`{"format-version":3,"next-row-id":-1}`))
	f.Add([]byte("\x1f\x8b\x08"))
	path := filepath.Join(f.TempDir(), "v1.metadata.json")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := newCache().metadata(t.Context(), path)
		if err != nil {
			return
		}
		whole := &Table{meta: m, lake: &Lakehouse{cache: newCache()}}
		whole.hidden()
		m.types(m.CurrentSchema())
		_ = whole.Properties()
	})
}

// FuzzVector reads deletion vectors and makes relations of them.
func FuzzVector(f *testing.F) {
	bitmap := dv.NewRoaringPositionBitmap()
	bitmap.SetRange(3, 5000)
	bitmap.Set(1 << 33)
	blob, err := dv.SerializeDV(bitmap)
	if err != nil {
		f.Fatal(err)
	}
	var file bytes.Buffer
	w, err := puffin.NewWriter(&file)
	if err == nil {
		_, err = w.AddBlob(puffin.BlobMetadataInput{Type: puffin.BlobTypeDeletionVector, SnapshotID: -1, SequenceNumber: -1, Fields: []int32{},
			Properties: map[string]string{"cardinality": "4998", "referenced-data-file": "/t/a.parquet"}}, blob)
	}
	if err == nil {
		err = w.Finish()
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes(), int64(4), int64(len(blob)), int64(4998))
	f.Add(file.Bytes()[:len(file.Bytes())-5], int64(4), int64(1<<40), int64(1))
	path := filepath.Join(f.TempDir(), "d.puffin")
	f.Fuzz(func(t *testing.T, b []byte, offset, size, count int64) {
		if count < 0 {
			return
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		builder, err := iceberg.NewDataFileBuilder(*iceberg.UnpartitionedSpec, iceberg.EntryContentPosDeletes, path, iceberg.PuffinFile, nil, nil, nil, count, int64(len(b)))
		if err != nil {
			return
		}
		_, _ = vectorsSQL([]iceberg.DataFile{builder.ReferencedDataFile("/t/a.parquet").ContentOffset(offset).ContentSizeInBytes(size).Build()})
	})
}

// FuzzFooter reads the footers of Parquet files.
func FuzzFooter(f *testing.F) {
	schema := iceberg.NewSchema(0, iceberg.NestedField{ID: 1, Name: "k", Type: iceberg.PrimitiveTypes.Int64}, iceberg.NestedField{ID: 2, Name: "v", Type: iceberg.PrimitiveTypes.String})
	seed, err := os.ReadFile(filepath.Join("testdata", "seed.parquet"))
	if err == nil {
		f.Add(seed)
	}
	f.Add([]byte("PAR1\x15\x04\x19\x2c\x48\x04root\x15\x02\x00\x15\x04\x25\x02\x18\x01k\x00\x16\x00\x19\x0c\x00\x1c\x00\x00\x00PAR1"))
	path := filepath.Join(f.TempDir(), "a.parquet")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_, _ = readFooter(path, schema, schema.NameMapping(), func(int) metricsMode { return defaultMetrics })
		_, _ = newCache().layout(path, schema.NameMapping())
	})
}

// FuzzManifest reads manifests.
func FuzzManifest(f *testing.F) {
	c := newChange(nil)
	path := filepath.Join(f.TempDir(), "m.avro")
	schema := iceberg.NewSchema(0, iceberg.NestedField{ID: 1, Name: "k", Type: iceberg.PrimitiveTypes.Int64})
	m, err := c.manifest(path, 2, *iceberg.UnpartitionedSpec, schema, iceberg.ManifestContentData, func(w *iceberg.ManifestWriter) error {
		b, err := iceberg.NewDataFileBuilder(*iceberg.UnpartitionedSpec, iceberg.EntryContentData, "/t/a.parquet", iceberg.ParquetFile, nil, nil, nil, 1, 1)
		if err != nil {
			return err
		}
		return w.Add(iceberg.NewManifestEntry(iceberg.EntryStatusADDED, &c.snapshot, nil, nil, b.Build()))
	})
	if err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_, _ = entriesOf(m)
	})
}

// FuzzHiveValue reads partition values from folders' names, and name mappings as they are printed.
func FuzzHiveValue(f *testing.F) {
	f.Add("2024-02-30", "names")
	f.Add("__HIVE_DEFAULT_PARTITION__", "a\"\\\n")
	f.Add("99999999999999999999", "")
	all := []iceberg.Type{iceberg.PrimitiveTypes.Bool, iceberg.PrimitiveTypes.Int32, iceberg.PrimitiveTypes.Int64, iceberg.PrimitiveTypes.Float64, iceberg.PrimitiveTypes.Date,
		iceberg.PrimitiveTypes.String, iceberg.PrimitiveTypes.Binary, iceberg.PrimitiveTypes.UUID, iceberg.DecimalTypeOf(9, 2), iceberg.PrimitiveTypes.Timestamp}
	f.Fuzz(func(t *testing.T, value, name string) {
		for _, typ := range all {
			_, _ = hiveValue(typ, value)
		}
		id := 1
		text := printMapping(iceberg.NameMapping{{FieldID: &id, Names: []string{name}, Fields: []iceberg.MappedField{{Names: []string{value}}}}})
		if !json.Valid([]byte(text)) {
			t.Errorf("%q is not JSON", text)
		}
	})
}

// FuzzMapping reads name mappings from tables' properties, changes them with the schema, and reads a file by them.
func FuzzMapping(f *testing.F) {
	f.Add(`[{"field-id":1,"names":["k","id"]},{"field-id":2,"names":["v"],"fields":[{"field-id":3,"names":["element"]}]}]`)
	f.Add(`[{"names":[]}]`)
	f.Add(`[{"field-id":1,"names":["k"]},{"field-id":1,"names":["k"]}]`)
	before := iceberg.NewSchema(0, iceberg.NestedField{ID: 1, Name: "k", Type: iceberg.PrimitiveTypes.Int64}, iceberg.NestedField{ID: 2, Name: "v", Type: iceberg.PrimitiveTypes.String})
	after := iceberg.NewSchema(1, iceberg.NestedField{ID: 1, Name: "key", Type: iceberg.PrimitiveTypes.Int64}, iceberg.NestedField{ID: 4, Name: "w", Type: iceberg.PrimitiveTypes.Date})
	seed := filepath.Join("testdata", "seed.parquet")
	f.Fuzz(func(t *testing.T, text string) {
		quoted, err := json.Marshal(text)
		if err != nil {
			return
		}
		m, err := table.ParseMetadataString(strings.Replace(emptyTable, "{", `{"properties":{"`+nameMappingKey+`":`+string(quoted)+"},", 1))
		if err != nil {
			return
		}
		mapping := m.NameMapping()
		_, _ = newCache().layout(seed, mapping)
		_, _ = readFooter(seed, before, mapping, func(int) metricsMode { return defaultMetrics })
		if mapping, err = evolved(mapping, before, after); err == nil && !json.Valid([]byte(printMapping(mapping))) {
			t.Errorf("%q is not JSON", printMapping(mapping))
		}
	})
}

// FuzzView reads the metadata files of views.
func FuzzView(f *testing.F) {
	f.Add([]byte(`{"view-uuid":"9c12d441-03fe-4693-9a96-a0705ddf69c1","format-version":1,"location":"/v","schemas":[{"type":"struct","schema-id":0,"fields":[{"id":0,"name":"k",` +
		`"required":false,"type":"long"}]}],"current-version-id":1,"versions":[{"version-id":1,"schema-id":0,"timestamp-ms":1,"summary":{},"default-namespace":["d"],` +
		`"representations":[{"type":"sql","sql":"SELECT 1","dialect":"spark"}]}],"version-log":[{"version-id":1,"timestamp-ms":1}],"properties":{"a":"b"}}`))
	f.Add([]byte(`{"current-version-id":7,"versions":[]}`))
	path := filepath.Join(f.TempDir(), "v.metadata.json")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		if m, err := readViewMetadata(t.Context(), path); err == nil {
			_ = viewOf(Ident{}, m, path)
		}
	})
}

// FuzzVersionHint finds the current state of a table without a catalog, whatever its hint says and its files are called.
func FuzzVersionHint(f *testing.F) {
	f.Add("2\n", "v3.metadata.json")
	f.Add("-1", "v99999999999999999999.metadata.json")
	f.Add("9223372036854775807", "v9223372036854775807.metadata.json")
	f.Add("", "v1.gz.metadata.json")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, hint, file string) {
		if checkName(file) != nil {
			return
		}
		folder := filepath.Join(dir, "t")
		metadata := filepath.Join(folder, "metadata")
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(metadata, 0o755), os.WriteFile(filepath.Join(metadata, versionHint), []byte(hint), 0o644),
			os.WriteFile(filepath.Join(metadata, "v7.metadata.json"), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
		if os.WriteFile(filepath.Join(metadata, file), nil, 0o644) != nil { // no name of a file
			return
		}
		location, version, err := folderVersion(t.Context(), folder)
		if _, serr := os.Stat(location); err != nil || serr != nil || version < 0 {
			t.Errorf("hint %q beside %q: %s, %d, %v", hint, file, location, version, err)
		}
	})
}

// FuzzManifestList reads the lists of snapshots' manifests.
func FuzzManifestList(f *testing.F) {
	path := filepath.Join(f.TempDir(), "snap-1.avro")
	m := iceberg.NewManifestFile(2, "/t/m.avro", 100, 0, 1).AddedFiles(1).Build()
	sequence := int64(1)
	var list bytes.Buffer
	if err := iceberg.WriteManifestList(2, &list, 1, nil, &sequence, 0, []iceberg.ManifestFile{m}); err != nil {
		f.Fatal(err)
	}
	f.Add(list.Bytes())
	f.Add(list.Bytes()[:list.Len()/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		_, _ = newCache().manifests(&table.Snapshot{SnapshotID: 1, ManifestList: path})
	})
}

// FuzzMovedMetadata writes metadata files anew with other paths.
func FuzzMovedMetadata(f *testing.F) {
	f.Add([]byte(emptyTable))
	f.Add([]byte(`{"location":"/t","properties":{"write.data.path":"/t"},"snapshots":[{"manifest-list":"/t/a"},null,1],"metadata-log":[{"metadata-file":"/u"}],"statistics":{}}`))
	f.Add([]byte(`{"location":7,"properties":[],"snapshots":{"a":[]}}`))
	dir := f.TempDir()
	path := filepath.Join(dir, "v1.metadata.json")
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		staging := filepath.Join(dir, "staging")
		if err := os.RemoveAll(staging); err != nil {
			t.Fatal(err)
		}
		r := &pathRewrite{PathRewriting: PathRewriting{Source: dir + "/", Target: "/u/", Staging: staging + "/"}, plan: map[string]string{}}
		if err := r.version(t.Context(), path); err == nil && r.plan[staging+"/v1.metadata.json"] != "/u/v1.metadata.json" {
			t.Error(r.plan)
		}
	})
}
