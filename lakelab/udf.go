package lakelab

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// udf is a Go function that queries call: the engine sends batches of arguments, the cell's program answers with results.
type udf struct {
	name   string
	f      reflect.Value
	params []Type
	nulls  []bool // parameters that take NULL: pointers
	result Type
}

var (
	udfsMu sync.Mutex
	udfs   []*udf
	// answering is set while a UDF runs: it may not ask the engine, which waits for it.
	answering atomic.Bool
)

var errorType = reflect.TypeFor[error]()

// RegisterUDF makes a Go function known to this cell's queries, in DataFrames and in SQL, under a name; a function of Spark's of that
// name is hidden. Package functions calls it: F.UDF documents the rules.
func RegisterUDF(name string, f any) {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func {
		raisePy("PySparkTypeError", "NOT_CALLABLE", "Argument `func` should be a callable, got %T.", f)
	}
	t := v.Type()
	if t.IsVariadic() || t.NumOut() == 0 || t.NumOut() > 2 || t.NumOut() == 2 && t.Out(1) != errorType {
		raise("PySparkTypeError", "", "UDF %s: функция должна возвращать одно значение или значение и error, без параметра «...»; получено %s", name, t)
	}
	u := &udf{name: name, f: v, result: udfType(name, t.Out(0))}
	for i := range t.NumIn() {
		u.params = append(u.params, udfType(name, t.In(i)))
		u.nulls = append(u.nulls, t.In(i).Kind() == reflect.Pointer)
	}
	udfsMu.Lock()
	udfs = append(slices.DeleteFunc(udfs, func(o *udf) bool { return o.name == name }), u)
	udfsMu.Unlock()
	engine.mu.Lock()
	connected := engine.conn != nil
	engine.mu.Unlock()
	if connected {
		call(u.registration()) // else connect does it
	}
}

// udfType is the Spark type of a parameter or result.
func udfType(name string, t reflect.Type) Type {
	out := goType(t)
	switch out.Kind {
	case types.Null, types.Map, types.Struct:
		raise("PySparkTypeError", "", "UDF %s: параметры и результат типа %s не поддерживаются; подходят числа, bool, string, []byte, time.Time, Decimal, срезы из них и указатели на них", name, t)
	}
	return out
}

func (u *udf) registration() node {
	params := make([]any, len(u.params))
	for i, p := range u.params {
		params[i] = node{"type": p, "null": u.nulls[i]}
	}
	return node{"op": wire.OpUDF, "name": u.name, "params": params, "result": u.result}
}

// answer runs a UDF over a batch. It gives the reply frame: the values, or how it failed.
func answerUDF(m map[string]any) node {
	udfsMu.Lock()
	i := slices.IndexFunc(udfs, func(u *udf) bool { return u.name == str(m["name"]) })
	var u *udf
	if i >= 0 {
		u = udfs[i]
	}
	udfsMu.Unlock()
	if u == nil {
		return node{"op": wire.OpResult, "error": "нет такой функции"}
	}
	answering.Store(true)
	defer answering.Store(false)
	rows := rowsOf(m["rows"])
	values := make([]any, len(rows))
	for i, row := range rows {
		v, err := u.apply(row)
		if err != nil {
			return node{"op": wire.OpResult, "error": err.Error()}
		}
		values[i] = v
	}
	return node{"op": wire.OpResult, "values": values}
}

// apply calls the function for one row. A NULL for a parameter that is no pointer gives NULL without a call.
func (u *udf) apply(row []any) (result any, err error) {
	args := make([]reflect.Value, len(row))
	for i, v := range row {
		t := u.f.Type().In(i)
		if v == nil {
			if !u.nulls[i] {
				return nil, nil
			}
			args[i] = reflect.Zero(t)
			continue
		}
		if args[i], err = goArgument(goValue(v, u.params[i]), t); err != nil {
			return nil, err
		}
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.err
		default:
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	out := u.f.Call(args)
	if len(out) == 2 && !out[1].IsNil() {
		return nil, out[1].Interface().(error)
	}
	return valueFor(anyOf(out[0]), u.result)
}

// goArgument gives a value the Go type of a parameter.
func goArgument(v any, t reflect.Type) (reflect.Value, error) {
	if t.Kind() == reflect.Pointer {
		x, err := goArgument(v, t.Elem())
		if err != nil {
			return x, err
		}
		p := reflect.New(t.Elem())
		p.Elem().Set(x)
		return p, nil
	}
	r := reflect.ValueOf(v)
	if list, ok := v.([]any); ok && t.Kind() == reflect.Slice {
		out := reflect.MakeSlice(t, len(list), len(list))
		for i, e := range list {
			if e == nil {
				continue // the zero value stands for NULL in a slice; use a slice of pointers to tell
			}
			x, err := goArgument(e, t.Elem())
			if err != nil {
				return x, err
			}
			out.Index(i).Set(x)
		}
		return out, nil
	}
	if !r.CanConvert(t) {
		return r, fmt.Errorf("значение %v (%T) не подходит к параметру типа %s", v, v, t)
	}
	return r.Convert(t), nil
}
