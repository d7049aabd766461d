// Package taxi makes the course's raw data: trips of New York's yellow taxis with the schema that the city's
// Taxi and Limousine Commission (TLC) publishes, and the lookup of its 265 taxi zones.
//
// Generate writes synthetic data, Import takes files that TLC published (yellow or green, Parquet or CSV, old or new
// column names). Both leave the same two files in a folder, yellow_tripdata.parquet and taxi_zone_lookup.csv, so that
// the notebooks needn't know where the data came from. `lakelab data` and the notebook runner call this package.
package taxi

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// Names of the two files in a data folder.
const (
	TripsFile = "yellow_tripdata.parquet"
	ZonesFile = "taxi_zone_lookup.csv"
)

// rowGroup is the number of trips in one row group; a batch in memory has as many.
const rowGroup = 65536

// Schema is the schema of TripsFile: TLC's columns, order and types of the yellow taxi, timestamps without a zone.
func Schema() *arrow.Schema {
	local := &arrow.TimestampType{Unit: arrow.Microsecond}
	i32, i64, f64, str := arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, arrow.BinaryTypes.String
	col := func(name string, t arrow.DataType) arrow.Field {
		return arrow.Field{Name: name, Type: t, Nullable: true}
	}
	return arrow.NewSchema([]arrow.Field{
		col("VendorID", i32),
		col("tpep_pickup_datetime", local),
		col("tpep_dropoff_datetime", local),
		col("passenger_count", i64),
		col("trip_distance", f64),
		col("RatecodeID", i64),
		col("store_and_fwd_flag", str),
		col("PULocationID", i32),
		col("DOLocationID", i32),
		col("payment_type", i64),
		col("fare_amount", f64),
		col("extra", f64),
		col("mta_tax", f64),
		col("tip_amount", f64),
		col("tolls_amount", f64),
		col("improvement_surcharge", f64),
		col("total_amount", f64),
		col("congestion_surcharge", f64),
		col("Airport_fee", f64),
	}, nil)
}

// Present reports whether a folder holds both files.
func Present(dir string) bool {
	for _, f := range []string{TripsFile, ZonesFile} {
		if st, err := os.Stat(filepath.Join(dir, f)); err != nil || st.Size() == 0 {
			return false
		}
	}
	return true
}

// replaceFile writes a file so that a reader sees the old one or the whole new one.
func replaceFile(path string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// writeTrips writes a Parquet file, one row group per batch. next returns io.EOF after the last batch.
func writeTrips(path string, next func() (arrow.RecordBatch, error)) (rows int64, err error) {
	err = replaceFile(path, func(w io.Writer) error {
		props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithMaxRowGroupLength(rowGroup))
		// The writer closes what it can close; the file is still needed for the rename.
		pw, err := pqarrow.NewFileWriter(Schema(), struct{ io.Writer }{w}, props, pqarrow.DefaultWriterProps())
		if err != nil {
			return err
		}
		for {
			batch, err := next()
			if errors.Is(err, io.EOF) {
				return pw.Close()
			}
			if err != nil {
				return errors.Join(err, pw.Close())
			}
			rows += batch.NumRows()
			err = pw.WriteBuffered(batch)
			batch.Release()
			if err != nil {
				return errors.Join(fmt.Errorf("write %s: %w", path, err), pw.Close())
			}
		}
	})
	return rows, err
}
