package duck_test

import (
	"testing"
	"time"
)

// TestBounds: what a text or a sketch of any size would cost is asked before it is made. (Java asks its heap.)
func TestBounds(t *testing.T) {
	db := open(t)
	for text, want := range map[string]string{
		"SELECT count_min_sketch(id, 1e-300D, 0.9D, 1) FROM range(1)": "UNSUPPORTED_FEATURE",
		"SELECT count_min_sketch(id, 1e-9D, 0.9D, 1) FROM range(1)":   "UNSUPPORTED_FEATURE",
		"SELECT format_number(0BD, 2000000000)":                       "UNSUPPORTED_FEATURE",
		"SELECT format_number(0, 2000000000)":                         "",
		"SELECT format_string('%.2000000000f', 1.5D)":                 "UNSUPPORTED_FEATURE",
		"SELECT format_string('%2000000000d', 1)":                     "UNSUPPORTED_FEATURE",
		"SELECT format_string('%-99999999999999999999s', 'x')":        "UNSUPPORTED_FEATURE",
		"SELECT round(1.5D, 2000000000)":                              "",
		"SELECT round(1.5D, -2000000000)":                             "",
		"SELECT floor(1.5BD, 2000000000), ceil(1.5D, 2000000000)":     "",
		"SELECT floor(1.5BD, -2000000000)":                            "?",
		"SELECT round(1.5BD, 2000000000), round(15, -2000000000)":     "",
		"SELECT bround(1.5D, 2000000000), bround(1.5D, -2000000000)":  "",
	} {
		start := time.Now()
		got := ask(t.Context(), db, text)
		class := ""
		if got.Error != nil {
			class = got.Error.Class
		}
		if took := time.Since(start); class != want || took > 10*time.Second {
			t.Errorf("%s: %+v %s after %v, want %q", text, got.Rows, class, took, want)
		}
	}
}
