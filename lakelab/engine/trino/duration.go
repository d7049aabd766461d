package trino

import (
	"fmt"
	"time"
)

// Duration is a time span as Trino writes it: in the largest unit of which it has one.
func Duration(d time.Duration) string {
	for _, u := range [...]struct {
		name string
		size time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}} {
		if d >= u.size {
			return fmt.Sprintf("%.2f%s", float64(d)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%.2fns", float64(d))
}
