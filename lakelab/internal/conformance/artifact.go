package main

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/internal/services"
)

const (
	artifact = "org.apache.spark:spark-sql_2.13:4.0.1:jar:tests"
	jarName  = "spark-sql_2.13-4.0.1-tests.jar"
)

// fetch returns the folder with Spark's tests, asking Maven for them the first time. They stay in cache, outside of the repo.
func fetch(ctx context.Context, cache string) (string, error) {
	dir := filepath.Join(cache, "files")
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	jar := filepath.Join(cache, jarName)
	if _, err := os.Stat(jar); err != nil {
		if err := os.MkdirAll(cache, 0o755); err != nil {
			return "", err
		}
		if err := services.Artifact(ctx, artifact, cache); err != nil {
			return "", err
		}
	}
	part := dir + ".part"
	if err := os.RemoveAll(part); err != nil {
		return "", err
	}
	if err := unzip(jar, part); err != nil {
		return "", err
	}
	return dir, os.Rename(part, dir)
}

// unzip takes the SQL tests and their data out of the jar; its classes stay in it.
func unzip(jar, dir string) error {
	z, err := zip.OpenReader(jar)
	if err != nil {
		return err
	}
	defer z.Close()
	for _, f := range z.File {
		wanted := strings.HasPrefix(f.Name, "sql-tests/") || strings.HasPrefix(f.Name, "test-data/postgresql/")
		if !wanted || f.FileInfo().IsDir() {
			continue
		}
		if !filepath.IsLocal(f.Name) {
			return fmt.Errorf("%s: the path %s leads out of the archive", jar, f.Name)
		}
		if err := extract(f, filepath.Join(dir, filepath.FromSlash(f.Name))); err != nil {
			return err
		}
	}
	return nil
}

func extract(f *zip.File, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}
