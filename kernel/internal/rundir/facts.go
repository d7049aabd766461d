package rundir

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Facts are what the kernel's small programs (stand-ins, supervisors, watchdog) have to know. They read them here and not
// in their environment, which a cell can change with %env.
type Facts struct {
	Project string   // the checkout whose packages cells import
	Tmp     string   // TMPDIR as it was, "" for none
	Env     []string // variables that every program of a cell gets, whatever %env said
	Hello   []string // the command that starts the engine
	Goodbye []string // the command that tells the engine that this kernel is gone
}

func factsFile(dir string) string { return filepath.Join(dir, "kernel.json") }

// SetFacts writes the facts of the kernel whose folder is dir.
func SetFacts(dir string, f Facts) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return os.WriteFile(factsFile(dir), text, 0o600)
}

// ReadFacts reads them.
func ReadFacts(dir string) (Facts, error) {
	var f Facts
	text, err := os.ReadFile(factsFile(dir))
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(text, &f)
}

func (f Facts) sayGoodbye() {
	if len(f.Goodbye) > 0 {
		_ = exec.Command(f.Goodbye[0], f.Goodbye[1:]...).Run()
	}
}

// Bin is the folder with the stand-ins, which GoNB has first on its PATH.
func Bin(dir string) string { return filepath.Join(dir, "bin") }

// Path is the user's own PATH: list without the stand-ins' folder.
func Path(dir, list string) string {
	var own []string
	for _, elem := range filepath.SplitList(list) {
		if elem != Bin(dir) {
			own = append(own, elem)
		}
	}
	return strings.Join(own, string(os.PathListSeparator))
}

// CellEnv is the environment of a program that a cell runs: GoNB's, with the user's own TMPDIR and PATH.
func (f Facts) CellEnv(dir string, env []string) []string {
	var out []string
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		switch {
		case name == "TMPDIR" && value == dir:
			if f.Tmp != "" {
				out = append(out, "TMPDIR="+f.Tmp)
			}
		case name == "PATH":
			out = append(out, "PATH="+Path(dir, value))
		default:
			out = append(out, e)
		}
	}
	return append(out, f.Env...) // the last one of a name counts
}
