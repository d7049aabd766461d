package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"mini-lakehouse-lab/lakelab/types"
)

// Decode reads one value that fills b. The result shares no memory with b. Errors wrap ErrMalformed.
//
// Integers come as int64, lists as []any, [][]any or []string, maps as map[string]any, Spark's values in the forms that
// package types documents.
func Decode(b []byte) (any, error) {
	d := decoder{rest: b}
	v := d.value(0)
	if d.err == nil && len(d.rest) > 0 {
		d.fail("bytes behind the value")
	}
	if d.err != nil {
		return nil, d.err
	}
	return v, nil
}

// decoder keeps its first error; after it, every read gives a zero value.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", ErrMalformed, what)
	}
	d.rest = nil
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.fail("it ends too early")
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail("a length is cut or too long")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.fail("an integer is cut or too long")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// int32 reads an integer that must fit.
func (d *decoder) int32() int32 {
	v := d.varint()
	if v != int64(int32(v)) {
		d.fail("an integer exceeds 32 bits")
		return 0
	}
	return int32(v)
}

// count reads the length of a list whose items take at least one byte each.
func (d *decoder) count(least uint64) int {
	n := d.uvarint()
	if n > uint64(len(d.rest))/least {
		d.fail("a list longer than the message")
		return 0
	}
	return int(n)
}

func (d *decoder) string() string { return string(d.take(d.uvarint())) }

// startCap bounds what is allocated before the items have been seen.
func startCap(n int) int { return min(n, 256) }

func (d *decoder) value(depth int) any {
	if depth > MaxDepth {
		d.fail("nested too deep")
		return nil
	}
	switch tag := d.byte(); tag {
	case tNil:
		return nil
	case tFalse:
		return false
	case tTrue:
		return true
	case tInt:
		return d.varint()
	case tFloat32:
		if b := d.take(4); b != nil {
			return math.Float32frombits(binary.BigEndian.Uint32(b))
		}
	case tFloat64:
		if b := d.take(8); b != nil {
			return math.Float64frombits(binary.BigEndian.Uint64(b))
		}
	case tString:
		return d.string()
	case tBytes:
		return append([]byte{}, d.take(d.uvarint())...)
	case tDec:
		return types.Dec(d.string())
	case tDays:
		return types.Days(d.int32())
	case tMicros:
		return types.Micros(d.varint())
	case tInterval:
		return types.Interval{Months: d.int32(), Days: d.int32(), Micros: d.varint()}
	case tList:
		return d.list(depth)
	case tMap:
		n := d.count(2)
		m := make(map[string]any, startCap(n))
		for range n {
			k := d.string()
			if _, twice := m[k]; twice {
				d.fail("a key stands twice")
			}
			v := d.value(depth + 1)
			if d.err != nil {
				return nil
			}
			m[k] = v
		}
		return m
	case tEntries:
		n := d.count(2)
		list := make([]types.Entry, 0, startCap(n))
		for range n {
			e := types.Entry{Key: d.value(depth + 1), Value: d.value(depth + 1)}
			if d.err != nil {
				return nil
			}
			list = append(list, e)
		}
		return list
	case tType:
		return d.typ(depth)
	case tRows:
		n := d.count(1)
		rows := make([][]any, 0, startCap(n))
		for range n {
			row := d.list(depth + 1)
			if d.err != nil {
				return nil
			}
			rows = append(rows, row)
		}
		return rows
	case tStrings:
		n := d.count(1)
		list := make([]string, 0, startCap(n))
		for range n {
			s := d.string()
			if d.err != nil {
				return nil
			}
			list = append(list, s)
		}
		return list
	default:
		d.fail(fmt.Sprintf("unknown tag %d", tag))
	}
	return nil
}

func (d *decoder) list(depth int) []any {
	n := d.count(1)
	list := make([]any, 0, startCap(n))
	for range n {
		v := d.value(depth + 1)
		if d.err != nil {
			return nil
		}
		list = append(list, v)
	}
	return list
}

func (d *decoder) typ(depth int) types.Type {
	if depth > MaxDepth {
		d.fail("a type nested too deep")
		return types.Type{}
	}
	t := types.Type{Kind: types.Kind(d.byte())}
	switch t.Kind {
	case types.Decimal:
		t.Precision, t.Scale = int(d.byte()), int(d.byte())
		if t.Precision < 1 || t.Precision > 38 || t.Scale > t.Precision {
			d.fail("a decimal type out of range")
		}
	case types.YearMonthInterval, types.DayTimeInterval:
		t.From, t.To = int(d.byte()), int(d.byte())
		low, high := types.Year, types.Month
		if t.Kind == types.DayTimeInterval {
			low, high = types.Day, types.Second
		}
		if t.From < low || t.To > high || t.From > t.To {
			d.fail("an interval type out of range")
		}
	case types.Array:
		t.ElemNull = d.bool()
		elem := d.typ(depth + 1)
		t.Elem = &elem
	case types.Map:
		t.ElemNull = d.bool()
		key := d.typ(depth + 1)
		value := d.typ(depth + 1)
		t.Key, t.Value = &key, &value
	case types.Struct:
		n := d.count(4)
		if n > 0 {
			t.Fields = make([]types.Field, 0, startCap(n))
		}
		for range n {
			f := types.Field{Name: d.string(), Nullable: d.bool(), Comment: d.string()}
			f.Type = d.typ(depth + 1)
			if d.err != nil {
				return types.Type{}
			}
			t.Fields = append(t.Fields, f)
		}
	default:
		if t.Kind > types.UUID {
			d.fail("an unknown kind of type")
		}
	}
	return t
}

func (d *decoder) bool() bool {
	b := d.byte()
	if b > 1 {
		d.fail("a flag that is neither 0 nor 1")
	}
	return b == 1
}
