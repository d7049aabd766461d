package engine

import (
	"context"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// insertDirectory runs INSERT OVERWRITE DIRECTORY: the rows in the place of all that a folder holds.
func (s *Session) insertDirectory(ctx context.Context, a *plan.Analyzer, st *sql.InsertDirectory) (*Result, error) {
	save := &sql.SaveFiles{At: st.At, Format: strings.ToLower(st.Using), Mode: "overwrite", Query: st.Query}
	var err error
	if save.Options, err = s.propertyValues(ctx, a, st.Options); err != nil {
		return nil, err
	}
	if st.Path != nil {
		save.Path = *st.Path
	}
	for k, v := range save.Options {
		if !strings.EqualFold(k, "path") {
			continue
		}
		if st.Path != nil {
			return nil, errclass.TwoDirectories(*st.Path, v).At(st.Span())
		}
		save.Path = v
		delete(save.Options, k)
	}
	if save.Path == "" {
		return nil, errclass.NoDirectory().At(st.Span())
	}
	return s.saveFiles(ctx, a, save)
}
