package runner

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// The checks of module 3 look at the metastore and at the disk: what a student does wrong there is named.
func TestWrongAttemptsManaged(t *testing.T) {
	_, opts := built(t)
	const (
		columns = "(visit_id BIGINT, visitor STRING, day DATE) USING PARQUET PARTITIONED BY (day)"
		create  = "%%\nspark.SQL(\"CREATE TABLE lab.visits " + columns + " LOCATION '\" + visits + \"'\")"
		repair  = "\nspark.SQL(\"MSCK REPAIR TABLE lab.visits\")"
		sync    = "%%\nspark.SQL(\"MSCK REPAIR TABLE lab.visits SYNC PARTITIONS\")"
		copied  = "%%\nspark.SQL(\"CREATE TABLE lab.visits_copy USING PARQUET AS SELECT * FROM lab.visits\")\ncopyDir.Set(detail(\"lab.visits_copy\", \"Location\"))"
		drop    = "%%\nspark.SQL(\"DROP TABLE lab.visits\")\nspark.SQL(\"DROP TABLE lab.visits_copy\")"
	)
	for _, c := range []struct {
		name   string
		cells  map[string]string // what the student wrote, by task
		failed string            // the check that must fail; empty: none
		says   string
	}{
		{"managed", map[string]string{"task-1-create": "%%\nspark.SQL(\"CREATE TABLE lab.visits " + columns + "\")"}, "task-1-check", "таблица управляемая"},
		{"another folder", map[string]string{"task-1-create": "%%\nspark.SQL(\"CREATE TABLE lab.visits " + columns + " LOCATION '\" + visits + \"2'\")"}, "task-1-check", "смотрит в другую папку"},
		{"no repair", map[string]string{"task-1-create": create}, "", "строк в ней 0"},
		{"no partitions", map[string]string{"task-1-create": "%%\nspark.SQL(\"CREATE TABLE lab.visits (visit_id BIGINT, visitor STRING) USING PARQUET LOCATION '\" + visits + \"'\")"}, "task-1-check", "партиционирована по day"},
		{"the ghost stays", map[string]string{"task-1-create": create + repair, "task-2-repair": "%%" + repair}, "", "призрак на месте: day=2024-03-02"},
		{"too much dropped", map[string]string{"task-1-create": create + repair, "task-2-repair": sync + "\nspark.SQL(\"ALTER TABLE lab.visits DROP PARTITION (day = '2024-03-03')\")"}, "task-2-check", "партиций осталось 1"},
		{"one drop", map[string]string{"task-1-create": create + repair, "task-2-repair": sync, "task-3-copy": copied, "task-3-drop": "%%\nspark.SQL(\"DROP TABLE lab.visits\")"}, "", "таблица lab.visits_copy ещё есть"},
		{"files deleted", map[string]string{"task-1-create": create + repair, "task-2-repair": sync, "task-3-copy": copied, "task-3-drop": drop + "\nspark.Files().Delete(visits)"}, "task-3-check", "пропали файлы внешней таблицы"},
		{"all well", map[string]string{"task-1-create": create + repair, "task-2-repair": sync, "task-3-copy": copied, "task-3-drop": drop,
			"task-4-back": "%%\nspark.SQL(\"CREATE TABLE lab.visits_back USING PARQUET LOCATION '\" + visits + \"'\")\nspark.Catalog().RecoverPartitions(\"lab.visits_back\")"}, "", "✓ Задача 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			nb := load(t, filepath.Join(opts.Lessons, "03_managed_vs_external.ipynb"))
			nb.onlyTasks(t, "task-data")
			nb.prepend(t, "task-data", "spark.SQL(\"USE spark_catalog.default\")\nspark.SQL(\"CREATE DATABASE IF NOT EXISTS lab\")\n")
			for id, code := range c.cells {
				nb.set(t, id, code)
			}
			opts := opts
			opts.OutDir, opts.Lakehouse = filepath.Join(dir, "out"), ""
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

// prepend puts statements before those of a cell.
func (n *nb) prepend(t *testing.T, id, code string) {
	t.Helper()
	_, c := n.find(t, id)
	var b strings.Builder
	for _, line := range c["source"].([]any) {
		b.WriteString(line.(string))
	}
	c["source"] = strings.Replace(b.String(), "%%\n", "%%\n"+code, 1)
}
