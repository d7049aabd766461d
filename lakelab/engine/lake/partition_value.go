package lake

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/iceberg-go"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/types"
)

// Partition values. DuckDB computes them, since it writes the files; they come back as text, and parsePartition makes of it what
// iceberg-go keeps in a manifest. Times are counted from 1970 in UTC, whatever the session's time zone.

// partitionSQL is a DuckDB expression that gives a partition field's value as text, or NULL. x is its source column.
func partitionSQL(t iceberg.Transform, source iceberg.Type, x string) string {
	return "CAST(" + transformSQL(t, source, x) + " AS VARCHAR)"
}

func transformSQL(t iceberg.Transform, source iceberg.Type, x string) string {
	switch t := t.(type) {
	case iceberg.VoidTransform:
		return "NULL"
	case iceberg.YearTransform:
		return "year(" + utc(source, x) + ") - 1970"
	case iceberg.MonthTransform:
		u := utc(source, x)
		return fmt.Sprintf("(year(%s) - 1970) * 12 + month(%s) - 1", u, u)
	case iceberg.DayTransform:
		if _, date := source.(iceberg.DateType); date {
			return days(x)
		}
		return floorDiv("epoch_us("+x+")", 86_400_000_000)
	case iceberg.HourTransform:
		return floorDiv("epoch_us("+x+")", 3_600_000_000)
	case iceberg.BucketTransform:
		return fmt.Sprintf("(%s & 2147483647) %% %d", hashSQL(source, x), t.NumBuckets)
	case iceberg.TruncateTransform:
		return truncateSQL(t.Width, source, x)
	}
	switch source.(type) {
	case iceberg.DateType:
		return days(x)
	case iceberg.TimeType, iceberg.TimestampType, iceberg.TimestampTzType:
		return "epoch_us(" + x + ")"
	case iceberg.BinaryType, iceberg.FixedType:
		return "hex(" + x + ")"
	}
	return x
}

// utc is a timestamp as it is on a clock in UTC; dates and timestamps without a zone are as they are.
func utc(source iceberg.Type, x string) string {
	if _, tz := source.(iceberg.TimestampTzType); tz {
		return "make_timestamp(epoch_us(" + x + "))"
	}
	return x
}

func days(x string) string { return "(" + x + " - DATE '1970-01-01')" }

// floorDiv divides towards minus infinity: DuckDB's // goes towards zero.
func floorDiv(x string, by int64) string {
	return fmt.Sprintf("(%s - ((%s %% %d) + %d) %% %d) // %d", x, x, by, by, by, by)
}

// hashSQL is the hash of a value that bucket partitions go by; the functions are package functions' own.
func hashSQL(source iceberg.Type, x string) string {
	switch source.(type) {
	case iceberg.StringType:
		return "iceberg_hash_bytes(encode(" + x + "))"
	case iceberg.BinaryType, iceberg.FixedType:
		return "iceberg_hash_bytes(" + x + ")"
	case iceberg.UUIDType:
		return "iceberg_hash_bytes(unhex(replace(CAST(" + x + " AS VARCHAR), '-', '')))"
	case iceberg.DecimalType:
		return "iceberg_hash_decimal(CAST(" + x + " AS VARCHAR))"
	case iceberg.DateType:
		return "iceberg_hash_long(" + days(x) + ")"
	case iceberg.TimeType, iceberg.TimestampType, iceberg.TimestampTzType:
		return "iceberg_hash_long(epoch_us(" + x + "))"
	}
	return "iceberg_hash_long(CAST(" + x + " AS BIGINT))"
}

func truncateSQL(width int, source iceberg.Type, x string) string {
	w := strconv.Itoa(width)
	switch s := source.(type) {
	case iceberg.StringType:
		return "left(" + x + ", " + w + ")"
	case iceberg.BinaryType, iceberg.FixedType:
		return fmt.Sprintf("left(hex(%s), %d)", x, 2*width)
	case iceberg.DecimalType:
		w = fmt.Sprintf("CAST('%s' AS DECIMAL(38, %d))", decimal(big.NewInt(int64(width)), s.Scale()), s.Scale())
	}
	rest := func(x string) string { return fmt.Sprintf("%s - ((%s %% %s) + %s) %% %s", x, x, w, w, w) }
	switch source.(type) {
	case iceberg.Int32Type:
		return wrapped(rest("CAST("+x+" AS BIGINT)"), "INTEGER", math.MinInt32, "4294967296")
	case iceberg.Int64Type:
		return wrapped(rest("CAST("+x+" AS HUGEINT)"), "BIGINT", math.MinInt64, "18446744073709551616")
	}
	return rest(x)
}

// wrapped is a number below the least one of its type as Java makes it one of the type: it comes round at the greatest.
func wrapped(x, of string, least int64, around string) string {
	return fmt.Sprintf("CAST(%s + CASE WHEN %s < %d THEN %s ELSE 0 END AS %s)", x, x, least, around, of)
}

