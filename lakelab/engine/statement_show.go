package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/redact"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// show runs SHOW ….
func (s *Session) show(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	switch st.What {
	case "CATALOGS":
		return local(like(st, [][]any{{CatalogName}, {HiveCatalogName}}, 0), text("catalog", false)), nil
	case "NAMESPACES":
		list, err := s.namespaces(ctx, a, st)
		if err != nil {
			return nil, err
		}
		return local(like(st, list, 0), text("namespace", false)), nil
	case "CURRENT NAMESPACE":
		catalog, namespace := s.Current()
		return local([][]any{{catalog, namespace}}, text("catalog", false), text("namespace", false)), nil
	case "TABLES":
		return s.showTables(ctx, a, st)
	case "TABLE EXTENDED":
		return s.showTablesExtended(ctx, a, st)
	case "VIEWS":
		return s.showViews(ctx, a, st)
	case "COLUMNS":
		fields, err := s.columnsOfNamed(ctx, a, st)
		if err != nil {
			return nil, err
		}
		var rows [][]any
		for _, f := range fields {
			rows = append(rows, []any{f.Name})
		}
		return local(rows, text("col_name", false)), nil
	case "FUNCTIONS":
		return s.showFunctions(ctx, a, st)
	case "TBLPROPERTIES":
		return s.showProperties(ctx, a, st)
	case "CREATE TABLE":
		if v, err := s.lastingView(ctx, a.Dialect, st.Name); err != nil {
			return nil, err
		} else if v != nil {
			return local([][]any{{createViewText(v)}}, text("createtab_stmt", false)), nil
		}
		t, err := s.loadTable(ctx, a.Dialect, st.Name)
		if err != nil {
			return nil, err
		}
		return local([][]any{{createTableText(t)}}, text("createtab_stmt", false)), nil
	case "PARTITIONS":
		t, err := s.loadTable(ctx, a.Dialect, st.Name)
		if err != nil {
			return nil, err
		}
		return nil, errclass.NoPartitionManagement(fullName(t.Ident())).At(span(st.Name))
	}
	return nil, errclass.UnsupportedStatement(a.Dialect, "SHOW "+st.What).At(st.Span())
}

func (s *Session) namespaces(ctx context.Context, a *plan.Analyzer, st *sql.Show) ([][]any, error) {
	if len(st.Name) > 0 && !strings.EqualFold(st.Name[0].Text, CatalogName) {
		return nil, errclass.CatalogNotFound(a.Dialect, st.Name[0].Text).At(span(st.Name))
	}
	list, err := s.engine.Lake.Namespaces(ctx)
	if err != nil {
		return nil, err
	}
	if a.Dialect == sql.Spark {
		inside := ""
		if len(st.Name) > 1 {
			parts := names(a.Dialect, st.Name[1:])
			inside = strings.Join(parts, ".") + "."
			if ok, err := s.engine.Lake.NamespaceExists(ctx, strings.Join(parts, ".")); err != nil || !ok {
				return nil, cmp.Or(err, error(errclass.SchemaNotFound(a.Dialect, parts).At(span(st.Name))))
			}
		}
		list = children(list, inside)
	}
	sort.Strings(list)
	rows := make([][]any, len(list))
	for i, n := range list {
		rows[i] = []any{n}
	}
	return rows, nil
}

// children are the namespaces directly in one whose name, with a dot behind it, they begin with; those at the top if it is empty.
func children(namespaces []string, inside string) []string {
	seen := map[string]bool{}
	for _, n := range namespaces {
		if rest, ok := strings.CutPrefix(n, inside); ok {
			name, _, _ := strings.Cut(rest, ".")
			seen[inside+name] = true
		}
	}
	return slices.Collect(maps.Keys(seen))
}

// tablesOf lists the tables of the namespace that a SHOW statement is about, or of the current one.
func (s *Session) tablesOf(ctx context.Context, a *plan.Analyzer, st *sql.Show) (ns string, list []string, err error) {
	_, ns = s.Current()
	parts := names(a.Dialect, st.Name)
	if len(parts) > 1 && strings.EqualFold(parts[0], CatalogName) {
		parts = parts[1:]
	}
	if len(parts) > 1 && a.Dialect == sql.Spark {
		parts = []string{strings.Join(parts, ".")}
	}
	if len(parts) > 1 {
		return "", nil, errclass.SchemaNotFound(a.Dialect, parts).At(span(st.Name))
	}
	if len(parts) == 1 {
		ns = parts[0]
	}
	ok, err := s.engine.Lake.NamespaceExists(ctx, ns)
	if err != nil {
		return "", nil, err
	}
	if !ok && ns != DefaultNamespace {
		return "", nil, errclass.SchemaNotFound(a.Dialect, []string{CatalogName, ns}).At(span(st.Name))
	}
	if ok {
		if list, err = s.engine.Lake.Tables(ctx, ns); err != nil {
			return "", nil, err
		}
	}
	sort.Strings(list)
	return ns, list, nil
}

