package trinodoor_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// bigHeap is all the memory that a Java client gets: a tenth of the result would not fit.
const bigHeap = "-Xmx160m"

// TestBigResultOfClients reads TestBigResult's rows through other people's clients: Python's trino, the JDBC driver, the command-line
// client. Neither the engine's memory grows after the first fifth of the time, nor is the client's beyond what it needs for some pages.
// LAKELAB_TRINO_CLIENTS names their folder (make load-trino).
func TestBigResultOfClients(t *testing.T) {
	folder := os.Getenv("LAKELAB_TRINO_CLIENTS")
	if folder == "" {
		t.Skip("LAKELAB_TRINO_CLIENTS is not set")
	}
	rows := amount(300_000, 10_000_000)
	d, _ := openEngine(t)
	python, err := filepath.Abs("../../../.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	const programs = "../testdata/trino_clients/"
	query := bigQuery(rows)
	// The ids are 1000 x + y for x from 1 to 10000 and y from 1 to rows / 10000.
	each := rows / 10000
	want := fmt.Sprint(rows, " rows, ids ", int64(each)*1000*10000*10001/2+int64(10000)*int64(each)*int64(each+1)/2)
	for _, c := range []struct {
		name  string
		args  []string
		limit int64 // of the client's memory, in MiB
	}{
		{"Python", []string{python, programs + "client.py", "big", d.URL(), query}, 200},
		{"JDBC", []string{"java", bigHeap, "-cp", filepath.Join(folder, "trino-jdbc-476.jar"), programs + "Client.java", "big", d.URL(), query}, 500},
		{"trino-cli", []string{"java", bigHeap, "-jar", filepath.Join(folder, "trino-cli-476-executable.jar"), "--server", d.URL(), "--user", "load",
			"--catalog", "lakehouse", "--schema", "load", "--output-format", "CSV_UNQUOTED", "--execute", query}, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory := watchMemory(t)
			began := time.Now()
			cmd := exec.Command(c.args[0], c.args[1:]...)
			var errors strings.Builder
			cmd.Stderr = &errors
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			got, readErr := counted(out)
			err = cmd.Wait()
			took := time.Since(began)
			first, most := memory()
			if err != nil || readErr != nil || got != want {
				t.Fatalf("%q, want %q; %v, %v\n%s", got, want, err, readErr, &errors)
			}
			peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
			t.Logf("%s in %v; engine %d MiB in the first fifth, %d MiB at most; client %d MiB", got, took.Round(time.Millisecond), first>>20, most>>20, peak)
			if most-first > 100<<20 {
				t.Errorf("the engine's memory grew from %d to %d MiB", first>>20, most>>20)
			}
			if peak > c.limit {
				t.Errorf("the client needed %d MiB", peak)
			}
		})
	}
}

// counted reads a client's output: the line of a program of ours, or the command-line client's rows, which are counted here.
func counted(out io.Reader) (string, error) {
	r := bufio.NewReaderSize(out, 1<<16)
	n, ids := 0, int64(0)
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			return fmt.Sprint(n, " rows, ids ", ids), nil
		}
		if err != nil {
			return "", err
		}
		if strings.Contains(line, " rows, ids ") {
			return strings.TrimSpace(line), nil
		}
		var id int64
		for _, c := range []byte(line) {
			if c < '0' || c > '9' {
				break
			}
			id = id*10 + int64(c-'0')
		}
		n, ids = n+1, ids+id
	}
}

// watchMemory follows the process's memory. The result ends that: the most of the first fifth of the time and the most of the rest.
func watchMemory(t *testing.T) (stop func() (first, most int64)) {
	t.Helper()
	resident(t)
	var seen []int64
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			seen = append(seen, memory(t))
			select {
			case <-quit:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	return func() (first, most int64) {
		close(quit)
		<-done
		fifth := len(seen)/5 + 1
		return slices.Max(seen[:fifth]), slices.Max(seen[fifth-1:])
	}
}
