package store_test

import (
	"errors"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/store"
	"mini-lakehouse-lab/lakelab/internal/services/servicestest"
)

// Several first starts make the tables at the same time; a role that may not make any uses them.
func TestMakeTableInPostgres(t *testing.T) {
	p := servicestest.Postgres(t)
	open := func(uri string) *store.DB {
		t.Helper()
		db, err := store.Open(t.Context(), uri)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	makeAll := func(db *store.DB) (err error) {
		for i := range 20 {
			name := fmt.Sprintf(`T%d`, i)
			err = errors.Join(err, db.MakeTable(t.Context(), name, "ID", `CREATE TABLE IF NOT EXISTS "`+name+`" ("ID" BIGINT PRIMARY KEY, "N" BIGINT)`,
				`CREATE INDEX IF NOT EXISTS "`+name+`_N" ON "`+name+`" ("N")`))
		}
		return err
	}
	var group sync.WaitGroup
	for range 6 {
		db := open(p.URI(true))
		group.Go(func() {
			if err := makeAll(db); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	owner := open(p.URI(true))
	for _, q := range []string{"CREATE ROLE guest LOGIN PASSWORD 'guest'", "REVOKE CREATE ON SCHEMA public FROM PUBLIC", "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO guest"} {
		if _, err := owner.Exec(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	u, err := url.Parse(p.URI(true))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("guest", "guest")
	guest := open(u.String())
	if err := makeAll(guest); err != nil {
		t.Error(err)
	}
	if err := guest.MakeTable(t.Context(), "missing", "id", "CREATE TABLE missing (id BIGINT)"); err == nil {
		t.Error("the role may make tables")
	}
}
