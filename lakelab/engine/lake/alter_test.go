package lake_test

import (
	"errors"
	"fmt"
	"testing"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestAlter runs a list of changes on one table. Every message is what Spark 4.0.1 with Iceberg 1.10.1 said to the same statements.
func TestAlter(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	dec := func(p, s int) types.Type { return types.DecimalOf(p, s) }
	st := func(f ...types.Field) types.Type { return types.StructOf(f...) }
	schema := st(col("a", integ), col("s", st(col("x", integ), col("y", str))), col("l", types.ArrayOf(st(col("z", integ)), true)),
		col("m", types.MapOf(str, st(col("k", integ)), true)), types.Field{Name: "i", Type: integ}, col("d", dec(5, 2)), col("f", types.Of(types.Float)),
		col("dt", types.Of(types.Date)), col("st", str))
	e.must(e.l.Create(ctx, name("d.e"), schema, lake.CreateOptions{}))
	e.append("d.e", "SELECT 1, {'x': 1, 'y': 'q'}, [{'z': 5}], MAP {'a': {'k': 7}}, 9, 1.25, 1.5, DATE '2024-01-01', 's'")
	tab := e.load("d.e")
	add := func(n string, ty types.Type, path ...string) lake.NewColumn {
		return lake.NewColumn{Path: path, Field: col(n, ty)}
	}
	first := func(c lake.NewColumn) lake.NewColumn { c.First = true; return c }
	after := func(c lake.NewColumn, a string) lake.NewColumn { c.After = a; return c }
	addAll := func(c ...lake.NewColumn) error { return e.l.AddColumns(ctx, tab, c) }
	drop := func(ifExists bool, p ...[]string) error { return e.l.DropColumns(ctx, tab, p, ifExists) }
	rename := func(to string, p ...string) error { return e.l.RenameColumn(ctx, tab, p, to) }
	typ := func(ty types.Type, p ...string) error { return e.l.AlterType(ctx, tab, p, ty) }
	now := `"STRUCT<a: INT, s: STRUCT<x: INT, y: STRING, w: INT>, l: ARRAY<STRUCT<z: INT, w: INT>>, m: MAP<STRING, STRUCT<w: INT, k: INT>>, i: INT NOT NULL, d: DECIMAL(5,2), f: FLOAT, dt: DATE, st: STRING>"`
	later := `"STRUCT<q2: INT, q3: STRING, s: STRUCT<xx: INT, y: STRING>, q: INT, l: ARRAY<STRUCT<zz: INT>>, m: MAP<STRING, STRUCT<w: INT, k: INT>>, i: INT NOT NULL, d: DECIMAL(5,2), f: FLOAT, dt: DATE, st: STRING, ss: STRUCT<p: INT NOT NULL, q: INT>>"`
	unresolved := func(what, proposal string) string {
		return "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name " + what + " cannot be resolved. Did you mean one of the following? [" + proposal + "]. SQLSTATE: 42703"
	}
	narrow := func(c, from, to string) string {
		return fmt.Sprintf("[NOT_SUPPORTED_CHANGE_COLUMN] ALTER TABLE ALTER/CHANGE COLUMN is not supported for changing `lakehouse`.`d`.`e`'s column %s with type %q to %s with type %q. SQLSTATE: 0A000", c, from, c, to)
	}
	late := "`q2`, `q3`, `s`, `q`, `l`, `m`, `i`, `d`, `f`, `dt`, `st`, `ss`"
	const ok = ""
	for i, c := range []struct {
		do        func() error
		exception string
		message   string
	}{
		{func() error { return e.l.UnsetProperties(ctx, tab, []string{"nope"}, false) }, ok, ""},
		{func() error { return e.l.SetProperties(ctx, tab, map[string]string{"a b": "c"}) }, ok, ""},
		{func() error { return e.l.SetProperties(ctx, tab, map[string]string{"format-version": "3x"}) }, "SparkException", `Unsupported table change: For input string: "3x"`},
		{func() error { return addAll(add("w", integ, "s")) }, ok, ""},
		{func() error { return addAll(after(add("w", integ, "l", "element"), "z")) }, ok, ""},
		{func() error { return addAll(first(add("w", integ, "m", "value"))) }, ok, ""},
		{func() error { return addAll(add("X", integ, "s")) }, "AnalysisException", "[FIELD_ALREADY_EXISTS] Cannot add column, because `s`.`X` already exists in " + now + ". SQLSTATE: 42710"},
		{func() error { return addAll(add("w", integ, "nope")) }, "AnalysisException", unresolved("`nope`", "`a`, `s`, `l`, `m`, `i`, `d`, `f`, `dt`, `st`")},
		{func() error { return addAll(add("w", integ, "a")) }, "AnalysisException", "[INVALID_FIELD_NAME] Field name `a`.`w` is invalid: `a` is not a struct. SQLSTATE: 42000"},
		{func() error { return addAll(after(add("q", integ), "nope")) }, "AnalysisException", "[FIELD_NOT_FOUND] No such struct field `q` in a, s, l, m, i, d, f, dt, st. SQLSTATE: 42704"},
		{func() error { return addAll(after(add("q", integ), "S")) }, ok, ""},
		{func() error { return addAll(add("q1", integ), add("Q1", str)) }, "AnalysisException", "[COLUMN_ALREADY_EXISTS] The column `q1` already exists. Choose another name or rename the existing column. SQLSTATE: 42711"},
		{func() error { return addAll(first(add("q2", integ)), after(add("q3", str), "q2")) }, ok, ""},
		{func() error { return addAll(add("iv", types.DayTime(types.Day, types.Day))) }, "UnsupportedOperationException", "Not a supported type: interval day"},
		{func() error {
			return addAll(add("ss", st(types.Field{Name: "p", Type: integ}, col("q", types.Of(types.Byte)))))
		}, ok, ""},
		{func() error { return addAll(lake.NewColumn{Field: types.Field{Name: "nn", Type: integ}}) }, "SparkException", "Unsupported table change: Incompatible change: cannot add required column: nn"},
		{func() error { return drop(true, []string{"nope"}) }, ok, ""},
		{func() error { return drop(false, []string{"nope"}, []string{"a"}) }, "AnalysisException", unresolved("`nope`", "`q2`, `q3`, `a`, `s`, `q`, `l`, `m`, `i`, `d`, `f`, `dt`, `st`, `ss`")},
		{func() error { return drop(true, []string{"nope"}, []string{"a"}) }, ok, ""},
		{func() error { return drop(false, []string{"s", "nope"}) }, "AnalysisException", unresolved("`s`.`nope`", late)},
		{func() error { return drop(false, []string{"s", "w"}) }, ok, ""},
		{func() error { return drop(false, []string{"l", "element", "w"}) }, ok, ""},
		{func() error { return rename("xx", "s", "x") }, ok, ""},
		{func() error { return rename("zz", "l", "element", "z") }, ok, ""},
		{func() error { return rename("Y", "s", "xx") }, "AnalysisException", "[FIELD_ALREADY_EXISTS] Cannot rename column, because `s`.`Y` already exists in " + later + ". SQLSTATE: 42710"},
		{func() error { return rename("ST", "st") }, "AnalysisException", "[FIELD_ALREADY_EXISTS] Cannot rename column, because `ST` already exists in " + later + ". SQLSTATE: 42710"},
		{func() error { return rename("we ird.dot", "ST") }, ok, ""},
		{func() error { return rename("st", "we ird.dot") }, ok, ""},
		{func() error { return e.l.DropNotNull(ctx, tab, []string{"i"}) }, ok, ""},
		{func() error { return e.l.DropNotNull(ctx, tab, []string{"i"}) }, ok, ""},
		{func() error { return e.l.SetColumnComment(ctx, tab, []string{"nope"}, "x") }, "AnalysisException", unresolved("`nope`", late)},
		{func() error { return e.l.SetColumnComment(ctx, tab, []string{"s", "y"}, "nested") }, ok, ""},
		{func() error { return typ(long, "i") }, ok, ""},
		{func() error { return typ(long, "i") }, ok, ""},
		{func() error { return typ(types.Of(types.Double), "f") }, ok, ""},
		{func() error { return typ(dec(7, 2), "d") }, ok, ""},
		{func() error { return typ(dec(6, 2), "d") }, "AnalysisException", narrow("`d`", "DECIMAL(7,2)", "DECIMAL(6,2)")},
		{func() error { return typ(dec(9, 3), "d") }, "SparkException", "Unsupported table change: Cannot change column type: d: decimal(7, 2) -> decimal(9, 3)"},
		{func() error { return typ(types.Of(types.Double), "i") }, "SparkException", "Unsupported table change: Cannot change column type: i: long -> double"},
		{func() error { return typ(types.Of(types.Timestamp), "dt") }, "SparkException", "Unsupported table change: Cannot change column type: dt: date -> timestamptz"},
		{func() error { return typ(str, "i") }, "SparkException", "Unsupported table change: Cannot change column type: i: long -> string"},
		{func() error { return typ(st(col("a", integ)), "s") }, "AnalysisException", "[CANNOT_UPDATE_FIELD.STRUCT_TYPE] Cannot update `lakehouse`.`d`.`e` field `s` type: Update a struct by updating its fields. SQLSTATE: 0A000"},
		{func() error { return typ(long, "s", "xx") }, ok, ""},
		{func() error { return typ(integ, "st") }, "AnalysisException", narrow("`st`", "STRING", "INT")},
		{func() error { return typ(integ, "l", "element") }, "AnalysisException", narrow("`l`.`element`", "STRUCT<zz: INT>", "INT")},
		{func() error { return e.l.MoveColumn(ctx, tab, []string{"st"}, false, "i") }, ok, ""},
		{func() error { return e.l.MoveColumn(ctx, tab, []string{"s", "xx"}, false, "y") }, ok, ""},
	} {
		err := c.do()
		if c.exception == ok {
			if err != nil {
				t.Errorf("change %d: %v", i, err)
			}
			continue
		}
		var x *errclass.Error
		if !errors.As(err, &x) || x.Exception != c.exception || x.Error() != c.message {
			t.Errorf("change %d:\n got %v\nwant %s %s", i, err, c.exception, c.message)
		}
	}
	tab = e.load("d.e")
	e.equal("schema", tab.Schema().SQL(), "STRUCT<q2: INT, q3: STRING, s: STRUCT<y: STRING COMMENT 'nested', xx: BIGINT>, q: INT, l: ARRAY<STRUCT<zz: INT>>, m: MAP<STRING, STRUCT<w: INT, k: INT>>, i: BIGINT, st: STRING, d: DECIMAL(7,2), f: DOUBLE, dt: DATE, ss: STRUCT<p: INT NOT NULL, q: INT>>")
	e.equal("the row that Spark reads too", e.read(tab, nil), []string{"<nil>|<nil>|map[xx:1 y:q]|<nil>|[map[zz:5]]|OrderedMap{a: map[k:7 w:<nil>]}|9|s|1.25|1.5|2024-01-01 00:00:00 +0000 UTC|<nil>"})
	e.equal("properties", tab.Properties()["a b"], "c")
	e.equal("snapshots", len(e.meta("d.e", "snapshots")), 1)
}

// A name that is dropped and given again is another column; files written under each schema read right together.
func TestScanAcrossSchemas(t *testing.T) {
	e := setup(t)
	ctx := t.Context()
	s := types.StructOf(col("a", integ), col("b", str))
	e.ctas("d.t", types.StructOf(col("k", integ), col("v", str), col("f", types.Of(types.Float)), col("d", types.DecimalOf(5, 2)), col("s", s),
		col("ls", types.ArrayOf(s, true)), col("ms", types.MapOf(str, s, true))),
		"SELECT 1, 'old', 0.5, 1.25, {'a': 1, 'b': 'x'}, [{'a': 2, 'b': 'y'}, NULL], MAP {'k': {'a': 3, 'b': 'z'}}", lake.CreateOptions{})
	tab := e.load("d.t")
	path := func(p ...string) []string { return p }
	e.must(e.l.AlterType(ctx, tab, path("k"), long))
	e.must(e.l.AlterType(ctx, tab, path("f"), types.Of(types.Double)))
	e.must(e.l.AlterType(ctx, tab, path("d"), types.DecimalOf(20, 2)))
	e.must(e.l.AlterType(ctx, tab, path("s", "a"), long))
	e.must(e.l.DropColumns(ctx, tab, [][]string{path("v")}, false))
	e.must(e.l.AddColumns(ctx, tab, []lake.NewColumn{{Field: col("v", str)}}))
	e.append("d.t", "SELECT 9223372036854775807, 0.1, 123456789012345678.25, {'a': 5000000000, 'b': 'x2'}, [{'a': 2, 'b': 'y2'}], MAP {'k': {'a': 3, 'b': 'z2'}}, 'new'")
	e.equal("top level", e.read(e.load("d.t"), nil, "k", "f", "d", "v"), []string{"9223372036854775807|0.1|123456789012345678.25|new", "1|0.5|1.25|<nil>"})
	for _, p := range [][]string{path("s"), path("ls", "element"), path("ms", "value")} {
		// a is renamed to c, and b to a: by name, b's values would come out as a's old ones.
		e.must(e.l.RenameColumn(ctx, tab, append(p, "a"), "c"))
		e.must(e.l.RenameColumn(ctx, tab, append(p, "b"), "a"))
		e.must(e.l.AddColumns(ctx, tab, []lake.NewColumn{{Path: p, Field: col("n e", integ)}}))
	}
	e.append("d.t", "SELECT 7, 0, 0, {'c': 6, 'a': 'x3', 'n e': 1}, NULL, MAP {'k': NULL}, NULL")
	e.equal("nested", e.read(e.load("d.t"), nil, "s", "ls", "ms"), []string{
		"map[a:x3 c:6 n e:1]|<nil>|OrderedMap{k: <nil>}",
		"map[a:x2 c:5000000000 n e:<nil>]|[map[a:y2 c:2 n e:<nil>]]|OrderedMap{k: map[a:z2 c:3 n e:<nil>]}",
		"map[a:x c:1 n e:<nil>]|[map[a:y c:2 n e:<nil>] <nil>]|OrderedMap{k: map[a:z c:3 n e:<nil>]}"})
	old, err := e.load("d.t").SnapshotByID(e.meta("d.t", "snapshots")[0][1].(int64))
	e.must(err)
	e.equal("the first snapshot", e.read(e.load("d.t"), old), []string{"1|old|0.5|1.25|map[a:1 b:x]|[map[a:2 b:y] <nil>]|OrderedMap{k: map[a:3 b:z]}"})
}

// The messages are Spark's.
func TestNotNull(t *testing.T) {
	e := setup(t)
	req := func(n string) types.Field { return types.Field{Name: n, Type: integ} }
	e.must(e.l.Create(t.Context(), name("d.nn"), types.StructOf(req("a"), col("s", types.StructOf(req("x"), col("y", str))),
		col("l", types.ArrayOf(types.StructOf(req("z")), true)), col("m", types.MapOf(str, integ, false))), lake.CreateOptions{}))
	before := files(t, e.dir)
	for _, c := range []struct{ query, path string }{
		{"SELECT NULL, NULL, NULL, NULL", "a"},
		{"SELECT CASE WHEN i < 2 THEN 1 END, NULL, NULL, NULL FROM range(3) r(i)", "a"},
		{"SELECT 1, {'x': NULL, 'y': 'q'}, NULL, NULL", "s\nx"},
		{"SELECT 1, NULL, [{'z': 1}, {'z': NULL}], NULL", "l\nelement\nz"},
		{"SELECT 1, NULL, NULL, MAP {'k': NULL}", "m\nvalue"},
	} {
		_, err := e.l.Append(t.Context(), e.load("d.nn"), c.query, e.db)
		e.fails(err, "SparkRuntimeException", "NOT_NULL_ASSERT_VIOLATION", "[NOT_NULL_ASSERT_VIOLATION] NULL value appeared in non-nullable field: \n"+c.path+
			"\nIf the schema is inferred from a Scala tuple/case class, or a Java bean, please try to use scala.Option[_] or other nullable types (such as java.lang.Integer instead of int/scala.Int). SQLSTATE: 42000")
	}
	e.equal("files", files(t, e.dir), before)
	e.append("d.nn", "SELECT 1, NULL, [NULL], MAP {'k': 1}")
	e.equal("rows", e.read(e.load("d.nn"), nil), []string{"1|<nil>|[<nil>]|OrderedMap{k: 1}"})
	_, err := e.l.CreateAs(t.Context(), name("d.v"), types.StructOf(col("x", types.Of(types.Null))), lake.CreateOptions{}, "SELECT NULL", e.db)
	e.fails(err, "IllegalStateException", "", "Invalid schema for v2:\n- Invalid type for x: unknown is not supported until v3")
}

// TestDropRenamedPartition drops a partition field by the new name of its column, as real Spark does.
func TestDropRenamedPartition(t *testing.T) {
	e := setup(t)
	e.ctas("d.t", types.StructOf(col("k", long), col("p", str)), "SELECT 1, 'a'", byP)
	e.must(e.l.RenameColumn(t.Context(), e.load("d.t"), []string{"p"}, "q"))
	e.must(e.l.DropPartitionField(t.Context(), e.load("d.t"), lake.PartitionField{Transform: "identity", Column: []string{"q"}}))
	e.equal("partition fields left", len(e.load("d.t").IdentityPartitions()), 0)
	e.append("d.t", "SELECT 2, 'b'")
	e.equal("rows", len(e.read(e.load("d.t"), nil)), 2)
}
