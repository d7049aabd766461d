package functions

import "sync"

// memo keeps what texts of queries and of their data were read into: patterns, paths, formats. It is emptied when it is full, since a
// column may hold any number of them.
type memo[V any] struct {
	mu sync.RWMutex
	of map[string]V
}

const memoLimit = 1000

func (m *memo[V]) load(key string) (V, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.of[key]
	return v, ok
}

func (m *memo[V]) store(key string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil || len(m.of) >= memoLimit {
		m.of = map[string]V{}
	}
	m.of[key] = v
}