func (s *Session) showTables(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	ns, list, err := s.tablesOf(ctx, a, st)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, t := range list {
		rows = append(rows, []any{ns, t, false})
	}
	for _, v := range s.views.all() {
		rows = append(rows, []any{"", v.name, true})
	}
	return local(like(st, rows, 1), text("namespace", false), text("tableName", false),
		types.Field{Name: "isTemporary", Type: types.Of(types.Boolean)}), nil
}

// showTablesExtended runs SHOW TABLE EXTENDED.
func (s *Session) showTablesExtended(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	ns, list, err := s.tablesOf(ctx, a, st)
	if errclass.Is(err, "SCHEMA_NOT_FOUND") {
		return nil, errclass.NoSuchNamespace(strings.Join(names(a.Dialect, st.Name[1:]), "."))
	}
	if err != nil {
		return nil, err
	}
	if len(st.Partition) > 0 { // then what LIKE names is one table
		id := lake.Ident{Namespace: ns, Name: *st.Like}
		if !slices.Contains(list, id.Name) {
			return nil, errclass.TableNotFound(a.Dialect, fullName(id)).At(st.Span())
		}
		return nil, errclass.NoPartitionManagement(fullName(id)).At(st.Span())
	}
	var rows [][]any
	for _, r := range like(st, column(list), 0) {
		id := lake.Ident{Namespace: ns, Name: r[0].(string)}
		t, err := s.engine.Lake.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []any{ns, id.Name, false, tableText(t)})
	}
	return local(rows, text("namespace", false), text("tableName", false), types.Field{Name: "isTemporary", Type: types.Of(types.Boolean)}, text("information", false)), nil
}

// tableText is what SHOW TABLE EXTENDED says of a table. Spark puts commas between the letters of its properties.
func tableText(t *lake.Table) string {
	var b strings.Builder
	b.WriteString("Catalog: " + CatalogName + "\nNamespace: " + t.Ident().Namespace + "\nTable: " + t.Ident().Name + "\nType: MANAGED\n")
	props := tableProperties(t)
	if c := props["comment"]; c != "" {
		b.WriteString("Comment: " + c + "\n")
	}
	list := shownProperties(props)
	for i, k := range list {
		list[i] = k + "=" + props[k]
	}
	letters := strings.Split("["+strings.Join(list, ",")+"]", "")
	b.WriteString("Location: " + t.Location() + "\nProvider: iceberg\nOwner: " + t.Owner() + "\nTable Properties: [" + strings.Join(letters, ", ") + "]\n")
	b.WriteString("Schema: " + types.TreeString(t.Schema(), 0) + "\n")
	return b.String()
}

// columnsOfNamed are the columns of the table or temporary view that SHOW COLUMNS names.
func (s *Session) columnsOfNamed(ctx context.Context, a *plan.Analyzer, st *sql.Show) ([]types.Field, error) {
	if s.viewNamed(names(a.Dialect, st.Name)) != nil {
		n, err := a.Relation(ctx, &sql.TableRef{At: sql.At{Pos: span(st.Name)}, Name: st.Name})
		if err != nil {
			return nil, err
		}
		return SchemaOf(n).Fields, nil
	}
	t, err := s.loadTable(ctx, a.Dialect, st.Name)
	if err != nil {
		return nil, err
	}
	return t.Schema().Fields, nil
}

// showViews lists a namespace's views, then the session's temporary ones; the global ones if they are asked for.
func (s *Session) showViews(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	var rows [][]any
	parts := names(a.Dialect, st.Name)
	_, ns := s.Current()
	if len(parts) > 0 {
		ns = parts[len(parts)-1]
	}
	lasting, err := s.engine.Lake.Views(ctx, ns)
	if err != nil {
		return nil, err
	}
	for _, v := range lasting {
		rows = append(rows, []any{ns, v, false})
	}
	switch {
	case len(parts) == 1 && strings.EqualFold(parts[0], globalTemp):
		for _, v := range s.engine.globals.all() {
			rows = append(rows, []any{globalTemp, v.name, true})
		}
	case len(parts) > 0:
		ok, err := s.engine.Lake.NamespaceExists(ctx, parts[len(parts)-1])
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errclass.SchemaNotFound(a.Dialect, parts).At(span(st.Name))
		}
	}
	for _, v := range s.views.all() {
		rows = append(rows, []any{"", v.name, true})
	}
	return local(like(st, rows, 1), text("namespace", false), text("viewName", false),
		types.Field{Name: "isTemporary", Type: types.Of(types.Boolean)}), nil
}

