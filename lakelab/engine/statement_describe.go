package engine

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// describe runs DESCRIBE ….
func (s *Session) describe(ctx context.Context, a *plan.Analyzer, st *sql.Describe) (*Result, error) {
	switch st.What {
	case "INPUT", "OUTPUT":
		return s.describePrepared(ctx, st)
	case "QUERY":
		n, err := a.Query(ctx, st.Query)
		if err != nil {
			return nil, err
		}
		return described(SchemaOf(n).Fields), nil
	case "TABLE":
		if a.Dialect == sql.Trino {
			return s.describeTrino(ctx, st.Name)
		}
		if v, err := s.describedView(ctx, a, st); v != nil || err != nil {
			return v, err
		}
		a.Hidden = false // the table's name may look like a hidden column's
		n, err := a.Relation(ctx, &sql.TableRef{At: sql.At{Pos: span(st.Name)}, Name: st.Name})
		if err != nil {
			return nil, err
		}
		fields := SchemaOf(n).Fields
		if len(st.Column) > 0 {
			r, err := describeColumn(fields, st)
			var e *errclass.Error
			if scan, ok := n.(*plan.Scan); ok && errors.As(err, &e) {
				if t, ok := scan.Source.(*tableSource); ok {
					known := make([]string, len(fields))
					for i, f := range fields {
						known[i] = f.Name
					}
					sort.Strings(known)
					err = errclass.UnresolvedAmong(errclass.FieldUnresolved(names(a.Dialect, st.Column), t.Schema()), known).At(span(st.Column))
				}
			}
			return r, err
		}
		r := described(fields)
		if scan, ok := n.(*plan.Scan); ok {
			if t, ok := scan.Source.(*tableSource); ok {
				r.Rows = append(r.Rows, describePartitioning(t.table)...)
				if st.Extended {
					r.Rows = append(r.Rows, describeDetails(t.table)...)
				}
				return r, nil
			}
		}
		if st.Extended {
			return nil, errclass.UnsupportedStatement(a.Dialect, "DESCRIBE EXTENDED of what is no table").At(st.Span())
		}
		return r, nil
	case "NAMESPACE":
		return s.describeNamespace(ctx, a, st)
	case "FUNCTION":
		return s.describeFunction(a, st)
	}
	return nil, errclass.UnsupportedStatement(a.Dialect, "DESCRIBE "+st.What).At(st.Span())
}

// describedView describes a view of the catalog; nil if the name is something else's.
func (s *Session) describedView(ctx context.Context, a *plan.Analyzer, st *sql.Describe) (*Result, error) {
	if len(st.Column) > 0 || s.viewNamed(names(a.Dialect, st.Name)) != nil {
		return nil, nil
	}
	v, err := s.lastingView(ctx, a.Dialect, st.Name)
	if v == nil {
		return nil, err
	}
	return describeView(v, st.Extended), nil
}

func described(fields []types.Field) *Result {
	rows := make([][]any, len(fields))
	for i, f := range fields {
		rows[i] = []any{f.Name, f.Declared(), comment(f)}
	}
	return local(rows, text("col_name", false), text("data_type", false), text("comment", true))
}

// describePartitioning are the rows that DESCRIBE adds for a partitioned table: columns, or the transforms if not all are columns.
func describePartitioning(t *lake.Table) [][]any {
	fields, columns := t.Partitioning()
	if len(fields) == 0 {
		return nil
	}
	if columns == nil {
		rows := [][]any{{"", "", ""}, {"# Partitioning", "", ""}}
		for i, f := range fields {
			rows = append(rows, []any{fmt.Sprintf("Part %d", i), f, ""})
		}
		return rows
	}
	rows := [][]any{{"# Partition Information", "", ""}, {"# col_name", "data_type", "comment"}}
	for i, c := range columns {
		rows = append(rows, []any{partitionName(fields[i], c), c.Type.SimpleString(), comment(c)})
	}
	return rows
}

