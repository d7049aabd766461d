package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/engine/lake"
	"mini-lakehouse-lab/lakelab/engine/plan"
	"mini-lakehouse-lab/lakelab/engine/sql"
	"mini-lakehouse-lab/lakelab/types"
)

// sessionCatalog is what names in FROM mean for one session and one dialect.
type sessionCatalog struct {
	s     *Session
	d     sql.Dialect
	temps map[string]bool // collects the temporary views that are met; nil: nobody asks
	made  *lake.Ident     // the view that is being replaced, which nothing below it may read; nil: none
}

// Resolve finds a temporary view, a file (parquet.`path`), a table, a table at a snapshot, or one of its metadata tables.
func (c sessionCatalog) Resolve(ctx context.Context, ref *sql.TableRef, eval plan.Eval) (*plan.Relation, error) {
	parts := c.parts(ref.Name)
	if c.d == sql.Spark {
		if v := c.s.viewNamed(parts); v != nil {
			if c.temps != nil {
				c.temps[v.name] = true
			}
			if ref.Travel != nil {
				return nil, errclass.TimeTravelOnView(parts[len(parts)-1]).At(ref.Span())
			}
			if v.source != nil {
				return &plan.Relation{Name: []string{v.name}, Source: v.source}, nil
			}
			return &plan.Relation{Name: append(parts[:len(parts)-1:len(parts)-1], v.name), View: v.rel, Hidden: v.hidden, Columns: v.columns}, nil
		}
		if len(parts) == 2 && isFileFormat(parts[0]) {
			rel, _, err := c.s.openFiles(ctx, &sql.Files{At: ref.At, Format: parts[0], Paths: parts[1:], Options: ref.Options})
			if err != nil {
				return nil, errclass.Place(err, ref.Span())
			}
			return &plan.Relation{Name: []string{parts[0], parts[1]}, View: rel}, nil
		}
	}
	if c.d == sql.Spark {
		if id, ok, err := c.s.hiveName(parts); ok || err != nil {
			return c.hive(ctx, id, ref, err)
		}
	}
	full, ours := c.s.qualify(parts)
	if c.d == sql.Trino {
		catalog, schema, table, err := c.s.trinoName3(ctx, ref.Name)
		if err != nil {
			return nil, err
		}
		if r := c.s.virtual(catalog, schema, table); r != nil {
			if ref.Travel != nil {
				return nil, errclass.TrinoConnector("versioned tables").Nowhere()
			}
			return r, nil
		}
		switch catalog {
		case tpchCatalog:
			return c.s.tpchRelation(schema, table, ref)
		case CatalogName:
		default:
			return nil, nil
		}
		full, ours = lake.Ident{Namespace: schema, Name: table}, true
		if name, meta, ok := strings.Cut(full.Name, "$"); ok {
			return c.trinoMetadata(ctx, lake.Ident{Namespace: full.Namespace, Name: name}, meta, ref)
		}
	}
	if ours {
		t, err := c.s.engine.Lake.Load(ctx, full)
		if err == nil {
			return c.table(ctx, t, full, ref, eval)
		}
		if !lake.IsNoTable(err) {
			return nil, err
		}
		if rel, err := c.lastingView(ctx, full, ref); rel != nil || err != nil {
			return rel, err
		}
	}
	// catalog.namespace.table.metadata, or a branch or a tag of the table
	if c.d == sql.Spark && len(parts) > 2 { // with the table's namespace, as in Spark
		if base, ok := c.s.qualify(parts[:len(parts)-1]); ok {
			if rel, err := c.ref(ctx, base, parts[len(parts)-1], ref); rel != nil || err != nil {
				return rel, err
			}
			return c.metadata(ctx, base, strings.ToLower(parts[len(parts)-1]), ref, eval)
		}
	}
	return nil, nil
}

// parts are a name's texts; Trino folds them to lower case.
func (c sessionCatalog) parts(names []sql.Name) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n.Text
		if c.d == sql.Trino {
			out[i] = strings.ToLower(n.Text)
		}
	}
	return out
}

// qualify completes a name with the session's catalog and namespace. It is false for a name that no table of ours can have.
func (s *Session) qualify(parts []string) (lake.Ident, bool) {
	catalog, namespace := s.Current()
	switch len(parts) {
	case 1:
		return lake.Ident{Namespace: namespace, Name: parts[0]}, catalog == CatalogName
	case 0:
		return lake.Ident{}, false
	}
	n := len(parts) - 1
	switch {
	case n > 1 && strings.EqualFold(parts[0], CatalogName):
		parts, n, catalog = parts[1:], n-1, CatalogName
	case n > 1 && strings.EqualFold(parts[0], HiveCatalogName):
		return lake.Ident{}, false
	}
	return lake.Ident{Namespace: strings.Join(parts[:n], "."), Name: parts[n]}, catalog == CatalogName
}

// fullName is a table's name as Spark's messages and qualifiers have it.
func fullName(id lake.Ident) []string {
	if path := id.Path(); path != "" {
		return []string{pathCatalog, filepath.Dir(path), filepath.Base(path)}
	}
	return append(fullSpace(id.Namespace), id.Name)
}

// fullSpace is a namespace's name with its catalog.
func fullSpace(namespace string) []string {
	return append([]string{CatalogName}, strings.Split(namespace, ".")...)
}

// pathCatalog is the catalog that Spark's messages name for tables by path.
const pathCatalog = "default_iceberg"

