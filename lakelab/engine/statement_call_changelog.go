package engine

import (
	"context"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/objects"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// The procedures that show a table's changes and take in a table that is there.

func init() {
	procedures["create_changelog_view"] = procedure{
		params: []parameter{tableParam, param("changelog_view", types.String), optionsParam, param("compute_updates", types.Boolean),
			{"identifier_columns", types.ArrayOf(types.Of(types.String), true), false}, param("net_changes", types.Boolean)},
		result: []types.Field{text("changelog_view", false)},
		run:    createChangelogView,
	}
	procedures["register_table"] = procedure{
		params: []parameter{tableParam, {"metadata_file", types.Of(types.String), true}},
		result: []types.Field{long("current_snapshot_id", true), long("total_records_count", true), long("total_data_files_count", true)},
		create: registerTable,
	}
}

func registerTable(ctx context.Context, s *Session, id lake.Ident, args map[string]any) ([][]any, error) {
	path := args["metadata_file"].(string)
	if _, err := s.metadataPath(path); err != nil && !errclass.Is(err, "PATH_NOT_FOUND") {
		return nil, err
	}
	if !objects.Remote(path) {
		if _, err := s.userTarget(path); err != nil { // also of one that is not there
			return nil, err
		}
	}
	t, err := s.engine.Lake.Register(ctx, id, path)
	if err != nil {
		return nil, err
	}
	snapshot, records, files := t.Totals()
	return [][]any{{snapshot, records, files}}, nil
}

func createChangelogView(ctx context.Context, s *Session, t *lake.Table, args map[string]any) ([][]any, error) {
	name, given := args["changelog_view"].(string)
	shown := name
	if !given {
		name = t.Ident().Name + "_changes"
		shown = types.Quote(name)
	}
	if parts, err := sql.ParseName(name); given && (err != nil || len(parts) > 1) {
		return nil, errclass.TempViewNameTooManyParts([]string{name})
	}
	options := map[string]string{}
	if m, ok := args["options"].([]types.Entry); ok {
		for _, e := range m {
			k := e.Key.(string)
			if !slices.Contains([]string{startSnapshotID, endSnapshotID, startTimestamp, endTimestamp}, strings.ToLower(k)) {
				return nil, errclass.UnsupportedOption("iceberg", k)
			}
			options[k], _ = e.Value.(string)
		}
	}
	var what lake.Changes
	updates, _ := args["compute_updates"].(bool)
	if list, ok := args["identifier_columns"].([]any); ok && len(list) > 0 {
		for _, c := range list {
			column, _ := c.(string)
			if fields := t.Schema().Fields; !slices.ContainsFunc(fields, func(f types.Field) bool { return strings.EqualFold(f.Name, column) }) {
				return nil, errclass.FieldUnresolved([]string{column}, types.StructOf(append(slices.Clone(fields), text("_change_type", false), long("_change_ordinal", false), long("_commit_snapshot_id", false))...))
			}
			what.Identifier = append(what.Identifier, column)
		}
	} else if updates {
		if what.Identifier = t.IdentifierColumns(); len(what.Identifier) == 0 {
			return nil, errclass.IllegalArgument("Cannot compute the update images because identifier columns are not set")
		}
	}
	if what.Net, _ = args["net_changes"].(bool); what.Net && len(what.Identifier) > 0 {
		return nil, errclass.IllegalArgument("Not support net changes with update images")
	}
	// The view is of the table as it is now; what is wrong with the snapshots shows when it is read.
	s.views.keep(&tempView{name: name, source: &changelogSource{t, what, options}})
	return [][]any{{shown}}, nil
}
