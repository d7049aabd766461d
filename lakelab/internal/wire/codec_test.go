package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"mini-lakehouse-lab/lakelab/types"
)

var nested = types.StructOf(
	types.Field{Name: "a b", Type: types.Of(types.Long), Comment: "комментарий"},
	types.Field{Name: "d", Type: types.DecimalOf(38, 18), Nullable: true},
	types.Field{Name: "m", Type: types.MapOf(types.Of(types.String), types.ArrayOf(types.Of(types.UUID), true), false), Nullable: true},
	types.Field{Name: "i", Type: types.DayTime(types.Day, types.Second)},
	types.Field{Name: "y", Type: types.YearMonth(types.Year, types.Month)},
	types.Field{Name: "empty", Type: types.Type{Kind: types.Struct}},
)

// samples holds one value of every form.
func samples() []any {
	return []any{
		nil, true, false, int64(0), int64(-1), int64(math.MaxInt64), int64(math.MinInt64),
		float32(1.1), math.Inf(-1), math.Copysign(0, -1), "", "Привет\x00\xff", []byte{}, []byte{0, 255, 65},
		types.Dec("-1234567890.0123456789"), types.Days(-719162), types.Days(math.MaxInt32), types.Micros(1801016056114000),
		types.Interval{Months: -14, Days: 3, Micros: -1}, []any{}, []any{int64(1), nil, []any{"x"}},
		map[string]any{}, map[string]any{"op": "sql", "args": []any{int64(1)}, "nested": map[string]any{"k": nil}},
		[]types.Entry{{Key: "b", Value: nil}, {Key: "a", Value: 1.5}}, types.Type{}, nested,
		types.Of(types.TimestampNTZ), [][]any{{int64(1), "a"}, {}, {nil, types.Days(1)}}, [][]any{}, []string{"", "x"},
	}
}

func TestRoundTrip(t *testing.T) {
	var stream bytes.Buffer
	for _, v := range samples() {
		if err := WriteFrame(&stream, v); err != nil {
			t.Fatalf("%#v: %v", v, err)
		}
	}
	for _, want := range samples() {
		got, err := ReadFrame(&stream)
		if err != nil {
			t.Fatalf("%#v: %v", want, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("sent %#v, received %#v", want, got)
		}
	}
	if _, err := ReadFrame(&stream); err != io.EOF {
		t.Errorf("at the end: %v, want io.EOF", err)
	}
}

func TestSenderForms(t *testing.T) {
	for _, c := range []struct{ sent, want any }{
		{7, int64(7)}, {int32(-7), int64(-7)},
		{Node{"n": "limit", "child": Node{"n": "table"}}, map[string]any{"n": "limit", "child": map[string]any{"n": "table"}}},
		{map[string]string{"k": "v"}, map[string]any{"k": "v"}},
	} {
		b, err := Append(nil, c.sent)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Decode(b); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%#v became %#v (%v), want %#v", c.sent, got, err, c.want)
		}
	}
	if _, err := Append(nil, map[string]any{"when": struct{}{}}); err == nil || !strings.Contains(err.Error(), "when: a value of Go type struct {}") {
		t.Errorf("an unknown Go type: %v", err)
	}
}

func TestEveryCutIsAnError(t *testing.T) {
	for _, v := range samples() {
		b, err := Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b {
			if got, err := Decode(b[:i]); !errors.Is(err, ErrMalformed) {
				t.Errorf("%#v cut to %d of %d bytes decodes to %#v, %v", v, i, len(b), got, err)
			}
		}
		if _, err := Decode(append(b, 0)); !errors.Is(err, ErrMalformed) {
			t.Errorf("%#v with a byte behind it: %v", v, err)
		}
	}
}

func TestAbsurdLengths(t *testing.T) {
	huge := binary.AppendUvarint(nil, math.MaxUint64)
	for _, tag := range []byte{tString, tBytes, tDec, tList, tMap, tEntries, tRows, tStrings} {
		if _, err := Decode(append([]byte{tag}, huge...)); !errors.Is(err, ErrMalformed) {
			t.Errorf("tag %d with an absurd length: %v", tag, err)
		}
	}
	if _, err := ReadFrame(strings.NewReader("\xff\xff\xff\xff")); !errors.Is(err, ErrMalformed) {
		t.Errorf("an absurd frame: %v", err)
	}
	// A large announced length without the bytes costs one step of memory, then fails.
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := ReadFrame(strings.NewReader("\x03\xff\xff\xffabc")); err != io.ErrUnexpectedEOF {
			t.Errorf("a cut frame: %v", err)
		}
	})
	if allocated > 10 {
		t.Errorf("a cut frame made %v allocations", allocated)
	}
}

func TestDepth(t *testing.T) {
	b := bytes.Repeat([]byte{tList, 1}, MaxDepth+2)
	if _, err := Decode(append(b, tNil)); !errors.Is(err, ErrMalformed) {
		t.Errorf("too deep: %v", err)
	}
	var v any
	for range MaxDepth - 1 {
		v = Node{"child": v}
	}
	enc, err := Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(enc); err != nil {
		t.Errorf("a relation %d deep: %v", MaxDepth-1, err)
	}
	if _, err := Append(nil, []any{[]any{v}, Node{"a": Node{"b": Node{"c": v}}}}); err == nil {
		t.Error("a value nested too deep was encoded")
	}
}

func TestBadTypes(t *testing.T) {
	for _, b := range [][]byte{
		{tType, 200}, {tType, byte(types.Decimal), 39, 0}, {tType, byte(types.Decimal), 5, 6},
		{tType, byte(types.DayTimeInterval), types.Year, types.Second}, {tType, byte(types.Array), 2, 0},
		{tDays, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, {99}, {},
		{tMap, 2, 1, 'k', tNil, 1, 'k', tNil},
	} {
		if v, err := Decode(b); !errors.Is(err, ErrMalformed) {
			t.Errorf("% x decodes to %#v, %v", b, v, err)
		}
	}
}

// FuzzDecode: no input may crash the decoder, and what it accepts survives another round.
func FuzzDecode(f *testing.F) {
	for _, v := range samples() {
		b, err := Append(nil, v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Append(nil, v)
		if err != nil {
			t.Fatalf("%#v was decoded and cannot be encoded: %v", v, err)
		}
		w, err := Decode(again)
		if err != nil {
			t.Fatalf("%#v: %v", v, err)
		}
		third, err := Append(nil, w)
		if err != nil || !bytes.Equal(again, third) {
			t.Fatalf("not stable: % x, % x, %v", again, third, err)
		}
	})
}
