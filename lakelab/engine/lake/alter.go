package lake

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// Changes of schema and properties. Each is one commit of metadata without a snapshot, made on the table's latest state; t only says
// which table. Names are matched without regard to case, as Spark matches them.

// NewColumn is a column to add.
type NewColumn struct {
	// Path leads to the struct that gets the column; empty for a top-level one. `element` and `value` enter lists and maps.
	Path  []string
	Field types.Field
	First bool
	After string // the column that it follows; empty: at the end
}

// AddColumns adds columns, all or none. Rows that are there read NULL in them.
func (l *Lakehouse) AddColumns(ctx context.Context, t *Table, columns []NewColumn) error {
	seen := map[string]bool{}
	for _, c := range columns {
		key := strings.ToLower(strings.Join(append(c.Path[:len(c.Path):len(c.Path)], c.Field.Name), "."))
		if seen[key] {
			return errclass.ColumnAlreadyExists(key)
		}
		seen[key] = true
	}
	return l.alterSchema(ctx, t, func(s *schemaChange) error {
		for _, c := range columns {
			if err := s.add(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// DropColumns drops columns, all or none; ifExists passes over those that are not there.
func (l *Lakehouse) DropColumns(ctx context.Context, t *Table, paths [][]string, ifExists bool) error {
	return l.alterSchema(ctx, t, func(s *schemaChange) error {
		for _, p := range paths {
			f, err := s.find(p)
			if err != nil {
				if ifExists {
					continue
				}
				return err
			}
			s.remove(f)
		}
		return nil
	})
}

// ReplaceColumns drops all columns and adds others, whose rows read NULL until they are written (Spark's REPLACE COLUMNS).
func (l *Lakehouse) ReplaceColumns(ctx context.Context, t *Table, columns []NewColumn) error {
	return l.alterSchema(ctx, t, func(s *schemaChange) error {
		s.fields = nil
		for _, c := range columns {
			if err := s.add(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetLocation says where a table's files go from now on; those that are there stay.
func (l *Lakehouse) SetLocation(ctx context.Context, t *Table, location string) error {
	if _, ok := l.folder(t.id); ok {
		return errclass.Unsupported("another location for a table without a catalog")
	}
	location = strings.TrimRight(location, "/")
	if !reachable(location) {
		return errclass.Unsupported("a table at " + location)
	}
	return l.alter(ctx, t, func(_ *attempt, b *table.MetadataBuilder) error { return b.SetLoc(location) })
}

// RenameColumn gives a column another name in the same struct.
func (l *Lakehouse) RenameColumn(ctx context.Context, t *Table, path []string, to string) error {
	return l.alterSchema(ctx, t, func(s *schemaChange) error {
		f, err := s.find(path)
		if err != nil {
			return err
		}
		target := append(path[:len(path)-1:len(path)-1], to)
		if f.among == nil {
			return errclass.Unsupported("renaming " + strings.Join(path, "."))
		}
		if slices.ContainsFunc(*f.among, func(o iceberg.NestedField) bool { return strings.EqualFold(o.Name, to) }) {
			return errclass.FieldExists("rename", target, s.before)
		}
		f.field().Name = to
		return nil
	})
}

// ColumnChange is a new type, comment or place of a column; what is not set stays.
type ColumnChange struct {
	Type    *types.Type
	Comment *string
	First   bool
	After   string
}

// ChangeColumn changes a column, all at once. Types can only be widened: INT to BIGINT, FLOAT to DOUBLE, DECIMAL to more digits.
func (l *Lakehouse) ChangeColumn(ctx context.Context, t *Table, path []string, c ColumnChange) error {
	return l.alterSchema(ctx, t, func(s *schemaChange) error {
		if c.Type != nil {
			if err := s.widen([]string{CatalogName, t.id.Namespace, t.id.Name}, path, *c.Type); err != nil {
				return err
			}
		}
		if c.Comment != nil {
			if err := s.comment(path, *c.Comment); err != nil {
				return err
			}
		}
		if c.First || c.After != "" {
			return s.move(path, c.First, c.After)
		}
		return nil
	})
}

// AlterType widens a column.
func (l *Lakehouse) AlterType(ctx context.Context, t *Table, path []string, to types.Type) error {
	return l.ChangeColumn(ctx, t, path, ColumnChange{Type: &to})
}

// SetColumnComment sets a column's comment.
func (l *Lakehouse) SetColumnComment(ctx context.Context, t *Table, path []string, comment string) error {
	return l.ChangeColumn(ctx, t, path, ColumnChange{Comment: &comment})
}

// MoveColumn puts a column first in its struct, or behind a sibling.
func (l *Lakehouse) MoveColumn(ctx context.Context, t *Table, path []string, first bool, after string) error {
	return l.ChangeColumn(ctx, t, path, ColumnChange{First: first, After: after})
}

// DropNotNull lets a column hold NULL.
func (l *Lakehouse) DropNotNull(ctx context.Context, t *Table, path []string) error {
	return l.alterSchema(ctx, t, func(s *schemaChange) error {
		f, err := s.find(path)
		if err != nil {
			return err
		}
		f.setOptional()
		return nil
	})
}

// canUpCast is Spark's rule for ALTER COLUMN … TYPE: every value must have a place in the new type.
func canUpCast(from, to types.Type) bool {
	switch {
	case from.Equal(to):
		return true
	case to.Kind == types.String:
		return from.Kind <= types.TimestampNTZ // every atomic type has a text
	case from.Kind == types.Decimal && to.Kind == types.Decimal:
		return to.Precision-to.Scale >= from.Precision-from.Scale && to.Scale >= from.Scale
	case from.IsIntegral() && to.Kind == types.Decimal:
		digits := map[types.Kind]int{types.Byte: 3, types.Short: 5, types.Int: 10, types.Long: 20}
		return to.Precision-to.Scale >= digits[from.Kind]
	case from.Kind == types.Decimal && to.IsIntegral():
		return false
	case from.Kind >= types.Byte && from.Kind <= types.Double && to.Kind >= types.Byte && to.Kind <= types.Double:
		return from.Kind <= to.Kind
	case from.Kind == types.Date:
		return to.Kind == types.Timestamp || to.Kind == types.TimestampNTZ
	case from.Kind == types.TimestampNTZ && to.Kind == types.Timestamp, from.Kind == types.Timestamp && to.Kind == types.TimestampNTZ:
		return true
	}
	return false
}

// promotes is Iceberg's rule, format v2.
func promotes(from, to iceberg.Type) bool {
	switch from := from.(type) {
	case iceberg.Int32Type:
		return to.Equals(iceberg.PrimitiveTypes.Int64)
	case iceberg.Float32Type:
		return to.Equals(iceberg.PrimitiveTypes.Float64)
	case iceberg.DecimalType:
		d, ok := to.(iceberg.DecimalType)
		return ok && d.Scale() == from.Scale() && d.Precision() >= from.Precision()
	}
	return false
}

// Alteration is a change of a table's metadata that Alter commits together with others.
type Alteration func(*attempt, *table.MetadataBuilder) error

// Alter makes several changes in one commit, all or none.
func (l *Lakehouse) Alter(ctx context.Context, t *Table, changes ...Alteration) error {
	return l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		for _, change := range changes {
			if err := change(a, b); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetProperties sets table properties.
func (l *Lakehouse) SetProperties(ctx context.Context, t *Table, properties map[string]string) error {
	return l.Alter(ctx, t, Setting(properties))
}

// Setting sets table properties.
func Setting(properties map[string]string) Alteration {
	return func(a *attempt, b *table.MetadataBuilder) error {
		if err := settable(properties, a.base.Version()); err != nil {
			return err
		}
		for _, k := range []string{"write.metadata.previous-versions-max", "write.metadata.metrics.max-inferred-column-defaults"} { // Java reads them at once
			if err := checkNumbers(properties, k); err != nil {
				return errclass.TableChange("%s", err)
			}
		}
		if v, ok := properties["format-version"]; ok {
			if err := b.SetFormatVersion(int(whole(v))); err != nil {
				return err
			}
		}
		set := iceberg.Properties{}
		for k, v := range properties {
			if old, ok := a.base.Properties()[k]; (!ok || old != v) && k != "format-version" {
				set[k] = v
			}
		}
		if len(set) == 0 {
			return nil
		}
		if err := checkMetricsColumns(a.base.CurrentSchema(), set); err != nil {
			return err
		}
		return b.SetProperties(set)
	}
}

// settable refuses properties that a table of a format version cannot be given.
func settable(properties map[string]string, version int) error {
	for k, v := range properties {
		switch k {
		case "format-version":
			if n, err := strconv.Atoi(v); err != nil {
				return errclass.TableChange("For input string: %q", v)
			} else if n < version {
				return errclass.TableChange("Cannot downgrade v%d table to v%d", version, n)
			} else if n > 4 {
				return errclass.TableChange("Cannot upgrade table to unsupported format version: v%d (supported: v4)", n)
			} else if n > 3 {
				return errclass.Unsupported("tables of format version " + v)
			}
		case "current-snapshot-id", "sort-order", "cherry-pick-snapshot-id", "location":
			return errclass.Unsupported("SET TBLPROPERTIES ('" + k + "')")
		}
	}
	return nil
}

// UnsetProperties removes table properties; like Iceberg's catalog it does not mind those that are not set, whatever ifExists says.
func (l *Lakehouse) UnsetProperties(ctx context.Context, t *Table, keys []string, _ bool) error {
	return l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		keys := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { _, ok := a.base.Properties()[k]; return !ok })
		if len(keys) == 0 {
			return nil
		}
		return b.RemoveProperties(keys)
	})
}

// alter commits a change of an existing table; a change that leaves the builder as it was commits nothing.
func (l *Lakehouse) alter(ctx context.Context, t *Table, change func(*attempt, *table.MetadataBuilder) error) error {
	return l.commit(ctx, t.id, func(a *attempt) (*table.MetadataBuilder, error) {
		if a.base == nil {
			return nil, fmt.Errorf("%w: %s", ErrNoTable, t.id)
		}
		b, err := a.builder()
		if err != nil {
			return nil, err
		}
		if err := change(a, b); err != nil || !b.HasChanges() {
			return nil, err
		}
		return b, nil
	})
}

func (l *Lakehouse) alterSchema(ctx context.Context, t *Table, change func(*schemaChange) error) error {
	return l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		current := a.base.CurrentSchema()
		s := &schemaChange{fields: current.Fields(), before: structOf(current.Fields()), next: counter(a.base.LastColumnID())}
		if err := change(s); err != nil {
			return err
		}
		next := iceberg.NewSchemaWithIdentifiers(0, current.IdentifierFieldIDs, s.fields...)
		if next.Equals(current) {
			return nil
		}
		if why := keepsIdentifier(current, next); why != "" {
			return errclass.TableChange("%s", why)
		}
		spec := a.base.PartitionSpec()
		for _, f := range spec.Fields() {
			if _, ok := next.FindFieldByID(f.SourceID()); !ok {
				return errclass.Validation("Cannot find source column for partition field: %s", f.String())
			}
		}
		order := a.base.SortOrder()
		for _, f := range order.Fields() {
			if _, ok := next.FindFieldByID(f.SourceID()); !ok {
				return errclass.Validation("Cannot find source column for sort field: %s(%d) %s %s", f.Transform, f.SourceID(), strings.ToUpper(string(f.Direction)),
					strings.ToUpper(strings.ReplaceAll(string(f.NullOrder), "-", " ")))
			}
		}
		for _, spec := range a.base.PartitionSpecs() {
			for _, p := range spec.Fields() {
				if f, ok := next.FindFieldByName(p.Name); ok && f.ID != p.SourceID() {
					return errclass.TableChange("Cannot create identity partition sourced from different field in schema: %s", p.Name)
				}
			}
		}
		if mapping := a.base.NameMapping(); len(mapping) > 0 {
			mapping, err := evolved(mapping, current, next)
			if err != nil {
				return err
			}
			if err := b.SetProperties(iceberg.Properties{nameMappingKey: printMapping(mapping)}); err != nil {
				return err
			}
		}
		if err := b.AddSchema(next); err != nil {
			return err
		}
		return b.SetCurrentSchemaID(-1)
	})
}
