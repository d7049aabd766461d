package engine

import (
	"context"
	"errors"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/metastore"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// HiveCatalogName is Spark's own catalog: tables of plain files over a metastore (package hive). The hive_*.go files hold its statements.
const HiveCatalogName = "spark_catalog"

// hiveIdent names a table of spark_catalog, in lower case.
type hiveIdent struct{ database, name string }

// full is the name as Spark's messages and qualifiers have it.
func (id hiveIdent) full() []string { return []string{HiveCatalogName, id.database, id.name} }

// hiveName completes a name with the session's catalog and namespace. It is false for a name that is not one of spark_catalog's; in that
// catalog a namespace has one part.
func (s *Session) hiveName(parts []string) (hiveIdent, bool, error) {
	catalog, namespace := s.Current()
	named := len(parts) > 1 && strings.EqualFold(parts[0], HiveCatalogName)
	if named {
		parts = parts[1:]
		if len(parts) == 1 {
			return hiveIdent{}, false, errclass.SinglePartNamespace(nil)
		}
	} else if catalog != HiveCatalogName || len(parts) > 2 && strings.EqualFold(parts[0], CatalogName) {
		return hiveIdent{}, false, nil
	}
	switch len(parts) {
	case 1:
		return hiveIdent{namespace, strings.ToLower(parts[0])}, true, nil
	case 2:
		return hiveIdent{strings.ToLower(parts[0]), strings.ToLower(parts[1])}, true, nil
	}
	return hiveIdent{}, false, errclass.SinglePartNamespace(parts[:len(parts)-1])
}

// hiveTarget is hiveName for the table that a statement works on: temporary views of the name come first.
func (s *Session) hiveTarget(name []sql.Name) (hiveIdent, bool, error) {
	parts := names(sql.Spark, name)
	if s.viewNamed(parts) != nil {
		return hiveIdent{}, false, nil
	}
	id, ok, err := s.hiveName(parts)
	return id, ok, errclass.Place(err, span(name))
}

// loadHive finds a table of spark_catalog for the session. hive.IsNoTable.
func (s *Session) loadHive(ctx context.Context, database, name string) (*hive.Table, error) {
	t, err := s.engine.Hive.Load(ctx, database, name)
	if err == nil {
		t.Roots = s.roots()
	}
	return t, err
}

// hiveTable finds a table of spark_catalog; shown is the name in the error if there is none.
func (s *Session) hiveTable(ctx context.Context, id hiveIdent, shown []sql.Name) (*hive.Table, error) {
	t, err := s.loadHive(ctx, id.database, id.name)
	if hive.IsNoTable(err) {
		return nil, errclass.TableNotFound(sql.Spark, names(sql.Spark, shown)).At(span(shown))
	}
	return t, err
}

// hive makes the relation of a table of spark_catalog, or of one of the metastore's own; nil if there is none.
func (c sessionCatalog) hive(ctx context.Context, id hiveIdent, ref *sql.TableRef, err error) (*plan.Relation, error) {
	if err != nil {
		return nil, err
	}
	t, err := c.s.loadHive(ctx, id.database, id.name)
	if hive.IsNoTable(err) {
		return c.sys(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	if ref.Travel != nil {
		return nil, errclass.TimeTravelOnTable(id.full()).At(ref.Span())
	}
	if err := placeOfHive(t); err != nil {
		return nil, err
	}
	if t.Format != "parquet" {
		rel, err := c.s.openHive(ctx, t)
		return &plan.Relation{Name: id.full(), View: rel, Fields: t.Schema().Fields}, err
	}
	return &plan.Relation{Name: id.full(), Source: &hiveSource{s: c.s, table: t}}, nil
}

// runHive runs a statement on something of spark_catalog, or on plain files; nil without an error for any other.
func (s *Session) runHive(ctx context.Context, a *plan.Analyzer, st sql.Statement) (*Result, error) {
	switch st := st.(type) {
	case *sql.CreateTable:
		if len(st.Like) > 0 {
			return s.createHiveLike(ctx, a, st, s.hiveLikeName(st.Name))
		}
		if id, ok, err := s.hiveName(names(a.Dialect, st.Name)); ok || err != nil {
			return s.createHive(ctx, a, st, id, errclass.Place(err, span(st.Name)))
		}
	case *sql.Insert:
		if id, ok, err := s.hiveTarget(st.Table); ok || err != nil {
			return s.insertHive(ctx, a, st, id, err)
		}
	case *sql.CallProc:
		return s.callHive(ctx, a, st)
	case *sql.Cache:
		if st.Path != nil {
			return done(), s.RefreshPath(*st.Path)
		}
	case *sql.InsertDirectory:
		return s.insertDirectory(ctx, a, st)
	case *sql.CreateNamespace:
		if name, ok, err := s.hiveDatabase(st.Name); ok || err != nil {
			return s.createDatabase(ctx, a, st, name, err)
		}
	case *sql.AlterNamespace:
		if name, ok, err := s.hiveDatabase(st.Name); ok || err != nil {
			if err != nil {
				return nil, err
			}
			return s.alterHiveNamespace(ctx, a, st, name)
		}
	case *sql.Drop:
		return s.dropHive(ctx, a, st)
	case *sql.Show:
		return s.showHive(ctx, a, st)
	case *sql.Use:
		return s.useHive(ctx, a, st)
	case *sql.Describe:
		if st.What == "NAMESPACE" {
			if name, ok, err := s.hiveDatabase(st.Name); ok && err == nil {
				return s.describeDatabase(ctx, st, name)
			} else if err != nil {
				return nil, err
			}
		}
	case *sql.Analyze:
		if st.Tables {
			if database, ok, err := s.hiveDatabase(st.Table); ok || err != nil {
				if err != nil {
					return nil, err
				}
				return s.analyzeTables(ctx, a, st, database)
			}
			return nil, errclass.UnsupportedStatement(a.Dialect, "ANALYZE TABLES").At(st.Span())
		}
	case *sql.Comment:
		if st.On == "NAMESPACE" {
			if name, ok, err := s.hiveDatabase(st.Name); ok && err == nil {
				// Hive keeps the comment that a database was made with.
				return s.alterDatabase(ctx, name, func(*metastore.Database) error { return nil })
			} else if err != nil {
				return nil, err
			}
		}
	}
	return s.runOnHive(ctx, a, st)
}

// runOnHive runs a statement on one table of spark_catalog; nil without an error for any other.
func (s *Session) runOnHive(ctx context.Context, a *plan.Analyzer, st sql.Statement) (*Result, error) {
	var name []sql.Name
	switch st := st.(type) {
	case *sql.AlterTable:
		if !st.View {
			name = st.Name
		}
	case *sql.Describe:
		if st.What == "TABLE" {
			name = st.Name
		}
	case *sql.Truncate:
		name = st.Table
	case *sql.Repair:
		name = st.Table
	case *sql.Analyze:
		name = st.Table
	case *sql.Comment:
		if st.On == "TABLE" {
			name = st.Name
		}
	case *sql.Cache:
		if st.What == "REFRESH" {
			name = st.Name
		}
	case *sql.Delete:
		name = st.Table.Name
	case *sql.Update:
		name = st.Table.Name
	case *sql.Merge:
		name = st.Target.Name
	}
	if name == nil {
		return nil, nil
	}
	id, ok, err := s.hiveTarget(name)
	if !ok || err != nil {
		return nil, err
	}
	switch st := st.(type) {
	case *sql.AlterTable:
		return s.alterHive(ctx, a, st, id)
	case *sql.Describe:
		return s.describeHive(ctx, a, st, id)
	case *sql.Truncate:
		return s.truncateHive(ctx, a, st, id)
	case *sql.Analyze:
		return s.analyzeHive(ctx, a, st, id)
	case *sql.Comment:
		return s.commentHive(ctx, st, id)
	}
	t, err := s.hiveTable(ctx, id, name)
	if err != nil {
		return nil, err
	}
	switch st := st.(type) {
	case *sql.Repair:
		return s.repairHive(ctx, t, "MSCK REPAIR TABLE", st.Mode)
	case *sql.Cache:
		s.engine.Hive.Refresh(t.ID)
		return done(), nil
	case *sql.Delete:
		return nil, errclass.TableOperation(id.full(), "DELETE")
	case *sql.Update:
		return nil, errclass.UpdateUnsupported()
	}
	return nil, errclass.MergeUnsupported()
}

// hiveError gives the metastore's errors Spark's words.
func hiveError(err error, id hiveIdent) error {
	switch {
	case errors.Is(err, metastore.ErrNoDatabase):
		return errclass.SchemaNotFound(sql.Spark, []string{HiveCatalogName, id.database})
	case errors.Is(err, metastore.ErrDatabaseExists):
		return errclass.SchemaExists(sql.Spark, id.database)
	case errors.Is(err, metastore.ErrName):
		name := id.name
		if name == "" {
			name = id.database
		}
		return errclass.InvalidRelationName(name)
	case errors.Is(err, metastore.ErrNotEmpty):
		return errclass.SchemaNotEmpty(sql.Spark, id.database)
	case errors.Is(err, metastore.ErrTableExists):
		return errclass.AlreadyExistsIn(id.full())
	}
	if l, ok := errors.AsType[*hive.LocationError](err); ok {
		return errclass.LocationExists(id.full(), hive.URI(l.Path))
	}
	return err
}
