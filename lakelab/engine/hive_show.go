package engine

import (
	"context"
	"maps"
	"slices"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/hive"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/redact"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// showHive runs SHOW … in spark_catalog; nil without an error for what is not there.
func (s *Session) showHive(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	switch st.What {
	case "NAMESPACES", "TABLES", "TABLE EXTENDED", "VIEWS":
		name, ok, err := s.hiveDatabase(st.Name)
		if !ok || err != nil {
			return nil, err
		}
		switch st.What {
		case "TABLES":
			return s.showHiveTables(ctx, st, name)
		case "TABLE EXTENDED":
			return s.showExtended(ctx, a, st, name)
		case "VIEWS":
			return s.showHiveViews(ctx, st, name)
		}
		list, err := s.engine.Hive.Store.Databases(ctx)
		if err != nil {
			return nil, err
		}
		return local(like(st, column(list), 0), text("namespace", false)), nil
	case "COLUMNS", "TBLPROPERTIES", "CREATE TABLE", "PARTITIONS":
		id, ok, err := s.hiveTarget(st.Name)
		if !ok || err != nil {
			return nil, err
		}
		t, err := s.hiveTable(ctx, id, st.Name)
		if err != nil {
			return nil, err
		}
		switch st.What {
		case "COLUMNS":
			var list []string
			for _, f := range t.Schema().Fields {
				list = append(list, f.Name)
			}
			return local(column(list), text("col_name", false)), nil
		case "TBLPROPERTIES":
			return showHiveProperties(t, st), nil
		case "CREATE TABLE":
			make := createHiveText
			if st.Serde {
				make = createSerdeText
			}
			statement, err := make(t)
			if err != nil {
				return nil, err
			}
			return local([][]any{{statement}}, text("createtab_stmt", false)), nil
		}
		return s.showPartitions(ctx, a, st, t)
	}
	return nil, nil
}

// showHiveTables lists a database's tables, then the session's temporary views.
func (s *Session) showHiveTables(ctx context.Context, st *sql.Show, database string) (*Result, error) {
	list, err := s.hiveTables(ctx, database)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, t := range list {
		rows = append(rows, []any{database, t, false})
	}
	for _, v := range s.views.all() {
		rows = append(rows, []any{"", v.name, true})
	}
	return local(like(st, rows, 1), text("namespace", false), text("tableName", false),
		types.Field{Name: "isTemporary", Type: types.Of(types.Boolean)}), nil
}

func (s *Session) hiveTables(ctx context.Context, database string) ([]string, error) {
	if _, err := s.engine.Hive.Store.Database(ctx, database); err != nil {
		return nil, hiveError(err, hiveIdent{database: database})
	}
	return s.engine.Hive.Store.Tables(ctx, database, false)
}

func (s *Session) showHiveViews(ctx context.Context, st *sql.Show, database string) (*Result, error) {
	if _, err := s.engine.Hive.Store.Database(ctx, database); err != nil {
		return nil, hiveError(err, hiveIdent{database: database})
	}
	var rows [][]any
	for _, v := range s.views.all() {
		rows = append(rows, []any{"", v.name, true})
	}
	return local(like(st, rows, 1), text("namespace", false), text("viewName", false),
		types.Field{Name: "isTemporary", Type: types.Of(types.Boolean)}), nil
}

// showExtended runs SHOW TABLE EXTENDED, of tables or of one partition.
func (s *Session) showExtended(ctx context.Context, a *plan.Analyzer, st *sql.Show, database string) (*Result, error) {
	list, err := s.hiveTables(ctx, database)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, r := range like(st, column(list), 0) {
		t, err := s.loadHive(ctx, database, r[0].(string))
		if err != nil {
			return nil, err
		}
		info := tableInformation(t, tableDetails(t))
		if len(st.Partition) > 0 {
			p, err := s.hivePartition(ctx, a, t, st.Partition)
			if err != nil {
				return nil, err
			}
			var b strings.Builder
			for _, d := range partitionDetails(t, p)[2:] {
				b.WriteString(d[0] + ": " + d[1] + "\n")
			}
			info = b.String()
		}
		rows = append(rows, []any{database, t.Name, false, info})
	}
	return local(rows, text("namespace", false), text("tableName", false), types.Field{Name: "isTemporary", Type: types.Of(types.Boolean)}, text("information", false)), nil
}

func showHiveProperties(t *hive.Table, st *sql.Show) *Result {
	props := redact.Options(t.UserParams())
	for k, v := range t.Options() {
		props["option."+k] = redact.Option(k, v)
	}
	if st.Key != "" {
		v, ok := props[st.Key]
		if !ok {
			v = "Table " + HiveCatalogName + "." + t.Database + "." + t.Name + " does not have property: " + st.Key
		}
		return local([][]any{{st.Key, v}}, text("key", false), text("value", false))
	}
	var rows [][]any
	for _, k := range slices.Sorted(maps.Keys(props)) {
		rows = append(rows, []any{k, props[k]})
	}
	return local(rows, text("key", false), text("value", false))
}

// showPartitions runs SHOW PARTITIONS.
func (s *Session) showPartitions(ctx context.Context, a *plan.Analyzer, st *sql.Show, t *hive.Table) (*Result, error) {
	spec, err := s.partitionSpec(ctx, a, t, st.Partition)
	if err != nil {
		return nil, err
	}
	parts, err := s.engine.Hive.Store.Partitions(ctx, t.Table, spec)
	if err != nil {
		return nil, err
	}
	list := make([]string, len(parts))
	for i, p := range parts {
		list[i] = t.PartitionName(p.Values)
	}
	slices.Sort(list)
	return local(column(list), text("partition", false)), nil
}

// createHiveText is SHOW CREATE TABLE's text.
func createHiveText(t *hive.Table) (string, error) {
	if t.Provider == "hive" && !t.Convertible() {
		return "", errclass.ShowCreateSerde([]string{HiveCatalogName, t.Database, t.Name}, t.Storage.Serde, t.Storage.InputFormat, t.Storage.OutputFormat)
	}
	var b strings.Builder
	name := HiveCatalogName + "." + types.QuoteIfNeeded(t.Database) + "." + types.QuoteIfNeeded(t.Name)
	provider := t.Provider
	if provider == "hive" {
		name, provider = strings.TrimPrefix(name, HiveCatalogName+"."), t.Format
	}
	b.WriteString("CREATE TABLE " + name + " (\n")
	for i, f := range t.Schema().Fields {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("  " + types.QuoteIfNeeded(f.Name) + " " + f.DeclaredSQL())
		if d := t.Default(f.Name); d.Current != "" {
			b.WriteString(" DEFAULT " + d.Current)
		}
		if f.Comment != "" {
			b.WriteString(" COMMENT " + literalText(f.Comment))
		}
	}
	b.WriteString(")\nUSING " + provider + "\n")
	if o := t.Options(); t.Provider != "hive" && len(o) > 0 {
		b.WriteString("OPTIONS (\n  " + strings.Join(pairTexts(o), ",\n  ") + ")\n")
	}
	if len(t.Keys) > 0 {
		names := make([]string, len(t.Keys))
		for i, k := range t.Keys {
			names[i] = types.QuoteIfNeeded(k.Name)
		}
		b.WriteString("PARTITIONED BY (" + strings.Join(names, ", ") + ")\n")
	}
	if c, ok := t.Params["comment"]; ok {
		b.WriteString("COMMENT " + literalText(c) + "\n")
	}
	if !t.Managed() {
		b.WriteString("LOCATION " + literalText(t.Storage.Location) + "\n")
	}
	if p := t.UserParams(); len(p) > 0 {
		b.WriteString("TBLPROPERTIES (\n  " + strings.Join(pairTexts(p), ",\n  ") + ")\n")
	}
	return b.String(), nil
}

// createSerdeText is the text of SHOW CREATE TABLE … AS SERDE, in Hive's own words.
func createSerdeText(t *hive.Table) (string, error) {
	if t.Provider != "hive" {
		return "", errclass.ShowCreateDataSource(tableName(t))
	}
	columns := func(fields []types.Field, gap string) string {
		var list []string
		for _, f := range fields {
			c := types.QuoteIfNeeded(f.Name) + " " + f.DeclaredSQL()
			if f.Comment != "" {
				c += " COMMENT " + literalText(f.Comment)
			}
			list = append(list, c)
		}
		return strings.Join(list, gap)
	}
	var b strings.Builder
	b.WriteString("CREATE ")
	if !t.Managed() {
		b.WriteString("EXTERNAL ")
	}
	b.WriteString("TABLE " + types.QuoteIfNeeded(t.Database) + "." + types.QuoteIfNeeded(t.Name) + " (\n  " + columns(t.Data, ",\n  ") + ")\n")
	if c, ok := t.Params["comment"]; ok {
		b.WriteString("COMMENT " + literalText(c) + "\n")
	}
	if len(t.Keys) > 0 {
		b.WriteString("PARTITIONED BY (" + columns(t.Keys, ", ") + ")\n")
	}
	st := t.Storage
	b.WriteString("ROW FORMAT SERDE " + literalText(st.Serde) + "\nWITH SERDEPROPERTIES (\n  " + strings.Join(pairTexts(t.Options()), ",\n  ") + ")\n")
	b.WriteString("STORED AS\n  INPUTFORMAT " + literalText(st.InputFormat) + "\n  OUTPUTFORMAT " + literalText(st.OutputFormat) + "\n")
	if !t.Managed() {
		b.WriteString("LOCATION " + literalText(st.Location) + "\n")
	}
	if p := t.UserParams(); len(p) > 0 {
		b.WriteString("TBLPROPERTIES (\n  " + strings.Join(pairTexts(p), ",\n  ") + ")\n")
	}
	return b.String(), nil
}

// pairTexts are 'key' = 'value', in the order of the keys, without secrets.
func pairTexts(m map[string]string) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, literalText(k)+" = "+literalText(redact.Option(k, m[k])))
	}
	return out
}

// column makes rows of one column.
func column(list []string) [][]any {
	rows := make([][]any, len(list))
	for i, v := range list {
		rows[i] = []any{v}
	}
	return rows
}
