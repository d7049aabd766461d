package engine

import (
	"context"
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// createView runs CREATE [OR REPLACE] TEMPORARY VIEW, over a query or over files (USING).
func (s *Session) createView(ctx context.Context, a *plan.Analyzer, st *sql.CreateView) (*Result, error) {
	if !st.Temporary {
		return s.createLastingView(ctx, a, st)
	}
	kept := s.views
	if st.Global {
		kept = s.engine.globals
	}
	if len(st.Name) != 1 {
		return nil, errclass.TempViewNameTooManyParts(names(a.Dialect, st.Name)).At(span(st.Name))
	}
	name := st.Name[0].Text
	if !st.OrReplace && kept.find(name) != nil {
		if st.IfNotExists {
			return done(), nil
		}
		return nil, errclass.TempViewExists(name).At(span(st.Name))
	}
	columns := make([]string, len(st.Columns))
	for i, c := range st.Columns {
		columns[i] = c.Name.Text
	}
	if st.AsQuery == nil {
		src, err := s.usingFiles(ctx, a, st)
		if err != nil {
			return nil, err
		}
		kept.keep(&tempView{name: name, rel: src})
		return done(), nil
	}
	rel := &sql.Derived{At: sql.At{Pos: st.AsQuery.Span()}, Query: st.AsQuery, Transparent: true}
	n, err := a.Relation(ctx, rel)
	if err != nil {
		return nil, err
	}
	if len(columns) > 0 && len(columns) != len(n.Output()) {
		return nil, errclass.CreateViewArity(name, columns, len(n.Output())).At(span(st.Name))
	}
	kept.keep(&tempView{name: name, rel: rel, columns: columns, hidden: a.Hidden})
	return done(), nil
}

// CreateView keeps a DataFrame as a temporary view, for this session or, global, for all.
func (s *Session) CreateView(ctx context.Context, name string, rel sql.Relation, replace, global bool) error {
	if _, err := s.Plan(ctx, rel); err != nil {
		return err
	}
	parts, err := sql.ParseName(name)
	if err != nil {
		return err
	}
	if len(parts) != 1 {
		return errclass.TempViewNameTooManyParts(names(sql.Spark, parts))
	}
	kept := s.views
	if global {
		kept = s.engine.globals
	}
	if !replace && kept.find(parts[0].Text) != nil {
		return errclass.TempViewExists(parts[0].Text)
	}
	kept.keep(&tempView{name: parts[0].Text, rel: rel, hidden: namesHidden(ctx)})
	return nil
}

// usingFiles is CREATE TEMPORARY VIEW … USING csv|parquet OPTIONS (path '…', …).
func (s *Session) usingFiles(ctx context.Context, a *plan.Analyzer, st *sql.CreateView) (sql.Relation, error) {
	format := strings.ToLower(st.Using)
	if !isFileFormat(format) {
		return nil, errclass.DataSourceNotFound(st.Using).At(st.Span())
	}
	if len(st.Columns) > 0 && len(st.Options) == 0 {
		// Without a path there are no files: a relation without rows.
		schema, err := columnsOf(a.Dialect, st.Columns)
		if err != nil {
			return nil, err
		}
		return &sql.LocalRows{At: st.At, Schema: types.StructOf(schema...)}, nil
	}
	if len(st.Columns) > 0 {
		return nil, errclass.UnsupportedStatement(a.Dialect, "a column list with USING "+st.Using).At(st.Span())
	}
	options := map[string]string{}
	path := ""
	for _, p := range st.Options {
		v, err := a.Eval(ctx, p.Value, types.Of(types.String))
		if err != nil {
			return nil, err
		}
		if strings.EqualFold(p.Key, "path") {
			path = fmt.Sprint(v)
			continue
		}
		options[strings.ToLower(p.Key)] = fmt.Sprint(v)
	}
	if path == "" {
		return nil, errclass.PathMissing(format).At(st.Span())
	}
	// Read once now: a missing file or a bad option belongs to this statement, not to the first query.
	files := func() *sql.Files {
		return &sql.Files{At: sql.At{Pos: st.Span()}, Format: format, Paths: []string{path}, Options: options}
	}
	if _, _, err := s.openFiles(ctx, files()); err != nil {
		return nil, err
	}
	return files(), nil
}
