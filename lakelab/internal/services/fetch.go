package services

import (
	"errors"
	"os"
	"path/filepath"
)

// Cached is a folder of the project's .cache that fetch fills once. A fetch that fails leaves nothing.
func Cached(name string, fetch func(dir string) error) (string, error) {
	root, err := projectDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, ".cache", "services", name)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), name+".new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	if err := fetch(fresh); err != nil {
		return "", err
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(dir); there != nil { // another process was faster
			return "", err
		}
	}
	return dir, nil
}

// projectDir is the folder of go.mod above the working directory.
func projectDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = up
	}
}
