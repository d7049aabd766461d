package lake_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/internal/services/servicestest"
	"mini-lakehouse-lab/lakelab/types"
)

// stressed is a process that makes random commits. It keeps to keys of its own, so that it knows what they must be in the end.
type stressed struct {
	l    *lake.Lakehouse
	db   duck
	next int         // the next new key
	mine map[int]int // value by key
	op   int         // what the last step did
	log  io.Writer
	// report tells what the rows are before each commit, and what they will be after it.
	report func(before, after map[int]int)
}

func newStressed(dir string, log io.Writer) (*stressed, error) {
	db, err := openDuck()
	if err != nil {
		return nil, err
	}
	l, err := lake.Open(context.Background(), dir, lake.Options{})
	return &stressed{l: l, db: db, mine: map[int]int{}, log: log, report: func(_, _ map[int]int) {}}, err
}

// stress is the program of such a process beside others: it makes commits until enough have succeeded and prints its rows. A commit
// that is refused because of the others is made anew on what they left.
func stress(dir string, me, commits int) error {
	log, err := os.Create(stressLog(dir, me))
	if err != nil {
		return err
	}
	s, err := newStressed(dir, log)
	if err != nil {
		return err
	}
	s.next = me * 1000
	refused := 0
	for n := 0; n < commits; {
		err := s.step(context.Background())
		switch {
		case err == nil:
			n++
		case isRefused(err):
			refused++
		default:
			return err
		}
	}
	fmt.Print(rowsText(s.mine))
	fmt.Println("refused", refused)
	return nil
}

// rowsText has a line for each row, by key.
func rowsText(rows map[int]int) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&b, "%d|%d\n", k, rows[k])
	}
	return b.String()
}

func stressLog(dir string, me int) string {
	return filepath.Join(dir, fmt.Sprintf("stress-%d.log", me))
}

// isRefused reports whether a statement failed for what others did: a conflict, or the expiry of the files that it read.
func isRefused(err error) bool {
	var x *errclass.Error
	text := err.Error()
	return errors.As(err, &x) && x.Exception == "ValidationException" || errors.Is(err, lake.ErrCommitFailed) || errclass.IsFileVanished(err) ||
		strings.Contains(text, "No such file") || strings.Contains(text, "no such file") || strings.Contains(text, "No files found")
}

// stressExpire is the step that expires snapshots.
const stressExpire = 9

// step makes one random commit and, if it succeeds, the same change of the rows that the process knows.
func (s *stressed) step(ctx context.Context) error {
	op, value, fresh := rand.IntN(stressExpire+1), rand.IntN(1000), s.next
	if op >= 2 && op < 8 && len(s.mine) == 0 {
		op = 0
	}
	s.op = op
	key := fresh
	for key = range s.mine {
		break
	}
	t, err := s.l.Load(ctx, name("d.s"))
	if err != nil {
		return err
	}
	q, err := t.ScanSQL(ctx, nil, []string{"k", "p", "v", lake.FileColumn, lake.PositionColumn}, nil)
	if err != nil {
		return err
	}
	changed := func(command string, want int64, query string) error {
		rows, err := s.l.ChangeRows(ctx, t, lake.RowChanges{Command: command, Query: query,
			Where: &lake.Condition{Op: "=", Column: []string{"k"}, Values: []any{int64(key)}}}, s.db)
		if err == nil && rows != want {
			err = fmt.Errorf("%s of key %d changed %d rows", command, key, rows)
		}
		return err
	}
	update := fmt.Sprintf("SELECT _file AS file, _pos AS pos, %d AS action, k AS v0, p AS v1, %d AS v2 FROM (%s) WHERE k = %d", lake.RowUpdated, value, q, key)
	next := maps.Clone(s.mine)
	switch op {
	case 0, 1, 2:
		next[fresh] = value
	case 3, 4:
		next[key] = value
	case 5:
		next[key], next[fresh] = value, value
	case 6, 7:
		delete(next, key)
	}
	s.report(s.mine, next)
	switch op {
	case 0, 1, 2:
		_, err = s.l.Append(ctx, t, fmt.Sprintf("SELECT %d, 'p%d', %d", fresh, fresh%3, value), s.db)
	case 3, 4:
		err = changed("update", 1, update)
	case 5:
		err = changed("merge", 2, fmt.Sprintf("%s UNION ALL SELECT NULL, NULL, %d, %d, 'p%d', %d", update, lake.RowInserted, fresh, fresh%3, value))
	case 6, 7:
		err = changed("delete", 1, fmt.Sprintf("SELECT _file AS file, _pos AS pos, %d AS action, NULL AS v0, NULL AS v1, NULL AS v2 FROM (%s) WHERE k = %d", lake.RowDeleted, q, key))
	case 8:
		_, err = s.l.Rewrite(ctx, t, lake.Rewriting{Options: map[string]string{"min-input-files": "2"}}, s.db)
	case stressExpire:
		far, last := farFuture.UnixMilli(), 5
		_, err = s.l.Expire(ctx, t, lake.Expiring{OlderThan: &far, RetainLast: &last})
	}
	fmt.Fprintf(s.log, "on %s: op %d key %d fresh %d value %d: %v\n", t.CurrentSnapshotID(), op, key, fresh, value, err)
	if err == nil {
		s.mine, s.next = next, fresh+1
	}
	return err
}

