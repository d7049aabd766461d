package lakelab

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// CreateDataFrame makes a DataFrame of rows at hand (spark.createDataFrame). rows is one of
//
//	[][]any{{1, "a"}, {2, nil}}          a value for each column, in order
//	[]map[string]any{{"id": 1}}          values by column name; columns in the order of their names
//	[]Trip{{ID: 1}}                      exported fields of a struct; `spark:"id"` names a column, `spark:"-"` leaves it out
//	[]Row                                what Collect returns
//	[]int{1, 2}, []string{"a"}           one column, named value
//
// The schema is DDL, such as "id INT, name STRING NOT NULL", or the column names, one by one: then, and without any, types are
// those of the Go values (int and int64 BIGINT, int32 INT, int16 SMALLINT, int8 TINYINT, float64 DOUBLE, float32 FLOAT, bool, string,
// []byte, time.Time TIMESTAMP, time.Duration INTERVAL DAY TO SECOND, Decimal DECIMAL(38,18), slices, maps, structs). nil and nil
// pointers are NULL. A value that does not fit is a TypeError that names row and column.
func (s *Session) CreateDataFrame(rows any, schema ...string) *DataFrame {
	list := reflect.ValueOf(rows)
	if list.Kind() != reflect.Slice && list.Kind() != reflect.Array {
		raise("PySparkTypeError", "", "CreateDataFrame: нужен срез строк, получено %T", rows)
	}
	var t Type
	scalar := false
	if len(schema) == 1 {
		t = schemaOf(call(node{"op": wire.OpSchema, "ddl": schema[0]}))
		if scalar = t.Kind != types.Struct; scalar {
			t = types.StructOf(Field{Name: "value", Type: t, Nullable: true})
		}
	} else {
		t, scalar = inferSchema(list, schema)
	}
	local := make([][]any, list.Len())
	for i := range local {
		row := rowValues(list.Index(i), t, scalar)
		if len(row) != len(t.Fields) {
			raisePy("PySparkValueError", "FIELD_STRUCT_LENGTH_MISMATCH", "Length of object (%d) does not match with length of fields (%d).", len(row), len(t.Fields))
		}
		for j, v := range row {
			f := t.Fields[j]
			w, err := valueFor(v, f.Type)
			if err == nil && w == nil && !f.Nullable {
				raisePy("PySparkValueError", "FIELD_NOT_NULLABLE_WITH_NAME", "field %s: This field is not nullable, but got None.", f.Name)
			}
			if err != nil {
				place, want, bad := "field "+f.Name, f.Type, v
				if m, ok := err.(*misfit); ok {
					place, want, bad = m.place+place, m.want, m.value
				}
				panic(failure{&Error{Exception: "PySparkTypeError", Class: "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME", Hint: fmt.Sprintf("Строка %d: %v.", i, err),
					Message: fmt.Sprintf("[FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME] %s: %s can not accept object %v in type %T.", place, className(want), bad, bad)}})
			}
			row[j] = w
		}
		local[i] = row
	}
	return analyze(node{"n": "rows", "schema": t, "rows": local})
}

// raisePy is raise with a class of PySpark's own errors, which have no SQLSTATE.
func raisePy(exception, class, format string, args ...any) {
	panic(failure{&Error{Exception: exception, Class: class, Message: "[" + class + "] " + fmt.Sprintf(format, args...)}})
}

// className is a type as PySpark prints it: IntegerType(), ArrayType(StringType(), True).
func className(t Type) string {
	truth := map[bool]string{false: "False", true: "True"}
	switch t.Kind {
	case types.Decimal:
		return fmt.Sprintf("DecimalType(%d,%d)", t.Precision, t.Scale)
	case types.TimestampNTZ:
		return "TimestampNTZType()"
	case types.DayTimeInterval:
		return fmt.Sprintf("DayTimeIntervalType(%d, %d)", t.From, t.To)
	case types.YearMonthInterval:
		return fmt.Sprintf("YearMonthIntervalType(%d, %d)", t.From, t.To)
	case types.Array:
		return fmt.Sprintf("ArrayType(%s, %s)", className(*t.Elem), truth[t.ElemNull])
	case types.Map:
		return fmt.Sprintf("MapType(%s, %s, %s)", className(*t.Key), className(*t.Value), truth[t.ElemNull])
	case types.Struct:
		fields := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = fmt.Sprintf("StructField('%s', %s, %s)", f.Name, className(f.Type), truth[f.Nullable])
		}
		return "StructType([" + strings.Join(fields, ", ") + "])"
	case types.Null:
		return "NullType()"
	}
	name := t.TypeName()
	return strings.ToUpper(name[:1]) + name[1:] + "Type()"
}

