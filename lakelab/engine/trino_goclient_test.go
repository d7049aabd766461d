package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trinodb/trino-go-client/trino"
)

// TestTrinoSuiteOfGoClient runs the suite through trino-go-client as a program does: the columns' types and the values that it makes of the
// engine's answers must be those that it makes of the recorded ones (TestTrinoSuiteOfClients does the same for other clients).
func TestTrinoSuiteOfGoClient(t *testing.T) {
	known := knownDisagreements(t)
	for _, path := range suitePaths(t) {
		name := suiteName(path)
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "transactions") {
				t.Skip("trino-go-client begins transactions by BeginTx, not by statements")
			}
			lakehouse := filepath.Join(t.TempDir(), "lakehouse")
			answers := settled(t, recordedAnswers(t, path), name, known, lakehouse)
			fromReplay, fromDoor := goClient(t, newReplay(t, answers).url), goClient(t, openDoorAt(t, lakehouse))
			for _, a := range answers {
				if beyond("go", name, a.SQL) {
					continue
				}
				want, got := seenByProgram(t.Context(), fromReplay, a.SQL), seenByProgram(t.Context(), fromDoor, a.SQL)
				if withoutIDs(got) != withoutIDs(want) {
					t.Errorf("%s\ngot  %s\nwant %s", a.SQL, got, want)
				}
			}
		})
	}
}

// goClient is a session of trino-go-client.
func goClient(t *testing.T, address string) *sql.Conn {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User("suite")
	connector, err := trino.NewConnector(&trino.Config{ServerURI: u.String(), Source: "suite", Catalog: "lakehouse", Schema: "suite", TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// seenByProgram is what a program learns of a statement.
func seenByProgram(ctx context.Context, c *sql.Conn, statement string) string {
	var out strings.Builder
	err := func() error {
		rows, err := c.QueryContext(ctx, statement)
		if err != nil {
			return err
		}
		defer rows.Close()
		columns, err := rows.ColumnTypes()
		if err != nil {
			return err
		}
		values, pointers := make([]any, len(columns)), make([]any, len(columns))
		for i, k := range columns {
			pointers[i] = &values[i]
			length, hasLength := k.Length()
			precision, scale, isDecimal := k.DecimalSize()
			fmt.Fprintln(&out, k.Name(), k.DatabaseTypeName(), k.ScanType(), length, hasLength, precision, scale, isDecimal)
		}
		for rows.Next() {
			if err := rows.Scan(pointers...); err != nil {
				return err
			}
			for _, v := range values {
				fmt.Fprintf(&out, "%T %v | ", v, v)
			}
			out.WriteByte('\n')
		}
		return rows.Err()
	}()
	var e *trino.ErrTrino
	if errors.As(err, &e) {
		fmt.Fprintf(&out, "%s %s %d %s %v", e.ErrorType, e.ErrorName, e.ErrorCode, e.Message, e.ErrorLocation)
	} else if err != nil {
		fmt.Fprintf(&out, "fails: %v", err)
	}
	return out.String()
}
