package metastore

import "strings"

// table is one of the metastore's tables: columns as "NAME TYPE", the first one the key unless keys names others.
type table struct {
	name    string
	columns []string
	keys    []string
	unique  []string
	index   []string
}

// tables are Hive's, with the columns that mean something here. SEQUENCE_TABLE hands out ids; WRITE_JOURNAL is ours.
var tables = []table{
	{name: "SEQUENCE_TABLE", columns: []string{"SEQUENCE_NAME VARCHAR(255)", "NEXT_VAL BIGINT"}},
	{name: "DBS", columns: []string{"DB_ID BIGINT", "DESC VARCHAR(4000)", "DB_LOCATION_URI VARCHAR(4000)", "NAME VARCHAR(128)", "OWNER_NAME VARCHAR(128)",
		"OWNER_TYPE VARCHAR(10)"}, unique: []string{"NAME"}},
	{name: "DATABASE_PARAMS", columns: []string{"DB_ID BIGINT", "PARAM_KEY VARCHAR(180)", "PARAM_VALUE VARCHAR(4000)"}, keys: []string{"DB_ID", "PARAM_KEY"}},
	{name: "TBLS", columns: []string{"TBL_ID BIGINT", "CREATE_TIME BIGINT", "DB_ID BIGINT", "LAST_ACCESS_TIME BIGINT", "OWNER VARCHAR(767)", "RETENTION BIGINT",
		"SD_ID BIGINT", "TBL_NAME VARCHAR(256)", "TBL_TYPE VARCHAR(128)", "VIEW_ORIGINAL_TEXT TEXT"}, unique: []string{"TBL_NAME", "DB_ID"}},
	{name: "TABLE_PARAMS", columns: []string{"TBL_ID BIGINT", "PARAM_KEY VARCHAR(256)", "PARAM_VALUE TEXT"}, keys: []string{"TBL_ID", "PARAM_KEY"}},
	{name: "SERDES", columns: []string{"SERDE_ID BIGINT", "NAME VARCHAR(128)", "SLIB VARCHAR(4000)"}},
	{name: "SERDE_PARAMS", columns: []string{"SERDE_ID BIGINT", "PARAM_KEY VARCHAR(256)", "PARAM_VALUE TEXT"}, keys: []string{"SERDE_ID", "PARAM_KEY"}},
	{name: "SDS", columns: []string{"SD_ID BIGINT", "INPUT_FORMAT VARCHAR(4000)", "IS_COMPRESSED BOOLEAN", "LOCATION VARCHAR(4000)", "NUM_BUCKETS BIGINT",
		"OUTPUT_FORMAT VARCHAR(4000)", "SERDE_ID BIGINT", "CD_ID BIGINT"}},
	{name: "CDS", columns: []string{"CD_ID BIGINT"}},
	{name: "COLUMNS_V2", columns: []string{"CD_ID BIGINT", "COMMENT VARCHAR(4000)", "COLUMN_NAME VARCHAR(767)", "TYPE_NAME TEXT", "INTEGER_IDX INTEGER"},
		keys: []string{"CD_ID", "COLUMN_NAME"}},
	{name: "PARTITION_KEYS", columns: []string{"TBL_ID BIGINT", "PKEY_COMMENT VARCHAR(4000)", "PKEY_NAME VARCHAR(128)", "PKEY_TYPE VARCHAR(767)", "INTEGER_IDX BIGINT"},
		keys: []string{"TBL_ID", "PKEY_NAME"}},
	{name: "PARTITIONS", columns: []string{"PART_ID BIGINT", "CREATE_TIME BIGINT", "LAST_ACCESS_TIME BIGINT", "PART_NAME VARCHAR(767)", "SD_ID BIGINT", "TBL_ID BIGINT"},
		unique: []string{"TBL_ID", "PART_NAME"}},
	{name: "PARTITION_PARAMS", columns: []string{"PART_ID BIGINT", "PARAM_KEY VARCHAR(256)", "PARAM_VALUE VARCHAR(4000)"}, keys: []string{"PART_ID", "PARAM_KEY"}},
	{name: "PARTITION_KEY_VALS", columns: []string{"PART_ID BIGINT", "PART_KEY_VAL VARCHAR(256)", "INTEGER_IDX BIGINT"}, keys: []string{"PART_ID", "INTEGER_IDX"},
		index: []string{"PART_KEY_VAL"}},
	{name: "WRITE_JOURNAL", columns: []string{"WRITE_ID BIGINT", "TBL_ID BIGINT", "BODY TEXT"}},
}

// ours are the tables that Hive's metastore does not show to its users.
var ours = map[string]bool{"WRITE_JOURNAL": true, "SEQUENCE_TABLE": true}

// ddl makes the table if it is not there. Names are quoted, as in Hive's own scripts: DESC is a word of SQL.
func (t table) ddl() []string {
	var cols []string
	for _, c := range t.columns {
		name, typ, _ := strings.Cut(c, " ")
		cols = append(cols, `"`+name+`" `+typ)
	}
	keys := t.keys
	if keys == nil {
		keys = []string{t.column(0)}
	}
	cols = append(cols, "PRIMARY KEY ("+quotedNames(keys)+")")
	if t.unique != nil {
		cols = append(cols, "UNIQUE ("+quotedNames(t.unique)+")")
	}
	out := []string{`CREATE TABLE IF NOT EXISTS "` + t.name + `" (` + strings.Join(cols, ", ") + ")"}
	if t.index != nil {
		out = append(out, `CREATE INDEX IF NOT EXISTS "`+t.name+`_N49" ON "`+t.name+`" (`+quotedNames(t.index)+")")
	}
	return out
}

// column is the name of the i-th column.
func (t table) column(i int) string {
	name, _, _ := strings.Cut(t.columns[i], " ")
	return name
}

func quotedNames(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }
