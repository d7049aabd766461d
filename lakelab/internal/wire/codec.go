package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"mini-lakehouse-lab/lakelab/types"
)

// Node is a relation's or a column's tree. It is encoded like any map and decoded as map[string]any.
type Node map[string]any

// Limits. A decoder never allocates more than a small multiple of the bytes that are really there.
const (
	MaxFrame = 64 << 20 // bytes of one encoded value; senders split rows into frames far below it
	MaxDepth = 10_000   // nesting of lists, maps and types: a loop of withColumn nests relations deeply
)

// ErrTooLarge says that a value does not fit into a frame.
var ErrTooLarge = errors.New("the value is larger than a message may be (64 MiB)")

// ErrMalformed says that bytes are not an encoded value.
var ErrMalformed = errors.New("malformed message")

// Every value starts with one of these bytes. Lengths and counts are unsigned varints, integers signed ones.
const (
	tNil byte = iota
	tFalse
	tTrue
	tInt
	tFloat32
	tFloat64
	tString
	tBytes
	tDec
	tDays
	tMicros
	tInterval
	tList
	tMap     // string keys, sorted
	tEntries // types.Entry list, in order
	tType
	tRows    // [][]any
	tStrings // []string
)

// Append encodes a value behind b. Besides the forms that Decode returns it takes int, int32, Node and map[string]string.
func Append(b []byte, v any) ([]byte, error) { return appendValue(b, v, 0) }

func appendValue(b []byte, v any, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("nested more than %d deep", MaxDepth)
	}
	switch v := v.(type) {
	case nil:
		return append(b, tNil), nil
	case bool:
		if v {
			return append(b, tTrue), nil
		}
		return append(b, tFalse), nil
	case int:
		return binary.AppendVarint(append(b, tInt), int64(v)), nil
	case int32:
		return binary.AppendVarint(append(b, tInt), int64(v)), nil
	case int64:
		return binary.AppendVarint(append(b, tInt), v), nil
	case float32:
		return binary.BigEndian.AppendUint32(append(b, tFloat32), math.Float32bits(v)), nil
	case float64:
		return binary.BigEndian.AppendUint64(append(b, tFloat64), math.Float64bits(v)), nil
	case string:
		return appendString(append(b, tString), v), nil
	case []byte:
		return append(binary.AppendUvarint(append(b, tBytes), uint64(len(v))), v...), nil
	case types.Dec:
		return appendString(append(b, tDec), string(v)), nil
	case types.Days:
		return binary.AppendVarint(append(b, tDays), int64(v)), nil
	case types.Micros:
		return binary.AppendVarint(append(b, tMicros), int64(v)), nil
	case types.Interval:
		b = binary.AppendVarint(append(b, tInterval), int64(v.Months))
		b = binary.AppendVarint(b, int64(v.Days))
		return binary.AppendVarint(b, v.Micros), nil
	case types.Type:
		return appendType(append(b, tType), v, depth)
	case []any:
		return appendList(append(b, tList), v, depth)
	case []types.Entry:
		b = binary.AppendUvarint(append(b, tEntries), uint64(len(v)))
		var err error
		for _, e := range v {
			if b, err = appendValue(b, e.Key, depth+1); err != nil {
				return nil, err
			}
			if b, err = appendValue(b, e.Value, depth+1); err != nil {
				return nil, err
			}
		}
		return b, nil
	case [][]any:
		b = binary.AppendUvarint(append(b, tRows), uint64(len(v)))
		var err error
		for _, row := range v {
			if b, err = appendList(b, row, depth+1); err != nil {
				return nil, err
			}
		}
		return b, nil
	case []string:
		b = binary.AppendUvarint(append(b, tStrings), uint64(len(v)))
		for _, s := range v {
			b = appendString(b, s)
		}
		return b, nil
	case map[string]any:
		return appendMap(b, v, depth)
	case Node:
		return appendMap(b, v, depth)
	case map[string]string:
		return appendMap(b, v, depth)
	}
	return nil, fmt.Errorf("a value of Go type %T cannot be sent", v)
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendList(b []byte, list []any, depth int) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(len(list)))
	var err error
	for _, x := range list {
		if b, err = appendValue(b, x, depth+1); err != nil {
			return nil, err
		}
		if len(b) > MaxFrame {
			return nil, ErrTooLarge
		}
	}
	return b, nil
}

// appendMap sorts the keys so that equal values have equal bytes.
func appendMap[V any](b []byte, m map[string]V, depth int) ([]byte, error) {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	b = binary.AppendUvarint(append(b, tMap), uint64(len(m)))
	var err error
	for _, k := range keys {
		b = appendString(b, k)
		if b, err = appendValue(b, m[k], depth+1); err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
	}
	return b, nil
}

// appendType writes the kind and then what that kind has.
func appendType(b []byte, t types.Type, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("a type nested more than %d deep", MaxDepth)
	}
	b = append(b, byte(t.Kind))
	var err error
	switch t.Kind {
	case types.Decimal:
		b = append(b, byte(t.Precision), byte(t.Scale))
	case types.YearMonthInterval, types.DayTimeInterval:
		b = append(b, byte(t.From), byte(t.To))
	case types.Array:
		return appendType(append(b, flag(t.ElemNull)), *t.Elem, depth+1)
	case types.Map:
		if b, err = appendType(append(b, flag(t.ElemNull)), *t.Key, depth+1); err != nil {
			return nil, err
		}
		return appendType(b, *t.Value, depth+1)
	case types.Struct:
		b = binary.AppendUvarint(b, uint64(len(t.Fields)))
		for _, f := range t.Fields {
			b = appendString(b, f.Name)
			b = appendString(append(b, flag(f.Nullable)), f.Comment)
			if b, err = appendType(b, f.Type, depth+1); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

func flag(v bool) byte {
	if v {
		return 1
	}
	return 0
}
