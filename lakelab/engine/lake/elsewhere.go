package lake

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Files of several tables can lie in one folder: a renamed table keeps its folder, LOCATION may name any, add_files takes in files where they
// are. Who deletes by folder must know them all.

// placed is a table or a view, with its metadata file as far as the catalog's row says it.
type placed struct {
	id       Ident
	location string
	view     bool
}

// withoutOthers leaves out the files that some other table or view of this database refers to, or a table without a catalog whose metadata
// is among the files. If it is not known what one refers to that has its place at the folder, that is an error, and nothing may be removed.
func (l *Lakehouse) withoutOthers(ctx context.Context, t *Table, folder string, files []string, real places) ([]string, error) {
	left := map[string]bool{}
	for _, f := range files {
		left[real.of(f)] = true
	}
	seen := map[Ident]bool{t.id: true}
	for more := true; more && len(left) > 0; { // one that was renamed after it was listed is found by the next look
		others, err := l.everyTable(ctx)
		if err != nil {
			return nil, err
		}
		more = false
		for _, o := range append(others, pathTables(files, t.meta.Location())...) {
			if seen[o.id] {
				continue
			}
			seen[o.id], more = true, true
			delete(left, real.of(o.location))
			if o.view {
				continue
			}
			known, _, err := l.knownFiles(ctx, o.id, real)
			gone := errors.Is(err, fs.ErrNotExist) && o.location != "" && !overlap(folder, filepath.Dir(filepath.Dir(spot(o.location))))
			if err != nil && !gone && !IsNoTable(err) {
				return nil, fmt.Errorf("it is not known which files in %s belong to %s: %w", folder, o.id, err)
			}
			for at := range known {
				delete(left, at)
			}
		}
	}
	return slices.DeleteFunc(files, func(f string) bool { return !left[real.of(f)] }), nil
}

// pathTables are the tables without a catalog whose numbered metadata files are among some files, but the one in a folder.
func pathTables(files []string, but string) (out []placed) {
	for _, f := range files {
		folder, name := filepath.Split(f)
		if table, ok := strings.CutSuffix(folder, "/metadata/"); ok && versionFile.MatchString(name) && spot(table) != spot(but) {
			out = append(out, placed{id: PathIdent(table), location: f})
		}
	}
	return out
}

// overlap reports whether one folder is the other one or lies in it.
func overlap(a, b string) bool {
	a, b = withoutLinks(spot(a)), withoutLinks(spot(b))
	return a == b || below(a, b) || below(b, a)
}

// everyTable lists all tables and views. In an SQL catalog those of other catalogs in the same database are among them.
func (l *Lakehouse) everyTable(ctx context.Context) ([]placed, error) {
	if l.rest == nil && !l.hadoop {
		return l.everyRow(ctx)
	}
	spaces, err := l.everySpace(ctx, "")
	if err != nil {
		return nil, err
	}
	var out []placed
	for _, space := range spaces {
		for _, kind := range []rowKind{isTable, isView} {
			list := l.Tables
			if kind == isView {
				list = l.Views
			}
			names, err := list(ctx, space)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				p := placed{id: Ident{Namespace: space, Name: name}, view: kind == isView}
				if p.location, err = l.rowLocation(ctx, p.id, kind); err != nil {
					return nil, err
				}
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// everySpace lists the namespaces of a Hadoop or a REST catalog, those inside others too.
func (l *Lakehouse) everySpace(ctx context.Context, in string) ([]string, error) {
	if l.rest != nil {
		return l.restSpaces(ctx, nil)
	}
	folder := l.warehouse
	if in != "" {
		folder = l.usualFolder(in)
	}
	names, err := folderNames(ctx, folder, false)
	var out []string
	for _, name := range names {
		if in != "" {
			name = in + "." + name
		}
		inner, err := l.everySpace(ctx, name)
		if err != nil {
			return nil, err
		}
		out = append(append(out, name), inner...)
	}
	return out, err
}

// everyRow is everyTable of an SQL catalog. A table of another catalog is named by its metadata file.
func (l *Lakehouse) everyRow(ctx context.Context) ([]placed, error) {
	rows, err := l.db.Rows(ctx, `SELECT catalog_name, table_namespace, table_name, metadata_location, iceberg_type FROM iceberg_tables`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []placed
	for rows.Next() {
		var catalog string
		var location, kind sql.NullString
		p := placed{}
		if err := rows.Scan(&catalog, &p.id.Namespace, &p.id.Name, &location, &kind); err != nil {
			return nil, err
		}
		p.location, p.view = location.String, kind.String == isView.name()
		if catalog != CatalogName {
			p.id = PathIdent(p.location)
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// ownFolder is a new table's folder below its namespace's: named as the table, but that a folder in which another one of an SQL catalog has
// its metadata, since it was renamed, is left to that.
func (l *Lakehouse) ownFolder(ctx context.Context, id Ident, namespace string) (string, error) {
	folder := join(namespace, id.Name)
	if l.rest != nil || l.hadoop || id.path != "" {
		return folder, nil
	}
	others, err := l.everyRow(ctx)
	if err != nil {
		return "", err
	}
	for _, o := range others {
		if filepath.Dir(spot(o.location)) == spot(join(folder, "metadata")) {
			return folder + "-" + uuid.NewString(), nil
		}
	}
	return folder, nil
}
