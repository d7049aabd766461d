package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/engine/store"
	"mini-lakehouse-lab/lakelab/internal/services"
)

// lessons are the notebooks that run on the services: module 7, and before it those whose tables it needs.
var lessons = []string{"04_bronze", "05_silver", "07_safe_table_changes"}

// notebooks runs the lessons with their catalog on PostgreSQL and their files on S3, named by the environment alone, and looks whether all
// their tables are there. It returns a sentence about that.
func notebooks(ctx context.Context, dir string, pg *services.Postgres, s3 *services.S3) (string, error) {
	const schema = "notebooks"
	db, err := store.Open(ctx, pg.URI(true))
	if err != nil {
		return "", err
	}
	defer db.Close()
	if _, err := db.Exec(ctx, "CREATE SCHEMA "+schema); err != nil {
		return "", err
	}
	lakehouse, warehouse := filepath.Join(dir, schema), "s3://"+s3.Bucket+"/"+schema
	env := append(os.Environ(), config.Variable(config.Catalog)+"="+pg.URI(false)+"?search_path="+schema, "PGPASSWORD="+pg.Password,
		config.Variable(config.Warehouse)+"="+warehouse, config.Variable(config.S3Endpoint)+"="+s3.Endpoint, config.Variable(config.S3PathStyle)+"=true",
		"AWS_REGION="+s3.Region, "AWS_ACCESS_KEY_ID="+s3.AccessKey, "AWS_SECRET_ACCESS_KEY="+s3.SecretKey)
	lakelab := func(args ...string) error {
		c := exec.CommandContext(ctx, filepath.Join("bin", "lakelab"), append(args, "--lakehouse", lakehouse)...)
		c.Env, c.Stdout, c.Stderr = env, os.Stderr, os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("lakelab %s: %w", args[0], err)
		}
		return nil
	}
	run := []string{"run", "--here", "--out", filepath.Join(dir, "notebooks-out")}
	for _, l := range lessons {
		run = append(run, filepath.Join("notebooks", "solutions", l+".ipynb"))
	}
	if err := errors.Join(lakelab("data"), lakelab(run...)); err != nil {
		return "", err
	}
	locations, err := db.Strings(ctx, "SELECT metadata_location FROM "+schema+".iceberg_tables")
	if err != nil {
		return "", err
	}
	for _, l := range locations {
		if !strings.HasPrefix(l, warehouse+"/") {
			return "", fmt.Errorf("a table of the notebooks is at %s", l)
		}
	}
	if _, err := os.Stat(filepath.Join(lakehouse, "catalog.db")); !os.IsNotExist(err) || len(locations) == 0 {
		return "", fmt.Errorf("the notebooks made %d tables on the services, and a local catalog: %v", len(locations), err == nil)
	}
	return fmt.Sprintf("The notebooks %s ran unchanged to their last cells with `LAKELAB_CATALOG` on PostgreSQL and `LAKELAB_WAREHOUSE` on S3, and left %d tables there.\n",
		strings.Join(lessons, ", "), len(locations)), nil
}
