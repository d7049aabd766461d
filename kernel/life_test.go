package main

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

const sleeping = "fmt.Println(\"on\")\ntime.Sleep(30 * time.Second)\nfmt.Println(\"off\")"

func wantInterrupt(t *testing.T, r result) {
	t.Helper()
	if r.Status != "error" || r.Error == nil || r.Error.Name != "KeyboardInterrupt" {
		t.Errorf("status %q, error %+v, want KeyboardInterrupt", r.Status, r.Error)
	}
	if strings.Contains(r.Stderr, "goroutine ") {
		t.Errorf("stderr %q", r.Stderr)
	}
}

func wantOK(t *testing.T, r result, stdout string) {
	t.Helper()
	if r.Status != "ok" || r.Stdout != stdout {
		t.Errorf("status %q, stdout %q, error %+v, want ok, %q", r.Status, r.Stdout, r.Error, stdout)
	}
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": sleeping, "during": "interrupt"},
		step{"run": "fmt.Println(1)"},
		step{"run": sleeping, "during": "signal"},
		step{"run": "import (\"os/signal\"; \"os\")\nsignal.Ignore(os.Interrupt)\nfmt.Println(\"on\")\ntime.Sleep(30*time.Second)", "during": "interrupt"},
		step{"run": "c := make(chan os.Signal, 1)\nsignal.Notify(c, os.Interrupt)\nfmt.Println(\"on\")\n<-c\nfmt.Println(\"caught\")", "during": "interrupt"},
		// While it builds: encoding/json/v2 is not among the packages with an archive in every Go, tests always go to `go test`.
		step{"run": "import \"testing\"\n%test\nfunc TestLong(t *testing.T) { time.Sleep(time.Minute) }", "during": "interrupt", "at_once": true, "after": 0.3},
		step{"run": "!sleep 30", "during": "interrupt", "at_once": true, "after": 0.3},
		step{"run": "fmt.Println(2)"},
	)
	for _, i := range []int{0, 2, 3, 5, 6} {
		wantInterrupt(t, r[i])
		if limit := 8.0; r[i].Seconds > limit {
			t.Errorf("step %d took %.1f s", i, r[i].Seconds)
		}
	}
	wantOK(t, r[1], "1\n")
	wantOK(t, r[4], "on\ncaught\n")
	wantOK(t, r[7], "2\n")
}

func TestRestart(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "func f() int { return 5 }\nfmt.Println(os.Getenv(\"LAKELAB_SESSION\"))"},
		step{"do": "restart"},
		step{"run": "fmt.Println(os.Getenv(\"LAKELAB_SESSION\"))"},
		step{"run": "fmt.Println(f())"},
	)
	if r[0].Status != "ok" || r[2].Status != "ok" || r[0].Stdout == r[2].Stdout {
		t.Errorf("session %q, then %q", r[0].Stdout, r[2].Stdout)
	}
	if r[3].Error == nil || r[3].Error.Value != "undefined: f" {
		t.Errorf("after a restart: %+v", r[3].Error)
	}
}

// TestRunAll: what waits behind a failed cell is not run.
func TestRunAll(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"runs": []string{"fmt.Println(1)", "panic(\"x\")", "fmt.Println(2)", "fmt.Println(3)"}},
		step{"run": "fmt.Println(4)"},
	)
	if want := []string{"ok", "error", "aborted", "aborted"}; !slices.Equal(r[0].All, want) {
		t.Errorf("got %v, want %v", r[0].All, want)
	}
	wantOK(t, r[1], "4\n")
}

// TestOrder: output, error, idle.
func TestOrder(t *testing.T) {
	t.Parallel()
	r := drive(t, step{"run": "for i := range 100 {\n\tfmt.Println(i)\n}\npanic(\"x\")"})[0]
	if n := len(r.Order); n < 3 || r.Order[n-1] != "idle" || r.Order[n-2] != "error" || !strings.HasSuffix(r.Stdout, "98\n99\n") {
		t.Errorf("messages %v, stdout %q", r.Order, r.Stdout)
	}
}

