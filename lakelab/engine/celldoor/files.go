package celldoor

import (
	"context"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine"
	"mini-lakehouse-lab/lakelab/types"
)

// files answers spark.Files() calls; wire's package doc lists them with their arguments.
func files(_ context.Context, c *conn, req map[string]any) (map[string]any, error) {
	args, _ := req["args"].([]any)
	v, err := filesCall(c.session, str(req, "call"), arguments(args))
	return map[string]any{"value": v}, err
}

func filesCall(s *engine.Session, call string, arg arguments) (any, error) {
	switch call {
	case "list":
		list, err := s.ListFiles(arg.text(0))
		return fileRecords(list), err
	case "walk":
		list, err := s.WalkFiles(arg.text(0))
		return fileRecords(list), err
	case "exists":
		return s.FileExists(arg.text(0))
	case "move":
		return nil, s.MoveFile(arg.text(0), arg.text(1))
	case "delete":
		return s.DeleteFile(arg.text(0))
	}
	return nil, fmt.Errorf("files.%s is not supported", call)
}

func fileRecords(list []engine.FileInfo) []any {
	out := make([]any, len(list))
	for i, f := range list {
		out[i] = map[string]any{"path": f.Path, "name": f.Name, "size": f.Size, "dir": f.Dir, "modified": types.Micros(f.Modified.UnixMicro())}
	}
	return out
}
