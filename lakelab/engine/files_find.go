package engine

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/hivepath"
)

// Which files a read takes ("Generic File Source Options" page of Spark): its paths, patterns among them, what lies below, and the
// options recursiveFileLookup, pathGlobFilter and basePath.

// find lists the files and the values of the partitions they lie in.
func (r *fileRead) find() error {
	recursive, err := r.options.flag("recursivefilelookup", false)
	if err != nil {
		v, _ := r.options.text("recursivefilelookup")
		return errclass.IllegalArgument("For input string: \"" + v + "\"")
	}
	for _, name := range []string{"ignoremissingfiles", "ignorecorruptfiles"} {
		if err := r.options.accept(name, "false"); err != nil {
			return err
		}
	}
	var roots []string
	for _, p := range r.Paths {
		found, err := r.session.filesNamed(p)
		if err != nil {
			return err
		}
		roots = append(roots, found...)
	}
	bases, err := r.bases(roots)
	if err != nil {
		return err
	}
	list := leafFiles{session: r.session, seen: map[string]bool{}, states: map[string]fs.FileInfo{}}
	if list.patterns, err = braces(r.options.or("", "pathglobfilter")); err != nil {
		return err
	}
	for _, root := range roots {
		if err := list.walk(root, root); err != nil {
			return err
		}
	}
	defer func() {
		for i := range r.files {
			st := list.states[r.files[i].path]
			r.files[i].size, r.files[i].modified = st.Size(), st.ModTime()
		}
	}()
	if recursive {
		for _, p := range list.files {
			r.files = append(r.files, dataFile{path: p})
		}
		return nil
	}
	if err := r.discover(list.files, bases); err != nil || len(r.partition) > 0 {
		return err
	}
	// Without partitions, folders below the paths are left alone.
	for _, p := range list.files {
		if slices.Contains(roots, p) || slices.Contains(roots, filepath.Dir(p)) {
			r.files = append(r.files, dataFile{path: p})
		}
	}
	return nil
}

// bases are the folders where the search for partitions ends: the option basePath, or the paths themselves.
func (r *fileRead) bases(roots []string) ([]string, error) {
	if base, ok := r.options.text("basepath"); ok {
		full, err := r.session.userPath(base)
		if errclass.Is(err, "PATH_NOT_FOUND") {
			return nil, errclass.IllegalArgument("Option 'basePath' not found")
		}
		if err != nil {
			return nil, err
		}
		if st, err := os.Stat(full); err != nil || !st.IsDir() {
			return nil, errclass.IllegalArgument("Option 'basePath' must be a directory")
		}
		for _, root := range roots {
			if !hive.Within(full, root) {
				return nil, errclass.IllegalArgument("Wrong basePath file:" + full + " for the root path: file:" + root)
			}
		}
		return []string{full}, nil
	}
	var out []string
	for _, root := range roots {
		if st, err := os.Stat(root); err == nil && !st.IsDir() {
			root = filepath.Dir(root)
		}
		out = append(out, root)
	}
	return out, nil
}

// filesNamed are the files and folders that a path or a pattern names.
func (s *Session) filesNamed(path string) ([]string, error) {
	if dir, err := s.userTarget(filepath.Dir(s.absolute(path))); err == nil {
		undoSaves(dir)
	}
	if !strings.ContainsAny(path, "*?[{") {
		full, err := s.readPath(path)
		return []string{full}, err
	}
	if full, err := s.readPath(path); err == nil {
		return []string{full}, nil // the characters are the name's own
	}
	patterns, err := braces(path)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, p := range patterns {
		full, err := s.userPattern(p)
		if errclass.Is(err, "PATH_NOT_FOUND") {
			continue
		}
		if err != nil {
			return nil, err
		}
		found, err := filepath.Glob(full)
		if err != nil {
			return nil, errclass.IllegalArgument("Illegal file pattern: " + path)
		}
		for _, f := range found {
			if hivepath.Hidden(filepath.Base(f)) {
				continue
			}
			if f, err = s.readPath(f); err != nil {
				return nil, err
			}
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	if len(out) == 0 {
		return nil, errclass.PathNotFound(s.absolute(path))
	}
	slices.Sort(out)
	return out, nil
}

// braces writes {a,b} out: one pattern for each alternative.
func braces(pattern string) ([]string, error) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		return []string{pattern}, nil
	}
	depth, start := 0, open+1
	var inner []string
	for i := open; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '{':
			depth++
		case c == ',' && depth == 1:
			inner = append(inner, pattern[start:i])
			start = i + 1
		case c == '}':
			if depth--; depth > 0 {
				continue
			}
			var out []string
			for _, x := range append(inner, pattern[start:i]) {
				rest, err := braces(pattern[:open] + x + pattern[i+1:])
				if err != nil {
					return nil, err
				}
				out = append(out, rest...)
			}
			return out, nil
		}
	}
	return nil, errclass.IllegalArgument("Unclosed group near index " + pattern)
}

// leafFiles collects the files below folders. Symbolic links are followed as long as they stay inside the session's roots.
type leafFiles struct {
	session  *Session
	patterns []string // of names
	files    []string
	states   map[string]fs.FileInfo
	seen     map[string]bool // folders, so that links can't lead around
}

// walk collects what lies below a path; real is the path without links.
func (l *leafFiles) walk(path, real string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if l.session.internal(real) {
		return errclass.PathSecret(path)
	}
	if !st.IsDir() {
		if !st.Mode().IsRegular() {
			return errclass.NotRegularFile(path)
		}
		if l.matches(filepath.Base(path)) {
			l.files = append(l.files, path)
			l.states[path] = st
		}
		return nil
	}
	if l.seen[real] {
		return nil
	}
	l.seen[real] = true
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if hivepath.Hidden(e.Name()) {
			continue
		}
		p, to := filepath.Join(path, e.Name()), filepath.Join(real, e.Name())
		if e.Type()&fs.ModeSymlink != 0 {
			if to, err = l.session.readPath(p); err != nil {
				return err
			}
		}
		if err := l.walk(p, to); err != nil && !os.IsNotExist(err) { // else it was deleted meanwhile
			return err
		}
	}
	return nil
}

func (l *leafFiles) matches(name string) bool {
	for _, p := range l.patterns {
		if p == "" {
			return true
		}
		if ok, _ := filepath.Match(p, name); ok {
			return true
		}
	}
	return false
}