// rowValues gives a row's values in the order of the columns.
func rowValues(v reflect.Value, t Type, scalar bool) []any {
	v = reached(v)
	if scalar {
		return []any{anyOf(v)}
	}
	switch x := anyOf(v).(type) {
	case Row:
		out := make([]any, x.Len())
		for i := range out {
			out[i] = x.At(i)
		}
		return out
	case []any:
		return slices.Clone(x)
	}
	switch v.Kind() {
	case reflect.Map:
		out := make([]any, len(t.Fields))
		for i, f := range t.Fields {
			if v.Type().Key().Kind() == reflect.String {
				if x := v.MapIndex(reflect.ValueOf(f.Name).Convert(v.Type().Key())); x.IsValid() {
					out[i] = anyOf(x)
				}
			}
		}
		return out
	case reflect.Slice, reflect.Array:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = anyOf(v.Index(i))
		}
		return out
	case reflect.Struct:
		var out []any
		eachField(v.Type(), func(i int, _ string) { out = append(out, anyOf(v.Field(i))) })
		return out
	}
	return []any{anyOf(v)}
}

// reached follows pointers and interfaces.
func reached(v reflect.Value) reflect.Value {
	for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
		v = v.Elem()
	}
	return v
}

func anyOf(v reflect.Value) any {
	if v = reached(v); !v.IsValid() {
		return nil
	}
	return v.Interface()
}

// eachField calls f with the place and the column name of the exported fields.
func eachField(t reflect.Type, f func(i int, name string)) {
	for i := range t.NumField() {
		field := t.Field(i)
		name := field.Tag.Get("spark")
		if !field.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = field.Name
		}
		f(i, name)
	}
}

// inferSchema finds names and types of rows without a schema. scalar says that a row is a single value.
func inferSchema(list reflect.Value, names []string) (t Type, scalar bool) {
	t = types.StructOf()
	add := func(i int, name string, ft Type) {
		if i == len(t.Fields) {
			t.Fields = append(t.Fields, Field{Name: name, Nullable: true})
		}
		merged, ok := merge(t.Fields[i].Type, ft)
		if !ok {
			raisePy("PySparkTypeError", "CANNOT_MERGE_TYPE", "Can not merge type `%s` and `%s`.", t.Fields[i].Type.SimpleString(), ft.SimpleString())
		}
		t.Fields[i].Type = merged
	}
	element := list.Type().Elem()
	for element.Kind() == reflect.Pointer {
		element = element.Elem()
	}
	if element.Kind() == reflect.Struct && element != reflect.TypeFor[Row]() && goType(element).Kind == types.Struct {
		t.Fields = append(t.Fields, goType(element).Fields...)
	}
	var keys []string
	for i := range list.Len() {
		v := reached(list.Index(i))
		if !v.IsValid() {
			continue
		}
		switch {
		case v.Type() == reflect.TypeFor[Row]():
			for j, f := range v.Interface().(Row).schema.Fields {
				add(j, f.Name, pythonType(f.Type))
			}
		case v.Kind() == reflect.Map:
			for _, k := range v.MapKeys() {
				if name := k.String(); !slices.Contains(keys, name) {
					keys = append(keys, name)
				}
			}
		case v.Kind() == reflect.Struct && goTypeOf(v).Kind == types.Struct:
		case v.Kind() == reflect.Slice && v.Type() != reflect.TypeFor[[]byte](), v.Kind() == reflect.Array:
			for j := range v.Len() {
				add(j, "_"+strconv.Itoa(j+1), goTypeOf(v.Index(j)))
			}
		default:
			scalar = true
			add(0, "value", goTypeOf(v))
		}
	}
	slices.Sort(keys)
	for j, name := range keys {
		for i := range list.Len() {
			if v := reached(list.Index(i)); v.IsValid() && v.Kind() == reflect.Map {
				add(j, name, goTypeOf(v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))))
			}
		}
	}
	if len(t.Fields) == 0 {
		raisePy("PySparkValueError", "CANNOT_INFER_EMPTY_SCHEMA", "Can not infer schema from empty dataset.")
	}
	for i, f := range t.Fields {
		if f.Type.Kind == types.Null {
			raisePy("PySparkValueError", "CANNOT_DETERMINE_TYPE", "Some of types cannot be determined after inferring.")
		}
		if i < len(names) {
			t.Fields[i].Name = names[i]
		}
	}
	if len(names) > len(t.Fields) {
		raisePy("PySparkValueError", "LENGTH_SHOULD_BE_THE_SAME", "fields and names should be of the same length, got %d and %d.", len(t.Fields), len(names))
	}
	return t, scalar
}

// pythonType is what PySpark infers for the Python value of a type.
func pythonType(t Type) Type {
	switch t.Kind {
	case types.Byte, types.Short, types.Int:
		return types.Of(types.Long)
	case types.Float:
		return types.Of(types.Double)
	case types.Decimal:
		return types.DecimalOf(38, 18)
	case types.TimestampNTZ:
		return types.Of(types.Timestamp)
	case types.Array:
		return types.ArrayOf(pythonType(*t.Elem), true)
	}
	return t
}

