package engine

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// iceberg is spark.read.format("iceberg").load(path): a table in a folder without a catalog, one state of a table by its metadata file,
// or, if the path has no slash, the name of a table (Iceberg's "Spark Queries" page).
func (c sessionCatalog) iceberg(ctx context.Context, f *sql.Files) (*plan.Relation, error) {
	if len(f.Paths) != 1 {
		return nil, errclass.IllegalArgument("Cannot open table: path is not set")
	}
	path := f.Paths[0]
	if !strings.Contains(path, "/") {
		ref := &sql.TableRef{At: f.At, Options: f.Options}
		for part := range strings.SplitSeq(path, ".") {
			ref.Name = append(ref.Name, sql.Name{At: f.At, Text: part})
		}
		return c.Resolve(ctx, ref, nil)
	}
	path, err := c.s.metadataPath(path)
	if err != nil {
		return nil, err
	}
	id := lake.PathIdent(path)
	t, err := c.s.engine.Lake.Load(ctx, id)
	if lake.IsNoTable(err) {
		return nil, errclass.NoTableAtLocation(path)
	}
	if err != nil {
		return nil, err
	}
	at, err := icebergSnapshot(t, f.Options)
	if err != nil {
		return nil, err
	}
	src := &tableSource{s: c.s, table: t, at: at, schema: t.Schema()}
	if at != nil {
		src.schema = t.SchemaAt(at)
	}
	return &plan.Relation{Name: []string{path}, Source: src}, nil
}

// metadataPath is readPath for a table's folder or metadata file, which may be an object in S3.
func (s *Session) metadataPath(path string) (string, error) {
	if objects.Remote(path) {
		return path, objects.Check(path)
	}
	full, err := s.readPath(path)
	if err != nil {
		return "", err
	}
	if st, err := os.Stat(full); err == nil && !st.IsDir() && !st.Mode().IsRegular() {
		return "", errclass.NotRegularFile(full)
	}
	return full, nil
}

// icebergSnapshot is the snapshot that a reader's options name; nil without them.
func icebergSnapshot(t *lake.Table, options map[string]string) (at *lake.Snapshot, err error) {
	known := []string{"path", "snapshot-id", "as-of-timestamp", "branch", "tag"}
	for name, value := range options {
		key := strings.ToLower(name)
		if !slices.Contains(known, key) {
			return nil, errclass.UnsupportedOption("iceberg", name)
		}
		if key == "path" {
			continue
		}
		if at != nil {
			return nil, errclass.IllegalArgument("Can specify only one of snapshot-id, as-of-timestamp, branch and tag")
		}
		switch key {
		case "branch", "tag":
			at, err = t.SnapshotByRef(value)
		default:
			n, nerr := strconv.ParseInt(value, 10, 64)
			if nerr != nil {
				return nil, errclass.IllegalArgument("For input string: \"" + value + "\"")
			}
			if key == "snapshot-id" {
				at, err = t.SnapshotByID(n)
			} else {
				at, err = t.SnapshotAsOf(types.Micros(n * 1000))
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return at, nil
}

// travelOptions are a reader's options of a table by name that say what is read; the others steer how Spark reads.
func travelOptions(options map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range options {
		switch strings.ToLower(k) {
		case "snapshot-id", "as-of-timestamp", "branch", "tag", "start-snapshot-id", "end-snapshot-id", "start-timestamp", "end-timestamp":
			out[k] = v
		}
	}
	return out
}