// like keeps the rows whose column matches SHOW's pattern, in which * and | are special.
func like(st *sql.Show, rows [][]any, column int) [][]any {
	if st.Like == nil {
		return rows
	}
	var out [][]any
	for _, r := range rows {
		if matchesAny(strings.Split(*st.Like, "|"), r[column].(string)) {
			out = append(out, r)
		}
	}
	return out
}

func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if matches(strings.ToLower(strings.NewReplacer("%", "*").Replace(strings.TrimSpace(p))), strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// matches compares with a pattern in which * stands for any characters.
func matches(pattern, name string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	name = name[len(head):]
	for i := 0; i <= len(name); i++ {
		if matches(tail, name[i:]) {
			return true
		}
	}
	return false
}

func (s *Session) showProperties(ctx context.Context, a *plan.Analyzer, st *sql.Show) (*Result, error) {
	if v, err := s.lastingView(ctx, a.Dialect, st.Name); err != nil {
		return nil, err
	} else if v != nil {
		rows := viewProperties(v)
		if st.Key != "" {
			rows = slices.DeleteFunc(rows, func(r []any) bool { return r[0] != st.Key })
		}
		return local(rows, text("key", false), text("value", false)), nil
	}
	t, err := s.loadTable(ctx, a.Dialect, st.Name)
	if err != nil {
		return nil, err
	}
	props := tableProperties(t)
	var rows [][]any
	if st.Key != "" {
		v, ok := props[st.Key]
		if !ok {
			v = "Table " + strings.Join(fullName(t.Ident()), ".") + " does not have property: " + st.Key
		}
		rows = append(rows, []any{st.Key, v})
	} else {
		for _, k := range shownProperties(props) {
			rows = append(rows, []any{k, props[k]})
		}
	}
	return local(rows, text("key", false), text("value", false)), nil
}

// tableProperties are a table's properties, without secrets, with those that Iceberg's Spark catalog adds.
func tableProperties(t *lake.Table) map[string]string {
	props := redact.Options(t.Properties())
	props["current-snapshot-id"] = t.CurrentSnapshotID()
	props["format"] = "iceberg/" + cmp.Or(props["write.format.default"], "parquet")
	props["format-version"] = t.FormatVersion()
	if o := t.SortOrder(); o != "" {
		props["sort-order"] = o
	}
	return props
}

// createTableText is SHOW CREATE TABLE's text.
func createTableText(t *lake.Table) string {
	var b strings.Builder
	b.WriteString("CREATE TABLE " + strings.Join(fullName(t.Ident()), ".") + " (\n")
	for i, f := range t.Schema().Fields {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("  " + types.QuoteIfNeeded(f.Name) + " " + f.Type.SQL())
		if !f.Nullable {
			b.WriteString(" NOT NULL")
		}
		if f.Comment != "" {
			b.WriteString(" COMMENT " + literalText(f.Comment))
		}
	}
	b.WriteString(")\nUSING iceberg\n" + partitioningText(t))
	props := tableProperties(t)
	if c := props["comment"]; c != "" {
		b.WriteString("COMMENT " + literalText(c) + "\n")
	}
	b.WriteString("LOCATION " + literalText(t.Location()) + "\nTBLPROPERTIES (\n")
	for i, k := range shownProperties(props) {
		if i > 0 {
			b.WriteString(",\n")
		}
		b.WriteString("  " + literalText(k) + " = " + literalText(props[k]))
	}
	b.WriteString(")\n")
	return b.String()
}

// partitioningText is PARTITIONED BY with the table's transforms. Spark writes a bucket transform as CLUSTERED BY, the last one if there are several.
func partitioningText(t *lake.Table) string {
	var parts []string
	clustered := ""
	fields, _ := t.Partitioning()
	for _, f := range fields {
		if buckets, column, ok := strings.Cut(strings.TrimPrefix(f, "bucket("), ", "); ok && strings.HasPrefix(f, "bucket(") {
			clustered = "CLUSTERED BY (" + strings.TrimSuffix(column, ")") + ")\nINTO " + buckets + " BUCKETS\n"
			continue
		}
		parts = append(parts, f)
	}
	if len(parts) == 0 {
		return clustered
	}
	return "PARTITIONED BY (" + strings.Join(parts, ", ") + ")\n" + clustered
}

// literalText is a text as a Spark string literal.
func literalText(s string) string { return "'" + strings.ReplaceAll(s, "'", "\\'") + "'" }

// shownProperties are the names of the properties that Spark lists, in order; the others it shows elsewhere.
func shownProperties(props map[string]string) []string {
	keys := make([]string, 0, len(props))
	for k := range props {
		if k != "comment" && k != "owner" && k != "location" && k != "provider" {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	return keys
}
