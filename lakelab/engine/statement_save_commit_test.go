package engine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// saving is a session in a folder of its own, that of the lakehouse apart, and what runs a statement in it.
func saving(t *testing.T) (s *Session, cwd string, run func(string) error) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cwd = filepath.Join(top, "notebooks")
	if err := os.Mkdir(cwd, 0o755); err != nil {
		t.Fatal(err)
	}
	e, err := Open(t.Context(), filepath.Join(top, "lake"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	s = e.Session("", "saving", cwd)
	return s, cwd, func(q string) error {
		_, err := s.Execute(t.Context(), sql.Spark, q, plan.Params{})
		return err
	}
}

// No overwrite takes a root's place, the engine's, a warehouse's or an Iceberg table's.
func TestOverwritesSpareTheLakehouse(t *testing.T) {
	s, cwd, run := saving(t)
	for _, q := range []string{"CREATE TABLE lakelab.default.t (a INT) USING iceberg", "INSERT INTO lakelab.default.t VALUES (1)"} {
		if err := run(strings.Replace(q, "lakelab.", CatalogName+".", 1)); err != nil {
			t.Fatal(err)
		}
	}
	home := s.engine.Dir
	table := filepath.Join(s.engine.Lake.Warehouse(), DefaultNamespace, "t")
	if _, err := os.Stat(filepath.Join(table, "metadata")); err != nil {
		t.Fatal(err)
	}
	var refused []string
	for _, path := range []string{home, home + "/", home + "/.lakelab", home + "/.lakelab/x", home + "/catalog.db", cwd, cwd + "/../lake", s.engine.Lake.Warehouse(), s.engine.Hive.Dir()} {
		refused = append(refused, "INSERT OVERWRITE DIRECTORY '"+path+"' USING parquet SELECT 1 a",
			"CREATE TABLE spark_catalog.default.p (a INT) USING parquet LOCATION '"+path+"'")
	}
	for _, path := range []string{table, table + "/data", filepath.Dir(table)} {
		refused = append(refused, "INSERT OVERWRITE DIRECTORY '"+path+"' USING parquet SELECT 1 a")
	}
	if err := run("CREATE TABLE spark_catalog.default.d (a INT) USING parquet LOCATION '" + table + "/data'"); err != nil {
		t.Fatal(err)
	}
	refused = append(refused, "INSERT OVERWRITE spark_catalog.default.d SELECT 1 a")
	for _, q := range refused {
		if err := run(q); err == nil || !strings.Contains(err.Error(), "not allowed") {
			t.Errorf("%s: %v", q, err)
		}
	}
	if err := run("INSERT INTO " + CatalogName + ".default.t VALUES (2)"); err != nil {
		t.Error(err)
	}
	if err := run("INSERT OVERWRITE DIRECTORY '" + home + "/exports/x' USING parquet SELECT 1 a"); err != nil {
		t.Error(err)
	}
}

// contents are those of the files below a folder.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out = append(out, rel+"="+string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// An overwrite that fails half way leaves what was there, and nothing else.
func TestFailedOverwriteIsUndone(t *testing.T) {
	s, cwd, _ := saving(t)
	for _, dynamic := range []bool{false, true} {
		target, aside := filepath.Join(cwd, "out"), filepath.Join(cwd, asidePrefix+"x")
		put(t, target+"/p=1/old", "1")
		put(t, target+"/p=2/old", "2")
		put(t, aside+"/_SUCCESS/p", "") // in the way of the mark
		put(t, aside+"/p=1/new", "3")
		put(t, aside+"/p=3/new", "4")
		w := &fileWrite{SaveFiles: &sql.SaveFiles{Mode: "overwrite"}, session: s, dynamic: dynamic}
		if err := w.commit(t.Context(), aside, target); err == nil {
			t.Fatal("no failure")
		}
		if got := contents(t, cwd); got != "out/p=1/old=1 out/p=2/old=2" {
			t.Error(dynamic, got)
		}
	}
}

// What a killed overwrite had set aside is back when the path is read or written again; a living one is let alone.
func TestKilledOverwriteIsUndone(t *testing.T) {
	_, cwd, run := saving(t)
	target := filepath.Join(cwd, "out")
	put(t, target+"/a.csv", "old\n")
	old, err := newSetAside(filepath.Join(cwd, asidePrefix+"x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{target, filepath.Join(cwd, "fresh")} {
		if err := old.take(path, false); err != nil {
			t.Fatal(err)
		}
		put(t, path+"/b.csv", "new\n")
	}
	query := "SELECT * FROM csv.`" + target + "`"
	if err := run(query); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, target); got != "b.csv=new\n" {
		t.Error("while it runs:", got)
	}
	old.lock.Close() // as the kernel does
	if err := run(query); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, cwd); got != "out/a.csv=old\n" {
		t.Error("after it was killed:", got)
	}
}

