package lake

import (
	"slices"
	"strings"

	"github.com/apache/iceberg-go"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/types"
)

// schemaChange is a schema that is being changed in place. Fields() of a schema are copies, so nothing shared is touched.
type schemaChange struct {
	fields []iceberg.NestedField
	before types.Type // for messages: the table as it was
	next   func() int // gives field ids
}

// place is a field's place: one of a struct's fields, or a list's element or a map's value (then among is nil).
type place struct {
	among *[]iceberg.NestedField
	at    int
	list  *iceberg.ListType
	dict  *iceberg.MapType
	key   bool
}

func (p place) field() *iceberg.NestedField { return &(*p.among)[p.at] }

func (p place) typ() iceberg.Type {
	switch {
	case p.list != nil:
		return p.list.Element
	case p.dict != nil && p.key:
		return p.dict.KeyType
	case p.dict != nil:
		return p.dict.ValueType
	}
	return p.field().Type
}

func (p place) setType(t iceberg.Type) {
	switch {
	case p.list != nil:
		p.list.Element = t
	case p.dict != nil && p.key:
		p.dict.KeyType = t
	case p.dict != nil:
		p.dict.ValueType = t
	default:
		p.field().Type = t
	}
}

func (p place) setOptional() {
	switch {
	case p.list != nil:
		p.list.ElementRequired = false
	case p.dict != nil && !p.key:
		p.dict.ValueRequired = false
	case p.among != nil:
		p.field().Required = false
	}
}

// find finds a field by its path; a path through lists and maps names `element`, `key` and `value`.
func (s *schemaChange) find(path []string) (place, error) {
	missing := errclass.FieldUnresolved(path, s.before)
	p, ok := child(place{among: &s.fields, at: -1}, nil, path[0])
	for _, name := range path[1:] {
		if !ok {
			return p, missing
		}
		p, ok = child(p, p.typ(), name)
	}
	if !ok {
		return p, missing
	}
	return p, nil
}

// child enters a type; a nil type means the table's own fields, which parent.among holds.
func child(parent place, t iceberg.Type, name string) (place, bool) {
	among := parent.among
	switch t := t.(type) {
	case nil:
	case *iceberg.StructType:
		among = &t.FieldList
	case *iceberg.ListType:
		return place{list: t}, strings.EqualFold(name, "element")
	case *iceberg.MapType:
		if strings.EqualFold(name, "key") {
			return place{dict: t, key: true}, true
		}
		return place{dict: t}, strings.EqualFold(name, "value")
	default:
		return parent, false
	}
	at := slices.IndexFunc(*among, func(f iceberg.NestedField) bool { return f.Name == name })
	if at < 0 {
		at = slices.IndexFunc(*among, func(f iceberg.NestedField) bool { return strings.EqualFold(f.Name, name) })
	}
	return place{among: among, at: at}, at >= 0
}

func (s *schemaChange) remove(p place) {
	if p.among != nil {
		*p.among = slices.Delete(slices.Clone(*p.among), p.at, p.at+1)
	}
}

// add adds a column, with its checks in Spark's order.
func (s *schemaChange) add(c NewColumn) error {
	path := append(c.Path[:len(c.Path):len(c.Path)], c.Field.Name)
	among := &s.fields
	if len(c.Path) > 0 {
		p, err := s.find(c.Path)
		if err != nil {
			return errclass.FieldUnresolved(c.Path, s.before)
		}
		st, ok := p.typ().(*iceberg.StructType)
		if !ok {
			return errclass.NotAStruct(path)
		}
		among = &st.FieldList
	}
	if slices.ContainsFunc(*among, func(f iceberg.NestedField) bool { return strings.EqualFold(f.Name, c.Field.Name) }) {
		return errclass.FieldExists("add", path, s.before)
	}
	at, ok := position(*among, c.First, c.After)
	if !ok {
		return errclass.NoFieldAfter(c.Field.Name, structOf(*among))
	}
	if !c.Field.Nullable {
		return errclass.AddRequiredColumn(path)
	}
	added, err := (&idAssigner{next: s.next}).fields(types.StructOf(c.Field), "")
	if err != nil {
		return err
	}
	*among = slices.Insert(slices.Clone(*among), at, added[0])
	return nil
}

// position is where a column goes; false if the one it should follow is not there.
func position(fields []iceberg.NestedField, first bool, after string) (int, bool) {
	if first {
		return 0, true
	}
	if after == "" {
		return len(fields), true
	}
	at := slices.IndexFunc(fields, func(f iceberg.NestedField) bool { return strings.EqualFold(f.Name, after) })
	return at + 1, at >= 0
}

// widen gives a field another type, with Spark's checks and then Iceberg's.
func (s *schemaChange) widen(table, path []string, to types.Type) error {
	f, err := s.find(path)
	if err != nil {
		return err
	}
	from := typeOf(f.typ())
	if from.Equal(to) {
		return nil
	}
	if to.Kind == types.Struct || to.Kind == types.Array || to.Kind == types.Map {
		if from.Kind == to.Kind {
			return errclass.UpdateNested(table, path, from.Kind)
		}
	}
	if !canUpCast(from, to) {
		return errclass.ChangeColumnType(table, path, from, to)
	}
	next, err := (&idAssigner{next: s.next}).typ(to, "")
	if err != nil {
		return err
	}
	if !promotes(f.typ(), next) {
		return errclass.PromoteColumnType(path, f.typ().String(), next.String())
	}
	f.setType(next)
	return nil
}

func (s *schemaChange) comment(path []string, comment string) error {
	f, err := s.find(path)
	if err != nil {
		return err
	}
	if f.among == nil {
		return errclass.Unsupported("a comment on " + strings.Join(path, "."))
	}
	f.field().Doc = comment
	return nil
}

func (s *schemaChange) move(path []string, first bool, after string) error {
	f, err := s.find(path)
	if err != nil {
		return err
	}
	if f.among == nil {
		return errclass.Unsupported("moving " + strings.Join(path, "."))
	}
	moved := *f.field()
	rest := slices.Delete(slices.Clone(*f.among), f.at, f.at+1)
	at, ok := position(rest, first, after)
	if !ok {
		return errclass.FieldUnresolved(append(path[:len(path)-1:len(path)-1], after), s.before)
	}
	*f.among = slices.Insert(rest, at, moved)
	return nil
}
