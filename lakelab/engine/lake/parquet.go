package lake

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"

	parquet "github.com/apache/arrow-go/v18/parquet/metadata"
)

// parquetMagic begins and ends a Parquet file.
const parquetMagic = "PAR1"

// plainIntegers takes the annotations INT_32 and INT_64, which say nothing, off the columns of a file that DuckDB wrote. Iceberg's
// Java readers fail on an annotated INT32 column once the table's column has been widened to BIGINT. It returns the file's new size.
func plainIntegers(ctx context.Context, path string) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	var tail [8]byte
	if _, err := f.ReadAt(tail[:], info.Size()-8); err != nil {
		return 0, err
	}
	start := info.Size() - 8 - int64(binary.LittleEndian.Uint32(tail[:]))
	if string(tail[4:]) != parquetMagic || start < 4 {
		return 0, fmt.Errorf("%s is no Parquet file", path)
	}
	footer := make([]byte, info.Size()-8-start)
	if _, err := f.ReadAt(footer, start); err != nil {
		return 0, err
	}
	md, err := parquet.NewFileMetaData(footer, nil)
	if err != nil {
		return 0, err
	}
	changed := false
	for _, e := range md.FileMetaData.Schema {
		if e.ConvertedType != nil && (e.ConvertedType.String() == "INT_32" || e.ConvertedType.String() == "INT_64") {
			e.ConvertedType, e.LogicalType = nil, nil
			changed = true
		}
	}
	if !changed {
		return info.Size(), nil
	}
	b, err := md.Serialize(ctx)
	if err != nil {
		return 0, err
	}
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(b))), parquetMagic...)
	if _, err := f.WriteAt(b, start); err != nil {
		return 0, err
	}
	size = start + int64(len(b))
	return size, f.Truncate(size)
}
