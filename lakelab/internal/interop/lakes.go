package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/engine/config"
	"mini-lakehouse-lab/lakelab/internal/services"
	"mini-lakehouse-lab/lakelab/internal/trinoserver"
)

// lake is a catalog with its warehouse, in each peer's words; nothing for a peer that can't use it.
type lake struct {
	Title     string            `json:"-"`
	Spark     map[string]string `json:"spark"`      // behind spark.sql.catalog.lakehouse
	TrinoPort int               `json:"trino_port"` // of a Trino that has the lake as its catalog lakehouse
	PyIceberg map[string]string `json:"pyiceberg"`

	folder     string // our lakehouse folder
	properties string // Trino's catalog file
}

// names of the lakes, in the table's order.
const shared, local, served, plain = "shared", "local", "served", "plain"

var lakeNames = []string{shared, local, served, plain}

// groups are the lakes that a peer can use, by the processes that serve them: a Trino knows one catalog of a name.
func groups(peer string, lakes map[string]lake) (out []map[string]lake) {
	switch peer {
	case "Spark":
		return []map[string]lake{lakes}
	case "Trino":
		for _, name := range lakeNames {
			if l := lakes[name]; l.properties != "" {
				out = append(out, map[string]lake{name: l})
			}
		}
	case "PyIceberg":
		out = []map[string]lake{{}}
		for name, l := range lakes {
			if l.PyIceberg != nil {
				out[0][name] = l
			}
		}
	}
	return out
}

// sharedLake is PostgreSQL and S3.
func sharedLake(dir string, pg *services.Postgres, s3 *services.S3) (lake, error) {
	warehouse := "s3://" + s3.Bucket + "/lake"
	jdbc := fmt.Sprintf("jdbc:postgresql://127.0.0.1:%d/%s", pg.Port, pg.Database)
	l := lake{
		Title: "PostgreSQL + S3", folder: filepath.Join(dir, shared),
		Spark: sparkCatalog(jdbc, warehouse, map[string]string{
			".jdbc.user": pg.User, ".jdbc.password": pg.Password, ".io-impl": "org.apache.iceberg.aws.s3.S3FileIO",
			".s3.endpoint": s3.Endpoint, ".s3.path-style-access": "true", ".s3.access-key-id": s3.AccessKey, ".s3.secret-access-key": s3.SecretKey,
			".client.region": s3.Region,
		}),
		PyIceberg: map[string]string{
			"type": "sql", "uri": strings.Replace(pg.URI(true), "postgresql:", "postgresql+psycopg2:", 1),
			"warehouse": warehouse, "s3.endpoint": s3.Endpoint, "s3.access-key-id": s3.AccessKey, "s3.secret-access-key": s3.SecretKey, "s3.region": s3.Region,
		},
		properties: lines("connector.name=iceberg", "iceberg.catalog.type=jdbc", "iceberg.jdbc-catalog.driver-class=org.postgresql.Driver",
			"iceberg.jdbc-catalog.connection-url="+jdbc, "iceberg.jdbc-catalog.connection-user="+pg.User, "iceberg.jdbc-catalog.connection-password="+pg.Password,
			"iceberg.jdbc-catalog.catalog-name=lakehouse", "iceberg.jdbc-catalog.schema-version=V1", "iceberg.jdbc-catalog.default-warehouse-dir="+warehouse,
			"fs.native-s3.enabled=true", "s3.endpoint="+s3.Endpoint, "s3.region="+s3.Region, "s3.path-style-access=true",
			"s3.aws-access-key="+s3.AccessKey, "s3.aws-secret-key="+s3.SecretKey),
	}
	return l, l.configure(
		config.Catalog+"="+pg.URI(true), config.Warehouse+"="+warehouse, config.S3Endpoint+"="+s3.Endpoint, config.S3PathStyle+"=true",
		config.S3Region+"="+s3.Region, config.S3AccessKey+"="+s3.AccessKey, config.S3SecretKey+"="+s3.SecretKey)
}

// localLake is SQLite and a folder.
func localLake(dir string) (lake, error) {
	folder := filepath.Join(dir, local)
	warehouse, db := filepath.Join(folder, "warehouse"), filepath.Join(folder, "catalog.db")
	l := lake{
		Title: "SQLite + local folder", folder: folder,
		Spark:      sparkCatalog("jdbc:sqlite:"+db+"?busy_timeout=30000", warehouse, nil),
		PyIceberg:  map[string]string{"type": "sql", "uri": "sqlite:///" + db, "warehouse": warehouse},
		properties: trinoserver.Lakehouse(folder),
	}
	return l, l.configure()
}

// servedLake is a REST catalog whose server has its tables in a folder.
func servedLake(dir string, rest *services.REST) (lake, error) {
	l := lake{
		Title: "REST + local folder", folder: filepath.Join(dir, served),
		Spark:      map[string]string{"": sparkClass, ".type": "rest", ".uri": rest.URI, ".cache-enabled": "false"},
		PyIceberg:  map[string]string{"type": "rest", "uri": rest.URI},
		properties: lines("connector.name=iceberg", "iceberg.catalog.type=rest", "iceberg.rest-catalog.uri="+rest.URI, "fs.hadoop.enabled=true"),
	}
	return l, l.configure(config.Catalog + "=" + rest.URI)
}

// plainLake is a Hadoop catalog: a folder whose tables are folders.
func plainLake(dir string) (lake, error) {
	folder := filepath.Join(dir, plain)
	warehouse := filepath.Join(folder, "warehouse")
	l := lake{
		Title: "Hadoop catalog", folder: folder,
		Spark:     map[string]string{"": sparkClass, ".type": "hadoop", ".warehouse": warehouse, ".cache-enabled": "false"},
		PyIceberg: map[string]string{"type": "hadoop", "warehouse": warehouse},
	}
	return l, l.configure(config.Catalog + "=" + config.Hadoop)
}

// sparkClass is the class of Iceberg's catalogs in Spark.
const sparkClass = "org.apache.iceberg.spark.SparkCatalog"

// sparkCatalog are Spark's settings of a catalog in a database.
func sparkCatalog(uri, warehouse string, more map[string]string) map[string]string {
	out := map[string]string{
		"": sparkClass, ".type": "jdbc", ".uri": uri, ".jdbc.schema-version": "V1", ".warehouse": warehouse, ".cache-enabled": "false",
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// configure writes our settings into the lakehouse's folder.
func (l lake) configure(settings ...string) error {
	return errors.Join(os.MkdirAll(l.folder, 0o700), os.WriteFile(filepath.Join(l.folder, config.File), []byte(lines(settings...)), 0o600))
}

// open starts our engine on the lake, which also makes the catalog's tables, and its namespace.
func (l lake) open(ctx context.Context) (*engine.Engine, error) {
	e, err := engine.Open(ctx, l.folder)
	if err != nil {
		return nil, err
	}
	return e, errors.Join(e.Lake.CreateNamespace(ctx, space, nil))
}

// space is the namespace of all tables.
const space = "interop"

func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }
