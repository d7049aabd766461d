package engine

import (
	"bufio"
	"os"
	"path/filepath"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// lineFiles are the files of lines being written, one a folder. Few of them are open at a time, however many there are: a process has so many
// file descriptors, and each open file has a buffer.
type lineFiles struct {
	dir, extension, first string
	paths                 map[string]string // of the files by folder
	open                  map[string]*lineFile
	order                 []string // the folders of those that are open, the one longest open first
}

type lineFile struct {
	*bufio.Writer
	file *os.File
}

// mostOpen is how many files of lines are open at a time.
const mostOpen = 128

func newLineFiles(dir, extension, first string) *lineFiles {
	return &lineFiles{dir: dir, extension: extension, first: first, paths: map[string]string{}, open: map[string]*lineFile{}}
}

// file is the file of a folder, which is made with the first line.
func (l *lineFiles) file(folder string) (*lineFile, error) {
	if f := l.open[folder]; f != nil {
		return f, nil
	}
	if len(l.order) == mostOpen {
		if err := l.closeFirst(); err != nil {
			return nil, err
		}
	}
	path, begun := l.paths[folder]
	if !begun {
		dir := filepath.Join(l.dir, folder)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, errclass.Unwritable(dir, err)
		}
		path = filepath.Join(dir, partName(l.extension))
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	f := &lineFile{bufio.NewWriter(file), file}
	l.paths[folder], l.open[folder], l.order = path, f, append(l.order, folder)
	if !begun && l.first != "" {
		_, err = f.WriteString(l.first + "\n")
	}
	return f, err
}

func (l *lineFiles) closeFirst() error {
	folder := l.order[0]
	f := l.open[folder]
	l.order = l.order[1:]
	delete(l.open, folder)
	err := f.Flush()
	if cerr := f.file.Close(); err == nil {
		err = cerr
	}
	return err
}

// close closes all of them; the first error counts.
func (l *lineFiles) close() error {
	var first error
	for len(l.order) > 0 {
		if err := l.closeFirst(); first == nil {
			first = err
		}
	}
	return first
}
