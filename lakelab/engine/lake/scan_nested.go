package lake

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/apache/iceberg-go"
)

// DuckDB finds a file's columns by field id but what is inside structs by name. So where a nested field has been renamed (or a
// name now means another field), the names that a file was written with are read from its footer, the column is read under
// those, and remap gives the fields their places by id.

// layout is the names of a data file's fields, by id.
type layout struct {
	names map[int]string
	types map[int]schema.Node
	key   string // equal for files with equal names
	// plain is a file without field ids, whose columns are found by the table's name mapping or by their places.
	plain bool
	// clash is a file whose columns can't be told apart by their names, or have names that a scan gives to others.
	clash bool
}

// group cuts files into runs that one read_parquet can read.
func (c *cache) group(m *metadata, s *iceberg.Schema, fields []iceberg.NestedField, files []iceberg.DataFile) ([]fileGroup, error) {
	renamed, mapping := nestedNamesDiffer(m, s, fields), m.NameMapping()
	plain := false // files without field ids come from other writers; where the first and the last have them, all have
	for _, i := range []int{0, len(files) - 1} {
		if renamed || len(mapping) > 0 || plain || len(files) == 0 {
			break
		}
		l, err := c.layout(files[i].FilePath(), nil)
		if err != nil {
			return nil, err
		}
		plain = l.plain
	}
	if err := c.checkTypes(m, mapping, fields, files); err != nil {
		return nil, err
	}
	var groups []fileGroup
	for _, f := range files {
		var l *layout
		if renamed || plain || len(mapping) > 0 {
			var err error
			if l, err = c.layout(f.FilePath(), mapping); err != nil {
				return nil, err
			}
			if !renamed && !l.plain {
				l = nil
			}
		}
		if n := len(groups); n > 0 && (l == nil) == (groups[n-1].layout == nil) && (l == nil || groups[n-1].layout.key == l.key) {
			groups[n-1].files = append(groups[n-1].files, f)
			continue
		}
		groups = append(groups, fileGroup{files: []iceberg.DataFile{f}, layout: l, meta: m})
	}
	for i, g := range groups {
		if len(g.files) > 1 || g.layout != nil && g.layout.plain {
			continue
		}
		l, err := c.layout(g.files[0].FilePath(), mapping)
		if err != nil {
			return nil, err
		}
		if !l.clash {
			groups[i].own = l
		}
	}
	return groups, nil
}

// nestedNamesDiffer reports whether any schema that the table ever had gives one of the nested fields another name, or one of their
// names to another field; whether a nested field has a default, which files without it must be known for; or whether one may have no field in
// common with the table's.
func nestedNamesDiffer(m *metadata, s *iceberg.Schema, fields []iceberg.NestedField) bool {
	now, paths := map[int]string{}, map[string]int{}
	for _, f := range fields {
		nestedPaths(f.Type, fmt.Sprint(f.ID), func(id int, path string) { now[id], paths[path] = path, id })
	}
	differ := nestedDefault(fields, false)
	for _, other := range m.Schemas() {
		for _, f := range other.Fields() {
			if here, ok := s.FindFieldByID(f.ID); ok && !differ {
				differ = strangers(f.Type, here.Type)
			}
			nestedPaths(f.Type, fmt.Sprint(f.ID), func(id int, path string) {
				p, known := now[id]
				i, taken := paths[path]
				differ = differ || known && p != path || taken && i != id
			})
		}
	}
	return differ
}

// strangers reports whether two types of one field, or of a field inside of it, have fields but none in common.
func strangers(a, b iceberg.Type) bool {
	x, ok := a.(iceberg.NestedType)
	y, also := b.(iceberg.NestedType)
	if !ok || !also {
		return false
	}
	shared := false
	for _, f := range x.Fields() {
		for _, g := range y.Fields() {
			if f.ID == g.ID {
				shared = true
				if strangers(f.Type, g.Type) {
					return true
				}
			}
		}
	}
	return !shared && len(x.Fields()) > 0 && len(y.Fields()) > 0
}

// nestedDefault reports whether a field inside of fields, or one of themselves, has an initial default.
func nestedDefault(fields []iceberg.NestedField, themselves bool) bool {
	return slices.ContainsFunc(fields, func(f iceberg.NestedField) bool {
		n, ok := f.Type.(iceberg.NestedType)
		return themselves && f.InitialDefault != nil || ok && nestedDefault(n.Fields(), true)
	})
}

func nestedPaths(t iceberg.Type, prefix string, visit func(id int, path string)) {
	n, ok := t.(iceberg.NestedType)
	if !ok {
		return
	}
	for _, f := range n.Fields() {
		p := prefix + "." + quote(f.Name)
		visit(f.ID, p)
		nestedPaths(f.Type, p, visit)
	}
}