// What a killed save had written beside its target is gone when something is saved there again; what a living one writes is let alone.
func TestKilledSaveIsSwept(t *testing.T) {
	_, cwd, run := saving(t)
	dead, lock, err := newAside(filepath.Join(cwd, "out"))
	if err != nil {
		t.Fatal(err)
	}
	living, held, err := newAside(filepath.Join(cwd, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	put(t, dead+"/a.csv", "old\n")
	put(t, living+"/a.csv", "new\n")
	lock.Close() // as the kernel does
	if err := run("INSERT OVERWRITE DIRECTORY '" + cwd + "/out' USING csv SELECT 1 a"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); err == nil {
		t.Error("what a killed save wrote stays")
	}
	if _, err := os.Stat(living + "/a.csv"); err != nil {
		t.Error(err)
	}
}

// An overwrite by path of a table's folder that fails half way leaves the table as it was; one that does not puts the old files into the trash.
func TestFailedOverwriteOfTableIsUndone(t *testing.T) {
	s, cwd, run := saving(t)
	table := filepath.Join(cwd, "table")
	for _, q := range []string{"CREATE TABLE spark_catalog.default.kept (a INT) USING csv LOCATION '" + table + "'", "INSERT INTO spark_catalog.default.kept VALUES (1)"} {
		if err := run(q); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, table)
	aside := filepath.Join(cwd, asidePrefix+"x")
	put(t, aside+"/_SUCCESS/p", "") // in the way of the mark
	put(t, aside+"/new", "2")
	w := &fileWrite{SaveFiles: &sql.SaveFiles{Mode: "overwrite"}, session: s}
	if err := w.commit(t.Context(), aside, table); err == nil {
		t.Fatal("no failure")
	}
	if got := contents(t, table); got != before {
		t.Errorf("%s, not %s", got, before)
	}
	if trashed, err := s.engine.Hive.Trash(); err != nil || len(trashed) > 0 {
		t.Error(trashed, err)
	}
	if err := run("INSERT OVERWRITE DIRECTORY '" + table + "' USING csv SELECT 3 a"); err != nil {
		t.Fatal(err)
	}
	if trashed, err := s.engine.Hive.Trash(); err != nil || len(trashed) == 0 || !strings.HasSuffix(table, filepath.Dir(trashed[0].From)) {
		t.Error(trashed, err)
	}
}

// Few files are open at a time, and each gets all of its lines.
func TestLinesOfManyFolders(t *testing.T) {
	dir := t.TempDir()
	out := newLineFiles(dir, ".csv", "head")
	for range 2 {
		for i := range 3 * mostOpen {
			f, err := out.file("k=" + strconv.Itoa(i))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString("row\n"); err != nil {
				t.Fatal(err)
			}
			if len(out.open) > mostOpen {
				t.Fatal(len(out.open), "files are open")
			}
		}
	}
	if err := out.close(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(dir + "/k=*/part-*.csv")
	for _, path := range files {
		if text, err := os.ReadFile(path); err != nil || string(text) != "head\nrow\nrow\n" {
			t.Errorf("%s: %q %v", path, text, err)
		}
	}
	if len(files) != 3*mostOpen {
		t.Error(len(files), "files")
	}
}
