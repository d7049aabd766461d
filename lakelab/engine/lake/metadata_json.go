package lake

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/apache/iceberg-go/table"
)

// encodeMetadata is metadata as JSON, with the text of each snapshot. A table that is written in many small commits has many snapshots, which
// never change: the texts of those that base (nil: there is none) has come from there, so that a commit does not encode all of them anew.
func encodeMetadata(m table.Metadata, base *metadata) (text []byte, snapshots map[int64][]byte, err error) {
	rest, ok := withoutSnapshots(m)
	if !ok {
		text, err = json.Marshal(m)
		return text, nil, err
	}
	if text, err = json.Marshal(rest); err != nil {
		return nil, nil, err
	}
	snapshots = map[int64][]byte{}
	var b bytes.Buffer
	for _, s := range m.Snapshots() {
		one := base.snapshotText(s.SnapshotID)
		if one == nil {
			if one, err = json.Marshal(s); err != nil {
				return nil, nil, err
			}
		}
		snapshots[s.SnapshotID] = one
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.Write(one)
	}
	if b.Len() == 0 {
		return text, snapshots, nil
	}
	last := len(text) - 1 // the closing brace
	return append(append(append(text[:last:last], `,"snapshots":[`...), b.Bytes()...), "]}"...), snapshots, nil
}

// snapshotText is a snapshot's text in the metadata's file, if it is known.
func (m *metadata) snapshotText(id int64) []byte {
	if m == nil {
		return nil
	}
	return m.snapshots[id]
}

// withoutSnapshots is a copy of metadata that has none, to be encoded only. iceberg-go has no way to make one, so it is made by reflection;
// false if its types are not as expected, for then all is encoded by iceberg-go.
func withoutSnapshots(m table.Metadata) (table.Metadata, bool) {
	v := reflect.ValueOf(m)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct || m.Version() < 2 {
		return nil, false
	}
	out := reflect.New(v.Elem().Type())
	out.Elem().Set(v.Elem())
	list, later := out.Elem().FieldByName("SnapshotList"), out.Elem().FieldByName("deferredSnapshots")
	if !list.IsValid() || !list.CanSet() || !later.IsValid() || later.Kind() != reflect.Pointer || !later.IsNil() {
		return nil, false
	}
	list.SetZero()
	copied, ok := out.Interface().(table.Metadata)
	return copied, ok
}
