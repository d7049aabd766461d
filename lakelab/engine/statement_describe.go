package engine

import (
	"context"
	"fmt"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/engine/trinodoor"
	"mini-lakehouse-lab/lakelab/types"
)

// describe runs DESCRIBE ….
func (s *Session) describe(ctx context.Context, a *plan.Analyzer, st *sql.Describe) (*Result, error) {
	switch st.What {
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
		if st.Extended {
			return nil, errclass.UnsupportedStatement(a.Dialect, "DESCRIBE TABLE EXTENDED").At(st.Span())
		}
		n, err := a.Relation(ctx, &sql.TableRef{At: sql.At{Pos: span(st.Name)}, Name: st.Name})
		if err != nil {
			return nil, err
		}
		fields := SchemaOf(n).Fields
		if len(st.Column) > 0 {
			return describeColumn(fields, st)
		}
		r := described(fields)
		if scan, ok := n.(*plan.Scan); ok {
			if t, ok := scan.Source.(*tableSource); ok {
				r.Rows = append(r.Rows, describePartitioning(t.table)...)
			}
		}
		return r, nil
	}
	return nil, errclass.UnsupportedStatement(a.Dialect, "DESCRIBE "+st.What).At(st.Span())
}

func described(fields []types.Field) *Result {
	rows := make([][]any, len(fields))
	for i, f := range fields {
		rows[i] = []any{f.Name, f.Type.SimpleString(), comment(f)}
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
		rows = append(rows, []any{fields[i], c.Type.SimpleString(), comment(c)})
	}
	return rows
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
			return local([][]any{{"col_name", f.Name}, {"data_type", f.Type.SimpleString()}, {"comment", c}},
				text("info_name", false), text("info_value", false)), nil
		}
	}
	return nil, errclass.ColumnNotFoundIn(names(sql.Spark, st.Column), fields).At(span(st.Column))
}

// describeTrino is DESCRIBE t and SHOW COLUMNS FROM t in Trino's form.
func (s *Session) describeTrino(ctx context.Context, name []sql.Name) (*Result, error) {
	n, err := s.analyzer(sql.Trino, plan.Params{}).Relation(ctx, &sql.TableRef{At: sql.At{Pos: span(name)}, Name: name})
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, f := range SchemaOf(n).Fields {
		rows = append(rows, []any{strings.ToLower(f.Name), trinodoor.DescribeName(f.Type), "", f.Comment})
	}
	return local(rows, text("Column", false), text("Type", false), text("Extra", false), text("Comment", false)), nil
}
