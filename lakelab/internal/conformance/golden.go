package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// file is one file of Spark's tests: its directives and its queries in the order in which Spark ran them.
type file struct {
	Name     string // postgreSQL/join.sql
	Settings [][2]string
	Queries  []golden
}

// golden is a query with what Spark answered: a schema and rows as text, or an error.
type golden struct {
	SQL       string
	Schema    string
	Output    string
	Exception string // simple name, without Extended; empty if the query succeeded
	Class     string // empty where Spark has no class
}

func (g *golden) fails() bool { return g.Exception != "" }

// listFiles names the files under dir that have recorded answers.
func listFiles(dir string) ([]string, error) {
	root := filepath.Join(dir, "sql-tests", "results")
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if name, ok := strings.CutSuffix(filepath.ToSlash(rel), ".out"); ok && err == nil {
			out = append(out, name)
		}
		return err
	})
	sort.Strings(out)
	return out, err
}

// readFile reads a test file. The queries are taken from the answers: there they are cut, with those of --IMPORT among them.
func readFile(dir, name string) (*file, error) {
	input, err := os.ReadFile(filepath.Join(dir, "sql-tests", "inputs", filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	output, err := os.ReadFile(filepath.Join(dir, "sql-tests", "results", filepath.FromSlash(name)+".out"))
	if err != nil {
		return nil, err
	}
	f := &file{Name: name, Settings: directives(string(input))}
	f.Queries, err = parseAnswers(string(output))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// directives reads --SET k = v, … and the first choice of every --CONFIG_DIM.
func directives(input string) [][2]string {
	var out [][2]string
	dims := map[string]bool{}
	for _, line := range strings.Split(input, "\n") {
		if s, ok := strings.CutPrefix(line, "--SET "); ok {
			out = append(out, settingsOf(s)...)
			continue
		}
		s, ok := strings.CutPrefix(line, "--CONFIG_DIM")
		if !ok {
			continue
		}
		dim, s, ok := strings.Cut(s, " ")
		if ok && !dims[dim] {
			dims[dim] = true
			out = append(out, settingsOf(s)...)
		}
	}
	return out
}

func settingsOf(list string) [][2]string {
	var out [][2]string
	for _, kv := range strings.Split(list, ",") {
		k, v, _ := strings.Cut(kv, "=")
		out = append(out, [2]string{strings.TrimSpace(k), strings.TrimSpace(v)})
	}
	return out
}

// hiveCatalog is the catalog of Spark's tests. It qualifies SQL functions in generated names; ours are temporary and have none.
const hiveCatalog = "spark_catalog"

var (
	answerMark = regexp.MustCompile(`(?m)^-- !query.*\n`)
	exception  = regexp.MustCompile(`^[a-z][\w.]*\.([A-Z]\w*(?:Exception|Error))(?:\n|$)`)
)

// parseAnswers reads the text of a .sql.out file: for each query its text, its schema and its output.
func parseAnswers(text string) ([]golden, error) {
	parts := answerMark.Split(text, -1)[1:]
	if len(parts)%3 != 0 {
		return nil, fmt.Errorf("%d parts between the marks; three for each query were expected", len(parts))
	}
	var out []golden
	for i := 0; i < len(parts); i += 3 {
		g := golden{SQL: strings.TrimSpace(parts[i]), Schema: strings.ReplaceAll(strings.TrimSpace(parts[i+1]), hiveCatalog+".default.", ""), Output: strings.TrimRight(parts[i+2], " \t\r\n\f\v")}
		if m := exception.FindStringSubmatch(g.Output); m != nil && g.Schema == "struct<>" {
			g.Exception = strings.TrimPrefix(m[1], "Extended")
			g.Class = classOf(g.Output)
		}
		out = append(out, g)
	}
	return out, nil
}

// classOf reads the error class out of an answer; legacy classes count as none, as they do for a user.
func classOf(output string) string {
	_, body, _ := strings.Cut(output, "\n")
	var e struct {
		Class     string `json:"errorClass"`
		Condition string `json:"condition"`
	}
	if json.Unmarshal([]byte(body), &e) != nil {
		return ""
	}
	if e.Class == "" {
		e.Class = e.Condition
	}
	if strings.HasPrefix(e.Class, "_LEGACY") {
		return ""
	}
	return e.Class
}
