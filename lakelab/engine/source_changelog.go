package engine

import (
	"context"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/expr"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// changesTable is the name behind a table's under which its changes are read: every row that a snapshot added or took away.
const changesTable = "changes"

// changelogSource reads the changes of a table as it was when it was looked up: those that options ask for. What is wrong with them shows when
// it is read, and so does what is there: files that were fetched for one query may be gone at the next.
type changelogSource struct {
	table   *lake.Table
	what    lake.Changes
	options map[string]string
}

func (c *changelogSource) Schema() types.Type {
	schema := c.table.ChangelogType()
	if !c.what.Copied { // a view's columns have no comments
		for i := range schema.Fields {
			schema.Fields[i].Comment = ""
		}
	}
	return schema
}

func (c *changelogSource) SQL(ctx context.Context, columns []int, filter expr.Expr) (string, error) {
	what, err := changesAsked(c.table, c.what, c.options)
	if err != nil {
		return "", err
	}
	query, err := c.table.Changelog(ctx, what)
	if err != nil {
		return "", err
	}
	return (&querySource{schema: c.Schema(), query: query}).SQL(ctx, columns, filter)
}

// changesAsked adds to what a changelog shows the snapshots or times that options name.
func changesAsked(t *lake.Table, what lake.Changes, options map[string]string) (_ lake.Changes, err error) {
	o := newReaderOptions(options)
	for _, name := range []string{snapshotID, asOfTimestamp, branchOption, tagOption} {
		if _, ok := o.of[name]; ok {
			return what, errclass.IllegalArgument("Cannot set neither " + snapshotID + ", " + asOfTimestamp + ", " + branchOption + " and " + tagOption + " for changelogs")
		}
	}
	what.Start, what.End = o.number(startSnapshotID), o.number(endSnapshotID)
	from, to := o.number(startTimestamp), o.number(endTimestamp)
	switch {
	case o.err != nil:
		return what, o.err
	case what.Start != nil && from != nil:
		return what, errclass.IllegalArgument("Cannot set both " + startSnapshotID + " and " + startTimestamp + " for changelogs")
	case what.End != nil && to != nil:
		return what, errclass.IllegalArgument("Cannot set both " + endSnapshotID + " and " + endTimestamp + " for changelogs")
	case from != nil && to != nil && *from >= *to:
		return what, errclass.IllegalArgument("Cannot set " + startTimestamp + " to be greater than " + endTimestamp + " for changelogs")
	}
	if from != nil {
		some := false
		if what.Start, some, err = t.ChangesFrom(*from); err != nil {
			return what, err
		}
		what.None = !some
	}
	if to != nil {
		what.End = t.ChangesUpTo(*to)
		what.None = what.None || what.Start == nil && what.End == nil || what.Start != nil && what.End != nil && *what.Start == *what.End
	}
	return what, nil
}

// changes makes the relation of t.changes, in which rows that were only copied to other files are deleted and inserted.
func (c sessionCatalog) changes(t *lake.Table, id lake.Ident, ref *sql.TableRef) (*plan.Relation, error) {
	if ref.Travel != nil {
		return nil, errclass.UnsupportedOperation("AS OF is not supported for changelogs").At(ref.Span())
	}
	return &plan.Relation{Name: append(fullName(id), changesTable), Source: &changelogSource{t, lake.Changes{Copied: true}, ref.Options}}, nil
}
