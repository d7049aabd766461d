package hivepath

import "testing"

// Names of folders that real Spark 4.0.1 wrote for a column p.
func TestFolder(t *testing.T) {
	for value, want := range map[string]string{
		"plain":               "p=plain",
		"two words":           "p=two words",
		"Москва":              "p=Москва",
		"a/b":                 "p=a%2Fb",
		"50%":                 "p=50%25",
		"a=b:c":               "p=a%3Db%3Ac",
		"q?*\"'#":             "p=q%3F%2A%22%27%23",
		`back\slash`:          "p=back%5Cslash",
		"{[x]}^":              "p=%7B%5Bx%5D}%5E",
		"tab\tline\n":         "p=tab%09line%0A",
		"2024-01-31 10:00:00": "p=2024-01-31 10%3A00%3A00",
		"":                    "p=" + Default,
	} {
		if got := Folder("p", &value); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
		column, back, ok := Parse(want)
		if !ok || column != "p" || value != "" && (back == nil || *back != value) || value == "" && back != nil {
			t.Errorf("%s is read as %q %v", want, column, back)
		}
	}
	if got := Folder("a b:c", nil); got != "a b%3Ac="+Default {
		t.Error(got)
	}
}

func TestUnescapeLenient(t *testing.T) {
	for in, want := range map[string]string{"50%": "50%", "%zz": "%zz", "%4": "%4", "%41%": "A%", "%e9t%E9": "été", "": ""} {
		if got := unescape(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestNoPartition(t *testing.T) {
	for _, folder := range []string{"plain", "=x", "x=", "="} {
		if _, _, ok := Parse(folder); ok {
			t.Errorf("%q is a partition", folder)
		}
	}
}
