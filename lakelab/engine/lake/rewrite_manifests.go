package lake

import (
	"context"
	"fmt"
	"sort"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// RewriteManifests puts the entries of the data and delete manifests of one partition spec (nil: the current one) into few manifests that
// are ordered by partition, so that readers open fewer of them. It returns how many it replaced and wrote.
func (l *Lakehouse) RewriteManifests(ctx context.Context, t *Table, spec *int) (replaced, added int64, err error) {
	err = l.alter(ctx, t, func(a *attempt, b *table.MetadataBuilder) error {
		replaced, added = 0, 0
		parent := a.base.CurrentSnapshot()
		if parent == nil {
			return nil
		}
		if err := l.checkWritable(a.base); err != nil {
			return err
		}
		if err := checkNumbers(a.base.Properties(), append([]string{"commit.manifest.target-size-bytes"}, retryNumbers...)...); err != nil {
			return err
		}
		id := a.base.DefaultPartitionSpec()
		if spec != nil {
			id = *spec
			if a.base.PartitionSpecByID(id) == nil {
				return errclass.IllegalArgument(fmt.Sprintf("Invalid spec id %d", id))
			}
		}
		list, err := l.cache.manifests(parent)
		if err != nil {
			return err
		}
		c := newChange(nil)
		c.procedure = true
		c.operation = func(_, _ tally) table.Operation { return table.OpReplace }
		c.manifests = func() ([]iceberg.ManifestFile, error) {
			var out []iceberg.ManifestFile
			entriesProcessed, keptCount := int64(0), 0
			for _, content := range []iceberg.ManifestContent{iceberg.ManifestContentData, iceberg.ManifestContentDeletes} {
				var kept, old []iceberg.ManifestFile
				size := int64(0)
				for _, m := range list {
					switch {
					case m.ManifestContent() != content:
					case int(m.PartitionSpecID()) != id:
						kept = append(kept, m)
					default:
						old = append(old, m)
						size += m.Length()
					}
				}
				target := max(1, int64(a.base.Properties().GetInt("commit.manifest.target-size-bytes", 8_388_608)))
				n := int((size + target - 1) / target)
				if len(old) == 0 || len(old) == 1 && n == 1 {
					out = append(append(out, old...), kept...)
					keptCount += len(old) + len(kept)
					continue
				}
				made, entries, err := l.clusterManifests(ctx, a, b, c, id, content, old, n)
				if err != nil {
					return nil, err
				}
				replaced += int64(len(old))
				added += int64(len(made))
				entriesProcessed += int64(entries)
				keptCount += len(kept)
				out = append(append(out, made...), kept...)
			}
			c.summary = map[string]string{"manifests-created": fmt.Sprint(added), "manifests-kept": fmt.Sprint(keptCount),
				"manifests-replaced": fmt.Sprint(replaced), "entries-processed": fmt.Sprint(entriesProcessed)}
			return out, nil
		}
		manifests, err := c.manifests()
		if err != nil || replaced == 0 {
			return err
		}
		c.manifests = func() ([]iceberg.ManifestFile, error) { return manifests, nil }
		return c.apply(ctx, l, a, b, a.base.Location(), a.base.Version(), parent)
	})
	return replaced, added, err
}

// clusterManifests writes the live entries of manifests to n new ones, ordered by partition.
func (l *Lakehouse) clusterManifests(ctx context.Context, a *attempt, b *table.MetadataBuilder, c *change, specID int, content iceberg.ManifestContent, old []iceberg.ManifestFile, n int) ([]iceberg.ManifestFile, int, error) {
	var live []iceberg.ManifestEntry
	for _, m := range old {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		entries, err := l.cache.manifest(m)
		if err != nil {
			return nil, 0, err
		}
		for _, e := range entries {
			if e.Status() != iceberg.EntryStatusDELETED {
				live = append(live, e)
			}
		}
	}
	sort.SliceStable(live, func(i, j int) bool { return partitionKey(live[i].DataFile()) < partitionKey(live[j].DataFile()) })
	spec, err := b.GetSpecByID(specID)
	if err != nil {
		return nil, 0, err
	}
	var out []iceberg.ManifestFile
	for i := range n {
		part := live[len(live)*i/n : len(live)*(i+1)/n]
		if len(part) == 0 {
			continue
		}
		path := join(a.base.Location(), "metadata", fmt.Sprintf("optimized-m-%s.avro", uuid.New()))
		m, err := c.manifest(path, a.base.Version(), *spec, a.base.schemaFor(*spec), content, func(w *iceberg.ManifestWriter) error {
			for _, e := range part {
				if err := w.Existing(e); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
		a.files = append(a.files, path)
		out = append(out, m)
	}
	return out, len(live), nil
}
