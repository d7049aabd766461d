package engine

import (
	"context"
	"os"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
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
	if err := knownOptions(f.Options); err != nil {
		return nil, err
	}
	at, err := stateAsked(t, f.Options, nil)
	if err != nil {
		return nil, err
	}
	return &plan.Relation{Name: []string{path}, Source: c.s.source(t, at)}, nil
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
