package hivepath

import (
	"testing"
	"unicode/utf8"
)

// FuzzParse: a folder that Folder names is read as what it stands for, and no name makes Parse fail.
func FuzzParse(f *testing.F) {
	f.Add("p", "a/b=%c", "p=%2")
	f.Add("Ж", "", "=")
	f.Add("a=b", Default, "p=%zz%41")
	f.Fuzz(func(t *testing.T, column, value, folder string) {
		Parse(folder)
		if column == "" || value == "" || value == Default || !utf8.ValidString(column) || !utf8.ValidString(value) {
			return
		}
		name := Folder(column, &value)
		gotColumn, gotValue, ok := Parse(name)
		if !ok || gotColumn != column || gotValue == nil || *gotValue != value {
			t.Errorf("%q is read as %q, %v", name, gotColumn, gotValue)
		}
	})
}
