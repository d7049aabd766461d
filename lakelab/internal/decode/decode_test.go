package decode

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab"
	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/sql"
	F "mini-lakehouse-lab/lakelab/functions"
	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// sent is a tree as the engine receives it.
func sent(t *testing.T, n wire.Node) map[string]any {
	t.Helper()
	b, err := wire.Append(nil, n)
	if err != nil {
		t.Fatal(err)
	}
	v, err := wire.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

// dump writes an AST without places and without what tells `a` from a.
func dump(v any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(v))
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				b.WriteByte(' ')
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteByte(']')
	case reflect.Struct:
		if n, ok := v.Interface().(sql.Name); ok {
			b.WriteString(n.Text)
			return
		}
		b.WriteString(v.Type().Name() + "{")
		first := true
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Type == reflect.TypeFor[sql.At]() || f.Name == "Quoted" || v.Field(i).IsZero() || v.Field(i).Kind() == reflect.Slice && v.Field(i).Len() == 0 {
				continue
			}
			if !first {
				b.WriteByte(' ')
			}
			first = false
			b.WriteString(f.Name + ":")
			dumpValue(b, v.Field(i))
		}
		b.WriteByte('}')
	default:
		fmt.Fprint(b, v.Interface())
	}
}

// TestColumnsMeanTheirSQL: a column of the API is the same AST as its SQL text.
func TestColumnsMeanTheirSQL(t *testing.T) {
	x := F.Col("x")
	w := lakelab.Window.PartitionBy("p").OrderBy(x.Desc(), "y")
	for _, c := range []struct {
		col lakelab.Column
		sql string
	}{
		{F.Col("a.b.`c d`"), "a.b.`c d`"}, {F.Col("*"), "*"}, {F.Col("t.*"), "t.*"}, {F.Col("strange name"), "`strange name`"},
		{F.Expr("x + 1 AS y"), "x + 1 AS y"},
		{x.Plus(1).Times(2), "(x + 1) * 2"}, {x.Minus(int64(1)), "x - 1L"}, {x.Div(2.5), "x / 2.5D"}, {x.Mod(3), "x % 3"},
		{x.Eq("it's"), `x = "it's"`}, {x.Neq(1), "x <> 1"}, {x.Lt(1), "x < 1"}, {x.Le(1), "x <= 1"}, {x.Gt(1), "x > 1"}, {x.Ge(1), "x >= 1"},
		{x.EqNullSafe(nil), "x <=> NULL"}, {x.And(true).Or(x.Not()), "(x AND true) OR (NOT x)"},
		{x.IsNull(), "x IS NULL"}, {x.IsNotNull(), "x IS NOT NULL"}, {x.IsIn(1, 2), "x IN (1, 2)"}, {x.IsIn([]string{"a"}), "x IN ('a')"},
		{x.Between(1, 2), "x >= 1 AND x <= 2"}, {x.Like("a%"), "x LIKE 'a%'"}, {x.RLike("a+"), "x RLIKE 'a+'"}, {x.ILike("A%"), "x ILIKE 'A%'"},
		{x.Contains("a"), "contains(x, 'a')"}, {x.Substr(1, 2), "substr(x, 1, 2)"}, {x.Negate(), "negative(x)"}, {x.Pow(2), "power(x, 2)"},
		{x.BitwiseAND(1), "x & 1"}, {x.BitwiseOR(1), "x | 1"}, {x.BitwiseXOR(1), "x ^ 1"},
		{x.Cast("decimal(10,2)"), "CAST(x AS decimal(10,2))"}, {x.TryCast("int"), "TRY_CAST(x AS int)"}, {x.As("y"), "x AS y"},
		{x.GetItem(0), "x[0]"}, {x.GetItem("k"), "x['k']"}, {F.Upper("x").GetField("f"), "upper(x).f"},
		{F.When(x.Gt(1), "a").When(x.Lt(0), "b").Otherwise("c"), "CASE WHEN x > 1 THEN 'a' WHEN x < 0 THEN 'b' ELSE 'c' END"},
		{F.Sum("x"), "sum(x)"}, {F.Count("*"), "count(*)"}, {F.CountDistinct("x", "y"), "count(DISTINCT x, y)"}, {F.SumDistinct("x"), "sum(DISTINCT x)"},
		{F.CurrentTimestamp(), "current_timestamp()"}, {F.Round("x", 2), "round(x, 2)"}, {F.DateAdd("d", x), "date_add(d, x)"}, {F.Split("x", ","), "split(x, ',', -1)"},
		{F.Lit([]byte("AB")), "X'4142'"}, {F.Lit(time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)), "TIMESTAMP_LTZ '2024-01-02 03:04:05Z'"},
		{F.Lit(26*time.Hour + 1500*time.Millisecond), "INTERVAL '1 02:00:01.5' DAY TO SECOND"}, {F.Lit(lakelab.Decimal("12.50")), "12.50BD"},
		{F.Lit([]int{1, 2}), "array(1, 2)"}, {F.Lit(int8(1)), "1Y"}, {F.Lit(int16(1)), "1S"}, {F.Lit(1 << 40), "1099511627776L"},
		{F.RowNumber().Over(w), "row_number() OVER (PARTITION BY p ORDER BY x DESC, y)"},
		{F.Sum("x").Over(w.RowsBetween(lakelab.UnboundedPreceding, 2)), "sum(x) OVER (PARTITION BY p ORDER BY x DESC, y ROWS BETWEEN UNBOUNDED PRECEDING AND 2 FOLLOWING)"},
		{F.Sum("x").Over(lakelab.Window.RangeBetween(-3, lakelab.CurrentRow)), "sum(x) OVER (RANGE BETWEEN -3 FOLLOWING AND CURRENT ROW)"},
		{F.Sum("x").Over(lakelab.Window), "sum(x) OVER ()"},
	} {
		got, err := Column(sent(t, c.col.Node()))
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		want, err := sql.ParseExpr(sql.Spark, c.sql)
		if err != nil {
			t.Fatalf("%s: %v", c.sql, err)
		}
		if dump(got) != dump(want) {
			t.Errorf("%s:\n  sent   %s\n  parsed %s", c.sql, dump(got), dump(want))
		}
	}
}