// partitionName quotes a partition column's name where its dots are no way into a struct.
func partitionName(name string, column types.Field) string {
	if name == column.Name {
		return types.QuoteIfNeeded(name)
	}
	return name
}

// describeDetails are the rows that DESCRIBE EXTENDED adds.
func describeDetails(t *lake.Table) [][]any {
	rows := [][]any{{"", "", ""}, {"# Metadata Columns", "", ""}}
	for _, f := range t.Hidden() {
		rows = append(rows, []any{f.Name, f.Type.SimpleString(), ""})
	}
	rows = append(rows, []any{"", "", ""}, []any{"# Detailed Table Information", "", ""},
		[]any{"Name", strings.Join(fullName(t.Ident()), "."), ""}, []any{"Type", "MANAGED", ""})
	props := tableProperties(t)
	if c := props["comment"]; c != "" {
		rows = append(rows, []any{"Comment", c, ""})
	}
	list := make([]string, 0, len(props))
	for _, k := range shownProperties(props) {
		list = append(list, k+"="+props[k])
	}
	records := t.Records()
	return append(rows, []any{"Location", t.Location(), ""}, []any{"Provider", "iceberg", ""}, []any{"Owner", t.Owner(), ""},
		[]any{"Table Properties", "[" + strings.Join(list, ",") + "]", ""},
		[]any{"Statistics", fmt.Sprintf("%d bytes, %d rows", records*defaultSize(t.Schema()), records), nil})
}

// defaultSize is what Spark takes a value of a type to be long, in bytes.
func defaultSize(t types.Type) int64 {
	switch t.Kind {
	case types.Boolean, types.Byte:
		return 1
	case types.Short:
		return 2
	case types.Int, types.Float, types.Date, types.YearMonthInterval:
		return 4
	case types.Decimal:
		if t.Precision > 18 {
			return 16
		}
	case types.String:
		return 20
	case types.Binary:
		return 100
	case types.Array:
		return defaultSize(*t.Elem)
	case types.Map:
		return defaultSize(*t.Key) + defaultSize(*t.Value)
	case types.Struct:
		n := int64(0)
		for _, f := range t.Fields {
			n += defaultSize(f.Type)
		}
		return n
	}
	return 8
}

func comment(f types.Field) any {
	if f.Comment == "" {
		return nil
	}
	return f.Comment
}

func describeColumn(fields []types.Field, st *sql.Describe) (*Result, error) {
	for _, f := range fields {
		if len(st.Column) == 1 && strings.EqualFold(f.Name, st.Column[0].Text) {
			c := comment(f)
			if c == nil {
				c = "NULL"
			}
			return local([][]any{{"col_name", f.Name}, {"data_type", f.Declared()}, {"comment", c}},
				text("info_name", false), text("info_value", false)), nil
		}
	}
	return nil, errclass.ColumnNotFoundIn(names(sql.Spark, st.Column), fields).At(span(st.Column))
}

// describeTrino is DESCRIBE t and SHOW COLUMNS FROM t in Trino's form. A view of Trino's shows the columns that were stored with it.
func (s *Session) describeTrino(ctx context.Context, name []sql.Name) (*Result, error) {
	var fields []types.Field
	v, err := s.lastingView(ctx, sql.Trino, name)
	switch {
	case err != nil:
		return nil, err
	case v != nil && v.Dialect == "trino":
		fields = v.Schema.Fields
	case v != nil && inTrino(v) != nil: // Trino knows that there is a view, but not its columns
	default:
		n, err := s.analyzer(sql.Trino, plan.Params{}).Relation(ctx, &sql.TableRef{At: sql.At{Pos: span(name)}, Name: name})
		if err != nil {
			return nil, err
		}
		fields = SchemaOf(n).Fields
	}
	var rows [][]any
	for _, f := range fields {
		rows = append(rows, []any{strings.ToLower(f.Name), f.Type.Trino(), "", f.Comment})
	}
	return local(rows, text("Column", false), text("Type", false), text("Extra", false), text("Comment", false)), nil
}
