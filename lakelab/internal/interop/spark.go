package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/internal/services"
)

// pyspark is the Spark that is asked, icebergVersion its Iceberg's.
const (
	pyspark        = "pyspark==4.0.1"
	icebergVersion = "1.10.1"
)

// jars are what Spark needs beside itself.
var jars = []string{
	"org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:" + icebergVersion, "org.apache.iceberg:iceberg-aws-bundle:" + icebergVersion,
	"org.postgresql:postgresql:42.7.4", "org.xerial:sqlite-jdbc:3.46.1.3",
}

// sparkPython are the words that start a Python with PySpark, set up by a folder of settings in dir. LAKELAB_PYSPARK_ENV may name a shell
// script that puts such a Python on the PATH; else one is installed into the cache.
func sparkPython(ctx context.Context, dir string) ([]string, error) {
	paths, err := services.Maven(ctx, "spark-jars-"+icebergVersion, jars)
	if err != nil {
		return nil, err
	}
	conf := filepath.Join(dir, "conf")
	settings := strings.Join([]string{
		"spark.master local[2]", "spark.driver.memory 1500m", "spark.driver.host 127.0.0.1", "spark.driver.bindAddress 127.0.0.1", "spark.ui.enabled false",
		"spark.sql.session.timeZone UTC", "spark.sql.shuffle.partitions 1", "spark.jars " + strings.Join(paths, ","),
		"spark.sql.extensions org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
		"spark.sql.warehouse.dir " + filepath.Join(dir, "spark-warehouse"),
	}, "\n")
	if err := errors.Join(os.MkdirAll(conf, 0o755), os.WriteFile(filepath.Join(conf, "spark-defaults.conf"), []byte(settings+"\n"), 0o644)); err != nil {
		return nil, err
	}
	if env := os.Getenv("LAKELAB_PYSPARK_ENV"); env != "" {
		return []string{"bash", "-c", `. "$0"; export SPARK_CONF_DIR="$1"; shift; exec python "$@"`, env, conf}, nil
	}
	venv, err := services.Cached("pyspark", func(into string) error { return installPySpark(ctx, into) })
	if err != nil {
		return nil, err
	}
	return []string{"env", "SPARK_CONF_DIR=" + conf, "PYSPARK_PYTHON=" + filepath.Join(venv, "bin", "python"), filepath.Join(venv, "bin", "python")}, nil
}

// installPySpark makes a folder a Python environment with PySpark, which may be moved: it is only used by its interpreter's path.
func installPySpark(ctx context.Context, dir string) error {
	for _, args := range [][]string{{"python3", "-m", "venv", dir}, {filepath.Join(dir, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", pyspark}} {
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}
