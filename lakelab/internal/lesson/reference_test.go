package lesson_test

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"mini-lakehouse-lab/lakelab"
)

// Every method of DataFrame, of what GroupBy returns and of Column stands in a cell of the reference.
func TestReferenceIsComplete(t *testing.T) {
	text, err := os.ReadFile("../../../notebooks/source/reference/dataframe.md")
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{"String": true, "Format": true, "Node": true} // fmt calls the first two, package functions the last
	for _, m := range regexp.MustCompile(`\.([A-Z]\w+)\(`).FindAllSubmatch(text, -1) {
		called[string(m[1])] = true
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[*lakelab.DataFrame](), reflect.TypeFor[*lakelab.GroupedData](), reflect.TypeFor[lakelab.Column](), reflect.TypeFor[lakelab.NAFunctions](), reflect.TypeFor[lakelab.StatFunctions](), reflect.TypeFor[lakelab.WindowSpec](),
	} {
		for i := range typ.NumMethod() {
			if name := typ.Method(i).Name; !called[name] {
				t.Errorf("the reference has no cell with %s of %s", name, typ)
			}
		}
	}
}
