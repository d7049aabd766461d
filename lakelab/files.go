package lakelab

import (
	"fmt"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// Files looks at folders and files, moves and deletes them, without a shell. Get it with Session.Files:
//
//	for _, f := range spark.Files().List("file:/lake/warehouse") { fmt.Println(f.Name, f.Size) }
//
// A path is relative to the notebook's folder, may begin with file:, and must lie in that folder or in the lakehouse; neither .. nor a
// symbolic link leads out of them. Error: SecurityException.
type Files struct{}

// FileInfo is a file or a folder. Size is zero for a folder.
type FileInfo struct {
	Path, Name string
	Size       int64
	IsDir      bool
	Modified   time.Time
}

// Files gives the session's view of the disk.
func (s *Session) Files() *Files { return &Files{} }

func filesCall(name string, args ...any) any {
	return call(node{"op": wire.OpFiles, "call": name, "args": args})["value"]
}

func fileInfos(v any) []FileInfo {
	var out []FileInfo
	for _, m := range records(v) {
		size, _ := m["size"].(int64)
		f := FileInfo{Path: str(m["path"]), Name: str(m["name"]), Size: size, IsDir: isTrue(m["dir"])}
		if at, ok := m["modified"].(types.Micros); ok {
			f.Modified = time.UnixMicro(int64(at))
		}
		out = append(out, f)
	}
	return out
}

// List lists what a folder holds, by name (hdfs dfs -ls). Error: AnalysisException PATH_NOT_FOUND.
func (*Files) List(path string) []FileInfo { return fileInfos(filesCall("list", path)) }

// Walk lists all files below a folder, folders left out (hdfs dfs -ls -R). Error: AnalysisException PATH_NOT_FOUND.
func (*Files) Walk(path string) []FileInfo { return fileInfos(filesCall("walk", path)) }

// Exists reports whether there is anything at a path (hdfs dfs -test -e).
func (*Files) Exists(path string) bool { return isTrue(filesCall("exists", path)) }

// Size is the bytes of a file, or of all files below a folder (hdfs dfs -du -s). Error: AnalysisException PATH_NOT_FOUND.
func (f *Files) Size(path string) int64 {
	total := int64(0)
	for _, file := range f.Walk(path) {
		total += file.Size
	}
	return total
}

// Move moves a file or a folder to a path where nothing is, making the folders above it (hdfs dfs -mv). Error: AnalysisException
// PATH_ALREADY_EXISTS.
func (*Files) Move(from, to string) { filesCall("move", from, to) }

// Delete deletes a file, or a folder with all it holds, and reports whether there was one (hdfs dfs -rm -r).
func (*Files) Delete(path string) bool { return isTrue(filesCall("delete", path)) }

// Tree draws a folder with what lies below it. Folders stand before files; hidden files are left out; of more than twelve in one place
// the first ten are drawn.
func (f *Files) Tree(path string) string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(path, "/") + "/\n")
	f.branch(&b, path, "")
	return b.String()
}

func (f *Files) branch(b *strings.Builder, path, indent string) {
	var folders, files []FileInfo
	for _, e := range f.List(path) {
		switch {
		case strings.HasPrefix(e.Name, "."):
		case e.IsDir:
			folders = append(folders, e)
		default:
			files = append(files, e)
		}
	}
	all := append(folders, files...)
	shown := len(all)
	if shown > 12 {
		shown = 10
	}
	for i, e := range all[:shown] {
		mark, below := "├── ", "│   "
		if i == len(all)-1 {
			mark, below = "└── ", "    "
		}
		if e.IsDir {
			fmt.Fprintf(b, "%s%s%s/\n", indent, mark, e.Name)
			f.branch(b, e.Path, indent+below)
		} else {
			fmt.Fprintf(b, "%s%s%s  %d B\n", indent, mark, e.Name, e.Size)
		}
	}
	if rest := len(all) - shown; rest > 0 {
		fmt.Fprintf(b, "%s└── … ещё %d\n", indent, rest)
	}
}
