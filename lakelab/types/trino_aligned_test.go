package types

import "testing"

// TestTrinoTable compares with what trino-cli 476 prints.
func TestTrinoTable(t *testing.T) {
	fields := []Field{{Name: "a", Type: Of(Int)}, {Name: "title", Type: Of(String)}, {Name: "x", Type: ArrayOf(Of(Double), true)}, {Name: "m", Type: MapOf(Of(String), Of(Int), true)},
		{Name: "raw", Type: Of(Binary)}, {Name: "t", Type: TemporalOf(TimestampNTZ, 3)}}
	got := TrinoTable(fields, [][]any{{int64(1), "b", []any{1.0, nil}, []Entry{{Key: "k", Value: int64(1)}}, []byte{0xca, 0xfe}, Micros(1_704_103_200_500_000)}, {int64(22), nil, nil, nil, nil, nil}})
	want := ` a  | title |      x      |   m   |  raw  |            t            
----+-------+-------------+-------+-------+-------------------------
  1 | b     | [1.0, NULL] | {k=1} | ca fe | 2024-01-01 10:00:00.500 
 22 | NULL  | NULL        | NULL  | NULL  | NULL                    
(2 rows)
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	fields = []Field{{Name: "two", Type: Of(String)}, {Name: "r", Type: StructOf(Field{Name: "p", Type: Of(Int)}, Field{Name: "q", Type: Of(String)})},
		{Name: "u", Type: StructOf(Field{Type: Of(Int)}, Field{Type: Of(Boolean)})}, {Name: "d", Type: DecimalOf(3, 2)}, {Name: "i", Type: DayTime(Day, Second)}}
	got = TrinoTable(fields, [][]any{{"x\nlonger", []any{int64(1), "a"}, []any{int64(1), true}, Dec("1.50"), int64(86400e6)}})
	want = `  two   |     r      |     u     |  d   |       i        
--------+------------+-----------+------+----------------
 x      | {p=1, q=a} | {1, true} | 1.50 | 1 00:00:00.000 
 longer |            |           |      |                
(1 row)
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if got := TrinoTable([]Field{{Name: "x", Type: Of(Int)}}, nil); got != " x \n---\n(0 rows)\n" {
		t.Errorf("got\n%s", got)
	}
}