func TestAttributeNames(t *testing.T) {
	// Accepted and refused by PySpark 4.0.1's F.col.
	for name, want := range map[string]string{"a b": "a b", "`a``b`": "a`b", "`a.b`.c": "a.b|c", "": "", "id ": "id ", "a.b": "a|b"} {
		parts, err := attributeParts(name, name)
		if got := strings.Join(parts, "|"); err != nil || got != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"a.`b", "`a`b", "a..b", "a.", "a`b", ".a", "`", "``a"} {
		_, err := attributeParts(name, name)
		var e *errclass.Error
		if !errors.As(err, &e) || e.Class != "INVALID_ATTRIBUTE_NAME_SYNTAX" || !strings.HasPrefix(e.Message, "Syntax error in the attribute name: "+name+".") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestRelations(t *testing.T) {
	tab := wire.Node{"n": "table", "name": "lake.db.`my t`"}
	id := wire.Node{"c": "name", "name": "id"}
	for _, c := range []struct {
		rel  wire.Node
		want string
	}{
		{tab, "TableRef{Name:[lake db my t]}"},
		{wire.Node{"n": "range", "start": 0, "end": 5, "step": -1}, "TableFunc{Call:Call{Name:[range] Args:[Arg{X:Literal{Kind:2 Text:0 Suffix:L}} Arg{X:Literal{Kind:2 Text:5 Suffix:L}} Arg{X:Literal{Kind:2 Text:-1 Suffix:L}}]}}"},
		{wire.Node{"n": "limit", "child": tab, "count": 3}, "Derived{Query:Query{Body:Select{Items:[Star{}] From:[TableRef{Name:[lake db my t]}]} Limit:Literal{Kind:2 Text:3}} Transparent:true}"},
		{wire.Node{"n": "aggregate", "child": tab, "groups": []any{wire.Node{"c": "alias", "x": id, "name": "k"}}, "kind": "groupBy", "aggs": []any{F.Count("*").Node()}},
			"Derived{Query:Query{Body:Select{Items:[Aliased{X:Ident{Parts:[id]} Names:[k]} Call{Name:[count] Args:[Arg{X:Star{}}]}] From:[TableRef{Name:[lake db my t]}] GroupBy:[Ident{Parts:[id]}]}} Transparent:true}"},
		{wire.Node{"n": "aggregate", "child": tab, "groups": []any{}, "kind": "groupBy", "aggs": []any{F.Max("id").Node()}},
			"Derived{Query:Query{Body:Select{Items:[Call{Name:[max] Args:[Arg{X:Ident{Parts:[id]}}]}] From:[TableRef{Name:[lake db my t]}] GroupByEmpty:true}} Transparent:true}"},
		{wire.Node{"n": "join", "left": tab, "right": tab, "kind": "LEFT", "using": []string{"id"}},
			"Join{Kind:LEFT L:TableRef{Name:[lake db my t]} R:TableRef{Name:[lake db my t]} Using:[id]}"},
		{wire.Node{"n": "alias", "child": tab, "name": "a"}, "Derived{Query:Query{Body:Select{Items:[Star{}] From:[TableRef{Name:[lake db my t]}]}} Alias:Alias{Name:a}}"},
		{wire.Node{"n": "drop", "child": tab, "names": []string{"x"}}, "DropColumns{Rel:TableRef{Name:[lake db my t]} Names:[x]}"},
		{wire.Node{"n": "sql", "text": "SELECT :a, ?", "args": wire.Node{"a": wire.Node{"c": "lit", "value": "q"}}},
			"Derived{Query:Query{Body:Select{Items:[Literal{Kind:3 Text:q} Param{}]}} Transparent:true}"},
	} {
		rel, err := Relation(sent(t, c.rel))
		if err != nil {
			t.Errorf("%v: %v", c.rel, err)
			continue
		}
		if got := dump(rel); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.rel["n"], got, c.want)
		}
	}
	rel, err := Relation(sent(t, wire.Node{"n": "rows", "schema": types.StructOf(types.Field{Name: "a", Type: types.Of(types.Int)}), "rows": [][]any{{int64(1)}}}))
	if rows, ok := rel.(*sql.LocalRows); err != nil || !ok || rows.Rows[0][0] != int64(1) || rows.Schema.Fields[0].Name != "a" {
		t.Errorf("rows: %v, %v", rel, err)
	}
}

