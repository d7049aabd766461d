package lake

import (
	lists "container/list"
	"sync"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

// cache keeps what never changes: metadata files, manifest lists, manifests and the field ids of data files, by path, and the files of
// snapshots, by the path of their manifest list.
type cache struct {
	files   *shelf[*metadata]
	lists   *shelf[[]iceberg.ManifestFile]
	entries *shelf[[]iceberg.ManifestEntry]
	scans   *shelf[*fileList]
	layouts *shelf[*layout]
}

// newCache makes a cache. Each shelf is bounded by the number of snapshots, manifests or files that its values name, of each of which
// some kilobytes are kept: a table with many commits has as many snapshots in each of its metadata files.
func newCache() *cache {
	return &cache{
		files:   newShelf(3_000, func(m *metadata) int { return len(m.Snapshots()) + len(m.Schemas()) }),
		lists:   newShelf(2_000, func(l []iceberg.ManifestFile) int { return len(l) }),
		entries: newShelf(10_000, func(e []iceberg.ManifestEntry) int { return len(e) }),
		scans:   newShelf(20_000, func(f *fileList) int { return len(f.data) + len(f.deletes) }),
		layouts: newShelf(1_000, func(*layout) int { return 1 }),
	}
}

// supersede lets go of what a commit has left behind: the files of the snapshot before it, and those of its manifests that the next one
// does not name. Who still reads that snapshot, or comes back to it, reads them again.
func (c *cache) supersede(before, now table.Metadata) {
	old, next := before.CurrentSnapshot(), now.CurrentSnapshot()
	if old == nil || next == nil || old.ManifestList == next.ManifestList {
		return
	}
	c.scans.drop(old.ManifestList)
	was, ok := c.lists.look(old.ManifestList)
	if !ok {
		return
	}
	c.lists.drop(old.ManifestList)
	is, err := c.manifests(next) // who reads or commits next needs it too
	if err != nil {
		return
	}
	named := map[string]bool{}
	for _, m := range is {
		named[m.FilePath()] = true
	}
	for _, m := range was {
		if !named[m.FilePath()] {
			c.entries.drop(manifestKey(m))
		}
	}
}

// forget lets go of manifest lists and manifests that are deleted: who deletes them has read them all. A manifest that has row ids stays until
// its shelf is full.
func (c *cache) forget(paths []string) {
	for _, path := range paths {
		c.lists.drop(path)
		c.scans.drop(path)
		c.entries.drop(path)
	}
}

// shelf keeps values by key. When they are too many, those that were not used for the longest time go, but never the last one.
type shelf[V any] struct {
	limit int
	size  func(V) int

	mu    sync.Mutex
	of    map[string]*lists.Element // of kept[V]
	order lists.List                // the one used last is in front
	total int
}

type kept[V any] struct {
	key   string
	value V
	size  int
}

func newShelf[V any](limit int, size func(V) int) *shelf[V] {
	return &shelf[V]{limit: limit, size: func(v V) int { return 1 + size(v) }, of: map[string]*lists.Element{}}
}

// look returns the value kept under a key.
func (s *shelf[V]) look(key string) (v V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.of[key]
	if !ok {
		return v, false
	}
	s.order.MoveToFront(e)
	return e.Value.(kept[V]).value, true
}

// get returns the value kept under a key, or reads and keeps it.
func (s *shelf[V]) get(key string, read func() (V, error)) (V, error) {
	if v, ok := s.look(key); ok {
		return v, nil
	}
	v, err := read()
	if err == nil {
		s.put(key, v)
	}
	return v, err
}

// put keeps a value.
func (s *shelf[V]) put(key string, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
	k := kept[V]{key, v, s.size(v)}
	s.of[key] = s.order.PushFront(k)
	for s.total += k.size; s.total > s.limit && s.order.Len() > 1; {
		s.remove(s.order.Back().Value.(kept[V]).key)
	}
}

// drop forgets a value.
func (s *shelf[V]) drop(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
}

// remove forgets a value. The caller holds the lock.
func (s *shelf[V]) remove(key string) {
	if e, ok := s.of[key]; ok {
		s.total -= e.Value.(kept[V]).size
		s.order.Remove(e)
		delete(s.of, key)
	}
}