// parsePartition is a partition field's value of its result type; nil for NULL.
func parsePartition(t iceberg.Type, s *string) (any, error) {
	if s == nil {
		return nil, nil
	}
	number := func(bits int) (int64, error) { return strconv.ParseInt(*s, 10, bits) }
	switch t := t.(type) {
	case iceberg.BooleanType:
		return *s == "true", nil
	case iceberg.Int32Type:
		n, err := number(32)
		return int32(n), err
	case iceberg.Int64Type:
		return number(64)
	case iceberg.Float32Type:
		f, err := strconv.ParseFloat(*s, 32)
		return float32(f), err
	case iceberg.Float64Type:
		return strconv.ParseFloat(*s, 64)
	case iceberg.DecimalType:
		n, ok := new(big.Int).SetString(strings.Replace(*s, ".", "", 1), 10)
		if !ok || n.BitLen() > 127 {
			return nil, fmt.Errorf("the partition value %q is no decimal", *s)
		}
		return iceberg.Decimal{Val: decimal128.FromBigInt(n), Scale: t.Scale()}, nil
	case iceberg.DateType:
		n, err := number(32)
		return iceberg.Date(n), err
	case iceberg.TimeType:
		n, err := number(64)
		return iceberg.Time(n), err
	case iceberg.TimestampType, iceberg.TimestampTzType:
		n, err := number(64)
		return iceberg.Timestamp(n), err
	case iceberg.StringType:
		return *s, nil
	case iceberg.UUIDType:
		return uuid.Parse(*s)
	case iceberg.BinaryType, iceberg.FixedType:
		return hex.DecodeString(*s)
	}
	return nil, fmt.Errorf("no partition values of type %s", t)
}

// partitionPath is the folder of a partition below data/, as Iceberg's Java names it: region=EU/ts_day=2024-01-31.
func partitionPath(spec *iceberg.PartitionSpec, schema *iceberg.Schema, values map[int]any) string {
	var parts []string
	for _, f := range spec.Fields() {
		v := values[f.FieldID]
		human := "null"
		if v != nil {
			human = f.Transform.ToHumanStrType(partitionType(schema, f), v)
		}
		parts = append(parts, url.QueryEscape(f.Name)+"="+url.QueryEscape(human))
	}
	return strings.Join(parts, "/")
}

// partitionType is the type of a partition field's values; a field whose source column is gone has no type.
func partitionType(schema *iceberg.Schema, f iceberg.PartitionField) iceberg.Type {
	t, ok := schema.FindTypeByID(f.SourceID())
	if !ok {
		return iceberg.PrimitiveTypes.Unknown
	}
	return f.Transform.ResultType(t)
}

// timeRange is the first and the last value of a time column in a partition.
func timeRange(t iceberg.Transform, source iceberg.Type, v any) (lower, upper any) {
	start := func(n int64) time.Time {
		switch t.(type) {
		case iceberg.YearTransform:
			return time.Date(1970+int(n), 1, 1, 0, 0, 0, 0, time.UTC)
		case iceberg.MonthTransform:
			return time.Date(1970, time.Month(1+n), 1, 0, 0, 0, 0, time.UTC)
		case iceberg.DayTransform:
			return time.Unix(n*86_400, 0).UTC()
		}
		return time.Unix(n*3_600, 0).UTC()
	}
	var n int64
	switch v := v.(type) {
	case int64:
		n = v
	case types.Days:
		n = int64(v)
	}
	first, next := start(n), start(n+1)
	if _, date := source.(iceberg.DateType); date {
		return types.Days(first.Unix() / 86_400), types.Days(next.Unix()/86_400 - 1)
	}
	return types.Micros(first.UnixMicro()), types.Micros(next.UnixMicro() - 1)
}

// bucketOf is the bucket of a value of ours; false if the column's type says that it can't be told.
func bucketOf(n int, source iceberg.Type, v any) (int32, bool) {
	var lit iceberg.Literal
	switch v := v.(type) {
	case int64:
		switch source.(type) {
		case iceberg.Int32Type, iceberg.Int64Type:
			lit = iceberg.Int64Literal(v)
		}
	case types.Days:
		lit = iceberg.DateLiteral(v)
	case types.Micros:
		lit = iceberg.TimestampLiteral(v)
	case string:
		if _, ok := source.(iceberg.StringType); ok {
			lit = iceberg.StringLiteral(v)
		}
	case types.Dec:
		if d, ok := source.(iceberg.DecimalType); ok {
			if x, err := parsePartition(d, (*string)(&v)); err == nil && scaleOf(v) == d.Scale() {
				lit = iceberg.DecimalLiteral(x.(iceberg.Decimal))
			}
		}
	}
	if lit == nil {
		return 0, false
	}
	out := iceberg.BucketTransform{NumBuckets: n}.Apply(iceberg.Optional[iceberg.Literal]{Valid: true, Val: lit})
	if !out.Valid {
		return 0, false
	}
	return int32(out.Val.(iceberg.Int32Literal)), true
}

// scaleOf counts a decimal's digits behind the point.
func scaleOf(d types.Dec) int {
	_, fraction, _ := strings.Cut(string(d), ".")
	return len(fraction)
}
