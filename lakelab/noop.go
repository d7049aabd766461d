package lakelab

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

// What Spark needs on a cluster and this engine does not is accepted, checked and said to do nothing.

var noted sync.Map

// note says, once in a cell, that a call did nothing.
func note(what, why string) {
	if _, again := noted.LoadOrStore(what, true); !again {
		fmt.Fprintf(os.Stderr, "%s: ничего не изменилось — %s.\n", what, why)
	}
}

// Repartition changes nothing: rows are not cut into partitions here (repartition). Arguments are checked: a number, columns.
func (df *DataFrame) Repartition(args ...any) *DataFrame {
	partitions("Repartition", df, args)
	return df
}

// RepartitionByRange changes nothing (repartitionByRange).
func (df *DataFrame) RepartitionByRange(args ...any) *DataFrame {
	partitions("RepartitionByRange", df, args)
	return df
}

// Coalesce changes nothing (coalesce of a DataFrame; F.Coalesce is another thing).
func (df *DataFrame) Coalesce(n int) *DataFrame {
	partitions("Coalesce", df, []any{n})
	return df
}

const cacheNote = "движок не хранит результатов и каждый раз считает запрос по свежим данным"

// Cache changes nothing: the query runs anew each time (cache).
func (df *DataFrame) Cache() *DataFrame {
	note("Cache", cacheNote)
	return df
}

// Persist changes nothing, as Cache (persist).
func (df *DataFrame) Persist() *DataFrame {
	note("Persist", cacheNote)
	return df
}

// Unpersist changes nothing (unpersist).
func (df *DataFrame) Unpersist() *DataFrame { return df }

// Checkpoint changes nothing (checkpoint).
func (df *DataFrame) Checkpoint() *DataFrame {
	note("Checkpoint", cacheNote)
	return df
}

// hints are the names that Spark knows.
var hints = map[string]bool{
	"broadcast": true, "broadcastjoin": true, "mapjoin": true, "merge": true, "shuffle_merge": true, "mergejoin": true, "shuffle_hash": true,
	"shuffle_replicate_nl": true, "coalesce": true, "repartition": true, "repartition_by_range": true, "rebalance": true,
}

// Hint changes nothing: DuckDB's planner chooses by itself (hint). Its name is checked; Spark only warns of an unknown one, and so
// does this.
func (df *DataFrame) Hint(name string, parameters ...any) *DataFrame {
	if !hints[strings.ToLower(name)] {
		note("Hint("+name+")", "такой подсказки у Spark нет")
		return df
	}
	for _, p := range parameters {
		if _, isColumn := p.(Column); !isColumn {
			LiteralOf(p) // for its error
		}
	}
	note("Hint", "план выбирает DuckDB")
	return df
}
