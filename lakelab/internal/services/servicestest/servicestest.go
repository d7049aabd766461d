// Package servicestest starts services for tests.
package servicestest

import (
	"errors"
	"testing"

	"mini-lakehouse-lab/lakelab/internal/services"
)

// Postgres starts a PostgreSQL for a test; the test is skipped where none is installed.
func Postgres(t testing.TB) *services.Postgres {
	t.Helper()
	p, err := services.StartPostgres(t.Context())
	if errors.Is(err, services.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}
