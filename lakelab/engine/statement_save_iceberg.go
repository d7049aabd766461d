package engine

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// saveIceberg runs df.write.format("iceberg").save(path): into a table in a folder without a catalog or, if the path has no slash, into the
// table of that name (Iceberg's "Spark Writes" page).
func (s *Session) saveIceberg(ctx context.Context, a *plan.Analyzer, st *sql.SaveFiles) (*Result, error) {
	given, branch := map[string]string{}, ""
	for name, v := range st.Options {
		switch strings.ToLower(name) {
		case "path":
		case "branch":
			branch = v
		default:
			given[name] = v
		}
	}
	options, err := writeOptions(given, st.Mode == "overwrite")
	if err != nil {
		return nil, err
	}
	id, err := s.savedIdent(st.Path)
	if err != nil {
		return nil, err
	}
	t, err := s.engine.Lake.Load(ctx, id)
	if err != nil && !lake.IsNoTable(err) {
		return nil, err
	}
	switch {
	case st.Mode == "error" || st.Mode == "ignore":
		if branch != "" {
			return nil, errclass.UnsupportedOption("iceberg", "branch")
		}
		return s.saveNewIceberg(ctx, a, st, id, t != nil, options)
	case t == nil:
		return nil, errclass.NoSuchTable(fullName(id)[1:])
	case len(st.PartitionBy) > 0:
		provided := make([]string, len(st.PartitionBy))
		for i, column := range st.PartitionBy {
			provided[i] = "identity(" + column + ")"
		}
		if now := t.Transforms(); !slices.Equal(provided, now) {
			return nil, errclass.SavedTransforms(provided, now)
		}
	}
	if branch != "" {
		if t, err = t.OnBranch(branch); err != nil {
			return nil, err
		}
	}
	if t, err = t.Writing(options); err != nil {
		return nil, err
	}
	return s.insertInto(ctx, a, t, &sql.Insert{Query: st.Query, ByName: true, Overwrite: st.Mode == "overwrite"})
}

// savedIdent is the table that a path names.
func (s *Session) savedIdent(path string) (lake.Ident, error) {
	if !strings.Contains(path, "/") {
		name, err := sql.ParseName(path)
		if err != nil {
			return lake.Ident{}, err
		}
		return s.ident(sql.Spark, name)
	}
	if !objects.Remote(path) {
		var err error
		if path, err = s.userPlace(path); err != nil {
			return lake.Ident{}, err
		}
	}
	return lake.PathIdent(path), nil
}

// saveNewIceberg makes a catalog's table, if there is none of the name. At a path Spark makes none: it looks for a catalog's then, in a Hive
// metastore.
func (s *Session) saveNewIceberg(ctx context.Context, a *plan.Analyzer, st *sql.SaveFiles, id lake.Ident, there bool, options lake.WriteOptions) (*Result, error) {
	if id.Path() != "" {
		return nil, errclass.Unsupported("making an Iceberg table at a path, " + id.Path() + ": the modes append and overwrite save into one that is there,")
	}
	n, err := a.Query(ctx, st.Query)
	switch {
	case err != nil:
		return nil, err
	case there && st.Mode == "ignore":
		return done(), nil
	case there:
		return nil, errclass.TableExists(sql.Spark, id.Namespace, id.Name)
	}
	opts := lake.CreateOptions{Write: options}
	for _, column := range st.PartitionBy {
		opts.Partitioning = append(opts.Partitioning, lake.PartitionField{Transform: "identity", Column: []string{column}})
	}
	return s.createAs(ctx, a.Dialect, id, n, opts)
}
