package lake

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/types"
)

// metadata is one metadata file, read. It never changes, so it is shared between tables and kept.
type metadata struct {
	table.Metadata
	location string
	key      string // of the cache: see metadataKey
	// snapshots are their texts in the file, by id, if this process wrote it.
	snapshots map[int64][]byte

	mu      sync.Mutex
	structs map[int]types.Type // schemas as Spark's types, by schema id
	list    []table.Snapshot   // what Snapshots gives, once it was asked for
	schemas []*iceberg.Schema  // what Schemas gives, once it was asked for
}

// Schemas are all that the table had, not to be changed: as with Snapshots, iceberg-go copies them for everybody who asks, and scans and
// conditions ask for each of their columns.
func (m *metadata) Schemas() []*iceberg.Schema {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.schemas == nil {
		m.schemas = m.Metadata.Schemas()
	}
	return m.schemas
}

// Snapshots are the table's, not to be changed: of iceberg-go's own everybody who asks gets a copy, which a table of many commits would make
// of all its snapshots at each further one.
func (m *metadata) Snapshots() []table.Snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.list == nil {
		var ok bool
		if _, m.list, ok = withoutSnapshots(m.Metadata); !ok {
			m.list = m.Metadata.Snapshots()
		}
	}
	return m.list
}

// types is a schema of this metadata as a Spark struct.
func (m *metadata) types(s *iceberg.Schema) types.Type {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.structs[s.ID]
	if !ok {
		t = structOf(s.Fields())
		m.structs[s.ID] = t
	}
	return t
}

// schemaOf is a schema by its id; nil if there is none.
func (m *metadata) schemaOf(id int) *iceberg.Schema {
	for _, s := range m.Schemas() {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// metadata reads a metadata file.
func (c *cache) metadata(ctx context.Context, location string) (*metadata, error) {
	key := metadataKey(location)
	return c.files.get(key, func() (*metadata, error) {
		b, err := readMetadataFile(ctx, location)
		if err != nil {
			return nil, fmt.Errorf("read the table's metadata: %w", err)
		}
		m, err := guarded(location, func() (table.Metadata, error) {
			if err := checkDepth(b); err != nil {
				return nil, err
			}
			m, err := table.ParseMetadataBytes(b)
			if err == nil {
				err = checkMetadata(m)
			}
			return m, err
		})
		if err != nil {
			return nil, fmt.Errorf("read the table's metadata %s: %w", location, err)
		}
		return &metadata{Metadata: m, location: location, key: key, structs: map[int]types.Type{}}, nil
	})
}

// metadataKey is the key under which a metadata file is kept: its location, and for a numbered one, whose name comes back when a table is
// dropped and made anew, which file it is.
func metadataKey(location string) string {
	if !versionFile.MatchString(filepath.Base(location)) {
		return location
	}
	if s, ok := onRemote(location); ok { // such tables are only read there
		s.Forget(location)
		return location + "\x00" + uuid.NewString()
	}
	info, err := os.Stat(localPath(location))
	if err != nil {
		return location // the reader says so
	}
	key := fmt.Sprintf("%s\x00%d %d", location, info.ModTime().UnixNano(), info.Size())
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		key += fmt.Sprintf(" %d", st.Ino)
	}
	return key
}

// dropOldMetadata deletes the metadata files that a commit took out of the table's log, if the table asks for it
// (write.metadata.delete-after-commit.enabled).
func (l *Lakehouse) dropOldMetadata(ctx context.Context, before *metadata, now table.Metadata) {
	if before == nil || now.Properties().Get("write.metadata.delete-after-commit.enabled", "false") != "true" {
		return
	}
	kept := map[string]bool{}
	for f := range now.PreviousFiles() {
		kept[f.MetadataFile] = true
	}
	var gone []string
	for f := range before.PreviousFiles() {
		if !kept[f.MetadataFile] {
			gone = append(gone, f.MetadataFile)
		}
	}
	if gone, err := l.own(ctx, before, gone); err == nil { // what is left is found by the removal of orphans
		removeAll(gone)
	}
}

// keep stores metadata that has just been written, so that it need not be read back, in the place of what it was made of (nil: of nothing).
func (c *cache) keep(location string, m table.Metadata, snapshots map[int64][]byte, base *metadata) {
	if base != nil {
		c.files.drop(base.key)
		c.supersede(base, m)
	}
	key := metadataKey(location)
	c.files.put(key, &metadata{Metadata: m, location: location, key: key, structs: map[int]types.Type{}, snapshots: snapshots})
}

// The ends of metadata files' names; Java tells by them whether a file is compressed.
const (
	metadataExtension = ".metadata.json"
	gzipExtension     = ".gz.metadata.json"
)

// compressed reports whether metadata files are (write.metadata.compression-codec).
func compressed(props iceberg.Properties) bool {
	return strings.EqualFold(props.Get("write.metadata.compression-codec", "none"), "gzip")
}

// extensionOf is the end of the name of a table's metadata file.
func extensionOf(props iceberg.Properties) string {
	if compressed(props) {
		return gzipExtension
	}
	return metadataExtension
}

// packed is a metadata file's text as the table's properties ask for it.
func packed(text []byte, props iceberg.Properties) ([]byte, error) {
	if !compressed(props) {
		return text, nil
	}
	return gzipped(text)
}

func gzipped(text []byte) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(text)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

// nextMetadataFile is the path of the metadata file that follows previous ("" for a new table's first), named as Java names it.
func nextMetadataFile(location, previous, extension string) string {
	version := 0
	if previous != "" {
		if n, _, ok := strings.Cut(filepath.Base(previous), "-"); ok {
			if v, err := strconv.Atoi(n); err == nil {
				version = v + 1
			}
		}
	}
	return join(location, "metadata", fmt.Sprintf("%05d-%s%s", version, uuid.NewString(), extension))
}
