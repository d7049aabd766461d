package taxi

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// ErrSchema says that a file's columns are not those of a TLC file.
var ErrSchema = errors.New("this is not a TLC trip file")

// Imported says what Import did.
type Imported struct {
	Trips, Zones int64
	// Dropped are columns of the file that the yellow schema doesn't have (ehail_fee and trip_type of green taxis).
	Dropped []string
	// Empty are columns of the yellow schema that the file doesn't have; they are NULL.
	Empty []string
}

// String is a sentence for the command line.
func (in Imported) String() string {
	s := fmt.Sprintf("%d trips, %d zones", in.Trips, in.Zones)
	if len(in.Dropped) > 0 {
		s += "; left out, because yellow taxis don't have them: " + strings.Join(in.Dropped, ", ")
	}
	if len(in.Empty) > 0 {
		s += "; NULL, because the file doesn't have them: " + strings.Join(in.Empty, ", ")
	}
	return s
}

// alsoKnownAs maps a column of the yellow schema to its other names, as plain gives them.
var alsoKnownAs = map[string][]string{
	"tpep_pickup_datetime":  {"lpeppickupdatetime", "pickupdatetime"},
	"tpep_dropoff_datetime": {"lpepdropoffdatetime", "dropoffdatetime"},
	"PULocationID":          {"pickuplocationid"},
	"DOLocationID":          {"dropofflocationid"},
	"RatecodeID":            {"ratecode"},
	"LocationID":            {"zoneid"},
	"Zone":                  {"zonename"},
}

// mayLack are the columns that older files don't have: the fees are younger than the files.
var mayLack = []string{"congestion_surcharge", "Airport_fee"}

// plain takes a column name's case and underscores away: VendorID, vendor_id and VENDORID are one column.
func plain(name string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")), "_", ""))
}

// match finds for each wanted column its position in the file, -1 if the file lacks it.
func match(want, have []string) (at []int, missing, extra []string) {
	used := map[int]bool{}
	for _, w := range want {
		i := slices.IndexFunc(have, func(h string) bool {
			return plain(h) == plain(w) || slices.Contains(alsoKnownAs[w], plain(h))
		})
		at = append(at, i)
		if i < 0 {
			missing = append(missing, w)
		}
		used[i] = true
	}
	for i, h := range have {
		if !used[i] {
			extra = append(extra, h)
		}
	}
	return at, missing, extra
}

// Import reads a trip file and a zone lookup as TLC publishes them and writes TripsFile and ZonesFile into dir.
// Rows keep their order. A file with other columns fails with ErrSchema and the names.
func Import(ctx context.Context, trips, zones, dir string) (Imported, error) {
	var done Imported
	if zones == "" {
		return done, fmt.Errorf("the zone lookup is missing: real trips need TLC's own %s", ZonesFile)
	}
	n, err := importZones(zones, filepath.Join(dir, ZonesFile))
	if err != nil {
		return done, err
	}
	done.Zones = n
	src, err := openTrips(ctx, trips)
	if err != nil {
		return done, err
	}
	defer src.close()
	var want []string
	for _, f := range Schema().Fields() {
		want = append(want, f.Name)
	}
	at, missing, extra := match(want, src.columns)
	done.Dropped, done.Empty = extra, missing
	if required := slices.DeleteFunc(slices.Clone(missing), func(c string) bool { return slices.Contains(mayLack, c) }); len(required) > 0 {
		return done, fmt.Errorf("%s: %w: it has no column %s (its columns: %s)", trips, ErrSchema, strings.Join(required, ", "), strings.Join(src.columns, ", "))
	}
	done.Trips, err = writeTrips(filepath.Join(dir, TripsFile), func() (arrow.RecordBatch, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return src.next(at)
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%s: %w", trips, err)
	}
	return done, err
}

// source is an open trip file. next returns a batch of Schema(), whose column i stands at at[i] in the file.
type source struct {
	columns []string
	next    func(at []int) (arrow.RecordBatch, error)
	close   func()
}

func openTrips(ctx context.Context, path string) (*source, error) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".parquet":
		return openParquet(ctx, path)
	case ".csv":
		return openCSV(path)
	default:
		return nil, fmt.Errorf("%s: a trip file ends in .parquet or .csv, not in %q", path, ext)
	}
}

func openCSV(path string) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(f)
	r.ReuseRecord = true
	head, err := r.Read()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: read the header: %w", path, err)
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, Schema())
	return &source{
		columns: slices.Clone(head),
		close:   func() { b.Release(); f.Close() },
		next: func(at []int) (arrow.RecordBatch, error) {
			n := 0
			for ; n < rowGroup; n++ {
				row, err := r.Read()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					return nil, err
				}
				for i, f := range b.Schema().Fields() {
					cell := ""
					if at[i] >= 0 {
						cell = strings.TrimSpace(row[at[i]])
					}
					if err := appendText(b.Field(i), cell); err != nil {
						line, _ := r.FieldPos(at[i])
						return nil, fmt.Errorf("line %d, column %s: %w", line, f.Name, err)
					}
				}
			}
			if n == 0 {
				return nil, io.EOF
			}
			return b.NewRecordBatch(), nil
		},
	}, nil
}

// appendText parses a CSV cell into a column; an empty cell is NULL.
func appendText(b array.Builder, cell string) error {
	if cell == "" {
		b.AppendNull()
		return nil
	}
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(cell)
	case *array.Float64Builder:
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return err
		}
		b.Append(v)
	case *array.TimestampBuilder:
		v, err := time.Parse(time.DateTime, strings.Replace(strings.TrimSuffix(cell, " UTC"), "T", " ", 1))
		if err != nil {
			return err
		}
		b.Append(arrow.Timestamp(v.UnixMicro()))
	case *array.Int32Builder:
		v, err := whole(cell, 32)
		if err != nil {
			return err
		}
		b.Append(int32(v))
	case *array.Int64Builder:
		v, err := whole(cell, 64)
		if err != nil {
			return err
		}
		b.Append(v)
	default:
		return fmt.Errorf("no reader for type %s", b.Type())
	}
	return nil
}

// whole parses an integer. Files written by pandas have "1.0" where a column holds empty cells.
func whole(cell string, bits int) (int64, error) {
	return strconv.ParseInt(strings.TrimSuffix(cell, ".0"), 10, bits)
}

func importZones(from, to string) (int64, error) {
	f, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	zones, err := readZones(f)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", from, err)
	}
	return int64(len(zones)), writeZones(to, zones)
}
