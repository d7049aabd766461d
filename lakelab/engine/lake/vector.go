package lake

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"github.com/apache/iceberg-go"
	icebergio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table/dv"
	"github.com/google/uuid"
)

// Deletion vectors (format v3): the positions of a data file's deleted rows as a roaring bitmap, in a blob of a Puffin file. A data file
// has one at most, so that new deletes are written together with the earlier ones.

// vectorChunk is how many positions go into one row of the relation that hands a vector to DuckDB.
const vectorChunk = 1 << 16

// listedPositions is up to how many positions of a chunk are listed as numbers; more are handed over as bits, which is shorter then.
const listedPositions = 1500

// vectorsSQL is a query of the positions in deletion vectors: path and pos.
func vectorsSQL(vectors []iceberg.DataFile) (string, error) {
	var listed, bits []string
	for _, v := range vectors {
		bitmap, err := readVector(v)
		if err != nil {
			return "", err
		}
		path := text(localPath(*v.ReferencedDataFile()))
		chunk, positions := uint64(0), []uint64(nil)
		flush := func() {
			switch {
			case len(positions) == 0:
			case len(positions) <= listedPositions:
				list := strings.Trim(fmt.Sprint(positions), "[]")
				listed = append(listed, fmt.Sprintf("(%s, [%s]::BIGINT[])", path, strings.ReplaceAll(list, " ", ", ")))
			default:
				bits = append(bits, fmt.Sprintf("(%s, %d, from_base64('%s')::BIT)", path, chunk*vectorChunk, chunkBits(positions)))
			}
			positions = positions[:0]
		}
		for p := range bitmap.Positions() {
			if c := p / vectorChunk; c != chunk {
				flush()
				chunk = c
			}
			positions = append(positions, p)
		}
		flush()
	}
	var parts []string
	if len(listed) > 0 {
		parts = append(parts, "SELECT path, unnest(list) AS pos FROM (VALUES "+strings.Join(listed, ", ")+") AS v(path, list)")
	}
	if len(bits) > 0 {
		parts = append(parts, fmt.Sprintf("SELECT v.path, v.first + r.i AS pos FROM (VALUES %s) AS v(path, first, bits), range(%d) AS r(i) WHERE get_bit(v.bits, r.i::INTEGER) = 1",
			strings.Join(bits, ", "), vectorChunk))
	}
	if len(parts) == 0 {
		return "SELECT '' AS path, 0::BIGINT AS pos WHERE false", nil
	}
	return strings.Join(parts, " UNION ALL "), nil
}

// chunkBits are positions of one chunk as bits in base64.
func chunkBits(positions []uint64) string {
	b := make([]byte, vectorChunk/8)
	for _, p := range positions {
		p %= vectorChunk
		b[p/8] |= 0x80 >> (p % 8)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// readVector reads a deletion vector.
func readVector(f iceberg.DataFile) (*dv.RoaringPositionBitmap, error) {
	b, err := guarded(f.FilePath(), func() (*dv.RoaringPositionBitmap, error) { return dv.ReadDV(localFS{}, f) })
	if err != nil {
		return nil, fmt.Errorf("read the deletion vector in %s: %w", f.FilePath(), err)
	}
	return b, nil
}

// writeFS is a file system to which iceberg-go writes.
type writeFS struct{ localFS }

func (writeFS) Create(name string) (icebergio.FileWriter, error) { return os.Create(localPath(name)) }

func (writeFS) WriteFile(name string, content []byte) error {
	return writeFile(name, func(b *bytes.Buffer) error {
		_, err := b.Write(content)
		return err
	})
}

// vectorWriter collects the deleted positions of data files; one Puffin file takes them all.
type vectorWriter struct {
	t *Table
	w *dv.DVWriter
}

func (t *Table) newVectors() *vectorWriter {
	return &vectorWriter{t, dv.NewDVWriter(writeFS{}, func(id int32) *iceberg.PartitionSpec { return t.meta.PartitionSpecByID(int(id)) })}
}

// add marks rows of a data file as deleted; query yields their positions. earlier are the deletes that the new vector takes the place of.
func (v *vectorWriter) add(ctx context.Context, f iceberg.DataFile, query string, earlier []iceberg.DataFile, db DB) error {
	var files []iceberg.DataFile
	for _, d := range earlier {
		if !isVector(d) {
			files = append(files, d)
			continue
		}
		bitmap, err := readVector(d)
		if err != nil {
			return err
		}
		v.w.Load(f.FilePath(), bitmap, f.SpecID(), f.Partition())
	}
	if len(files) > 0 {
		query += " UNION ALL " + positionsOf(files, f)
	}
	_, rows, err := db.Query(ctx, "SELECT CAST(pos AS BIGINT) FROM ("+query+")")
	if err != nil {
		return err
	}
	positions := make([]int64, len(rows))
	for i, r := range rows {
		positions[i] = whole(r[0])
	}
	return v.w.Add(f.FilePath(), positions, f.SpecID(), f.Partition())
}

// write writes the Puffin file.
func (v *vectorWriter) write(ctx context.Context) ([]iceberg.DataFile, error) {
	return v.w.Flush(ctx, join(v.t.meta.Location(), "data", fmt.Sprintf("00000-0-%s-00001-deletes.puffin", uuid.NewString())))
}
