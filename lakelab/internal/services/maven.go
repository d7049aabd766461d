package services

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// copyPlugin is the Maven goal that copies an artifact.
const copyPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"

// Maven fetches artifacts (group:name:version[:type[:classifier]]) into a folder of the cache and returns the files' paths. The folder's
// name must change with what it holds. ErrMissing.
func Maven(ctx context.Context, folder string, artifacts []string) ([]string, error) {
	dir, err := Cached(folder, func(dir string) error {
		for _, a := range artifacts {
			if err := Artifact(ctx, a, dir); err != nil {
				return err
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

// Artifact fetches an artifact (group:name:version[:type[:classifier]]) into a folder with Maven. ErrMissing.
func Artifact(ctx context.Context, artifact, dir string) error {
	if err := maven(ctx, copyPlugin, "-Dartifact="+artifact, "-DoutputDirectory="+dir); err != nil {
		return fmt.Errorf("fetch %s: %w", artifact, err)
	}
	return nil
}

func maven(ctx context.Context, args ...string) error {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return fmt.Errorf("no Maven: %w", ErrMissing)
	}
	if out, err := exec.CommandContext(ctx, mvn, append([]string{"-q", "-B", "-Dstyle.color=never"}, args...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}