// layout reads the names of a file's fields; the fields of a file without ids get them from a name mapping or, if there is none, the columns
// from their places.
func (c *cache) layout(path string, mapping iceberg.NameMapping) (*layout, error) {
	return c.layouts.get(path+"\x00"+mapping.String(), func() (*layout, error) {
		f, err := guarded(path, func() (*file.Reader, error) { return file.OpenParquetFile(localPath(path), false) })
		if err != nil {
			return nil, fmt.Errorf("read the footer of %s: %w", path, err)
		}
		defer f.Close()
		l := &layout{names: map[int]string{}, types: map[int]schema.Node{}}
		var key strings.Builder
		var walk func(n schema.Node)
		walk = func(n schema.Node) {
			if id := int(n.FieldID()); id >= 0 {
				l.names[id], l.types[id] = n.Name(), n
				fmt.Fprintf(&key, "%d=%q;", id, n.Name())
			}
			if g, ok := n.(*schema.GroupNode); ok {
				for i := range g.NumFields() {
					walk(g.Field(i))
				}
			}
		}
		root := f.MetaData().Schema.Root()
		walk(root)
		taken := map[string]bool{fileColumn: true, "file_row_number": true}
		for i := range root.NumFields() {
			name := strings.ToLower(root.Field(i).Name())
			l.clash, taken[name] = l.clash || taken[name], true
		}
		if len(l.names) == 0 {
			l.plain = true
			key.WriteString("plain;")
			if len(mapping) > 0 {
				l.mapped(root, mapping, &key)
			} else {
				l.counted(root, &key)
			}
		}
		l.key = key.String()
		return l, nil
	})
}

// stored is a column's type with the names that the file has, without the fields it does not have or that hold no values; nil if nothing of the
// column's values is in the file.
func (l *layout) stored(f iceberg.NestedField) iceberg.Type {
	t := solid(f.Type)
	if _, ok := l.names[f.ID]; ok { // else the whole column reads NULL
		t = l.inFile(t)
	}
	if hollow(t) {
		return nil
	}
	return solid(t)
}

func (l *layout) inFile(t iceberg.Type) iceberg.Type {
	switch t := t.(type) {
	case *iceberg.StructType:
		s := &iceberg.StructType{}
		for _, f := range t.FieldList {
			if name, ok := l.names[f.ID]; ok {
				f.Name, f.Type = name, l.inFile(f.Type)
				s.FieldList = append(s.FieldList, f)
			}
		}
		return s
	case *iceberg.ListType:
		c := *t
		c.Element = l.inFile(t.Element)
		return &c
	case *iceberg.MapType:
		c := *t
		c.KeyType, c.ValueType = l.inFile(t.KeyType), l.inFile(t.ValueType)
		return &c
	}
	return t
}

// remap is a DuckDB expression that turns x, of a file's type, into the schema's type by field id. depth numbers lambda parameters; leaf
// converts what is not nested, nil if it has the schema's types.
func remap(x string, from, to iceberg.Type, depth int, leaf func(string, iceberg.Type) string) string {
	e := fmt.Sprintf("e%d", depth)
	switch to := to.(type) {
	case *iceberg.StructType:
		have := map[int]iceberg.NestedField{}
		for _, f := range from.(*iceberg.StructType).FieldList {
			have[f.ID] = f
		}
		parts := make([]string, len(to.FieldList))
		for i, f := range to.FieldList {
			v := typed(f.Type, initialDefault(f, f.Type))
			if h, ok := have[f.ID]; ok {
				v = remap(x+"."+quote(h.Name), h.Type, f.Type, depth, leaf)
			}
			parts[i] = quote(f.Name) + " := " + v
		}
		return "CASE WHEN " + x + " IS NOT NULL THEN struct_pack(" + strings.Join(parts, ", ") + ") END"
	case *iceberg.ListType:
		return fmt.Sprintf("list_transform(%s, lambda %s: %s)", x, e, remap(e, from.(*iceberg.ListType).Element, to.Element, depth+1, leaf))
	case *iceberg.MapType:
		f := from.(*iceberg.MapType)
		return fmt.Sprintf("map_from_entries(list_transform(map_entries(%s), lambda %s: struct_pack(key := %s, value := %s)))", x, e,
			remap(e+".key", f.KeyType, to.KeyType, depth+1, leaf), remap(e+".value", f.ValueType, to.ValueType, depth+1, leaf))
	}
	if leaf != nil {
		return leaf(x, to)
	}
	return x
}
