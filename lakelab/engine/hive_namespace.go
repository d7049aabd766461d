package engine

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// hiveDatabase completes the name of a database; false for one that is not of spark_catalog.
func (s *Session) hiveDatabase(name []sql.Name) (string, bool, error) {
	parts := names(sql.Spark, name)
	catalog, namespace := s.Current()
	switch {
	case len(parts) > 0 && strings.EqualFold(parts[0], HiveCatalogName):
		parts = parts[1:]
	case catalog != HiveCatalogName || len(parts) > 1 && strings.EqualFold(parts[0], CatalogName):
		return "", false, nil
	}
	switch len(parts) {
	case 0:
		return namespace, true, nil
	case 1:
		return strings.ToLower(parts[0]), true, nil
	}
	return "", false, errclass.SinglePartNamespace(parts).At(span(name))
}

// createDatabase runs CREATE DATABASE in spark_catalog.
func (s *Session) createDatabase(ctx context.Context, a *plan.Analyzer, st *sql.CreateNamespace, name string, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	d := metastore.Database{Name: name, Location: s.engine.Hive.DatabaseLocation(name), Owner: hive.Owner()}
	if d.Params, err = s.propertyValues(ctx, a, st.Properties); err != nil {
		return nil, err
	}
	if st.Comment != nil {
		d.Comment = *st.Comment
	}
	if st.Location != nil {
		if *st.Location == "" {
			return nil, errclass.EmptyLocation()
		}
		if d.Location, err = s.userPlace(*st.Location); err != nil {
			return nil, err
		}
		if hive.Within(s.engine.Lake.Warehouse(), d.Location) {
			return nil, errclass.PathProtected(d.Location)
		}
	}
	dir := d.Location
	d.Location = hive.URI(dir)
	if err := hive.Fits(dir); err != nil {
		return nil, err
	}
	err = s.engine.Hive.Store.CreateDatabase(ctx, d)
	if errors.Is(err, metastore.ErrDatabaseExists) && st.IfNotExists {
		return done(), nil
	}
	if errors.Is(err, metastore.ErrLocation) {
		return nil, errclass.PathTaken(dir)
	}
	if err != nil {
		return nil, hiveError(err, hiveIdent{database: name})
	}
	return done(), os.MkdirAll(dir, 0o755)
}

// dropHive runs DROP TABLE and DROP DATABASE in spark_catalog.
func (s *Session) dropHive(ctx context.Context, a *plan.Analyzer, st *sql.Drop) (*Result, error) {
	if st.Kind == "NAMESPACE" {
		name, ok, err := s.hiveDatabase(st.Name)
		if !ok || err != nil {
			return nil, err
		}
		return s.dropDatabase(ctx, st, name)
	}
	id, ok, err := s.hiveTarget(st.Name)
	if !ok || err != nil {
		return nil, err
	}
	t, err := s.loadHive(ctx, id.database, id.name)
	if hive.IsNoTable(err) {
		if st.IfExists {
			return done(), nil
		}
		return nil, errclass.TableNotFound(a.Dialect, id.full())
	}
	if err != nil {
		return nil, err
	}
	if st.Kind == "VIEW" {
		return nil, errclass.WrongCommand("DROP VIEW", "VIEW", strings.Join(id.full(), "."), tableType(t), "DROP TABLE")
	}
	return done(), s.engine.Hive.Drop(ctx, t, st.Purge || s.purges())
}

// purges empties the trash of what is too old, and reports whether the session's statements delete files without it.
func (s *Session) purges() bool {
	minutes, _ := strconv.Atoi(s.Conf(confTrash))
	if minutes > 0 {
		_, _ = s.engine.Hive.Expunge(time.Now().Add(-time.Duration(minutes) * time.Minute)) // what can't be deleted now is later
	}
	return minutes == 0
}

func (s *Session) dropDatabase(ctx context.Context, st *sql.Drop, name string) (*Result, error) {
	if name == metastore.DefaultDatabase {
		return nil, errclass.DropDefaultDatabase([]string{HiveCatalogName, name})
	}
	err := s.engine.Hive.DropDatabase(ctx, name, st.Cascade, s.purges())
	if errors.Is(err, metastore.ErrNoDatabase) && st.IfExists {
		return done(), nil
	}
	if err != nil {
		return nil, hiveError(err, hiveIdent{database: name})
	}
	return done(), nil
}

// useHive runs USE where it enters spark_catalog, or moves in it.
func (s *Session) useHive(ctx context.Context, a *plan.Analyzer, st *sql.Use) (*Result, error) {
	parts := names(a.Dialect, st.Name)
	catalog, _ := s.Current()
	entered := len(parts) > 0 && strings.EqualFold(parts[0], HiveCatalogName) && (len(parts) == 2 || st.What != "NAMESPACE")
	if entered {
		parts = parts[1:]
	} else if catalog != HiveCatalogName || len(parts) > 0 && strings.EqualFold(parts[0], CatalogName) && (len(parts) == 2 || st.What != "NAMESPACE") {
		return nil, nil
	}
	if st.What == "CATALOG" && !entered {
		return nil, errclass.CatalogNotFound(a.Dialect, parts[0]).At(span(st.Name))
	}
	switch len(parts) {
	case 0:
		s.Use(HiveCatalogName, metastore.DefaultDatabase)
		return done(), nil
	case 1:
	default:
		return nil, errclass.SchemaNotFound(a.Dialect, append([]string{HiveCatalogName}, parts...)).At(span(st.Name))
	}
	db, err := s.engine.Hive.Store.Database(ctx, parts[0])
	if err != nil {
		return nil, hiveError(err, hiveIdent{database: parts[0]})
	}
	s.Use(HiveCatalogName, db.Name)
	return done(), nil
}
