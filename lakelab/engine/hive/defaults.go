package hive

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/metastore"
)

// Default is a column's default value ("DEFAULT" clause of Spark's CREATE TABLE).
type Default struct {
	// Current is the expression that INSERT writes where no value is given; empty: NULL.
	Current string `json:"current,omitempty"`
	// Exists is the value, as text, of rows in files without the column; nil: NULL. It stays as it was when the column was made.
	Exists *string `json:"exists,omitempty"`
}

// defaultsKey is the parameter that keeps the defaults of a table's columns, by their names in lower case.
const defaultsKey = "spark.sql.sources.defaults"

// Default is the default value of a column; it is empty if the column has none.
func (t *Table) Default(column string) Default { return t.defaults[strings.ToLower(column)] }

// SetDefault changes a column's default value; Alter keeps it.
func (t *Table) SetDefault(column string, d Default) error {
	all := maps.Clone(t.defaults)
	if all == nil {
		all = map[string]Default{}
	}
	all[strings.ToLower(column)] = d
	t.defaults = all
	return keepDefaults(t.Params, all)
}

// Defaults are the default values of all columns that have one, by their names in lower case.
func (t *Table) Defaults() map[string]Default { return maps.Clone(t.defaults) }

// keepDefaults writes the defaults among a table's parameters.
func keepDefaults(params map[string]string, all map[string]Default) error {
	if len(all) == 0 {
		return nil
	}
	b, err := json.Marshal(all)
	params[defaultsKey] = string(b)
	return err
}

func readDefaults(m *metastore.Table) (map[string]Default, error) {
	text := m.Params[defaultsKey]
	if text == "" {
		return nil, nil
	}
	var all map[string]Default
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("the default values of %s.%s: %w", m.Database, m.Name, err)
	}
	return all, nil
}
