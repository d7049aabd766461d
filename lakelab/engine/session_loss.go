package engine

import (
	"os"
	"path/filepath"
	"time"

	"mini-lakehouse-lab/lakelab/internal/wire"
)

// A session's state lives in the engine's memory. A file for every session that has some tells the next engine that it was lost, so
// that a notebook does not go on in another namespace, or with other settings, without a word.

// Remember notes whether the session has state that the end of this process would lose. The cells' door calls it after every
// request.
func (s *Session) Remember() {
	if s.ID == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	has := s.catalog != CatalogName || s.namespace != DefaultNamespace ||
		len(s.conf)+len(s.views.all())+len(s.vars)+len(s.variables)+len(s.routines) > 0
	if has == s.noted {
		return
	}
	file := wire.SessionFile(s.engine.Dir, s.ID)
	if !has {
		_ = os.Remove(file)
		s.noted = false
		return
	}
	if os.MkdirAll(filepath.Dir(file), 0o700) == nil && os.WriteFile(file, nil, 0o600) == nil {
		s.noted = true
	}
}

// LostSession reports, once, that an earlier engine had a session of that name, with state.
func (e *Engine) LostSession(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return id != "" && e.sessions[id] == nil && os.Remove(wire.SessionFile(e.Dir, id)) == nil
}

// removeOldNotes removes notes of sessions whose kernels can't be alive any more.
func removeOldNotes(dir string) {
	files, _ := filepath.Glob(wire.SessionFile(literalGlob.Replace(dir), "*"))
	for _, f := range files {
		if st, err := os.Stat(f); err == nil && time.Since(st.ModTime()) > 30*24*time.Hour {
			_ = os.Remove(f)
		}
	}
}
