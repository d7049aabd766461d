package proxy

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// Jupyter writes the kernel's language_info into a notebook that it saves: the lessons hold it already, so that a student
// who only runs them has no other change than outputs.
func TestNotebooksHoldLanguageInfo(t *testing.T) {
	notebooks, err := filepath.Glob("../../../notebooks/*.ipynb")
	if err != nil || len(notebooks) == 0 {
		t.Fatal("no notebooks: ", err)
	}
	for _, path := range notebooks {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var nb struct {
			Metadata struct {
				LanguageInfo map[string]string `json:"language_info"`
			} `json:"metadata"`
		}
		if err := json.Unmarshal(text, &nb); err != nil {
			t.Fatal(path, err)
		}
		if got := nb.Metadata.LanguageInfo; !maps.Equal(got, languageInfo) {
			t.Errorf("%s: language_info is %v, the kernel says %v", filepath.Base(path), got, languageInfo)
		}
	}
}
