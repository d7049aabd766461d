package metastore

import (
	"context"
	"database/sql"
	"strings"
)

// SysTable is one of the metastore's tables as its users see it.
type SysTable struct {
	Name    string
	Columns []Column // STRING, BIGINT or BOOLEAN
}

// SysTables are all of them, under their real names.
func SysTables() []SysTable {
	var out []SysTable
	for _, t := range tables {
		if ours[t.name] {
			continue
		}
		s := SysTable{Name: t.name}
		for _, c := range t.columns {
			name, typ, _ := strings.Cut(c, " ")
			switch {
			case strings.HasPrefix(typ, "VARCHAR"), typ == "TEXT":
				typ = "string"
			case typ == "INTEGER":
				typ = "int"
			}
			s.Columns = append(s.Columns, Column{Name: name, Type: strings.ToLower(typ)})
		}
		out = append(out, s)
	}
	return out
}

// SysRows reads one of the metastore's tables: strings, int64 and bool, nil for NULL.
func (s *Store) SysRows(ctx context.Context, t SysTable) ([][]any, error) {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	var out [][]any
	err := s.rows(ctx, func(r *sql.Rows) error {
		row, ptr := make([]any, len(names)), make([]any, len(names))
		for i, c := range t.Columns {
			switch c.Type {
			case "string":
				ptr[i] = &sql.NullString{}
			case "boolean":
				ptr[i] = &sql.NullBool{}
			default:
				ptr[i] = &sql.NullInt64{}
			}
		}
		if err := r.Scan(ptr...); err != nil {
			return err
		}
		for i, p := range ptr {
			switch p := p.(type) {
			case *sql.NullString:
				if p.Valid {
					row[i] = p.String
				}
			case *sql.NullBool:
				if p.Valid {
					row[i] = p.Bool
				}
			case *sql.NullInt64:
				if p.Valid {
					row[i] = p.Int64
				}
			}
		}
		out = append(out, row)
		return nil
	}, "SELECT "+quotedNames(names)+` FROM "`+t.Name+`" ORDER BY 1`)
	return out, err
}
