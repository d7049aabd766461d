package taxi

import (
	"context"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

func openParquet(ctx context.Context, path string) (*source, error) {
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	fail := func(err error) (*source, error) {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: rowGroup}, memory.DefaultAllocator)
	if err != nil {
		return fail(err)
	}
	batches, err := r.GetRecordReader(ctx, nil, nil)
	if err != nil {
		return fail(err)
	}
	src := &source{close: func() { batches.Release(); f.Close() }}
	for _, c := range batches.Schema().Fields() {
		src.columns = append(src.columns, c.Name)
	}
	src.next = func(at []int) (arrow.RecordBatch, error) {
		if !batches.Next() {
			if err := batches.Err(); err != nil {
				return nil, err
			}
			return nil, io.EOF
		}
		return toYellow(ctx, batches.RecordBatch(), at)
	}
	return src, nil
}

// toYellow puts a batch's columns into the order and types of the yellow schema. TLC has changed types between years
// (passenger_count was a double while it had empty cells); a value that doesn't fit is an error, never rounded.
func toYellow(ctx context.Context, in arrow.RecordBatch, at []int) (arrow.RecordBatch, error) {
	schema := Schema()
	cols := make([]arrow.Array, len(at))
	defer func() {
		for _, c := range cols {
			if c != nil {
				c.Release()
			}
		}
	}()
	for i, f := range schema.Fields() {
		if at[i] < 0 {
			cols[i] = array.MakeArrayOfNull(memory.DefaultAllocator, f.Type, int(in.NumRows()))
			continue
		}
		c, err := compute.CastArray(ctx, in.Column(at[i]), compute.SafeCastOptions(f.Type))
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", in.ColumnName(at[i]), err)
		}
		cols[i] = c
	}
	return array.NewRecordBatch(schema, cols, in.NumRows()), nil
}
