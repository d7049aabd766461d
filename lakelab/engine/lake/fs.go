package lake

import (
	"os"
	"runtime/debug"

	icebergio "github.com/apache/iceberg-go/io"
)

// localFS reads files for iceberg-go. Its own local file system percent-decodes file: paths, which turns a folder named `a%20b`
// into another one; here a path is what it says.
type localFS struct{}

func (localFS) Open(name string) (icebergio.File, error) { return os.Open(localPath(name)) }
func (localFS) Remove(name string) error                 { return os.Remove(localPath(name)) }

// icebergVersion is what snapshots carry as iceberg-version.
var icebergVersion = func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/apache/iceberg-go" {
				return "iceberg-go " + d.Version
			}
		}
	}
	return "iceberg-go"
}()
