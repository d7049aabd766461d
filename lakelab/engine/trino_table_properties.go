package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// Trino's table properties ("Iceberg connector", "Table properties"), given by CREATE TABLE … WITH and ALTER TABLE … SET PROPERTIES.

// givenProperties are Trino's properties of a table: Iceberg's, the partitioning, the order and the location.
type givenProperties struct {
	props               []sql.Property
	parts               []sql.Transform
	order               []sql.SortItem
	location            *string
	partitioned, sorted bool // given, perhaps as empty ones
}

var sortKeyForm = regexp.MustCompile(`^(?i)\s*("(?:[^"]|"")+"|[a-z_][a-z0-9_]*)(?:\s+(ASC|DESC))?(?:\s+NULLS\s+(FIRST|LAST))?\s*$`)

// trinoSortKey reads an item of the property sorted_by: a column, ASC or DESC, NULLS FIRST or LAST.
func trinoSortKey(text string, at sql.Node) (o sql.SortItem, err error) {
	m := sortKeyForm.FindStringSubmatch(text)
	if m == nil {
		return o, errclass.TrinoSortField(text)
	}
	name := sql.Name{At: sql.At{Pos: at.Span()}, Text: strings.ToLower(m[1])}
	if strings.HasPrefix(m[1], `"`) {
		name.Text, name.Quoted = strings.ReplaceAll(m[1][1:len(m[1])-1], `""`, `"`), true
	}
	o = sql.SortItem{X: &sql.Ident{At: name.At, Parts: []sql.Name{name}}, Desc: strings.EqualFold(m[2], "DESC"), Nulls: strings.ToUpper(m[3])}
	return o, nil
}

