package engine_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
)

// pathSession opens a lakehouse and a session in spark_catalog, whose folder dir is. ${dir} and ${lakehouse} in a statement are these folders.
func pathSession(t *testing.T, home string) (e *engine.Engine, dir string, run func(statement string) answer) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e, err = engine.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	s := e.Session("", "paths", dir)
	s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	return e, dir, func(statement string) answer {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		return perform(ctx, s, step{SQL: strings.NewReplacer("${dir}", dir, "${lakehouse}", e.Dir).Replace(statement)}, nil)
	}
}

func newHome(t *testing.T) string { return filepath.Join(t.TempDir(), "lakehouse") }

// refused fails unless an answer is an error of an exception, or class, whose message has a text.
func refused(t *testing.T, statement string, got answer, kind, text string) {
	t.Helper()
	switch {
	case got.Error == nil:
		t.Errorf("%s: no error, %s", statement, got.Text)
	case got.Error.Exception != kind && classOf(got) != kind || !strings.Contains(got.Error.Message, text):
		t.Errorf("%s: %s %s: %s", statement, got.Error.Exception, classOf(got), got.Error.Message)
	}
}

// classOf is the class of an answer's error, if it is one.
func classOf(a answer) string {
	if a.Error == nil || a.Error.Class == nil {
		return ""
	}
	return *a.Error.Class
}

func done(t *testing.T, run func(string) answer, statements ...string) {
	t.Helper()
	for _, q := range statements {
		if got := run(q); got.Error != nil {
			t.Fatalf("%s: %s", q, got.Error.Message)
		}
	}
}

