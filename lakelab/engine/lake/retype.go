package lake

import (
	"context"
	"slices"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// RetypeColumn gives a column the type that Trino's SET DATA TYPE names ("ALTER TABLE" in its documentation): a type is widened as Iceberg
// allows it, and a row becomes another row, in which fields of the same name keep their values and the others come and go.
func (l *Lakehouse) RetypeColumn(ctx context.Context, t *Table, path []string, to types.Type) error {
	return l.alterSchema(ctx, t, func(s *schemaChange) error {
		p, err := s.find(path)
		if err != nil {
			return err
		}
		return s.retype(p, path, to)
	})
}

func (s *schemaChange) retype(p place, path []string, to types.Type) error {
	if row, ok := p.typ().(*iceberg.StructType); ok && to.Kind == types.Struct {
		return s.reshape(row, path, to)
	}
	next, err := (&idAssigner{next: s.next}).typ(to, "")
	if err != nil {
		return err
	}
	_, simple := p.typ().(iceberg.PrimitiveType)
	if _, stays := next.(iceberg.PrimitiveType); !simple || !stays {
		return errclass.TableChange("Cannot change type from %s to %s", p.typ(), next)
	}
	if p.typ().Equals(next) {
		return nil
	}
	if !promotes(p.typ(), next) {
		return errclass.PromoteColumnType(path, p.typ().String(), next.String())
	}
	p.setType(next)
	return nil
}

// reshape makes a struct's fields those of another type, in its order.
func (s *schemaChange) reshape(row *iceberg.StructType, path []string, to types.Type) error {
	fields := make([]iceberg.NestedField, 0, len(to.Fields))
	for _, f := range to.Fields {
		at := slices.IndexFunc(row.FieldList, func(o iceberg.NestedField) bool { return strings.EqualFold(o.Name, f.Name) })
		if at < 0 {
			f.Nullable = true
			added, err := (&idAssigner{next: s.next}).fields(types.StructOf(f), "")
			if err != nil {
				return err
			}
			fields = append(fields, added...)
			continue
		}
		p := place{among: &row.FieldList, at: at}
		if err := s.retype(p, append(path[:len(path):len(path)], row.FieldList[at].Name), f.Type); err != nil {
			return err
		}
		fields = append(fields, row.FieldList[at])
	}
	row.FieldList = fields
	return nil
}
