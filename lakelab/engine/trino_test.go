package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/trino"
)

// panicking is a context that panics, once it is armed, the next time that a value is asked of it.
type panicking struct {
	context.Context
	armed bool
}

func (p *panicking) Value(key any) any {
	if p.armed {
		p.armed = false
		panic("a defect")
	}
	return p.Context.Value(key)
}

// TestTrinoPanic has a statement panic while it runs: it must not count as running for ever.
func TestTrinoPanic(t *testing.T) {
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, statement := range []string{"CREATE SCHEMA suite", "SELECT 1"} { // the one panics in Execute, the other when its rows are asked for
		ctx := &panicking{Context: t.Context()}
		func() {
			defer func() {
				if p := recover(); p != "a defect" {
					t.Errorf("%s: panicked with %v", statement, p)
				}
			}()
			s := trino.Session{User: "u", Catalog: CatalogName, Schema: "suite", Follow: func(func() float64) { ctx.armed = true }}
			r, err := e.Trino().Execute(ctx, s, statement)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			rows, err := r.Next()
			t.Errorf("%s: no panic: %v %v", statement, rows, err)
		}()
		time.Sleep(time.Millisecond)
		if e.Idle() == 0 {
			t.Errorf("%s: the engine is said to be busy", statement)
		}
	}
}

// TestTrinoRunLimit has a statement's own limit of time end it, and not one of the services that it waits for.
func TestTrinoRunLimit(t *testing.T) {
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, property := range []string{"query_max_run_time", "query_max_execution_time"} {
		ctx, fail := context.WithCancelCause(t.Context())
		s := trino.Session{User: "u", Catalog: CatalogName, Schema: "suite", Properties: map[string]string{property: "10ms"}, Follow: func(func() float64) {}, Fail: fail}
		r, err := e.Trino().Execute(ctx, s, "SELECT sum(x) FROM UNNEST(sequence(1, 10000)) a(y) CROSS JOIN UNNEST(sequence(1, 10000)) b(x) CROSS JOIN UNNEST(sequence(1, 100)) c(z)")
		if err == nil {
			_, err = r.Next()
			_ = r.Close()
		}
		var known *errclass.Error
		if !errors.As(err, &known) || known.Class != "EXCEEDED_TIME_LIMIT" || !strings.HasSuffix(known.Message, "10.00ms") {
			t.Errorf("%s: %v", property, err)
		}
	}
	service := fmt.Errorf("get s3://bucket/key: %w", context.DeadlineExceeded)
	if err := (&trinoResult{session: &Session{}, ctx: t.Context()}).failed(service); err != service {
		t.Errorf("without a limit: %v", err)
	}
}

// TestTrinoSessionZone sets and resets the time zone of a session that lives longer than a statement. A client of the door sends its own each time.
func TestTrinoSessionZone(t *testing.T) {
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "zone", "")
	for _, c := range []struct{ statement, zone, class string }{
		{"SET TIME ZONE 'Asia/Tokyo'", "Asia/Tokyo", ""},
		{"SET TIME ZONE 'Nowhere'", "Asia/Tokyo", "NOT_SUPPORTED"},
		{"SET SESSION time_zone_id = 'Nowhere'", "Asia/Tokyo", "INVALID_SESSION_PROPERTY"},
		{"SET TIME ZONE 'Europe/Berlin'", "Europe/Berlin", ""},
		{"SET TIME ZONE LOCAL", "UTC", ""},
		{"SET TIME ZONE 'GMT+5'", "+05:00", ""},
		{"SET TIME ZONE INTERVAL '5:30' HOUR TO MINUTE", "+05:30", ""},
		{"RESET SESSION time_zone_id", "UTC", ""},
	} {
		_, err := s.Execute(t.Context(), sql.Trino, c.statement, plan.Params{})
		if (err != nil) != (c.class != "") || err != nil && !errclass.Is(err, c.class) {
			t.Errorf("%s: %v", c.statement, err)
		}
		if got := s.Conf(confTimeZone); got != c.zone {
			t.Errorf("%s: the session's zone is %s", c.statement, got)
		}
		property := s.trino.properties[timeZoneProperty]
		if want := c.zone; property != want && (property != "" || want != "UTC") {
			t.Errorf("%s: the property is %q", c.statement, property)
		}
	}
}
