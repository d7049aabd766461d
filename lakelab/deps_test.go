package lakelab

import (
	"os/exec"
	"strings"
	"testing"
)

// TestOnlyTheStandardLibrary: whatever these packages import, every cell links.
func TestOnlyTheStandardLibrary(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{.Standard}}", ".", "./functions").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ours := map[string]bool{
		"mini-lakehouse-lab/lakelab": true, "mini-lakehouse-lab/lakelab/functions": true,
		"mini-lakehouse-lab/lakelab/internal/wire": true, "mini-lakehouse-lab/lakelab/types": true,
	}
	// Each of these costs a cell tens of milliseconds in the linker.
	heavy := map[string]bool{
		"net": true, "net/http": true, "encoding/json": true, "encoding/gob": true, "html/template": true, "text/template": true,
		"regexp": true, "os/exec": true, "crypto/tls": true, "html": true, "math/big": true,
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		path, standard, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case ours[path]:
			seen++
		case standard != "true":
			t.Errorf("cells would link %s", path)
		case heavy[path]:
			t.Errorf("cells would link %s, which is too heavy", path)
		}
	}
	if seen != len(ours) {
		t.Errorf("found %d of our %d packages:\n%s", seen, len(ours), out)
	}
}
