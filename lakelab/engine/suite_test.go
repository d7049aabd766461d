package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/internal/taxi"
	"mini-lakehouse-lab/lakelab/types"
)

// step is one statement of a scenario; testdata/record_spark.py documents the fields and records the answers.
type step struct {
	SQL      string            `json:"sql"`
	Schema   string            `json:"schema"`
	N        *int              `json:"n"`
	Truncate *int              `json:"truncate"`
	Save     map[string]string `json:"save"`
	Row      int               `json:"row"`
	Pause    bool              `json:"pause"`
	Mask     []string          `json:"mask"`
	View     string            `json:"view"`
	fileStep
}

type answer struct {
	Columns [][2]string `json:"columns"`
	Text    string      `json:"text"`
	Error   *struct {
		Exception string  `json:"exception"`
		Class     *string `json:"class"`
		Message   string  `json:"message"`
	} `json:"error"`
}

func read(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestSparkScenarios runs every scenario on the embedded engine and compares with what real Spark answered: columns, types,
// the text of show and printSchema, or the error's exception, class and message. Snapshot ids, commit times and paths differ
// by nature; normalize says how they are compared. LAKELAB_SPARK_ANSWERS names a folder with answers that record_spark.py --into has
// just got from real Spark, to compare instead of ours (make conformance-spark).
func TestSparkScenarios(t *testing.T) {
	paths, err := filepath.Glob("testdata/suite/*.steps.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no scenarios", err)
	}
	data := t.TempDir()
	if err := taxi.Generate(t.Context(), taxi.Options{Dir: data}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LAKELAB_DATA_ROOTS", data)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".steps.json")
		t.Run(name, func(t *testing.T) {
			var steps []step
			var answers []answer
			read(t, path, &steps)
			read(t, strings.TrimSuffix(path, ".steps.json")+".spark.json", &answers)
			if len(steps) != len(answers) {
				t.Fatalf("%d steps, %d recorded answers: record them again", len(steps), len(answers))
			}
			if folder := os.Getenv("LAKELAB_SPARK_ANSWERS"); folder != "" {
				var again []answer
				read(t, filepath.Join(folder, name+".spark.json"), &again)
				compareScenario(t, steps, again, answers, data)
				return
			}
			runScenario(t, steps, answers, data, strings.HasPrefix(name, "hive_"))
		})
	}
}

