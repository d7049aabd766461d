package engine

import (
	"context"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/types"
)

func init() {
	procedures["rewrite_table_path"] = procedure{
		params: []parameter{tableParam, {"source_prefix", types.Of(types.String), true}, {"target_prefix", types.Of(types.String), true},
			param("start_version", types.String), param("end_version", types.String), param("staging_location", types.String)},
		result: []types.Field{text("latest_version", false), text("file_list_location", false)},
		run:    rewriteTablePath,
	}
}

// rewriteTablePath runs rewrite_table_path.
func rewriteTablePath(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
	what := lake.PathRewriting{Source: args["source_prefix"].(string), Target: args["target_prefix"].(string)}
	for _, p := range [][2]string{{"Source prefix", what.Source}, {"Target prefix", what.Target}} {
		if p[1] == "" {
			return nil, errclass.IllegalArgument(p[0] + "('') cannot be empty.")
		}
	}
	if what.Source == what.Target {
		return nil, errclass.IllegalArgument(fmt.Sprintf("Source prefix cannot be the same as target prefix (%s)", what.Source))
	}
	for _, o := range []struct {
		name, text string
		into       *string
	}{{"start_version", "Start version", &what.Start}, {"end_version", "End version", &what.End}, {"staging_location", "Staging location", &what.Staging}} {
		v, given := args[o.name].(string)
		if given && v == "" {
			return nil, errclass.IllegalArgument(o.text + "('') cannot be empty.")
		}
		*o.into = v
	}
	if what.Staging != "" && !objects.Remote(what.Staging) {
		var err error
		if what.Staging, err = s.userPlace(what.Staging); err != nil {
			return nil, err
		}
	}
	latest, list, err := s.engine.Lake.RewritePath(ctx, t, what, s.db())
	if err != nil {
		return nil, err
	}
	return [][]any{{latest, list}}, nil
}
