package types

import (
	"math"
	"testing"
)

// TestJavaFloat compares with what Java 17 prints.
func TestJavaFloat(t *testing.T) {
	for _, c := range []struct {
		f    float64
		bits int
		want string
	}{
		{-2147483648, 32, "-2.14748365E9"}, {1234567936, 32, "1.23456794E9"}, {1.70443482e9, 32, "1.70443482E9"}, {0.1, 64, "0.1"}, {float64(float32(0.1)), 32, "0.1"}, {1e23, 64, "9.999999999999999E22"}, {2e23, 64, "1.9999999999999998E23"}, {1.1e23, 64, "1.1E23"},
		{math.SmallestNonzeroFloat64, 64, "4.9E-324"}, {math.SmallestNonzeroFloat32, 32, "1.4E-45"}, {math.MaxFloat64, 64, "1.7976931348623157E308"}, {9007199254740993, 64, "9.007199254740992E15"},
		{100, 64, "100.0"}, {1e7, 64, "1.0E7"}, {9999999, 64, "9999999.0"}, {0.001, 64, "0.001"}, {0.00099, 64, "9.9E-4"}, {-1.5, 64, "-1.5"}, {1e-5, 64, "1.0E-5"}, {9223372036854775807, 64, "9.223372036854776E18"},
	} {
		if got := javaFloat(c.f, c.bits); got != c.want {
			t.Errorf("%v: %s, want %s", c.f, got, c.want)
		}
	}
}
