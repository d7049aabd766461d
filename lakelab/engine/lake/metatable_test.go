package lake_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// TestFileTables compares with what Spark shows of a file with the same rows that it wrote itself; only sizes and the path differ.
func TestFileTables(t *testing.T) {
	e := setup(t)
	of := types.Of
	schema := types.StructOf(col("b", of(types.Boolean)), col("i", integ), col("l", long), col("f", of(types.Float)), col("d", of(types.Double)),
		col("dec", types.DecimalOf(10, 2)), col("s", str), col("bin", of(types.Binary)), col("dt", of(types.Date)), col("ts", of(types.Timestamp)),
		col("tsn", of(types.TimestampNTZ)), col("arr", types.ArrayOf(integ, true)), col("st", types.StructOf(col("a", integ), col("b", str))))
	if err := e.db.Exec(t.Context(), "SET TimeZone = 'Asia/Kolkata'"); err != nil {
		t.Fatal(err)
	}
	e.ctas("d.allt", schema, `SELECT true, 1, 2, 1.5, 2.5, 12.30, 'Привет длинная строка', '\x00\xFFA'::BLOB, DATE '2024-01-31', TIMESTAMPTZ '2024-01-31 12:00:00+00',
		TIMESTAMP '2024-01-31 12:00:00.123456', [1, 2, NULL], {'a': 1, 'b': 'x'} UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`, lake.CreateOptions{})
	tab := e.load("d.allt")
	files, rows, err := tab.MetadataTable(t.Context(), "files", nil)
	e.must(err)
	if len(rows) != 1 {
		t.Fatal(rows)
	}
	cell := func(schema types.Type, row []any, column string) string {
		for i, f := range schema.Fields {
			if f.Name == column {
				return types.Text(f.Type, row[i], time.UTC)
			}
		}
		t.Fatal("no column", column)
		return ""
	}
	for column, want := range map[string]string{
		"content": "0", "file_format": "PARQUET", "spec_id": "0", "record_count": "2",
		"value_counts":      "{1 -> 2, 2 -> 2, 3 -> 2, 4 -> 2, 5 -> 2, 6 -> 2, 7 -> 2, 8 -> 2, 9 -> 2, 10 -> 2, 11 -> 2, 15 -> 2, 16 -> 2}",
		"null_value_counts": "{1 -> 1, 2 -> 1, 3 -> 1, 4 -> 1, 5 -> 1, 6 -> 1, 7 -> 1, 8 -> 1, 9 -> 1, 10 -> 1, 11 -> 1, 15 -> 1, 16 -> 1}",
		"nan_value_counts":  "{4 -> 0, 5 -> 0}",
		"lower_bounds":      "{1 -> [01], 2 -> [01 00 00 00], 3 -> [02 00 00 00 00 00 00 00], 4 -> [00 00 C0 3F], 5 -> [00 00 00 00 00 00 04 40], 6 -> [04 CE], 7 -> [D0 9F D1 80 D0 B8 D0 B2 D0 B5 D1 82 20 D0 B4 D0 BB D0 B8 D0 BD D0 BD D0 B0 D1 8F 20 D1 81], 8 -> [00 FF 41], 9 -> [29 4D 00 00], 10 -> [00 10 4A 9E 3C 10 06 00], 11 -> [40 F2 4B 9E 3C 10 06 00], 15 -> [01 00 00 00], 16 -> [78]}",
		"upper_bounds":      "{1 -> [01], 2 -> [01 00 00 00], 3 -> [02 00 00 00 00 00 00 00], 4 -> [00 00 C0 3F], 5 -> [00 00 00 00 00 00 04 40], 6 -> [04 CE], 7 -> [D0 9F D1 80 D0 B8 D0 B2 D0 B5 D1 82 20 D0 B4 D0 BB D0 B8 D0 BD D0 BD D0 B0 D1 8F 20 D1 82], 8 -> [00 FF 41], 9 -> [29 4D 00 00], 10 -> [00 10 4A 9E 3C 10 06 00], 11 -> [40 F2 4B 9E 3C 10 06 00], 15 -> [01 00 00 00], 16 -> [78]}",
		"key_metadata":      "NULL", "split_offsets": "[4]", "equality_ids": "NULL", "sort_order_id": "0", "first_row_id": "NULL", "referenced_data_file": "NULL",
	} {
		e.equal(column, cell(files, rows[0], column), want)
	}
	readable := rows[0][len(rows[0])-1].([]any)
	var shown []string
	for i, f := range files.Fields[len(files.Fields)-1].Type.Fields {
		shown = append(shown, f.Name+types.Text(types.StructOf(f.Type.Fields[1:]...), readable[i].([]any)[1:], time.UTC))
	}
	e.equal("readable_metrics but for sizes", strings.Join(shown, " "), "arr.element{NULL, NULL, NULL, NULL, NULL} b{2, 1, NULL, true, true} bin{2, 1, NULL, [00 FF 41], [00 FF 41]} d{2, 1, 0, 2.5, 2.5} "+
		"dec{2, 1, NULL, 12.30, 12.30} dt{2, 1, NULL, 2024-01-31, 2024-01-31} f{2, 1, 0, 1.5, 1.5} i{2, 1, NULL, 1, 1} l{2, 1, NULL, 2, 2} s{2, 1, NULL, Привет длинная с, Привет длинная т} "+
		"st.a{2, 1, NULL, 1, 1} st.b{2, 1, NULL, x, x} ts{2, 1, NULL, 2024-01-31 12:00:00, 2024-01-31 12:00:00} tsn{2, 1, NULL, 2024-01-31 12:00:00.123456, 2024-01-31 12:00:00.123456}")
	entries, _, err := tab.MetadataTable(t.Context(), "entries", nil)
	e.must(err)
	// The schemas as Spark prints them.
	file := "content:int,file_path:string,file_format:string,spec_id:int,record_count:bigint,file_size_in_bytes:bigint,column_sizes:map<int,bigint>,value_counts:map<int,bigint>,null_value_counts:map<int,bigint>,nan_value_counts:map<int,bigint>,lower_bounds:map<int,binary>,upper_bounds:map<int,binary>,key_metadata:binary,split_offsets:array<bigint>,equality_ids:array<int>,sort_order_id:int,first_row_id:bigint,referenced_data_file:string,content_offset:bigint,content_size_in_bytes:bigint"
	metrics := ""
	for _, c := range []string{"arr.element:int", "b:boolean", "bin:binary", "d:double", "dec:decimal(10,2)", "dt:date", "f:float", "i:int", "l:bigint", "s:string", "st.a:int", "st.b:string", "ts:timestamp", "tsn:timestamp_ntz"} {
		name, ty, _ := strings.Cut(c, ":")
		metrics += fmt.Sprintf(",%s:struct<column_size:bigint,value_count:bigint,null_value_count:bigint,nan_value_count:bigint,lower_bound:%s,upper_bound:%s>", name, ty, ty)
	}
	e.equal("files", files.SimpleString(), "struct<"+file+",readable_metrics:struct<"+metrics[1:]+">>")
	e.equal("entries", entries.SimpleString(), "struct<status:int,snapshot_id:bigint,sequence_number:bigint,file_sequence_number:bigint,data_file:struct<"+file+">,readable_metrics:struct<"+metrics[1:]+">>")

	for i := range 3 {
		e.append("d.allt", fmt.Sprintf("SELECT true, %d, 2, 1.5, 'NaN', 12.30, 's', NULL, NULL, NULL, NULL, NULL, NULL", i))
	}
	e.must(e.l.AlterType(t.Context(), tab, []string{"i"}, long))
	e.equal("sequence numbers, newest first", column(e.meta("d.allt", "entries"), 2), []any{int64(4), int64(3), int64(2), int64(1)})
	e.equal("manifests", len(e.meta("d.allt", "manifests")), 4)
	e.equal("all_manifests", len(e.meta("d.allt", "all_manifests")), 10)
	e.equal("all_data_files", len(e.meta("d.allt", "all_data_files")), 4)
	e.equal("delete_files", len(e.meta("d.allt", "delete_files")), 0)
	last := e.meta("d.allt", "snapshots")[3]
	e.equal("partitions", e.meta("d.allt", "partitions")[0][:2], []any{int64(5), int64(4)})
	e.equal("partitions: last update", e.meta("d.allt", "partitions")[0][7:], []any{last[0], last[1]})
	files, rows, err = e.load("d.allt").MetadataTable(t.Context(), "files", nil)
	e.must(err)
	i := rows[0][len(rows[0])-1].([]any)[7].([]any)
	e.equal("bounds from before a widening", i[4:], []any{int64(2), int64(2)})
	e.equal("a column with NaN has no bounds", strings.Contains(cell(files, rows[0], "lower_bounds"), "5 ->"), false)
}
