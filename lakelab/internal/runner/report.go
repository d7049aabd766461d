package runner

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
)

// bar shows how far a notebook is. On a terminal it moves and disappears; elsewhere each notebook is one line.
type bar struct {
	w      io.Writer
	name   string
	moving *progressbar.ProgressBar
}

func newBar(w io.Writer, name string) *bar { return &bar{w: w, name: name} }

func (b *bar) start(cells int) {
	if !isTerminal(b.w) {
		return
	}
	b.moving = progressbar.NewOptions(cells,
		progressbar.OptionSetWriter(b.w),
		progressbar.OptionSetDescription(b.name),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionSetTheme(progressbar.Theme{Saucer: "█", SaucerPadding: "░", BarStart: "", BarEnd: ""}))
}

func (b *bar) set(done int) {
	if b.moving != nil {
		_ = b.moving.Set(done) // a bar that can't be drawn is no reason to stop
	}
}

func (b *bar) finish(res Result) {
	if b.moving != nil {
		_ = b.moving.Finish()
		_ = b.moving.Clear()
		return
	}
	fmt.Fprintf(b.w, "%s: %d of %d cells, %.1f s\n", b.name, res.Cells, res.Of, res.Elapsed.Seconds())
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// short is a path as a person in the working folder would type it.
func short(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// writeTable prints one line a notebook: name, cells, seconds, result.
func writeTable(w io.Writer, results []Result) {
	rows := [][]string{{"notebook", "cells", "seconds", "result"}}
	for _, r := range results {
		result := "ok"
		if r.Failure != nil {
			result = "FAILED " + r.Failure.String()
		}
		if r.Lakehouse != "" {
			result += " (lakehouse: " + r.Lakehouse + ")"
		}
		rows = append(rows, []string{short(r.Notebook), fmt.Sprintf("%d/%d", r.Cells, r.Of), strconv.FormatFloat(r.Elapsed.Seconds(), 'f', 1, 64), result})
	}
	var width [4]int
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		pad := func(i int) string { return strings.Repeat(" ", width[i]-utf8.RuneCountInString(row[i])) }
		fmt.Fprintf(w, "%s%s  %s%s  %s%s  %s\n", row[0], pad(0), pad(1), row[1], pad(2), row[2], row[3])
	}
}
