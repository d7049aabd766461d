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

// Changes of the partition spec (Iceberg's "Partition evolution"): each makes a new spec, and files written before keep theirs.

// AddPartitionField adds a field to the partition spec.
func (l *Lakehouse) AddPartitionField(ctx context.Context, t *Table, f PartitionField) error {
	return l.alterSpec(ctx, t, func(s *specChange) error { return s.add(f, len(s.fields)) })
}

// DropPartitionField drops a field of the partition spec, given by its name (a plain column) or by its transform.
func (l *Lakehouse) DropPartitionField(ctx context.Context, t *Table, f PartitionField) error {
	return l.alterSpec(ctx, t, func(s *specChange) error {
		_, err := s.drop(f)
		return err
	})
}

// ReplacePartitionField drops a field and adds another.
func (l *Lakehouse) ReplacePartitionField(ctx context.Context, t *Table, old, next PartitionField) error {
	return l.alterSpec(ctx, t, func(s *specChange) error {
		if _, err := s.drop(old); err != nil {
			return err
		}
		return s.add(next, len(s.fields))
	})
}

// PartitionedBy makes a table's partitioning that of some fields; those that it has already stay what they are.
func PartitionedBy(fields []PartitionField) Alteration {
	return alterationOfSpec(func(s *specChange) error {
		var kept []iceberg.PartitionField
		var added []PartitionField
		for _, f := range fields {
			tr, err := f.transform()
			if err != nil {
				return err
			}
			source, err := s.source(f)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(s.fields, func(h iceberg.PartitionField) bool { return h.SourceID() == source.ID && h.Transform.Equals(tr) })
			if i < 0 {
				added = append(added, f)
				continue
			}
			kept = append(kept, s.fields[i])
		}
		s.fields = kept
		for _, f := range added {
			if err := s.add(f, len(s.fields)); err != nil {
				return err
			}
		}
		return nil
	})
}

// specChange is a partition spec that is being changed.
type specChange struct {
	base   *metadata
	schema *iceberg.Schema
	fields []iceberg.PartitionField
	last   int // the highest field id of all specs
}

func (l *Lakehouse) alterSpec(ctx context.Context, t *Table, change func(*specChange) error) error {
	return l.Alter(ctx, t, alterationOfSpec(change))
}

func alterationOfSpec(change func(*specChange) error) Alteration {
	return func(a *attempt, b *table.MetadataBuilder) error {
		s := &specChange{base: a.base, schema: a.base.CurrentSchema(), last: iceberg.PartitionDataIDStart - 1}
		for _, spec := range a.base.PartitionSpecs() {
			s.last = max(s.last, spec.LastAssignedFieldID())
		}
		current := a.base.PartitionSpec()
		for _, f := range current.Fields() {
			s.fields = append(s.fields, f)
		}
		if err := change(s); err != nil {
			return err
		}
		spec := iceberg.NewPartitionSpec(s.fields...)
		id := 0
		for _, old := range a.base.PartitionSpecs() {
			if old.CompatibleWith(&spec) {
				return b.SetDefaultSpecID(old.ID())
			}
			id = max(id, old.ID()+1)
		}
		spec = iceberg.NewPartitionSpecID(id, s.fields...)
		if err := b.AddPartitionSpec(&spec, false); err != nil {
			return err
		}
		return b.SetDefaultSpecID(-1)
	}
}

// term is a transform as Iceberg's messages write it.
func term(f PartitionField, t iceberg.Transform) string {
	ref := fmt.Sprintf("ref(name=%q)", strings.Join(f.Column, "."))
	if f.Transform == "identity" {
		return ref
	}
	return t.String() + "(" + ref + ")"
}

// source finds the column of a partition field; like Iceberg it minds the case.
func (s *specChange) source(f PartitionField) (iceberg.NestedField, error) {
	name := strings.Join(f.Column, ".")
	c, ok := s.schema.FindFieldByName(name)
	if !ok {
		st := s.schema.AsStruct()
		return c, errclass.Validation("Cannot find field '%s' in struct: %s", name, st.String())
	}
	return c, nil
}

func (s *specChange) add(f PartitionField, at int) error {
	t, err := f.transform()
	if err != nil {
		return err
	}
	source, err := s.source(f)
	if err != nil {
		return err
	}
	if _, plain := t.(iceberg.IdentityTransform); !plain && !t.CanTransform(source.Type) { // a new table's has another text
		return errclass.Validation("Cannot bind: %s cannot transform %s values from '%s'", t, source.Type, strings.Join(f.Column, "."))
	}
	p := iceberg.PartitionField{SourceIDs: []int{source.ID}, Name: f.Name, Transform: t}
	given := "null"
	if p.Name != "" {
		given = p.Name
	} else {
		p.Name = evolvedName(f, t)
	}
	for _, o := range s.fields {
		if o.SourceID() == p.SourceID() && o.Transform.Equals(p.Transform) {
			return errclass.IllegalArgument(fmt.Sprintf("Cannot add duplicate partition field %s=%s, conflicts with %s", given, term(f, t), o.String()))
		}
		if o.Name == p.Name {
			return errclass.IllegalArgument("Cannot add duplicate partition field name: " + p.Name)
		}
	}
	if err := checkPartition(p, source, s.schema, nil, 0); err != nil {
		return err
	}
	if p.FieldID = knownPartition(s.base, p); p.FieldID == 0 {
		s.last++
		p.FieldID = s.last
	}
	s.fields = slices.Insert(s.fields, at, p)
	return nil
}

// evolvedName is the name that ALTER TABLE gives a partition field: unlike in CREATE TABLE it has the width.
func evolvedName(f PartitionField, t iceberg.Transform) string {
	column := strings.Join(f.Column, ".")
	switch t := t.(type) {
	case iceberg.IdentityTransform:
		return column
	case iceberg.BucketTransform:
		return fmt.Sprintf("%s_bucket_%d", column, t.NumBuckets)
	case iceberg.TruncateTransform:
		return fmt.Sprintf("%s_trunc_%d", column, t.Width)
	}
	return column + "_" + f.Transform
}

// drop removes a field and returns its place. In format v1 the field stays, without values.
func (s *specChange) drop(f PartitionField) (int, error) {
	t, err := f.transform()
	if err != nil {
		return 0, err
	}
	name := strings.Join(f.Column, ".")
	_, column := s.schema.FindFieldByName(name)
	named := f.Transform == "identity" && !column // as in Spark: a column's name means the column, which may have been renamed
	at := -1
	if named {
		at = slices.IndexFunc(s.fields, func(o iceberg.PartitionField) bool { return o.Name == name })
	} else if source, err := s.source(f); err != nil {
		return 0, err
	} else {
		at = slices.IndexFunc(s.fields, func(o iceberg.PartitionField) bool { return o.SourceID() == source.ID && o.Transform.Equals(t) })
	}
	if at < 0 {
		what := name
		if !named {
			what = term(f, t)
		}
		return 0, errclass.IllegalArgument("Cannot find partition field to remove: " + what)
	}
	if s.base.Version() == 1 {
		s.fields[at].Transform = iceberg.VoidTransform{}
		return at, nil
	}
	s.fields = slices.Delete(s.fields, at, at+1)
	return at, nil
}
