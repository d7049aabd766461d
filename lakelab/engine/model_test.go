package engine_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// The model of a table with whole numbers in all columns: what random statements must make of it.

// modelRow holds a row's values by column id; a column that is not there is NULL.
type modelRow map[int]int64

// The columns that every table of the model has: its key, the partition and a value. Further ones are added.
const (
	keyColumn = iota + 1
	partColumn
	valueColumn
)

type modelColumn struct {
	id   int
	name string
}

// modelState is rows under a schema, as one snapshot holds them.
type modelState struct {
	columns []modelColumn
	rows    []modelRow
}

// text has the rows as read prints them.
func (s modelState) text() string {
	rows := make([]string, len(s.rows))
	for i, r := range s.rows {
		cells := make([]string, len(s.columns))
		for j, c := range s.columns {
			cells[j] = "NULL"
			if v, ok := r[c.id]; ok {
				cells[j] = fmt.Sprint(v)
			}
		}
		rows[i] = strings.Join(cells, " ")
	}
	slices.Sort(rows)
	names := make([]string, len(s.columns))
	for i, c := range s.columns {
		names[i] = c.name
	}
	return strings.Join(names, " ") + "\n" + strings.Join(rows, "\n")
}

type modelSnapshot struct {
	modelState
	parent int64 // 0: none
}

// model is a table that random statements are run on, beside what it must hold.
type model struct {
	dir       string
	e         *engine.Engine
	s         *engine.Session
	columns   []modelColumn
	lastID    int
	lastKey   int64
	main      int64 // the current snapshot; 0: none
	branches  map[string]int64
	tags      map[string]int64
	snapshots map[int64]modelSnapshot
	made      []int64 // snapshots in the order in which they were made
	bucketed  bool    // there is a second partition field
	evolved   bool    // the partitioning has changed
}

func (m *model) open(t *rapid.T) {
	var err error
	if m.e, err = engine.Open(context.Background(), m.dir); err != nil {
		t.Fatal(err)
	}
	m.s = m.e.Session("", "model", m.dir)
}

// sql runs a statement and returns its rows, the columns' names first.
func (m *model) sql(t *rapid.T, format string, args ...any) [][]string {
	q := fmt.Sprintf(format, args...)
	r, err := m.s.Execute(context.Background(), sql.Spark, q, plan.Params{})
	var rows [][]any
	if err == nil {
		rows, err = m.s.Collect(context.Background(), r, -1)
	}
	if err != nil {
		t.Fatalf("%s\n%v", q, err)
	}
	t.Log(q)
	out := [][]string{{}}
	for _, f := range r.Schema.Fields {
		out[0] = append(out[0], f.Name)
	}
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, v := range row {
			if cells[i] = "NULL"; v != nil {
				cells[i] = fmt.Sprint(v)
			}
		}
		out = append(out, cells)
	}
	return out
}

// same reads from a table expression and compares.
func (m *model) same(t *rapid.T, from string, want modelState) {
	got := m.sql(t, "SELECT * FROM %s", from)
	rows := make([]string, len(got)-1)
	for i, r := range got[1:] {
		rows[i] = strings.Join(r, " ")
	}
	slices.Sort(rows)
	if text := strings.Join(got[0], " ") + "\n" + strings.Join(rows, "\n"); text != want.text() {
		t.Fatalf("%s reads\n%s\nbut must be\n%s", from, text, want.text())
	}
}

// rowsAt are copies of a snapshot's rows.
func (m *model) rowsAt(id int64) []modelRow {
	var out []modelRow
	for _, r := range m.snapshots[id].rows {
		out = append(out, maps.Clone(r))
	}
	return out
}

// target draws where a statement writes: main or a branch. at is its snapshot.
func (m *model) target(t *rapid.T) (table, branch string, at int64) {
	names := append([]string{""}, slices.Sorted(maps.Keys(m.branches))...)
	branch = rapid.SampledFrom(names).Draw(t, "branch")
	if branch == "" {
		return "d.t", "", m.main
	}
	return "d.t.branch_" + branch, branch, m.branches[branch]
}

