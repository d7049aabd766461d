package lakelab

import (
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// Kept lists the types that Var keeps.
type Kept interface {
	bool | int | int64 | float64 | string | time.Time | []int64 | []float64 | []string | []bool | []time.Time | map[string]string
}

// Variable is a value that the engine keeps for the session, because a Go cell's own variables end with the cell.
type Variable[T Kept] struct{ name string }

// Var names a kept value. It does no work, so a cell may declare it for all later ones:
//
//	var snapshot1 = lakelab.Var[int64]("snapshot_1")
//
// Set stores the value, Get reads it in any later cell of the session.
func Var[T Kept](name string) Variable[T] { return Variable[T]{name} }

// Set stores the value. Times are kept to the microsecond and come back in UTC.
func (v Variable[T]) Set(value T) {
	call(node{"op": wire.OpVarSet, "name": v.name, "value": kept(value)})
}

// Get reads the value. It fails if no cell of the session has set it, or if it has another type.
func (v Variable[T]) Get() T {
	out, found := v.read()
	if !found {
		raise("NameError", "Выполните ячейку, в которой вызывается Set для этого имени.", "значение «%s» ещё не сохранено в этой сессии", v.name)
	}
	return out
}

// GetOr reads the value, or returns another one if none has been set.
func (v Variable[T]) GetOr(other T) T {
	if out, found := v.read(); found {
		return out
	}
	return other
}

// Exists reports whether the value has been set.
func (v Variable[T]) Exists() bool {
	return isTrue(call(node{"op": wire.OpVarGet, "name": v.name})["found"])
}

// Delete forgets the value.
func (v Variable[T]) Delete() { call(node{"op": wire.OpVarSet, "name": v.name, "value": nil}) }

func (v Variable[T]) read() (out T, found bool) {
	reply := call(node{"op": wire.OpVarGet, "name": v.name})
	if !isTrue(reply["found"]) {
		return out, false
	}
	if !assign(&out, unkept(reply["value"])) {
		raise("TypeError", "", "значение «%s» сохранено с типом %s, а читается как %T", v.name, keptName(reply["value"]), out)
	}
	return out, true
}

// kept gives a value the form in which it travels.
func kept(v any) any {
	switch x := v.(type) {
	case time.Time:
		return types.Micros(x.UnixMicro())
	case []time.Time:
		out := make([]any, len(x))
		for i, t := range x {
			out[i] = types.Micros(t.UnixMicro())
		}
		return out
	}
	if list, ok := listOf(v); ok {
		return list
	}
	return v
}

// unkept is the way back, to what assign takes.
func unkept(v any) any {
	switch x := v.(type) {
	case types.Micros:
		return time.UnixMicro(int64(x)).UTC()
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = unkept(e)
		}
		return out
	case map[string]any:
		out := make(map[any]any, len(x))
		for k, e := range x {
			out[k] = e
		}
		return out
	}
	return v
}

// keptName is the Go type behind a kept value, for messages.
func keptName(v any) string {
	switch x := v.(type) {
	case bool:
		return "bool"
	case int64:
		return "int64"
	case float64:
		return "float64"
	case string:
		return "string"
	case types.Micros:
		return "time.Time"
	case []any:
		if len(x) > 0 {
			return "[]" + strings.TrimPrefix(keptName(x[0]), "[]")
		}
		return "[]"
	case map[string]any:
		return "map[string]string"
	}
	return "?"
}
