package lake

import (
	"fmt"
	"maps"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"

	"mini-lakehouse-lab/lakelab/engine/errclass"
)

// WriteOptions are what one write wants otherwise than its table (Iceberg's "Spark Configuration" page, "Write options").
type WriteOptions struct {
	// Properties count for this write in the place of the table's.
	Properties map[string]string
	// Summary are entries for the snapshot's summary, beside those that are always there.
	Summary map[string]string
	// Spec is the id of the partition spec of the new files; nil: the table's.
	Spec *int
	// Unsorted leaves the rows in the query's order, whatever the table's is.
	Unsorted bool
}

// Writing is the table for writes with options. IllegalArgument for a partition spec that the table does not have.
func (t *Table) Writing(o WriteOptions) (*Table, error) {
	if o.Spec != nil && t.meta.PartitionSpecByID(*o.Spec) == nil {
		return nil, errclass.IllegalArgument(fmt.Sprintf("Output spec id %d is not a valid spec id for table", *o.Spec))
	}
	w := *t
	w.options = o
	return &w, nil
}

// target is where new rows of the table go.
func (t *Table) target() target {
	to := t.meta.target()
	if spec := t.options.Spec; spec != nil {
		to.spec = *t.meta.PartitionSpecByID(*spec)
	}
	t.options.change(&to)
	return to
}

// change makes a target the one that the options want.
func (o WriteOptions) change(to *target) {
	if len(o.Properties) > 0 {
		to.props = maps.Clone(to.props)
		if to.props == nil {
			to.props = iceberg.Properties{}
		}
		maps.Copy(to.props, o.Properties)
	}
	if o.Unsorted {
		to.order = table.UnsortedSortOrder
	}
}

// addCustom adds a writer's own entries to a summary, which must have none of these names.
func addCustom(summary iceberg.Properties, own map[string]string) error {
	for k, v := range own {
		if old, taken := summary[k]; taken {
			return errclass.IllegalArgument(fmt.Sprintf("Multiple entries with same key: %s=%s and %s=%s", k, old, k, v))
		}
		summary[k] = v
	}
	return nil
}