// TestStress lets four processes change one table at once, by copy-on-write and by merge-on-read: no row is lost, doubled or half changed,
// and no file is left over. LAKELAB_STRESS=n makes n rounds of 50 commits for each process.
func TestStress(t *testing.T) {
	if testing.Short() {
		t.Skip("takes about 15 seconds")
	}
	rounds, commits := 1, 15
	if n, err := strconv.Atoi(os.Getenv("LAKELAB_STRESS")); err == nil {
		rounds, commits = n, 50
	}
	modes := func(t *testing.T) {
		for range rounds {
			for _, mode := range []string{"copy-on-write", "merge-on-read"} {
				t.Run(mode, func(t *testing.T) { stressTogether(t, mode, commits) })
			}
		}
	}
	t.Run("SQLite", modes)
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Setenv("LAKELAB_TEST_POSTGRES", servicestest.Postgres(t).URI(true))
		modes(t)
	})
}

// stressTable makes the table d.s.
func (e *env) stressTable(mode string) {
	e.Helper()
	opts, version := byP, "2"
	if mode == "vectors" {
		mode, version = "merge-on-read", "3"
	}
	opts.Properties = map[string]string{"format-version": version, "write.update.mode": mode, "write.delete.mode": mode, "write.merge.mode": mode, "commit.manifest.min-count-to-merge": "10"}
	e.must(e.l.Create(e.Context(), name("d.s"), types.StructOf(col("k", long), col("p", str), col("v", long)), opts))
}

func stressTogether(t *testing.T, mode string, commits int) {
	e := setup(t)
	e.stressTable(mode)
	defer func() {
		for i := range 4 {
			if log, err := os.ReadFile(stressLog(e.dir, i)); err == nil && t.Failed() {
				t.Logf("process %d:\n%s", i, log)
			}
		}
	}()
	var processes []*exec.Cmd
	var outputs []*bufio.Scanner
	for i := range 4 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "LAKE_TEST_STRESS="+e.dir, "LAKE_TEST_ME="+strconv.Itoa(i), "LAKE_TEST_TIMES="+strconv.Itoa(commits))
		c.Stderr = os.Stderr
		out, err := c.StdoutPipe()
		e.must(err)
		e.must(c.Start())
		processes, outputs = append(processes, c), append(outputs, bufio.NewScanner(out))
	}
	var want, refused []string
	for i, c := range processes {
		for outputs[i].Scan() {
			if n, ok := strings.CutPrefix(outputs[i].Text(), "refused "); ok {
				refused = append(refused, n)
			} else {
				want = append(want, outputs[i].Text())
			}
		}
		if err := c.Wait(); err != nil {
			t.Errorf("process %d: %v", i, err)
		}
	}
	t.Log("commits that were refused and made anew, by process:", refused)
	got := e.read(e.load("d.s"), nil, "k", "v")
	slices.Sort(got)
	slices.Sort(want)
	e.equal("rows", got, want)
	files, err := e.l.Orphans(t.Context(), e.load("d.s"), lake.Orphaned{Before: farFuture, Trial: true})
	e.must(err)
	e.equal("files left over", len(files), 0)
}