// wrote notes what a write to a branch ("": main) has left: the table's newest snapshot, if there is a new one.
func (m *model) wrote(t *rapid.T, branch string, rows []modelRow) {
	name := branch
	if name == "" {
		name = "main"
	}
	at := m.main
	if branch != "" {
		at = m.branches[branch]
	}
	got := m.sql(t, "SELECT snapshot_id FROM d.t.refs WHERE name = '%s'", name)
	if len(got) == 1 && len(rows) == 0 { // nothing was written to an empty table
		return
	}
	var id int64
	if _, err := fmt.Sscan(got[1][0], &id); err != nil {
		t.Fatal(err)
	}
	if id == at {
		if (modelState{m.columns, rows}).text() != (modelState{m.columns, m.snapshots[at].rows}).text() {
			t.Fatal("the statement made no snapshot")
		}
		return
	}
	m.snapshots[id] = modelSnapshot{modelState{slices.Clone(m.columns), rows}, at}
	m.made = append(m.made, id)
	if branch == "" {
		m.main = id
	} else {
		m.branches[branch] = id
	}
}

// values draws rows for INSERT and MERGE: their model, and the text behind VALUES.
func (m *model) values(t *rapid.T, keys []int64) (rows []modelRow, text string) {
	var lines []string
	for _, k := range keys {
		r, cells := modelRow{}, []string{}
		for _, c := range m.columns {
			switch c.id {
			case keyColumn:
				r[c.id] = k
			case partColumn:
				r[c.id] = k % 3
			default:
				if rapid.IntRange(0, 4).Draw(t, "null") > 0 {
					r[c.id] = rapid.Int64Range(0, 9).Draw(t, "value")
				}
			}
			if v, ok := r[c.id]; ok {
				cells = append(cells, fmt.Sprint(v))
			} else {
				cells = append(cells, "CAST(NULL AS BIGINT)")
			}
		}
		rows, lines = append(rows, r), append(lines, "("+strings.Join(cells, ", ")+")")
	}
	return rows, strings.Join(lines, ", ")
}

// newKeys draws keys that no row has yet.
func (m *model) newKeys(t *rapid.T) (keys []int64) {
	for range rapid.IntRange(1, 4).Draw(t, "rows") {
		m.lastKey++
		keys = append(keys, m.lastKey)
	}
	return keys
}

// condition draws a filter, as text and as a function.
func (m *model) condition(t *rapid.T) (string, func(modelRow) bool) {
	n := rapid.Int64Range(0, 9).Draw(t, "n")
	value := m.valueName()
	switch rapid.IntRange(0, 4).Draw(t, "condition") {
	case 0:
		return fmt.Sprintf("p = %d", n%3), func(r modelRow) bool { return r[partColumn] == n%3 }
	case 1:
		return fmt.Sprintf("%s >= %d", value, n), func(r modelRow) bool { v, ok := r[valueColumn]; return ok && v >= n }
	case 2:
		return fmt.Sprintf("%s IS NULL OR k < %d", value, n), func(r modelRow) bool { _, ok := r[valueColumn]; return !ok || r[keyColumn] < n }
	case 3:
		return fmt.Sprintf("k %% 5 = %d", n%5), func(r modelRow) bool { return r[keyColumn]%5 == n%5 }
	}
	return "true", func(modelRow) bool { return true }
}

// valueName is the present name of the column that updates change.
func (m *model) valueName() string {
	return m.columns[slices.IndexFunc(m.columns, func(c modelColumn) bool { return c.id == valueColumn })].name
}

