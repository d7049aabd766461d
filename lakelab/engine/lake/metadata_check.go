package lake

import (
	"fmt"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// checkMetadata refuses metadata that iceberg-go reads but nobody can work with: fields whose ids no file can have, snapshots that don't say what
// they consist of, and those that grew from themselves, whose history would have no end.
func checkMetadata(m table.Metadata) error {
	for _, s := range m.Schemas() {
		var err error
		eachField(s.Fields(), -1, func(f iceberg.NestedField, _ int) {
			if err == nil && f.ID < 0 {
				err = fmt.Errorf("schema %d: the field %s has the id %d, which is negative", s.ID, f.Name, f.ID)
			}
		})
		if err != nil {
			return err
		}
	}
	parents := map[int64]*int64{}
	for _, s := range m.Snapshots() {
		if s.ManifestList == "" {
			return fmt.Errorf("snapshot %d has no manifest list", s.SnapshotID) // format v1 can list manifests in its place, which is not read here
		}
		parents[s.SnapshotID] = s.ParentSnapshotID
	}
	ends := map[int64]bool{} // snapshots whose history is known to end
	for id := range parents {
		path := map[int64]bool{}
		for at := &id; at != nil && !ends[*at]; at = parents[*at] {
			if path[*at] {
				return fmt.Errorf("snapshot %d is its own ancestor", *at)
			}
			path[*at] = true
		}
		for at := range path {
			ends[at] = true
		}
	}
	return nil
}

// maxDepth is how deep a metadata file's objects and lists may lie in each other: as deep as Java's JSON reader goes.
const maxDepth = 1000

// checkDepth refuses JSON that is nested too deep. Decoding scans what is inside a type anew at each of its levels.
func checkDepth(text []byte) error {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("its JSON is nested deeper than %d levels", maxDepth)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}
