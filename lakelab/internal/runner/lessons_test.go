package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/internal/taxi"
)

// built is project, with our kernel installed.
func built(t *testing.T) (root string, opts Options) {
	t.Helper()
	root, opts = project(t)
	if spec := filepath.Join(opts.Venv, "share", "jupyter", "kernels", "lakelab", "kernel.json"); !exists(spec) {
		t.Fatalf("%s is not there: make build", spec)
	}
	return root, opts
}

func mustRun(t *testing.T, opts Options) {
	t.Helper()
	var table bytes.Buffer
	opts.Table = &table
	if _, err := Run(context.Background(), opts); err != nil {
		t.Fatalf("%v\n%s", err, &table)
	}
}

// Every lesson runs to its end, the student's version with its empty tasks too.
func TestLessons(t *testing.T) {
	_, opts := built(t)
	var err error
	if opts.Notebooks, err = All(opts.Lessons); err != nil {
		t.Fatal(err)
	}
	opts.OutDir = t.TempDir()
	mustRun(t, opts)
	for _, lesson := range []string{"03_managed_vs_external.ipynb", "07_safe_table_changes.ipynb"} {
		for _, task := range []string{"Задача 1", "Задача 2", "Задача 3", "Задача 4"} {
			if want := "○ " + task; !strings.Contains(outputs(t, filepath.Join(opts.OutDir, lesson)), want) {
				t.Errorf("the student's notebook %s doesn't say %q", lesson, want)
			}
			if want := "✓ " + task; !strings.Contains(outputs(t, filepath.Join(opts.OutDir, "solutions", lesson)), want) {
				t.Errorf("the solved notebook %s doesn't say %q", lesson, want)
			}
		}
	}
}

// Students run a notebook again, and again after it broke off: all lessons twice in one lakehouse, with modules 3 and 7 left
// half-way in between.
func TestLessonsAgain(t *testing.T) {
	_, opts := built(t)
	dir := t.TempDir()
	opts.Lakehouse = filepath.Join(dir, "lake")
	solved := func(name string) string { return filepath.Join(opts.Lessons, "solutions", name+".ipynb") }
	all := []string{solved("03_managed_vs_external"), solved("04_bronze"), solved("05_silver"), solved("07_safe_table_changes")}
	opts.Notebooks = slices.Concat(all, all)
	mustRun(t, opts)

	for _, c := range []struct{ lesson, after string }{
		{"03_managed_vs_external", "managed"}, {"03_managed_vs_external", "drop"}, {"03_managed_vs_external", "two-tables"}, {"03_managed_vs_external", "lab-drop"},
		{"07_safe_table_changes", "add-column"}, {"07_safe_table_changes", "save-snapshot-1"}, {"07_safe_table_changes", "rename"},
		{"07_safe_table_changes", "replace"}, {"07_safe_table_changes", "task-2-insert"}, {"07_safe_table_changes", "task-4-bad"},
	} {
		half := filepath.Join(dir, c.after+".ipynb")
		nb := load(t, solved(c.lesson))
		nb.cut(t, c.after, "%%\npanic(\"broken off\")")
		nb.save(t, half)
		opts.Notebooks = []string{half}
		if _, err := Run(context.Background(), opts); !errors.Is(err, ErrFailed) {
			t.Fatalf("the notebook should have broken off after %s: %v", c.after, err)
		}
		opts.Notebooks = []string{solved(c.lesson)}
		mustRun(t, opts)
	}
}

// The lessons work on what TLC publishes; the yellow sample has too few trips from Brooklyn for task 2.
func TestLessonsOnRealFiles(t *testing.T) {
	root, opts := built(t)
	shared := filepath.Join(root, "..", "shared", "data")
	for _, c := range []struct{ file, says string }{
		{"green_tripdata_2024-01.parquet", "Демо-таблица создана начисто: 1000 строк, 1 снимок."},
		{"yellow_tripdata_sample_2019-01.csv", "В задаче 2 возьмите 300 строк из Manhattan"},
	} {
		t.Run(c.file, func(t *testing.T) {
			if !exists(filepath.Join(shared, c.file)) {
				t.Skipf("TLC's file %s is not here", c.file)
			}
			opts := opts
			opts.Lakehouse, opts.OutDir = filepath.Join(t.TempDir(), "lake"), t.TempDir()
			importInto(t, opts.Lakehouse, filepath.Join(shared, c.file), filepath.Join(shared, "taxi_zone_lookup.csv"))
			for _, version := range []string{"solutions", "."} {
				opts.Notebooks = nil
				for _, name := range []string{"04_bronze", "05_silver", "07_safe_table_changes"} {
					opts.Notebooks = append(opts.Notebooks, filepath.Join(opts.Lessons, version, name+".ipynb"))
				}
				mustRun(t, opts)
			}
			if text := outputs(t, filepath.Join(opts.OutDir, "07_safe_table_changes.ipynb")); !strings.Contains(text, c.says) {
				t.Errorf("the notebook doesn't say %q", c.says)
			}
		})
	}
}