func runScenario(t *testing.T, steps []step, answers []answer, data string, ofHive bool) {
	ctx := t.Context()
	e, err := engine.Open(ctx, filepath.Join(t.TempDir(), "lakehouse"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := e.Session("", "suite", data)
	saved := map[string]string{"data": data, "dir": filepath.Join(data, "hive"), "warehouse": e.Hive.Dir()}
	defer os.RemoveAll(saved["dir"])
	if ofHive {
		s.Use(engine.HiveCatalogName, engine.DefaultNamespace)
	}
	ours, theirs := newIDs(), newIDs()
	for i, st := range steps {
		if st.Pause {
			time.Sleep(5 * time.Millisecond) // so that two commits do not fall on one millisecond
		}
		want := answers[i]
		got := perform(ctx, s, st, saved)
		want.Text, got.Text = mask(want.Text, st.Mask), mask(got.Text, st.Mask)
		if msg := differ(got, want, ours, theirs, data); msg != "" {
			t.Errorf("step %d: %s%s\n%s", i, st.SQL, st.Schema, msg)
		}
	}
}

// compareScenario compares two recordings of real Spark's.
func compareScenario(t *testing.T, steps []step, got, want []answer, data string) {
	if len(got) != len(want) {
		t.Fatalf("real Spark answered %d of %d steps", len(got), len(want))
	}
	ours, theirs := newIDs(), newIDs()
	for i, st := range steps {
		got[i].Text, want[i].Text = mask(got[i].Text, st.Mask), mask(want[i].Text, st.Mask)
		if msg := differ(got[i], want[i], ours, theirs, data); msg != "" {
			t.Errorf("step %d: %s%s\n%s", i, st.SQL, st.Schema, msg)
		}
	}
}

func perform(ctx context.Context, s *engine.Session, st step, saved map[string]string) answer {
	fill := func(q string) string {
		return regexp.MustCompile(`\$\{(\w+)\}`).ReplaceAllStringFunc(q, func(m string) string {
			if v, ok := saved[m[2:len(m)-1]]; ok {
				return v
			}
			return m // a setting
		})
	}
	if st.Schema != "" {
		name, err := sql.ParseName(fill(st.Schema))
		if err != nil {
			return failed(err)
		}
		n, err := s.Plan(ctx, &sql.TableRef{Name: name})
		if err != nil {
			return failed(err)
		}
		return answer{Text: types.TreeString(engine.SchemaOf(n), 0) + "\n"}
	}
	if st.Query != "" {
		if err := st.write(ctx, s, fill); err != nil {
			return failed(err)
		}
		return answer{}
	}
	if st.SQL == "" {
		text, err := st.do(fill)
		if err != nil {
			return failed(err)
		}
		return answer{Text: text}
	}
	if st.View != "" {
		st.SQL = "CREATE OR REPLACE TEMPORARY VIEW " + st.View + " AS " + st.SQL
	}
	r, err := s.Execute(ctx, sql.Spark, fill(st.SQL), plan.Params{})
	if err != nil {
		return failed(err)
	}
	rows, err := s.Collect(ctx, r, -1)
	if err != nil {
		return failed(err)
	}
	if st.View != "" {
		return answer{}
	}
	n, truncate := 20, 20
	if st.N != nil {
		n = *st.N
	}
	if st.Truncate != nil {
		truncate = *st.Truncate
	}
	var a answer
	var columns []string
	for _, f := range r.Schema.Fields {
		columns = append(columns, f.Name)
		a.Columns = append(a.Columns, [2]string{f.Name, f.Type.SimpleString()})
	}
	cells := make([][]string, len(rows))
	for i, row := range rows {
		for j, v := range row {
			cells[i] = append(cells[i], s.Format().Text(r.Schema.Fields[j].Type, v))
		}
	}
	for name, column := range st.Save {
		for j, c := range columns {
			if c == column {
				saved[name] = cells[st.Row][j]
			}
		}
	}
	more := len(cells) > n
	a.Text = types.ShowTable(columns, cells[:min(n, len(cells))], truncate, false, more, n) + "\n"
	return a
}

func failed(err error) answer {
	var a answer
	a.Error = &struct {
		Exception string  `json:"exception"`
		Class     *string `json:"class"`
		Message   string  `json:"message"`
	}{"?", nil, err.Error()}
	var e *errclass.Error
	if errors.As(err, &e) {
		a.Error.Exception, a.Error.Message = e.Exception, e.Error()
		if e.Class != "" {
			a.Error.Class = &e.Class
		}
	}
	return a
}

func differ(got, want answer, ours, theirs *ids, data string) string {
	if (got.Error == nil) != (want.Error == nil) {
		return fmt.Sprintf("got  %s\nwant %s", show(got), show(want))
	}
	if want.Error != nil {
		g, w := *got.Error, *want.Error
		g.Message, w.Message = ours.normalize(g.Message, data), theirs.normalize(w.Message, data)
		class := func(c *string) string {
			if c == nil || strings.HasPrefix(*c, "_LEGACY") {
				return ""
			}
			return *c
		}
		if m := bracketed.FindStringSubmatch(w.Message); w.Class == nil && m != nil { // the recorder could not ask Spark for the class
			w.Class = &m[1]
			g.Message, _, _ = strings.Cut(g.Message, "\n") // nor for more than the first line
		}
		if g.Exception != w.Exception || class(g.Class) != class(w.Class) || g.Message != w.Message {
			return fmt.Sprintf("got  %s %s %q\nwant %s %s %q", g.Exception, class(g.Class), g.Message, w.Exception, class(w.Class), w.Message)
		}
		return ""
	}
	if fmt.Sprint(got.Columns) != fmt.Sprint(want.Columns) {
		return fmt.Sprintf("got columns  %v\nwant columns %v", got.Columns, want.Columns)
	}
	if got.Text == want.Text {
		ours.normalize(got.Text, data)
		theirs.normalize(want.Text, data)
		return ""
	}
	// An id or a time may be shorter or longer than the other side's: then cells are compared, not the layout.
	g, w := ours.normalize(got.Text, data), theirs.normalize(want.Text, data)
	if w == want.Text && !strings.Contains(w, "${") || withoutLayout(g) != withoutLayout(w) {
		return fmt.Sprintf("got\n%s\nwant\n%s", g, w)
	}
	return ""
}

func show(a answer) string {
	if a.Error != nil {
		return "error " + a.Error.Exception + " " + a.Error.Message
	}
	return "\n" + a.Text
}

// ids numbers snapshot ids in the order in which they are met, so that two runs can be compared.
type ids struct{ seen map[string]string }

func newIDs() *ids { return &ids{map[string]string{}} }

var (
	snapshotID = regexp.MustCompile(`\b\d{16,19}\b`)
	commitTime = regexp.MustCompile(`\b20(2[5-9]|[3-9]\d)-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?`)
	filePath   = regexp.MustCompile(`(file:)?(\$\{warehouse\})?/[\w./=%-]+\.(avro|parquet|json|puffin|stats)`)
	// Both sides' warehouses, with what was cut of it where a table was shown narrow.
	warehouse     = regexp.MustCompile(`(file:)?/[\w./-]+/lakehouse/warehouse`)
	bracketed     = regexp.MustCompile(`^\[([A-Z_.]+)\] `)
	hiveWarehouse = regexp.MustCompile(`/[\w./-]+/lakehouse/spark-warehouse`)
	// What a table of plain files tells about who made it, when, and how large its files came out.
	ofWriter = []*regexp.Regexp{regexp.MustCompile(`()\w{3} \w{3} \d\d \d\d:\d\d:\d\d \w+ \d{4}`), regexp.MustCompile(`(transient_lastDdlTime\W+)\d{10}`),
		regexp.MustCompile(`(totalSize=|numFiles=)\d+`), regexp.MustCompile(`()\d+ bytes`), regexp.MustCompile(`(Owner[ |:]+)\w+`),
		// the same in DESCRIBE … AS JSON
		regexp.MustCompile(`("(?:created_time|totalSize|numFiles|owner)":")[^"]+`), regexp.MustCompile(`("size_in_bytes":)\d+`)}
	// What in a summary depends on the writer: who wrote, and how large its files came out.
	writer = regexp.MustCompile(`(spark\.app\.id|added-files-size|removed-files-size|total-files-size|engine-version|app-id|engine-name|iceberg-version) -> [^,}]*`)
	// Spark writes as many files as it has tasks.
	fileCount = regexp.MustCompile(`(added-data-files|deleted-data-files|total-data-files) -> \d+`)
)

func (n *ids) normalize(s, data string) string {
	s = strings.ReplaceAll(s, "${data}", data)
	s = strings.ReplaceAll(s, data+"/hive", "${dir}")
	s = hiveWarehouse.ReplaceAllString(s, "$${warehouse}")
	for _, r := range ofWriter {
		s = r.ReplaceAllString(s, "$1<n>")
	}
	s = commitTime.ReplaceAllString(s, "<time>")
	s = warehouse.ReplaceAllString(s, "$${warehouse}")
	s = filePath.ReplaceAllString(s, "<path>")
	s = writer.ReplaceAllString(s, "$1 -> <writer>")
	s = fileCount.ReplaceAllString(s, "$1 -> <files>")
	return snapshotID.ReplaceAllStringFunc(s, func(id string) string {
		if n.seen[id] == "" {
			n.seen[id] = fmt.Sprintf("<id %d>", len(n.seen)+1)
		}
		return n.seen[id]
	})
}

// mask puts 1 for every number but 0 in some columns of a shown table, and drops its layout.
func mask(text string, columns []string) string {
	if len(columns) == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	var masked []int
	for i, line := range lines {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		for j, c := range cells {
			if slices.Contains(columns, strings.TrimSpace(c)) {
				masked = append(masked, j)
			} else if slices.Contains(masked, j) && strings.TrimSpace(c) != "0" {
				cells[j] = "1" + strings.Repeat(" ", max(len(c)-1, 0))
			}
		}
		lines[i] = strings.Join(cells, "|")
	}
	return withoutLayout(strings.Join(lines, "\n")) // the numbers may have been longer on one side
}

// withoutLayout drops the layout of a shown table.
func withoutLayout(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "+") {
			continue
		}
		for _, c := range strings.Split(line, "|") {
			b.WriteString(strings.TrimSpace(c) + "|")
		}
		b.WriteString("\n")
	}
	return b.String()
}
