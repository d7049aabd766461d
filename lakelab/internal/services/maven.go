package services

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const copyPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"

// Maven fetches artifacts (group:name:version[:type[:classifier]]) into a folder of the cache and returns the files' paths. The folder's
// name must change with what it holds. ErrMissing.
func Maven(ctx context.Context, folder string, artifacts []string) ([]string, error) {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return nil, fmt.Errorf("no Maven: %w", ErrMissing)
	}
	dir, err := Cached(folder, func(dir string) error {
		for _, a := range artifacts {
			c := exec.CommandContext(ctx, mvn, "-q", "-B", copyPlugin, "-Dartifact="+a, "-DoutputDirectory="+dir)
			if out, err := c.CombinedOutput(); err != nil {
				return fmt.Errorf("fetch %s: %w: %s", a, err, out)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		paths = append(paths, filepath.Join(dir, e.Name()))
	}
	return paths, nil
}
