package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// transforms are the names of Iceberg's partition transforms in Spark SQL, and in Iceberg.
var transforms = map[string]string{
	"identity": "identity", "year": "year", "years": "year", "month": "month", "months": "month", "day": "day", "days": "day", "date": "day",
	"hour": "hour", "hours": "hour", "date_hour": "hour", "bucket": "bucket", "truncate": "truncate",
}

// partitionField turns a transform of the statement into the lake's.
func partitionField(d sql.Dialect, t sql.Transform) (lake.PartitionField, error) {
	f := lake.PartitionField{Transform: "identity"}
	if t.Alias != nil {
		f.Name = t.Alias.Text
	}
	if t.Name != "" {
		if f.Transform = transforms[t.Name]; f.Transform == "" {
			return f, errclass.UnknownTransform(transformText(d, t))
		}
	}
	for _, a := range t.Args {
		switch a := a.(type) {
		case *sql.Ident:
			if f.Column != nil {
				return f, errclass.UnknownTransform(transformText(d, t))
			}
			f.Column = names(d, a.Parts)
		case *sql.Literal:
			n, err := strconv.Atoi(a.Text)
			if err != nil || f.Transform != "bucket" && f.Transform != "truncate" {
				return f, errclass.UnknownTransform(transformText(d, t))
			}
			f.Width = n
		default:
			return f, errclass.UnknownTransform(transformText(d, t))
		}
	}
	if f.Column == nil {
		return f, errclass.UnknownTransform(transformText(d, t))
	}
	if (f.Transform == "bucket" || f.Transform == "truncate") && f.Width <= 0 {
		if d == sql.Trino {
			what := map[string]string{"bucket": "number of buckets", "truncate": "truncate width"}[f.Transform]
			return f, errclass.TrinoPartitioning(fmt.Sprintf("Invalid %s: %d (must be > 0)", what, f.Width))
		}
		return f, errclass.TransformWidth(transformText(d, t))
	}
	return f, nil
}

// transformText is a transform as Spark prints it in messages.
func transformText(d sql.Dialect, t sql.Transform) string {
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		switch a := a.(type) {
		case *sql.Ident:
			args[i] = quotedName(names(d, a.Parts))
		case *sql.Literal:
			args[i] = a.Text
		}
	}
	if t.Name == "" {
		return strings.Join(args, ", ")
	}
	return t.Name + "(" + strings.Join(args, ", ") + ")"
}

// quotedName writes a dotted name, its parts in backticks where they must be.
func quotedName(parts []string) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = types.QuoteIfNeeded(p)
	}
	return strings.Join(out, ".")
}

// partitioning reads PARTITIONED BY: the columns that it declares, which become the table's last ones, and its fields.
func partitioning(d sql.Dialect, list []sql.Transform) (columns []types.Field, fields []lake.PartitionField, err error) {
	seen := map[string]bool{}
	for _, t := range list {
		var f lake.PartitionField
		text := ""
		if t.Column != nil {
			c, err := columnDefinition(d, *t.Column)
			if err != nil {
				return nil, nil, err
			}
			columns = append(columns, c)
			f, text = lake.PartitionField{Transform: "identity", Column: []string{c.Name}}, c.Name
		} else {
			if f, err = partitionField(d, t); err != nil {
				return nil, nil, err
			}
			text = transformText(d, t)
		}
		if key := strings.ToLower(text); seen[key] {
			return nil, nil, errclass.DuplicatePartitionColumn(key)
		} else {
			seen[key] = true
		}
		fields = append(fields, f)
	}
	return columns, fields, nil
}

// checkPartitioning refuses fields whose column a new table does not have.
func checkPartitioning(schema types.Type, fields []lake.PartitionField) error {
	for _, f := range fields {
		t := schema
		for _, name := range f.Column {
			at := slices.IndexFunc(t.Fields, func(c types.Field) bool { return strings.EqualFold(c.Name, name) })
			if at < 0 {
				return errclass.PartitionColumnMissing(f.Column, schema)
			}
			t = t.Fields[at].Type
		}
	}
	return nil
}
