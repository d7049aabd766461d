package engine_test

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// clientData holds the programs that use clients, and what they print at a real Trino 476.
const clientData = "testdata/trino_clients/"

// clientPrograms are other people's clients.
type clientPrograms struct{ python, jdbc, cliJar string }

// trinoClients finds them; the test is skipped without LAKELAB_TRINO_CLIENTS, the folder with trino-jdbc-476.jar and
// trino-cli-476-executable.jar (make test-clients).
func trinoClients(t *testing.T) clientPrograms {
	folder := os.Getenv("LAKELAB_TRINO_CLIENTS")
	if folder == "" {
		t.Skip("LAKELAB_TRINO_CLIENTS is not set")
	}
	python, err := filepath.Abs("../../.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if p := os.Getenv("LAKELAB_PYTHON"); p != "" {
		python = p
	}
	return clientPrograms{python, filepath.Join(folder, "trino-jdbc-476.jar"), filepath.Join(folder, "trino-cli-476-executable.jar")}
}

// cli is the command-line client's command.
func (c clientPrograms) cli(address, schema string, more ...string) []string {
	return append([]string{"java", "-Dfile.encoding=UTF-8", "-jar", c.cliJar, "--server", address, "--user", "suite", "--source", "suite", "--catalog", "lakehouse",
		"--schema", schema, "--timezone", "UTC", "--ignore-errors", "--output-format", "ALIGNED"}, more...)
}

