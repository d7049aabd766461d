package lake

import (
	"encoding/json"
	"reflect"

	"github.com/apache/iceberg-go/table"
)

// encodeMetadata is metadata as JSON, with the text of each snapshot. A table that is written in many small commits has many snapshots, which
// never change: the texts of those that base (nil: there is none) has come from there, so that a commit does not encode all of them anew.
func encodeMetadata(m table.Metadata, base *metadata) (text []byte, snapshots map[int64][]byte, err error) {
	rest, list, ok := withoutSnapshots(m)
	if !ok {
		text, err = json.Marshal(m)
		return text, nil, err
	}
	if whole, ok := rest.(json.Marshaler); ok { // asked itself, its text is not read once more
		text, err = whole.MarshalJSON()
	} else {
		text, err = json.Marshal(rest)
	}
	if err != nil {
		return nil, nil, err
	}
	const begin, end = `,"snapshots":[`, "]}"
	snapshots = make(map[int64][]byte, len(list))
	texts, size := make([][]byte, len(list)), len(text)+len(begin)+len(end)+len(list)
	for i, s := range list {
		one := base.snapshotText(s.SnapshotID)
		if one == nil {
			if one, err = json.Marshal(s); err != nil {
				return nil, nil, err
			}
		}
		snapshots[s.SnapshotID], texts[i] = one, one
		size += len(one)
	}
	if len(list) == 0 {
		return text, snapshots, nil
	}
	whole := make([]byte, 0, size)
	whole = append(append(whole, text[:len(text)-1]...), begin...) // without the closing brace
	for i, one := range texts {
		if i > 0 {
			whole = append(whole, ',')
		}
		whole = append(whole, one...)
	}
	return append(whole, end...), snapshots, nil
}

// snapshotText is a snapshot's text in the metadata's file, if it is known.
func (m *metadata) snapshotText(id int64) []byte {
	if m == nil {
		return nil
	}
	return m.snapshots[id]
}

// withoutSnapshots is a copy of metadata that has none, to be encoded only, and the snapshots, which are not to be changed. iceberg-go has no
// way to make one, and copies all snapshots for whoever asks, so reflection is used; false if its types are not as expected, for then all is
// encoded by iceberg-go.
func withoutSnapshots(m table.Metadata) (table.Metadata, []table.Snapshot, bool) {
	v := reflect.ValueOf(m)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct || m.Version() < 2 {
		return nil, nil, false
	}
	out := reflect.New(v.Elem().Type())
	out.Elem().Set(v.Elem())
	list, later := out.Elem().FieldByName("SnapshotList"), out.Elem().FieldByName("deferredSnapshots")
	if !list.IsValid() || !list.CanSet() || !later.IsValid() || later.Kind() != reflect.Pointer || !later.IsNil() {
		return nil, nil, false
	}
	snapshots, ok := list.Interface().([]table.Snapshot)
	if !ok {
		return nil, nil, false
	}
	list.SetZero()
	copied, ok := out.Interface().(table.Metadata)
	return copied, snapshots, ok
}
