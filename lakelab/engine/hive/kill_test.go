package hive_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/hive"
)

// TestMain is also the processes that the tests kill, or that kill themselves.
func TestMain(m *testing.M) {
	if dir := os.Getenv("HIVE_TEST_OVERWRITE"); dir != "" {
		if err := overwriteAgain(context.Background(), dir, os.Getenv("HIVE_TEST_TEXT")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv("HIVE_TEST_DIE"); dir != "" {
		if err := dieAt(context.Background(), dir, os.Getenv("HIVE_TEST_CHANGE"), os.Getenv("HIVE_TEST_POINT")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv("HIVE_TEST_TRUNCATE"); dir != "" {
		if err := truncate(context.Background(), dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// partitions are many, so that moving their files takes a while.
var partitions = func() (out []string) {
	for i := range 40 {
		out = append(out, fmt.Sprint(i))
	}
	return out
}()

func overwriteAgain(ctx context.Context, dir, text string) error {
	w, err := open(ctx, dir)
	if err != nil {
		return err
	}
	t, err := w.Load(ctx, "default", "t")
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for i := 0; ; i++ {
		if _, err := w.Write(ctx, t, hive.Writing{Overwrite: true}, content(fmt.Sprint(text, i), partitions...)); err != nil {
			return err
		}
	}
}

func truncate(ctx context.Context, dir string) error {
	w, err := open(ctx, dir)
	if err != nil {
		return err
	}
	t, err := w.Load(ctx, "default", "t")
	if err != nil {
		return err
	}
	parts, err := w.Partitions(ctx, t)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	return w.Truncate(ctx, t, parts)
}

// killed starts this program with variables of its own and kills it when moment, called once it is ready, returns.
func killed(t *testing.T, moment func(), env ...string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), env...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal("the process did not start:", err)
	}
	moment()
	must(t, c.Process.Kill())
	_ = c.Wait()
}

// A process that is killed at any moment of INSERT OVERWRITE leaves the rows of one statement, all of them, whether the table is managed or
// external.
func TestKilledOverwrite(t *testing.T) {
	for _, location := range []string{"", t.TempDir()} {
		w, dir := setup(t)
		table := create(t, w, location)
		_, err := w.Write(t.Context(), table, hive.Writing{}, content("first", partitions...))
		must(t, err)
		for round := range 15 {
			killed(t, func() { time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond) }, "HIVE_TEST_OVERWRITE="+dir, fmt.Sprintf("HIVE_TEST_TEXT=r%d-", round))
			again, err := open(t.Context(), dir)
			must(t, err)
			got, err := read(t.Context(), again)
			must(t, err)
			if len(got) != len(partitions) {
				t.Fatalf("round %d: %d partitions, want %d: %v", round, len(got), len(partitions), got)
			}
			for p, texts := range got {
				if len(texts) != 1 || texts[0] != got["0"][0] {
					t.Fatalf("round %d: partition %s holds %v, partition 0 %v", round, p, texts, got["0"])
				}
			}
		}
	}
}

// A process that is killed among the files that TRUNCATE TABLE removes leaves none, for whoever reads the table next, and the partitions.
func TestKilledTruncate(t *testing.T) {
	w, dir := setup(t)
	table := create(t, w, "")
	var values []string
	for range 5 { // files of each partition, so that removing them takes a while
		values = append(values, partitions...)
	}
	cut := false
	for round := 0; round < 10 && !cut; round++ {
		_, err := w.Write(t.Context(), table, hive.Writing{Overwrite: true}, content(fmt.Sprint("r", round), values...))
		must(t, err)
		parts, err := w.Partitions(t.Context(), table)
		must(t, err)
		files, err := w.Files(t.Context(), table, parts)
		must(t, err)
		gone := func(f hive.File) bool { _, err := os.Stat(f.Path); return os.IsNotExist(err) }
		killed(t, func() {
			for start := time.Now(); !gone(files[0]) && time.Since(start) < 10*time.Second; {
			}
		}, "HIVE_TEST_TRUNCATE="+dir)
		if !gone(files[0]) {
			t.Fatal("the process removed no file")
		}
		cut = !gone(files[len(files)-1])
		again, err := open(t.Context(), dir)
		must(t, err)
		got, err := read(t.Context(), again)
		must(t, err)
		if len(got) != 0 {
			t.Fatalf("round %d: %d partitions have files", round, len(got))
		}
		parts, err = again.Partitions(t.Context(), table)
		must(t, err)
		if len(parts) != len(partitions) {
			t.Errorf("round %d: %d partitions, want %d", round, len(parts), len(partitions))
		}
		for _, p := range parts {
			_, err := os.Stat(hive.Path(p.Location))
			must(t, err)
		}
		w.Refresh(table.ID)
	}
	if !cut {
		t.Error("no process was killed before it had removed all files")
	}
}