func TestMalformed(t *testing.T) {
	tab := wire.Node{"n": "table", "name": "t"}
	for _, n := range []wire.Node{
		{}, {"n": "nope", "child": tab}, {"n": "limit", "child": tab}, {"n": "limit", "count": 1}, {"n": "filter", "child": tab}, {"n": "table"},
		{"n": "select", "child": tab, "cols": "x"}, {"n": "select", "child": tab, "cols": []any{1}}, {"n": "join", "left": tab},
		{"n": "join", "left": tab, "right": tab, "kind": "SIDEWAYS"}, {"n": "set", "left": tab, "right": tab, "op": "XOR"},
		{"n": "rows", "schema": types.StructOf(), "rows": [][]any{{int64(1)}}}, {"n": "withColumns", "child": tab, "names": []string{"a"}, "cols": []any{}},
		{"n": "filter", "child": tab, "cond": wire.Node{"c": "op", "op": "+", "args": []any{}}},
		{"n": "filter", "child": tab, "cond": wire.Node{"c": "op", "op": "~~"}}, {"n": "filter", "child": tab, "cond": wire.Node{"c": "lit", "value": int64(1)}},
	} {
		rel, err := Relation(sent(t, n))
		if err == nil || !strings.HasPrefix(err.Error(), "malformed ") {
			t.Errorf("%v: %v, %v", n, rel, err)
		}
	}
}
