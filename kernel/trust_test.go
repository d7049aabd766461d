package main

import (
	"strings"
	"testing"
)

func wantError(t *testing.T, r result, ename, evalue string) {
	t.Helper()
	if r.Status != "error" || r.Error == nil || r.Error.Name != ename || !strings.Contains(r.Error.Value, evalue) {
		t.Errorf("status %q, error %+v, want %s: …%s…", r.Status, r.Error, ename, evalue)
	}
}

// TestUnreported: a cell can't hide from the kernel how it ended, and if the kernel isn't told, the cell failed.
func TestUnreported(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "%env LAKELAB_KERNEL_RUN /nonexistent"},
		step{"run": "panic(\"x\")"},
		step{"run": "%env PATH=/usr/bin:/bin"},
		step{"run": "%env TMPDIR /var/tmp"},
		step{"run": "%env LAKELAB_SESSION mine"},
		step{"run": "panic(\"y\")"},
		step{"run": "fmt.Println(os.Getenv(\"PATH\"), os.TempDir(), os.Getenv(\"LAKELAB_SESSION\") != \"mine\")"},
		step{"run": "!echo $PATH"},
		step{"run": "os.Remove(filepath.Dir(filepath.Dir(os.Args[0])) + \"/supervisor\")"},
		step{"run": "fmt.Println(1)"},
		step{"run": "fmt.Println(2)"},
		step{"run": "!echo 3"},
		step{"run": "%%bash\necho 4"},
	)
	wantError(t, r[1], "panic", "x")
	wantError(t, r[5], "panic", "y")
	wantOK(t, r[6], "/usr/bin:/bin /var/tmp true\n")
	wantOK(t, r[7], "/usr/bin:/bin\n")
	wantOK(t, r[8], "")
	wantError(t, r[9], "KernelError", "how the cell's program ended")
	for _, i := range []int{10, 11, 12} {
		wantError(t, r[i], "KernelError", "how the cell's program ended")
	}
}

// TestOddRequests: what the kernel does not expect costs one request, not the session.
func TestOddRequests(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "func kept() int { return 7 }"},
		step{"run": "//line foo.go:100\nfmt.Println(1)\n\nfunc f() {}\n/*line bar.go:500:3*/ var v = []int{\n\t1,\n}\nfmt.Println(len(v))"},
		step{"run": "//line foo.go:100\nfmt.Println(1\n"},
		step{"run": "fmt.Println(\"a\")\n//line foo.go:100\npanic(\"b\")"},
		step{"complete": "fmt.Pr", "pos": -5},
		step{"complete": "fmt.Pr", "pos": 1 << 62},
		step{"inspect": "fmt.Print", "pos": -5},
		step{"run": "fmt.Println(kept())"},
	)
	wantOK(t, r[1], "1\n1\n")
	wantError(t, r[2], "CompileError", "missing ','")
	wantError(t, r[3], "panic", "b")
	if trace := ansi.ReplaceAllString(strings.Join(r[3].Error.Traceback, "\n"), ""); !strings.Contains(trace, "Cell line 3") {
		t.Error(trace)
	}
	wantOK(t, r[7], "7\n")
}

// TestMagics: what GoNB passes over in silence fails a cell, as in IPython.
func TestMagics(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "!false"},
		step{"run": "!echo a; exit 3"},
		step{"run": "%%bash\necho b\nexit 5"},
		step{"run": "%%sh\necho it\\'s c"},
		step{"run": "%%script bash -e\nfalse\necho d"},
		step{"run": "%%script nosuchprogram\nx"},
		step{"run": "%nosuchmagic"},
		step{"run": "%tset\nfunc TestX(t *testing.T) {}"},
		step{"run": "%%time\nfmt.Println(1)"},
		step{"run": "!echo \"it's\" 'one \\\n two' `echo $HOME >/dev/null` $((1+1))\nfmt.Println(3)"},
		step{"run": "! "},
		step{"run": "!*basename $PWD | cut -c1-5"},
	)
	wantOK(t, r[0], "")
	wantOK(t, r[1], "a\n")
	for i, want := range []string{"exit status 1\n", "exit status 3\n"} {
		if r[i].Stderr != want {
			t.Errorf("stderr %q, want %q", r[i].Stderr, want)
		}
	}
	wantError(t, r[2], "CalledProcessError", "exit status 5")
	wantOK(t, r[3], "it's c\n")
	wantError(t, r[4], "CalledProcessError", "exit status 1")
	wantError(t, r[5], "StartError", "nosuchprogram")
	wantError(t, r[6], "UsageError", "Line magic function `%nosuchmagic` not found.")
	wantError(t, r[7], "UsageError", "Did you mean `%test`?")
	wantError(t, r[8], "UsageError", "Cell magic `%%time` not found.")
	wantOK(t, r[9], "it's one   two 2\n3\n")
	wantError(t, r[10], "UsageError", "empty command")
	wantOK(t, r[11], "gonb_\n")
}

// TestNobodyAnswers: a cell that asks for input under nbconvert fails, it does not wait for ever.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	r := drive(t,
		step{"run": "%with_inputs\n!read x; echo got $x", "timeout": 30},
		step{"run": "fmt.Println(1)"},
	)
	wantError(t, r[0], "StdinNotImplementedError", "input")
	wantOK(t, r[1], "1\n")
}