// clientStatements are the suite's statements with values of every type, as far as every client can show them.
func clientStatements(t *testing.T) string {
	b, err := os.ReadFile("testdata/trino/types.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "\n") // the first line is a comment
	text, _, ok := strings.Cut(text, "-- What not every client can show.\n")
	if !ok {
		t.Fatal("types.sql does not say where the clients' statements end")
	}
	return text
}

// TestTrinoClients runs real clients against the engine's door: Python's trino, the JDBC driver and the command-line client, each with
// values of every type, prepared statements, transactions, metadata, a cancelled query. What they print must be what they print at
// a real Trino 476. With LAKELAB_TRINO, a real Trino's address, its answers are written anew.
func TestTrinoClients(t *testing.T) {
	clients := trinoClients(t)
	statements := clientStatements(t)
	types := filepath.Join(t.TempDir(), "types.sql")
	if err := os.WriteFile(types, []byte(statements), 0o600); err != nil {
		t.Fatal(err)
	}
	more, err := os.ReadFile(clientData + "cli.sql")
	if err != nil {
		t.Fatal(err)
	}
	all := filepath.Join(t.TempDir(), "all.sql")
	if err := os.WriteFile(all, []byte(strings.ReplaceAll(statements, "\n", ";\n")+string(more)), 0o600); err != nil {
		t.Fatal(err)
	}
	real := os.Getenv("LAKELAB_TRINO")
	address := real
	if address == "" {
		address = openDoor(t)
	}
	programs := map[string][]string{
		"python": {clients.python, clientData + "client.py", address, types},
		"jdbc":   {"java", "-cp", clients.jdbc, clientData + "Client.java", address, types},
		"cli":    clients.cli(address, "clients", "-f", all),
	}
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		t.Run(name, func(t *testing.T) {
			args := programs[name]
			c := newTrinoSuiteClient(t, address)
			if a := c.run(t, "CREATE SCHEMA IF NOT EXISTS lakehouse.clients"); a.Error != nil {
				t.Fatal(a.Error)
			}
			out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			path := clientData + name + ".txt"
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

// TestTrinoSuiteOfClients runs the suite of TestTrinoSuite through other people's clients: what they show of the engine's door must be
// what they show of the recorded answers, which a replay gives them. With LAKELAB_TRINO, a real Trino takes the door's place.
func TestTrinoSuiteOfClients(t *testing.T) {
	clients := trinoClients(t)
	paths := suitePaths(t)
	real := os.Getenv("LAKELAB_TRINO")
	known := knownDisagreements(t)
	for _, name := range []string{"python", "jdbc", "cli"} {
		t.Run(name, func(t *testing.T) {
			var fromReplay, fromDoor []string
			for _, path := range paths {
				answers := recordedAnswers(t, path)
				lakehouse := filepath.Join(t.TempDir(), "lakehouse")
				if real == "" {
					answers = settled(t, answers, suiteName(path), known, lakehouse)
				}
				answers = slices.DeleteFunc(answers, func(a trinoAnswer) bool { return beyond(name, suiteName(path), a.SQL) })
				file := filepath.Join(t.TempDir(), suiteName(path)+".sql")
				var text strings.Builder
				for _, a := range answers {
					text.WriteString(a.SQL)
					if name == "cli" {
						text.WriteString(";")
					}
					text.WriteString("\n")
				}
				if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
					t.Fatal(err)
				}
				address := real
				if real == "" {
					address = openDoorAt(t, lakehouse)
				}
				fromReplay = append(fromReplay, file, newReplay(t, answers).url)
				fromDoor = append(fromDoor, file, address)
			}
			want, got := clients.suite(t, name, fromReplay), ""
			if real == "" {
				got = clients.suite(t, name, fromDoor)
			}
			for pair := range slices.Chunk(fromDoor, 2) {
				if real != "" {
					newTrinoSuiteClient(t, real).empty(t)
					got += clients.suite(t, name, pair)
				}
			}
			if lines := strings.Count(want, "\n"); lines < 2*len(paths) {
				t.Fatalf("only %d lines:\n%s", lines, want)
			} else {
				t.Logf("%d lines", lines)
			}
			compareLines(t, withoutIDs(got), withoutIDs(want))
		})
	}
}

// beyond tells the statements of a suite that a client has no use for: the command-line client sends two statements as two, and one without its semicolon, and an unfinished
// comment would hold all that follows in its file; and Python's client follows neither transactions nor prepared statements that come as statements: it has
// its own ways to them (client.py). Python's client keeps no path, and the Java ones send theirs in other words than it was set: what the server answers
// then was not recorded. The order of a map's entries is nobody's promise.
func beyond(client, suite, sql string) bool {
	if strings.HasPrefix(sql, "SET PATH") || strings.Contains(sql, "current_path") || strings.HasPrefix(sql, "SELECT map_agg(k, v) FROM (VALUES (nan()") ||
		strings.Contains(sql, "map_filter(summary,") {
		return true
	}
	switch client {
	case "cli":
		return strings.Contains(sql, "/*") || sql == "SELECT 1; SELECT 2" || strings.HasSuffix(sql, ";")
	case "python":
		first, rest, _ := strings.Cut(sql, " ")
		switch first {
		case "PREPARE", "DEALLOCATE":
			return true
		case "EXECUTE":
			return !strings.HasPrefix(rest, "IMMEDIATE")
		case "DESCRIBE":
			return strings.HasPrefix(rest, "INPUT") || strings.HasPrefix(rest, "OUTPUT")
		}
		return strings.HasPrefix(suite, "transactions") || sql == "SELECT id, name FROM t" && suite == "session" // reads what EXECUTE has written
	}
	return false
}

// settled puts the engine's own answers in place of those on which it is known to disagree: the suite says what is wrong with them.
func settled(t *testing.T, answers []trinoAnswer, suite string, known map[string]bool, lakehouse string) []trinoAnswer {
	address, end := serveLakehouse(t, lakehouse)
	c := newTrinoSuiteClient(t, address)
	key := suiteKeys(suite)
	for i, a := range answers {
		got := c.run(t, a.SQL)
		if got.Error != nil && got.Error.Name == "CLIENT" { // the client could not read what came: the others may
			continue
		}
		// An answer that agrees may differ in the last digits of a number.
		if known[key(a.SQL)] || compareTrino(got, a) == "" {
			answers[i] = got
		}
	}
	end()
	if err := os.RemoveAll(lakehouse); err != nil {
		t.Fatal(err)
	}
	return answers
}

// queryIDs are ids of queries, transactions and places of tables, which no two runs share.
var queryIDs = regexp.MustCompile(`\d{8}_\d{6}_\d{5}_[0-9a-z]{5}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|-[0-9a-f]{32}\b`)

func withoutIDs(text string) string {
	text = queryIDs.ReplaceAllString(text, "<id>")
	return regexp.MustCompile(`(?m)^(Query <id> failed: |LINE |\s*\^).*`).ReplaceAllStringFunc(text, func(s string) string { return strings.TrimRight(s, " ") })
}

// suite runs files of statements, each followed by its address, through a client, and returns what it prints.
func (c clientPrograms) suite(t *testing.T, name string, filesAndAddresses []string) string {
	t.Helper()
	var commands [][]string
	switch name {
	case "python":
		commands = [][]string{append([]string{c.python, clientData + "client.py", "suite"}, filesAndAddresses...)}
	case "jdbc":
		commands = [][]string{append([]string{"java", "-cp", c.jdbc, clientData + "Client.java", "suite"}, filesAndAddresses...)}
	case "cli":
		for pair := range slices.Chunk(filesAndAddresses, 2) {
			commands = append(commands, c.cli(pair[1], "suite", "-f", pair[0]))
		}
	}
	var out strings.Builder
	for _, args := range commands {
		text, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		out.Write(text)
		var exit *exec.ExitError
		if name == "cli" && errors.As(err, &exit) { // statements failed, as they should
			err = nil
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	return out.String()
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
