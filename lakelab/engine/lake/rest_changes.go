package lake

import (
	"slices"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// restChanges are the updates that make next of base (nil: a table that is not there) at a REST catalog, and what they require: that
// nothing of what the change was built on has moved meanwhile.
func restChanges(base *metadata, next table.Metadata) ([]table.Requirement, []table.Update) {
	c := &restChange{next: next}
	if base == nil {
		c.create()
	} else {
		c.base = base
		c.alter()
	}
	return c.requirements, c.updates
}

type restChange struct {
	base         *metadata
	next         table.Metadata
	requirements []table.Requirement
	updates      []table.Update
}

func (c *restChange) update(u ...table.Update)       { c.updates = append(c.updates, u...) }
func (c *restChange) require(r ...table.Requirement) { c.requirements = append(c.requirements, r...) }

// create makes the table with its first schema, spec, order and snapshots.
func (c *restChange) create() {
	spec, order := c.next.PartitionSpec(), c.next.SortOrder()
	c.require(table.AssertCreate())
	c.update(table.NewAssignUUIDUpdate(c.next.TableUUID()), table.NewUpgradeFormatVersionUpdate(c.next.Version()),
		table.NewAddSchemaUpdate(c.next.CurrentSchema()), table.NewSetCurrentSchemaUpdate(-1),
		table.NewAddPartitionSpecUpdate(&spec, true), table.NewSetDefaultSpecUpdate(-1),
		table.NewAddSortOrderUpdate(&order), table.NewSetDefaultSortOrderUpdate(-1),
		table.NewSetLocationUpdate(c.next.Location()), table.NewSetPropertiesUpdate(c.next.Properties()))
	for _, s := range c.next.Snapshots() {
		c.update(table.NewAddSnapshotUpdate(&s))
	}
	for name, ref := range c.next.Refs() {
		c.update(refUpdate(name, ref))
	}
}

// alter sends the differences.
func (c *restChange) alter() {
	base, next := c.base, c.next
	c.require(table.AssertTableUUID(base.TableUUID()), table.AssertCurrentSchemaID(base.CurrentSchema().ID), table.AssertLastAssignedFieldID(base.LastColumnID()),
		table.AssertDefaultSpecID(base.DefaultPartitionSpec()), table.AssertDefaultSortOrderID(base.DefaultSortOrder()))
	if id := base.LastPartitionSpecID(); id != nil {
		c.require(table.AssertLastAssignedPartitionID(*id))
	}
	if base.Version() != next.Version() {
		c.update(table.NewUpgradeFormatVersionUpdate(next.Version()))
	}
	c.shape()
	c.properties()
	c.snapshots()
	c.statistics()
	c.unused()
}

// unused sends the schemas and partition specs that are gone (expire_snapshots' clean_expired_metadata).
func (c *restChange) unused() {
	var schemas, specs []int
	for _, s := range c.base.Schemas() {
		if !slices.ContainsFunc(c.next.Schemas(), func(n *iceberg.Schema) bool { return n.ID == s.ID }) {
			schemas = append(schemas, s.ID)
		}
	}
	for _, s := range c.base.PartitionSpecs() {
		if c.next.PartitionSpecByID(s.ID()) == nil {
			specs = append(specs, s.ID())
		}
	}
	if len(schemas) > 0 {
		c.update(table.NewRemoveSchemasUpdate(schemas))
	}
	if len(specs) > 0 {
		c.update(table.NewRemoveSpecUpdate(specs))
	}
}

// shape sends schemas, partition specs, sort orders and the location.
func (c *restChange) shape() {
	base, next := c.base, c.next
	for _, s := range next.Schemas() {
		if base.schemaOf(s.ID) == nil {
			c.update(table.NewAddSchemaUpdate(s))
		}
	}
	if id := next.CurrentSchema().ID; id != base.CurrentSchema().ID {
		c.update(table.NewSetCurrentSchemaUpdate(id))
	}
	for _, s := range next.PartitionSpecs() {
		if base.PartitionSpecByID(s.ID()) == nil {
			c.update(table.NewAddPartitionSpecUpdate(&s, false))
		}
	}
	if id := next.DefaultPartitionSpec(); id != base.DefaultPartitionSpec() {
		c.update(table.NewSetDefaultSpecUpdate(id))
	}
	for _, o := range next.SortOrders() {
		if !slices.ContainsFunc(base.SortOrders(), func(b table.SortOrder) bool { return b.OrderID() == o.OrderID() }) {
			c.update(table.NewAddSortOrderUpdate(&o))
		}
	}
	if id := next.DefaultSortOrder(); id != base.DefaultSortOrder() {
		c.update(table.NewSetDefaultSortOrderUpdate(id))
	}
	if next.Location() != base.Location() {
		c.update(table.NewSetLocationUpdate(next.Location()))
	}
}

// properties sends those that are new, changed or gone.
func (c *restChange) properties() {
	set, gone := iceberg.Properties{}, []string(nil)
	before, after := c.base.Properties(), c.next.Properties()
	for k, v := range after {
		if old, ok := before[k]; !ok || old != v {
			set[k] = v
		}
	}
	for k := range before {
		if _, ok := after[k]; !ok {
			gone = append(gone, k)
		}
	}
	if len(set) > 0 {
		c.update(table.NewSetPropertiesUpdate(set))
	}
	if len(gone) > 0 {
		c.update(table.NewRemovePropertiesUpdate(gone))
	}
}

// snapshots sends snapshots and refs; every ref must still be where the change found it.
func (c *restChange) snapshots() {
	before := map[string]table.SnapshotRef{}
	for name, ref := range c.base.Refs() {
		before[name] = ref
		c.require(table.AssertRefSnapshotID(name, &ref.SnapshotID))
	}
	if _, ok := before[table.MainBranch]; !ok {
		c.require(table.AssertRefSnapshotID(table.MainBranch, nil))
	}
	for _, s := range c.next.Snapshots() {
		if c.base.SnapshotByID(s.SnapshotID) == nil {
			c.update(table.NewAddSnapshotUpdate(&s))
		}
	}
	after := map[string]bool{}
	for name, ref := range c.next.Refs() {
		after[name] = true
		if old, ok := before[name]; !ok || !old.Equals(ref) {
			c.update(refUpdate(name, ref))
		}
	}
	for name := range before {
		if !after[name] {
			c.update(table.NewRemoveSnapshotRefUpdate(name))
		}
	}
	var gone []int64
	for _, s := range c.base.Snapshots() {
		if c.next.SnapshotByID(s.SnapshotID) == nil {
			gone = append(gone, s.SnapshotID)
		}
	}
	if len(gone) > 0 {
		c.update(table.NewRemoveSnapshotsUpdate(gone, false))
	}
}

// statistics sends statistics files that are new or gone.
func (c *restChange) statistics() {
	before := map[int64]string{}
	for s := range c.base.Statistics() {
		before[s.SnapshotID] = s.StatisticsPath
	}
	for s := range c.next.Statistics() {
		if before[s.SnapshotID] != s.StatisticsPath {
			c.update(table.NewSetStatisticsUpdate(s))
		}
		delete(before, s.SnapshotID)
	}
	for id := range before {
		if c.next.SnapshotByID(id) != nil {
			c.update(table.NewRemoveStatisticsUpdate(id))
		}
	}
	for s := range c.next.PartitionStatistics() {
		if c.base.partitionStats(s.SnapshotID) != s.StatisticsPath {
			c.update(table.NewSetPartitionStatisticsUpdate(s))
		}
	}
}

func refUpdate(name string, r table.SnapshotRef) table.Update {
	value := func(p *int64) int64 {
		if p == nil {
			return 0
		}
		return *p
	}
	keep := 0
	if r.MinSnapshotsToKeep != nil {
		keep = *r.MinSnapshotsToKeep
	}
	return table.NewSetSnapshotRefUpdate(name, r.SnapshotID, r.SnapshotRefType, value(r.MaxRefAgeMs), value(r.MaxSnapshotAgeMs), keep)
}