// actions are the random statements.
func (m *model) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"": m.check,
		"insert": func(t *rapid.T) {
			table, branch, at := m.target(t)
			rows, text := m.values(t, m.newKeys(t))
			m.sql(t, "INSERT INTO %s VALUES %s", table, text)
			m.wrote(t, branch, append(m.rowsAt(at), rows...))
		},
		"overwrite": func(t *rapid.T) {
			table, branch, at := m.target(t)
			mode := rapid.SampledFrom([]string{"static", "dynamic"}).Draw(t, "mode")
			m.sql(t, "SET spark.sql.sources.partitionOverwriteMode = %s", mode)
			rows, text := m.values(t, m.newKeys(t))
			if mode == "dynamic" {
				if m.evolved {
					t.Skip("files of another partitioning stay")
				}
				replaced := map[int64]bool{}
				for _, r := range rows {
					replaced[r[partColumn]] = true
				}
				for _, r := range m.rowsAt(at) {
					if !replaced[r[partColumn]] {
						rows = append(rows, r)
					}
				}
			}
			m.sql(t, "INSERT OVERWRITE %s VALUES %s", table, text)
			m.wrote(t, branch, rows)
		},
		"delete": func(t *rapid.T) {
			table, branch, at := m.target(t)
			where, holds := m.condition(t)
			m.sql(t, "DELETE FROM %s WHERE %s", table, where)
			m.wrote(t, branch, slices.DeleteFunc(m.rowsAt(at), holds))
		},
		"update": func(t *rapid.T) {
			table, branch, at := m.target(t)
			where, holds := m.condition(t)
			m.sql(t, "UPDATE %s SET %s = %s + 1 WHERE %s", table, m.valueName(), m.valueName(), where)
			rows := m.rowsAt(at)
			for _, r := range rows {
				if v, ok := r[valueColumn]; ok && holds(r) {
					r[valueColumn] = v + 1
				}
			}
			m.wrote(t, branch, rows)
		},
		"merge": func(t *rapid.T) {
			table, branch, at := m.target(t)
			keys := m.newKeys(t)
			for _, r := range m.snapshots[at].rows {
				if rapid.IntRange(0, 2).Draw(t, "matched") == 0 {
					keys = append(keys, r[keyColumn])
				}
			}
			source, text := m.values(t, keys)
			names := make([]string, len(m.columns))
			for i, c := range m.columns {
				names[i] = c.name
			}
			m.sql(t, "MERGE INTO %s AS t USING (SELECT * FROM VALUES %s AS x(%s)) AS s ON t.k = s.k WHEN MATCHED AND s.%s %% 3 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
				table, text, strings.Join(names, ", "), m.valueName())
			byKey := map[int64]modelRow{}
			for _, r := range m.rowsAt(at) {
				byKey[r[keyColumn]] = r
			}
			for _, r := range source {
				v, known := r[valueColumn]
				if _, matched := byKey[r[keyColumn]]; matched && known && v%3 == 0 {
					delete(byKey, r[keyColumn])
				} else {
					byKey[r[keyColumn]] = r
				}
			}
			var rows []modelRow
			for _, k := range slices.Sorted(maps.Keys(byKey)) {
				rows = append(rows, byKey[k])
			}
			m.wrote(t, branch, rows)
		},
		"truncate": func(t *rapid.T) {
			if rapid.IntRange(0, 3).Draw(t, "rare") > 0 {
				t.Skip("rare")
			}
			m.sql(t, "TRUNCATE TABLE d.t")
			m.wrote(t, "", nil)
		},
		"compact": func(t *rapid.T) {
			calls := []string{"rewrite_data_files(table => 'd.t', options => map('min-input-files', '2'))",
				"rewrite_data_files(table => 'd.t', options => map('rewrite-all', 'true'))",
				"rewrite_data_files(table => 'd.t', strategy => 'sort', sort_order => 'k DESC', options => map('rewrite-all', 'true'))",
				"rewrite_manifests('d.t')", "rewrite_position_delete_files(table => 'd.t', options => map('rewrite-all', 'true'))"}
			m.sql(t, "CALL lakehouse.system.%s", rapid.SampledFrom(calls).Draw(t, "call"))
			m.wrote(t, "", m.rowsAt(m.main))
		},
		"expire": func(t *rapid.T) {
			m.sql(t, "CALL lakehouse.system.expire_snapshots(table => 'd.t', older_than => TIMESTAMP '2999-01-01 00:00:00', retain_last => %d)", rapid.IntRange(1, 4).Draw(t, "keep"))
			there := map[int64]modelSnapshot{}
			for _, r := range m.sql(t, "SELECT snapshot_id FROM d.t.snapshots")[1:] {
				var id int64
				if _, err := fmt.Sscan(r[0], &id); err != nil {
					t.Fatal(err)
				}
				there[id] = m.snapshots[id]
			}
			for _, refs := range []map[string]int64{{"main": m.main}, m.branches, m.tags} {
				for name, id := range refs {
					if _, ok := there[id]; !ok && id != 0 {
						t.Fatalf("the snapshot of %s has expired", name)
					}
				}
			}
			m.snapshots = there
			m.made = slices.DeleteFunc(m.made, func(id int64) bool { _, ok := there[id]; return !ok })
		},
		"rollback": func(t *rapid.T) {
			var ancestors []int64
			for id := m.main; id != 0; id = m.snapshots[id].parent {
				if _, ok := m.snapshots[id]; ok {
					ancestors = append(ancestors, id)
				}
			}
			if len(ancestors) < 2 {
				t.Skip("nothing to go back to")
			}
			m.main = ancestors[rapid.IntRange(1, len(ancestors)-1).Draw(t, "ancestor")]
			m.sql(t, "CALL lakehouse.system.rollback_to_snapshot('d.t', %d)", m.main)
		},
		"set current": func(t *rapid.T) {
			m.main = m.anySnapshot(t)
			m.sql(t, "CALL lakehouse.system.set_current_snapshot('d.t', %d)", m.main)
		},
		"branch": func(t *rapid.T) {
			name := rapid.SampledFrom([]string{"b", "c"}).Draw(t, "name")
			if _, ok := m.branches[name]; ok {
				m.sql(t, "ALTER TABLE d.t DROP BRANCH %s", name)
				delete(m.branches, name)
				return
			}
			at := m.anySnapshot(t)
			m.sql(t, "ALTER TABLE d.t CREATE BRANCH %s AS OF VERSION %d", name, at)
			m.branches[name] = at
		},
		"tag": func(t *rapid.T) {
			at := m.anySnapshot(t)
			m.sql(t, "ALTER TABLE d.t CREATE OR REPLACE TAG x AS OF VERSION %d", at)
			m.tags["x"] = at
		},
		"fast forward": func(t *rapid.T) {
			for _, name := range slices.Sorted(maps.Keys(m.branches)) {
				for id := m.branches[name]; id != 0; id = m.snapshots[id].parent {
					if _, ok := m.snapshots[id]; ok && id == m.main {
						m.sql(t, "CALL lakehouse.system.fast_forward('d.t', 'main', '%s')", name)
						m.main = m.branches[name]
						return
					}
				}
			}
			t.Skip("no branch is ahead of main")
		},
		"add column": func(t *rapid.T) {
			if len(m.columns) > 5 {
				t.Skip("enough columns")
			}
			m.lastID++
			c := modelColumn{m.lastID, fmt.Sprintf("x%d", m.lastID)}
			m.sql(t, "ALTER TABLE d.t ADD COLUMN %s BIGINT", c.name)
			m.columns = append(slices.Clone(m.columns), c)
		},
		"drop column": func(t *rapid.T) {
			if len(m.columns) == valueColumn {
				t.Skip("no column to drop")
			}
			i := rapid.IntRange(valueColumn, len(m.columns)-1).Draw(t, "column")
			m.sql(t, "ALTER TABLE d.t DROP COLUMN %s", m.columns[i].name)
			m.columns = slices.Delete(slices.Clone(m.columns), i, i+1)
		},
		"rename column": func(t *rapid.T) {
			i := rapid.IntRange(valueColumn-1, len(m.columns)-1).Draw(t, "column")
			to := fmt.Sprintf("n%d", rapid.IntRange(0, 5).Draw(t, "to"))
			if slices.ContainsFunc(m.columns, func(c modelColumn) bool { return c.name == to }) {
				t.Skip("taken")
			}
			m.sql(t, "ALTER TABLE d.t RENAME COLUMN %s TO %s", m.columns[i].name, to)
			m.columns = slices.Clone(m.columns)
			m.columns[i].name = to
		},
		"partitioning": func(t *rapid.T) {
			m.sql(t, "ALTER TABLE d.t %s PARTITION FIELD bucket(2, k)", map[bool]string{true: "DROP", false: "ADD"}[m.bucketed])
			m.bucketed, m.evolved = !m.bucketed, true
		},
		"mode": func(t *rapid.T) {
			mode := rapid.SampledFrom([]string{"copy-on-write", "merge-on-read"}).Draw(t, "mode")
			m.sql(t, "ALTER TABLE d.t SET TBLPROPERTIES ('write.delete.mode' = '%[1]s', 'write.update.mode' = '%[1]s', 'write.merge.mode' = '%[1]s', 'commit.manifest.min-count-to-merge' = '%d')",
				mode, rapid.SampledFrom([]int{2, 100}).Draw(t, "merge"))
		},
		"open again": func(t *rapid.T) {
			if err := m.e.Close(); err != nil {
				t.Fatal(err)
			}
			m.open(t)
		},
	}
}