// TestDeath: however a kernel dies, nothing stays behind; drive checks that.
func TestDeath(t *testing.T) {
	for _, how := range []string{"kill-kernel", "kill-gonb", "term"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			r := drive(t, step{"run": sleeping, "during": how, "timeout": 20})
			if r[0].Status == "ok" || r[0].Status == "timeout" {
				t.Errorf("status %q", r[0].Status)
			}
		})
	}
	t.Run("kill-cell", func(t *testing.T) {
		t.Parallel()
		r := drive(t, step{"run": sleeping, "during": "kill-cell"}, step{"run": "fmt.Println(1)"})
		if r[0].Error == nil || r[0].Error.Name != "Signal" {
			t.Errorf("%+v", r[0].Error)
		}
		wantOK(t, r[1], "1\n")
	})
	t.Run("idle", func(t *testing.T) {
		t.Parallel()
		drive(t, step{"run": "fmt.Println(1)"}, step{"do": "kill-kernel"})
	})
	t.Run("shutdown while running", func(t *testing.T) {
		t.Parallel()
		drive(t, step{"run": sleeping, "during": "shutdown", "timeout": 20})
	})
}

// TestTenKernels: many at once.
func TestTenKernels(t *testing.T) {
	jupyter(t)
	var wg sync.WaitGroup
	slots := make(chan bool, 5)
	for range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- true
			defer func() { <-slots }()
			wantOK(t, drive(t, step{"run": "fmt.Println(1)"})[0], "1\n")
		}()
	}
	wg.Wait()
}

func TestInput(t *testing.T) {
	t.Parallel()
	r := drive(t, step{"run": "%with_inputs\n!read x; echo got $x", "input": "слово"})
	wantOK(t, r[0], "got слово\n")
}

func TestMuchOutput(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "w := bufio.NewWriter(os.Stdout)\nfor range 1 << 20 {\n\tfmt.Fprintln(w, strings.Repeat(\"x\", 99))\n}\nw.Flush()"},
		step{"run": "w := bufio.NewWriter(os.Stderr)\nfor range 100_000 {\n\tfmt.Fprintln(w, \"panic: \"+strings.Repeat(\"x\", 92))\n}\nw.Flush()"},
		step{"run": "import \"github.com/janpfeifer/gonb/gonbui\"\ngonbui.DisplayHTML(\"<p>\" + strings.Repeat(\"x\", 30_000_000))\ngonbui.Sync()"},
	)
	if r[0].Status != "ok" || r[0].StdoutSize != 100<<20 {
		t.Errorf("100 MB: %s, %d bytes", r[0].Status, r[0].StdoutSize)
	}
	if r[1].Status != "ok" || !strings.HasPrefix(r[1].Stderr, "panic: xxx") {
		t.Errorf("10 MB of stderr: %s", r[1].Status)
	}
	if r[2].Status != "ok" || r[2].Size < 30_000_000 {
		t.Errorf("30 MB of HTML: %s, %d bytes, %+v", r[2].Status, r[2].Size, r[2].Error)
	}
}

// TestGoplsStartsEarly: with the first sign of a person, and not in a headless run.
func TestGoplsStartsEarly(t *testing.T) {
	t.Parallel()
	r := drive(t, step{"run": "fmt.Println(1)"}, step{"gopls": false}, step{"gopls": true})
	if r[1].Found || !r[2].Found {
		t.Errorf("headless: %v, under JupyterLab: %v", r[1].Found, r[2].Found)
	}
}

func TestCompleteAndInspect(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "import (\n\t\"fmt\"\n\t\"mini-lakehouse-lab/lakelab\"\n)\nfunc Twice(n int) int { return 2*n }\nvar _ = lakelab.Assert"},
		step{"complete": "x := 1\n// русский\nfmt.Printl|"},
		step{"complete": "%%\nTwi|"},
		step{"complete": "lakelab.NewSess|"},
		step{"inspect": "fmt.Println|(1)"},
		step{"inspect": "lakelab.NewSession|(\"x\")"},
	)
	for i, want := range map[int]string{1: "Println", 2: "Twice", 3: "NewSession"} {
		if !slices.ContainsFunc(r[i].Matches, func(m string) bool { return strings.HasPrefix(m, want) }) {
			t.Errorf("step %d: %v, want %s", i, r[i].Matches, want)
		}
	}
	for i := range r[1:] { // waiting for gopls is no work of the kernel's
		if r[1+i].Busy > 1 {
			t.Errorf("step %d: busy for %.1f s", 1+i, r[1+i].Busy)
		}
	}
	if r[1].Replaced != "Printl" {
		t.Errorf("the completion replaces %q", r[1].Replaced)
	}
	for i, want := range map[int]string{4: "func fmt.Println", 5: "NewSession"} {
		if text := r[i].Data["text/markdown"] + r[i].Data["text/plain"] + r[i].Data["text/html"]; !r[i].Found || !strings.Contains(text, want) {
			t.Errorf("step %d: found %v, %v", i, r[i].Found, r[i].Data)
		}
	}
}
