package lake

import (
	"context"
	"strconv"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Writing is how one statement writes files where that is not as its table says: what a session of Trino's may set ("Iceberg connector",
// session properties). The zero value is as the table says.
type Writing struct {
	// Codec is a value of write.parquet.compression-codec, TargetSize one of write.target-file-size-bytes; empty and 0: the table's.
	Codec      string
	TargetSize int64
	// Unsorted leaves the rows in the order in which they come.
	Unsorted bool
	// Partitions is in how many partitions one write may put rows; 0: in any number.
	Partitions int
	// KeepManifests leaves small manifests as they are.
	KeepManifests bool
}

type writingKey struct{}

// WithWriting has what is written under a context be written so.
func WithWriting(ctx context.Context, w Writing) context.Context {
	return context.WithValue(ctx, writingKey{}, w)
}

// writingOf is what WithWriting said.
func writingOf(ctx context.Context) Writing {
	w, _ := ctx.Value(writingKey{}).(Writing)
	return w
}

// as is a target that is written to in another way.
func (t target) as(w Writing) target {
	o := WriteOptions{Properties: map[string]string{}, Unsorted: w.Unsorted}
	if w.Codec != "" {
		o.Properties["write.parquet.compression-codec"] = w.Codec
	}
	if w.TargetSize > 0 {
		o.Properties["write.target-file-size-bytes"] = strconv.FormatInt(w.TargetSize, 10)
	}
	o.change(&t)
	return t
}

// checkPartitions refuses more partitions than a write may fill.
func (w Writing) checkPartitions(n int) error {
	if w.Partitions > 0 && n > w.Partitions {
		return errclass.TrinoTooManyPartitions(w.Partitions)
	}
	return nil
}