var goKinds = map[reflect.Kind]types.Kind{
	reflect.Bool: types.Boolean, reflect.Int8: types.Byte, reflect.Int16: types.Short, reflect.Int32: types.Int, reflect.Int64: types.Long, reflect.Int: types.Long,
	reflect.Uint8: types.Short, reflect.Uint16: types.Int, reflect.Uint32: types.Long, reflect.Float32: types.Float, reflect.Float64: types.Double, reflect.String: types.String,
}

// goTypeOf is the Spark type of a Go value; that of any and of an empty slice depends on what is inside.
func goTypeOf(v reflect.Value) Type {
	if v = reached(v); !v.IsValid() {
		return types.Of(types.Null)
	}
	if v.Type() == reflect.TypeFor[Row]() {
		return *v.Interface().(Row).schema
	}
	t := goType(v.Type())
	if t.Kind == types.Array && t.Elem.Kind == types.Null {
		e := types.Of(types.Null)
		for i := range v.Len() {
			e, _ = merge(e, goTypeOf(v.Index(i)))
		}
		return types.ArrayOf(e, true)
	}
	if t.Kind == types.Map && t.Value.Kind == types.Null {
		e := types.Of(types.Null)
		for _, k := range v.MapKeys() {
			e, _ = merge(e, goTypeOf(v.MapIndex(k)))
		}
		return types.MapOf(*t.Key, e, true)
	}
	return t
}

// goType is the Spark type of a Go type; void for any.
func goType(t reflect.Type) Type {
	switch t {
	case reflect.TypeFor[time.Time]():
		return types.Of(types.Timestamp)
	case reflect.TypeFor[time.Duration]():
		return types.DayTime(types.Day, types.Second)
	case reflect.TypeFor[Decimal]():
		return types.DecimalOf(38, 18)
	case reflect.TypeFor[types.Days]():
		return types.Of(types.Date)
	case reflect.TypeFor[types.Micros]():
		return types.Of(types.Timestamp)
	case reflect.TypeFor[[]byte]():
		return types.Of(types.Binary)
	}
	if k, ok := goKinds[t.Kind()]; ok {
		return types.Of(k)
	}
	switch t.Kind() {
	case reflect.Interface:
		return types.Of(types.Null)
	case reflect.Pointer:
		return goType(t.Elem())
	case reflect.Slice, reflect.Array:
		return types.ArrayOf(goType(t.Elem()), true)
	case reflect.Map:
		return types.MapOf(goType(t.Key()), goType(t.Elem()), true)
	case reflect.Struct:
		out := types.StructOf()
		eachField(t, func(i int, name string) {
			out.Fields = append(out.Fields, Field{Name: name, Type: goType(t.Field(i).Type), Nullable: true})
		})
		return out
	}
	raisePy("PySparkTypeError", "UNSUPPORTED_DATA_TYPE", "у значений типа %s нет типа в Spark", t.String())
	return Type{}
}

// merge is the type of a column that holds both; void gives way.
func merge(a, b Type) (Type, bool) {
	switch {
	case a.Kind == types.Null:
		return b, true
	case b.Kind == types.Null || a.Equal(b):
		return a, true
	case a.Kind == types.Array && b.Kind == types.Array:
		e, ok := merge(*a.Elem, *b.Elem)
		return types.ArrayOf(e, true), ok
	case a.Kind == types.Map && b.Kind == types.Map:
		e, ok := merge(*a.Value, *b.Value)
		return types.MapOf(*a.Key, e, true), ok
	}
	return a, false
}

// elementsOf gives the elements of any slice, as valueFor needs them.
func elementsOf(v any) ([]any, bool) {
	if list, ok := listOf(v); ok {
		return list, true
	}
	r := reflect.ValueOf(v)
	if k := r.Kind(); k != reflect.Slice && k != reflect.Array {
		return nil, false
	}
	out := make([]any, r.Len())
	for i := range out {
		out[i] = anyOf(r.Index(i))
	}
	return out, true
}

// entriesOf gives the entries of any map in a fixed order.
func entriesOf(v any) ([]types.Entry, bool) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Map {
		return nil, false
	}
	var out []types.Entry
	for _, k := range r.MapKeys() {
		out = append(out, types.Entry{Key: anyOf(k), Value: anyOf(r.MapIndex(k))})
	}
	slices.SortFunc(out, func(a, b types.Entry) int { return strings.Compare(fmt.Sprint(a.Key), fmt.Sprint(b.Key)) })
	return out, true
}

// partsOf gives the values of a struct in the order of a type's fields.
func partsOf(v any, t Type) ([]any, bool) {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Struct:
		byName := map[string]any{}
		eachField(r.Type(), func(i int, name string) { byName[strings.ToLower(name)] = anyOf(r.Field(i)) })
		out := make([]any, len(t.Fields))
		for i, f := range t.Fields {
			out[i] = byName[strings.ToLower(f.Name)]
		}
		return out, true
	case reflect.Map:
		return rowValues(r, t, false), true
	}
	return elementsOf(v)
}
