package celldoor_test

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab"
	"mini-lakehouse-lab/lakelab/internal/trinoserver"
)

// longQuery runs for minutes, and tells after seconds how far it is: DuckDB counts the parts of the table that it is done with. Its comment is the test's name for it.
const longQuery = "SELECT count(*) AS n FROM lakehouse.cancel.t CROSS JOIN UNNEST(sequence(1, 60)) u(y) WHERE to_hex(sha512(sha512(to_utf8(CAST(id * y AS varchar))))) LIKE 'ABCDEF%' -- cancel me"

// TestTrinoCell is the cell of TestTrinoCancelled: a process of its own, as cells are.
func TestTrinoCell(t *testing.T) {
	switch at := os.Getenv("LAKELAB_TEST_TRINO"); at {
	case "":
		t.Skip("it is a part of TestTrinoCancelled")
	case "embedded":
		lakelab.TrinoQuery(longQuery)
	default:
		serverAt(t, at).Query(longQuery)
	}
}

func serverAt(t *testing.T, address string) *lakelab.Trino {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	return lakelab.NewTrino(u.Hostname(), port, "jupyter", "lakehouse")
}

// progressShown is the bar of a cell that knows how far its query is.
var progressShown = regexp.MustCompile(`<progress value="([0-9.]+)"`)

// TestTrinoCancelled interrupts a cell that waits for a long statement of TrinoQuery, and of NewTrino: its bar has shown the progress that
// Trino reports; the cell ends by the signal at once, and Trino's query soon after. With LAKELAB_REAL_TRINO a real Trino is asked as well.
func TestTrinoCancelled(t *testing.T) {
	lakehouse := connect(t)
	address := fmt.Sprint(lakelab.TrinoQuery("SELECT http_uri FROM system.runtime.nodes").Rows[0].Get("http_uri"))
	spark.SQL("CREATE NAMESPACE lakehouse.cancel")
	spark.SQL("CREATE TABLE lakehouse.cancel.t USING iceberg AS SELECT id FROM range(3000000)")
	targets := map[string]string{"TrinoQuery": "embedded", "NewTrino": address}
	if os.Getenv("LAKELAB_REAL_TRINO") != "" {
		s, err := trinoserver.Start(t.Context(), trinoserver.Options{Dir: t.TempDir(), Catalogs: map[string]string{"lakehouse": trinoserver.Lakehouse(lakehouse)}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Stop)
		targets["real Trino"] = s.URL
	}
	for name, target := range targets {
		t.Run(name, func(t *testing.T) {
			if target != "embedded" {
				address = target
			}
			running := func() int {
				rows := serverAt(t, address).Query("SELECT query FROM system.runtime.queries WHERE query LIKE '%-- cancel me' AND state NOT IN ('FAILED', 'FINISHED')").Rows
				return len(rows)
			}
			pipe := filepath.Join(t.TempDir(), "display")
			if err := os.WriteFile(pipe, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			cell := exec.Command(os.Args[0], "-test.run", "^TestTrinoCell$")
			cell.Env = append(os.Environ(), "LAKELAB_TEST_TRINO="+target, "GONB_PIPE="+pipe, "GONB_PIPE_BACK=")
			var out bytes.Buffer
			cell.Stdout, cell.Stderr = &out, &out
			if err := cell.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cell.Wait() }()
			var percent float64
			for deadline := time.Now().Add(3 * time.Minute); percent == 0; time.Sleep(50 * time.Millisecond) {
				shown, err := os.ReadFile(pipe)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range progressShown.FindAllSubmatch(shown, -1) {
					percent, _ = strconv.ParseFloat(string(m[1]), 64)
				}
				if time.Now().After(deadline) {
					_ = cell.Process.Kill()
					t.Fatalf("no progress was shown: …%q\n%s", shown[max(0, len(shown)-500):], &out)
				}
				select {
				case err := <-ended:
					t.Fatalf("the query ended: %v\n%s", err, &out)
				default:
				}
			}
			if n := running(); n != 1 {
				t.Errorf("%d queries run", n)
			}
			began := time.Now()
			if err := cell.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			err := <-ended
			cellTook := time.Since(began)
			status := cell.ProcessState.Sys().(syscall.WaitStatus)
			if !status.Signaled() || status.Signal() != syscall.SIGINT || cellTook > 10*time.Second {
				t.Errorf("the cell ended after %v with %v\n%s", cellTook, err, &out)
			}
			for running() > 0 {
				if time.Since(began) > 30*time.Second {
					t.Fatal("the query goes on")
				}
				time.Sleep(50 * time.Millisecond)
			}
			t.Logf("at %.1f %%: the cell ended after %v, the query %v", percent, cellTook.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
			if got := fmt.Sprint(serverAt(t, address).Query("SELECT count(*) AS n FROM lakehouse.cancel.t").Rows[0].Int64("n")); got != "3000000" {
				t.Errorf("afterwards the table has %s rows", got)
			}
		})
	}
}
