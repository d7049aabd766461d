package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrinoClients runs real clients against the engine's door: Python's trino, the JDBC driver and the command-line client, each with
// values of every type, prepared statements, transactions, metadata, a cancelled query. What they print must be what they print at
// a real Trino 476, which testdata/trino_clients holds. It runs on demand
// (make test-clients): LAKELAB_TRINO_CLIENTS is the folder with trino-jdbc-476.jar and trino-cli-476-executable.jar. With LAKELAB_TRINO, a real Trino's address, its answers are written anew.
func TestTrinoClients(t *testing.T) {
	folder := os.Getenv("LAKELAB_TRINO_CLIENTS")
	if folder == "" {
		t.Skip("LAKELAB_TRINO_CLIENTS is not set")
	}
	const data = "testdata/trino_clients/"
	statements, err := os.ReadFile(data + "types.sql")
	if err != nil {
		t.Fatal(err)
	}
	more, err := os.ReadFile(data + "cli.sql")
	if err != nil {
		t.Fatal(err)
	}
	all := filepath.Join(t.TempDir(), "all.sql")
	if err := os.WriteFile(all, []byte(strings.ReplaceAll(string(statements), "\n", ";\n")+string(more)), 0o600); err != nil {
		t.Fatal(err)
	}
	python, err := filepath.Abs("../../.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if p := os.Getenv("LAKELAB_PYTHON"); p != "" {
		python = p
	}
	real := os.Getenv("LAKELAB_TRINO")
	address := real
	if address == "" {
		address = openDoor(t)
	}
	for name, args := range map[string][]string{
		"python": {python, data + "client.py", address, data + "types.sql"},
		"jdbc":   {"java", "-cp", filepath.Join(folder, "trino-jdbc-476.jar"), data + "Client.java", address, data + "types.sql"},
		"cli": {"java", "-jar", filepath.Join(folder, "trino-cli-476-executable.jar"), "--server", address, "--user", "suite", "--catalog", "lakehouse",
			"--schema", "clients", "--timezone", "UTC", "--ignore-errors", "--output-format", "ALIGNED", "-f", all},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTrinoSuiteClient(t, address)
			if a := c.run(t, "CREATE SCHEMA IF NOT EXISTS lakehouse.clients"); a.Error != nil {
				t.Fatal(a.Error)
			}
			out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			path := data + name + ".txt"
			if real != "" {
				if err := os.WriteFile(path, out, 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, string(out), string(want))
		})
	}
}

// compareLines reports the lines that differ. A real Trino was recorded with catalogs that are not ours.
func compareLines(t *testing.T, got, want string) {
	dir := t.TempDir()
	for name, text := range map[string]string{"got": got, "want": want} {
		var kept []string
		for line := range strings.Lines(text) {
			if word := strings.Trim(line, " |\n"); word != "memory" && word != "tpch" && !strings.HasPrefix(line, "WARNING: ") && !strings.Contains(line, "org.jline.utils.Log") {
				kept = append(kept, line)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(kept, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("diff", filepath.Join(dir, "want"), filepath.Join(dir, "got")).CombinedOutput(); err != nil {
		t.Errorf("%s", out)
	}
}
