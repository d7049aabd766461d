package lake

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
)

// TestEncodeMetadata compares with what iceberg-go makes of the same metadata, from an empty table to one with several snapshots, each commit
// built on the one before.
func TestEncodeMetadata(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, version := range []int{2, 3} {
		schema := iceberg.NewSchema(0, iceberg.NestedField{ID: 1, Name: "k <&> \u2028", Type: iceberg.PrimitiveTypes.Int64})
		b, err := table.NewMetadataBuilder(version)
		must(err)
		must(each([]func() error{
			func() error { return b.SetUUID(uuid.New()) },
			func() error { return b.AddSchema(schema) },
			func() error { return b.SetCurrentSchemaID(-1) },
			func() error { return b.AddSortOrder(&table.UnsortedSortOrder) },
			func() error { return b.SetDefaultSortOrderID(-1) },
			func() error { return b.AddPartitionSpec(iceberg.UnpartitionedSpec, true) },
			func() error { return b.SetDefaultSpecID(-1) },
			func() error { return b.SetLoc("/a b/<c>") },
			func() error { return b.SetProperties(iceberg.Properties{"x": "<y>"}) },
		}))
		var base *metadata
		for n := int64(0); n < 4; n++ {
			m, err := b.Build()
			must(err)
			text, snapshots, err := encodeMetadata(m, base)
			must(err)
			plain, err := json.Marshal(m)
			must(err)
			var got, want any
			must(json.Unmarshal(text, &got))
			must(json.Unmarshal(plain, &want))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("version %d, %d snapshots:\n%s\nbut iceberg-go writes\n%s", version, n, text, plain)
			}
			if int64(len(snapshots)) != n {
				t.Errorf("version %d: the texts of %d snapshots are kept, of %d", version, len(snapshots), n)
			}
			if _, err := table.ParseMetadataBytes(text); err != nil {
				t.Error(err)
			}
			if base != nil {
				for id, s := range base.snapshots {
					if &s[0] != &snapshots[id][0] {
						t.Errorf("version %d: snapshot %d was encoded anew", version, id)
					}
				}
			}
			base = &metadata{Metadata: m, location: fmt.Sprintf("/m%d.metadata.json", n), snapshots: snapshots}
			b, err = table.MetadataBuilderFromBase(m, base.location)
			must(err)
			var parent *int64
			if n > 0 {
				p := n + 99
				parent = &p
			}
			first, rows := n, int64(1)
			s := table.Snapshot{SnapshotID: 100 + n, ParentSnapshotID: parent, SequenceNumber: n + 1, TimestampMs: m.LastUpdatedMillis() + n + 1, ManifestList: "/l<>" + fmt.Sprint(n),
				SchemaID: &schema.ID, Summary: &table.Summary{Operation: table.OpAppend, Properties: iceberg.Properties{"added": "<&>"}}}
			if version == 3 {
				s.FirstRowID, s.AddedRows = &first, &rows
			}
			must(b.AddSnapshot(&s))
			must(b.SetSnapshotRef(table.MainBranch, s.SnapshotID, table.BranchRef))
		}
	}
}
