package lakelab

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

func TestHelloAndCollect(t *testing.T) {
	s := startServer(t, analysed)
	spark := NewSession("lesson")
	rows := spark.SQL("SELECT n FROM t").Collect()
	if len(rows) != 3 || rows[0].Int64("n") != 1 || !rows[1].IsNull("n") || rows[2].Get("n") != int64(3) {
		t.Errorf("rows %v", rows)
	}
	s.mu.Lock()
	hello := s.requests[0]
	s.mu.Unlock()
	if hello["op"] != wire.OpHello || hello["version"] != int64(wire.Version) || hello["session"] != "test-session" || hello["owner"] != int64(0) {
		t.Errorf("hello %v", hello)
	}
	if got := s.last(); got["limit"] != int64(-1) || got["relation"].(map[string]any)["text"] != "SELECT n FROM t" {
		t.Errorf("collect %v", got)
	}
	if engine.zone.String() != "UTC" {
		t.Errorf("the zone of the reply was not taken over: %v", engine.zone)
	}
}

func TestFailureAndTry(t *testing.T) {
	startServer(t, func(map[string]any, func(map[string]any)) map[string]any {
		return map[string]any{
			"t": "error", "exception": "AnalysisException", "class": "UNRESOLVED_COLUMN.WITH_SUGGESTION", "sqlState": "42703",
			"message": "no x", "text": "[UNRESOLVED_COLUMN.WITH_SUGGESTION] no x", "hint": "Проверьте имя.", "params": map[string]any{"objectName": "`x`"},
		}
	})
	spark := NewSession("lesson")
	err := Try(func() { spark.Table("t") })
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("Try returned %#v", err)
	}
	if e.Error() != "[UNRESOLVED_COLUMN.WITH_SUGGESTION] no x" || e.Message != "no x" || e.SQLState != "42703" || e.Params["objectName"] != "`x`" || e.Hint != "Проверьте имя." {
		t.Errorf("error %#v", e)
	}
	// What the kernel reads from the panic.
	want := "AnalysisException: [UNRESOLVED_COLUMN.WITH_SUGGESTION] no x\n\nПодсказка: Проверьте имя."
	defer func() {
		if got, ok := recover().(error); !ok || got.Error() != want {
			t.Errorf("panic %q, want %q", got, want)
		}
	}()
	spark.Table("t")
}

func TestTryPassesOtherPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "mine" {
			t.Errorf("recovered %v", p)
		}
	}()
	_ = Try(func() { panic("mine") })
}

func TestAsserts(t *testing.T) {
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { Assert(true, "нет") }, ""},
		{func() { Assert(false, "100 % строк") }, "100 % строк"},
		{func() { Assert(false, "Ожидалось %d", 3) }, "Ожидалось 3"},
		{func() { AssertEqual(2, 2) }, ""},
		{func() { AssertEqual(int64(2), 3) }, "ожидалось 3, получено 2"},
		{func() { AssertEqual("a", "b", "Имя %s.", "x") }, "Имя x: ожидалось b, получено a"},
	} {
		got := ""
		if err := Try(c.f); err != nil {
			got = err.Error()
			if err.(*Error).Exception != "AssertionError" {
				t.Errorf("exception %s", err.(*Error).Exception)
			}
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestBrokenConnection(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	startServer(t, func(req map[string]any, send func(map[string]any)) map[string]any {
		if broken.Swap(false) {
			return nil
		}
		return analysed(req, send)
	})
	spark := NewSession("lesson")
	err := Try(func() { spark.Table("t") })
	if err == nil || err.(*Error).Exception != "EngineError" || !strings.Contains(err.(*Error).Hint, "ещё раз") {
		t.Errorf("a broken connection: %v", err)
	}
	if err := Try(func() { spark.Table("t") }); err != nil {
		t.Errorf("the next request: %v", err)
	}
}

// TestMain lets the test binary play a cell or `lakelab engine start`, since both are processes of their own.
func TestMain(m *testing.M) {
	switch os.Getenv("LAKELAB_TEST_AS") {
	case "cell":
		NewSession("lesson").Table("slow")
		os.Exit(0)
	case "broken-engine":
		os.Stderr.WriteString("порт занят\n")
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// cell runs this test binary as a cell.
func cell(t *testing.T, env ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "LAKELAB_TEST_AS=cell"), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

func TestInterruptCancels(t *testing.T) {
	running := make(chan struct{})
	release := make(chan struct{})
	s := startServer(t, func(req map[string]any, send func(map[string]any)) map[string]any {
		if req["op"] == wire.OpAnalyze {
			close(running)
			<-release
		}
		return analysed(req, send)
	})
	cmd, out := cell(t)
	<-running
	start := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	close(release)
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != syscall.SIGINT || time.Since(start) > 2*time.Second {
		t.Errorf("the cell ended after %v with %v\n%s", time.Since(start), err, out)
	}
	for deadline := time.Now().Add(2 * time.Second); !s.saw(wire.OpCancel); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no cancel arrived")
		}
	}
}

func TestEngineThatDoesNotStart(t *testing.T) {
	t.Setenv("LAKELAB_LAKEHOUSE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("LAKELAB_BIN", os.Args[0])
	t.Setenv("LAKELAB_TEST_AS", "broken-engine")
	engine.close()
	err := Try(func() { NewSession("lesson").Table("t") })
	if err == nil || err.(*Error).Exception != "EngineError" || !strings.Contains(err.Error(), "порт занят") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("an engine that cannot start: %v", err)
	}
	t.Setenv("LAKELAB_BIN", filepath.Join(t.TempDir(), "absent"))
	if err := Try(func() { NewSession("lesson").Table("t") }); err == nil || !strings.Contains(err.(*Error).Hint, "make build") {
		t.Errorf("an engine that is not built: %v", err)
	}
}

func TestSessionNames(t *testing.T) {
	t.Setenv("LAKELAB_SESSION", "")
	t.Setenv("GONB_TMP_DIR", "/tmp/gonb_1234")
	if got := sessionID(); got != "gonb_1234" {
		t.Errorf("under a stock GoNB: %q", got)
	}
	t.Setenv("GONB_TMP_DIR", "")
	if got := sessionID(); !strings.HasPrefix(got, "pid-") {
		t.Errorf("without a kernel: %q", got)
	}
	t.Setenv("LAKELAB_LAKEHOUSE", "")
	project, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if got := lakehouseDir(); got != filepath.Join(project, "lakehouse") {
		t.Errorf("the default lakehouse is %s", got)
	}
}