// eachText reads the items of a property that is an array of texts; NULL has none.
func eachText[T any](list any, at sql.Node, read func(text string, at sql.Node) (T, error)) (out []T, err error) {
	texts, _ := list.([]any)
	for i, x := range texts {
		text, ok := x.(string)
		if !ok {
			return nil, errclass.TrinoInternal("at index " + strconv.Itoa(i)) // in Trino's words, whose list takes no NULL
		}
		item, err := read(text, at)
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	return out, nil
}

// tableProperty is one of Trino's table properties: its type, what it is by default, and how a value is read.
type tableProperty struct {
	kind    types.Type
	value   string // by default
	doc     string
	restore func(*givenProperties) // nil: DEFAULT is refused
	read    func(out *givenProperties, v any, at sql.Node) error
}

var trinoTableProperties = map[string]tableProperty{
	"format": {types.Of(types.String), "PARQUET", "Format of the data files", func(*givenProperties) {}, func(_ *givenProperties, v any, at sql.Node) error {
		switch text := strings.ToUpper(v.(string)); text {
		case "PARQUET": // as every table has
			return nil
		case "ORC", "AVRO":
			return errclass.UnsupportedStatement(sql.Trino, "the file format "+text).At(at.Span())
		}
		return errors.New(invalidWord(v.(string), []string{"ORC", "PARQUET", "AVRO"}))
	}},
	"format_version": {types.Of(types.Int), "2", "Version of Iceberg's format", func(*givenProperties) {}, func(out *givenProperties, v any, _ sql.Node) error {
		if n := v.(int64); n != 1 && n != 2 {
			return errors.New("format_version must be between 1 and 2")
		}
		out.set("format-version", fmt.Sprint(v))
		return nil
	}},
	"max_commit_retry": {types.Of(types.Int), "4", "How often a commit that met another is tried again", func(out *givenProperties) { out.set(commitRetries, "4") }, func(out *givenProperties, v any, _ sql.Node) error {
		if v.(int64) < 0 {
			return errors.New("max_commit_retry must be greater than or equal to 0")
		}
		out.set(commitRetries, fmt.Sprint(v))
		return nil
	}},
	"sorted_by": {texts, "[]", "The columns that each file is sorted by", func(out *givenProperties) { out.sorted, out.order = true, nil }, func(out *givenProperties, v any, at sql.Node) (err error) {
		out.sorted = true
		out.order, err = eachText(v, at, trinoSortKey)
		return err
	}},
	"partitioning": {texts, "[]", "Columns, and functions of them, that tell the partitions", func(out *givenProperties) { out.partitioned, out.parts = true, nil }, func(out *givenProperties, v any, at sql.Node) (err error) {
		out.partitioned = true
		out.parts, err = eachText(v, at, trinoPartition)
		return err
	}},
	"location": {types.Of(types.String), "", "Where the table lies", nil, func(out *givenProperties, v any, _ sql.Node) error {
		text := v.(string)
		if text == "" {
			return errclass.TrinoInternal("path must not be null or empty")
		}
		out.location = &text
		return nil
	}},
}

// unbuiltProperties are those that a real Trino has and this door has not.
var unbuiltProperties = []string{"object_store_layout_enabled", "extra_properties", "orc_bloom_filter_columns", "orc_bloom_filter_fpp", "parquet_bloom_filter_columns", "data_location"}

const commitRetries = "commit.retry.num-retries"

var texts = types.ArrayOf(types.Of(types.String), true)

// set gives a property of Iceberg's a value.
func (g *givenProperties) set(name, text string) {
	g.props = append(g.props, sql.Property{Key: name, Value: &sql.Literal{Kind: sql.StringLit, Text: text}})
}

// tableProperties reads properties of a table: Iceberg's properties, the partitioning, the order and the location.
func (s *Session) tableProperties(ctx context.Context, a *plan.Analyzer, given []sql.Property) (out givenProperties, err error) {
	for _, p := range given {
		key := strings.ToLower(p.Key)
		property, ok := trinoTableProperties[key]
		if !ok && slices.Contains(unbuiltProperties, key) {
			return out, errclass.UnsupportedStatement(sql.Trino, "the table property "+key).At(p.Value.Span())
		}
		if !ok {
			return out, errclass.TrinoNoTableProperty(CatalogName, p.Key).At(p.At.Pos)
		}
		if _, ok := p.Value.(*sql.Default); ok {
			if property.restore == nil {
				return out, errclass.UnsupportedStatement(sql.Trino, "the default of the table property "+key).At(p.Value.Span())
			}
			property.restore(&out)
			continue
		}
		v, err := s.propertyOf(ctx, a, "table", p, property.kind)
		if err != nil {
			return out, err
		}
		if err := property.read(&out, v, p.Value); err != nil {
			if _, ours := errors.AsType[*errclass.Error](err); !ours {
				err = errclass.TrinoPropertyRefused(CatalogName, "table", key, plan.Formatted(p.Value), err.Error()).At(p.At.Pos)
			}
			return out, err
		}
	}
	return out, nil
}

// propertyOf computes the value of a table's or a schema's property.
func (s *Session) propertyOf(ctx context.Context, a *plan.Analyzer, of string, p sql.Property, kind types.Type) (any, error) {
	x, err := a.Value(ctx, p.Value)
	if err != nil {
		return nil, err
	}
	got := x.Type()
	fits := got.Kind == kind.Kind && (kind.Kind != types.Array || got.Elem.Kind == types.String || got.Elem.Kind == types.Null)
	if got.Kind == types.Null {
		return nil, errclass.TrinoNullProperty(CatalogName, of, strings.ToLower(p.Key), plan.Formatted(p.Value)).At(p.At.Pos)
	}
	if !fits {
		return nil, errclass.TrinoPropertyOfType(CatalogName, of, strings.ToLower(p.Key), plan.Formatted(p.Value), kind).At(p.At.Pos)
	}
	v, err := s.eval(ctx, a, p.Value, kind)
	if err == nil && v == nil {
		err = errclass.TrinoNullProperty(CatalogName, of, strings.ToLower(p.Key), plan.Formatted(p.Value)).At(p.At.Pos)
	}
	return v, err
}

// setProperties runs ALTER TABLE … SET PROPERTIES, which is one change of the table.
func (s *Session) setProperties(ctx context.Context, a *plan.Analyzer, t *lake.Table, properties []sql.Property) (*Result, error) {
	given, err := s.tableProperties(ctx, a, properties)
	if err != nil {
		return nil, err
	}
	if given.location != nil {
		return nil, errclass.TrinoUnsupported("The following properties cannot be updated: location").Nowhere()
	}
	var changes []lake.Alteration
	if len(given.props) > 0 {
		set := map[string]string{}
		for _, p := range given.props {
			set[p.Key] = p.Value.(*sql.Literal).Text
		}
		changes = append(changes, lake.Setting(set))
	}
	if given.partitioned {
		fields, err := partitionFields(t.Schema(), given.parts)
		if err != nil {
			return nil, err
		}
		changes = append(changes, lake.PartitionedBy(fields))
	}
	if given.sorted {
		order := make([]lake.SortField, len(given.order))
		for i, o := range given.order {
			if order[i], err = sortField(a.Dialect, sql.At{Pos: o.X.Span()}, o); err != nil {
				return nil, err
			}
		}
		changes = append(changes, lake.OrderedBy(order, ""))
	}
	err = s.engine.Lake.Alter(ctx, t, changes...)
	var e *errclass.Error
	switch {
	case errors.As(err, &e) && strings.HasPrefix(e.Message, "Unsupported table change: Cannot downgrade"):
		err = errclass.TrinoNotSet()
	}
	return updated("SET PROPERTIES", -1), err
}

// partitionFields are the fields of the property partitioning, for a table with these columns.
func partitionFields(columns types.Type, parts []sql.Transform) ([]lake.PartitionField, error) {
	fields := make([]lake.PartitionField, len(parts))
	for i, p := range parts {
		f, err := partitionField(sql.Trino, p)
		for _, arg := range p.Args { // a quoted name is looked for as it is written here
			if id, ok := arg.(*sql.Ident); ok && err == nil && id.Parts[0].Quoted {
				f.Column[0] = id.Parts[0].Text
			}
		}
		if err == nil && !slices.ContainsFunc(columns.Fields, func(c types.Field) bool { return c.Name == f.Column[0] || strings.ToLower(c.Name) == f.Column[0] }) {
			err = errclass.TrinoPartitioning("Cannot find source column: " + strings.Join(f.Column, "."))
		}
		if err != nil {
			return nil, err
		}
		fields[i] = f
	}
	err := lake.CheckPartitioning(columns, fields)
	var e *errclass.Error
	if errors.As(err, &e) {
		err = errclass.TrinoPartitioning(e.Message)
	}
	return fields, err
}

// trinoPartition reads an entry of the property `partitioning`: a column, year(c), month(c), day(c), hour(c), bucket(c, n) or
// truncate(c, n).
func trinoPartition(text string, at sql.Node) (sql.Transform, error) {
	t := sql.Transform{At: sql.At{Pos: at.Span()}}
	bad := errclass.TrinoPartitioning("Invalid partition field declaration: " + text)
	x, err := sql.ParseExpr(sql.Trino, text)
	if err != nil {
		return t, bad
	}
	switch x := x.(type) {
	case *sql.Ident:
		t.Args = []sql.Expr{x}
		return t, nil
	case *sql.Call:
		name := map[string]string{"year": "years", "month": "months", "day": "days", "hour": "hours", "bucket": "bucket", "truncate": "truncate"}[strings.ToLower(x.Name[0].Text)]
		if wide := name == "bucket" || name == "truncate"; name == "" || wide && len(x.Args) != 2 || !wide && len(x.Args) != 1 {
			return t, bad
		}
		t.Name = name
		for i, arg := range x.Args {
			if n, ok := arg.X.(*sql.Literal); i > 0 && (!ok || n.Kind != sql.NumberLit) {
				return t, bad
			}
			t.Args = append(t.Args, arg.X)
		}
		return t, nil
	}
	return t, bad
}
