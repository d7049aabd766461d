package lakelab

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

// TestGobBytes: GoNB's own package reads what is made by hand.
func TestGobBytes(t *testing.T) {
	long := strings.Repeat("длинный текст ", 10_000)
	stream := gobTypes()
	stream = gobDisplay(stream, bundle{html: "<b>x</b>", plain: "x"})
	stream = gobSync(stream, 300)
	stream = gobDisplay(stream, bundle{html: long, plain: "", id: "id-1"})
	stream = gobSync(stream, -1)
	dec := gob.NewDecoder(bytes.NewReader(stream))
	next := func() protocol.DisplayData {
		var d protocol.DisplayData
		if err := dec.Decode(&d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := next(); d.DisplayID != "" || len(d.Data) != 2 || d.Data[protocol.MIMETextHTML] != "<b>x</b>" || d.Data[protocol.MIMETextPlain] != "x" {
		t.Errorf("first display %#v", d)
	}
	want := protocol.CommValue{Address: protocol.GonbuiSyncAddress, Value: 300}
	if d := next(); len(d.Data) != 1 || d.Data[protocol.MIMECommValue] != want {
		t.Errorf("sync %#v", d)
	}
	if d := next(); d.DisplayID != "id-1" || d.Data[protocol.MIMETextHTML] != long || d.Data[protocol.MIMETextPlain] != "" {
		t.Errorf("second display: id %q, %d mime types", d.DisplayID, len(d.Data))
	}
	want.Value = -1
	if d := next(); d.Data[protocol.MIMECommValue] != want {
		t.Errorf("second sync %#v", d)
	}
}

// kernelPipes plays GoNB: two named pipes, displays collected, syncs answered.
func kernelPipes(t *testing.T) <-chan protocol.DisplayData {
	t.Helper()
	dir := t.TempDir()
	out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back")
	for _, p := range []string{out, back} {
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GONB_PIPE", out)
	t.Setenv("GONB_PIPE_BACK", back)
	displays := make(chan protocol.DisplayData, 100)
	go func() {
		defer close(displays)
		r, err := os.Open(out)
		if err != nil {
			return
		}
		defer r.Close()
		dec := gob.NewDecoder(r)
		var enc *gob.Encoder
		for {
			var d protocol.DisplayData
			if dec.Decode(&d) != nil {
				return
			}
			v, isSync := d.Data[protocol.MIMECommValue].(protocol.CommValue)
			if !isSync {
				displays <- d
				continue
			}
			if enc == nil {
				w, err := os.OpenFile(back, os.O_WRONLY, 0)
				if err != nil {
					return
				}
				defer w.Close()
				enc = gob.NewEncoder(w)
			}
			if enc.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: v.Value}) != nil {
				return
			}
		}
	}()
	t.Cleanup(closePipes)
	return displays
}

func closePipes() {
	notebook.mu.Lock()
	defer notebook.mu.Unlock()
	for _, f := range []*os.File{notebook.out, notebook.in} {
		if f != nil {
			f.Close()
		}
	}
	notebook.out, notebook.in, notebook.err = nil, nil, nil
}

func TestDisplayReturnsWhenShown(t *testing.T) {
	displays := kernelPipes(t)
	for i, text := range []string{"<b>один</b>", "<i>два</i>", "три &amp; четыре<br>пять"} {
		start := time.Now()
		Display(HTML(text))
		select {
		case d := <-displays:
			if d.Data[protocol.MIMETextHTML] != text || strings.ContainsAny(d.Data[protocol.MIMETextPlain].(string), "<>") {
				t.Errorf("display %d: %#v", i, d.Data)
			}
		default:
			t.Errorf("Display %d returned before the kernel had it", i)
		}
		if took := time.Since(start); took > syncTimeout/2 {
			t.Errorf("display %d took %v", i, took)
		}
	}
}

func TestProgressAppearsAndGoes(t *testing.T) {
	displays := kernelPipes(t)
	startServer(t, func(req map[string]any, send func(map[string]any)) map[string]any {
		if req["op"] == wire.OpCount {
			for i := range 12 {
				text := "чтение <файлов>"
				if i == 11 {
					text = ""
				}
				send(map[string]any{"t": "progress", "percent": float64(i * 8), "text": text})
				time.Sleep(progressDelay / 8)
			}
			return map[string]any{"count": int64(5)}
		}
		return analysed(req, send)
	})
	df := NewSession("lesson").Table("t") // fast: no bar
	if n := df.Count(); n != 5 {
		t.Errorf("count %d", n)
	}
	closePipes() // ends the stream
	var all []protocol.DisplayData
	for d := range displays {
		all = append(all, d)
	}
	if len(all) < 3 {
		t.Fatalf("%d displays, want the bar, updates and the removal", len(all))
	}
	first, last := all[0], all[len(all)-1]
	html := first.Data[protocol.MIMETextHTML].(string)
	if !strings.Contains(html, "<progress value=") || !strings.Contains(html, "чтение &lt;файлов&gt;") || first.DisplayID == "" {
		t.Errorf("the bar: %#v", first)
	}
	for _, d := range all {
		if d.DisplayID != first.DisplayID {
			t.Errorf("another id: %q", d.DisplayID)
		}
	}
	if last.Data[protocol.MIMETextHTML] != "" || last.Data[protocol.MIMETextPlain] != "" {
		t.Errorf("the bar stayed: %#v", last)
	}
}

func TestNothingIsPrintedOnSuccess(t *testing.T) {
	startServer(t, func(req map[string]any, send func(map[string]any)) map[string]any {
		time.Sleep(progressDelay + 100*time.Millisecond)
		return analysed(req, send)
	})
	cmd, out := cell(t, "GONB_PIPE=")
	if err := cmd.Wait(); err != nil || out.Len() > 0 {
		t.Errorf("%v, output %q", err, out)
	}
}

func TestDisplayOfOtherValues(t *testing.T) {
	bar := charts.NewBar()
	bar.SetXAxis([]string{"Queens"}).AddSeries("trips", []opts.BarData{{Value: 42}})
	if b := bundleOf(bar); !strings.Contains(b.html, "<iframe") || !strings.Contains(b.html, "[&#34;Queens&#34;]") || b.plain != "<график *charts.Bar>" {
		t.Errorf("a chart: %+v", b)
	}
	if b := bundleOf(42); b.plain != "42" || b.html != "<pre>42</pre>" {
		t.Errorf("a number: %+v", b)
	}
	if b := bundleOf(&TrinoResult{html: "<table>", text: "   a\n0  1\n"}); b.html != "<table>" || b.plain != "   a\n0  1\n" {
		t.Errorf("a Trino result: %+v", b)
	}
	if got := plainText("<table><tr><th>a</th><th>b</th></tr><tr><td>1 &lt; 2</td><td>x</td></tr></table>"); got != "a\tb\n1 < 2\tx" {
		t.Errorf("plain text %q", got)
	}
}