// What a student does wrong is named by the check below; a task half done is no failure.
func TestWrongAttempts(t *testing.T) {
	_, opts := built(t)
	const (
		add    = "%%\nspark.SQL(\"ALTER TABLE \" + demoTable + \" ADD COLUMNS (quality_flag STRING)\")"
		insert = "%%\nspark.SQL(\"INSERT INTO \" + demoTable + \" SELECT \" + demoColumns + \", NULL FROM \" + silverTable + \" WHERE pickup_borough = 'Brooklyn' LIMIT 300\")"
		bad    = "%%\nspark.SQL(\"INSERT INTO \" + demoTable + \" SELECT VendorID, tpep_pickup_datetime, tpep_dropoff_datetime, passenger_count, trip_distance, -1, total_amount, pickup_borough, 'STUDENT_ERROR', NULL FROM \" + silverTable + \" LIMIT 100\")"
	)
	rollback := func(to string) string {
		return "%%\nspark.SQL(fmt.Sprintf(\"CALL lakehouse.system.rollback_to_snapshot('default.taxi_changes_demo', %d)\", snapshots(demoTable)[" + to + "].Int64(\"snapshot_id\")))"
	}
	replace := strings.NewReplacer
	for _, c := range []struct {
		name   string
		cells  map[string]string // what the student wrote, by task
		failed string            // the check that must fail; empty: none
		says   string
	}{
		{"another name", map[string]string{"task-1-add": replace("quality_flag", "quality").Replace(add)}, "task-1-check", "а добавлено: quality string"},
		{"another type", map[string]string{"task-1-add": replace("STRING", "INT").Replace(add)}, "task-1-check", "а добавлено: quality_flag int"},
		{"only the first task", map[string]string{"task-1-add": add}, "", "○ Задача 2"},
		{"the second without the first", map[string]string{"task-2-insert": replace(", NULL", "").Replace(insert)}, "", "✓ Задача 2"},
		{"another borough", map[string]string{"task-1-add": add, "task-2-insert": replace("Brooklyn", "Manhattan").Replace(insert)}, "task-2-check", "из 300 вставленных строк из Brooklyn только 0"},
		{"too few rows", map[string]string{"task-1-add": add, "task-2-insert": replace("300", "200").Replace(insert)}, "task-2-check", "вставлено строк: 200, а нужно 300"},
		{"the count of now", map[string]string{"task-1-add": add, "task-2-insert": insert, "task-3-travel": "%%\nrowsBefore.Set(1300)"}, "task-3-check", "не 1300"},
		{"no rollback yet", map[string]string{"task-1-add": add, "task-2-insert": insert, "task-4-bad": bad}, "", "○ Задача 4: плохие строки вставлены"},
		{"rollback too far", map[string]string{"task-1-add": add, "task-2-insert": insert, "task-4-bad": bad, "task-4-rollback": rollback("0")}, "task-4-check", "до плохой вставки был снимок"},
		{"inserted twice", map[string]string{"task-1-add": add, "task-2-insert": insert, "task-4-bad": bad + "\n" + strings.TrimPrefix(bad, "%%\n"), "task-4-rollback": rollback("1")}, "task-4-check", "вставлены дважды"},
		{"all well", map[string]string{"task-1-add": add, "task-2-insert": insert, "task-3-travel": "%%\nrowsBefore.Set(1000)", "task-4-bad": bad, "task-4-rollback": rollback("1")}, "", "✓ Задача 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			nb := load(t, filepath.Join(opts.Lessons, "07_safe_table_changes.ipynb"))
			nb.onlyTasks(t, "fresh-demo")
			for id, code := range c.cells {
				nb.set(t, id, code)
			}
			opts := opts
			opts.OutDir, opts.Lakehouse = filepath.Join(dir, "out"), lakehouseWithSilver(t, opts)
			opts.Notebooks = []string{filepath.Join(dir, "attempt.ipynb")}
			nb.save(t, opts.Notebooks[0])
			results, err := Run(context.Background(), opts)
			if len(results) != 1 {
				t.Fatal(err)
			}
			got := ""
			if f := results[0].Failure; f != nil {
				got = f.ID
			}
			if got != c.failed {
				t.Errorf("failed at %q, want %q: %v", got, c.failed, results[0].Failure)
			}
			if text := outputs(t, filepath.Join(opts.OutDir, "attempt.ipynb")); !strings.Contains(text, c.says) {
				t.Errorf("the notebook doesn't say %q:\n%s", c.says, text)
			}
		})
	}
}

