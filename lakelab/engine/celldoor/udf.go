package celldoor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/functions"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/types"
)

// registerUDF makes a function of the cell known to the queries of its connection.
func registerUDF(_ context.Context, c *conn, req map[string]any) (map[string]any, error) {
	name := str(req, "name")
	list, _ := req["params"].([]any)
	params := make([]types.Type, len(list))
	for i, p := range list {
		m, _ := p.(map[string]any)
		t, ok := m["type"].(types.Type)
		if !ok {
			return nil, fmt.Errorf("malformed udf: params[%d] is %T", i, p)
		}
		params[i] = t
	}
	result, ok := req["result"].(types.Type)
	if !ok || name == "" {
		return nil, errors.New("malformed udf: no name or no result")
	}
	if c.udfs == nil {
		c.udfs = map[string]*expr.Func{}
	}
	c.udfs[strings.ToLower(name)] = plan.RemoteFunc(name, params, result, functions.Coerce)
	return nil, nil
}

// Function is engine.Cell's.
func (c *conn) Function(name string) *expr.Func { return c.udfs[strings.ToLower(name)] }

// Call is engine.Cell's: one round trip to the cell, which waits for the reply to its request meanwhile.
func (c *conn) Call(ctx context.Context, name string, rows [][]any) ([]any, error) {
	c.calls.Lock() // one at a time: the answers have no names
	defer c.calls.Unlock()
	select {
	case <-c.results: // of a call that was cancelled
	default:
	}
	if err := c.send(map[string]any{"t": "call", "name": name, "rows": rows}); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case m := <-c.results:
		if text, failed := m["error"].(string); failed {
			return nil, errors.New(text)
		}
		values, _ := m["values"].([]any)
		return values, nil
	}
}
