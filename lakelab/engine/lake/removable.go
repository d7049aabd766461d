package lake

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// Which files may be written and removed. A metadata file that was registered can name any file as the table's, and any folder as its own, so what metadata
// says is not enough.

// own leaves out the files that are not this lakehouse's to remove. Those that lie in the lakehouse, its warehouse, the folders of
// config.Roots, the table's folder as its metadata file tells it by lying there, or in more folders are, but not those that lie where others
// do (Others): a table may have taken them in (add_files), and theirs they stay. If it is not known where others lie, that is an error, and
// nothing may be removed.
func (l *Lakehouse) own(ctx context.Context, m *metadata, files []string, more ...string) ([]string, error) {
	if len(files) == 0 {
		return files, nil
	}
	var theirs []string
	if l.others != nil {
		var err error
		if theirs, err = l.others(ctx); err != nil {
			return nil, err
		}
	}
	roots, err := l.roots(m)
	if err != nil {
		return nil, err
	}
	ours, not, real := folderSet(append(roots, more...)), folderSet(theirs), places{}
	return slices.DeleteFunc(slices.Clone(files), func(f string) bool {
		at := real.of(f)
		return !ours.holds(at) || not.holds(at)
	}), nil
}

// places finds out where files really are: the folders that were asked for, without symbolic links.
type places map[string]string

// of is the spot of a file in the folder to which the links on its way lead.
func (p places) of(location string) string {
	place := spot(location)
	if _, object := onRemote(location); object || !strings.HasPrefix(place, "/") {
		return place
	}
	dir := filepath.Dir(place)
	if p[dir] == "" {
		p[dir] = withoutLinks(dir)
	}
	return filepath.Join(p[dir], filepath.Base(place))
}

// roots are the folders in which a table's files are the lakehouse's.
func (l *Lakehouse) roots(m *metadata) ([]string, error) {
	roots, err := config.Roots()
	return append(roots, l.dir, l.warehouse, tableFolder(m.location)), err
}

// checkPlace refuses to write where a table's metadata says that it is, if that is none of its roots.
func (l *Lakehouse) checkPlace(m *metadata) error {
	location := m.Location()
	if !reachable(location) {
		return errclass.Unsupported("writing to a table at " + location)
	}
	if _, object := onRemote(location); object || spot(location) == tableFolder(m.location) {
		return nil
	}
	roots, err := l.roots(m)
	if err != nil {
		return err
	}
	if !folderSet(roots).holds(filepath.Join(withoutLinks(spot(location)), "x")) {
		return errclass.Unsupported("writing to a table at " + location + ", outside of the lakehouse and of the folder that its metadata is in,")
	}
	return nil
}

// tableFolder is the folder of the table that a metadata file belongs to by its place: the one around metadata, or else its own.
func tableFolder(file string) string {
	dir := filepath.Dir(spot(file))
	if filepath.Base(dir) == "metadata" {
		return filepath.Dir(dir)
	}
	return dir
}

// folders are folders by their paths.
type folders map[string]bool

// folderSet is folders both as they are named and without symbolic links.
func folderSet(paths []string) folders {
	f := folders{}
	for _, p := range paths {
		if p = spot(p); strings.HasPrefix(p, "/") {
			f[p], f[withoutLinks(p)] = true, true
		}
	}
	return f
}

// holds reports whether a file lies in one of the folders.
func (f folders) holds(file string) bool {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if f[dir] {
			return true
		}
	}
	return false
}

// withoutLinks is a path without symbolic links, as far as it is there.
func withoutLinks(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(withoutLinks(dir), filepath.Base(path))
	}
	return path
}

// Others says how to find the folders of tables that are not of this catalog: their files are not removed.
func (l *Lakehouse) Others(folders func(context.Context) ([]string, error)) { l.others = folders }
