package lake

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// SortField is one key of WRITE ORDERED BY.
type SortField struct {
	PartitionField // its transform and column
	Descending     bool
	NullsFirst     bool
}

// SetWriteOrder sets the order in which rows are written (Iceberg's "WRITE ORDERED BY"); no fields unset it. distribution is the value of
// write.distribution-mode that goes with it; empty leaves the property alone.
func (l *Lakehouse) SetWriteOrder(ctx context.Context, t *Table, fields []SortField, distribution string) error {
	return l.Alter(ctx, t, OrderedBy(fields, distribution))
}

// OrderedBy is the change that SetWriteOrder makes.
func OrderedBy(fields []SortField, distribution string) Alteration {
	return func(a *attempt, b *table.MetadataBuilder) error {
		out, err := (&specChange{base: a.base, schema: a.base.CurrentSchema()}).sortFields(fields)
		if err != nil {
			return err
		}
		if err := setOrder(a, b, out); err != nil {
			return err
		}
		if distribution == "" || a.base.Properties()["write.distribution-mode"] == distribution {
			return nil
		}
		return b.SetProperties(iceberg.Properties{"write.distribution-mode": distribution})
	}
}

func setOrder(a *attempt, b *table.MetadataBuilder, fields []table.SortField) error {
	if len(fields) == 0 {
		if a.base.DefaultSortOrder() == table.UnsortedSortOrderID {
			return nil
		}
		order := table.UnsortedSortOrder
		if err := b.AddSortOrder(&order); err != nil {
			return err
		}
		return b.SetDefaultSortOrderID(-1)
	}
	id := table.InitialSortOrderID
	var orders []table.SortOrder
	if a.base != nil {
		orders = a.base.SortOrders()
	}
	for _, o := range orders {
		var have []table.SortField
		for _, f := range o.Fields() {
			have = append(have, f)
		}
		if slices.EqualFunc(have, fields, table.SortField.Equals) {
			return b.SetDefaultSortOrderID(o.OrderID())
		}
		id = max(id, o.OrderID()+1)
	}
	order, err := table.NewSortOrder(id, fields)
	if err != nil {
		return err
	}
	if err := b.AddSortOrder(&order); err != nil {
		return err
	}
	return b.SetDefaultSortOrderID(-1)
}

// sortFields are sort fields in iceberg-go's terms.
func (s *specChange) sortFields(fields []SortField) ([]table.SortField, error) {
	var out []table.SortField
	for _, f := range fields {
		k, err := s.sortField(f)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

// sortField is a sort field in iceberg-go's terms.
func (s *specChange) sortField(f SortField) (table.SortField, error) {
	tr, err := f.transform()
	if err != nil {
		return table.SortField{}, err
	}
	source, err := s.sortSource(f.PartitionField)
	if err != nil {
		return table.SortField{}, err
	}
	if _, plain := tr.(iceberg.IdentityTransform); !plain && !tr.CanTransform(source.Type) {
		return table.SortField{}, errclass.Validation("Cannot bind: %s cannot transform %s values from '%s'", tr, source.Type, strings.Join(f.Column, "."))
	}
	k := table.SortField{SourceIDs: []int{source.ID}, Transform: tr, Direction: table.SortASC, NullOrder: table.NullsLast}
	if f.Descending {
		k.Direction = table.SortDESC
	}
	if f.NullsFirst {
		k.NullOrder = table.NullsFirst
	}
	return k, nil
}

// sortSource finds the column of a sort field; case does not matter here.
func (s *specChange) sortSource(f PartitionField) (iceberg.NestedField, error) {
	if c, ok := s.schema.FindFieldByNameCaseInsensitive(strings.Join(f.Column, ".")); ok {
		return c, nil
	}
	return s.source(f)
}

// SortOrder is the table's sort order as SHOW TBLPROPERTIES shows it; empty for an unsorted table.
func (t *Table) SortOrder() string {
	var out []string
	order := t.meta.SortOrder()
	for _, f := range order.Fields() {
		nulls := "NULLS FIRST"
		if f.NullOrder == table.NullsLast {
			nulls = "NULLS LAST"
		}
		out = append(out, fmt.Sprintf("%s %s %s", sparkTransform(t.meta.CurrentSchema(), f.Transform, f.SourceID()), strings.ToUpper(string(f.Direction)), nulls))
	}
	return strings.Join(out, ", ")
}

// SetIdentifierFields makes columns the table's identifier; they must be NOT NULL.
func (l *Lakehouse) SetIdentifierFields(ctx context.Context, t *Table, columns [][]string) error {
	return l.alterIdentifier(ctx, t, func(s *iceberg.Schema, _ []int) ([]int, error) {
		var ids []int
		for _, c := range columns {
			name := strings.Join(c, ".")
			f, ok := s.FindFieldByName(name)
			if !ok {
				return nil, errclass.IllegalArgument("Cannot add field " + name + " as an identifier field: not found in current schema or added columns")
			}
			if why := checkIdentifier(s, f.ID); why != "" {
				return nil, errclass.IllegalArgument(why)
			}
			ids = append(ids, f.ID)
		}
		return ids, nil
	})
}

// DropIdentifierFields takes columns out of the table's identifier.
func (l *Lakehouse) DropIdentifierFields(ctx context.Context, t *Table, columns [][]string) error {
	return l.alterIdentifier(ctx, t, func(s *iceberg.Schema, ids []int) ([]int, error) {
		for _, c := range columns {
			name := strings.Join(c, ".")
			f, ok := s.FindFieldByName(name)
			if !ok {
				return nil, errclass.IllegalArgument("Cannot complete drop identifier fields operation: field " + name + " not found")
			}
			at := slices.Index(ids, f.ID)
			if at < 0 {
				return nil, errclass.IllegalArgument("Cannot complete drop identifier fields operation: " + name + " is not an identifier field")
			}
			ids = slices.Delete(ids, at, at+1)
		}
		return ids, nil
	})
}

func (l *Lakehouse) alterIdentifier(ctx context.Context, t *Table, change func(s *iceberg.Schema, ids []int) ([]int, error)) error {
	return l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		current := a.base.CurrentSchema()
		ids, err := change(current, slices.Clone(current.IdentifierFieldIDs))
		if err != nil {
			return err
		}
		if slices.Equal(ids, current.IdentifierFieldIDs) {
			return nil
		}
		next := iceberg.NewSchemaWithIdentifiers(0, ids, current.Fields()...)
		if err := b.AddSchema(next); err != nil {
			return err
		}
		return b.SetCurrentSchemaID(-1)
	})
}