func must0(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What is no regular file is refused, not waited for: by path, in a table's folder, in a partition's.
func TestPipes(t *testing.T) {
	_, dir, run := pathSession(t, newHome(t))
	for _, sub := range []string{"pipes", "table", "lines", "part/p=a"} {
		must0(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	done(t, run, "CREATE TABLE t (a INT) USING parquet LOCATION '${dir}/table'", "CREATE TABLE c (a INT) USING csv LOCATION '${dir}/lines'",
		"CREATE TABLE p (a INT, p STRING) USING parquet PARTITIONED BY (p) LOCATION '${dir}/part'", "MSCK REPAIR TABLE p",
		"CREATE TABLE lakehouse.default.i (a INT) USING iceberg")
	for _, f := range []string{"pipes/x.parquet", "table/x.parquet", "lines/x.csv", "part/p=a/x.parquet"} {
		must0(t, syscall.Mkfifo(filepath.Join(dir, f), 0o644))
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "s"))
	must0(t, err)
	defer socket.Close()
	must0(t, os.Symlink("pipes/x.parquet", filepath.Join(dir, "link")))
	for _, q := range []string{
		"SELECT * FROM csv.`${dir}/pipes/x.parquet`", "SELECT * FROM json.`${dir}/pipes/x.parquet`", "SELECT * FROM text.`${dir}/pipes/x.parquet`",
		"SELECT * FROM parquet.`${dir}/pipes/x.parquet`", "SELECT * FROM parquet.`${dir}/pipes`", "SELECT * FROM text.`${dir}/pipes/*`", "SELECT * FROM text.`${dir}/link`",
		"SELECT * FROM text.`${dir}/s`", "SELECT * FROM t", "SELECT count(*) FROM t", "SELECT * FROM c", "SELECT * FROM p",
		"SELECT * FROM p WHERE p = 'a'", "ANALYZE TABLE t COMPUTE STATISTICS", "ANALYZE TABLE p PARTITION (p = 'a') COMPUTE STATISTICS",
		"CREATE TABLE n USING parquet LOCATION '${dir}/pipes'", "CREATE TABLE n USING csv LOCATION '${dir}/pipes'",
		"CALL lakehouse.system.add_files(table => 'lakehouse.default.i', source_table => '`parquet`.`${dir}/pipes`')",
		"CALL lakehouse.system.add_files(table => 'lakehouse.default.i', source_table => 'default.t')",
		"CALL lakehouse.system.register_table(table => 'lakehouse.default.r', metadata_file => '${dir}/pipes/x.parquet')",
	} {
		refused(t, q, run(q), "FAILED_READ_FILE.NO_HINT", "not a regular file")
	}
	// An overwrite takes the pipe away, and needs not read it.
	done(t, run, "INSERT OVERWRITE t VALUES (1)", "SELECT * FROM t", "DROP TABLE c", "DROP TABLE p")
}

// The engine's own files, which may hold passwords, are not read by path; no message tells what is in them.
func TestSecretFiles(t *testing.T) {
	home := newHome(t)
	must0(t, os.MkdirAll(home, 0o755), os.WriteFile(filepath.Join(home, "catalog.properties"), []byte("token=HUSH\n"), 0o644))
	e, dir, run := pathSession(t, home)
	for _, sub := range []string{"other", "t", "u"} {
		must0(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
	}
	must0(t, os.WriteFile(filepath.Join(dir, "other", "catalog.properties"), []byte("token=HUSH\n"), 0o644),
		os.Symlink(filepath.Join(e.Dir, "catalog.properties"), filepath.Join(dir, "link")),
		os.Symlink(filepath.Join(e.Dir, "catalog.properties"), filepath.Join(dir, "t", "x.csv")), os.Symlink(e.Dir, filepath.Join(dir, "home")))
	done(t, run, "CREATE TABLE t (a STRING) USING csv LOCATION '${dir}/t'", "CREATE TABLE u (a STRING) USING csv LOCATION '${dir}/u'")
	must0(t, os.Remove(filepath.Join(dir, "u")), os.Symlink(e.Dir, filepath.Join(dir, "u")))
	for _, path := range []string{"${lakehouse}/catalog.properties", "${lakehouse}", "${lakehouse}/*", "${lakehouse}/catalog.*", "${lakehouse}/../lakehouse/catalog.properties",
		"${lakehouse}/catalog.db", "${dir}/other", "${dir}/other/catalog.properties", "${dir}/link", "${dir}/home/catalog.properties", "${dir}/home", "${dir}/{link,other}"} {
		for _, format := range []string{"text", "csv", "json", "parquet"} {
			q := "SELECT * FROM " + format + ".`" + path + "`"
			refused(t, q, run(q), "SecurityException", "belongs to the engine")
		}
	}
	for _, q := range []string{"SELECT * FROM t", "SELECT * FROM u",
		"CALL lakehouse.system.register_table(table => 'lakehouse.default.r', metadata_file => '${lakehouse}/catalog.properties')"} {
		got := run(q)
		refused(t, q, got, "SecurityException", "belongs to the engine")
		if got.Error != nil && strings.Contains(fmt.Sprint(*got.Error), "HUSH") {
			t.Error(got.Error)
		}
	}
	for _, q := range []string{"CREATE TABLE v (a STRING) USING csv LOCATION '${lakehouse}/catalog.properties'", "CREATE TABLE v (a STRING) USING csv LOCATION '${dir}/other/catalog.properties'"} {
		refused(t, q, run(q), "SecurityException", "not allowed")
	}
}

// A folder or file of a table that was swapped for a link leading outside of the session's folders is neither read nor written nor emptied,
// and dropping the table leaves what the link leads to.
func TestSwappedForLinks(t *testing.T) {
	for _, swapped := range []string{"table", "partition", "file"} {
		for _, external := range []bool{false, true} {
			t.Run(fmt.Sprint(swapped, external), func(t *testing.T) {
				e, dir, run := pathSession(t, newHome(t))
				location, root := "", filepath.Join(e.Hive.Dir(), "t")
				if external {
					location, root = " LOCATION '${dir}/t'", filepath.Join(dir, "t")
				}
				done(t, run, "CREATE TABLE t (a INT, p STRING) USING parquet PARTITIONED BY (p)"+location, "INSERT INTO t VALUES (1, 'a'), (2, 'b')", "SELECT * FROM t")
				outside := filepath.Join(t.TempDir(), "outside")
				path := root
				if swapped != "table" {
					path = filepath.Join(root, "p=a")
				}
				if swapped == "file" {
					for name := range dataFiles(t, path) {
						path = filepath.Join(path, name)
					}
				}
				must0(t, os.Rename(path, outside), os.Symlink(outside, path))
				before := len(dataFiles(t, filepath.Dir(outside)))
				if swapped == "file" {
					before = 1
				}
				done(t, run, "CREATE TABLE lakehouse.default.i (a INT, p STRING) USING iceberg PARTITIONED BY (p)")
				for _, q := range []string{"SELECT * FROM t", "CALL lakehouse.system.add_files(table => 'lakehouse.default.i', source_table => 'default.t')", "SELECT count(*) FROM t WHERE p = 'a'", "INSERT OVERWRITE t VALUES (3, 'a')", "INSERT INTO t VALUES (3, 'a')", "TRUNCATE TABLE t",
					"TRUNCATE TABLE t PARTITION (p = 'a')", "MSCK REPAIR TABLE t", "INSERT OVERWRITE t PARTITION (p = 'a') VALUES (4)", "ALTER TABLE t PARTITION (p = 'a') RENAME TO PARTITION (p = 'c')"} {
					got := run(q)
					truncate := strings.HasPrefix(q, "TRUNCATE")
					switch {
					case truncate && external: // refused for another reason
					case swapped == "file" && !strings.HasPrefix(q, "SELECT") && !strings.Contains(q, "add_files"): // the link itself may be taken away
					default:
						refused(t, q, got, "SecurityException", "outside")
					}
					if n := len(dataFiles(t, filepath.Dir(outside))); swapped != "file" && n != before {
						t.Fatal(q, "changed the files outside:", n)
					} else if _, err := os.Stat(outside); err != nil {
						t.Fatal(q, err)
					}
				}
				for _, q := range []string{"ALTER TABLE t DROP PARTITION (p = 'a') PURGE", "DROP TABLE t PURGE"} {
					run(q)
					if _, err := os.Stat(outside); err != nil {
						t.Fatal(q, err)
					}
				}
				if n := len(dataFiles(t, filepath.Dir(outside))); swapped != "file" && n != before {
					t.Error("files outside:", n)
				}
			})
		}
	}
}

// Links in a loop, or to nothing, are a path that is not there.
func TestLinkLoops(t *testing.T) {
	_, dir, run := pathSession(t, newHome(t))
	must0(t, os.Symlink("loop", filepath.Join(dir, "loop")), os.Symlink("/nowhere/at/all", filepath.Join(dir, "nothing")), os.WriteFile(filepath.Join(dir, "file"), nil, 0o644),
		os.Mkdir(filepath.Join(dir, "t"), 0o755), os.MkdirAll(filepath.Join(dir, "up", "round"), 0o755), os.Symlink("..", filepath.Join(dir, "up", "round", "up")),
		os.WriteFile(filepath.Join(dir, "up", "round", "x"), []byte("line\n"), 0o644))
	done(t, run, "CREATE TABLE t (a INT) USING csv LOCATION '${dir}/t'")
	if got := run("SELECT * FROM text.`${dir}/up/round`"); strings.Count(got.Text, "line") != 1 { // its link leads above it
		t.Error(got.Text, got.Error)
	}
	must0(t, os.Remove(filepath.Join(dir, "t")), os.Symlink("loop", filepath.Join(dir, "t")))
	for _, q := range []string{"SELECT * FROM text.`${dir}/loop`", "SELECT * FROM csv.`${dir}/loop/x`", "SELECT * FROM parquet.`${dir}/nothing`", "SELECT * FROM text.`${dir}/file/x`",
		"SELECT * FROM t", "INSERT INTO t VALUES (1)", "CREATE TABLE u (a INT) USING csv LOCATION '${dir}/loop'", "CREATE TABLE u (a INT) USING csv LOCATION '${dir}/nothing'",
		"CREATE DATABASE d LOCATION '${dir}/loop/d'", "INSERT OVERWRITE DIRECTORY '${dir}/nothing/x' USING csv SELECT 1 a", "INSERT OVERWRITE DIRECTORY '${dir}/loop' USING csv SELECT 1 a",
		"SELECT * FROM text.`${dir}/" + strings.Repeat("x", 300) + "`"} {
		refused(t, q, run(q), "PATH_NOT_FOUND", "Path does not exist")
	}
}

// A managed table's folder is its own: no way of naming places puts another table, a database or the warehouse into it or it into them.
func TestOwnFolder(t *testing.T) {
	_, dir, run := pathSession(t, newHome(t))
	must0(t, os.Mkdir(filepath.Join(dir, "in"), 0o755))
	done(t, run, "CREATE DATABASE a LOCATION '${dir}/x'", "CREATE DATABASE b LOCATION '${dir}/x'", "CREATE TABLE a.t (i INT) USING parquet", "CREATE TABLE e (i INT) USING parquet LOCATION '${dir}/x/e/below'",
		"CREATE TABLE f (i INT) USING parquet LOCATION '${dir}/f'", "CREATE DATABASE above LOCATION '${dir}/y'", "CREATE TABLE g (i INT) USING parquet LOCATION '${dir}/y'",
		"CREATE TABLE p (i INT, k STRING) USING parquet PARTITIONED BY (k)", "ALTER TABLE p ADD PARTITION (k = 'a') LOCATION '${dir}/x/k'", "CREATE DATABASE c LOCATION '${dir}/x/c'",
		"CREATE TABLE a.u (i INT) USING parquet")
	for _, c := range []struct{ statement, kind, text string }{
		{"CREATE TABLE b.t (i INT) USING parquet", "LOCATION_ALREADY_EXISTS", "/x/t"},                   // another table's
		{"CREATE TABLE b.t USING parquet AS SELECT 1 i", "LOCATION_ALREADY_EXISTS", "/x/t"},             // the same by CTAS
		{"CREATE TABLE b.t LIKE a.t", "LOCATION_ALREADY_EXISTS", "/x/t"},                                // by LIKE
		{"ALTER TABLE a.u RENAME TO a.e", "LOCATION_ALREADY_EXISTS", "/x/e"},                            // by a rename
		{"CREATE TABLE a.e (i INT) USING parquet", "LOCATION_ALREADY_EXISTS", "/x/e"},                   // above an external table
		{"CREATE TABLE a.k (i INT) USING parquet", "LOCATION_ALREADY_EXISTS", "/x/k"},                   // a partition's
		{"CREATE TABLE a.c (i INT) USING parquet", "LOCATION_ALREADY_EXISTS", "/x/c"},                   // a database's
		{"CREATE TABLE above.t (i INT) USING parquet", "LOCATION_ALREADY_EXISTS", "/y/t"},               // in an external table
		{"CREATE DATABASE d LOCATION '${dir}/x/t'", "SecurityException", "table's folder"},              // a database in a table
		{"CREATE DATABASE d LOCATION '${dir}/f/d'", "SecurityException", "table's folder"},              // deeper
		{"CREATE DATABASE d LOCATION '${lakehouse}/spark-warehouse'", "SecurityException", "root"},      // the warehouse
		{"CREATE DATABASE d LOCATION '${lakehouse}/spark-warehouse/p'", "SecurityException", "table's"}, // a managed table of the default database
		{"CREATE DATABASE d LOCATION '${lakehouse}/warehouse/x'", "SecurityException", "not allowed"},   // Iceberg's
		{"CREATE DATABASE d LOCATION '${lakehouse}'", "SecurityException", "root"},
		{"CREATE DATABASE d LOCATION '${dir}'", "SecurityException", "root"},
		{"CREATE DATABASE d LOCATION '${dir}/in/..'", "SecurityException", "root"},
		{"CREATE DATABASE d LOCATION '${dir}/../..'", "SecurityException", "outside"},
		{"CREATE DATABASE d LOCATION '${lakehouse}/.Trash/d'", "SecurityException", "deleted"},
		{"CREATE TABLE d (i INT) USING parquet LOCATION '${lakehouse}/.Trash/d'", "SecurityException", "deleted"},
		{"ALTER TABLE f SET LOCATION '${lakehouse}/.Trash/d'", "SecurityException", "deleted"},
		{"CREATE TABLE lakehouse.default.i (i INT) USING iceberg LOCATION '${lakehouse}/spark-warehouse/p'", "SecurityException", "not allowed"},
		{"CREATE DATABASE d LOCATION ''", "INVALID_EMPTY_LOCATION", "`` was given"},
		{"ALTER DATABASE a SET LOCATION ''", "INVALID_EMPTY_LOCATION", "`` was given"},
		{"CREATE TABLE d (i INT) USING parquet LOCATION ''", "IllegalArgumentException", "empty string"},
	} {
		refused(t, c.statement, run(c.statement), c.kind, c.text)
	}
	refused(t, "twice", run("ALTER TABLE p ADD PARTITION (k = 'z') PARTITION (k = 'z')"), "AnalysisException", "Duplicate partitions in the list: k=z")
	// An external table in a managed one's folder keeps its files when that is dropped.
	done(t, run, "CREATE TABLE m (i INT) USING parquet", "INSERT INTO m VALUES (1)", "CREATE TABLE n (i INT) USING parquet LOCATION '${lakehouse}/spark-warehouse/m/n'", "INSERT INTO n VALUES (2)",
		"DROP TABLE m PURGE")
	if got := run("SELECT * FROM n"); got.Error != nil || !strings.Contains(got.Text, "2") {
		t.Error("the external table's rows:", got.Text, got.Error)
	}
}

// A lakehouse that is opened through a link keeps what it replaces as one that is not.
func TestOpenedThroughLink(t *testing.T) {
	home := newHome(t)
	must0(t, os.MkdirAll(home, 0o755))
	link := filepath.Join(t.TempDir(), "link")
	must0(t, os.Symlink(home, link))
	e, _, run := pathSession(t, link)
	done(t, run, "CREATE TABLE t (a INT) USING parquet", "INSERT INTO t VALUES (1)")
	before := dataFiles(t, e.Hive.Dir())
	for _, path := range []string{home, link, e.Dir} {
		q := "INSERT OVERWRITE DIRECTORY '" + path + "/spark-warehouse/t' USING parquet SELECT 2 a"
		done(t, run, q)
		refused(t, path, run("INSERT OVERWRITE DIRECTORY '"+path+"/spark-warehouse' USING parquet SELECT 2 a"), "SecurityException", "not allowed")
	}
	after := dataFiles(t, e.Hive.TrashDir())
	for name := range before {
		if !after[name] {
			t.Error("not in the trash:", name)
		}
	}
}

// A folder's name that is too long is refused before anything is written.
func TestLongNames(t *testing.T) {
	e, dir, run := pathSession(t, newHome(t))
	long, cyrillic := strings.Repeat("x", 254), strings.Repeat("я", 130)
	done(t, run, "CREATE TABLE t (a INT, p STRING) USING parquet PARTITIONED BY (p)", "INSERT INTO t VALUES (1, 'a')", "CREATE TABLE c (a INT, p STRING) USING csv PARTITIONED BY (p)",
		"INSERT INTO t VALUES (2, '"+long[:230]+"')")
	for _, q := range []string{"INSERT INTO t VALUES (1, '" + long + "')", "INSERT INTO t VALUES (1, '" + cyrillic + "')", "INSERT INTO t VALUES (1, '" + strings.Repeat("/", 90) + "')",
		"INSERT OVERWRITE t VALUES (1, '" + long + "')", "INSERT INTO t PARTITION (p = '" + long + "') VALUES (1)", "ALTER TABLE t ADD PARTITION (p = '" + long + "')",
		"ALTER TABLE t PARTITION (p = 'a') RENAME TO PARTITION (p = '" + long + "')", "CREATE TABLE " + long + "xx (a INT) USING parquet", "CREATE DATABASE " + long,
		"ALTER TABLE t RENAME TO " + long + "xx", "INSERT INTO c VALUES (1, '" + long + "')", "CREATE TABLE u USING parquet PARTITIONED BY (p) AS SELECT 1 a, '" + long + "' p",
		"CREATE TABLE u (a INT) USING parquet LOCATION '${dir}/" + long + "xx'", "INSERT OVERWRITE DIRECTORY '${dir}/" + long + "xx' USING csv SELECT 1 a"} {
		got := run(q)
		if classOf(got) != "TASK_WRITE_FAILED" {
			t.Errorf("%.60s: %v %v", q, got.Text, got.Error)
		}
	}
	if got := run("SHOW PARTITIONS t"); strings.Count(got.Text, "p=") != 2 {
		t.Error(got.Text)
	}
	for _, q := range []string{"SHOW TABLES", "SHOW DATABASES"} {
		if got := run(q); strings.Contains(got.Text, "xxx") || strings.Contains(got.Text, "|u ") {
			t.Error(got.Text)
		}
	}
	if list, err := e.Hive.Store.Unfinished(t.Context()); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
	if n := len(dataFiles(t, e.Hive.Dir(), dir)); n != 2 {
		t.Error(n, "files")
	}
}

// Whoever reads a table while it is overwritten, also with other partitions or by saveAsTable, gets one state of it.
func TestReadWhileOverwritten(t *testing.T) {
	e, _, run := pathSession(t, newHome(t))
	done(t, run, "CREATE TABLE t (a INT, p INT) USING parquet PARTITIONED BY (p)", "INSERT INTO t SELECT 0, id FROM range(4)", "CREATE TABLE c (a INT) USING csv", "INSERT INTO c VALUES (0)",
		"CREATE TABLE j (a INT, p INT) USING json PARTITIONED BY (p)", "INSERT INTO j VALUES (0, 0)", "CREATE TABLE q (a INT, p INT) USING parquet PARTITIONED BY (p)", "INSERT INTO q VALUES (0, 0)",
		"CREATE TABLE s USING parquet AS SELECT 0 a")
	end := time.Now().Add(4 * time.Second)
	writer := e.Session("", "writer", t.TempDir())
	writer.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	wrote := make(chan string, 1)
	go func() {
		for i := 1; time.Now().Before(end); i++ {
			for _, q := range []string{fmt.Sprintf("INSERT OVERWRITE t SELECT %d, id FROM range(4)", i), fmt.Sprintf("INSERT OVERWRITE c VALUES (%d)", i),
				fmt.Sprintf("INSERT OVERWRITE j VALUES (%d, %d)", i, i%7), fmt.Sprintf("INSERT OVERWRITE q VALUES (%d, %d)", i, i%7)} {
				if got := perform(context.Background(), writer, step{SQL: q}, nil); got.Error != nil {
					wrote <- got.Error.Message
					return
				}
			}
			save := step{fileStep: fileStep{SaveAsTable: "s", Query: fmt.Sprintf("SELECT %d a", i), Mode: "overwrite"}}
			if err := save.write(context.Background(), writer, func(text string) string { return text }); err != nil {
				wrote <- err.Error()
				return
			}
		}
		wrote <- ""
	}()
	read := 0
	for time.Now().Before(end) {
		for _, q := range []string{"SELECT count(*) n, count(DISTINCT a) d FROM t", "SELECT count(*) n, count(DISTINCT a) d FROM c", "SELECT count(*) n, count(DISTINCT a) d FROM j",
			"SELECT count(*) n, count(DISTINCT a) d FROM q", "SELECT count(*) n, count(DISTINCT a) d FROM s"} {
			got := run(q)
			switch {
			case got.Error != nil:
				t.Fatal(q, got.Error)
			case strings.HasSuffix(q, "t") && !strings.Contains(got.Text, "|  4|  1|"), !strings.HasSuffix(q, "t") && !strings.Contains(got.Text, "|  1|  1|"):
				t.Fatalf("%s:\n%s", q, got.Text)
			default:
				read++
			}
		}
	}
	if err := <-wrote; err != "" {
		t.Error(err)
	}
	if read == 0 {
		t.Error("nothing was read")
	}
	t.Log(read, "reads")
}

// Sessions that change one table's properties at the same time lose none.
func TestAlterAtOnce(t *testing.T) {
	e, _, run := pathSession(t, newHome(t))
	done(t, run, "CREATE TABLE t (a INT) USING parquet")
	failed := make(chan string, 4)
	for i := range 4 {
		s := e.Session("", "alter", t.TempDir())
		s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
		go func() {
			for j := range 10 {
				if got := perform(context.Background(), s, step{SQL: fmt.Sprintf("ALTER TABLE t SET TBLPROPERTIES ('k%d_%d' = 'v')", i, j)}, nil); got.Error != nil {
					failed <- got.Error.Message
					return
				}
			}
			failed <- ""
		}()
	}
	for range 4 {
		if err := <-failed; err != "" {
			t.Error(err)
		}
	}
	for i := range 40 {
		if got := run(fmt.Sprintf("SHOW TBLPROPERTIES t ('k%d_%d')", i/10, i%10)); !strings.Contains(got.Text, "|    v|") {
			t.Error(i, got.Text)
		}
	}
}

// A file that spark.Files() deletes or moves is not missed by the next read.
func TestDeletedFileIsForgotten(t *testing.T) {
	e, dir, run := pathSession(t, newHome(t))
	done(t, run, "CREATE TABLE t (a INT) USING parquet LOCATION '${dir}/t'", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2)", "SELECT * FROM t")
	s := e.Session("", "files", dir)
	for name := range dataFiles(t, dir) {
		if ok, err := s.DeleteFile(filepath.Join(dir, "t", name)); !ok || err != nil {
			t.Fatal(ok, err)
		}
		break
	}
	if got := run("SELECT count(*) n FROM t"); got.Error != nil || !strings.Contains(got.Text, "|  1|") {
		t.Error(got.Text, got.Error)
	}
}