// silverLake is a lakehouse after modules 4 and 5, shared by the attempts: each makes the demo table anew.
var silverLake string

func lakehouseWithSilver(t *testing.T, opts Options) string {
	t.Helper()
	if silverLake == "" {
		dir, err := os.MkdirTemp("", "lakelab-silver-")
		if err != nil {
			t.Fatal(err)
		}
		opts.Lakehouse = filepath.Join(dir, "lake")
		opts.Notebooks = []string{filepath.Join(opts.Lessons, "04_bronze.ipynb"), filepath.Join(opts.Lessons, "05_silver.ipynb")}
		mustRun(t, opts)
		silverLake = opts.Lakehouse
	}
	return silverLake
}

func TestMain(m *testing.M) {
	code := m.Run()
	if silverLake != "" {
		os.RemoveAll(filepath.Dir(silverLake))
	}
	os.Exit(code)
}

// nb is a notebook under a test's knife.
type nb struct{ m map[string]any }

func load(t *testing.T, path string) *nb {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n := &nb{}
	if err := json.Unmarshal(text, &n.m); err != nil {
		t.Fatal(err)
	}
	return n
}

func (n *nb) save(t *testing.T, path string) {
	t.Helper()
	text, err := json.Marshal(n.m)
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (n *nb) cells() []map[string]any {
	var out []map[string]any
	for _, c := range n.m["cells"].([]any) {
		out = append(out, c.(map[string]any))
	}
	return out
}

func (n *nb) find(t *testing.T, id string) (int, map[string]any) {
	t.Helper()
	for i, c := range n.cells() {
		if c["id"] == id {
			return i, c
		}
	}
	t.Fatalf("no cell %s", id)
	return 0, nil
}

func (n *nb) set(t *testing.T, id, code string) {
	t.Helper()
	_, c := n.find(t, id)
	c["source"] = code
}

// cut drops all cells after one and puts another in their place.
func (n *nb) cut(t *testing.T, after, code string) {
	t.Helper()
	i, last := n.find(t, after)
	breaking := map[string]any{}
	for k, v := range last {
		breaking[k] = v
	}
	breaking["id"], breaking["source"] = "breaking", code
	n.m["cells"] = append(n.m["cells"].([]any)[:i+1], breaking)
}

// onlyTasks leaves the declarations of the cells above the tasks' first one, and everything below.
func (n *nb) onlyTasks(t *testing.T, id string) {
	t.Helper()
	first, _ := n.find(t, id)
	for i, c := range n.cells() {
		if c["cell_type"] == "code" && i < first {
			lines := c["source"].([]any)
			at := slices.Index(lines, any("%%\n"))
			if at < 0 {
				at = len(lines)
			}
			c["source"] = lines[:at]
		}
	}
}

// outputs is all text that an executed notebook shows.
func outputs(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	for _, c := range load(t, path).cells() {
		list, _ := c["outputs"].([]any)
		for _, o := range list {
			o := o.(map[string]any)
			for _, v := range []any{o["text"], o["evalue"]} {
				switch v := v.(type) {
				case string:
					b.WriteString(v + "\n")
				case []any:
					for _, line := range v {
						b.WriteString(line.(string))
					}
				}
			}
		}
	}
	return b.String()
}

// importInto puts real TLC files into a lakehouse's data folder, as `lakelab data --tlc` does.
func importInto(t *testing.T, lakehouse, trips, zones string) {
	t.Helper()
	if _, err := taxi.Import(context.Background(), trips, zones, filepath.Join(lakehouse, "data")); err != nil {
		t.Fatal(err)
	}
}
