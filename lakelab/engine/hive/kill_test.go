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

// TestMain is also the process that TestKilledOverwrite kills: it overwrites default.t again and again.
func TestMain(m *testing.M) {
	if dir := os.Getenv("HIVE_TEST_OVERWRITE"); dir != "" {
		if err := overwriteAgain(context.Background(), dir, os.Getenv("HIVE_TEST_TEXT")); err != nil {
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

// A process that is killed at any moment of INSERT OVERWRITE leaves the rows of one statement, all of them, whether the table is managed or
// external.
func TestKilledOverwrite(t *testing.T) {
	for _, location := range []string{"", t.TempDir()} {
		w, dir := setup(t)
		table := create(t, w, location)
		_, err := w.Write(t.Context(), table, hive.Writing{}, content("first", partitions...))
		must(t, err)
		for round := range 15 {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), "HIVE_TEST_OVERWRITE="+dir, fmt.Sprintf("HIVE_TEST_TEXT=r%d-", round))
			c.Stderr = os.Stderr
			out, err := c.StdoutPipe()
			must(t, err)
			must(t, c.Start())
			if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
				t.Fatal("the process did not start:", err)
			}
			time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
			must(t, c.Process.Kill())
			_ = c.Wait()
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
