package functions

import "mini-lakehouse-lab/lakelab"

// Partition transforms, for DataFrameWriterV2.PartitionedBy only.

// Years partitions by year (years).
func Years(col any) lakelab.Column { return call("years", col) }

// Months partitions by month (months).
func Months(col any) lakelab.Column { return call("months", col) }

// Days partitions by day (days).
func Days(col any) lakelab.Column { return call("days", col) }

// Hours partitions by hour (hours).
func Hours(col any) lakelab.Column { return call("hours", col) }

// Bucket partitions by a hash into a number of buckets (bucket).
func Bucket(numBuckets int, col any) lakelab.Column { return call("bucket", lit(numBuckets), col) }

// Truncate partitions by the first characters, or by numbers rounded down to a width: Iceberg's transform (truncate).
func Truncate(width int, col any) lakelab.Column { return call("truncate", lit(width), col) }