// ident qualifies the name of a table that a statement works on; a name that can't be ours is reported as not found.
func (s *Session) ident(d sql.Dialect, names []sql.Name) (lake.Ident, error) {
	parts := sessionCatalog{s: s, d: d}.parts(names)
	id, ok := s.qualify(parts)
	if !ok {
		return id, errclass.TableNotFound(d, parts).At(span(names))
	}
	return id, nil
}

// loadTable finds the table that a statement works on.
func (s *Session) loadTable(ctx context.Context, d sql.Dialect, names []sql.Name) (*lake.Table, error) {
	id, err := s.ident(d, names)
	if err != nil {
		return nil, err
	}
	t, err := s.engine.Lake.Load(ctx, id)
	if errors.Is(err, lake.ErrNoTable) {
		shown := fullName(id)
		if d == sql.Spark {
			shown = sessionCatalog{s: s, d: d}.parts(names) // as written
		}
		return nil, errclass.TableNotFound(d, shown).At(span(names))
	}
	return t, err
}

// writeTable finds the table that a statement writes to, or a branch of it: t.branch_x.
func (s *Session) writeTable(ctx context.Context, d sql.Dialect, parts []sql.Name) (*lake.Table, error) {
	if n := len(parts) - 1; d == sql.Spark && n > 1 {
		ref := parts[n].Text
		if id, ok := s.qualify(names(d, parts[:n])); ok && (selects(ref) || lake.IsMetadataTable(strings.ToLower(ref))) {
			t, err := s.engine.Lake.Load(ctx, id)
			if err == nil {
				if name, ok := strings.CutPrefix(ref, branchPrefix); ok {
					return t.OnBranch(name)
				}
				at, ok, err := snapshotNamed(t, ref)
				if err != nil {
					return nil, err
				}
				if !ok {
					return nil, errclass.UnsupportedOperation("Cannot write to a metadata table")
				}
				return nil, errclass.IllegalArgument(fmt.Sprintf("Cannot write to table at a specific snapshot: %d", at.ID))
			}
			if !lake.IsNoTable(err) {
				return nil, err
			}
		}
	}
	t, err := s.loadTable(ctx, d, parts)
	if err != nil || !t.Staging() {
		return t, err
	}
	id, branch := s.Conf(confWAPID), s.Conf(confWAPBranch)
	switch {
	case id != "" && branch != "":
		return nil, errclass.Validation("Cannot set both WAP ID and branch, but got ID [%s] and branch [%s]", id, branch)
	case id != "":
		return t.Staged(id), nil
	case branch != "":
		return t.OnFreshBranch(branch), nil
	}
	return t, nil
}

// What a table's name is followed by to mean a branch, a tag, or a snapshot by its id or by a time in milliseconds.
const (
	branchPrefix = "branch_"
	tagPrefix    = "tag_"
)

var snapshotSelector = regexp.MustCompile(`^(snapshot_id|at_timestamp)_(\d+)$`)

// snapshotNamed finds the snapshot that t.tag_x, t.snapshot_id_n or t.at_timestamp_n names; false if the name is another.
func snapshotNamed(t *lake.Table, name string) (*lake.Snapshot, bool, error) {
	if tag, ok := strings.CutPrefix(name, tagPrefix); ok {
		at, err := t.SnapshotByRef(tag)
		return at, true, err
	}
	m := snapshotSelector.FindStringSubmatch(name)
	if m == nil {
		return nil, false, nil
	}
	n, err := strconv.ParseInt(m[2], 10, 64)
	switch {
	case err != nil:
		return nil, true, errclass.NumberFormat(m[2])
	case m[1] == "snapshot_id":
		at, err := t.SnapshotByID(n)
		return at, true, err
	}
	at, err := t.SnapshotAsOf(types.Micros(n * 1000))
	return at, true, err
}

// selects reports whether a name behind a table's means a branch, a tag or a snapshot of it.
func selects(name string) bool {
	return strings.HasPrefix(name, branchPrefix) || strings.HasPrefix(name, tagPrefix) || snapshotSelector.MatchString(name)
}

// ref makes the relation of t.branch_x, t.tag_x, t.snapshot_id_n or t.at_timestamp_n; nil if the name is none of them, or there is no such table.
func (c sessionCatalog) ref(ctx context.Context, id lake.Ident, name string, ref *sql.TableRef) (*plan.Relation, error) {
	if !selects(name) {
		return nil, nil
	}
	t, err := c.s.engine.Lake.Load(ctx, id)
	if err != nil {
		if lake.IsNoTable(err) {
			return nil, nil
		}
		return nil, err
	}
	if ref.Travel != nil {
		return nil, errclass.IllegalArgument("Cannot do time-travel based on both table identifier and AS OF").At(ref.Span())
	}
	full := append(fullName(id), name)
	if branch, ok := strings.CutPrefix(name, branchPrefix); ok {
		at, tag := t.Tagged(branch) // which Spark reads under this name, too
		if !tag {
			if t, err = t.OnBranch(branch); err != nil {
				return nil, err
			}
		}
		at, err := stateAsked(t, ref.Options, at)
		if err != nil {
			return nil, err
		}
		return &plan.Relation{Name: full, Source: c.s.source(t, at)}, nil
	}
	at, _, err := snapshotNamed(t, name)
	if err == nil {
		at, err = stateAsked(t, ref.Options, at)
	}
	if err != nil {
		return nil, err
	}
	return &plan.Relation{Name: full, Source: c.s.source(t, at)}, nil
}
