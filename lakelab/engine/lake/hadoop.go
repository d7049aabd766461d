package lake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/objects"
)

// Tables without a catalog, as Iceberg's HadoopTables and HadoopCatalog keep them: a folder whose metadata files are numbered, v1, v2, …;
// version-hint.text says which is current, and a higher one that is there counts more. A commit makes the next number; the file system
// lets one writer make it. An object store does not, so tables there are read only.
//
// PathIdent names such a table by its folder. With the setting catalog = hadoop all names are folders below the warehouse.

const versionHint = "version-hint.text"

// versionFile is the name of a metadata file, with its number.
var versionFile = regexp.MustCompile(`^v(\d+)(\.gz)?\.metadata\.json(\.gz)?$`)

// folder is the folder of a table that has no catalog.
func (l *Lakehouse) folder(id Ident) (string, bool) {
	if id.path != "" {
		return strings.TrimRight(id.path, "/"), true
	}
	if l.hadoop {
		return join(l.usualFolder(id.Namespace), id.Name), true
	}
	return "", false
}

// PathIdent names the table in a folder, or the one that a metadata file describes. Whether a user may go there is for the caller to check.
func PathIdent(location string) Ident { return Ident{Name: location, path: location} }

// folderVersion finds the current metadata file of a table's folder and its number; "" and 0 if there is none.
func folderVersion(ctx context.Context, folder string) (location string, version int, err error) {
	if strings.HasSuffix(folder, ".metadata.json") { // one state of some table
		return folder, 0, nil
	}
	if objects.Remote(folder) && !reachable(folder) {
		return "", 0, errclass.Unsupported("a table at " + folder + " without an S3 warehouse in the settings")
	}
	files, err := versionFiles(ctx, join(folder, "metadata"))
	if err != nil || len(files) == 0 {
		return "", 0, err
	}
	version = hinted(ctx, folder)
	if files[version] == "" { // no hint, or one of a file that is gone
		version = slices.Max(slices.Collect(maps.Keys(files)))
	}
	for files[version+1] != "" { // the hint is written after the file
		version++
	}
	return files[version], version, nil
}

// hinted is the number in version-hint.text; 0 if it says none.
func hinted(ctx context.Context, folder string) int {
	location := join(folder, "metadata", versionHint)
	if s, ok := onRemote(location); ok {
		s.Forget(location) // unlike other files it changes
	}
	b, err := readFile(ctx, location)
	if err != nil {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0
	}
	return n
}

