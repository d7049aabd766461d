package engine

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// The door's statements as its clients see them: system.runtime.queries, and kill_query.

// runtimeQueries is system.runtime.queries.
func runtimeQueries(_ context.Context, s *Session, _ scope) ([][]any, error) {
	if s.trino.queries == nil { // there is no door
		return nil, nil
	}
	var rows [][]any
	for _, q := range s.trino.queries.All() {
		row := []any{q.ID, q.State, q.User, nil, q.Text, []any{"global"}, int64(0), int64(0), int64(0), types.Micros(q.Created.UnixMicro()), nil,
			types.Micros(q.Seen.UnixMicro()), nil, nil, nil}
		if q.Source != "" {
			row[3] = q.Source
		}
		if !q.Started.IsZero() {
			row[6], row[10] = q.Started.Sub(q.Created).Milliseconds(), types.Micros(q.Started.UnixMicro())
		}
		if q.Done() {
			row[12] = types.Micros(q.Ended.UnixMicro())
		}
		if q.Failure != nil {
			row[13], row[14] = q.Failure.Type, q.Failure.Name
			if q.Failure.Name == "SYNTAX_ERROR" {
				row[5] = nil // it came into no group
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// killQuery ends a running statement of the door.
func (s *Session) killQuery(id, message string) error {
	if s.trino.queries != nil {
		if q, ok := s.trino.queries.Kill(id, errclass.TrinoKilled(message)); ok {
			if q.Done() {
				return errclass.TrinoUnsupported("Target query is not running: " + id).Nowhere()
			}
			return nil
		}
	}
	return errclass.TrinoNotFound("Target query not found: " + id)
}
