package engine

import (
	"sort"
	"strings"
	"sync"

	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
)

// globalTemp is the namespace of the temporary views that all sessions see.
const globalTemp = "global_temp"

// tempView is a temporary view: its query in the form it was given, analyzed anew at each use.
type tempView struct {
	name    string
	rel     sql.Relation
	columns []string
	hidden  bool        // rel may name hidden columns
	source  plan.Source // in the place of rel: rows that no query of the session's gives
}

// tempViews are temporary views by their names, upper or lower case: one session's, or global ones.
type tempViews struct {
	mu   sync.Mutex
	list map[string]*tempView
}

func newTempViews() *tempViews { return &tempViews{list: map[string]*tempView{}} }

func (v *tempViews) keep(t *tempView) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list[strings.ToLower(t.name)] = t
}

// find returns nil if there is none of that name.
func (v *tempViews) find(name string) *tempView {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.list[strings.ToLower(name)]
}

func (v *tempViews) drop(name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, ok := v.list[strings.ToLower(name)]
	delete(v.list, strings.ToLower(name))
	return ok
}

// all lists them by name.
func (v *tempViews) all() []*tempView {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := make([]*tempView, 0, len(v.list))
	for _, t := range v.list {
		out = append(out, t)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

// viewNamed finds the temporary view that a name means: v, or global_temp.v.
func (s *Session) viewNamed(parts []string) *tempView {
	switch {
	case len(parts) == 1:
		return s.views.find(parts[0])
	case len(parts) == 2 && strings.EqualFold(parts[0], globalTemp):
		return s.engine.globals.find(parts[1])
	}
	return nil
}

// dropTempView forgets the temporary view that a name means.
func (s *Session) dropTempView(parts []string) bool {
	switch {
	case s.viewNamed(parts) == nil:
		return false
	case len(parts) == 1:
		return s.views.drop(parts[0])
	}
	return s.engine.globals.drop(parts[1])
}
