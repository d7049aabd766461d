package engine

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// LIKE among the columns of CREATE TABLE (Trino's documentation, "CREATE TABLE").

// likeTables puts the columns of the tables behind LIKE in their places, and the properties of the one that says INCLUDING PROPERTIES
// behind those that the statement gives itself. The location is one of them, so that in Trino 476 such a statement has to give its own.
// A table's definition is read from the text that SHOW CREATE TABLE gives.
func (s *Session) likeTables(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable) (*sql.CreateTable, error) {
	if len(st.LikeTables) == 0 {
		return st, nil
	}
	c := *st
	c.LikeTables, c.Columns = nil, nil
	before, inherits := 0, false
	for _, l := range st.LikeTables {
		c.Columns = append(c.Columns, st.Columns[before:l.Before]...)
		before = l.Before
		source, err := s.likeTable(ctx, a, st, l)
		if err != nil {
			return nil, err
		}
		for _, d := range source.Columns {
			d.At = l.At
			c.Columns = append(c.Columns, d)
		}
		if !l.Properties {
			continue
		}
		if inherits {
			return nil, errclass.TrinoUnsupported("Only one LIKE clause can specify INCLUDING PROPERTIES").At(st.Span())
		}
		inherits = true
		for _, p := range source.Properties {
			given := func(q sql.Property) bool { return strings.EqualFold(q.Key, p.Key) }
			if !slices.ContainsFunc(st.Properties, given) {
				p.At = l.At
				c.Properties = append(slices.Clip(c.Properties), p)
			}
		}
	}
	c.Columns = append(c.Columns, st.Columns[before:]...)
	return &c, nil
}

// likeTable is a table's definition: the statement that would make it.
func (s *Session) likeTable(ctx context.Context, a *plan.Analyzer, st *sql.CreateTable, l sql.TableLike) (*sql.CreateTable, error) {
	catalog, schema, table, err := s.trinoName3(ctx, l.Name)
	switch {
	case errclass.Is(err, "CATALOG_NOT_FOUND"):
		return nil, errclass.TrinoLikeCatalog(names(sql.Trino, l.Name)[0]).At(st.Span())
	case err != nil && !errclass.Is(err, "SCHEMA_NOT_FOUND"):
		return nil, err
	}
	missing := errclass.TrinoLikeTable([]string{catalog, schema, table}).At(st.Span())
	if err != nil {
		return nil, missing
	}
	if _, err := s.trinoView(ctx, l.Name, l); err == nil {
		return nil, missing
	}
	if l.Properties && catalog != CatalogName {
		return nil, errclass.TrinoUnsupported("CREATE TABLE LIKE table INCLUDING PROPERTIES across catalogs is not supported").At(st.Span())
	}
	text, err := s.trinoTableDefinition(ctx, a, l.Name, l)
	if errclass.Is(err, "TABLE_NOT_FOUND") {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	made, err := sql.Parse(sql.Trino, text)
	if err != nil {
		return nil, err
	}
	return made.(*sql.CreateTable), nil
}