// versionFiles are the numbered metadata files of a folder.
func versionFiles(ctx context.Context, folder string) (map[int]string, error) {
	files := map[int]string{}
	add := func(name, location string) {
		if m := versionFile.FindStringSubmatch(name); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				files[n] = location
			}
		}
	}
	if s, ok := onRemote(folder); ok {
		return files, s.List(ctx, folder+"/v", func(location string, _ time.Time) { add(location[strings.LastIndexByte(location, '/')+1:], location) })
	}
	entries, err := os.ReadDir(localPath(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	for _, e := range entries {
		add(e.Name(), join(folder, e.Name()))
	}
	return files, err
}

// nextVersionFile is the metadata file that follows previous ("": none) in a table's folder. It is written as a draft first.
func nextVersionFile(folder, previous, extension string) (string, error) {
	if objects.Remote(folder) {
		return "", errclass.Unsupported("writing to the table at " + folder + ": an object store has no atomic rename, which tables without a catalog need; a catalog's tables can be there")
	}
	if strings.HasSuffix(folder, ".metadata.json") {
		return "", errclass.Unsupported("writing to one state of a table, " + folder)
	}
	version := 0
	if previous != "" {
		m := versionFile.FindStringSubmatch(filepath.Base(previous))
		if m == nil {
			return "", errclass.Unsupported("writing to a table without a catalog whose metadata file is " + previous)
		}
		var err error
		if version, err = strconv.Atoi(m[1]); err != nil {
			return "", err
		}
	}
	return join(folder, "metadata", fmt.Sprintf("v%d%s", version+1, extension)), nil
}

// draft is a name under which a numbered metadata file is written first.
func draft(next string) string {
	return join(filepath.Dir(next), uuid.NewString()+".metadata.json.tmp")
}

// publishVersion gives a draft its number. It is false if another writer has made that number.
func publishVersion(draft, next string) (bool, error) {
	// The number may be there under the name that it has with another compression.
	number := versionFile.FindStringSubmatch(filepath.Base(next))[1]
	for _, extension := range []string{metadataExtension, gzipExtension, metadataExtension + ".gz"} {
		if _, err := os.Lstat(filepath.Join(filepath.Dir(localPath(next)), "v"+number+extension)); err == nil {
			return false, nil
		}
	}
	// A link, unlike a rename, fails if the name is there.
	err := os.Link(localPath(draft), localPath(next))
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	folder := filepath.Dir(localPath(next))
	if err := flush(folder); err != nil {
		return false, errors.Join(errUnknownOutcome, err)
	}
	os.Remove(localPath(draft))
	// Readers go on from an old hint, so that its failure is none of the commit's.
	hint := filepath.Join(folder, uuid.NewString()+"-"+versionHint)
	if os.WriteFile(hint, []byte(number), 0o644) == nil {
		_ = os.Rename(hint, filepath.Join(folder, versionHint))
	}
	return true, nil
}

// folderNames lists what is below a namespace's folder: tables, or namespaces.
func folderNames(ctx context.Context, folder string, tables bool) ([]string, error) {
	if objects.Remote(folder) {
		return nil, errOnObjects
	}
	entries, err := os.ReadDir(localPath(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() || hidden(e.Name()) {
			continue
		}
		location, _, verr := folderVersion(ctx, join(folder, e.Name()))
		if verr != nil {
			return nil, verr
		}
		if (location != "") == tables {
			out = append(out, e.Name())
		}
	}
	sort.Strings(out)
	return out, err
}

// namespaceFolder reports whether a name's folder is there and a namespace's: a table's is none.
func (l *Lakehouse) namespaceFolder(ctx context.Context, name string) (bool, error) {
	folder := l.usualFolder(name)
	if objects.Remote(folder) {
		return false, errOnObjects
	}
	parts := strings.Split(name, ".")
	if checkName(parts...) != nil || slices.ContainsFunc(parts, hidden) {
		return false, nil
	}
	st, err := os.Stat(localPath(folder))
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !st.IsDir():
		return false, nil
	case err != nil:
		return false, err
	}
	table, _, err := folderVersion(ctx, folder)
	return err == nil && table == "", err
}

// dropFolder removes a table's folder, as Iceberg's HadoopCatalog does, purge or not. What is no such folder stays.
func (l *Lakehouse) dropFolder(ctx context.Context, folder string) error {
	if strings.HasSuffix(folder, ".metadata.json") {
		return errclass.Unsupported("dropping one state of a table, " + folder)
	}
	location, _, err := folderVersion(ctx, folder)
	if err == nil && location != "" {
		_, err = l.cache.metadata(ctx, location) // a file of that name may be anything
	}
	switch {
	case err != nil:
		return err
	case location == "":
		return fmt.Errorf("%w: %s", ErrNoTable, folder)
	case objects.Remote(folder):
		return errclass.Unsupported("dropping a Hadoop catalog's table on an object store")
	}
	// Out of sight in one step: a removal that is cut short must not leave a table with a part of its files, perhaps an older state of it.
	path := filepath.Clean(localPath(folder))
	hidden := filepath.Join(filepath.Dir(path), ".dropped-"+uuid.NewString())
	if err := os.Rename(path, hidden); err != nil {
		return err
	}
	reached("folder hidden")
	return os.RemoveAll(hidden)
}

// errOnObjects refuses a catalog of folders where there are no folders.
var errOnObjects = errclass.Unsupported("a Hadoop catalog on an object store: it has neither folders nor an atomic rename; catalogs with a database or a REST server can have their tables there")

// errHadoopProperties refuses what a folder can't hold.
var errHadoopProperties = errclass.Unsupported("properties of a namespace in a Hadoop catalog")

// createFolder makes a namespace of a Hadoop catalog.
func (l *Lakehouse) createFolder(ctx context.Context, name string, properties map[string]string) error {
	for key := range properties {
		if key != "owner" || len(properties) > 1 { // which is of every new namespace, and dropped as in Java
			return errclass.UnsupportedOperation("Cannot create namespace " + name + ": metadata is not supported")
		}
	}
	if ok, err := l.NamespaceExists(ctx, name); err != nil || ok {
		return errors.Join(err, fmt.Errorf("%w: %s", ErrNamespaceExists, name))
	}
	return makeFolder(localPath(l.usualFolder(name)))
}

// dropNamespaceFolder removes an empty namespace of a Hadoop catalog.
func (l *Lakehouse) dropNamespaceFolder(ctx context.Context, name string) error {
	if ok, err := l.NamespaceExists(ctx, name); err != nil || !ok {
		return errors.Join(err, fmt.Errorf("%w: %s", ErrNoNamespace, name))
	}
	err := os.Remove(localPath(l.usualFolder(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %s", ErrNamespaceNotEmpty, name)
	}
	return err
}
