package engine

import (
	"slices"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/types"
)

// The options of an Iceberg reader that say what it reads (Iceberg's "Spark Queries" page).
const (
	snapshotID      = "snapshot-id"
	asOfTimestamp   = "as-of-timestamp"
	branchOption    = "branch"
	tagOption       = "tag"
	startSnapshotID = "start-snapshot-id"
	endSnapshotID   = "end-snapshot-id"
	startTimestamp  = "start-timestamp"
	endTimestamp    = "end-timestamp"
)

// knownOptions refuses an option of a reader of a path that is not honoured. Of tables by name Spark ignores the others.
func knownOptions(options map[string]string) error {
	known := []string{"path", snapshotID, asOfTimestamp, branchOption, tagOption, startSnapshotID, endSnapshotID, startTimestamp, endTimestamp}
	for name := range options {
		if !slices.Contains(known, strings.ToLower(name)) {
			return errclass.UnsupportedOption("iceberg", name)
		}
	}
	return nil
}

// readerOptions are a reader's options by their names in lower case; the first one that is wrong is kept in err.
type readerOptions struct {
	of  map[string]string
	err error
}

func newReaderOptions(options map[string]string) *readerOptions {
	o := &readerOptions{of: make(map[string]string, len(options))}
	for k, v := range options {
		o.of[strings.ToLower(k)] = v
	}
	return o
}

// number is an option's number; nil if it is not given.
func (o *readerOptions) number(name string) *int64 {
	v, ok := o.of[name]
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		if o.err == nil {
			o.err = errclass.NumberFormat(v)
		}
		return nil
	}
	return &n
}

// stateAsked is the state of a table that a reader's options name, or what was appended between two of its snapshots; without options it is that
// which a time-travel clause names (nil: the current one).
func stateAsked(t *lake.Table, options map[string]string, travelled *lake.Snapshot) (*lake.Snapshot, error) {
	o := newReaderOptions(options)
	id, at := o.number(snapshotID), o.number(asOfTimestamp)
	start, end := o.number(startSnapshotID), o.number(endSnapshotID)
	from, to := o.number(startTimestamp), o.number(endTimestamp)
	branch, onBranch := o.of[branchOption]
	tag, onTag := o.of[tagOption]
	switch {
	case o.err != nil:
		return nil, o.err
	case id != nil && at != nil:
		return nil, errclass.IllegalArgument("Cannot set both " + snapshotID + " and " + asOfTimestamp + " to select which table snapshot to scan")
	case (id != nil || at != nil || travelled != nil) && (start != nil || end != nil):
		return nil, errclass.IllegalArgument("Cannot set " + startSnapshotID + " and " + endSnapshotID + " for incremental scans when either " + snapshotID + " or " + asOfTimestamp + " is set")
	case start == nil && end != nil:
		return nil, errclass.IllegalArgument("Cannot set only " + endSnapshotID + " for incremental scans. Please, set " + startSnapshotID + " too.")
	case from != nil || to != nil:
		return nil, errclass.IllegalArgument("Cannot set " + startTimestamp + " or " + endTimestamp + " for incremental scans and batch scan. They are only valid for changelog scans.")
	case travelled != nil:
		return travelled, nil
	case start != nil:
		return t.AppendedSince(*start, end)
	case id != nil:
		return t.SnapshotByID(*id)
	case at != nil:
		return t.SnapshotAsOf(types.Micros(*at * 1000))
	case onBranch && onTag:
		return nil, errclass.IllegalArgument("Can specify only one of snapshot-id, as-of-timestamp, branch and tag")
	case onBranch:
		return refNamed(t, branch)
	case onTag:
		return refNamed(t, tag)
	}
	return nil, nil
}

// refNamed is the state of a branch or a tag.
func refNamed(t *lake.Table, name string) (*lake.Snapshot, error) {
	at, err := t.SnapshotByRef(name)
	if err != nil {
		return nil, errclass.IllegalArgument("Cannot find ref " + name)
	}
	return at, nil
}