// anySnapshot draws a snapshot; without one the action is skipped.
func (m *model) anySnapshot(t *rapid.T) int64 {
	if len(m.made) == 0 {
		t.Skip("no snapshot")
	}
	return m.made[rapid.IntRange(0, len(m.made)-1).Draw(t, "snapshot")] // ids are random: a failure is repeated by the number
}

// check reads the table as it is, and a branch, the tag or an older snapshot.
func (m *model) check(t *rapid.T) {
	now := func(id int64) modelState { return modelState{m.columns, m.snapshots[id].rows} }
	m.same(t, "d.t", now(m.main))
	for _, name := range slices.Sorted(maps.Keys(m.branches)) {
		m.same(t, "d.t.branch_"+name, now(m.branches[name]))
	}
	for name, id := range m.tags {
		m.same(t, "d.t.tag_"+name, m.snapshots[id].modelState)
	}
	if len(m.snapshots) > 0 {
		id := m.anySnapshot(t)
		m.same(t, fmt.Sprintf("d.t VERSION AS OF %d", id), m.snapshots[id].modelState)
	}
}

// TestModel runs random statements on a table and compares every state with the model's; a failure is shrunk to few statements. The flags
// -rapid.checks and -rapid.steps make it run longer.
func TestModel(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about 10 seconds")
	}
	defaults := map[string]string{"rapid.checks": "6", "rapid.nofailfile": "true"}
	flag.Visit(func(f *flag.Flag) { delete(defaults, f.Name) })
	for name, value := range defaults {
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "model")
		if err != nil {
			t.Fatal(err)
		}
		m := &model{dir: filepath.Join(dir, "lakehouse"), lastID: valueColumn, columns: []modelColumn{{keyColumn, "k"}, {partColumn, "p"}, {valueColumn, "v"}},
			branches: map[string]int64{}, tags: map[string]int64{}, snapshots: map[int64]modelSnapshot{}}
		m.open(t)
		defer func() {
			m.e.Close()
			os.RemoveAll(dir)
		}()
		m.sql(t, "CREATE NAMESPACE d")
		m.sql(t, "CREATE TABLE d.t (k BIGINT, p BIGINT, v BIGINT) USING iceberg PARTITIONED BY (p)")
		t.Repeat(m.actions())
	})
}
