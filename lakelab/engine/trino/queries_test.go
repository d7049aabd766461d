package trino

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestQueries follows queries from their beginning to where they are forgotten.
func TestQueries(t *testing.T) {
	var l Queries
	var killed error
	l.Begin(Query{ID: "a", Text: "SELECT 1"}, func(err error) { killed = err })
	if q, ok := l.Find("a"); !ok || q.State != Queued || q.Done() || !q.Started.IsZero() {
		t.Errorf("%+v %v", q, ok)
	}
	l.Start("a")
	why := errors.New("killed")
	if q, ok := l.Kill("a", why); !ok || q.State != Running || killed != why {
		t.Errorf("%+v %v %v", q, ok, killed)
	}
	l.End("a", &Failure{Name: "ADMINISTRATIVELY_KILLED"})
	l.End("a", nil) // too late
	killed = nil
	if q, ok := l.Kill("a", why); !ok || q.State != Failed || !q.Done() || q.Failure.Name != "ADMINISTRATIVELY_KILLED" || killed != nil {
		t.Errorf("%+v %v %v", q, ok, killed)
	}
	if _, ok := l.Kill("b", why); ok {
		t.Error("killed what is not there")
	}
}

// TestQueriesForgotten ends more queries than are kept: young ones, old ones, and ones with long texts.
func TestQueriesForgotten(t *testing.T) {
	run := func(n int, text string) (kept int) {
		var l Queries
		for i := range n {
			id := fmt.Sprint(i)
			l.Begin(Query{ID: id, Text: text}, func(error) {})
			l.End(id, nil)
		}
		return len(l.All())
	}
	if got := run(historyMost+500, "SELECT 1"); got != historyMost {
		t.Errorf("%d short ones are kept", got)
	}
	if got := run(50, strings.Repeat("x", 1<<20)); got != historyTexts>>20 {
		t.Errorf("%d long ones are kept", got)
	}
	if got := run(3, strings.Repeat("x", historyTexts+1)); got != 1 {
		t.Errorf("%d very long ones are kept", got)
	}
	var l Queries
	for i := range 300 {
		id := fmt.Sprint(i)
		l.Begin(Query{ID: id}, func(error) {})
		l.End(id, nil)
	}
	for _, q := range l.ended {
		q.Ended = time.Now().Add(-historyAge)
	}
	l.Begin(Query{ID: "new"}, func(error) {})
	l.End("new", nil)
	if all := l.All(); len(all) != historyLeast || all[0].ID != "201" {
		t.Errorf("%d are kept, the first is %s", len(all), all[0].ID)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0.00ns", 502_340: "502.34us", 88_050_000: "88.05ms", 61 * time.Second: "1.02m", 36 * time.Hour: "1.50d"} {
		if got := Duration(d); got != want {
			t.Errorf("%v: %s, want %s", int64(d), got, want)
		}
	}
}
