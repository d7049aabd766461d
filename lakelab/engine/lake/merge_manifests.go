package lake

import (
	"context"
	"fmt"
	"slices"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
)

// merge puts small manifests together, so that a table that is written in many small commits keeps few of them (Iceberg's table properties
// commit.manifest-merge.enabled, commit.manifest.min-count-to-merge and commit.manifest.target-size-bytes). Like Java it packs manifests
// of one content and spec from the oldest on; the bin with the newest one is left alone until it has enough.
func (c *change) merge(ctx context.Context, l *Lakehouse, a *attempt, b *table.MetadataBuilder, location string, version int, list []iceberg.ManifestFile) ([]iceberg.ManifestFile, error) {
	props := a.base.Properties()
	least := props.GetInt("commit.manifest.min-count-to-merge", 100)
	if props.Get("commit.manifest-merge.enabled", "true") != "true" || writingOf(ctx).KeepManifests || len(list) < 2 || len(list) < least && c.small(list, props) {
		return list, nil
	}
	target := int64(props.GetInt("commit.manifest.target-size-bytes", 8_388_608))
	var out []iceberg.ManifestFile
	for _, bin := range bins(list, target) {
		if len(bin) == 1 || c.newest(bin) && len(bin) < least {
			out = append(out, bin...)
			continue
		}
		m, err := c.mergeBin(ctx, l, a, b, location, version, bin)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
		for _, old := range bin {
			if old.SnapshotID() == c.snapshot {
				a.stale = append(a.stale, old.FilePath())
			}
		}
	}
	return out, nil
}

// small reports whether all manifests fit into one bin, so that only their number can make a merge worth while.
func (c *change) small(list []iceberg.ManifestFile, props iceberg.Properties) bool {
	size := int64(0)
	for _, m := range list {
		size += m.Length()
	}
	return size < int64(props.GetInt("commit.manifest.target-size-bytes", 8_388_608))
}

// newest reports whether a bin holds a manifest of this change.
func (c *change) newest(bin []iceberg.ManifestFile) bool {
	return slices.ContainsFunc(bin, func(m iceberg.ManifestFile) bool { return m.SnapshotID() == c.snapshot })
}

// bins packs manifests of one content and spec, those at the end first, into bins of at most target bytes; the order stays.
func bins(list []iceberg.ManifestFile, target int64) [][]iceberg.ManifestFile {
	type key struct {
		content iceberg.ManifestContent
		spec    int32
	}
	groups := map[key][]iceberg.ManifestFile{}
	var keys []key
	for _, m := range list {
		k := key{m.ManifestContent(), m.PartitionSpecID()}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], m)
	}
	var out [][]iceberg.ManifestFile
	for _, k := range keys {
		var packed [][]iceberg.ManifestFile
		var bin []iceberg.ManifestFile
		size := int64(0)
		for _, m := range slices.Backward(groups[k]) {
			if len(bin) > 0 && size+m.Length() > target {
				packed, bin, size = append(packed, bin), nil, 0
			}
			bin, size = append(bin, m), size+m.Length()
		}
		packed = append(packed, bin)
		for _, p := range slices.Backward(packed) {
			slices.Reverse(p)
			out = append(out, p)
		}
	}
	return out
}

// mergeBin writes one manifest for several. Entries of files that earlier snapshots deleted are left out.
func (c *change) mergeBin(ctx context.Context, l *Lakehouse, a *attempt, b *table.MetadataBuilder, location string, version int, bin []iceberg.ManifestFile) (iceberg.ManifestFile, error) {
	spec, err := b.GetSpecByID(int(bin[0].PartitionSpecID()))
	if err != nil {
		return nil, err
	}
	path := join(location, "metadata", fmt.Sprintf("%s-m0.avro", uuid.New()))
	m, err := c.manifest(path, version, *spec, a.base.schemaFor(*spec), bin[0].ManifestContent(), func(w *iceberg.ManifestWriter) error {
		for _, old := range bin {
			if err := ctx.Err(); err != nil {
				return err
			}
			read := l.cache.manifest
			if old.SnapshotID() == c.snapshot {
				read = entriesOf // not kept: their sequence number comes with the commit
			}
			entries, err := read(old)
			if err != nil {
				return err
			}
			for _, e := range entries {
				mine := e.SnapshotID() == c.snapshot
				switch {
				case e.Status() == iceberg.EntryStatusDELETED && mine:
					err = w.Delete(e)
				case e.Status() == iceberg.EntryStatusDELETED:
				case e.Status() == iceberg.EntryStatusADDED && mine:
					err = w.Add(iceberg.NewManifestEntry(iceberg.EntryStatusADDED, &c.snapshot, nil, nil, e.DataFile()))
				default:
					err = w.Existing(e)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		a.files = append(a.files, path)
	}
	return m, err
}
