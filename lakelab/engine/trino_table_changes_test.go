package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestTableChanges reads changes between snapshots, and counts the changes of a table's metadata; LAKELAB_TRINO names a real Trino that must
// answer the same.
func TestTableChanges(t *testing.T) {
	address := os.Getenv("LAKELAB_TRINO")
	if address == "" {
		address = openDoor(t)
	}
	c := newTrinoSuiteClient(t, address)
	c.empty(t)
	run := func(sql string) [][]any {
		t.Helper()
		a := c.run(t, sql)
		if a.Error != nil {
			t.Fatalf("%s\n%s", sql, showTrino(a))
		}
		return a.Rows
	}
	run("CREATE TABLE c (id integer, v varchar) WITH (partitioning = ARRAY['id'])")
	first := run(`SELECT coalesce(max(snapshot_id), 0) FROM "c$snapshots"`)[0][0]
	if fmt.Sprint(first) == "0" { // Trino makes a snapshot with the table
		run("INSERT INTO c SELECT 0, 'x' WHERE false")
	}
	for _, sql := range []string{"INSERT INTO c VALUES (1, 'a'), (2, 'b')", "INSERT INTO c VALUES (3, 'c')", "DELETE FROM c WHERE id = 1", "ALTER TABLE c ADD COLUMN n integer", "INSERT INTO c VALUES (4, 'd', 4)", "UPDATE c SET v = 'z' WHERE id = 2"} {
		run(sql)
	}
	var ids []any
	for _, r := range run(`SELECT snapshot_id FROM "c$snapshots" ORDER BY committed_at`) {
		ids = append(ids, r[0])
	}
	ids = ids[len(ids)-6:] // without the one that Trino makes, or with it: the inserts and changes are the last five
	changes := func(from, to int, rest string) string {
		return fmt.Sprintf("SELECT * FROM TABLE(lakehouse.system.table_changes(schema_name => 'suite', table_name => 'C', start_snapshot_id => %v, end_snapshot_id => %v))%s", ids[from], ids[to], rest)
	}
	rows := func(from, to int) string {
		var out []string
		for _, r := range run(strings.Replace(changes(from, to, " ORDER BY _change_ordinal, id"), "*", "id, v, _change_type, _change_ordinal, _change_version_id, _change_timestamp > TIMESTAMP '2001-01-01 00:00:00 UTC'", 1)) {
			for i, id := range ids {
				if r[4] == id {
					r[4] = i
				}
			}
			out = append(out, strings.TrimSpace(fmt.Sprintln(r...)))
		}
		return strings.Join(out, "; ")
	}
	for _, k := range []struct {
		from, to int
		want     string
	}{
		{0, 1, "1 a insert 0 1 true; 2 b insert 0 1 true"},
		{0, 3, "1 a insert 0 1 true; 2 b insert 0 1 true; 3 c insert 1 2 true; 1 a delete 2 3 true"},
		{3, 4, "4 d insert 0 4 true"},
	} {
		if got := rows(k.from, k.to); got != k.want {
			t.Errorf("from %d to %d: %s, want %s", k.from, k.to, got, k.want)
		}
	}
	for sql, want := range map[string][2]string{
		changes(0, 1, ""): {"[[id integer] [v varchar] [_change_type varchar] [_change_version_id bigint] [_change_timestamp timestamp(3) with time zone] [_change_ordinal integer]]"},
		changes(0, 4, ""): {"[[id integer] [v varchar] [n integer] [_change_type varchar] [_change_version_id bigint] [_change_timestamp timestamp(3) with time zone] [_change_ordinal integer]]"},
		changes(0, 5, ""): {"", "NOT_SUPPORTED: Table uses features which are not yet supported by the table_changes function"},
		changes(1, 1, ""): {"", fmt.Sprintf("INVALID_FUNCTION_ARGUMENT: Starting snapshot (exclusive) %v is not a parent ancestor of end snapshot %v", ids[1], ids[1])},
		changes(2, 1, ""): {"", fmt.Sprintf("INVALID_FUNCTION_ARGUMENT: Starting snapshot (exclusive) %v is not a parent ancestor of end snapshot %v", ids[2], ids[1])},
	} {
		a := c.run(t, sql)
		got := [2]string{fmt.Sprint(a.Columns)}
		if a.Error != nil {
			got = [2]string{"", a.Error.Name + ": " + a.Error.Message}
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", sql, got, want)
		}
	}
	// Several properties are one change.
	count := func() int { return len(run(`SELECT * FROM "c$metadata_log_entries"`)) }
	before := count()
	run("ALTER TABLE c SET PROPERTIES partitioning = ARRAY['v'], sorted_by = ARRAY['id'], max_commit_retry = 7")
	if after := count(); after != before+1 {
		t.Errorf("SET PROPERTIES of three properties made %d changes", after-before)
	}
}
